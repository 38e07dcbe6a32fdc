/* backend/opencl/kernels/chart.cl: densities and probabilities of one law, read off its chart
 * (core/chart.h).
 *
 * One work item per element: where it lies, the piece's number from the bits of that, twelve
 * coefficients, a polynomial, one exponential at most.  What the chart does not hold goes to a list,
 * in `index`, whose length is bins[0]; eval_rest, which comes after this kernel, sees to it.
 *
 * What limits, by count.  An element has 16 bytes of traffic with device memory, some 75 operations
 * in double precision, and 96 bytes of coefficients to gather.  On an H100 (132 multiprocessors at
 * 1.7 GHz), 8e10 elements per second leave 90 cycles to the 32 elements of a warp: the operations
 * take 38 of them, so that the gathers decide.  Piece by piece, each element would touch a line of
 * its own.  The pairs (c_0, c_1), (c_2, c_3), ... of all pieces therefore lie next to each other,
 * pair after pair: the pieces that hold nine tenths of a law (14 of 70 for alpha = 1.5, 47 of 300
 * for alpha = 0.3) are two to six lines of 128 bytes in each of six requests.  An ordinary chart
 * (7 to 30 kB) stays in the first cache as a whole; copies in local memory would have to be made
 * by every group, and would bound the size of a chart.  A lower degree would need so many more
 * pieces for the same error (a third of the terms less, four times the pieces) that its fewer
 * requests touch more lines.
 */
#include "arguments.h"
#include "../../../core/chart.h"

/* x - centre; NaN where position_of() has to go another way than the straight one.  Otherwise
 * it makes the same position as the CPU does. */
static double distance_from_centre(const struct device_chart *c, double x)
{
    struct abscissa z = { x, 0.0, 0 };
    if (!c->plain) {
        z = position_sum(x, -c->delta);
        if (c->gamma != 1.0 && z.hi != 0.0) {
            if (!(position_is_tame(z.hi) && position_is_tame(c->gamma) && position_is_tame(z.hi / c->gamma)))
                return NAN;
            z = position_quotient(z.hi, z.lo, c->gamma);
        }
        if (c->shift != 0.0) z = position_shift(z, c->shift);
    }
    struct twofold at = { z.hi, z.lo };
    return two_add(at, two_neg(c->centre)).hi;
}

/* chart_find() over the binades of both sides. */
static int piece_of(const struct device_chart *c, __global const int2 *binades, double y, double *t)
{
    int left = y < 0.0;
    uint64 bits = bits_of_double(c->s + fabs(y)), fraction = bits & 0xFFFFFFFFFFFFFull;
    int binade = (int) (bits >> 52) - c->first[left];
    if (binade < 0 || binade >= c->binades[left]) return -1;
    int2 here = binades[binade + (left ? c->binades[0] : 0)];           /* first piece, cut */
    uint64 rest = (fraction << here.y) & 0xFFFFFFFFFFFFFull;
    *t = 2.0 * double_from_bits(rest | 0x3FF0000000000000ull) - 3.0;
    return here.x + (int) (fraction >> (52 - here.y));
}

static double read_off(__global const double2 *pairs, int pieces, int piece, double t)
{
    double c[CHART_TERMS];
    for (int k = 0; k < CHART_PAIRS; k++) {
        double2 pair = pairs[k * pieces + piece];
        c[2 * k] = pair.x;
        c[2 * k + 1] = pair.y;
    }
    return chart_value(c, t);
}

/* P(X <= x) if lower, from the log of the upper or the lower tail. */
static double probability(double log_tail, int upper, int lower, int give_log)
{
    if (lower != upper) return give_log ? log_tail : exp_minus(-log_tail);
    double other = exp_minus(-log_tail);
    return give_log ? log1p(-other) : 1.0 - other;
}

__kernel void eval_chart(ARGUMENTS)
{
    int i = (int) get_global_id(0), pieces = job.chart.pieces;
    if (i >= job.n) return;
    __global const double2 *pairs = (__global const double2 *) chart;
    __global const int2 *binades = (__global const int2 *) (pairs + 2 * CHART_PAIRS * pieces);
    __global const int *upper = (__global const int *) (binades + job.chart.binades[0] + job.chart.binades[1]);
    double t = 0.0, y = distance_from_centre(&job.chart, X_OF(i));
    int piece = piece_of(&job.chart, binades, y, &t);
    struct point_values v = { 0.0, 0.0, 0.0, 0.0 };

    if (piece < 0) {
        index[atomic_inc(bins)] = i;
        return;
    }
    if (job.what & WANT_PDF) {
        double log_pdf = read_off(pairs, pieces, piece, t);
        v.pdf = job.give_log ? log_pdf - job.chart.log_gamma : job.chart.over_gamma * exp_minus(-log_pdf);
    }
    if (job.what & (WANT_CDF | WANT_SF)) {
        double log_tail = read_off(pairs + CHART_PAIRS * pieces, pieces, piece, t);
        if (job.what & WANT_CDF) v.cdf = probability(log_tail, upper[piece], 1, job.give_log);
        if (job.what & WANT_SF)  v.sf = probability(log_tail, upper[piece], 0, job.give_log);
    }
    write_values(&job, &v, i, out);
}
