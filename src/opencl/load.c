#include "load.h"

#ifdef STABLECL_OPENCL

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _WIN32
#  include <windows.h>
#else
#  include <dlfcn.h>
#endif
#include "fault.h"

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
        fail(&outcome, ST_DEVICE, "no OpenCL library was found (%s)", names[0]);
}

const struct cl_table *opencl_table(struct status *st)
{
    if (!tried) load();
    tried = 1;
    if (outcome.code) {
        *st = outcome;
        return NULL;
    }
    return fault_table(&table);
}

const char *opencl_library(void)
{
    return opened;
}

#endif
