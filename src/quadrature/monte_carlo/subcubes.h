/* The positions of the samples of a stratified iteration.
 *
 * The unit cube is divided along axis k into cuts[k] parts, which gives the strata (the cubes of m-Cubes, Sakiotis et
 * al. 2022); the parts in which a stratum lies are the digits of its number, axis 0 first.  Of many axes, only the
 * first STRATA_AXES are divided.  A stratum of level q is bisected q times, along the axes in turn, into 2^q subcubes:
 * bit j of the number of a subcube selects the half along axis j mod d, with d axes that are divided.  A subcube
 * contains two pairs of points, each a point and its reflection in the centre.  In the mean of a pair the odd part of
 * the integrand about the centre, which is most of the variation of a smooth integrand, cancels (Haber 1967, A
 * modified Monte-Carlo quadrature II); the difference of the two independent pairs estimates their variance.
 *
 * The subcubes of an iteration are numbered stratum by stratum, the strata with the most subcubes first.  The subcubes
 * of strata of level q have the numbers start[q], a multiple of 2^q, to start[q - 1] - 1.  The rank of a stratum is its
 * position in this order; strata of level q have the ranks from rank[q] to rank[q - 1] - 1.
 *
 * Random numbers are a function of a counter: the words of a pair are those of Philox at (twice the number of its
 * subcube in the stratum, plus the number 0 or 1 of the pair; number of the stratum; 4 times the iteration plus a
 * number for the group of four axes; number of the integral).  Any worker may therefore compute any subcube, and the
 * samples of a stratum do not depend on the other strata.
 */
#ifndef STABLECL_QUADRATURE_MONTE_CARLO_SUBCUBES_H
#define STABLECL_QUADRATURE_MONTE_CARLO_SUBCUBES_H

#include "../../special/double_double.h"
#include "../../special/philox.h"
#include "importance_map.h"

#define STRATA_AXES   12                 /* the first axes, which are divided */
#define STRATA_LEVELS 31                 /* number of levels */
#define STRATA_POINTS 4                  /* points of a subcube */
#define STRATA_SHIFTS 3u                 /* the group of words for the shifts of lattices, which no sample uses */

struct strata_plan {
    uint64 start[STRATA_LEVELS];        /* number of the first subcube of each level */
    uint32 rank[STRATA_LEVELS];         /* rank of the first stratum of each level */
    uint64 subcubes;
    int highest;                        /* the highest level in use */
};

struct strata_subcube { uint32 rank, number; int level; };

/* Returns subcube number t of the iteration. */
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

/* Sets `digit` to the part of each axis in which a stratum lies. */
LANE void strata_digits(uint32 stratum, const int *cuts, int dim, int *digit)
{
    for (int k = 0; k < dim; k++) {
        digit[k] = (int)(stratum % (uint32)cuts[k]);
        stratum /= (uint32)cuts[k];
    }
}

/* The lower end and the length of a subcube along an axis. */
struct strata_side { real from, length; };

/* Returns the side of a subcube; part: the length of a part of the axis. */
LANE struct strata_side strata_side(struct strata_subcube c, int axis, int dim, int digit, real part)
{
    struct strata_side s;
    uint32 from = 0, parts = 1;
    for (int j = axis; j < c.level; j += dim, parts *= 2u) from = 2u * from + (c.number >> j & 1u);
    real length = (real)1.0 / (real)parts;
    s.length = length * part;
    s.from = ((real)digit + (real)from * length) * part;
    return s;
}

/* Sums over subcubes of volume v, with mean m and half the difference e of their two pairs: of v m, of v^2 e^2, and of
 * the squares of the latter.  A subcube of level q has the volume 2^-q in units of a stratum.  The unit of a device is
 * the volume of the first subcube of a share, in which no number exceeds the range of single precision. */
#ifdef SINGLE_PRECISION
struct strata_sums { struct double_double mean; real square, fourth; };
#else
struct strata_sums { real mean, square, fourth; };
#endif

/* Adds a term to the first sum. */
LANE void strata_add_mean(struct strata_sums *s, real term)
{
#ifdef SINGLE_PRECISION
    s->mean = compensated_add(s->mean, term);
#else
    s->mean += term;
#endif
}

/* Adds the sums over other subcubes. */
LANE void strata_join(struct strata_sums *s, const struct strata_sums *other)
{
#ifdef SINGLE_PRECISION
    s->mean = compensated_merge(s->mean, other->mean);
#else
    s->mean += other->mean;
#endif
    s->square += other->square;
    s->fourth += other->fourth;
}

/* Adds a subcube with the means of its two pairs.  Returns e^2. */
LANE real strata_add(struct strata_sums *s, real volume, real one, real two)
{
    real e = (real)0.5 * (one - two), square = volume * volume * (e * e);
    strata_add_mean(s, volume * ((real)0.5 * (one + two)));
    s->square += square;
    s->fourth += square * square;
    return e * e;
}

/* Returns the number that stands for axes 4 group, ..., 4 group + 3 of samples in strata_words(): none of them is
 * STRATA_SHIFTS modulo 4.  Iterations stay far below 2^18. */
LANE uint32 strata_group(uint32 group)
{
    return group % 3u + (group / 3u << 20);
}

/* Returns the random words for a group of axes. */
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

/* Returns the spread of a stratum: `square`, the mean of e^2 over its subcubes, to the power 3/8. */
LANE float strata_spread(real square)
{
    real root = sqrt(sqrt(square));
    return (float)fmin(root * sqrt(root), (real)1e30);
}

/* Returns the coordinate of a sample in a subcube of this width.  With ~word it is that of the reflection. */
LANE real strata_coordinate(real from, real width, uint32 word)
{
    return from + width * unit_share(word);
}

#endif
