"""Makes tests/testthat/data/shortfall.csv: reference values of the mean of a standard S0 distribution above a quantile.

    python3 data-raw/shortfall-reference.py > tests/testthat/data/shortfall.csv

For alpha > 1 and u = q - zeta > 0 Zolotarev's representation (Nolan 1997, Theorem 1) is
P(Z > q) = 1/pi int exp(-u^e V(theta)) dtheta over (-theta0, pi/2), e = alpha/(alpha - 1).  Hence, with U = Z - zeta,

    E[U; U > u] = u P + int_u^inf P(U > t) dt = 1/pi int V^(-1/e) Gamma(1 + 1/e, u^e V) dtheta,

with Gamma(., .) the upper incomplete gamma function: a single integral, computed with 20 digits.  The package
instead integrates the distribution function along x and the power series of the tail.  A row is kept if two
subdivisions of the range agree to AGREED.
"""
import mpmath as mp

mp.mp.dps = 20
AGREED = mp.mpf("1e-14")

LAWS = [(1.3, 0.7), (1.3, -0.9), (1.5, 0.0), (1.5, -1.0), (1.7, 0.2), (1.9, -0.5), (1.99, 1.0),
        (1.999, -0.7)]
POINTS = [0.0, 0.5, 3.0, 8.0, 40.0, 1e4, 1e9]


def upper(alpha, beta, q, parts):
    a, b, q = mp.mpf(alpha), mp.mpf(beta), mp.mpf(q)
    slope = b * mp.tan(mp.pi * a / 2)
    zeta, theta0, e = -slope, mp.atan(slope) / a, a / (a - 1)
    u = q - zeta

    # Substitute theta = pi/2 - s and s = t^e: the integrand of the mean behaves like s^(-1/alpha) at s = 0 and is
    # finite as a function of t.
    end = theta0 + mp.pi / 2
    factor = mp.cos(a * theta0) ** (1 / (a - 1))

    def v(s):
        c, gap = mp.sin(s), mp.sin(a * (end - s))
        if gap <= 0:                                              # the end of the range, up to rounding
            return mp.inf
        return factor * (c / gap) ** e * mp.cos(a * theta0 + (a - 1) * (mp.pi / 2 - s)) / c

    def partial_mean(s):
        w = u ** e * v(s)
        return v(s) ** (-1 / e) * mp.gammainc(1 + 1 / e, w) if w < 100 else mp.mpf(0)      # exp(-100) = 4e-44

    cuts = [(end * k / parts) ** (1 / e) for k in range(parts + 1)]
    p = mp.quad(lambda t: mp.exp(-u ** e * v(t ** e)) * e * t ** (e - 1), cuts) / mp.pi
    mean = mp.quad(lambda t: partial_mean(t ** e) * e * t ** (e - 1), cuts) / mp.pi
    return p, zeta + mean / p


print("# parametrisation 0; made by data-raw/shortfall-reference.py; es is E[Z | Z > q], sf is P(Z > q)")
print("alpha,beta,q,sf,es")
for alpha, beta in LAWS:
    for q in POINTS:
        if q <= -beta * mp.tan(mp.pi * mp.mpf(alpha) / 2):
            continue
        try:
            (p, es), (p2, es2) = upper(alpha, beta, q, 12), upper(alpha, beta, q, 17)
        except (ValueError, ZeroDivisionError, mp.libmp.NoConvergence):
            continue
        if p > 1e-20 and abs(p / p2 - 1) < AGREED and abs(es / es2 - 1) < AGREED:
            print(",".join([repr(alpha), repr(beta), repr(q), mp.nstr(p, 20), mp.nstr(es, 20)]), flush=True)
