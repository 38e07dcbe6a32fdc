/* Builds the interpolant of one shape.
 *
 * Each binade is built independently.  A piece is interpolated from exact values at the zeros of the Chebyshev
 * polynomial T_12 and checked at points between them; if any piece of a binade fails the check, the binade is
 * divided into more pieces.  A side ends where the tail falls below INTERPOLANT_TAIL, or at the first binade that
 * fails even with 2^MAX_CUT pieces or whose density underflows, if little probability lies beyond it; otherwise the
 * side begins after that binade.
 *
 * The centre is zeta for alpha < 1, where the density has exponent_of_s on all scales down to that of its (asymptotic)
 * Taylor series at zeta, and 0 otherwise.  The density of a one-sided distribution vanishes at zeta faster than any
 * power: its interpolant begins where log f can be approximated.
 */
#include <math.h>
#include <string.h>
#include "build.h"
#include "../base/parallel.h"
#include "../base/memory.h"

#define INTERPOLANT_ERROR 4e-14            /* on the log scale (stable/value.h): 1e-12 for the values on a side */
#define INTERPOLANT_TAIL  1e-8
#define LOG_LOWEST  (-690.0)            /* smallest log f on a side */
#define LOG_HIGHEST 600.0
#define FIRST_CUT   1                   /* initially 2^1 pieces per binade: most need 2 or 4 */
#define MAX_CUT     6                   /* at most 2^6 pieces per binade */
#define MAX_BINADES 1200
#define FAR_ZETA    8.0                 /* largest |zeta| used as the centre; beyond it the bulk of the
                                           distribution is elsewhere */
#define FINEST      (-900)              /* smallest exponent of s */
#define GAP_PROBABILITY 0.02            /* smallest probability beyond a gap for which the side continues */
#define MAX_SKIPPED 80                  /* largest number of binades omitted near the centre */
#define LOG_2       0.69314718055994530942
#define PARALLEL_NODE_SETS 32           /* node sets built per binade above which several threads are used */

#define NOT_BUILT (-1)                  /* not possible, or not tried */
#define OUT_OF_MEMORY (-2)

/* One binade. */
struct binade {
    int cut;                            /* 2^cut pieces if cut >= 0; else NOT_BUILT or OUT_OF_MEMORY */
    double *pdf, *tail;                 /* coefficients of the pieces: of log f and of the log tail */
    unsigned char *upper;
};

/* A side under construction. */
struct new_side {
    const struct interpolant *interpolant;
    double sign;                        /* of x - centre */
    int count;                          /* number of binades that begin where the tail is at least INTERPOLANT_TAIL */
    int end;                            /* index of the first binade that is not needed; atomic */
    double *rest;                       /* tail probability beyond the lower end of each binade */
    struct binade *binade;
    int lacks_memory;                   /* whether memory was short */
};

/* Both sides; the job of build_binade(). */
struct construction { struct new_side side[2]; struct transform transform; };

/* Evaluates the distribution at w.  If the centre is zeta, the argument is the distance from zeta itself, which
 * avoids the subtraction. */
static void value_at(const struct new_side *d, struct shape *shape, double w, struct stable_value *v)
{
    struct argument x = { d->sign * (w - d->interpolant->s), 0.0, d->interpolant->at_zeta };
    shape_eval(shape, x, v);
}

static double log_tail(const struct stable_value *v, int upper)
{
    return value_cdf(v, !upper, 1);
}

/* TRUE if the interpolated value differs from the exact one by more than INTERPOLANT_ERROR. */
static int exceeds_error(double interpolated, double exact)
{
    double size = fabs(exact) > 1.0 ? fabs(exact) : 1.0;
    return !(fabs(interpolated - exact) <= INTERPOLANT_ERROR * size);
}

/* Builds piece number i of a binade on [left, left + width); returns 0 if it fails the check. */
static int build_piece(const struct new_side *d, struct shape *shape, const struct transform *m, struct binade *b,
                       int i, double left, double width)
{
    double pdf[INTERPOLANT_TERMS], tail[INTERPOLANT_TERMS];
    struct stable_value at[INTERPOLANT_TERMS], v;
    for (int k = 0; k < INTERPOLANT_TERMS; k++) value_at(d, shape, left + 0.5 * (1.0 + m->node[k]) * width, &at[k]);
    int upper = at[INTERPOLANT_TERMS / 2].upper;
    for (int k = 0; k < INTERPOLANT_TERMS; k++) {
        pdf[k] = value_pdf(&at[k], 1);
        tail[k] = log_tail(&at[k], upper);
        if (!(pdf[k] > LOG_LOWEST && pdf[k] < LOG_HIGHEST && tail[k] > LOG_LOWEST)) return 0;
    }
    double *c = b->pdf + (size_t)i * INTERPOLANT_TERMS, *e = b->tail + (size_t)i * INTERPOLANT_TERMS;
    transform_apply(m, pdf, c);
    transform_apply(m, tail, e);
    b->upper[i] = (unsigned char)upper;
    for (int k = 0; k < CHECKS; k++) {
        value_at(d, shape, left + 0.5 * (1.0 + check_at[k]) * width, &v);
        if (exceeds_error(interpolant_value(c, check_at[k]), value_pdf(&v, 1))) return 0;
        if (exceeds_error(interpolant_value(e, check_at[k]), log_tail(&v, upper))) return 0;
    }
    return 1;
}

static void binade_clear(struct binade *b)
{
    memory_release(b->pdf);
    memory_release(b->tail);
    memory_release(b->upper);
    b->pdf = b->tail = NULL;
    b->upper = NULL;
}

/* Allocates 2^cut pieces; returns 0 if memory is short. */
static int binade_allocate(struct binade *b, int cut)
{
    size_t pieces = (size_t)1 << cut, bytes = pieces * INTERPOLANT_TERMS * sizeof(double);
    binade_clear(b);
    b->pdf = memory_allocate(bytes);
    b->tail = memory_allocate(bytes);
    b->upper = memory_allocate(pieces);
    return b->pdf && b->tail && b->upper;
}

/* TRUE if the side ends at binade k when that binade cannot be approximated. */
static int ends_at(const struct new_side *d, int k)
{
    return d->rest[k] <= GAP_PROBABILITY || k >= MAX_SKIPPED;
}

/* Builds the binade that begins at `left`. */
static void build_pieces(const struct new_side *d, struct shape *shape, const struct transform *m, struct binade *b,
                         double left)
{
    for (int cut = FIRST_CUT; cut <= MAX_CUT; cut++) {
        int i = 0, pieces = 1 << cut;
        if (!binade_allocate(b, cut)) {
            b->cut = OUT_OF_MEMORY;
            return;
        }
        while (i < pieces && build_piece(d, shape, m, b, i, left + i * (left / pieces), left / pieces)) i++;
        if (i < pieces) continue;
        b->cut = cut;
        return;
    }
    binade_clear(b);
}

/* Tasks 2 k and 2 k + 1 build binade k of the right and of the left side.  A thread that reads an outdated end only
 * builds a binade too many. */
static void build_binade(void *job, struct shape *shape, int task)
{
    struct construction *w = job;
    struct new_side *d = &w->side[task & 1];
    int k = task >> 1;
    if (k >= d->count || k >= ATOMIC_READ(&d->end)) return;
    build_pieces(d, shape, &w->transform, &d->binade[k], ldexp(d->interpolant->s, k));
    if (d->binade[k].cut < 0 && ends_at(d, k)) ATOMIC_WRITE(&d->end, k);
}

/* Returns the tail probability beyond w, or 1 if w lies on the near side of the median. */
static double tail_beyond(const struct new_side *d, struct shape *shape, double w)
{
    struct stable_value v;
    value_at(d, shape, w, &v);
    return v.upper == (d->sign > 0.0) ? v.tail * exp(v.tail_scale) : 1.0;
}

/* Starts the construction of side k: determines its binades and the tail probabilities beyond them. */
static void new_side_init(struct new_side *d, struct shape *shape, const struct interpolant *c, int k)
{
    memset(d, 0, sizeof *d);
    d->interpolant = c;
    d->sign = k ? -1.0 : 1.0;
    d->rest = memory_allocate(MAX_BINADES * sizeof *d->rest);
    d->binade = memory_zeroed(MAX_BINADES, sizeof *d->binade);
    d->lacks_memory = !d->rest || !d->binade;
    for (double w = c->s; !d->lacks_memory && d->count < MAX_BINADES && w < 1e300; w *= 2.0, d->count++) {
        d->rest[d->count] = tail_beyond(d, shape, w);
        d->binade[d->count].cut = NOT_BUILT;
        if (d->rest[d->count] < INTERPOLANT_TAIL) break;
    }
    d->end = d->count;
}

/* Frees the binades of a side under construction. */
static void new_side_free(struct new_side *d)
{
    for (int k = 0; d->binade && k < d->count; k++) binade_clear(&d->binade[k]);
    memory_release(d->binade);
    memory_release(d->rest);
}

/* Determines the binades first, ..., end - 1 that the side keeps; returns 0 if memory was short. */
static int find_ends(const struct new_side *d, int *first, int *end)
{
    *first = 0;
    for (*end = 0; *end < d->count; ++*end) {
        if (d->binade[*end].cut == OUT_OF_MEMORY) return 0;
        if (d->binade[*end].cut >= 0) continue;
        if (ends_at(d, *end)) return 1;
        *first = *end + 1;
    }
    return 1;
}

/* Copies the binades into a side of the interpolant; returns 0 if memory is short. */
static int copy_to_side(struct interpolant *c, int which, const struct new_side *d)
{
    struct interpolant_side *side = &c->side[which];
    int first, end, exponent, pieces = 0;
    if (!find_ends(d, &first, &end)) return 0;
    for (int k = first; k < end; k++) pieces += 1 << d->binade[k].cut;
    size_t binades = (size_t)(end - first), n = (size_t)pieces, terms = n * INTERPOLANT_TERMS;
    int *start = memory_allocate((binades + 1) * sizeof *start);
    int *shift = memory_allocate((binades + 1) * sizeof *shift);
    double *pdf = memory_allocate((terms + 1) * sizeof *pdf), *tail = memory_allocate((terms + 1) * sizeof *tail);
    unsigned char *upper = memory_allocate(n + 1);
    frexp(c->s, &exponent);
    *side = (struct interpolant_side) { exponent + 1022 + first, end - first, start, shift, pdf, tail, upper };
    if (!start || !shift || !pdf || !tail || !upper) return 0;
    for (int k = first, at = 0; k < end; k++) {
        const struct binade *b = &d->binade[k];
        size_t count = (size_t)1 << b->cut, offset = (size_t)at * INTERPOLANT_TERMS;
        start[k - first] = at;
        shift[k - first] = b->cut;
        memcpy(pdf + offset, b->pdf, count * INTERPOLANT_TERMS * sizeof *pdf);
        memcpy(tail + offset, b->tail, count * INTERPOLANT_TERMS * sizeof *tail);
        memcpy(upper + at, b->upper, count);
        at += 1 << b->cut;
    }
    c->bytes += n * (2 * INTERPOLANT_TERMS * sizeof(double) + 1) + 2 * binades * sizeof(int);
    return 1;
}

/* Builds both sides.  The cost of their first binades decides whether the remaining ones use several threads. */
static int build_sides(struct interpolant *c, struct shape_pool *shape_pool)
{
    struct construction w;
    int maximum, is_complete = 1;
    transform_set(&w.transform);
    for (int k = 0; k < 2; k++) new_side_init(&w.side[k], shape_pool->shape[0], c, k);
    maximum = w.side[0].count > w.side[1].count ? w.side[0].count : w.side[1].count;
    if (!w.side[0].lacks_memory && !w.side[1].lacks_memory && maximum > 0) {
        long before = shape_built(shape_pool->shape[0]);
        shape_pool_run(shape_pool, build_binade, &w, 0, 2, 0);
        shape_pool_run(shape_pool, build_binade, &w, 2, 2 * maximum,
                       shape_built(shape_pool->shape[0]) - before > 2 * PARALLEL_NODE_SETS);
    }
    for (int k = 0; k < 2; k++) {
        is_complete = is_complete && !w.side[k].lacks_memory && copy_to_side(c, k, &w.side[k]);
        new_side_free(&w.side[k]);
    }
    return is_complete;
}

/* Returns the exponent of s.  At zeta, for alpha < 1, the Taylor series of f has coefficients of the size
 * Gamma((k + 1)/alpha)/(k! pi alpha).  s is chosen such that a polynomial of degree 11 has a remainder of about
 * 1e-13 on (0, s/4), which interpolation at Chebyshev nodes divides by 2^23. */
static int exponent_of_s(const struct interpolant *c)
{
    double a = c->alpha, terms = INTERPOLANT_TERMS, size;
    if (!c->at_zeta) return 0;
    size = (log(1e-13) + (2.0 * terms - 1.0) * LOG_2 - lgamma((terms + 1.0) / a) + lgamma(1.0 / a)
            + lgamma(terms + 1.0)) / (terms * LOG_2) + 2.0;
    return size > 0.0 ? 0 : size < FINEST ? FINEST : (int)size;
}

static void set_centre(struct interpolant *c, const struct standard *law)
{
    struct double_double zeta = law->law.zeta, none = { 0.0, 0.0 };
    c->at_zeta = c->alpha < 1.0 && fabs(zeta.hi) < FAR_ZETA;
    c->centre[0] = c->at_zeta ? zeta : none;
    c->centre[1] = c->at_zeta ? none : dd_neg(zeta);
}

struct interpolant *interpolant_new(struct shape_pool *shape_pool, double alpha, double beta)
{
    struct interpolant *c = memory_zeroed(1, sizeof *c);
    if (!c) return NULL;
    shape_pool_set(shape_pool, alpha, beta);
    c->alpha = alpha;
    c->beta = beta;
    set_centre(c, shape_law(shape_pool->shape[0]));
    c->s = ldexp(1.0, exponent_of_s(c));
    c->bytes = sizeof *c;
    if (build_sides(c, shape_pool)) return c;
    for (int k = 0; k < 2; k++) interpolant_side_free(&c->side[k]);
    memory_release(c);
    return NULL;
}

void interpolant_side_free(struct interpolant_side *side)
{
    memory_release((void *)side->start);
    memory_release((void *)side->shift);
    memory_release((void *)side->pdf);
    memory_release((void *)side->tail);
    memory_release((void *)side->upper);
}

/* --- polynomials from values at Chebyshev nodes -------------------------------------- */

const double check_at[CHECKS] = { -0.99, -0.53, 0.02, 0.61, 0.995 };

void chebyshev_powers(int n, double *T)
{
    memset(T, 0, (size_t)n * (size_t)n * sizeof *T);
    T[0] = T[n + 1] = 1.0;
    for (int k = 2; k < n; k++)
        for (int j = 0; j <= k; j++)
            T[k * n + j] = (j ? 2.0 * T[(k - 1) * n + j - 1] : 0.0) - T[(k - 2) * n + j];
}

void transform_set(struct transform *m)
{
    chebyshev_powers(INTERPOLANT_TERMS, m->T[0]);
    for (int i = 0; i < INTERPOLANT_TERMS; i++) {
        double angle = PI * (i + 0.5) / INTERPOLANT_TERMS;
        m->node[i] = cos(angle);
        for (int k = 0; k < INTERPOLANT_TERMS; k++)
            m->cosine[k][i] = (k ? 2.0 : 1.0) / INTERPOLANT_TERMS * cos(k * angle);
    }
}

void transform_apply(const struct transform *m, const double *value, double *c)
{
    for (int j = 0; j < INTERPOLANT_TERMS; j++) c[j] = 0.0;
    for (int k = 0; k < INTERPOLANT_TERMS; k++) {
        double a = 0.0;
        for (int i = 0; i < INTERPOLANT_TERMS; i++) a += m->cosine[k][i] * value[i];
        for (int j = 0; j <= k; j++) c[j] += a * m->T[k][j];
    }
}

/* --- the format that devices read ---------------------------------------------------------------- */

int interpolant_pieces(const struct interpolant_side *s)
{
    int last = s->binades - 1;
    return last < 0 ? 0 : s->start[last] + (1 << s->shift[last]);
}

/* Returns the head of a packed interpolant with these sides. */
static struct packed head_of(const struct interpolant *c, const struct interpolant_side *side, const struct user_law *l)
{
    struct packed h = { .s = c->s, .centre = c->centre[user_frame(l, 0.0).shifted] };

    for (int k = 0; k < 2; k++) {
        h.pieces += interpolant_pieces(&side[k]);
        h.first[k] = side[k].first;
        h.binades[k] = side[k].binades;
    }
    packed_frame(&h, l);
    return h;
}

struct packed packed_of(const struct interpolant *c, const struct user_law *l)
{
    return head_of(c, c->side, l);
}

size_t packed_size(const struct packed *h)
{
    return (size_t)h->pieces * (2 * INTERPOLANT_TERMS * sizeof(double) + sizeof(int)) +
           (size_t)(h->binades[0] + h->binades[1]) * 2 * sizeof(int);
}

/* Writes the polynomials of a side in pairs of coefficients; `from`: number of its first piece in the buffer. */
static void write_pairs(const double *c, int pieces, const struct packed *h, int from, double *pairs)
{
    for (int i = 0; i < pieces; i++)
        for (int k = 0; k < INTERPOLANT_TERMS; k++) {
            size_t pair = (size_t)(k / 2) * (size_t)h->pieces + (size_t)(from + i);
            pairs[2 * pair + (size_t)(k % 2)] = c[(size_t)i * INTERPOLANT_TERMS + (size_t)k];
        }
}

/* Writes the binades of a side. */
static void write_binades(const struct interpolant_side *s, const struct packed *h, int left, int from, int *binade)
{
    binade += left ? 2 * h->binades[0] : 0;
    for (int i = 0; i < s->binades; i++) {
        binade[2 * i] = from + s->start[i];
        binade[2 * i + 1] = s->shift[i];
    }
}

void packed_write(const struct interpolant *c, const struct packed *h, void *buffer)
{
    double *pairs = buffer, *tails = pairs + INTERPOLANT_TERMS * h->pieces;
    int *binade = (int *)(tails + INTERPOLANT_TERMS * h->pieces);
    int *upper = binade + 2 * (h->binades[0] + h->binades[1]);

    for (int left = 0, from = 0; left < 2; left++) {
        const struct interpolant_side *s = &c->side[left];
        int pieces = interpolant_pieces(s);
        write_pairs(s->pdf, pieces, h, from, pairs);
        write_pairs(s->tail, pieces, h, from, tails);
        write_binades(s, h, left, from, binade);
        for (int i = 0; i < pieces; i++) upper[from + i] = s->upper[i];
        from += pieces;
    }
}

struct packed packed_quantiles_of(const struct interpolant *c, const struct user_law *l)
{
    return head_of(c, c->quantile_interpolant->side, l);
}

size_t packed_quantiles_size(const struct packed *h)
{
    return (size_t)h->pieces * INTERPOLANT_TERMS * sizeof(double) +
           (size_t)(h->binades[0] + h->binades[1]) * 2 * sizeof(int);
}

void packed_quantiles_write(const struct interpolant *c, const struct packed *h, void *buffer)
{
    double *pairs = buffer;
    int *binade = (int *)(pairs + INTERPOLANT_TERMS * h->pieces);

    for (int k = 0, from = 0; k < 2; k++) {
        const struct interpolant_side *s = &c->quantile_interpolant->side[k];
        write_pairs(s->pdf, interpolant_pieces(s), h, from, pairs);
        write_binades(s, h, k, from, binade);
        from += interpolant_pieces(s);
    }
}
