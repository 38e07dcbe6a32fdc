/* Replaces the device code in builds without OpenCL headers: no devices, and the reason. */
#include "../../opencl/devices.h"
#include "../../opencl/fault.h"
#include "session.h"

#ifndef STABLECL_OPENCL

static const char reason[] = "stablecl was built without OpenCL headers";

const struct device *devices_list(int *count)
{
    *count = 0;
    return NULL;
}

const char *devices_note(void)
{
    return reason;
}

int devices_are_known(void)
{
    return 1;
}

const char *devices_library(void)
{
    return "";
}

void devices_forget(void)
{
}

void fault_start(const struct fault_plan *plan)
{
    (void)plan;
}

void fault_stop(void)
{
}

double fault_calls(void)
{
    return 0;
}

double fault_live(void)
{
    return 0;
}

static struct session *absent_open(const struct selection *selection, struct status *st)
{
    (void)selection;
    fail(st, ST_DEVICE, "%s", reason);
    return NULL;
}

const struct backend opencl_backend = { .name = "opencl", .open = absent_open };

#endif
