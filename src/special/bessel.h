/* Bessel functions of the first and second kind, orders 0 and 1.
 *
 * For x < 8, let t = x^2/32 - 1, let C_n and E_n be Chebyshev sums in t, and let z1 and z2 be the zeros of J_n in
 * (0, 8):
 *
 *     J_n = x^n (x^2 - z1^2) (x^2 - z2^2) C_n(t)
 *     Y_0 = E_0(t) + (2/pi) log(x) J_0,   Y_1 = x E_1(t) + (2/pi) (log(x) J_1 - 1/x)
 *
 * For x >= 8, let P_n and x Q_n be Chebyshev sums in t = 128/x^2 - 1, and let chi = x - pi/4 - n pi/2:
 *
 *     J_n = sqrt(2/(pi x)) (P_n cos chi - Q_n sin chi),   Y_n = sqrt(2/(pi x)) (P_n sin chi + Q_n cos chi)
 *
 * (Abramowitz and Stegun 1964, 9.1.11, 9.2.5).  The coefficients come from data-raw/incomplete-and-bessel.py,
 * truncated at 2e-18.
 *
 * Error, against mpmath at 9000 points up to 2e6 and 30000 near 8: 3e-15 relative for J_n at x < 8;
 * otherwise absolute, 5e-15 times sqrt(2/(pi x)) or, near 0, times the value.
 */
#ifndef STABLECL_SPECIAL_BESSEL_H
#define STABLECL_SPECIAL_BESSEL_H

#include "elementary.h"

#define BESSEL_FAR 8.0
#define BESSEL_TERMS(table) ((int)(sizeof(table) / sizeof(double)))

TABLE double bessel_j0_near[15] = {
    1.99035550016014855068e-3, -2.62093913849702510741e-3, 8.6877214720625765228e-4, -1.70405849515573578359e-4,
    2.20490863945481701156e-5, -2.02488949800128347544e-6, 1.3898025173428905038e-7, -7.40670125434416682982e-9,
    3.15599275836113330536e-10, -1.10038608279396978253e-11, 3.19892329702334783655e-13, -7.875041254709154765e-15,
    1.66325880152112776788e-16, -3.04759937566983754685e-18, 4.89122900558111773564e-20
};
TABLE double bessel_y0_near[17] = {
    -3.31461132032849416557e-2, -2.74474305529745265288e-1, 1.79034314077182662988e-1, 2.61567346255046636796e-1,
    -1.77302012781143582117e-1, 4.71966895957633868745e-2, -7.2879624795520791794e-3, 7.53113593257774228074e-4,
    -5.63207914105698697514e-5, 3.20653253765480097926e-6, -1.44072332740186994789e-7, 5.24879478733051612319e-9,
    -1.58375525418120151225e-10, 4.02633081830612075309e-12, -8.7473412033107695544e-14, 1.64348987149194690378e-15,
    -2.69778811525668356322e-17
};
TABLE double bessel_p0[14] = {
    9.99460349347518665371e-1, -5.36522046813211742472e-4, 3.07518478751947462194e-6, -5.17059453760609770104e-8,
    1.63064646351513830948e-9, -7.86409137723706999901e-11, 5.1682623873491924622e-12, -4.30457886992539122235e-13,
    4.32659574315494056419e-14, -5.06903409593523607751e-15, 6.74807221573387370407e-16, -1.00115137234677858339e-16,
    1.63059192337441847361e-17, -2.880866169482871202e-18
};
TABLE double bessel_q0[16] = {
    -1.24446836842696072797e-1, 5.47081595408931967952e-4, -5.93159872884851781163e-6, 1.43779657983751934276e-7,
    -5.81753274949305598353e-9, 3.37609752373499075505e-10, -2.56539793679730779569e-11, 2.40491610028136504896e-12,
    -2.66906254825794159758e-13, 3.40418003219636889857e-14, -4.87994410531204000784e-15, 7.72970317624260539018e-16,
    -1.33488521715025170404e-16, 2.486595238939051547e-17, -4.95289262988651594196e-18, 1.04731589737760972385e-18
};
TABLE double bessel_j1_near[15] = {
    2.78957098876131036236e-4, -3.11568403664356178479e-4, 8.55364658854053777713e-5, -1.41493564256234843996e-5,
    1.57647009922588908864e-6, -1.2690755023694251413e-7, 7.74761407707305685859e-9, -3.71657714667577216011e-10,
    1.43954176693125542975e-11, -4.60007822413451987555e-13, 1.23414655896197173671e-14, -2.82054662395248566477e-16,
    5.55882106595157196462e-18, -9.5469308657552193298e-20, 1.44182917813150512703e-21
};
TABLE double bessel_y1_near[17] = {
    2.5380132357417817303e-3, -1.60871730476687501729e-2, -9.59120453608307424724e-2, 8.44519725965234583677e-2,
    -2.83281239445943655543e-2, 5.28989754416711301413e-3, -6.41455145132635598735e-4, 5.50598287333874383764e-5,
    -3.5380800186893499017e-6, 1.77078045561544034101e-7, -7.11055004989927978193e-9, 2.34433790591151639466e-10,
    -6.46515184141159424183e-12, 1.51429151205001995451e-13, -3.051185969447325274e-15, 5.34668038572867012306e-17,
    -8.22491137202158462942e-19
};
TABLE double bessel_p1[14] = {
    1.0009030408600136999, 8.9898983308594085557e-4, -3.98728430048890852283e-6, 6.17763396064429853492e-8,
    -1.87189074910630660866e-9, 8.81689865958233889846e-11, -5.70486364039564470186e-12, 4.69919551523054237521e-13,
    -4.68422378399048922159e-14, 5.45267489604471716827e-15, -7.22118084227401791887e-16, 1.06676891143354124566e-16,
    -1.73123132161163349734e-17, 3.04929911976658722613e-18
};
TABLE double bessel_q1[16] = {
    3.74222296556282601925e-1, -7.7021788393256634594e-4, 7.31089220636436329956e-6, -1.67678251072667379684e-7,
    6.58335466212044330316e-9, -3.74909095054155618437e-10, 2.81217503597488646806e-11, -2.61145253946231994081e-12,
    2.87742126633322335436e-13, -3.64900191606183775544e-14, 5.20662636622670716312e-15, -8.21531802545859429077e-16,
    1.41410843902118332826e-16, -2.62676158983852916842e-17, 5.21926491967140824252e-18, -1.1012617187879590425e-18
};

/* Evaluates a Chebyshev sum by Clenshaw's recurrence.  This is a macro because the table lies in the constant address
 * space of OpenCL C 1.2, which a C99 function parameter cannot name. */
#define BESSEL_SUM(table, t, sum) do { \
    double b1 = 0.0, b2 = 0.0; \
    for (int k = BESSEL_TERMS(table) - 1; k > 0; k--) { \
        double b = 2.0 * (t) * b1 - b2 + (table)[k]; \
        b2 = b1; \
        b1 = b; \
    } \
    (sum) = (t) * b1 - b2 + (table)[0]; \
} while (0)

/* Returns (x^2 - z1^2)(x^2 - z2^2), where each zero of J_0 is the sum of two doubles. */
FN double bessel_j0_zeros(double x)
{
    return ((x - 2.4048255576957728863) + 1.1766916515308941221e-16) * (x + 2.4048255576957728863)
         * (((x - 5.5200781102863105687) - 8.0885971461467223092e-17) * (x + 5.5200781102863105687));
}

/* Returns the same product for J_1. */
FN double bessel_j1_zeros(double x)
{
    return ((x - 3.8317059702075124683) + 1.5269184090088067468e-16) * (x + 3.8317059702075124683)
         * (((x - 7.0155866698156188477) + 9.4141656534103890982e-17) * (x + 7.0155866698156188477));
}

FN double bessel_j_near(double x, int order)
{
    double t = x * x / 32.0 - 1.0, c;
    if (order == 0) {
        BESSEL_SUM(bessel_j0_near, t, c);
        return c * bessel_j0_zeros(x);
    }
    BESSEL_SUM(bessel_j1_near, t, c);
    return x * c * bessel_j1_zeros(x);
}

FN double bessel_y_near(double x, int order)
{
    double t = x * x / 32.0 - 1.0, e;
    if (order == 0) BESSEL_SUM(bessel_y0_near, t, e);
    else BESSEL_SUM(bessel_y1_near, t, e);
    e += 2.0 / PI * log(x) * bessel_j_near(x, order) / (order ? x : 1.0);
    return order ? x * e - 2.0 / (PI * x) : e;
}

FN double bessel_far(double x, int order, int second)
{
    double y = BESSEL_FAR / x, t = 2.0 * y * y - 1.0, p, q, c, s = sin_and_cos(x, &c);
    double sum = c + s, difference = s - c;              /* sqrt(2) times the cosine and sine of x - pi/4 */
    if (order == 0) {
        BESSEL_SUM(bessel_p0, t, p);
        BESSEL_SUM(bessel_q0, t, q);
    } else {
        BESSEL_SUM(bessel_p1, t, p);
        BESSEL_SUM(bessel_q1, t, q);
    }
    q /= x;
    double cosine = order ? difference : sum, sine = order ? -sum : difference;
    return (second ? p * sine + q * cosine : p * cosine - q * sine) / sqrt(PI * x);
}

/* J_n(x), with the conventions of besselJ() in R: NaN for x < 0. */
NOINLINE double bessel_j(double x, int order)
{
    if (!(x >= 0.0)) return NAN;
    if (x == INFINITY) return 0.0;
    return x < BESSEL_FAR ? bessel_j_near(x, order) : bessel_far(x, order, 0);
}

/* Y_n(x), with the conventions of besselY() in R: NaN for x < 0, -Inf at 0. */
NOINLINE double bessel_y(double x, int order)
{
    if (!(x >= 0.0)) return NAN;
    if (x == 0.0) return -INFINITY;
    if (x == INFINITY) return 0.0;
    return x < BESSEL_FAR ? bessel_y_near(x, order) : bessel_far(x, order, 1);
}

#endif
