/* The table of functions declared in inst/include/stablecl.h, for the compiled code of other packages and for programs
 * without R.
 *
 * An evaluator is a single-threaded context (run/cpu.h): it belongs to one thread and does not call R.
 */
#define STABLECL_WITHOUT_R
#include "../../inst/include/stablecl.h"
#include "cpu.h"
#include "../base/memory.h"

struct stablecl {
    struct context *context;
    struct status status;
};

static void api_close(struct stablecl *s)
{
    if (!s) return;
    context_free(s->context);
    memory_release(s);
}

static struct stablecl *api_open(void)
{
    struct stablecl *s = memory_zeroed(1, sizeof *s);
    if (!s) return NULL;
    s->context = context_new();
    if (s->context) return s;
    api_close(s);
    return NULL;
}

static const char *api_message(const struct stablecl *s)
{
    return s->status.message;
}

/* Checks pm and the lengths of the parameters.  Values outside their domain are no failure. */
static int check(struct stablecl *s, const struct stablecl_laws *l)
{
    s->status.code = ST_OK;
    if (l->pm < 0 || l->pm > 2) {
        fail(&s->status, ST_UNSUPPORTED, "pm must be 0, 1 or 2, not %d", l->pm);
        return STABLECL_ARGUMENT;
    }
    if (!l->alpha.length || !l->beta.length || !l->gamma.length || !l->delta.length) {
        fail(&s->status, ST_UNSUPPORTED, "alpha, beta, gamma or delta has length 0: each must have at least one value");
        return STABLECL_ARGUMENT;
    }
    return STABLECL_OK;
}

static struct column column_from(struct stablecl_column c)
{
    struct column column = { c.at, c.length };
    return column;
}

static struct laws laws_from(const struct stablecl_laws *l)
{
    struct laws laws = {
        column_from(l->alpha), column_from(l->beta), column_from(l->gamma), column_from(l->delta), l->pm
    };
    return laws;
}

/* Runs a job of n elements at x for checked arguments.  A job that check() accepts can only fail for lack of memory. */
static int run(struct stablecl *s, const struct stablecl_laws *l, struct element_job *job, size_t n, const double *x)
{
    int wrong = check(s, l);
    if (wrong || n == 0) return wrong;
    job->n = n;
    job->x.at = x;
    job->x.length = x ? n : 0;
    job->laws = laws_from(l);
    return context_run(s->context, job, &s->status) ? STABLECL_MEMORY : STABLECL_OK;
}

static int api_density(struct stablecl *s, const struct stablecl_laws *l, size_t n, const double *x, int give_log,
                       double *y)
{
    struct element_job job = { .quantity = JOB_VALUES, .give_log = give_log, .out = { [OUT_PDF] = y } };
    return run(s, l, &job, n, x);
}

static int api_distribution(struct stablecl *s, const struct stablecl_laws *l, size_t n, const double *x,
                            int lower_tail, int give_log, double *y)
{
    struct element_job job = { .quantity = JOB_VALUES, .give_log = give_log };
    job.out[lower_tail ? OUT_CDF : OUT_SF] = y;
    return run(s, l, &job, n, x);
}

static int api_quantile(struct stablecl *s, const struct stablecl_laws *l, size_t n, const double *p,
                        int lower_tail, int log_p, double *q)
{
    struct element_job job = { .quantity = JOB_QUANTILES, .lower = lower_tail, .give_log = log_p, .out = { q } };
    return run(s, l, &job, n, p);
}

static int api_score(struct stablecl *s, const struct stablecl_laws *l, size_t n, const double *x, double *score)
{
    struct element_job job = { .quantity = JOB_SCORES };
    for (size_t k = 0; k < OUTPUTS; k++) job.out[k] = score + k * n;
    return run(s, l, &job, n, x);
}

static int api_random(struct stablecl *s, const struct stablecl_laws *l, size_t n, uint64_t seed, uint64_t first,
                      double *y)
{
    struct element_job job = {
        .quantity = JOB_VARIATES, .key = { { (uint32)seed, (uint32)(seed >> 32) } }, .first = first, .out = { y }
    };
    return run(s, l, &job, n, NULL);
}

static const struct stablecl_api table = {
    STABLECL_API_VERSION, api_open, api_close, api_message, api_density, api_distribution, api_quantile, api_score,
    api_random
};

const struct stablecl_api *stablecl_api(int version)
{
    return version <= table.version ? &table : NULL;
}
