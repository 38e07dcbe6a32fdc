"""Prints src/quadrature/adaptive/gauss_kronrod_nodes.h: the 21 nodes of the Gauss-Kronrod rule, its weights and those of its null rules.

The Kronrod nodes are the zeros of P_10 and of the Stieltjes polynomial E of degree 11, which is orthogonal to all
polynomials of lower degree with the weight P_10 (Kronrod 1965; Laurie 1997, doi:10.1090/S0025-5718-97-00861-2):
an odd polynomial, whose coefficients in P_1, P_3, ..., P_11 solve a linear system.  The weights follow from the
moments of the Legendre polynomials.

The null rule of degree k is sum w_j p_k(x_j) f(x_j), where p_k is the polynomial of degree k and norm 1 that is
orthogonal to all polynomials of lower degree over the nodes with the weights w_j.  The nodes are symmetric: every sum
is one over f(x) + f(-x) if k is even, or over f(x) - f(-x) if k is odd, x >= 0.  Needs mpmath; 60 digits.
"""
from mpmath import legendre, lu_solve, matrix, mp, mpf, nstr, polyroots, quad, sqrt, taylor

mp.dps = 60
N = 10
PAIRS = 5  # number of pairs of null rules


def dot(*degrees):
    """Returns the integral of a product of Legendre polynomials, exact by a Gauss rule of mpmath."""

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


def orthonormal(nodes, weight):
    """Returns the values of p_0, p_1, ... at the nodes, by the Stieltjes procedure."""
    values, before, last = [], [mpf(0)] * len(nodes), mpf(0)
    here = [mpf(1)] * len(nodes)
    for _ in nodes:
        norm = sqrt(sum(w * p * p for w, p in zip(weight, here)))
        here = [p / norm for p in here]
        values.append(here)
        centre = sum(w * x * p * p for w, x, p in zip(weight, nodes, here))
        new = [(x - centre) * p - norm * q for x, p, q in zip(nodes, here, before)]
        before, here = here, new
    return values


def at_one(nodes):
    """Returns the weights of the values at the nodes in the value at 1 of the interpolating polynomial."""
    result = []
    for j, x in enumerate(nodes):
        value = mpf(1)
        for k, other in enumerate(nodes):
            if k != j:
                value *= (1 - other) / (x - other)
        result.append(value)
    return result


def table(name, rows, digits=17, each=4):
    size = f"[{len(rows[0])}]" if len(rows) == 1 else f"[{len(rows)}][{len(rows[0])}]"
    print(f"TABLE double {name}{size} = {{")
    for row in rows:
        numbers = [nstr(v, digits, strip_zeros=False) for v in row]
        lines = [", ".join(numbers[k : k + each]) for k in range(0, len(numbers), each)]
        text = ",\n      ".join(lines) if len(rows) > 1 else ",\n    ".join(lines)
        comma = "," if row is not rows[-1] else ""
        print("    { " + text + " }" + comma if len(rows) > 1 else "    " + text)
    print("};\n")


gauss = roots(taylor(lambda x: legendre(N, x), 0, N))
both = sorted(gauss + roots(power_coefficients(stieltjes())))
w_both = weights(both)
top = 2 * N
null = [[w * p for w, p in zip(w_both, row)] for row in orthonormal(both, w_both)]
end = at_one(both)
even = [w_both, [(e + f) / 2 for e, f in zip(end, end[::-1])]] + [null[top - 2 * k] for k in range(PAIRS)]
odd = [[(e - f) / 2 for e, f in zip(end, end[::-1])]] + [null[top - 1 - 2 * k] for k in range(PAIRS)]

print(
    f"""/* The 21-point Gauss-Kronrod rule on (-1, 1), its null rules, and the interpolating polynomial at the ends.
 * Printed by data-raw/gauss-kronrod.py.
 *
 * Number j of a row of gk_even multiplies f(x) + f(-x) at x = -gk_node[j], the last one f(0); number j of a row of
 * gk_odd multiplies f(x) - f(-x).  Rows of gk_even: the rule; half of p(-1) + p(1), where p is the polynomial that
 * interpolates f at the nodes; the null rules of degrees 20, 18, ..., 12.  Rows of gk_odd: half of p(1) - p(-1); the
 * null rules of degrees 19, 17, ..., 11.
 */
#ifndef STABLECL_QUADRATURE_ADAPTIVE_GAUSS_KRONROD_NODES_H
#define STABLECL_QUADRATURE_ADAPTIVE_GAUSS_KRONROD_NODES_H

#include "../../special/dialect.h"

#define GK_POINTS 21
#define GK_FOLD   10
#define GK_PAIRS  {PAIRS}
#define GK_EVEN   {len(even)}
#define GK_ODD    {len(odd)}
"""
)
table("gk_node", [both], 25, 1)
table("gk_even", [row[: N + 1] for row in even])
table("gk_odd", [[row[top - j] for j in range(N)] for row in odd])
print("#endif")
