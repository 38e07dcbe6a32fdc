/* Opens the OpenCL library, lists its devices, and determines which of them support double precision and the other
 * requirements. */
#include "devices.h"

struct profile *profile_of_process(void)
{
    static struct profile profile;
    return &profile;
}

#ifdef STABLECL_OPENCL

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _WIN32
#  include <windows.h>
#else
#  include <dlfcn.h>
#endif
#include "../base/process.h"
#include "fault.h"

/* --- the library ------------------------------------------------------------------------------ */

static const char *const usual_names[] = {
#if defined(_WIN32)
    "OpenCL.dll"
#elif defined(__APPLE__)
    "/System/Library/Frameworks/OpenCL.framework/OpenCL"
#else
    "libOpenCL.so.1", "libOpenCL.so"
#endif
};

#ifdef _WIN32
static int is_absolute(const char *path)
{
    const char first = path[0];
    int letter = (first >= 'A' && first <= 'Z') || (first >= 'a' && first <= 'z');
    return (letter && path[1] == ':' && (path[2] == '\\' || path[2] == '/')) || (first == '\\' && path[1] == '\\');
}

/* A name without a folder is searched for only in the system folder, never in the current one; the dependencies
 * of a library are also searched for in its own folder. */
static void *open_library(const char *name)
{
    DWORD where = LOAD_LIBRARY_SEARCH_SYSTEM32;
    if (is_absolute(name)) where |= LOAD_LIBRARY_SEARCH_DLL_LOAD_DIR;
    return (void *)LoadLibraryExA(name, NULL, where);
}

static void *symbol(void *library, const char *name)
{
    FARPROC found = GetProcAddress((HMODULE)library, name);
    void *p;
    memcpy(&p, &found, sizeof p);
    return p;
}
#else
static int is_absolute(const char *path)
{
    return path[0] == '/';
}

static void *open_library(const char *name)
{
    return dlopen(name, RTLD_NOW | RTLD_LOCAL);
}

static void *symbol(void *library, const char *name)
{
    return dlsym(library, name);
}
#endif

static struct cl_table table;
static struct status outcome;
static char opened[1024];
static int tried;

/* Copies the address of a symbol bytewise, because ISO C has no cast from void * to a function pointer; returns
 * 0 if the library has no such symbol. */
static int fetch(void *library, const char *name, void *member, size_t size)
{
    void *p = symbol(library, name);
    if (p) memcpy(member, &p, size);
    return p != NULL;
}

#define FETCH(name)                                                             \
    if (!fetch(library, "cl" #name, &table.name, sizeof table.name)) {          \
        fail(&outcome, ST_DEVICE, "%s has no cl%s: OpenCL 1.2 is required", from, #name); \
        return;                                                                 \
    }
#define FETCH_STATUS(effect, name, parameters, arguments)       FETCH(name)
#define FETCH_OBJECT(effect, type, name, parameters, arguments) FETCH(name)

static void fetch_all(void *library, const char *from)
{
    STATUS_ENTRIES(FETCH_STATUS)
    OBJECT_ENTRIES(FETCH_OBJECT)
}

/* Opens the library and fetches its functions; `outcome` states a failure. */
static void load(void)
{
    const char *path = getenv("STABLECL_OPENCL_LIBRARY");
    size_t count = sizeof usual_names / sizeof *usual_names;
    const char *const *names = usual_names;
    void *library = NULL;

    if (path && *path) {
        if (!is_absolute(path)) {
            fail(&outcome, ST_DEVICE, "STABLECL_OPENCL_LIBRARY must be an absolute path, not \"%s\"", path);
            return;
        }
        names = &path;
        count = 1;
    }
    for (size_t i = 0; i < count && !library; i++) {
        library = open_library(names[i]);
        if (!library) continue;
        snprintf(opened, sizeof opened, "%s", names[i]);
        fetch_all(library, names[i]);
    }
    if (!library)
        fail(&outcome, ST_DEVICE, "no OpenCL library was found (%s)%s", names[0],
             strstr(names[0], ".so") ? "; on Debian and Ubuntu it is in the package ocl-icd-libopencl1" : "");
}

const struct cl_table *opencl_table(int device, struct status *st)
{
    if (!tried) load();
    tried = 1;
    if (outcome.code) {
        *st = outcome;
        return NULL;
    }
    return fault_table(&table, device);
}

/* --- the devices ------------------------------------------------------------------------------ */

#define MAX_DEVICES   64
#define MAX_PLATFORMS 16

static struct device devices[MAX_DEVICES];
static int count, known;
static char note[sizeof ((struct status *)0)->message];

/* Removes the blanks that drivers pad with, and replaces all characters other than printable ASCII. */
static void make_printable(char *text)
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
    make_printable(text);
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

/* Sets whether the device meets the requirements of jobs in single and in double precision, and if not, why. */
static void check_requirements(const struct cl_table *cl, struct device *d)
{
    const char *reason = "";

    if (!device_number(cl, d->id, CL_DEVICE_AVAILABLE, sizeof(cl_bool)))
        reason = "the device is not available";
    else if (older_than_1_2(d->version))
        reason = "OpenCL 1.2 or later is required";
    else if (!device_number(cl, d->id, CL_DEVICE_COMPILER_AVAILABLE, sizeof(cl_bool)))
        reason = "the driver has no compiler";
    d->single = !*reason;
    if (d->single && !d->fp64) reason = "double precision (cl_khr_fp64) is not supported; use precision = \"single\"";
    snprintf(d->reason, sizeof d->reason, "%s", reason);
    d->usable = !*reason;
}

static void describe(const struct cl_table *cl, struct device *d)
{
    cl_device_type type = device_number(cl, d->id, CL_DEVICE_TYPE, sizeof(cl_device_type));

    device_text(cl, d->id, CL_DEVICE_NAME, d->name, sizeof d->name);
    device_text(cl, d->id, CL_DEVICE_VENDOR, d->vendor, sizeof d->vendor);
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
    d->rounds_quotients = (device_number(cl, d->id, CL_DEVICE_SINGLE_FP_CONFIG, sizeof(cl_device_fp_config)) &
                           CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0;
    check_requirements(cl, d);
}

static void platform_text(const struct cl_table *cl, cl_platform_id platform, cl_platform_info what,
                          char *text, size_t size)
{
    memset(text, 0, size);
    if (cl->GetPlatformInfo(platform, what, size, text, NULL)) text[0] = 0;
    text[size - 1] = 0;
    make_printable(text);
}

static void add_platform(const struct cl_table *cl, cl_platform_id platform)
{
    cl_device_id ids[MAX_DEVICES];
    cl_uint found = 0;

    if (cl->GetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, MAX_DEVICES, ids, &found)) return;
    if (found > MAX_DEVICES) found = MAX_DEVICES;
    for (cl_uint i = 0; i < found && count < MAX_DEVICES; i++) {
        struct device *d = &devices[count++];
        memset(d, 0, sizeof *d);
        d->platform = platform;
        d->id = ids[i];
        platform_text(cl, platform, CL_PLATFORM_NAME, d->platform_name, sizeof d->platform_name);
        platform_text(cl, platform, CL_PLATFORM_VERSION, d->platform_version, sizeof d->platform_version);
        describe(cl, d);
    }
}

static void enumerate(void)
{
    cl_platform_id platforms[MAX_PLATFORMS];
    cl_uint found = 0;
    struct status st = { ST_OK, "" };
    const struct cl_table *cl = opencl_table(0, &st);

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
        process_keep_handlers();
        enumerate();
        process_restore_handlers();
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
    return opened;
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
    return "stablecl was built without OpenCL headers; install them (Debian, Ubuntu: opencl-headers),"
           " then stablecl again";
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
