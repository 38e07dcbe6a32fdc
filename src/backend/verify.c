#include <math.h>
#include "solo.h"
#include "verify.h"

#define TOLERANCE 1e-8                  /* of a term: where two pieces meet, rounding chooses */

static struct solo *solo;
static unsigned long seen[2];           /* samples of which sums, and exact sums, were looked at */

static int sums_here(const struct many_job *job, const struct many_request *q, double *sum, struct status *st)
{
    const struct column x = { job->x.at + q->first, q->n }, none = { NULL, 0 };
    const struct laws l = { { &q->alpha, 1 }, { &q->beta, 1 }, { &q->gamma, 1 }, { &q->delta, 1 }, q->pm };
    struct quick_job quick = { .n = q->n, .x = x, .laws = l, .only_value = q->only_value };
    struct loglik_job loglik = { q->n, q->n, x, none, l, 0, NULL };
    if (!solo) solo = solo_new();
    if (!solo) return fail(st, ST_MEMORY, "no memory to see to a device");
    return job->exactly ? solo_loglik(solo, &loglik, sum, st) : solo_quick(solo, &quick, sum, st);
}

/* Scores cancel in their sums, their products do not. */
static int is_right(const double *got, const double *right, int exactly, int only_value, double n)
{
    int count = exactly || only_value ? 1 : QUICK_SUMS, k = 0;
    while (k < count && (got[k] == right[k] || (isnan(got[k]) && isnan(right[k])) ||
                          fabs(got[k] - right[k]) <= TOLERANCE * (n + fabs(right[k])))) k++;
    return k == count;
}

int verify_many(const struct many_job *job, size_t first, struct status *st)
{
    double right[QUICK_SUMS];
    const double *got;
    size_t i = first;

    if (job->data == seen[job->exactly]) return ST_OK;
    while (!job->exactly && i < job->n && job->left[i * (MANY_LEFT + 1)] != 0) i++;
    if (i == job->n) return ST_OK;
    const struct many_request *q = &job->request[i];
    got = job->sum + i * (job->exactly ? 1 : QUICK_SUMS);
    if (sums_here(job, q, right, st)) return st->code;
    if (is_right(got, right, job->exactly, q->only_value, (double)q->n)) {
        seen[job->exactly] = job->data;
        return ST_OK;
    }
    return fail(st, ST_DEVICE, "gives wrong results: a sum of %.0f log densities, alpha = %g, beta = %g is %.17g, "
                "not %.17g", (double)q->n, q->alpha, q->beta, *got, *right);
}

void verify_unload(void)
{
    solo_free(solo);
    solo = NULL;
}
