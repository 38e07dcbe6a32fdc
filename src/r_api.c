/* Registers the table of functions (run/c_interface.c) for the compiled code of other packages. */
#include "r_glue.h"
#include <R_ext/Rdynload.h>
#include "../inst/include/stablecl.h"

void api_load(void)
{
    R_RegisterCCallable("stablecl", "stablecl_api", (DL_FUNC)(void (*)(void))stablecl_api);
}
