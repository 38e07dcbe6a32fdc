"""The polynomial of core/elementary.h:

    exp(r) = 1 + r + r^2/2 + r^3/6 + r^4 (c0 + c1 r + ... + c7 r^7),   |r| <= log(2)/2,

with the smallest largest relative error (Remez's exchange; needs mpmath).  Prints that error
and the coefficients.
"""
from mpmath import mp, mpf, cos, exp, log, lu_solve, matrix, nstr, pi, polyval

mp.dps = 50
DEGREE = 7
REACH = log(2) / 2 * mpf("1.0001")


def rest(r):
    return (exp(r) - 1 - r - r * r / 2 - r**3 / 6) / r**4


def fit(points):
    """Coefficients whose relative error alternates with one size over the points."""
    a, b = matrix(DEGREE + 2, DEGREE + 2), matrix(DEGREE + 2, 1)
    for i, x in enumerate(points):
        for j in range(DEGREE + 1):
            a[i, j] = x**j
        a[i, DEGREE + 1] = (-1) ** i * exp(x) / x**4
        b[i] = rest(x)
    return lu_solve(a, b)[: DEGREE + 1]


def error(c, x):
    return (polyval(c[::-1], x) - rest(x)) * x**4 / exp(x)


def extremes(c, grid):
    """The largest error of each sign in turn."""
    found = []
    for x in grid:
        e = error(c, x)
        if found and (e > 0) == (found[-1][1] > 0):
            if abs(e) > abs(found[-1][1]):
                found[-1] = (x, e)
        else:
            found.append((x, e))
    while len(found) > DEGREE + 2:
        found.pop(0 if abs(found[0][1]) < abs(found[-1][1]) else -1)
    return [x for x, _ in found]


# No grid point at 0, where rest() is 0/0, and no start point.
grid = [-REACH + 2 * REACH * (k + mpf("0.25")) / 3000 for k in range(3000)] + [REACH]
points = [REACH * cos(pi * (2 * k + 1) / (2 * DEGREE + 4)) + mpf("0.003") for k in range(DEGREE + 2)][::-1]
for _ in range(10):
    c = list(fit(points))
    found = extremes(c, grid)
    if len(found) == DEGREE + 2:
        points = found
print("relative error", nstr(max(abs(error(c, x)) for x in grid), 3))
for j, value in enumerate(c):
    print(j, nstr(value, 20))
