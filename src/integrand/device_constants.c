/* Builds one buffer of doubles: the heads of the tables (integrand/lookup.h), the heads of the laws
 * (interpolant/packed.h), the columns of the tables, and the buffers of the packed interpolants. */
#include <math.h>
#include <string.h>
#include "device_constants.h"
#include "../interpolant/quantile_interpolant.h"
#include "../run/interpolable.h"
#include "../base/threads.h"
#include "../base/memory.h"
#include "../interpolant/pack.h"

int device_constants_has_shape(const struct law_use *u)
{
    return u->operand[0] < 0 && u->operand[1] < 0;
}

int device_constants_head(const struct program *p, int law)
{
    return p->tables * TABLE_HEAD + law * LAW_HEAD;
}

/* --- tables ---------------------------------------------------------------------------- */

static size_t columns_of(const struct table *t, const double *column[5], size_t length[5])
{
    const double *all[5] = { t->x, t->y, t->b, t->c, t->d };
    size_t sum = 0;
    for (int k = 0; k < 5; k++) {
        int is_there = k == 1 || (k == 0 && t->kind != TABLE_INDEX) || (k > 1 && t->kind == TABLE_SPLINE);
        column[k] = all[k];
        length[k] = is_there && all[k] ? (size_t)t->n : 0;
        sum += length[k];
    }
    return sum;
}

/* Writes table number k, whose columns begin at `at`.  Returns the index after its last column. */
static size_t write_table(const struct table *t, int k, double *all, size_t at)
{
    const double head[7] = { t->kind, t->n, t->left, t->right, t->share, t->periodic, t->natural };
    const double *column[5];
    size_t length[5];

    memcpy(all + k * TABLE_HEAD, head, sizeof head);
    columns_of(t, column, length);
    for (int c = 0; c < 5; c++) {
        all[k * TABLE_HEAD + 7 + c] = (double)at;
        if (length[c]) memcpy(all + at, column[c], length[c] * sizeof *all);
        at += length[c];
    }
    return at;
}

/* --- laws ------------------------------------------------------------------------------ */

/* A law before it is written.  interpolant: NULL if the law has none. */
struct draft {
    struct law_head head;
    struct interpolant *interpolant;
};

/* Returns the law with gamma = 1 and delta = 0 if these differ from point to point.  If alpha or beta differ, they are
 * NaN, and the law has no interpolant. */
static struct user_law law_of(const struct law_use *u, const double *slot)
{
    double value[4] = { NAN, NAN, 1.0, 0.0 };
    for (int k = 0; k < 4; k++) if (u->operand[k] < 0) value[k] = slot[~u->operand[k]];
    struct user_law l = { value[0], value[1], value[2], value[3], u->pm };
    return l;
}

/* Computes the mode and the interpolant that a law needs, and fills in its head.  Returns 0 if memory is short. */
static int draw(struct draft *d, struct shape_pool *shape_pool, const struct law_use *u, const double *slot)
{
    struct user_law l = law_of(u, slot);

    if (user_needs_mode(&l)) {
        shape_pool_set(shape_pool, l.alpha, l.beta);
        d->head.mode = shape_mode_place(shape_pool->shape[0]);
    }
    if (!is_interpolated_law(&l)) return 1;
    d->interpolant = interpolant_new(shape_pool, l.alpha, l.beta);
    if (!d->interpolant) return 0;
    d->head.packed = packed_of(d->interpolant, &l);
    if (u->operand[2] >= 0 || u->operand[3] >= 0) d->head.packed.gamma = NAN;
    return 1;
}

/* Returns the first even index from `at` on, where the pairs of coefficients of a law may begin. */
static size_t start_of(size_t at)
{
    return at + at % 2;
}

static size_t doubles_of(const struct draft *d)
{
    return d->interpolant ? (packed_size(&d->head.packed) + sizeof(double) - 1) / sizeof(double) : 0;
}

/* Writes the head of a law to `head` and its buffer to the first even index from `at` on.  Returns the index after the
 * buffer. */
static size_t write_law(struct draft *d, double *all, int head, size_t at)
{
    size_t start = start_of(at);

    d->head.start = (int)start;
    memcpy(all + head, &d->head, sizeof d->head);
    if (d->interpolant) packed_write(d->interpolant, &d->head.packed, all + start);
    return start + doubles_of(d);
}

/* --- both ------------------------------------------------------------------------------ */

static size_t size_of(const struct program *p, const struct draft *law)
{
    const double *column[5];
    size_t length[5], at = (size_t)device_constants_head(p, p->laws);

    for (int k = 0; k < p->tables; k++) at += columns_of(&p->table[k], column, length);
    for (int k = 0; k < p->laws; k++) at = start_of(at) + doubles_of(&law[k]);
    return at + 1;
}

static double *write_all(const struct program *p, struct draft *law, size_t size)
{
    double *all = memory_zeroed(size, sizeof *all);
    size_t at = (size_t)device_constants_head(p, p->laws);

    for (int k = 0; all && k < p->tables; k++) at = write_table(&p->table[k], k, all, at);
    for (int k = 0; all && k < p->laws; k++) at = write_law(&law[k], all, device_constants_head(p, k), at);
    return all;
}

int device_constants_build(const struct program *p, const double *slot, double **buffer, size_t *size,
                           struct status *st)
{
    struct shape_pool shape_pool = { { NULL, NULL }, 0 };
    struct draft *law = memory_zeroed((size_t)p->laws + 1, sizeof *law);
    int complete = law && (!p->laws || shape_pool_reserve(&shape_pool, threads_limit()));

    *buffer = NULL;
    for (int k = 0; complete && k < p->laws; k++) complete = draw(&law[k], &shape_pool, &p->law[k], slot);
    if (complete) {
        *size = size_of(p, law);
        *buffer = write_all(p, law, *size);
    }
    for (int k = 0; law && k < p->laws; k++) interpolant_free(law[k].interpolant);
    memory_release(law);
    shape_pool_free(&shape_pool);
    return *buffer ? ST_OK : fail(st, ST_MEMORY, "no memory for the constants of a device");
}
