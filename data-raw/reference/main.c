/* Reference values of stable distributions (reference.h).
 *
 *     reference points [DIGITS] < lines "alpha beta x"
 *         prints alpha,beta,x,pdf,logpdf,cdf,sf,ulp_pdf,ulp_cdf,ulp_sf; ulp_*: the relative change of the value when x
 *         moves to the next double, the larger of both sides.
 *     reference quantiles [DIGITS] < lines "alpha beta p start"
 *         prints alpha,beta,p,q,pdf; `start` is any approximation to the quantile q.  q is accepted if, for both
 *         methods, the enclosures of the distribution function at q (1 -+ 10^-DIGITS) lie below and above p.
 *     reference scores [DIGITS] < lines "alpha beta x"
 *         prints alpha,beta,x,d_alpha,d_beta,d_x: the derivatives of the log density (scores.c), one-sided at alpha = 2
 *         and beta = +-1.
 *     reference check
 *         compares all methods at the points of a list, and derivatives, with closed forms where there are any; exit
 *         status 1 if two enclosures do not overlap, or a derivative is wrong.
 *
 * Two methods must agree to DIGITS decimal digits (30); DIGITS - 5 digits are printed.  Scores have DIGITS digits (20).
 * Points where the methods do not agree, or where one fails, are reported on standard error and left out.  alpha, beta,
 * x and p are read as doubles.
 */
#include "reference.h"

#define ULP_BITS 75                     /* accuracy of the values from which ulp_* are computed */

void write_number(FILE *file, const arb_t x, slong digits)
{
    char *text = arb_get_str(x, digits, ARB_STR_NO_RADIUS), *mark = strchr(text, 'e'), *c;
    long exponent = mark ? atol(mark + 1) : 0, seen = 0, point = -1, first = -1;
    char *figures = malloc(strlen(text) + 1);
    if (mark) *mark = 0;
    for (c = text; *c; c++) {
        if (*c == '.') point = seen;
        if (*c < '0' || *c > '9') continue;
        if (first < 0 && *c != '0') first = seen;
        figures[seen++] = *c;
    }
    if (first < 0) fputs("0", file);
    else {
        figures[seen] = 0;
        exponent += (point < 0 ? seen : point) - 1 - first;
        fprintf(file, "%s%c.%se%+ld", *text == '-' ? "-" : "", figures[first], figures + first + 1, exponent);
    }
    free(figures);
    flint_free(text);
}

static int one_method(struct value *v, const struct point *p, slong goal)
{
    slong bits;
    if (outside_support(p)) return agreed_value(v, p, goal, &bits);
    return closed(v, p, goal) || nolan(v, p, goal);
}

/* |b/a - 1|, or 0 if both are 0 */
static double relative_change(const arb_t a, const arb_t b)
{
    arb_t t;
    double change;
    if (arb_is_zero(a)) return arb_is_zero(b) ? 0 : HUGE_VAL;
    arb_init(t);
    arb_sub(t, b, a, 400);
    arb_div(t, t, a, 400);
    change = fabs(arf_get_d(arb_midref(t), ARF_RND_NEAR));
    arb_clear(t);
    return change;
}

/* The effect of one ulp of x on the three values; -1 if it cannot be computed. */
static void effects_of_ulp(double ulp[3], const struct value *v, const struct point *p, double x)
{
    struct point q;
    struct value w;
    point_init(&q);
    value_init(&w);
    ulp[0] = ulp[1] = ulp[2] = 0;
    for (int k = 0; k < 2; k++) {
        arb_set_d(q.x, nextafter(x, k ? HUGE_VAL : -HUGE_VAL));
        q.alpha = p->alpha;
        q.beta = p->beta;
        if (!(outside_support(&q) ? one_method(&w, &q, ULP_BITS)
                                  : contour(&w, &q, v, ULP_BITS) || one_method(&w, &q, ULP_BITS))) {
            ulp[0] = ulp[1] = ulp[2] = -1;
            break;
        }
        ulp[0] = fmax(ulp[0], relative_change(v->pdf, w.pdf));
        ulp[1] = fmax(ulp[1], relative_change(v->cdf, w.cdf));
        ulp[2] = fmax(ulp[2], relative_change(v->sf, w.sf));
    }
    point_clear(&q);
    value_clear(&w);
}

static void write_point(const struct point *p, double x, const struct value *v, slong digits)
{
    double ulp[3];
    arb_t log_pdf;
    arb_init(log_pdf);
    arb_log(log_pdf, v->pdf, (slong) (digits * BITS_PER_DIGIT) + 60);
    effects_of_ulp(ulp, v, p, x);
    printf("%.17g,%.17g,%.17g,", p->alpha, p->beta, x);
    write_number(stdout, v->pdf, digits);
    putchar(',');
    if (arb_is_zero(v->pdf)) fputs("-Inf", stdout);
    else write_number(stdout, log_pdf, digits);
    putchar(',');
    write_number(stdout, v->cdf, digits);
    putchar(',');
    write_number(stdout, v->sf, digits);
    for (int k = 0; k < 3; k++) ulp[k] < HUGE_VAL ? printf(",%.3g", ulp[k]) : printf(",1");
    putchar('\n');
    fflush(stdout);
    arb_clear(log_pdf);
}

static void points(slong digits)
{
    double alpha, beta, x;
    slong bits;
    struct point p;
    struct value v;
    point_init(&p);
    value_init(&v);
    puts("alpha,beta,x,pdf,logpdf,cdf,sf,ulp_pdf,ulp_cdf,ulp_sf");
    while (scanf("%lf %lf %lf", &alpha, &beta, &x) == 3) {
        p.alpha = alpha;
        p.beta = beta;
        arb_set_d(p.x, x);
        if (agreed_value(&v, &p, (slong) (digits * BITS_PER_DIGIT) + 4, &bits)) write_point(&p, x, &v, digits - 5);
        else fprintf(stderr, "left out: %.17g %.17g %.17g\n", alpha, beta, x);
    }
    point_clear(&p);
    value_clear(&v);
}

/* F(x) - p, by the smaller tail */
static void excess(arb_t d, const struct value *v, double p, slong prec)
{
    arb_t t;
    arb_init(t);
    arb_set_d(t, p);
    if (p > 0.5) {
        arb_sub_si(t, t, 1, 10000);
        arb_neg(t, t);
        arb_sub(d, t, v->sf, prec);
    } else arb_sub(d, v->cdf, t, prec);
    arb_clear(t);
}

/* Newton's method for F(x) = p from p->x; 0 if it does not converge.  A small quantile needs more digits of F. */
static int newton(struct point *p, double probability, struct value *v, slong goal)
{
    arb_t step;
    double change = HUGE_VAL;
    slong more = goal + 20 + (slong) fmin(fmax(0, -log2_of(p->x)), 1000);
    arb_init(step);
    for (int k = 0; k < 30 && change > -(double) goal; k++) {
        if (!(k > 0 && contour(v, p, v, more)) && !one_method(v, p, k == 0 ? 70 : more)) break;
        excess(step, v, probability, goal + 400);
        arb_div(step, step, v->pdf, goal + 400);
        if (!arb_is_finite(step)) break;
        arb_sub(p->x, p->x, step, goal + 400);
        mag_zero(arb_radref(p->x));
        arf_set_round(arb_midref(p->x), arb_midref(p->x), goal + 400, ARF_RND_NEAR);
        change = log2_of(step) - log2_of(p->x);
    }
    arb_clear(step);
    return change <= -(double) goal;
}

/* Nonzero if both methods enclose F(x) - p on the given side of 0. */
static int certain_sign(const struct point *q, double p, int sign, slong goal)
{
    struct value v, w;
    arb_t d, e;
    int certain, second;
    value_init(&v); value_init(&w); arb_init(d); arb_init(e);
    certain = nolan(&v, q, goal);
    second = closed(certain ? &w : &v, q, goal);
    if (!certain || !second) certain = (certain || second) && contour(&w, q, &v, goal);
    if (certain) {
        excess(d, &v, p, goal + 400);
        excess(e, &w, p, goal + 400);
        certain = sign < 0 ? arb_is_negative(d) && arb_is_negative(e) : arb_is_positive(d) && arb_is_positive(e);
    }
    value_clear(&v); value_clear(&w); arb_clear(d); arb_clear(e);
    return certain;
}

/* Verifies that the quantile lies between x (1 - 10^-digits) and x (1 + 10^-digits). */
static int verified(const struct point *p, double probability, const struct value *v, slong digits)
{
    struct point q;
    arb_t gap;
    int good = 1;
    double smaller = fmin(probability, 1 - probability);
    slong goal = (slong) (digits * BITS_PER_DIGIT + log2(smaller) - log2_of(v->pdf) - log2_of(p->x)) + 10;
    if (goal < 80) goal = 80;
    point_init(&q);
    arb_init(gap);
    arb_set_si(gap, 10);
    arb_pow_ui(gap, gap, (ulong) digits, 400);
    arb_div(gap, p->x, gap, 400);
    arb_abs(gap, gap);
    mag_zero(arb_radref(gap));
    for (int sign = -1; sign <= 1 && good; sign += 2) {
        point_set(&q, p->alpha, p->beta, p->x);
        if (sign < 0) arb_sub(q.x, q.x, gap, goal + 400);
        else arb_add(q.x, q.x, gap, goal + 400);
        mag_zero(arb_radref(q.x));
        good = certain_sign(&q, probability, sign, goal);
    }
    point_clear(&q);
    arb_clear(gap);
    return good;
}

static void write_quantile(const struct point *p, double probability, const struct value *v, slong digits)
{
    printf("%.17g,%.17g,%.17g,", p->alpha, p->beta, probability);
    write_number(stdout, p->x, digits - 5);
    putchar(',');
    write_number(stdout, v->pdf, 6);
    putchar('\n');
    fflush(stdout);
}

static void quantiles(slong digits)
{
    double alpha, beta, probability, start;
    struct point p;
    struct value v;
    point_init(&p);
    value_init(&v);
    puts("alpha,beta,p,q,pdf");
    while (scanf("%lf %lf %lf %lf", &alpha, &beta, &probability, &start) == 4) {
        p.alpha = alpha;
        p.beta = beta;
        arb_set_d(p.x, start);
        if (beta == 0 && probability == 0.5) {                  /* the centre of symmetry */
            arb_zero(p.x);
            if (one_method(&v, &p, ULP_BITS)) write_quantile(&p, probability, &v, digits);
        } else if (newton(&p, probability, &v, (slong) (digits * BITS_PER_DIGIT) + 10) &&
            verified(&p, probability, &v, digits)) {
            write_quantile(&p, probability, &v, digits);
        } else fprintf(stderr, "left out: %.17g %.17g p = %.17g\n", alpha, beta, probability);
    }
    point_clear(&p);
    value_clear(&v);
}

/* Writes a derivative, whose error may be 10^-digits; 0 if it is smaller than that. */
static void write_score(const arb_t slope, slong digits)
{
    putchar(',');
    if (log2_of(slope) < -(double) digits * BITS_PER_DIGIT) putchar('0');
    else write_number(stdout, slope, digits);
}

static void all_scores(slong digits)
{
    double at[3];
    arb_t slope[3];
    for (int k = 0; k < 3; k++) arb_init(slope[k]);
    puts("alpha,beta,x,d_alpha,d_beta,d_x");
    while (scanf("%lf %lf %lf", at, at + 1, at + 2) == 3) {
        if (!scores(slope, at, digits)) {
            fprintf(stderr, "left out: %.17g %.17g %.17g\n", at[0], at[1], at[2]);
            continue;
        }
        printf("%.17g,%.17g,%.17g", at[0], at[1], at[2]);
        for (int k = 0; k < 3; k++) write_score(slope[k], digits);
        putchar('\n');
        fflush(stdout);
    }
    for (int k = 0; k < 3; k++) arb_clear(slope[k]);
}

/* Compares the methods at one point; returns 1 on failure. */
static int check_point(struct point *p, double alpha, double beta, double x, slong goal, int *comparisons)
{
    int methods;
    slong bits;
    p->alpha = alpha;
    p->beta = beta;
    arb_set_d(p->x, x);
    if (outside_support(p)) return 0;
    bits = check_methods(p, goal, &methods);
    if (methods < 2) return 0;
    ++*comparisons;
    if (bits >= goal) return 0;
    printf("%.17g %.17g %.17g: %d methods agree to %ld bits only\n", alpha, beta, x, methods, (long) bits);
    return 1;
}

static int check(void)
{
    static const double alpha[] = {0.1, 0.5, 0.55, 0.99, 1 - 1e-12, 1, 1 + 1e-14, 1.01, 1.5, 1.9999999, 2};
    static const double beta[] = {-1, -0.999, 0, 1e-9, 0.5, 1};
    static const double x[] = {-1e15, -20, -0.5, 1e-9, 0.3, 4, 1e100};
    struct point p;
    int failures = 0, comparisons = 0, tried = 0;
    slong goal = (slong) (30 * BITS_PER_DIGIT) + 4;
    point_init(&p);
    for (size_t i = 0; i < sizeof alpha / sizeof *alpha; i++)
        for (size_t j = 0; j < sizeof beta / sizeof *beta; j++)
            for (size_t k = 0; k < sizeof x / sizeof *x; k++) {
                tried++;
                failures += check_point(&p, alpha[i], beta[j], x[k], goal, &comparisons);
            }
    printf("%d points, at %d of them two or three methods, %d disagreements\n", tried, comparisons, failures);
    failures += check_scores(20);
    point_clear(&p);
    return failures > 0;
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "";
    slong digits = argc > 2 ? atol(argv[2]) : 30;
    if (digits < 10 || digits > 1000) digits = 30;
    if (!strcmp(mode, "points")) points(digits);
    else if (!strcmp(mode, "quantiles")) quantiles(digits);
    else if (!strcmp(mode, "scores")) all_scores(argc > 2 ? digits : 20);
    else if (!strcmp(mode, "check")) return check();
    else {
        fputs("usage: reference points|quantiles|scores|check [DIGITS] < lines\n", stderr);
        return 2;
    }
    return 0;
}
