/* The first text of programs whose integrand calls special functions or distributions: these call elementary functions
 * at many places. */
#include "../special/called.h"
