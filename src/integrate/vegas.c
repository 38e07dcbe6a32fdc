/* integrate/vegas.c: stratified sampling over the importance grid: m-Cubes (Sakiotis et al. 2022) with the adaptive
 * stratification of vegas+ (Lepage 2021, doi:10.1016/j.jcp.2021.110386).
 *
 * The n points of an iteration fall into C <= n/PER_CUBE cubes of equal volume (core/cubes.h), the first time
 * evenly, then
 *
 *     n_h = LEAST + (n - LEAST C) s_h^0.75 / sum s^0.75
 *
 * to cube h, where s_h^2 is the variance of the values seen there, s_h^0.75 averaged over the iterations before with
 * weights 1/2, 1/4, ..., as few values tell little of it.  Neither grid nor
 * n_h depend on the iteration's own points, so its estimate is unbiased:
 *
 *     I_j = 1/C sum mean_h,      sigma_j^2 = 1/C^2 sum s_h^2/n_h.
 *
 * Iterations are averaged with weights in proportion to n, which are not random; weights 1/sigma_j^2 would favour
 * iterations that have missed a peak.  At least BATCH of them have to agree:  chi^2 = sum (I_j - I)^2/sigma_j^2
 * exceeds what Q = DOUBT allows only if the errors are not what they claim.  Then all is forgotten and begun with
 * FORGET times as many points; without evaluations left for that the integral is "inconsistent".
 */
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#  include <omp.h>
#endif
#include "carlo.h"

#define PER_CUBE   8
#define LEAST      4
#define BATCH      5
#define ITERATIONS 256
#define FIRST      16384.0              /* points of an iteration */
#define FORGET     4.0
#define MORE       1.1                  /* of the points that the error so far asks for */
#define GROWTH     16.0
#define CUBES_MOST 4194304
#define SHARE      8192.0               /* points of a share, about */
#define DOUBT_Z    3.0902323061678132   /* a normal variate exceeds that with probability 1e-3 */

struct cubes {
    size_t count, room, shares, share_room;
    int cuts[AXES_MAX];
    int even;                           /* points are spread evenly, for want of spreads */
    unsigned *points;                   /* of each cube */
    float *spread;                      /* s_h^0.75 */
    struct cubes_share *share;
};

void cubes_free(struct cubes *u)
{
    if (!u) return;
    free(u->points);
    free(u->spread);
    free(u->share);
    free(u);
}

struct cubes *cubes_new(void)
{
    return calloc(1, sizeof(struct cubes));
}

/* --- cubes ------------------------------------------------------------------------------------ */

/* Cuts that make n/PER_CUBE cubes or a few less: as many along each axis, one more along the first ones. */
static void cut(const struct carlo *c, struct cubes *u, double points)
{
    double most = fmin(points / PER_CUBE, CUBES_MOST), count = 1.0;
    int each = (int)floor(pow(most, 1.0 / c->dim) * (1.0 + 1e-9));
    if (each < 1) each = 1;
    for (int k = 0; k < c->dim; k++) count *= u->cuts[k] = each;
    for (int k = 0; k < c->dim && count * (each + 1) / each <= most; k++) {
        u->cuts[k]++;
        count = count * (each + 1) / each;
    }
    u->count = 1;
    for (int k = 0; k < c->dim; k++) u->count *= (size_t)u->cuts[k];
    u->even = 1;
}

static int reserve(struct cubes *u, double points)
{
    size_t shares = (size_t)((points + LEAST * (double)u->count) / SHARE) + 2;
    if (u->count > u->room) {
        free(u->points);
        free(u->spread);
        u->room = u->count;
        u->points = malloc(u->room * sizeof *u->points);
        u->spread = malloc(u->room * sizeof *u->spread);
    }
    if (shares > u->share_room) {
        free(u->share);
        u->share_room = shares;
        u->share = malloc(u->share_room * sizeof *u->share);
    }
    if (u->points && u->spread && u->share) return 1;
    u->room = u->share_room = 0;
    return 0;
}

/* The points of each cube, and shares of about equal numbers of points; how many points there are. */
static double allot(struct cubes *u, double points)
{
    double sum = 0.0, left = points - (double)LEAST * (double)u->count, total = 0.0, taken = 0.0;
    for (size_t h = 0; h < u->count && !u->even; h++) sum += u->spread[h];
    int even = u->even || !(sum > 0.0) || isinf(sum) || left < 0.0;
    u->shares = 0;
    for (size_t h = 0; h < u->count; h++) {
        u->points[h] = even ? (unsigned)(points / (double)u->count) : LEAST + (unsigned)(left * (u->spread[h] / sum));
        if (u->points[h] < LEAST) u->points[h] = LEAST;
        if (h == 0 || taken >= SHARE) {
            struct cubes_share s = { h, h, (uint64)total, 0.0, 0.0, 0 };
            u->share[u->shares++] = s;
            taken = 0.0;
        }
        u->share[u->shares - 1].to = h + 1;
        u->share[u->shares - 1].is_heavy |= u->points[h] > CUBES_HEAVY;
        taken += u->points[h];
        total += u->points[h];
    }
    return total;
}

/* --- a share ------------------------------------------------------------------------------------ */

/* The cube whose values are being added: differences from its first value, which keep their digits. */
struct sums { size_t cube; unsigned left; double origin, sum, square; };

static void keep_spread(struct cubes *u, size_t cube, float spread)
{
    u->spread[cube] = u->even ? spread : 0.5f * (u->spread[cube] + spread);
}

static void close_cube(struct cubes *u, struct cubes_share *s, const struct sums *now)
{
    double n = u->points[now->cube], mean = now->sum / n;
    double variance = fmax((now->square - now->sum * mean) / (n - 1.0), 0.0);
    s->mean += now->origin + mean;
    s->square += variance / n;
    double root = sqrt(sqrt(variance));
    keep_spread(u, now->cube, (float)fmin(root * sqrt(root), 1e30));
}

static void add_up(struct cubes *u, struct cubes_share *s, struct sums *now, const double *value, int count)
{
    for (int q = 0; q < count; q++) {
        unsigned n = u->points[now->cube];
        if (now->left == n) {
            now->origin = value[q];
            now->sum = now->square = 0.0;
        }
        double v = value[q] - now->origin;
        now->sum += v;
        now->square += v * v;
        if (--now->left) continue;
        close_cube(u, s, now);
        if (++now->cube < s->to) now->left = u->points[now->cube];
    }
}

/* The numbers of the parts in which the next points lie, in place of those; as many as there is room for. */
struct odometer { size_t cube; unsigned left; int digit[AXES_MAX]; };

static void start_at(const struct carlo *c, struct odometer *o, size_t cube)
{
    size_t rest = cube;
    for (int k = 0; k < c->dim; k++) {
        o->digit[k] = (int)(rest % (size_t)c->cubes->cuts[k]);
        rest /= (size_t)c->cubes->cuts[k];
    }
    o->cube = cube;
    o->left = c->cubes->points[cube];
}

static void next_cube(const struct carlo *c, struct odometer *o)
{
    const struct cubes *u = c->cubes;
    for (int k = 0; k < c->dim && ++o->digit[k] == u->cuts[k]; k++) o->digit[k] = 0;
    if (++o->cube < u->count) o->left = u->points[o->cube];
}

static int fill_digits(const struct carlo *c, struct odometer *o, const struct cubes_share *s, struct bench *b)
{
    int count = 0;
    while (o->cube < s->to && count < b->room) {
        int part = o->left < (unsigned)(b->room - count) ? (int)o->left : b->room - count;
        for (int k = 0; k < c->dim; k++)
            for (int q = 0; q < part; q++) b->y[k][count + q] = o->digit[k];
        count += part;
        o->left -= (unsigned)part;
        if (!o->left) next_cube(c, o);
    }
    return count;
}

/* Not WIDE, as in backend/cpu/sample.c. */
static void strip_words(const struct carlo *c, uint64 sample, uint32 round, uint32 group, uint32 (*word)[CARLO_STRIP])
{
    struct philox_key key = c->job->sampling->key;
    uint32 integral = (uint32)c->integral;
    for (uint32 q = 0; q < CARLO_STRIP; q++) {
        struct philox_block r = cubes_words(key, sample + q, round, group, integral);
        for (int j = 0; j < 4; j++) word[j][q] = r.word[j];
    }
}

/* Places within the parts. */
static void fill_places(const struct carlo *c, uint32 round, uint64 sample, struct bench *b, int count)
{
    uint32 word[4][CARLO_STRIP];
    for (int k = 0; k < c->dim; k += 4)
        for (int at = 0; at < count; at += CARLO_STRIP) {
            strip_words(c, sample + (uint64)at, round, (uint32)k / 4u, word);
            for (int j = 0; j < 4 && k + j < c->dim; j++) {
                double *y = b->y[k + j] + at, width = 1.0 / c->cubes->cuts[k + j];
                for (int q = 0; q < CARLO_STRIP; q++) y[q] = cubes_place(y[q], width, word[j][q]);
            }
        }
}

static void run_share(struct carlo *c, uint32 round, struct cubes_share *s)
{
    int thread = carlo_thread(c), count;
    struct bench *b = &c->bench[thread];
    struct odometer o;
    struct sums now = { s->from, c->cubes->points[s->from], 0.0, 0.0, 0.0 };
    uint64 sample = s->sample;

    start_at(c, &o, s->from);
    while ((count = fill_digits(c, &o, s, b)) > 0) {
        fill_places(c, round, sample, b, count);
        if (*c->stop || !points_values(c, thread, b, count)) return;
        add_up(c->cubes, s, &now, b->value, count);
        sample += (uint64)count;
    }
}

/* --- iterations ------------------------------------------------------------------------------------ */

struct iteration { double points, mean, square; };      /* square: of the standard error */

#define INPUTS_MOST 64                  /* parameters for a device */
#define PIECE 256                       /* shares between looks for interrupts */

/* On a device, where one is of use. */
static int run_on_device(struct carlo *c, uint32 round, double points)
{
    const struct integral_job *job = c->job;
    struct cubes_device *device = c->sampler->device;
    struct cubes *u = c->cubes;
    double parameter[INPUTS_MOST];
    float *seen;
    struct cubes_job d = {
        .dim = c->dim, .parameters = job->parameters, .cuts = u->cuts, .low = c->low, .width = c->width,
        .node = c->warped ? c->node[0] : NULL, .parameter = parameter, .shares = u->shares, .scale = c->scale,
        .key = job->sampling->key, .round = round, .integral = (uint32)c->integral, .share = u->share,
        .points = u->points
    };

    if (!device || c->thread >= 0 || job->parameters > INPUTS_MOST) return 0;
    d.spread = seen = malloc(u->count * sizeof *seen);
    if (!seen) return 0;
    for (int k = 0; k < job->parameters; k++) parameter[k] = job->parameter[(size_t)k * job->n + c->integral];
    int done = device->run(device, &d, points);
    for (size_t k = 0; k < u->shares && done > 0; k++) {
        const struct cubes_share *s = &u->share[k];
        c->not_finite |= !isfinite(s->mean);
        for (size_t h = s->from; h < s->to && !s->is_heavy; h++) keep_spread(u, h, seen[h]);
    }
    free(seen);
    if (done < 0) *c->stop = STOP_INTERRUPT;
    return done;
}

/* All shares, or the heavy ones. */
static void run_in_threads(struct carlo *c, uint32 round, double points, int heavy)
{
    struct cubes *u = c->cubes;
    int threads = carlo_threads(c, points);
    for (size_t from = 0; from < u->shares; from += PIECE) {
        long to = (long)(from + PIECE < u->shares ? from + PIECE : u->shares);
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1) if (threads > 1)
#endif
        for (long k = (long)from; k < to; k++)
            if (!heavy || u->share[k].is_heavy) run_share(c, round, &u->share[k]);
        if (carlo_stopped(c)) return;
    }
    (void)threads;
}

/* 0: the work is to stop. */
static int iterate(struct carlo *c, double points, struct iteration *i)
{
    struct cubes *u = c->cubes;
    uint32 round = c->rounds++;
    double count = (double)u->count;

    i->points = allot(u, points);
    c->job->evaluations[c->integral] += i->points;
    run_in_threads(c, round, i->points, run_on_device(c, round, i->points));
    if (*c->stop) return 0;
    u->even = 0;
    i->mean = i->square = 0.0;
    for (size_t k = 0; k < u->shares; k++) {
        i->mean += u->share[k].mean / count;
        i->square += u->share[k].square / (count * count);
    }
    return 1;
}

/* What some iterations say together. */
struct verdict { double points, mean, square, chi2; int count; };

static struct verdict judge(const struct iteration *all, int count)
{
    struct verdict v = { 0.0, 0.0, 0.0, 0.0, count };
    double weights = 0.0, centre = 0.0;
    for (int j = 0; j < count; j++) v.points += all[j].points;
    for (int j = 0; j < count; j++) {
        double share = all[j].points / v.points;
        v.mean += share * all[j].mean;
        v.square += share * share * all[j].square;
        weights += 1.0 / all[j].square;
        centre += all[j].mean / all[j].square;
    }
    for (int j = 0; j < count && v.square > 0.0; j++) {
        double apart = all[j].mean - centre / weights;
        if (all[j].square > 0.0) v.chi2 += apart * apart / all[j].square;
    }
    return v;
}

/* Is chi^2 beyond DOUBT?  Its cube root is nearly normal (Wilson and Hilferty 1931). */
static int is_doubtful(const struct verdict *v)
{
    if (v->count < 2) return 0;
    double k = v->count - 1.0, s = 2.0 / (9.0 * k);
    return cbrt(v->chi2 / k) > 1.0 - s + DOUBT_Z * sqrt(s);
}

static void report(const struct carlo *c, const struct verdict *v, int status)
{
    const struct sampling *s = c->job->sampling;
    if (v->count > 1) {
        s->chi2[c->integral] = v->chi2;
        s->freedom[c->integral] = v->count - 1;
    }
    carlo_finish(c, v->mean, sqrt(v->square), status);
}

/* Points of the iterations to come: what the tolerance asks for, in BATCH of them. */
static double next_points(const struct verdict *v, double points, double tolerance)
{
    double wanted = MORE * v->points * (v->square / (tolerance * tolerance)) - v->points;
    return fmin(fmax(wanted / BATCH, points), GROWTH * points);
}

void carlo_vegas(struct carlo *c)
{
    struct iteration all[ITERATIONS];
    struct verdict v = { 0.0, NAN, NAN, 0.0, 0 };
    double left = c->job->max_eval - c->job->evaluations[c->integral], points = fmin(FIRST, floor(left / BATCH));

    cut(c, c->cubes, points);
    while (points >= LEAST * (double)c->cubes->count && v.count < ITERATIONS && carlo_afford(c, points)) {
        if (!reserve(c->cubes, points)) {
            *c->stop = STOP_MEMORY;
            return;
        }
        if (!iterate(c, points, &all[v.count])) return;
        v = judge(all, v.count + 1);
        if (c->not_finite || v.count < BATCH) continue;
        double tolerance = carlo_tolerance(c, v.mean, fabs(v.mean)), error = sqrt(v.square);
        int doubtful = is_doubtful(&v);
        if (error <= tolerance && !doubtful) {
            report(c, &v, INTEGRAL_CONVERGED);
            return;
        }
        if (v.count % BATCH) continue;
        double next = doubtful ? FORGET * points : next_points(&v, points, tolerance);
        left = c->job->max_eval - c->job->evaluations[c->integral];
        if (next * BATCH > left && !doubtful) next = fmax(floor(left / BATCH), points);
        if (doubtful && next * BATCH > left) break;
        if (doubtful) v.count = 0;
        if (next > 1.2 * points) cut(c, c->cubes, points = next);
    }
    report(c, &v, v.count > 1 && is_doubtful(&v) ? INTEGRAL_INCONSISTENT : INTEGRAL_MAX_EVAL);
}
