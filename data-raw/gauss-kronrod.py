"""Nodes and weights of the Gauss-Kronrod rule with 10 and 21 points: src/core/gauss_kronrod.h.

The Kronrod nodes are the zeros of P_10 and of the Stieltjes polynomial E of degree 11, which is orthogonal to all
polynomials of lower degree with the weight P_10 (Kronrod 1965; Laurie 1997, doi:10.1090/S0025-5718-97-00861-2):
an odd polynomial, whose coefficients over P_1, P_3, ..., P_11 solve a linear system.  Weights follow from the moments
of the Legendre polynomials.  Needs mpmath; 60 digits; prints the header.
"""
from mpmath import findroot, legendre, lu_solve, matrix, mp, mpf, nstr, polyroots, quad, taylor

mp.dps = 60
N = 10


def dot(*degrees):
    """The integral of a product of Legendre polynomials, exact by a Gauss rule of mpmath."""

    def product(x):
        value = mpf(1)
        for n in degrees:
            value *= legendre(n, x)
        return value

    return quad(product, [-1, 0, 1], method="gauss-legendre")


def roots(coefficients):
    return sorted(r.real for r in polyroots(coefficients[::-1], maxsteps=500, extraprec=400))


def stieltjes():
    odd = range(1, N + 2, 2)
    a, b = matrix(len(odd) - 1, len(odd) - 1), matrix(len(odd) - 1, 1)
    for i, k in enumerate(range(1, N, 2)):
        for j, n in enumerate(list(odd)[:-1]):
            a[i, j] = dot(N, k, n)
        b[i] = -dot(N, k, N + 1)
    return list(lu_solve(a, b)) + [mpf(1)]


def power_coefficients(weights):
    total = [mpf(0)] * (N + 2)
    for c, n in zip(weights, range(1, N + 2, 2)):
        for power, value in enumerate(taylor(lambda x: legendre(n, x), 0, n)):
            total[power] += c * value
    return total


def weights(nodes):
    a, b = matrix(len(nodes), len(nodes)), matrix(len(nodes), 1)
    for k in range(len(nodes)):
        for j, x in enumerate(nodes):
            a[k, j] = legendre(k, x)
        b[k] = 2 if k == 0 else 0
    return list(lu_solve(a, b))


def table(name, values):
    print(f"TABLE double {name}[{len(values)}] = {{")
    for k, v in enumerate(values):
        print("    " + nstr(v, 25, strip_zeros=False) + ("," if k < len(values) - 1 else ""))
    print("};\n")


gauss = roots(taylor(lambda x: legendre(N, x), 0, N))
both = sorted(gauss + roots(power_coefficients(stieltjes())))
w_both, w_gauss = weights(both), weights(gauss)
at_gauss = [w_gauss[k // 2] if k % 2 else mpf(0) for k in range(len(both))]
padding = [mpf(0)] * 3

print(
    """/* core/gauss_kronrod.h: the rule of Gauss with 10 points and its extension by Kronrod to 21, on (-1, 1),
 * filled up with zeros to a multiple of the vector lanes.  Made by data-raw/gauss-kronrod.py. */
#ifndef STABLECL_GAUSS_KRONROD_H
#define STABLECL_GAUSS_KRONROD_H

#include "dialect.h"

#define GK_POINTS 21
#define GK_ROOM   24
"""
)
table("gk_node", both + padding)
table("gk_weight", w_both + padding)
table("gk_gauss_weight", at_gauss + padding)
print("#endif")
