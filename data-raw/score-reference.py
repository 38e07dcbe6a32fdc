"""Makes tests/testthat/data/scores.csv: reference values of the scores of standard S0 distributions.

    python3 data-raw/score-reference.py PROGRAM [POINTS [SEED]] > tests/testthat/data/scores.csv

PROGRAM is build/reference/reference, made by data-raw/reference (two independent methods per density in ball
arithmetic, 30 digits printed).  A score is the derivative of the polynomial through the exact densities at
Chebyshev nodes rounded to doubles, computed with 50 digits, divided by the density at the point.  It is kept if two
intervals, one 2.5 times as long as the other, agree to AGREED; if not, shorter intervals are tried.  No
method of the package is used.  Points: a fixed list, then random ones.
"""
import math
import random
import subprocess
import sys
import mpmath as mp

mp.mp.dps = 50
NODES = 11
AGREED = mp.mpf("1e-14")
SECONDS = 25

FIXED = [
    (a, b, x)
    for a, b in [(2.0, 0.3), (1.0, 0.0), (1.0, 0.6), (1.0, 1.0), (0.5, 1.0), (1.5, 1.0), (1.5, -1.0), (0.1, 0.4),
                 (1 - 1e-9, 0.5), (1 + 1e-6, -0.7), (2 - 1e-6, 0.5), (2 - 1e-9, 1.0), (0.3, 0.0), (0.9, 1.0)]
    for x in [0.0, 1.25, -4.5, 1e10]
]


def zeta(a, b):
    return 0.0 if a == 1 else -b * math.tan(math.pi / 2 * a)


def power(lo, hi):
    return 10 ** random.uniform(lo, hi)


def sign():
    return random.choice((-1, 1))


def draw():
    a = random.choice((
        lambda: random.uniform(0.1, 0.7), lambda: random.uniform(0.7, 0.98), lambda: 1 - power(-10, -1.5),
        lambda: 1 + power(-10, -1.5), lambda: random.uniform(1.02, 1.95), lambda: 2 - power(-10, -1.3)))()
    b = random.choice((lambda: random.uniform(-1, 1), lambda: sign() * (1 - power(-14, -1.5)),
                       lambda: sign() * power(-10, -1), lambda: float(sign()), lambda: 0.0))()
    z = zeta(a, b)
    x = random.choice((lambda: random.gauss(0, 2), lambda: sign() * power(0, 4), lambda: sign() * power(4, 10),
                       lambda: z + sign() * power(-8, 0) if abs(z) < 100 else random.gauss(0, 1)))()
    return a, b, x


def densities(points):
    """Returns the densities at the points, or None if the program fails at any of them or takes too long."""
    text = "".join("%.17g %.17g %.17g\n" % p for p in points)
    try:
        out = subprocess.run([sys.argv[1], "points", "35"], input=text, capture_output=True, text=True, timeout=SECONDS).stdout
    except subprocess.TimeoutExpired:
        return None
    rows = [line.split(",") for line in out.splitlines()[1:]]
    return [mp.mpf(r[3]) for r in rows] if len(rows) == len(points) else None


def derivative(point, which, half, lo, hi, here):
    at = point[which]
    start = min(max(at - half, lo), hi - 2 * half) if hi < math.inf else at - half
    nodes = [start + half * (1 - math.cos(math.pi * k / (NODES - 1))) for k in range(NODES)]
    nodes[-1] = min(nodes[-1], hi)
    if len(set(nodes)) < NODES:
        return None
    f = densities([tuple(t if k == which else p for k, p in enumerate(point)) for t in nodes])
    if f is None:
        return None
    t = [mp.mpf(v) for v in nodes]
    total = mp.mpf(0)
    for k in range(NODES):
        weight = mp.mpf(0)
        for i in range(NODES):
            if i != k:
                term = 1 / (t[k] - t[i])
                for j in range(NODES):
                    if j != k and j != i:
                        term *= (mp.mpf(at) - t[j]) / (t[k] - t[j])
                weight += term
        total += weight * f[k]
    return total / here


def score(point, which, here):
    a, b, x = point
    lo, hi = ((0.0, 2.0), (-1.0, 1.0), (-math.inf, math.inf))[which]
    if which == 1 and a == 2:
        return mp.mpf(0)
    near = 1 + abs(x)
    if a < 1:
        near = min(near, abs(x - zeta(a, b)))
    half = (0.02 * min(1, a), 0.02, 0.02 * near)[which]
    for _ in range(5):
        wide = derivative(point, which, half, lo, hi, here)
        close = derivative(point, which, half / 2.5, lo, hi, here)
        if wide is None or close is None:
            return None
        if abs(wide - close) <= AGREED * max(1, abs(close)):
            return close
        half /= 20
    return None


def main():
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    random.seed(seed)
    wanted = int(sys.argv[2]) if len(sys.argv) > 2 else 107
    todo = list(FIXED) if len(sys.argv) < 4 else []
    print("# d log f of standard S0 laws in alpha, beta and x (one-sided at alpha = 2 and |beta| = 1), to 14 digits;")
    print("# made by data-raw/score-reference.py (points %d, seed %d) from densities in ball arithmetic" % (wanted, seed))
    print("alpha,beta,x,d_alpha,d_beta,d_x", flush=True)
    done = 0
    while done < wanted:
        point = todo.pop(0) if todo else draw()
        f = densities([point])
        if f is None or not f[0] > 0:
            continue
        scores = [score(point, which, f[0]) for which in range(3)]
        if None in scores:
            continue
        print("%.17g,%.17g,%.17g," % point + ",".join(mp.nstr(s, 17) for s in scores), flush=True)
        done += 1


main()
