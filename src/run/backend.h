/* The functions that the layers above call: they compute jobs on the selected devices or the CPU (run.c), and set and
 * describe what is selected (backend.c). */
#ifndef STABLECL_RUN_BACKEND_H
#define STABLECL_RUN_BACKEND_H

#include "cpu.h"
#include "job.h"
#include "selection.h"

/* Computes the outputs of a job, split by shape if enough elements of values or quantiles share shapes.  Returns 0 or a
 * status code, and sets *nans. */
int backend_run(const struct element_job *, poll_function, int *nans, struct status *);

/* Computes the totals of JOB_LOGLIK or JOB_APPROXIMATE over all blocks; job->sum and job->left are not used. */
int backend_sums(const struct element_job *, poll_function, double *sum, int *nans, struct status *);

/* --- jobs that only devices compute: integrals of a translated function, and sums over many samples ---
 *
 * The caller computes the remaining work on the CPU: all of it if no device is selected or worth using, or what is left
 * after a device has failed under "auto".
 */

/* Determines what a preference selects for jobs in this precision (as for backend_preference(); "" for the one in
 * force). */
enum wanted { WANTED_CPU, WANTED_AUTO, WANTED_DEVICE };
int backend_wanted(const char *preference, enum precision, enum wanted *, struct status *);

/* TRUE if the preference in force is "cpu" or "auto", which uses no device for a job of one element. */
int backend_computes_one_on_cpu(void);

/* TRUE if "auto" may gain by using a device for integrals that take about `seconds` on the CPU.  If not, no
 * driver is loaded. */
int backend_device_may_be_faster(double seconds);

/* A job that quadrature/device_work.c defines. */
struct integrand_job;

/* The work of such a job: parts, computed by slice() in slices of parts.  is_built() returns whether the session has
 * the program of the job. */
struct device_work {
    const struct integrand_job *job;
    enum precision precision;
    size_t parts;
    double size;                        /* number of elements, compared with a crossover that a test has set */
    double seconds;                     /* expected duration on the CPU */
    int (*slice)(struct session *, const struct integrand_job *, struct slice *, struct status *);
    int (*is_built)(struct session *, const struct integrand_job *);
};

/* Computes the first *done parts on the devices of `preference` (as for backend_preference(); "" for the current one).
 * Under "auto" a device is used only if it is expected to save time. */
int device_dispatch(const struct device_work *, const char *preference, poll_function, size_t *done, struct status *);

/* Forgets that devices were slower than the CPU. */
void device_dispatch_forget(void);

/* backend_many_on_device() is TRUE if many samples, which take about `seconds` on the CPU, should be evaluated on a
 * device.  backend_record_many() records how long they took. */
int backend_many_on_device(double seconds);
void backend_record_many(int on_device, double expected, double seconds);

/* Returns ST_UNSUPPORTED if no device is in force, or if "auto" has given it up; the caller then uses the CPU. */
int backend_many(const struct many_job *, poll_function, struct status *);

/* Computes JOB_LOGLIKS for n > 0 laws, on a device if one is selected or worth using and x is in increasing order. */
int backend_logliks(const struct element_job *, poll_function, struct status *);

/* --- data, preferences and state --- */

/* backend_data() returns a new number for data that several jobs use; backend_forget() releases the data. */
unsigned long backend_data(void);
void backend_forget(unsigned long data);

/* Sets a preference: "auto", "cpu", "opencl", "opencl:N", "opencl:all" or part of the name of a device; "" for
 * none.  A preference by call must be possible to meet, at least for jobs in single precision, and makes a device that
 * was given up available again; the others are checked when a job runs. */
int backend_preference(enum preference_source, const char *text, struct status *);
const char *backend_preferred(enum preference_source);

/* Returns why a device was given up during the last call and clears the notice; NULL if none was. */
const char *backend_notice(void);

/* Returns why "auto" does not use devices, or "". */
const char *backend_given_up(void);

/* The backend in force. */
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

/* Lists the `capacity` most recently used entries; returns the number of entries set, or -1 on failure. */
int backend_cache_list(struct cache_entry *, int capacity, struct status *);

void backend_load(void);                /* once, when the package is loaded */
void backend_unload(void);

#endif
