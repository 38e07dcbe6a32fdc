"""Makes tests/testthat/data/draws.csv: random numbers computed with 60 digits (needs mpmath).

    python3 data-raw/draw-reference.py > tests/testthat/data/draws.csv

Elements of the stream with key KEY, computed by the formula of Chambers, Mallows and Stuck from
the bits of Philox: the first few, and of the first 100000 those whose angle is closest to an end
or to the middle and those with the smallest and the largest exponential variate.  S0 for alpha
within 0.1 of 1, S1 elsewhere.

Column `unit` is the effect of the rounding of one term on the number: 2^-53 (1 + |d| + 1/alpha)
times the sum of the absolute terms in stable/random.h, or times 1 + |x| near alpha = 1.
"""
from mpmath import cos, exp, log, mp, mpf, nstr, pi, sin, tan

mp.dps = 60
KEY = (4247333093, 1708303714)          # set.seed(7); floor(runif(2) * 2^32)
ALPHAS = (0.01, 0.2, 0.4999, 0.5, 0.8, 0.9, 0.99, 1, 1 + 2**-50, 1.01, 1.1, 1.5, 1.9, 2)
BETAS = (-1, -0.9, 0, 2**-30, 0.5, 1)
FIRST, SEARCHED = 3, 100000


def philox(i):
    c, k = [i, 0, 0, 0], list(KEY)
    for _ in range(10):
        a, b = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [b >> 32 ^ c[1] ^ k[0], b & 0xFFFFFFFF, a >> 32 ^ c[3] ^ k[1], a & 0xFFFFFFFF]
        k = [(k[0] + 0x9E3779B9) % 2**32, (k[1] + 0xBB67AE85) % 2**32]
    return c[0] << 32 | c[1], c[2] << 32 | c[3]


def inputs(i):
    """Returns the angle V and the exponential variate W."""
    angle, level = philox(i)
    v = pi / 2 * (1 - (angle % 2**63 + mpf(1) / 2) / 2**63)
    return (-v if angle >> 63 else v), -log((level + mpf(1) / 2) / 2**64)


def number(alpha, beta, v, w):
    """Returns the variate and its unit."""
    alpha, beta = mpf(alpha), mpf(beta)
    near_one = abs(alpha - 1) < 0.1
    if alpha == 1:
        alpha += mpf(10) ** -28
    e = 1 - alpha
    zeta = mpf(0) if alpha == 2 else -beta / tan(pi * e / 2)
    d = e / alpha * log((cos(e * v) - zeta * sin(e * v)) / (w * cos(v)))
    x = (sin(alpha * v) - zeta * cos(alpha * v)) / cos(v) * exp(d) + (zeta if near_one else 0)
    if near_one:
        terms = 1 + abs(x)
    else:
        skew = 1 + beta * (1 if v > 0 else -1)
        terms = sin(alpha * (pi / 2 - abs(v))) + skew * sin(pi / 2 * min(alpha, 2 - alpha)) * cos(alpha * v)
        terms *= exp(d) / abs(sin(pi * e / 2) * cos(v))
    return x, mpf(2) ** -53 * terms * (1 + abs(d) + 1 / alpha)


def chosen():
    angle, level = zip(*(philox(i) for i in range(SEARCHED)))
    distance = [a % 2**63 for a in angle]
    at = list(range(FIRST))
    for column in (distance, level):
        at += [column.index(min(column)), column.index(max(column))]
    return at


print("# random numbers in 60 digits; made by data-raw/draw-reference.py; index counts from 0")
print("alpha,beta,index,x,unit")
for i in chosen():
    v, w = inputs(i)
    for alpha in ALPHAS:
        for beta in BETAS:
            x, unit = number(alpha, beta, v, w)
            print(repr(float(alpha)), repr(float(beta)), i, nstr(x, 20), nstr(unit, 3), sep=",")
