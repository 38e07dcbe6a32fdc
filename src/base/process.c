#ifndef _GNU_SOURCE
#  define _GNU_SOURCE 1                 /* for dladdr() and sigaction() */
#endif
#include <stdlib.h>
#include <string.h>
#include "process.h"

int process_is_checked(void)
{
    const char *limit = getenv("_R_CHECK_LIMIT_CORES_");
    if (limit && *limit && strcmp(limit, "false") && strcmp(limit, "FALSE")) return 1;
    const char *package = getenv("_R_CHECK_PACKAGE_NAME_");
    return package && *package;
}

#ifdef _WIN32

#include <windows.h>

void process_load(void) { }
int process_is_child(void) { return 0; }
void process_keep_handlers(void) { }
void process_restore_handlers(void) { }
void process_refresh_handlers(void) { }

/* Pins the library that contains the address of `here`. */
int process_keep_code(void)
{
    static const char here;
    HMODULE library;
    return GetModuleHandleExA(GET_MODULE_HANDLE_EX_FLAG_PIN | GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS, &here,
                              &library) != 0;
}

#else

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>

static int is_child;

static void after_fork_in_child(void)
{
    is_child = 1;
}

void process_load(void)
{
    static int is_registered;           /* stays valid: the code remains in memory when the package is unloaded */
    if (!is_registered) is_registered = !pthread_atfork(NULL, NULL, after_fork_in_child);
}

int process_is_child(void)
{
    return is_child;
}

static struct sigaction on_interrupt, on_pipe;
static int keeping;                     /* calls of process_keep_handlers() less those of process_restore_handlers() */

void process_keep_handlers(void)
{
    if (keeping++) return;
    sigaction(SIGINT, NULL, &on_interrupt);
    sigaction(SIGPIPE, NULL, &on_pipe);
}

void process_refresh_handlers(void)
{
    if (!keeping) return;
    sigaction(SIGINT, &on_interrupt, NULL);
    sigaction(SIGPIPE, &on_pipe, NULL);
}

void process_restore_handlers(void)
{
    process_refresh_handlers();
    keeping--;
}

/* A library opened once with RTLD_NODELETE stays in memory when its other users close it. */
int process_keep_code(void)
{
#ifdef RTLD_NODELETE
    Dl_info here;
    return dladdr(&is_child, &here) && here.dli_fname && dlopen(here.dli_fname, RTLD_LAZY | RTLD_NODELETE);
#else
    return 0;
#endif
}

#endif
