/* The density and both tails of one distribution at one point, and the slope of the log density near zeta.
 *
 * Every quantity is a sum of positive terms, a closed form, or a series with a bounded remainder.  The smaller tail is
 * the one that is computed.
 *
 * The power series at infinity: for x > zeta, y = x - zeta, z = sec(alpha theta0) y^(-alpha) (Zolotarev 1986, section
 * 2.4)
 *
 *     P(X > x) =        1/pi sum_{k>=1} c_k z^k / k,
 *     f(x)     = alpha/(pi y) sum_{k>=1} c_k z^k,
 *     c_k      = (-1)^(k-1) Gamma(alpha k)/Gamma(k) sin(k alpha L),
 *
 * which converges for alpha < 1 and is asymptotic for alpha > 1.  It is used, with at most TAIL_TERMS terms, if the
 * last term is below 1e-18/TAIL_TERMS of the first and all terms decrease.  Then the remainder is below 1e-17: it is
 * bounded by the first omitted term (alpha > 1) or by the sum of a series that decreases faster than a geometric one
 * (alpha < 1).  For small alpha the terms of the density are nearly those of z exp(-z), which cancel; the series is not
 * used if the sum of their absolute values exceeds TAIL_CANCEL times their sum.
 */
#ifndef STABLECL_STABLE_EVALUATE_H
#define STABLECL_STABLE_EVALUATE_H

#include "law.h"
#include "value.h"
#include "node_iterator.h"
#include "standardised_argument.h"

#define TAIL_TERMS 32
#define TAIL_CANCEL 5.0
#define TAIL_SECOND 0.75        /* ratio of the first two terms, of opposite signs, from which that is to be expected */

struct tail {
    double c[TAIL_TERMS];     /* c[k-1] = c_k */
    double log_z_max;         /* largest log z at which the series is used */
    double growth;            /* largest increase of log |c_k| from one term to the next, without the sines */
    double log_negligible;    /* log of the smallest relevant size, relative to that of the first without its sine */
};

/* Returns the largest log z at which the last term is below 1e-18 of the first, from the logs of their coefficients. */
FN double tail_log_z_max(double first, double last)
{
    return (log(1e-18 / TAIL_TERMS) + first - last) / (TAIL_TERMS - 1);
}

#define LOG_GAMMA_LAST 78.092223553315311       /* log Gamma(TAIL_TERMS) */

/* Returns an upper bound of log_z_max that is cheap to compute. */
FN double tail_log_z_bound(const struct law *law)
{
    return tail_log_z_max(lgamma(law->alpha), lgamma(TAIL_TERMS * law->alpha) - LOG_GAMMA_LAST);
}

/* sin(k alpha L), with the sign of c_k: from the supplement of the angle if that is smaller. */
struct tail_angle { double smaller; int alternates; };

FN struct tail_angle tail_angle_of(const struct law *law, const struct side *side)
{
    double a = law->alpha, angle = a * side->L, supplement = a < 1.0 ? PI * law->eps + a * side->h : side->h;
    struct tail_angle t = { angle < supplement ? angle : supplement, angle < supplement };
    return t;
}

FN double tail_sine(const struct tail_angle *t, int k)
{
    double sine = sin(k * t->smaller);                           /* sin(k (pi - m)) = -(-1)^k sin(k m) */
    return t->alternates && !(k & 1) ? -sine : sine;
}

/* Returns Gamma(alpha k)/Gamma(k) from its logarithm; for the first term, which alone counts in the far tail, with the
 * error of Gamma(alpha). */
FN double tail_gamma(const struct law *law, int k, double size)
{
    return k == 1 ? tgamma(law->alpha) : exp(size);
}

NOINLINE void tail_set(struct tail *t, const struct law *law, const struct side *side)
{
    struct tail_angle angle = tail_angle_of(law, side);
    double size = 0.0, first = 0.0, growth = -INFINITY, factorial = 1.0;
    for (int k = 1; k <= TAIL_TERMS; k++) {
        double before = size;
        if (k > 2) factorial *= k - 1;                           /* Gamma(k) */
        size = lgamma(law->alpha * k) - log(factorial);
        if (k == 1) first = size;
        else if (size - before > growth) growth = size - before; /* z must compensate for the growth of c_k */
        t->c[k - 1] = tail_gamma(law, k, size) * tail_sine(&angle, k);
    }
    t->growth = growth;
    t->log_negligible = log(1e-18 / TAIL_TERMS * fabs(tail_sine(&angle, 1)));
    t->log_z_max = tail_log_z_max(first, size);
    if (-growth < t->log_z_max) t->log_z_max = -growth;
}

/* Returns the number of terms up to the first one that is below 1e-18/TAIL_TERMS of the first: without its sine, each
 * term is at most exp(growth + log z) times the one before. */
FN int tail_terms(const struct tail *t, double log_z)
{
    double decay = -(t->growth + log_z), maximum = TAIL_TERMS - 2.0;
    return decay * maximum > -t->log_negligible ? 2 + (int) (-t->log_negligible / decay) : TAIL_TERMS;
}

/* Computes the sums of n terms, divided by z, without the factors alpha/(pi y) and 1/pi.  Returns 0 if those of the
 * density cancel. */
FN int tail_sums(const double *c, int n, double z, double *pdf, double *sf)
{
    double p = 0.0, s = 0.0, sizes = 0.0;
    for (int k = n; k >= 1; k--) {
        p = p * z + c[k - 1];
        s = s * z + c[k - 1] / k;
        sizes = sizes * z + fabs(c[k - 1]);
    }
    *pdf = p;
    *sf = s;
    return sizes <= TAIL_CANCEL * p;
}

/* The power series at zeta: with u = y cos(alpha theta0)^(1/alpha) (Zolotarev 1986, section 2.4),
 *
 *     f(zeta + y) = f(zeta) sum_{k>=0} q_k u^k,   q_k = Gamma((k+1)/alpha) / (Gamma(1/alpha) k!) s_k / s_0,
 *     s_k = (-1)^k sin((k+1) L) = sin((k+1) (pi - L)),
 *
 * which converges for alpha > 1 and is asymptotic for alpha < 1.  It is used if a term is, without its sine, below
 * 1e-18 of the first one and all terms before decrease.  Near zeta, log G is large, and its rounding error would
 * dominate the sums over nodes. */
#define NEAR_TERMS 20
#define NEAR_SECOND 0.05        /* largest second term, without its sine */
#define NEAR_LOG_U (-2.3)       /* log(2 NEAR_SECOND): above, the second term is larger, as Gamma(2 c) > Gamma(c)/2 */

/* Computes the sums over k of q_k u^k and of q_k u^k/(k+1).  Returns 0 if the series is not accurate enough. */
FN int near_zeta_sums(const struct law *law, const struct side *side, double log_u, double *pdf, double *mass)
{
    struct tail_angle angle = { side->L < side->supplement ? side->L : side->supplement, side->L < side->supplement };
    double inv = 1.0 / law->alpha, first = lgamma(inv), sine = sin(angle.smaller), log_factorial = 0.0, before = 1.0;
    *pdf = *mass = 1.0;
    for (int k = 1; k < NEAR_TERMS; k++) {
        log_factorial += log((double) k);
        double size = exp(lgamma((k + 1) * inv) - first - log_factorial + k * log_u);
        if (size <= 1e-18 * sine) return 1;
        if (size > (k == 1 ? NEAR_SECOND : before)) return 0;
        double term = size * (tail_sine(&angle, k + 1) / sine);
        *pdf += term;
        *mass += term / (k + 1);
        before = size;
    }
    return 0;
}

/* Computes v near zeta.  Returns 0 if the series is not accurate enough, or if the tail would cancel. */
NOINLINE int value_near_zeta(const struct law *law, const struct standardised_argument *p, struct stable_value *v)
{
    double log_u = p->log_y.hi - law->log_sec.hi / law->alpha, pdf, mass;
    if (!(log_u < NEAR_LOG_U) || !near_zeta_sums(law, argument_side(law, p), log_u, &pdf, &mass)) return 0;
    value_at_zeta(law, v);
    double part = value_scaled(v->pdf, v->pdf_scale) * p->y * mass;     /* the probability between zeta and x */
    int decreases = p->left != v->upper;
    if (decreases && part > 0.5 * v->tail) return 0;
    v->tail += decreases ? -part : part;
    v->pdf *= pdf;
    return 1;
}

/* Closed forms and boundary cases.  Returns 1 if v holds the value. */
FN int value_closed(const struct law *law, const struct standardised_argument *p, struct stable_value *v)
{
    double a = law->alpha;
    if (argument_side(law, p)->L <= 0.0) {  /* off the support */
        v->pdf_scale = v->tail_scale = v->pdf = v->tail = 0.0;
        v->upper = !p->left;
        return 1;
    }
    if (p->at_zeta) {
        value_at_zeta(law, v);
        return 1;
    }
    if (a == 0.5 && fabs(law->beta) == 1.0) {
        levy_value(p->y, v);
        if (p->left) v->upper = !v->upper;
        return 1;
    }
    return value_near_zeta(law, p, v);
}

/* Returns log z of the power series. */
FN double argument_log_z(const struct law *law, const struct standardised_argument *p)
{
    return law->log_sec.hi - law->alpha * p->log_y.hi;
}

/* TRUE if the light tail exp(-G0), which the power series does not contain, is negligible. */
FN int light_tail_is_negligible(const struct law *law, const struct standardised_argument *p)
{
    struct zolotarev_integrand b = { law, argument_side(law, p), p->near_one, p->log_G, -law->sign, 0.0 };
    double corner = integrand_corner(&b), slope;
    if (law->alpha < 1.0 || corner >= 0.0) return 1;
    return corner > -R_MAX && integrand_g(&b, 0.5 * corner, &slope) > 45.0 - 2.0 * corner;
}

#define LOG_MIN -680.0         /* smaller exponents are stored in the scales */

/* Sets v to density pdf z/y and tail probability tail z, either of which may underflow.  The exponential of log z would
 * have a relative error of |log z| eps. */
FN void value_set_scaled(double pdf, double tail, double z, double log_z, double y, double log_y,
                         struct stable_value *v)
{
    double log_density = log_z - log_y;
    v->pdf_scale = log_density < LOG_MIN ? log_density : 0.0;
    v->pdf = log_density < LOG_MIN ? pdf : pdf * z / y;
    v->tail_scale = log_z < LOG_MIN ? log_z : 0.0;
    v->tail = log_z < LOG_MIN ? tail : tail * z;
}

/* Returns z of the power series. */
FN double argument_z(const struct law *law, const struct standardised_argument *p)
{
    struct double_double none = { 0.0, 0.0 }, power = dd_scaled_difference(-law->alpha, p->log_y, none);
    return dd_exp(dd_add(power, law->log_sec));
}

/* Sets v to the value of the power series with the coefficients c.  Returns 0 if its terms cancel. */
FN int value_of_series(const struct law *law, const struct standardised_argument *p, const double *c, int n,
                       struct stable_value *v)
{
    double z = argument_z(law, p), pdf, sf;
    if (!tail_sums(c, n, z, &pdf, &sf)) return 0;
    value_set_scaled(law->alpha / PI * pdf, sf / PI, z, argument_log_z(law, p), p->y, p->log_y.hi, v);
    v->upper = !p->left;
    return 1;
}

/* Computes v by the power series at infinity.  Returns 0 if the series is not accurate enough at p. */
NOINLINE int value_tail(const struct law *law, const struct standardised_argument *p, const struct tail *t,
                        struct stable_value *v)
{
    double log_z = argument_log_z(law, p);
    if (log_z > t->log_z_max || !light_tail_is_negligible(law, p)) return 0;
    return value_of_series(law, p, t->c, tail_terms(t, log_z), v);
}

/* Computes v by the power series at infinity without stored coefficients, up to the first term that is below
 * 1e-18/TAIL_TERMS of the first one.  Returns 0 if the series is not accurate enough at p. */
NOINLINE int value_tail_streamed(const struct law *law, const struct standardised_argument *p, struct stable_value *v)
{
    struct tail_angle angle = tail_angle_of(law, argument_side(law, p));
    double log_z = argument_log_z(law, p), z = exp(log_z), c[TAIL_TERMS], first = 0.0, size = 0.0, factorial = 1.0;
    int n = 0;
    if (!light_tail_is_negligible(law, p)) return 0;
    while (n == 0 || size > first + log(1e-18 / TAIL_TERMS)) {
        double before = size;
        if (n == TAIL_TERMS) return 0;
        if (n++ > 1) factorial *= n - 1;                         /* Gamma(n) */
        size = lgamma(law->alpha * n) - log(factorial);
        c[n - 1] = tail_gamma(law, n, size) * tail_sine(&angle, n);
        size += (n - 1) * log_z;
        if (n == 1) first = size;
        else if (size > before || (n == 2 && -c[1] * z > TAIL_SECOND * c[0])) return 0;
    }
    return value_of_series(law, p, c, n, v);
}

/* alpha = 1 and x so large that the tail equals (1 +- beta)/(pi x) to full precision: the next term is of size
 * log(x)/x. */
FN int value_leading_term(const struct law *law, double x, struct stable_value *v)
{
    double weight = 1.0 + (x > 0.0 ? law->beta : -law->beta), y = fabs(x);
    if (law->alpha != 1.0 || !(weight * y > 1e22)) return 0;
    double log_y = log(y);
    value_set_scaled(weight / PI, weight / PI, 1.0 / y, -log_y, y, log_y, v);
    v->upper = x > 0.0;
    return 1;
}

/* The light tail as exp(-G0) with the leading factor of Laplace's method, where G0 is so large that its rounding error
 * exceeds the next term. */
NOINLINE int value_laplace(const struct law *law, const struct standardised_argument *p, struct stable_value *v)
{
    const struct side *s = argument_side(law, p);
    struct zolotarev_integrand b = { law, s, p->near_one, p->log_G, -law->sign, 0.0 };
    double slope, w, G0, root;
    if (s->h_eps != 0.0) return 0;      /* the tail is not purely light */
    w = integrand_w(&b, -30.0, &slope);
    if (w < 29.0) return 0;             /* exp(29) = 4e12 */
    G0 = exp(w);
    root = sqrt(0.5 * PI / (law->alpha * G0));
    v->pdf_scale = v->tail_scale = -G0;
    v->tail = root / PI;
    v->pdf = p->front * root * (G0 < 1e300 ? G0 : 1e300);
    v->upper = law->alpha > 1.0;
    v->error = EPSILON * (30.0 + (G0 < INFINITY ? 4.0 * fabs(p->log_G.hi) : 0.0));
    if (p->left) v->upper = !v->upper;
    return 1;
}

/* Converts the sums at an argument to the density and the smaller tail. */
FN void value_from_sums(const struct law *law, const struct standardised_argument *p, const struct sums *sums,
                        struct stable_value *v)
{
    const struct side *s = argument_side(law, p);
    double pdf = sums->pdf, tail = sums->tail, scale = sums->scale;
    /* the tail is P(zeta < X <= x), to which the probability below zeta is added */
    int to_zeta = !sums->upper && s->supplement > 0.0;
    if (scale > -1.0 || to_zeta) {
        double factor = value_scaled(1.0, scale);
        pdf *= factor;
        tail *= factor;
        scale = 0.0;
    }
    v->error = sums->error;
    v->pdf = pdf * p->front;
    v->tail = tail / PI;
    v->pdf_scale = v->tail_scale = scale;
    v->upper = sums->upper;
    if (to_zeta) {
        double cdf = (s->supplement + tail) / PI, sf = (s->L - tail) / PI;
        v->upper = sf < cdf;
        v->tail = sf < cdf ? sf : cdf;
    }
    if (p->left) v->upper = !v->upper;
}

/* The slope of the log density near zeta.
 *
 * With y = x - zeta, u = y cos(alpha theta0)^(1/alpha) and theta0 = L - pi/2 (Zolotarev 1986, section 2.4)
 *
 *     f(x) ~ sum_{k>=0} Gamma((k+1)/alpha) / k!  cos((k+1) theta0 - k pi/2) u^k,
 *
 * which converges for alpha > 1 and is asymptotic for alpha < 1.  For |u| <= CENTRE_REACH and alpha >= CENTRE_ALPHA the
 * first omitted term is below 1e-20.  The series remains accurate as y -> 0, where the derivative of Zolotarev's
 * integral is divided by y.
 */
#define CENTRE_ALPHA 0.95
#define CENTRE_REACH 0.05
#define CENTRE_TERMS 20

/* Returns u. */
FN double centre_u(const struct law *law, double y)
{
    return y * exp(-law->log_sec.hi / law->alpha);
}

/* Returns d log f / d x at zeta + y for alpha >= CENTRE_ALPHA and |u| <= CENTRE_REACH. */
FN double centre_slope(const struct law *law, double y)
{
    double u = centre_u(law, y), theta0 = law->right.L - HALF_PI;
    double f = tgamma(1.0 / law->alpha) * cos(theta0), slope = 0.0, power = 1.0;
    for (int k = 1; k <= CENTRE_TERMS; k++) {
        double c = tgamma((k + 1) / law->alpha) * cos((k + 1) * theta0 - k * HALF_PI) * power;
        slope += c;                               /* power = u^(k-1)/(k-1)! */
        f += c * u / k;
        power *= u / k;
    }
    return slope / f * exp(-law->log_sec.hi / law->alpha);
}

/* Returns d log f / d x at zeta + y for alpha < 1 from the terms of the series up to the smallest.  *error is the size
 * of the smallest term, without its cosine, since the remainder is of that size, plus the rounding error of the terms.
 * It is infinite where f is no longer approximately f(zeta). */
FN double centre_slope_below_one(const struct law *law, double y, double *error)
{
    double inv = 1.0 / law->alpha, theta0 = law->right.L - HALF_PI, log_sec = law->log_sec.hi;
    double log_u = log(fabs(y) + 1e-300) - log_sec * inv;
    double f = cos(theta0), slope = 0.0, last = INFINITY, sum = 0.0, log_first = lgamma(inv);
    for (int k = 1; k <= CENTRE_TERMS; k++) {
        double log_size = lgamma((k + 1) * inv) - log_first - lgamma((double) k) + (k - 1) * log_u;
        double size = exp(log_size), c = size * cos((k + 1) * theta0 - k * HALF_PI);
        if (!(size < last) || size == 0.0) break;
        if (y < 0.0 && !(k & 1)) c = -c;                 /* u^(k-1) */
        slope += c;
        sum += size;
        f += c * exp(log_u) * (y < 0.0 ? -1.0 : 1.0) / k;
        last = size;
    }
    slope *= exp(-log_sec * inv) / f;
    last = (last + 1e-14 * sum) * exp(-log_sec * inv) / fabs(f);
    *error = fabs(y * slope) < 0.1 ? last * (1.0 + fabs(y * slope)) : INFINITY;
    return slope;
}

#endif
