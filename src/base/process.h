/* Identifies the current process, and keeps its signal handlers. */
#ifndef STABLECL_PROCESS_H
#define STABLECL_PROCESS_H

/* Has forks recorded from now on; called when the package is loaded. */
void process_load(void);

/* TRUE in a forked child of a process that had loaded the package.  The child has copies of all data, but not the
 * threads of OpenMP and of the drivers.  No system call is needed. */
int process_is_child(void);

/* Keeps the code of this library in memory until the process ends, even if R unloads the package: finalizers of
 * objects that users hold, fork handlers, and the table of functions that other packages use (r_api.c) point
 * into it.  Returns 0 if the system does not support this; R must then not unload the library. */
int process_keep_code(void);

/* Keep the handlers of SIGINT, by which users interrupt R, and of SIGPIPE, which tells R that a worker died: the second
 * function restores those in force at the call of the first.  Calls may be nested.
 *
 * Drivers that contain LLVM replace both when they compile.  LLVM's handler unblocks all signals: a pending SIGPIPE
 * then ends R's computation with an error, and the interrupt is lost. */
void process_keep_handlers(void);
void process_restore_handlers(void);

/* Restores them between these calls. */
void process_refresh_handlers(void);

/* TRUE if R checks a package in this process, according to the environment variables that R CMD check sets. */
int process_is_checked(void);

#endif
