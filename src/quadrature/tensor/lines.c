/* Lines along the axes of a box: the breaks at which an integrand is not smooth along an axis, and the truncation
 * errors of Gauss rules between them.
 *
 * Along each axis k, f is evaluated on lines through points of a lattice, at the FINE nodes of a Gauss rule on each
 * piece between breaks; at first there are none.  The Legendre coefficients of f on a piece of length h, computed from
 * these values, determine the error of a rule with n nodes there, which is exact for degrees below 2n: it omits
 *
 *     h sum of |c_m| over m >= 2n.
 *
 * Where these sums do not fall by LINES_SMOOTH within half the nodes that a piece may have, a break is searched for.
 * Of all groups of eight adjacent points among FINE equidistant ones, that with the largest difference of seventh
 * order, |D|, contains the break; it is divided in turn, nine times as finely.  |D| then falls by 9^7 if f is smooth,
 * but by no more than 9^p at a jump of the derivative of order p.  The search ends at the middle of the group if |D|
 * is rounding, or if points are a rounding error apart, as at jumps of f itself; it ends without a break if |D| falls
 * by more than 1/FALLS.  A break where f is smooth costs points, but no accuracy.  Breaks that are not the same on all
 * lines do not help: those of an axis are taken from the lines through one point.
 */
#include <string.h>
#include "../monte_carlo/monte_carlo.h"

#define HALF   LEGENDRE_HALF
#define FINE   LEGENDRE_FINE
#define STRIDE ((1 << LATTICE_MIN) / PRODUCT_LINES)
#define NOISE  1e-16                    /* rounding error of c_m: NOISE (2m + 1) max |f| */
#define ORDER  7
#define INSIDE 0x1p-20                  /* distance of the search from the ends, where f may be infinite */
#define NOISE_OF_DIFFERENCE 0x1p-43     /* relative to max |f|: the sum of the binomial coefficients is 2^ORDER */
#define FALLS  1e-4
#define PIECE_MIN   1e-6                /* least length of a piece, relative to that which it is cut from */
#define SEARCHES 2                      /* largest number of searches without a break, for each axis */

void lines_begin(struct product_lines *l, int dim)
{
    memset(l, 0, sizeof *l);
    for (int k = 0; k < dim; k++) {
        l->pieces[k] = 1;
        l->end[k][1] = 1.0;
    }
}

int lines_max_nodes(const struct product_lines *l, int axis)
{
    return PRODUCT_NODES / l->pieces[axis];
}

double lines_tail(const struct product_lines *l, int axis, int n)
{
    double sum = 0.0;
    for (int p = 0; p < l->pieces[axis]; p++) sum += l->tail[axis][p][n];
    return sum;
}

int lines_are_smooth(const struct product_lines *l, int dim, double smooth)
{
    for (int k = 0; k < dim; k++)
        if (!(lines_tail(l, k, lines_max_nodes(l, k) / 2) <= smooth * lines_tail(l, k, 0))) return 0;
    return 1;
}

/* --- the search for a break ------------------------------------------------------------------- */

/* A line through a point along an axis, and values at equidistant points. */
struct search { struct monte_carlo *c; const double *at; int axis; double value[FINE]; };

/* Evaluates f at FINE equidistant points from a to b.  f may be infinite there.  Returns 0 if the computation must
 * stop. */
static int search_values(struct search *s, double a, double b)
{
    struct monte_carlo *c = s->c;
    struct workspace *w = &c->workspace[c->thread];
    int not_finite = ATOMIC_READ(&c->not_finite);

    c->job->evaluations[c->integral] += FINE;
    for (int k = 0; k < c->dim; k++)
        for (int i = 0; i < FINE; i++) w->y[k][i] = k == s->axis ? a + (b - a) * i / (FINE - 1) : s->at[k];
    if (!points_values(c, c->thread, w, FINE)) return 0;
    ATOMIC_WRITE(&c->not_finite, not_finite);
    memcpy(s->value, w->value, sizeof s->value);
    return !is_stop_requested(c->stop);
}

/* Returns the largest |D|; *first is the number of the first of its eight points. */
static double largest_difference(const double *value, int *first)
{
    static const double binomial[ORDER + 1] = { -1.0, 7.0, -21.0, 35.0, -35.0, 21.0, -7.0, 1.0 };
    double largest = -1.0;
    *first = 0;
    for (int i = 0; i + ORDER < FINE; i++) {
        double sum = 0.0;
        for (int j = 0; j <= ORDER; j++) sum += binomial[j] * value[i + j];
        if (!(fabs(sum) > largest)) continue;
        largest = fabs(sum);
        *first = i;
    }
    return largest;
}

/* Searches for a break from `low` to `high` on a line; *where is NAN if there is none.  Returns 0 if the work is to
 * stop. */
static int search_run(struct search *s, double low, double high, double *where)
{
    double a = low + INSIDE * (high - low), b = high - INSIDE * (high - low), before = INFINITY, maximum = 0.0;

    *where = NAN;
    for (;;) {
        int first;
        if (!search_values(s, a, b)) return 0;
        for (int i = 0; i < FINE; i++) maximum = fmax(maximum, fabs(s->value[i]));
        double now = largest_difference(s->value, &first), step = (b - a) / (FINE - 1);
        if (!isfinite(maximum) || (isfinite(before) && now < FALLS * before)) return 1;
        if (now <= NOISE_OF_DIFFERENCE * maximum || step <= ROUNDING * fabs(b)) break;
        a += first * step;
        b = a + ORDER * step;
        before = now;
    }
    if (isfinite(before)) *where = 0.5 * a + 0.5 * b;
    if (!(fmin(*where - low, high - *where) > PIECE_MIN * (high - low))) *where = NAN;
    return 1;
}

/* --- lines ------------------------------------------------------------------------------------ */

/* The pieces of all axes in turn.  rest: the tail that the rule with half the possible nodes omits. */
struct piece { int axis, number; double rest; };
struct line { double at[PRODUCT_AXES]; struct piece piece[PRODUCT_AXES * PRODUCT_PIECES]; int pieces; };

/* Chooses the point of a line.  All pieces of an axis have the same share of the points, however short they are. */
static void set_point(struct monte_carlo *c, const struct product_lines *l, int number, double *at)
{
    struct workspace *w = &c->workspace[c->thread];
    uint32 none[PRODUCT_AXES] = { 0 };

    points_lattice(c, w, none, LATTICE_MIN, (uint32)(number * STRIDE + 5), 1u, 1);
    for (int k = 0; k < c->dim; k++) {
        double along = w->y[k][0] * l->pieces[k];
        int piece = (int)along;
        at[k] = l->end[k][piece] + (along - piece) * (l->end[k][piece + 1] - l->end[k][piece]);
    }
}

static void set_pieces(const struct monte_carlo *c, const struct product_lines *l, struct line *line)
{
    line->pieces = 0;
    for (int k = 0; k < c->dim; k++)
        for (int p = 0; p < l->pieces[k]; p++) line->piece[line->pieces++] = (struct piece){ k, p, 0.0 };
}

/* Adds the tail of a piece, without the rounding errors, from the values there. */
static void add_tail(struct product_lines *l, struct piece *p, const double *value)
{
    double even[HALF], odd[HALF], rest[HALF], sum = 0.0, maximum = 0.0, *tail = l->tail[p->axis][p->number];
    double length = l->end[p->axis][p->number + 1] - l->end[p->axis][p->number], *tail_share = l->tail_share[p->axis];

    for (int j = 0; j < FINE; j++) maximum = fmax(maximum, fabs(value[j]));
    legendre_coefficients(value, even, odd);
    for (int i = HALF - 1; i >= 0; i--) {
        double noise = NOISE * (4 * i + 1) * maximum;
        sum += fmax(fabs(odd[i]) - noise, 0.0) + fmax(fabs(even[i]) - noise, 0.0);
        tail[i] += rest[i] = length * sum;
    }
    for (int i = 0; i < HALF && rest[0] > 0.0; i++) tail_share[i] = fmax(tail_share[i], rest[i] / rest[0]);
    p->rest = rest[lines_max_nodes(l, p->axis) / 2];
}

/* Evaluates f on all pieces of a line, as many at a time as the workspace holds.  Returns 0 if the computation must
 * stop. */
static int add_pieces(struct monte_carlo *c, struct product_lines *l, struct line *line)
{
    const struct legendre_rule *fine = legendre_rule(FINE);
    struct workspace *w = &c->workspace[c->thread];
    int maximum = w->capacity / FINE;

    c->job->evaluations[c->integral] += (double)FINE * line->pieces;
    for (int first = 0, count; first < line->pieces; first += count) {
        struct piece *piece = line->piece + first;
        count = line->pieces - first < maximum ? line->pieces - first : maximum;
        for (int k = 0; k < c->dim; k++)
            for (int q = 0; q < count * FINE; q++) {
                const struct piece *p = &piece[q / FINE];
                const double *end = l->end[k] + p->number;
                w->y[k][q] = k == p->axis ? end[0] + (end[1] - end[0]) * fine->node[q % FINE] : line->at[k];
            }
        if (!points_values(c, c->thread, w, count * FINE)) return 0;
        for (int i = 0; i < count; i++) add_tail(l, &piece[i], w->value + i * FINE);
    }
    l->lines++;
    return !is_stop_requested(c->stop);
}

/* Divides piece p of an axis. */
static void divide(struct product_lines *l, int axis, int p, double where)
{
    double *end = l->end[axis];
    for (int i = ++l->pieces[axis]; i > p + 1; i--) end[i] = end[i - 1];
    end[p + 1] = where;
}

/* Searches for a break in a piece unless f is smooth there; *is_divided is set if there is one.  Returns 0 if the work
 * is to stop. */
static int search_piece(struct monte_carlo *c, struct product_lines *l, const struct line *line, const struct piece *p,
                        int *is_divided)
{
    int k = p->axis, is_smooth = p->rest <= LINES_SMOOTH * lines_tail(l, k, 0) / l->lines;
    struct search s = { c, line->at, k, { 0.0 } };
    double where;

    if (is_smooth || l->is_final[k] || l->pieces[k] == PRODUCT_PIECES || l->unsuccessful[k] == SEARCHES) return 1;
    if (!search_run(&s, l->end[k][p->number], l->end[k][p->number + 1], &where)) return 0;
    if (isnan(where)) {
        l->unsuccessful[k]++;
        return 1;
    }
    divide(l, k, p->number, where);
    *is_divided = 1;
    return 1;
}

static void discard_lines(struct product_lines *l)
{
    memset(l->tail, 0, sizeof l->tail);
    memset(l->tail_share, 0, sizeof l->tail_share);
    l->lines = 0;
}

/* Searches for breaks in all pieces of a line, the last ones first: a division does not change the numbers of those
 * before it.  If there are any, the lines so far are discarded. */
static int search_pieces(struct monte_carlo *c, struct product_lines *l, const struct line *line, int *is_divided)
{
    *is_divided = 0;
    for (int i = line->pieces - 1; i >= 0; i--)
        if (!search_piece(c, l, line, &line->piece[i], is_divided)) return 0;
    if (*is_divided) discard_lines(l);
    return 1;
}

int lines_add(struct monte_carlo *c, struct product_lines *l, int *is_divided)
{
    struct line line;
    int more = 1;

    *is_divided = 0;
    set_point(c, l, l->lines, line.at);
    while (more) {
        set_pieces(c, l, &line);
        if (!add_pieces(c, l, &line) || !search_pieces(c, l, &line, &more)) return 0;
        *is_divided |= more;
    }
    if (*is_divided) discard_lines(l);
    for (int k = 0; k < c->dim; k++) l->is_final[k] = l->pieces[k] > 1;
    return 1;
}
