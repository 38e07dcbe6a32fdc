/* base/process.h: which process this is. */
#ifndef STABLECL_PROCESS_H
#define STABLECL_PROCESS_H

/* Remembers the process; once, when the package is loaded. */
void process_load(void);

/* Whether this is a forked child of the process that loaded the package: it has copies of
 * everything, but none of the threads behind drivers. */
int process_is_child(void);

#endif
