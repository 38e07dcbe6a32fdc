/* Sums over many samples, each with its own law.
 *
 * many_build contracts the tables to those pieces of the tensor approximation that the sample needs
 * (interpolant/tensor_approximation.h), with one work-group per request, or several if there are few requests.
 * many_sums evaluates log densities and scores and adds them up, with one work-group per part of a request.  Partial
 * sums are defined and added as in special/double_double.h, and the host adds the parts in their order, so that a sum
 * depends only on its request.
 */
#include "shared.h"
#include "rows_kernel.h"
#include "pieces_kernel.h"

/* --- tensor approximations -------------------------------------------------- */

#define BUILD_ITEMS 128
#define PIECES_AT_ONCE (BUILD_ITEMS / TABLE_U)  /* each contracts one piece, with one work-item per T_t */

/* The coefficients of one T_t: for log f, and for its derivatives with respect to alpha and beta. */
struct terms { double value, alpha, beta; };

/* The loop over terms waits for memory most of the time; four at once take a quarter less time (H200). */
static struct terms contract(__global const double *tables, struct device_tables at, int piece,
                             __local const struct approximation_weights *w, int t)
{
    __global const int *start = (__global const int *) tables + at.piece + 3 * piece;
    __global const int *low = (__global const int *) tables + at.low + start[1];
    __global const int *high = (__global const int *) tables + at.high + start[2];
    __global const uchar *count = (__global const uchar *) tables + at.count + start[0];
    __global const uchar *four = count + TABLE_BETA;
    struct terms sum = { 0.0, 0.0, 0.0 };
    for (int j = 0; j < TABLE_BETA; j++) {
        double value = 0.0, alpha = 0.0;
#pragma unroll 4
        for (int i = 0, terms = count[j]; i < terms; i++, four++) {
            int lows = TABLE_FOUR * (*four & 7), highs = TABLE_FOUR * (*four >> 3);
            double c = t < lows ? (double) low[t] : 0.0;
            if (t < highs) c += TABLE_HIGH * high[t];
            value += w->alpha[0][i] * c;
            alpha += w->alpha[1][i] * c;
            low += lows;
            high += highs;
        }
        sum.value += w->beta[0][j] * value;
        sum.alpha += w->beta[0][j] * alpha;
        sum.beta += w->beta[1][j] * value;
    }
    return sum;
}

/* Returns coefficient j of the powers of t. */
static double to_power(__global const double *powers, __local const double *a, int j)
{
    double sum = 0.0;
    for (int k = j; k < TABLE_U; k++) sum += a[k] * powers[k * TABLE_U + j];
    return sum;
}

/* Writes coefficient j of all polynomials; slope = dt/du. */
static void write_piece(__global const double *powers, __local const double *a, double slope, int j,
                        __global double *piece)
{
    double value = to_power(powers, a, j);
    piece[APPROXIMATION_VALUE * TABLE_U + j] = value;
    piece[APPROXIMATION_ALPHA * TABLE_U + j] = to_power(powers, a + TABLE_U, j);
    piece[APPROXIMATION_BETA * TABLE_U + j] = to_power(powers, a + 2 * TABLE_U, j);
    piece[APPROXIMATION_U * TABLE_U + (j > 0 ? j - 1 : TABLE_U - 1)] = slope * j * value;
}

/* Returns dt/du; the pieces of a base interval have equal widths. */
static double slope_of(__global const struct device_request *r, __global const int *base, int piece)
{
    int b = r->frame.bases - 1;
    while (b > 0 && base[2 * b] > piece) b--;
    return 2.0 * r->frame.inv_width * (1 << base[2 * b + 1]);
}

__kernel __attribute__((reqd_work_group_size(BUILD_ITEMS, 1, 1)))
void many_build(__global const struct device_request *request, int first, __global const double *tables,
                const struct device_tables at, __global double *approximations)
{
    __local struct approximation_weights w;
    __local double a[PIECES_AT_ONCE][3][TABLE_U];
    __global const struct device_request *r = request + first + get_group_id(0);
    __global const int *base = (__global const int *) tables + at.base + 2 * r->base;
    __global const int *entry = (__global const int *) tables + at.piece;
    int item = (int) get_local_id(0), part = item / TABLE_U, t = item % TABLE_U;

    if (item == 0) w = r->weights;
    barrier(CLK_LOCAL_MEM_FENCE);
    int stride = PIECES_AT_ONCE * (int) get_num_groups(1);
    for (int from = PIECES_AT_ONCE * (int) get_group_id(1); from < r->built; from += stride) {
        int piece = r->piece + from + part, is_there = from + part < r->built && entry[3 * piece] >= 0;
        if (is_there) {
            struct terms sum = contract(tables, at, piece, &w, t);
            a[part][0][t] = sum.value;
            a[part][1][t] = sum.alpha;
            a[part][2][t] = sum.beta;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        size_t at_piece = (size_t) (r->offset + from + part) * APPROXIMATION_POLYNOMIALS * TABLE_U;
        if (is_there) write_piece(tables, a[part][0], slope_of(r, base, piece), t, approximations + at_piece);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

/* --- sums from tensor approximations ---------------------------------------- */

/* Evaluates a polynomial of a piece at t. */
static double evaluate_piece(__global const double *piece, int polynomial, double t)
{
    double c[APPROXIMATION_TERMS];
    for (int k = 0; k < APPROXIMATION_TERMS; k++) c[k] = piece[polynomial * APPROXIMATION_TERMS + k];
    return approximation_value(c, t);
}

/* Computes log f and the scores at x. */
static void evaluate_row(const struct approximation_frame *f, __global const double *piece, double z, double y,
                         double root, double t, int only_value, double *row)
{
    row[0] = evaluate_piece(piece, APPROXIMATION_VALUE, t) - f->log_gamma;
    if (only_value) return;
    double in_u = evaluate_piece(piece, APPROXIMATION_U, t);
    double in_alpha = evaluate_piece(piece, APPROXIMATION_ALPHA, t);
    double in_beta = evaluate_piece(piece, APPROXIMATION_BETA, t);
    struct approximation_scores s = approximation_scores_at(f, z, y, root, in_u, in_alpha, in_beta);
    row[1] = s.alpha;
    row[2] = s.beta;
    row[3] = s.gamma;
    row[4] = s.delta;
}

__kernel __attribute__((reqd_work_group_size(PARTIAL_SUMS, 1, 1)))
void many_sums(__global const struct device_request *request, int first, __global const double *tables,
               const struct device_tables at, __global const double *approximations, __global const double *x,
               __global double *sums, int lists)
{
    __local double partial[PARTIAL_SUMS];
    __local int deferred_count;
    int part = (int) get_group_id(0), item = (int) get_local_id(0);
    __global const struct device_request *r = request + first + get_group_id(1);
    if (part >= r->parts) return;
    __global const int *base = (__global const int *) tables + at.base + 2 * r->base;
    __global const int *entry = (__global const int *) tables + at.piece;
    __global int *deferred = (__global int *) sums + lists;
    int group = r->part + part, end = min((part + 1) * MANY_PART, r->n);
    struct approximation_frame f = r->frame;
    double sum[APPROXIMATE_SUMS], row[APPROXIMATE_COLUMNS];

    if (item == 0) deferred_count = 0;
    for (int c = 0; c < APPROXIMATE_SUMS; c++) sum[c] = 0.0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = part * MANY_PART + item; i < end; i += PARTIAL_SUMS) {
        double z = approximation_z(&f, x[r->first + i]), y = approximation_y(&f, z);
        double root, t;
        int piece = piece_of(r, &f, base, entry, y, &root, &t);
        if (piece >= 0) {
            size_t at_piece = (size_t) (r->offset + piece) * APPROXIMATION_POLYNOMIALS * APPROXIMATION_TERMS;
            evaluate_row(&f, approximations + at_piece, z, y, f.s * root, t, r->only_value, row);
            add_row(row, 1.0, r->only_value, sum);
            continue;
        }
        int k = atomic_inc(&deferred_count);
        if (k < MANY_DEFERRED) deferred[group * (MANY_DEFERRED + 1) + 1 + k] = i;
    }
    reduce_rows(sum, r->only_value, partial, sums + group * APPROXIMATE_SUMS);
    if (item == 0) deferred[group * (MANY_DEFERRED + 1)] = deferred_count;
}
