/* Which process this is. */
#ifndef STABLECL_PROCESS_H
#define STABLECL_PROCESS_H

/* Remembers the process; once, when the package is loaded. */
void process_load(void);

/* Whether this is a forked child of the process that loaded the package: it has copies of
 * everything, but none of the threads behind drivers. */
int process_is_child(void);

/* Keeps the code of this library in memory until the process ends, even if R unloads the package: finalizers of
 * objects that users keep, handlers of forks, and the table of functions that other packages hold (r_api.c) lead into
 * it.  0 if the system cannot; then R must not unload the library. */
int process_keep_code(void);

/* Whether R checks a package in this process, by the variables that R CMD check sets. */
int process_is_checked(void);

#endif
