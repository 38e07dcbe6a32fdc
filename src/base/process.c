#include "process.h"

#ifdef _WIN32

void process_load(void) { }
int process_is_child(void) { return 0; }

#else

#include <sys/types.h>
#include <unistd.h>

static pid_t loaded_by;

void process_load(void)
{
    loaded_by = getpid();
}

int process_is_child(void)
{
    return getpid() != loaded_by;
}

#endif
