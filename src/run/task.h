/* A job of any kind. */
#ifndef STABLECL_RUN_TASK_H
#define STABLECL_RUN_TASK_H

#include "job.h"

enum task_kind { TASK_EVAL, TASK_QUANTILE, TASK_RANDOM, TASK_MODE, TASK_SCORE, TASK_LOGLIK, TASK_APPROXIMATE,
                 TASK_LOGLIKS };

struct task {
    enum task_kind kind;
    const void *job;                    /* pointer to the struct of that kind */
    const struct laws *laws;
    size_t n;
};

struct task task_eval(const struct eval_job *);
struct task task_quantile(const struct quantile_job *);
struct task task_random(const struct random_job *);
struct task task_mode(const struct mode_job *);
struct task task_loglik(const struct loglik_job *);
struct task task_score(const struct score_job *);
struct task task_approximate(const struct approximate_job *);
struct task task_logliks(const struct logliks_job *);

/* Runs one slice on an open session; returns 0 or the code in *st. */
int task_slice(const struct task *, const struct backend *, struct session *, struct slice *,
               struct status *);

/* Runs the whole task in slices of about `seconds`. */
int task_run(const struct task *, const struct backend *, struct session *, double seconds,
             struct status *);

#endif
