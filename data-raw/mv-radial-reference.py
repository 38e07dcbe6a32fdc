"""Makes tests/testthat/data/mv-radial.csv: reference values of log g, where g(r) is the density at distance r from the
centre of the isotropic stable distribution with characteristic function exp(-|u|^alpha) in d dimensions.

    python3 data-raw/mv-radial-reference.py > tests/testthat/data/mv-radial.csv

Each value is computed by two methods, neither of which is that of the package:

1. Inversion of the characteristic function, the Hankel transform
       g(r) = (2 pi)^(-d/2) r^(1 - d/2) Re int_0^inf exp(-t^alpha) t^(d/2) H_(d/2 - 1)(r t) dt
   with the Hankel function of the first kind, along the ray t = exp(i phi + y - exp(-y))/r: the trapezoidal rule in y.
2. The power series in r^2 if alpha > 1, or the series in r^-alpha if alpha < 1, which converge for all r; the closed
   form if alpha is 1.  Near alpha = 1, where too many terms are needed, the inversion along a second ray.

A row is printed if both agree to AGREED.
"""
import sys
import mpmath as mp

AGREED = mp.mpf("1e-17")
MOST_TERMS = 4000
ALPHAS = ["0.3", "0.8", "0.99", "1", "1.1", "1.5", "1.8", "1.95", "1.999"]
DIMS = [1, 2, 3, 10, 31, 99]
SIZES = ["0.3", "1", "3", "50"]                       # r/sqrt(2 d)


def hankel(d, z):
    """H_(d/2 - 1)(z): the elementary function for odd d, the recurrence in the order, which is stable, for even d."""
    if d == 1:
        return mp.sqrt(2 / (mp.pi * z)) * mp.exp(1j * z)
    if d % 2 == 1:
        n, term, total = (d - 3) // 2, mp.mpc(1), mp.mpc(0)
        for k in range(n + 1):
            total += term
            term *= mp.mpc(0, 1) / (2 * z) * ((n + k + 1) * (n - k)) / (k + 1)
        return mp.sqrt(2 / (mp.pi * z)) * mp.mpc(0, -1) ** (n + 1) * mp.exp(1j * z) * total
    lower, value = mp.hankel1(1, z) * -1, mp.hankel1(0, z)
    for order in range(d // 2 - 1):
        lower, value = value, 2 * order / z * value - lower
    return value


def trapezoid(alpha, d, r, phi, step):
    nu, turn = mp.mpf(d) / 2 - 1, mp.exp(1j * phi)

    def f(y):
        t = turn / r * mp.exp(y - mp.exp(-y))
        return mp.exp(-t ** alpha) * t ** (nu + 2) * hankel(d, r * t) * (1 + mp.exp(-y))

    total, largest = mp.mpf(0), mp.mpf(0)
    for direction in (1, -1):
        k = 0 if direction == 1 else 1
        while True:
            term = f(direction * k * step)
            total += term
            largest = max(largest, abs(term))
            k += 1
            if k * step > 1 and abs(term) < largest * mp.mpf(10) ** (3 - mp.mp.dps):
                break
    return mp.re(total) * step * (2 * mp.pi) ** (-mp.mpf(d) / 2) * r ** (-nu)


def inversion(alpha, d, r, share):
    """share: of the largest angle at which exp(-t^alpha) decays."""
    phi = share * min(mp.pi / (2 * alpha), mp.pi / 2)
    digits, last = 26, None
    while digits < 250:
        mp.mp.dps = digits
        value = trapezoid(alpha, d, r, phi, mp.mpf(2) / digits)
        if last is not None and value > 0 and abs(value / last - 1) < AGREED:
            return value
        digits, last = int(digits * 1.4), value
    return None


def series(alpha, d, r):
    half = mp.mpf(d) / 2
    if alpha == 1:
        return mp.gamma(half + mp.mpf(1) / 2) / mp.pi ** (half + mp.mpf(1) / 2) / (1 + r * r) ** (half + mp.mpf(1) / 2)
    mp.mp.dps, total, largest = 400, mp.mpf(0), mp.mpf(0)
    for k in range(MOST_TERMS):
        if alpha > 1:
            term = (-1) ** k * mp.gamma((d + 2 * k) / alpha) / mp.gamma(half + k) * (r / 2) ** (2 * k) / mp.factorial(k)
        else:
            n = k + 1
            size = (-1) ** k * mp.gamma(alpha * n / 2 + 1) * mp.gamma((alpha * n + d) / 2) * (2 / r) ** (alpha * n) \
                / mp.factorial(n)
            term = size * mp.sinpi(alpha * n / 2)
        if alpha > 1:
            size = term
        total += term
        largest = max(largest, abs(term))
        if k > 5 and abs(size) < abs(total) * mp.mpf("1e-25"):
            break
    else:
        return None
    if abs(total) < largest * mp.mpf("1e-370"):
        return None
    return total * (2 / alpha * (4 * mp.pi) ** (-half) if alpha > 1 else mp.pi ** (-half - 1) * r ** (-d))


print("# made by data-raw/mv-radial-reference.py; the second method is a series (s) or a second inversion (i)")
print("dim,alpha,r,log_density,method")
for text in ALPHAS:
    for d in DIMS:
        for size in SIZES:
            if d == 99 and size == "50" and float(text) > 1:     # the series has too many terms
                continue
            if d % 2 == 0 and float(text) > 1.9:                 # Hankel functions of integer order are slow
                continue
            mp.mp.dps = 40
            alpha = mp.mpf(float(text))                      # the number that R reads
            r = mp.mpf(float(mp.nstr(mp.mpf(size) * mp.sqrt(2 * d), 4)))
            first, second, method = inversion(alpha, d, r, mp.mpf("0.6")), series(alpha, d, r), "s"
            if second is None:
                second, method = inversion(alpha, d, r, mp.mpf("0.35")), "i"
            mp.mp.dps = 40
            if first is None or second is None or abs(first / second - 1) > AGREED:
                print("dropped:", text, d, size, first, second, file=sys.stderr)
                continue
            print(",".join([str(d), text, mp.nstr(r, 6), mp.nstr(mp.log(first), 20), method]))
            sys.stdout.flush()
