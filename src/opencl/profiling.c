#include "profiling.h"

struct profile *profile_of_process(void)
{
    static struct profile profile;
    return &profile;
}
