/* Where the samples of a stratified iteration lie.
 *
 * The unit cube is cut along axis k into cuts[k] parts, which makes the cubes of m-Cubes (Sakiotis et al. 2022): the
 * digits of a cube's number, axis 0 first.  A cube of level q is halved q times, along the axes in turn, which makes
 * 2^q cells: bit j of a cell's number says which half along axis j mod d.  In a cell lie two pairs of points, a point
 * and its mirror image in the centre: what is odd about the centre, most of a smooth integrand's variation, cancels
 * (Haber 1967, A modified Monte-Carlo quadrature II), and the difference of two independent pairs tells their variance.
 *
 * The cells of an iteration are numbered cube by cube, the cubes with the most of them first: those of level q start
 * at start[q], a multiple of 2^q, and end at start[q - 1], and so do the numbers of cubes, in this order, with rank[].
 *
 * A sample is counted, not drawn: the words of a pair are those of Philox at the counter (twice the number of its cell
 * in the cube, or one more; number of the cube; 4 times the iteration plus the group of four axes; number of the
 * integral).  So any worker may take any cell, and a cube's samples do not depend on others.
 */
#ifndef STABLECL_QUADRATURE_MONTE_CARLO_SUBCUBES_H
#define STABLECL_QUADRATURE_MONTE_CARLO_SUBCUBES_H

#include "../../special/philox.h"
#include "importance_map.h"

#define STRATA_LEVELS 31                 /* the highest level and one more */
#define STRATA_POINTS 4                  /* of a cell */
#define STRATA_SHIFTS 3u                 /* the group of words for what belongs to no sample */

struct strata_plan {
    uint64 start[STRATA_LEVELS];
    uint32 rank[STRATA_LEVELS];
    uint64 subcubes;
    int highest;                        /* level */
};

struct strata_subcube { uint32 rank, number; int level; };

/* Cell number t of the iteration. */
LANE struct strata_subcube strata_subcube_at(const struct strata_plan *p, uint64 t)
{
    struct strata_subcube c;
    int q = p->highest;
    while (q > 0 && t >= p->start[q - 1]) q--;
    t -= p->start[q];
    c.level = q;
    c.rank = p->rank[q] + (uint32)(t >> q);
    c.number = (uint32)t & ((1u << q) - 1u);
    return c;
}

/* Along an axis: where a cell begins, and how long it is, in units of its cube's side. */
struct strata_side { double from, length; };

LANE struct strata_side strata_side(struct strata_subcube c, int axis, int dim)
{
    struct strata_side s;
    uint32 from = 0, parts = 1;
    for (int j = axis; j < c.level; j += dim, parts *= 2u) from = 2u * from + (c.number >> j & 1u);
    s.length = 1.0 / parts;
    s.from = from * s.length;
    return s;
}

/* Over cells of level q with mean m and half the difference e of their two pairs: sums of 2^-q m, of 4^-q e^2, and of
 * the squares of these. */
struct strata_sums { double mean, square, fourth; };

LANE void strata_add(struct strata_sums *s, double volume, double m, double e)
{
    double square = volume * volume * (e * e);
    s->mean += volume * m;
    s->square += square;
    s->fourth += square * square;
}

/* Words for axes 4 group, ..., 4 group + 3. */
LANE struct philox_block strata_words(struct philox_key key, uint32 pair, uint32 stratum, uint32 iteration,
                                      uint32 group,
                                      uint32 integral)
{
    struct philox_block counter;
    counter.word[0] = pair;
    counter.word[1] = stratum;
    counter.word[2] = 4u * iteration + group;
    counter.word[3] = integral;
    return philox4x32_10(counter, key);
}

/* The spread of a cube: the mean of e^2, for halves e of the difference of two pairs, to the power 3/8. */
LANE float strata_spread(double square)
{
    double root = sqrt(sqrt(square));
    return (float)fmin(root * sqrt(root), 1e30);
}

/* Place along an axis; `width` of the cell.  ~word: that of the mirror image. */
LANE double strata_place(double from, double width, uint32 word)
{
    return from + width * unit_share(word);
}

#endif
