/* Sums over blocks of elements (special/double_double.h).
 *
 * One work-group processes a block; each work-item computes one partial sum, and the partial sums are then added in
 * pairs.
 */
#include "arguments_kernel.h"
#include "rows_kernel.h"

/* Adds up the values that other kernels have written to `out`. */
__kernel __attribute__((reqd_work_group_size(PARTIAL_SUMS, 1, 1))) void sum_blocks(ARGUMENTS)
{
    __local struct double_double partial[PARTIAL_SUMS];
    int k = (int) get_local_id(0), block = (int) get_group_id(0);
    struct double_double sum = { 0.0, 0.0 };

    for (int j = k; j < SUM_BLOCK; j += PARTIAL_SUMS) {
        int i = block * SUM_BLOCK + j;
        if (i >= job.n) continue;
        double term = job.is_weighted ? weighted_term(weight[i * job.stride[5]], out[i]) : out[i];
        sum = compensated_add(sum, term);
    }
    sum = add_partial_sums(sum, partial);
    if (k > 0) return;
    sums[2 * block] = sum.hi;
    sums[2 * block + 1] = sum.lo;
}

/* --- log densities and scores of one law, computed from its tensor approximation (interpolant/approximation.h) ---
 *
 * Elements outside the approximation are listed in `index`, with their number in flags[FLAG_DEFERRED]; the host
 * evaluates them. */

/* Returns the piece that contains u and sets *t; -1 if none does. */
static int piece_at(const struct device_approximation *k, __global const int2 *base, double u, double *t)
{
    double within;
    int b = approximation_base(k->frame.inv_width, k->frame.first, k->frame.bases, u, &within);
    return b < 0 ? -1 : base[b].x + approximation_piece_index(within, base[b].y, t);
}

/* Evaluates a polynomial of a piece at t. */
static double evaluate_piece(__global const double2 *pairs, int pieces, int piece, int polynomial, double t)
{
    double c[APPROXIMATION_TERMS];
    for (int k = 0; k < APPROXIMATION_PAIRS; k++) {
        double2 pair = pairs[(polynomial * APPROXIMATION_PAIRS + k) * pieces + piece];
        c[2 * k] = pair.x;
        c[2 * k + 1] = pair.y;
    }
    return approximation_value(c, t);
}

/* Computes log f and the scores at x; returns 0 if x is outside the approximation. */
static int row_at(const struct device_approximation *k, __global const double *approximation, double x, double *row)
{
    __global const double2 *pairs = (__global const double2 *) approximation;
    __global const int2 *base = (__global const int2 *) (pairs +
                                                         APPROXIMATION_POLYNOMIALS * APPROXIMATION_PAIRS * k->pieces);
    __global const int *exists = (__global const int *) (base + k->frame.bases);
    double z = approximation_z(&k->frame, x), y = approximation_y(&k->frame, z);
    double a = fabs(y) / k->frame.s, r = sqrt(a * a + 1.0), t = 0.0;
    int piece = fabs(y) < 1e100 ? piece_at(k, base, copysign(log(a + r), y), &t) : -1;

    if (piece < 0 || !exists[piece]) return 0;
    row[0] = evaluate_piece(pairs, k->pieces, piece, APPROXIMATION_VALUE, t) - k->frame.log_gamma;
    if (k->only_value) return 1;
    double in_u = evaluate_piece(pairs, k->pieces, piece, APPROXIMATION_U, t);
    double in_alpha = evaluate_piece(pairs, k->pieces, piece, APPROXIMATION_ALPHA, t);
    double in_beta = evaluate_piece(pairs, k->pieces, piece, APPROXIMATION_BETA, t);
    struct approximation_scores s = approximation_scores_at(&k->frame, z, y, k->frame.s * r, in_u, in_alpha, in_beta);
    row[1] = s.alpha;
    row[2] = s.beta;
    row[3] = s.gamma;
    row[4] = s.delta;
    return 1;
}

__kernel __attribute__((reqd_work_group_size(PARTIAL_SUMS, 1, 1))) void approximate_sums(ARGUMENTS)
{
    __local double partial[PARTIAL_SUMS];
    int item = (int) get_local_id(0), block = (int) get_group_id(0);
    double sum[APPROXIMATE_SUMS], row[APPROXIMATE_COLUMNS];

    for (int c = 0; c < APPROXIMATE_SUMS; c++) sum[c] = 0.0;
    for (int j = item; j < SUM_BLOCK; j += PARTIAL_SUMS) {
        int i = block * SUM_BLOCK + j;
        double w = i < job.n ? (job.is_weighted ? weight[i * job.stride[5]] : 1.0) : 0.0;
        if (w == 0.0) continue;
        if (row_at(&job.approximation, approximation, X_OF(i), row)) add_row(row, w, job.approximation.only_value, sum);
        else index[atomic_inc(&flags[FLAG_DEFERRED])] = i;
    }
    reduce_rows(sum, job.approximation.only_value, partial, sums + block * APPROXIMATE_SUMS);
}

/* Writes log f and the scores of each element; the list of elements outside the approximation is for score_each. */
__kernel void approximate_rows(ARGUMENTS)
{
    int i = (int) get_global_id(0);
    double row[APPROXIMATE_COLUMNS];
    if (i >= job.n) return;
    if (row_at(&job.approximation, approximation, X_OF(i), row))
        for (int c = 0; c < APPROXIMATE_COLUMNS; c++) out[c * job.n + i] = row[c];
    else index[atomic_inc(&flags[FLAG_DEFERRED])] = i;
}
