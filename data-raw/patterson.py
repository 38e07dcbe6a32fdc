"""Prints src/quadrature/tensor/patterson_nodes.h: the nested rules with 1, 3, 7, 15 and 31 nodes on [0, 1].

Patterson (1968, doi:10.1090/S0025-5718-68-99866-9) extends a rule with n nodes, the zeros of G, by the n + 1 zeros of
a polynomial E of degree n + 1 that is orthogonal to all polynomials of degree n or less with the weight G.  The
extended rule is exact for degree 3n + 1, and for one degree more by symmetry if that is odd.  E is even or odd on
(-1, 1), and its Legendre coefficients solve a linear system.  The weights follow from the integrals of the
interpolating polynomial.  Needs mpmath; 80 digits.
"""
from mpmath import legendre, lu_solve, matrix, mp, mpf, nstr, polyroots, taylor

mp.dps = 80
LEVELS = 4


def gauss(n):
    """Returns the nodes and weights of the Gauss-Legendre rule with n nodes on (-1, 1)."""
    nodes = [r.real for r in polyroots(taylor(lambda t: legendre(n, t), 0, n)[::-1], maxsteps=1000, extraprec=1000)]
    return [(x, 2 * (1 - x**2) / (n * legendre(n - 1, x)) ** 2) for x in nodes]


def integral(f, degree):
    rule = GAUSS[next(n for n in sorted(GAUSS) if 2 * n > degree)]
    return sum(w * f(x) for x, w in rule)


def product(nodes, x):
    value = mpf(1)
    for node in nodes:
        value *= x - node
    return value


def extension(nodes):
    """Returns the nodes that are added to these."""
    n = len(nodes)
    degrees = list(range((n + 1) % 2, n + 2, 2))
    tests = list(range(1 - (n + 1) % 2, n + 1, 2))
    a, b = matrix(len(tests), len(degrees) - 1), matrix(len(tests), 1)
    for i, k in enumerate(tests):
        for j, m in enumerate(degrees):
            entry = integral(lambda x: product(nodes, x) * legendre(k, x) * legendre(m, x), n + k + m)
            if m == degrees[-1]:
                b[i] = -entry
            else:
                a[i, j] = entry
    solution = list(lu_solve(a, b)) + [mpf(1)]
    total = [mpf(0)] * (n + 2)
    for c, m in zip(solution, degrees):
        for p, t in enumerate(taylor(lambda x: legendre(m, x), 0, m)):
            total[p] += c * t
    return [r.real for r in polyroots(total[::-1], maxsteps=1000, extraprec=1000)]


def weights(nodes):
    """Returns the weights on [0, 1], which add up to 1."""
    result = []
    for x in nodes:
        others = [y for y in nodes if y != x]
        result.append(integral(lambda t: product(others, t), len(others)) / product(others, x) / 2)
    return result


def check(nodes, w):
    degree = 1 if len(nodes) == 1 else (3 * len(nodes) + 1) // 2
    for k in range(0, degree + 1, 2):
        assert abs(sum(a * x**k for a, x in zip(w, nodes)) - mpf(1) / (k + 1)) < mpf(10) ** -50, (len(nodes), k)
    return degree


GAUSS = {n: gauss(n) for n in (8, 16, 32, 48)}
levels, all_weights, degrees = [[mpf(0)]], [], []
for level in range(LEVELS):
    known = sum(levels, [])
    levels.append(sorted(extension(known)))
for level in range(LEVELS + 1):
    nodes = sum(levels[: level + 1], [])
    all_weights.append(weights(nodes))
    degrees.append(check(nodes, all_weights[-1]))

number = lambda x: nstr(x, 25, min_fixed=-4, max_fixed=4)
count = 2 ** (LEVELS + 1) - 1
print("""/* Nested rules on [0, 1] with 1, 3, 7, 15 and 31 nodes, of degrees %s.
 * Printed by data-raw/patterson.py.
 *
 * The nodes that level j adds are number 2^j - 1, ..., 2^(j + 1) - 2.  Row j of patterson_difference: the weights of
 * level j less those of level j - 1; those of level -1 are 0.
 */
#ifndef STABLECL_QUADRATURE_TENSOR_PATTERSON_NODES_H
#define STABLECL_QUADRATURE_TENSOR_PATTERSON_NODES_H

#define PATTERSON_LEVELS %d

static const double patterson_node[%d] = {""" % (", ".join(map(str, degrees)), LEVELS + 1, count))
print(",\n".join("    " + number((1 + x) / 2) for x in sum(levels, [])) + "\n};\n")
print("static const double patterson_difference[PATTERSON_LEVELS][%d] = {" % count)
rows = []
before = []
for w in all_weights:
    difference = [x - y for x, y in zip(w, before + [mpf(0)] * len(w))]
    numbers = list(map(number, difference))
    rows.append("    { " + ",\n      ".join(", ".join(numbers[k : k + 3]) for k in range(0, len(numbers), 3)) + " }")
    before = w
print(",\n".join(rows) + "\n};\n\n#endif")
