#include <math.h>
#include <stddef.h>
#include <string.h>
#include "tensor_approximation.h"
#include "build.h"
#include "coefficient_code.h"
#include "../base/memory.h"
#include "../base/parallel.h"

#define FAR_OFFSET 1e4                  /* larger offsets cancel more digits than the approximation has */

/* --- the tables ---------------------------------------------------------- */

static struct tables tables;
static unsigned tables_version;         /* incremented whenever tables are set */

void tables_set(const struct tables *t)
{
    const struct tables none = { 0 };
    tables = t ? *t : none;
    tables_version++;
}

const struct tables *tables_get(void)
{
    return tables.cell ? &tables : NULL;
}

/* States of a cell. */
enum { CODED, DECODED, DAMAGED };

int tables_decode(int cell)
{
    int *state = &tables.state[cell], now = ATOMIC_ACQUIRE(state);

    if (now != CODED) return now == DECODED;
    parallel_lock();
    if (ATOMIC_READ(state) == CODED) {
        now = DECODED;
        for (int k = 0; k < TABLE_PARTS; k++)
            if (!coefficients_read(&tables, &tables.part[k], cell)) now = DAMAGED;
        ATOMIC_RELEASE(state, now);
    }
    parallel_unlock();
    return ATOMIC_READ(state) == DECODED;
}

int tables_decode_all(void)
{
    int is_whole = 1;
    for (int k = 0; k < tables.cells; k++) is_whole &= tables_decode(k);
    return is_whole;
}

/* Returns the cell that contains (alpha, beta), beta >= 0, or NULL if none does. */
static const struct table_cell *cell_of(double alpha, double beta)
{
    for (int k = 0; k < tables.cells; k++) {
        const struct table_cell *c = &tables.cell[k];
        if (alpha >= c->alpha[0] && alpha <= c->alpha[1] && beta >= c->beta[0] && beta <= c->beta[1]) return c;
    }
    return NULL;
}

/* --- coordinates --------------------------------------------------------- */

/* Returns the coordinate r in [-1, 1] of a parameter value in `range`, linear in log(top - value), or in the
 * value if the range ends at `top`; *slope: dr/dvalue. */
static double coordinate(double value, const double range[2], double top, double *slope)
{
    if (range[1] >= top) {
        *slope = 2.0 / (range[1] - range[0]);
        return *slope * (value - 0.5 * (range[0] + range[1]));
    }
    double from = log(top - range[0]), to = log(top - range[1]), at = log(top - value);
    *slope = -2.0 / ((top - value) * (to - from));
    return (2.0 * at - from - to) / (to - from);
}

/* Computes T_k(r) and the derivatives T_k'(r) * slope for k < n, multiplied by `unit`. */
static void chebyshev(double r, double slope, double unit, int n, double *T, double *D)
{
    T[0] = unit;
    T[1] = unit * r;
    D[0] = 0.0;
    D[1] = unit * slope;
    for (int k = 2; k < n; k++) {
        T[k] = 2.0 * r * T[k - 1] - T[k - 2];
        D[k] = 2.0 * (slope * T[k - 1] + r * D[k - 1]) - D[k - 2];
    }
}

/* Sets log s, which is linear in r_alpha, plus log(1 + zeta^2)/(2 alpha) if y = z - zeta in the cell: in units
 * of (1 + zeta^2)^(1/(2 alpha)) the distribution near zeta depends little on beta. */
static void set_scale(struct approximation *k, const struct table_cell *cell, double r, double slope)
{
    double half = 0.5 * (cell->log_s[1] - cell->log_s[0]);
    double log_s = 0.5 * (cell->log_s[0] + cell->log_s[1]) + half * r, spread;
    k->log_s_alpha = half * slope;
    k->log_s_beta = 0.0;
    if (k->at_zeta) {
        struct zeta zeta = zeta_of(k->alpha, k->beta);
        double square = zeta.value * zeta.value, slope_spread = zeta.value / ((1.0 + square) * k->alpha);
        spread = log1p(square) / (2.0 * k->alpha);
        log_s += spread;
        k->log_s_alpha += slope_spread * zeta.alpha - spread / k->alpha;
        k->log_s_beta = slope_spread * zeta.beta;
    }
    k->s = exp(log_s);
}

/* --- contraction --------------------------------------------------------- */

/* Coefficients of T_t for log f and for its derivatives with respect to alpha and beta. */
struct coefficients { double value[TABLE_U], alpha[TABLE_U], beta[TABLE_U]; };

/* The inner loop has a fixed length of four, so that compilers vectorise it.  It converts and adds at once: gcc 12
 * would store the numbers from a loop of conversions as halves of the vectors that it reads next, which stalls
 * processors. */
LANE void add_coefficients(double *value, double *alpha, const double *w, const int *c, int fours)
{
    for (int t = 0; t < fours * TABLE_FOUR; t += TABLE_FOUR)
        for (int l = 0; l < TABLE_FOUR; l++) {
            double v = c[t + l];
            value[t + l] += w[0] * v;
            alpha[t + l] += w[1] * v;
        }
}

/* Sums over i, then over j. */
WIDE void contract(const struct tables *all, const struct table_piece *p, const struct approximation_weights *w,
                   struct coefficients *s)
{
    const unsigned char *terms = all->count + p->count, *count = terms + TABLE_BETA;
    const int *low = all->part[TABLE_PART_LOW].value + p->low, *high = all->part[TABLE_PART_HIGH].value + p->high;
    struct coefficients sum = { { 0.0 }, { 0.0 }, { 0.0 } };
    for (int j = 0; j < TABLE_BETA; j++) {
        double value[TABLE_U] = { 0.0 }, alpha[TABLE_U] = { 0.0 };
        for (int i = 0; i < terms[j]; i++, count++) {
            const double one[2] = { w->alpha[0][i], w->alpha[1][i] };
            const double high_one[2] = { TABLE_HIGH * one[0], TABLE_HIGH * one[1] };
            int fours = *count & 7, wide = *count >> 3;
            add_coefficients(value, alpha, one, low, fours);
            add_coefficients(value, alpha, high_one, high, wide);
            low += TABLE_FOUR * fours;
            high += TABLE_FOUR * wide;
        }
        if (!terms[j]) continue;
        const double here[2] = { w->beta[0][j], w->beta[1][j] };
        for (int t = 0; t < TABLE_U; t++) {
            sum.value[t] += here[0] * value[t];
            sum.alpha[t] += here[0] * alpha[t];
            sum.beta[t] += here[1] * value[t];
        }
    }
    *s = sum;
}

/* Converts coefficients of Chebyshev polynomials to coefficients of powers of t. */
WIDE void to_powers(double (*powers)[TABLE_U], const double *a, double *c)
{
    double sum[TABLE_U] = { 0.0 };
    for (int k = 0; k < TABLE_U; k++)
        for (int j = 0; j < TABLE_U; j++) sum[j] += a[k] * powers[k][j];
    memcpy(c, sum, sizeof sum);
}

/* Returns dt/du on a piece; the pieces of a base interval have equal widths. */
static double slope_of(const struct approximation *k, int piece)
{
    int b = k->bases - 1;
    while (k->base[b].piece - k->piece_0 > piece) b--;
    return 2.0 * k->inv_width * (1 << k->base[b].cut);
}

void approximation_build(struct approximation *k, int piece)
{
    struct approximation_piece *y = &k->piece[piece];
    struct coefficients s;
    double slope = slope_of(k, piece);

    contract(tables_get(), &k->entry[piece], &k->weights, &s);
    to_powers(k->powers, s.value, y->c[APPROXIMATION_VALUE]);
    to_powers(k->powers, s.alpha, y->c[APPROXIMATION_ALPHA]);
    to_powers(k->powers, s.beta, y->c[APPROXIMATION_BETA]);
    y->c[APPROXIMATION_U][TABLE_U - 1] = 0.0;
    for (int j = 1; j < TABLE_U; j++) y->c[APPROXIMATION_U][j - 1] = slope * j * y->c[APPROXIMATION_VALUE][j];
    k->is_ready[piece] = 1;
}

/* Allocates the pieces of all base intervals and marks them as not built. */
static int allocate_pieces(struct approximation *k)
{
    if (k->pieces > k->capacity) {
        memory_release(k->piece);
        k->piece = memory_allocate((size_t)k->pieces * (sizeof *k->piece + 1));
        k->capacity = k->piece ? k->pieces : 0;
        k->is_ready = (unsigned char *)(k->piece + k->capacity);
    }
    if (!k->capacity) return 0;
    memset(k->is_ready, 0, (size_t)k->pieces);
    return 1;
}

/* Sets everything that depends on the shape, and decodes the coefficients; returns 0 if the tables do not cover it. */
static int set_shape(struct approximation *k, double alpha, double beta)
{
    const struct tables *all = tables_get();
    const struct table_cell *cell = cell_of(alpha, beta);
    const struct table_base *last;
    double slope, r;
    if (!cell || !tables_decode((int)(cell - all->cell))) return 0;
    k->alpha = alpha;
    k->beta = beta;
    k->tables = tables_version;
    k->at_zeta = cell->at_zeta != 0.0;
    k->inv_width = 1.0 / cell->width;
    k->first = (int)cell->first;
    k->bases = (int)cell->bases;
    k->base = all->base + (int)cell->start;
    k->piece_0 = k->base[0].piece;
    k->entry = all->piece + k->piece_0;
    last = &k->base[k->bases - 1];
    k->pieces = last->piece + (1 << last->cut) - k->piece_0;
    r = coordinate(beta, cell->beta, 1.0, &slope);
    chebyshev(r, slope, TABLE_STEP, TABLE_BETA, k->weights.beta[0], k->weights.beta[1]);
    r = coordinate(alpha, cell->alpha, 2.0, &slope);
    chebyshev(r, slope, 1.0, TABLE_ALPHA, k->weights.alpha[0], k->weights.alpha[1]);
    set_scale(k, cell, r, slope);
    return 1;
}

/* TRUE if tensor approximations support the law. */
static int is_supported(const struct user_law *l)
{
    if (l->pm == 2 || !user_is_proper(l)) return 0;
    return l->pm == 0 || (l->alpha != 1.0 && fabs(zeta_of(l->alpha, l->beta).value) < FAR_OFFSET);
}

int approximation_set_shape(struct approximation *k, const struct user_law *l)
{
    return is_supported(l) && set_shape(k, l->alpha, fabs(l->beta));
}

struct approximation *approximation_for(struct approximation *k, const struct user_law *l)
{
    if (k->capacity && k->tables == tables_version && k->alpha == l->alpha && k->beta == fabs(l->beta))
        return is_supported(l) ? k : NULL;
    if (!approximation_set_shape(k, l)) return NULL;
    if (!allocate_pieces(k)) return NULL;
    if (k->powers[0][0] == 0.0) chebyshev_powers(TABLE_U, k->powers[0]);
    return k;
}

struct approximation *approximation_with_all_pieces(struct approximation *k, const struct user_law *l)
{
    if (!approximation_for(k, l)) return NULL;
    for (int i = 0; i < k->pieces; i++)
        if (k->entry[i].count >= 0 && !k->is_ready[i]) approximation_build(k, i);
    return k;
}

/* The offset is zeta if arguments are relative to zeta but y is not, and -zeta in the opposite case. */
struct approximation_frame approximation_frame_of(const struct approximation *k, const struct user_law *l)
{
    double sign = (l->pm == 1) - k->at_zeta;
    struct zeta zeta = { 0.0, 0.0, 0.0 };
    if (sign != 0.0) zeta = zeta_of(l->alpha, fabs(l->beta));
    struct approximation_frame f = {
        l->beta < 0.0 ? -1.0 : 1.0, l->delta, 1.0 / l->gamma, log(l->gamma),
        sign * zeta.value, sign * zeta.alpha, sign * zeta.beta,
        k->s, k->log_s_alpha, k->log_s_beta, k->inv_width, k->first, k->bases
    };
    return f;
}

/* Returns the piece that contains x, or the first or last piece if x lies outside. */
static int piece_near(const struct approximation *k, const struct approximation_frame *f, double x)
{
    double at = asinh(approximation_y(f, approximation_z(f, x)) / k->s) * k->inv_width - k->first, t;
    int base = at < k->bases ? at > 0.0 ? (int)at : 0 : k->bases - 1;
    double within = at < base ? 0.0 : at < base + 1 ? at - base : 1.0 - 0x1p-40;
    return k->base[base].piece + approximation_piece_index(within, k->base[base].cut, &t) - k->piece_0;
}

/* Includes one more piece at either end, as a margin for rounding. */
void approximation_range(const struct approximation *k, const struct approximation_frame *f, double minimum,
                         double maximum, int *first,
                         int *count)
{
    int a = piece_near(k, f, minimum), b = piece_near(k, f, maximum), low = a < b ? a : b, high = a < b ? b : a;
    *first = low > 0 ? low - 1 : 0;
    *count = (high < k->pieces - 1 ? high + 2 : k->pieces) - *first;
}

void approximation_free(struct approximation *k)
{
    memory_release(k->piece);
    memset(k, 0, sizeof *k);
}
