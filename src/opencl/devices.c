/* Lists the OpenCL devices and determines which of them support double precision and the other requirements. */
#include "devices.h"

struct profile *profile_of_process(void)
{
    static struct profile profile;
    return &profile;
}

#ifdef STABLECL_OPENCL

#include <stdio.h>
#include <string.h>
#include "../base/process.h"
#include "load.h"

#define MAX_DEVICES   64
#define MAX_PLATFORMS 16

static struct device devices[MAX_DEVICES];
static int count, known;
static char note[sizeof ((struct status *)0)->message];

/* Removes the blanks that drivers pad with, and replaces all characters other than printable ASCII. */
static void tidy(char *text)
{
    char *from = text, *to = text;

    while (*from == ' ') from++;
    for (; *from; from++) *to++ = *from >= ' ' && *from <= '~' ? *from : '?';
    while (to > text && to[-1] == ' ') to--;
    *to = 0;
}

static void device_text(const struct cl_table *cl, cl_device_id id, cl_device_info what,
                        char *text, size_t size)
{
    size_t needed = 0;

    text[0] = 0;
    if (cl->GetDeviceInfo(id, what, 0, NULL, &needed) || needed == 0) return;
    if (needed <= size) {
        if (cl->GetDeviceInfo(id, what, size, text, NULL)) text[0] = 0;
    } else {
        snprintf(text, size, "(a name of %lu characters)", (unsigned long)needed);
    }
    text[size - 1] = 0;
    tidy(text);
}

/* Returns a numeric property, or 0 if the device does not provide it. */
static cl_ulong device_number(const struct cl_table *cl, cl_device_id id, cl_device_info what,
                              size_t size)
{
    cl_ulong wide = 0;
    cl_uint narrow = 0;

    if (size == sizeof narrow)
        return cl->GetDeviceInfo(id, what, size, &narrow, NULL) ? 0 : narrow;
    return cl->GetDeviceInfo(id, what, sizeof wide, &wide, NULL) ? 0 : wide;
}

static const char *type_name(cl_device_type type)
{
    if (type & CL_DEVICE_TYPE_GPU) return "GPU";
    if (type & CL_DEVICE_TYPE_ACCELERATOR) return "accelerator";
    if (type & CL_DEVICE_TYPE_CPU) return "CPU";
    return "other";
}

static int older_than_1_2(const char *version)
{
    int major = 0, minor = 0;
    if (sscanf(version, "OpenCL %d.%d", &major, &minor) != 2) return 1;
    return major < 1 || (major == 1 && minor < 2);
}

static void judge(const struct cl_table *cl, struct device *d)
{
    const char *why = "";

    if (!device_number(cl, d->id, CL_DEVICE_AVAILABLE, sizeof(cl_bool)))
        why = "the device is not available";
    else if (older_than_1_2(d->version))
        why = "OpenCL 1.2 or later is required";
    else if (!d->fp64)
        why = "double precision (cl_khr_fp64) is not supported";
    else if (!device_number(cl, d->id, CL_DEVICE_COMPILER_AVAILABLE, sizeof(cl_bool)))
        why = "the driver has no compiler";
    snprintf(d->why, sizeof d->why, "%s", why);
    d->usable = !*why;
}

static void describe(const struct cl_table *cl, struct device *d)
{
    cl_device_type type = device_number(cl, d->id, CL_DEVICE_TYPE, sizeof(cl_device_type));

    device_text(cl, d->id, CL_DEVICE_NAME, d->name, sizeof d->name);
    device_text(cl, d->id, CL_DEVICE_VERSION, d->version, sizeof d->version);
    device_text(cl, d->id, CL_DRIVER_VERSION, d->driver, sizeof d->driver);
    d->type = type_name(type);
    d->is_cpu = !strcmp(d->type, "CPU");
    d->units = (unsigned)device_number(cl, d->id, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof(cl_uint));
    d->memory = (double)device_number(cl, d->id, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof(cl_ulong));
    d->max_alloc = (double)device_number(cl, d->id, CL_DEVICE_MAX_MEM_ALLOC_SIZE,
                                         sizeof(cl_ulong));
    d->fp64 = device_number(cl, d->id, CL_DEVICE_DOUBLE_FP_CONFIG,
                            sizeof(cl_device_fp_config)) != 0;
    judge(cl, d);
}

static void add_platform(const struct cl_table *cl, cl_platform_id platform)
{
    cl_device_id ids[MAX_DEVICES];
    cl_uint found = 0;
    char name[sizeof devices->platform_name] = "";

    if (cl->GetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, MAX_DEVICES, ids, &found)) return;
    if (cl->GetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name, name, NULL)) name[0] = 0;
    name[sizeof name - 1] = 0;
    tidy(name);
    if (found > MAX_DEVICES) found = MAX_DEVICES;
    for (cl_uint i = 0; i < found && count < MAX_DEVICES; i++) {
        struct device *d = &devices[count++];
        memset(d, 0, sizeof *d);
        d->platform = platform;
        d->id = ids[i];
        memcpy(d->platform_name, name, sizeof name);
        describe(cl, d);
    }
}

static void look(void)
{
    cl_platform_id platforms[MAX_PLATFORMS];
    cl_uint found = 0;
    struct status st = { ST_OK, "" };
    const struct cl_table *cl = opencl_table(&st);

    count = 0;
    if (!cl) {
        snprintf(note, sizeof note, "%s", st.message);
        return;
    }
    if (cl->GetPlatformIDs(MAX_PLATFORMS, platforms, &found)) found = 0;
    if (found > MAX_PLATFORMS) found = MAX_PLATFORMS;
    for (cl_uint i = 0; i < found; i++) add_platform(cl, platforms[i]);
    snprintf(note, sizeof note, "%s", count ? ""
             : found ? "the OpenCL drivers found no device"
             : "no OpenCL driver is installed");
}

const struct device *devices_list(int *found)
{
    if (!known && !process_is_child()) {
        look();
        known = 1;
    }
    *found = count;
    return devices;
}

const char *devices_note(void)
{
    return known ? note : "forked processes do not search for devices";
}

int devices_are_known(void)
{
    return known;
}

const char *devices_library(void)
{
    return opencl_library();
}

void devices_forget(void)
{
    known = 0;
}

#else

#include <stddef.h>

const struct device *devices_list(int *count)
{
    *count = 0;
    return NULL;
}

const char *devices_note(void)
{
    return "stablecl was built without OpenCL headers";
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

#endif
