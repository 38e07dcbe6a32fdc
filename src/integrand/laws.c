/* Builds the interpolants of the laws within an integrand, and computes values of these laws. */
#include "program.h"
#include "../interpolant/build.h"
#include "../run/columns.h"
#include "../run/element.h"
#include "../base/parallel.h"
#include "../base/memory.h"

/* One use of a law.  interpolant: NULL if the law has none. */
struct law_built {
    struct user_law law;
    struct interpolant *interpolant;
    int what, lower, give_log;
};

struct laws_built {
    int count;
    struct law_built use[];
};

int laws_build(const struct program *p, const double *pool, struct laws_built **built, struct status *st)
{
    struct shape_pool shape_pool = { { NULL, NULL }, 0 };
    int missing;

    *built = NULL;
    if (!p->laws) return ST_OK;
    struct laws_built *all = memory_zeroed(1, sizeof *all + (size_t)p->laws * sizeof all->use[0]);
    if (!all) return fail(st, ST_MEMORY, "no memory for %d distributions", p->laws);
    missing = !shape_pool_reserve(&shape_pool, threads_limit());
    all->count = p->laws;
    for (int k = 0; k < p->laws && !missing; k++) {
        const struct law_use *use = &p->law[k];
        const int *at = use->constant;
        struct law_built *u = &all->use[k];
        u->what = use->what;
        u->lower = use->lower;
        u->give_log = use->give_log;
        u->law.pm = use->pm;
        if (at[0] < 0) continue;
        u->law.alpha = pool[at[0]];
        u->law.beta = pool[at[1]];
        u->law.gamma = pool[at[2]];
        u->law.delta = pool[at[3]];
        if (!is_interpolated_law(&u->law)) continue;
        u->interpolant = interpolant_new(&shape_pool, u->law.alpha, u->law.beta);
        missing = !u->interpolant;
    }
    shape_pool_free(&shape_pool);
    *built = all;
    return missing ? fail(st, ST_MEMORY, "no memory for the interpolant of a distribution") : ST_OK;
}

void laws_free(struct laws_built *all)
{
    for (int k = 0; all && k < all->count; k++) interpolant_free(all->use[k].interpolant);
    memory_release(all);
}

struct worker *laws_worker(void)
{
    struct worker *w = memory_zeroed(1, sizeof *w);
    if (w) w->shape = shape_new();
    if (w && w->shape) return w;
    memory_release(w);
    return NULL;
}

void laws_worker_free(struct worker *w)
{
    if (w) worker_clear(w);
    memory_release(w);
}

void laws_values(const struct laws_built *all, int k, struct worker *w, const double *x, const struct column *parameter,
                 int from, int to, double *y)
{
    const struct law_built *u = &all->use[k];
    struct element_job job = {
        .quantity = JOB_VALUES, .n = BLOCK, .x = { x, BLOCK },
        .laws = { parameter[0], parameter[1], parameter[2], parameter[3], u->law.pm }, .give_log = u->give_log
    };
    struct evaluation e = { &job, u->law, u->interpolant, NULL };

    job.out[u->what == WANT_PDF ? OUT_PDF : u->lower ? OUT_CDF : OUT_SF] = y;
    values_range(&e, w, (size_t)from, (size_t)to);
}
