#include "task.h"

struct task task_eval(const struct eval_job *job)
{
    struct task t = { TASK_EVAL, job, &job->laws, job->n };
    return t;
}

struct task task_quantile(const struct quantile_job *job)
{
    struct task t = { TASK_QUANTILE, job, &job->laws, job->n };
    return t;
}

struct task task_random(const struct random_job *job)
{
    struct task t = { TASK_RANDOM, job, &job->laws, job->n };
    return t;
}

struct task task_mode(const struct mode_job *job)
{
    struct task t = { TASK_MODE, job, &job->laws, job->n };
    return t;
}

struct task task_loglik(const struct loglik_job *job)
{
    struct task t = { TASK_LOGLIK, job, &job->laws, job->n };
    return t;
}

struct task task_score(const struct score_job *job)
{
    struct task t = { TASK_SCORE, job, &job->laws, job->n };
    return t;
}

struct task task_approximate(const struct approximate_job *job)
{
    struct task t = { TASK_APPROXIMATE, job, &job->laws, job->n };
    return t;
}

struct task task_logliks(const struct logliks_job *job)
{
    struct task t = { TASK_LOGLIKS, job, &job->laws, job->n };
    return t;
}

int task_slice(const struct task *t, const struct backend *b, struct session *s,
               struct slice *slice, struct status *st)
{
    switch (t->kind) {
    case TASK_EVAL:     return b->eval(s, t->job, slice, st);
    case TASK_QUANTILE: return b->quantile(s, t->job, slice, st);
    case TASK_RANDOM:   return b->random(s, t->job, slice, st);
    case TASK_MODE:     return b->mode(s, t->job, slice, st);
    case TASK_LOGLIK:   return b->loglik(s, t->job, slice, st);
    case TASK_SCORE:    return b->score(s, t->job, slice, st);
    case TASK_APPROXIMATE:    return b->approximate(s, t->job, slice, st);
    case TASK_LOGLIKS:  return b->logliks(s, t->job, slice, st);
    }
    return fail(st, ST_UNSUPPORTED, "unknown job");
}

int task_run(const struct task *t, const struct backend *b, struct session *s, double seconds,
             struct status *st)
{
    struct slice slice = { 0, seconds, 0, 0 };

    while (slice.first < t->n) {
        slice.done = 0;
        if (task_slice(t, b, s, &slice, st)) return st->code;
        slice.first += slice.done;
    }
    return ST_OK;
}
