/* The functions that the layers above call: each computes a job on the selected devices or the CPU. */
#ifndef STABLECL_RUN_BACKEND_H
#define STABLECL_RUN_BACKEND_H

#include "cpu.h"
#include "device_dispatch.h"
#include "job.h"
#include "selection.h"

/* Computes the outputs of a job, split by shape if enough elements of values or quantiles share shapes.  Returns 0 or a
 * status code, and sets *nans. */
int backend_run(const struct element_job *, poll_function, int *nans, struct status *);

/* Computes the totals of JOB_LOGLIK or JOB_APPROXIMATE over all blocks (run/sums.h); job->sum and job->left are not
 * used. */
int backend_sums(const struct element_job *, poll_function, double *sum, int *nans, struct status *);

/* backend_data() returns a new number for data that several jobs use; backend_forget() releases the data. */
unsigned long backend_data(void);
void backend_forget(unsigned long data);

/* Sets a preference: "auto", "cpu", "opencl", "opencl:N", "opencl:all" or part of the name of a device; "" for
 * none.  A preference by call must be possible to meet, and makes a device that was given up available again;
 * the others are checked when a job runs. */
int backend_preference(enum preference_source, const char *text, struct status *);
const char *backend_preferred(enum preference_source);

/* Returns why a device was given up during the last call and clears the notice; NULL if none was. */
const char *backend_notice(void);

/* Returns why "auto" does not use devices, or "". */
const char *backend_given_up(void);

/* The current choice of backend. */
struct backend_state {
    const char *preference;             /* in force */
    enum preference_source source;      /* PREFERENCE_SOURCES if no preference is set */
    struct selection devices;           /* used for large jobs under "auto"; count 0: CPU only */
    int is_auto, is_open, is_child;
    const char *given_up;               /* the reason, or "" */
    struct status wrong;                /* why the preference cannot be met */
};

void backend_describe(struct backend_state *);

/* The number of threads for large jobs, and the preferences for it; 0 means the default. */
int  backend_threads(void);
void backend_preference_threads(int call_preference, int option_preference);

/* Returns in *before the previous limit of the cache in bytes; sets a new one if `limit` is not negative. */
int backend_cache_limit(double limit, double *before, struct status *);

/* Lists the `room` most recently used entries; returns the number of entries set, or -1 on failure. */
int backend_cache_list(struct cache_entry *, int room, struct status *);

void backend_load(void);                /* once, when the package is loaded */
void backend_unload(void);

#endif
