"""Computes the polynomials of special/elementary.h.  Each approximates a
function minus the first terms of its series, divided by the next power,

    exp(r) = 1 + r + r^2/2 + r^3/6 + r^4 p(r),      |r| <= log(2)/2,
    log((1 + s)/(1 - s)) = 2 s + s y p(y),          y = s^2, |s| <= (sqrt(2) - 1)/(sqrt(2) + 1),
    log((1 + s)/(1 - s)) = 2 s + s y (2/3 + y p(y)) likewise,
    sin(x) = x + x y p(y),                          y = x^2, |x| <= pi/4,
    cos(x) = 1 - y/2 + y^2 p(y),                    y = x^2, |x| <= pi/4,

and minimises the largest relative error of the function (Remez exchange; needs mpmath).  Prints that
error and the coefficients.
"""
from mpmath import atanh, cos, exp, log, lu_solve, matrix, mp, mpf, nstr, pi, polyval, sin, sqrt

mp.dps = 50


def exp_rest(r):
    return (exp(r) - 1 - r - r * r / 2 - r**3 / 6) / r**4


def log_rest(y):
    return (2 * atanh(sqrt(y)) / sqrt(y) - 2) / y


def log_third_rest(y):
    return (log_rest(y) - mpf(2) / 3) / y


def sin_rest(y):
    return (sin(sqrt(y)) / sqrt(y) - 1) / y


def cos_rest(y):
    return (cos(sqrt(y)) - 1 + y / 2) / y**2


# name, degree, rest, factor from an error of the polynomial to the relative error of the function, range
REACH = log(2) / 2 * mpf("1.0001")
CASES = [
    ("exp", 7, exp_rest, lambda r: r**4 / exp(r), -REACH, REACH),
    ("log", 6, log_rest, lambda y: y / (2 * atanh(sqrt(y)) / sqrt(y)), 0, ((sqrt(2) - 1) / (sqrt(2) + 1)) ** 2),
    ("log, third term", 7, log_third_rest, lambda y: y**2 / (2 * atanh(sqrt(y)) / sqrt(y)), 0,
     ((sqrt(2) - 1) / (sqrt(2) + 1)) ** 2),
    ("sin", 5, sin_rest, lambda y: y / (sin(sqrt(y)) / sqrt(y)), 0, (pi / 4) ** 2),
    ("cos", 5, cos_rest, lambda y: y**2 / cos(sqrt(y)), 0, (pi / 4) ** 2),
]


def fit(points, degree, rest, weight):
    """Returns coefficients whose relative error has equal size and alternating sign at the points."""
    a, b = matrix(degree + 2, degree + 2), matrix(degree + 2, 1)
    for i, x in enumerate(points):
        for j in range(degree + 1):
            a[i, j] = x**j
        a[i, degree + 1] = (-1) ** i / weight(x)
        b[i] = rest(x)
    return list(lu_solve(a, b)[: degree + 1])


def extremes(error, grid, count):
    """Returns the points of the largest errors between sign changes, at most `count` of them."""
    found = []
    for x in grid:
        e = error(x)
        if found and (e > 0) == (found[-1][1] > 0):
            if abs(e) > abs(found[-1][1]):
                found[-1] = (x, e)
        else:
            found.append((x, e))
    while len(found) > count:
        found.pop(0 if abs(found[0][1]) < abs(found[-1][1]) else -1)
    return [x for x, _ in found]


def polynomial(degree, rest, weight, low, high):
    # Grid points and starting points avoid 0, where rest() is 0/0.
    middle, half, count = (low + high) / mpf(2), (high - low) / mpf(2), degree + 2
    grid = [low + 2 * half * (k + mpf("0.25")) / 3000 for k in range(3000)] + [high]
    points = [middle + half * (cos(pi * (2 * k + 1) / (2 * count)) + mpf("0.003")) for k in range(count)][::-1]
    for _ in range(10):
        c = fit(points, degree, rest, weight)

        def error(x):
            return (polyval(c[::-1], x) - rest(x)) * weight(x)

        found = extremes(error, grid, count)
        if len(found) == count:
            points = found
    return c, max(abs(error(x)) for x in grid)


for name, *case in CASES:
    c, worst = polynomial(*case)
    print(name, "relative error", nstr(worst, 3))
    for j, value in enumerate(c):
        print(j, nstr(value, 20))
