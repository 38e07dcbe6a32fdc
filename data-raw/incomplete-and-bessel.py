#!/usr/bin/env python3
"""Prints the tables of src/special/gamma.h, incomplete.h and bessel.h as C initialisers.

Uses 50-digit arithmetic.
"""
from mpmath import besselj, besseljzero, bessely, cos, legendre, log, mp, mpf, pi, sin, sqrt, zeta

mp.dps = 50


def table(name, values, note=""):
    print(f"/* {note} */" if note else "", end="\n" if note else "")
    print(f"TABLE double {name}[{len(values)}] = {{")
    texts = [mp.nstr(v, 21, min_fixed=0, max_fixed=0) for v in values]
    for k in range(0, len(texts), 4):
        print("    " + ", ".join(texts[k:k + 4]) + ("," if k + 4 < len(texts) else ""))
    print("};\n")


def temme(n):
    """Returns the coefficients of eta/(lambda - 1) in powers of eta, where eta^2/2 = lambda - 1 - log lambda.

    They follow from mu mu' = eta (1 + mu), mu = lambda - 1.
    """
    m = [mpf(0), mpf(1)]
    for k in range(2, n + 3):                       # equate the coefficients of eta^k
        known = sum(m[i] * j * m[j] for i in range(2, k) for j in [k + 1 - i] if 2 <= j < k)
        m.append((m[k - 1] - known) / (k + 1))
    f = [mpf(1)]
    for k in range(1, n):
        f.append(-sum(f[i] * m[k - i + 1] for i in range(k)))
    return f


def gauss(n):
    """Returns the nodes and weights of the Gauss-Legendre rule, by Newton's method."""
    nodes = []
    for i in range(1, n + 1):
        x = cos(pi * (i - mpf(1) / 4) / (n + mpf(1) / 2))
        for _ in range(8):
            p, before = legendre(n, x), legendre(n - 1, x)
            slope = n * (before - x * p) / (1 - x * x)
            x -= p / slope
        nodes.append((x, 2 / ((1 - x * x) * slope ** 2)))
    return sorted(nodes)


def cheb(f, n, keep):
    """Returns the Chebyshev coefficients of f on [-1, 1], the first halved, without negligible last ones."""
    m = 4 * n
    points = [cos(pi * (j + mpf(1) / 2) / m) for j in range(m)]
    values = [f(p) for p in points]
    c = [2 * sum(v * cos(pi * k * (j + mpf(1) / 2) / m) for j, v in enumerate(values)) / m for k in range(n)]
    c[0] /= 2
    scale = max(abs(a) for a in c)
    while abs(c[-1]) < keep * scale:
        c.pop()
    return c


def hankel(nu, x):
    """Returns P and Q of J = sqrt(2/(pi x)) (P cos chi - Q sin chi), Y = sqrt(2/(pi x)) (P sin chi + Q cos chi)."""
    chi = x - (mpf(nu) / 2 + mpf(1) / 4) * pi
    s = sqrt(pi * x / 2)
    j, y = besselj(nu, x) * s, bessely(nu, x) * s
    return j * cos(chi) + y * sin(chi), y * cos(chi) - j * sin(chi)


def bessel():
    keep = mpf("2e-18")
    at = lambda t: 8 * sqrt((1 + t) / 2)             # t = x^2/32 - 1
    far = lambda t: 8 / sqrt((1 + t) / 2)            # t = 128/x^2 - 1
    for nu in (0, 1):
        z = [besseljzero(nu, k) for k in (1, 2)]
        def near_j(t):
            x = at(t)
            return besselj(nu, x) / (x if nu else 1) / ((x * x - z[0] ** 2) * (x * x - z[1] ** 2))
        table(f"bessel_j{nu}_near", cheb(near_j, 24, keep))
        for k in (0, 1):
            high = mpf(float(z[k]))
            print(f"/* zero {k + 1}: {mp.nstr(high, 20)} + {mp.nstr(z[k] - high, 20)} */")
        def near_y(t):
            x = at(t)
            rest = bessely(nu, x) - 2 / pi * log(x) * besselj(nu, x)
            return (rest + 2 / (pi * x)) / x if nu else rest
        table(f"bessel_y{nu}_near", cheb(near_y, 24, keep))
        table(f"bessel_p{nu}", cheb(lambda t: hankel(nu, far(t))[0], 30, keep))
        table(f"bessel_q{nu}", cheb(lambda t: hankel(nu, far(t))[1] * far(t), 30, keep))


table("temme", temme(26))
table("zeta_less_1", [zeta(k) - 1 for k in range(2, 28)], "zeta(k) - 1, k = 2, 3, ...")
nodes = gauss(32)
table("beta_node", [(1 + x) / 2 for x, w in nodes], "on (0, 1)")
table("beta_weight", [w / 2 for x, w in nodes])
bessel()
