#include "laws.h"
#include "../run/interpolable.h"
#include "../run/interpolated.h"
#include "../run/ranges.h"
#include "../base/threads.h"
#include "../base/memory.h"

/* One use of a law: its chart, NULL where it has none. */
struct law_laid {
    struct user_law law;
    struct chart *chart;
    int what, lower, give_log;
};

struct laws_laid {
    int count;
    struct law_laid use[];
};

static struct eval_job job_of(const struct law_laid *u, const double *x, const struct column *parameter, double *y)
{
    struct laws laws = { parameter[0], parameter[1], parameter[2], parameter[3], u->law.pm };
    struct eval_job job = { BLOCK, { x, BLOCK }, laws, u->give_log, NULL, NULL, NULL, NULL };
    if (u->what == WANT_PDF) job.pdf = y;
    else if (u->lower) job.cdf = y;
    else job.sf = y;
    return job;
}

int laws_lay(const struct program *p, const double *slot, struct laws_laid **laid, struct status *st)
{
    struct crew crew = { { NULL, NULL }, 0 };
    int missing;

    *laid = NULL;
    if (!p->laws) return ST_OK;
    struct laws_laid *all = memory_zeroed(1, sizeof *all + (size_t)p->laws * sizeof all->use[0]);
    if (!all) return fail(st, ST_MEMORY, "no memory for %d laws", p->laws);
    missing = !crew_hire(&crew, threads_limit());
    all->count = p->laws;
    for (int k = 0; k < p->laws && !missing; k++) {
        const struct law_use *use = &p->law[k];
        const int *at = use->slot;
        struct law_laid *u = &all->use[k];
        u->what = use->what;
        u->lower = use->lower;
        u->give_log = use->give_log;
        u->law.pm = use->pm;
        if (at[0] < 0) continue;
        u->law.alpha = slot[at[0]];
        u->law.beta = slot[at[1]];
        u->law.gamma = slot[at[2]];
        u->law.delta = slot[at[3]];
        if (!is_charted_law(&u->law)) continue;
        u->chart = chart_new(&crew, u->law.alpha, u->law.beta);
        missing = !u->chart;
    }
    crew_free(&crew);
    *laid = all;
    return missing ? fail(st, ST_MEMORY, "no memory for the chart of a law") : ST_OK;
}

void laws_free(struct laws_laid *all)
{
    for (int k = 0; all && k < all->count; k++) chart_free(all->use[k].chart);
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

void laws_values(const struct laws_laid *all, int k, struct worker *w, const double *x, const struct column *parameter,
                 int from, int to, double *y)
{
    const struct law_laid *u = &all->use[k];
    struct eval_job job = job_of(u, x, parameter, y);
    struct charted_job charted = { &job, u->law, u->chart };

    if (u->chart) charted_range(&charted, w, (size_t)from, (size_t)to);
    else eval_range(&job, w, (size_t)from, (size_t)to);
}
