"""Writes tests/testthat/literature.csv: one-dimensional integrals of the literature, with values to 25 digits.

    python3 data-raw/literature.py > tests/testthat/literature.csv    # all, some minutes
    python3 data-raw/literature.py REGEX                               # the rows whose id matches, without the header

Needs mpmath.  Formulas and limits are R expressions, translated to mpmath here.  Decimals in them are the nearest
doubles, and `pi` is R's double; quotients such as 1/3 are not rounded, which changes no value by more than 1e-15 of it.

Each value comes from double exponential quadrature over pieces between break points (singularities, jumps, kinks and
peaks, given by hand), in steps that are halved until the sum settles.  A second run with additional break points must
agree to 30 digits, as must the closed form where one is given (to 1e-14 if the formula or the limits contain `pi`,
because the closed form holds for the number pi).  Integrals with an infinity of oscillations have a closed form alone.
"""
import re
import sys
from fractions import Fraction
from functools import lru_cache

import mpmath as m
from mpmath import mp, mpf

R_PI = 3.141592653589793
NUMERAL = re.compile(r"(?<![A-Za-z_0-9.])(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
ROWS = []

# --- R expressions in mpmath -------------------------------------------------------------------


@lru_cache(maxsize=100)
def at_precision(function, arguments, precision):
    return function(*arguments)


def constant(function, *arguments):
    """Returns function(arguments), computed once at each working precision."""
    return at_precision(function, arguments, mp.prec)


def dnorm(x, mean=0, sd=1):
    return m.exp(-(((x - mean) / sd) ** 2) / 2) / (sd * m.sqrt(2 * m.pi))


def dgamma(x, shape, rate=1):
    return rate * (rate * x) ** (shape - 1) * m.exp(-rate * x) / constant(m.gamma, shape)


def dt(x, df):
    return (1 + x * x / df) ** (-(df + 1) / 2) / (m.sqrt(df) * constant(m.beta, df / 2, mpf(1) / 2))


def df(x, a, b):
    r = a / b
    return r ** (a / 2) * x ** (a / 2 - 1) * (1 + r * x) ** (-(a + b) / 2) / constant(m.beta, a / 2, b / 2)


def dweibull(x, shape, scale=1):
    return shape / scale * (x / scale) ** (shape - 1) * m.exp(-((x / scale) ** shape))


FUNCTIONS = {
    "M": lambda text: mpf(float(text)), "abs": abs, "pmax": max, "pmin": min, "floor": m.floor,
    "besselJ": lambda x, n: m.besselj(n, x),
    "ifelse": lambda test, yes, no: yes if test else no,
    "dnorm": dnorm, "dgamma": dgamma, "dt": dt, "df": df, "dweibull": dweibull, "pnorm": m.ncdf,
    "dexp": lambda x, rate=1: rate * m.exp(-rate * x), "dchisq": lambda x, n: dgamma(x, n / 2, mpf(1) / 2),
    "dbeta": lambda x, a, b: x ** (a - 1) * (1 - x) ** (b - 1) / constant(m.beta, a, b),
    "dcauchy": lambda x, at=0, s=1: 1 / (m.pi * s * (1 + ((x - at) / s) ** 2)),
    "dlogis": lambda x, at=0, s=1: 1 / (4 * s * m.cosh((x - at) / (2 * s)) ** 2),
    "dlnorm": lambda x, mean=0, sd=1: dnorm(m.log(x), mean, sd) / x,
}  # fmt: skip
for name in "sin cos tan asin acos atan sinh cosh tanh exp expm1 log log1p sqrt gamma beta".split():
    FUNCTIONS[name] = getattr(m, name)


def in_python(text):
    """Returns an R expression as one of Python, in which all numerals are exact."""
    return NUMERAL.sub(lambda found: f"M('{found.group()}')", text.replace("^", "**"))


def number(text):
    if text in ("Inf", "-Inf"):
        return m.inf if text == "Inf" else -m.inf
    return eval(in_python(text), {**FUNCTIONS, "pi": mpf(R_PI)})


# --- double exponential quadrature -------------------------------------------------------------


@lru_cache(maxsize=200)
def nodes(depth, level, half_line):
    """Returns the nodes that are new at a level, as (from the upper end, distance, weight), on (0, 1) or (0, Inf)."""
    step = mpf(2) ** -level
    last = int(m.asinh(depth * m.log(10) * (2 if half_line else 1) / m.pi) / step)
    result = []
    for k in range(-last, last + 1):
        if level > 3 and k % 2 == 0:
            continue
        s = k * step
        if half_line:
            t = m.exp(m.pi / 2 * m.sinh(s))
            result.append((False, t, step * t * m.pi / 2 * m.cosh(s)))
        else:
            e = m.exp(-m.pi * abs(m.sinh(s)))
            result.append((k > 0, e / (1 + e), step * m.pi * m.cosh(s) * e / (1 + e) ** 2))
    return result


def sums(f, a, b, depth, level):
    """Returns the sums of the new nodes of one piece, of f and of |f|, and the larger of the terms at its ends."""
    half_line = m.isinf(a) or m.isinf(b)
    length = mpf(1) if half_line else b - a
    terms = []
    for upper, distance, weight in nodes(depth, level, half_line):
        x = b - length * distance if upper or m.isinf(a) else a + length * distance
        terms.append(f(x) * weight * length)
    return m.fsum(terms), m.fsum(terms, absolute=True), max(abs(terms[0]), abs(terms[-1]))


def quadrature(f, make_points, depth=45):
    """Returns the integral of f over the pieces between points; deeper towards the ends if the terms there count."""
    mp.dps = depth + 50
    points = make_points()
    total, size, ends = mpf(0), mpf(0), mpf(0)
    for level in range(3, 14):
        new = [sums(f, a, b, depth, level) for a, b in zip(points, points[1:])]
        before, total = total, (total / 2 if level > 3 else 0) + m.fsum(value for value, _, _ in new)
        size = (size / 2 if level > 3 else 0) + m.fsum(absolute for _, absolute, _ in new)
        if level == 3:
            ends = max(end for _, _, end in new)
            if ends > mpf(10) ** -33 * abs(total) and depth < 3000:
                return quadrature(f, make_points, 2 * depth)
        elif level > 4 and abs(total - before) < mpf(10) ** -24 * min(abs(total), size):
            return total
    raise ArithmeticError("no convergence")


def refined(points):
    """Returns the points with one more in each piece, on half-lines at an arbitrary distance."""
    result = [points[0]]
    for a, b in zip(points, points[1:]):
        between = b - mpf(13) / 7 if m.isinf(a) else a + mpf(13) / 7 if m.isinf(b) else a + mpf(3) / 8 * (b - a)
        result += [between, b]
    return result


def agree(a, b, digits, label):
    if abs(a - b) > mpf(10) ** -digits * abs(b):
        raise ArithmeticError(f"{label}: {m.nstr(a, 35)} is not {m.nstr(b, 35)}")


def value_of(row):
    mp.dps = 100
    closed = None if row["closed"] is None else eval(in_python(row["closed"]), {**vars(m), **FUNCTIONS})
    if row["breaks"] is None:
        return closed
    code = compile(in_python(row["formula"]), row["id"], "eval")
    names = {**FUNCTIONS, "pi": mpf(R_PI)}
    f = lambda x: eval(code, names, {"x": x})
    points = lambda: [number(str(at)) for at in (row["start"] or row["lower"], *row["breaks"], row["upper"])]
    values = [quadrature(f, points), quadrature(f, lambda: refined(points()))]
    agree(values[1], values[0], 30, row["id"])
    if closed is not None:
        rounded = "pi" in row["formula"] + row["lower"] + row["upper"]
        agree(closed, values[0], 14 if rounded else 30, row["id"] + ", closed form")
    return values[0]


# --- the integrals -----------------------------------------------------------------------------


def add(id, source, formula, lower, upper, breaks=(), closed=None, note="", start=None):
    """Adds an integral; `breaks` are break points inside, None if the closed form alone gives the value.

    The quadrature begins at `start` instead of `lower` if the part before it is less than 1e-60 of the value.
    """
    keys = ("id", "source", "formula", "lower", "upper", "breaks", "closed", "note", "start")
    ROWS.append(dict(zip(keys, (id, source, formula, str(lower), str(upper), breaks, closed, note, start))))


def family(prefix, source, formula, lower, upper, parameters, breaks=(), closed=None, note=""):
    """Adds an integral for each parameter, which replaces A in the formula, the limits and the closed form."""
    for a in parameters:
        put = lambda text: text if text is None else str(text).replace("A", f"({a})" if a < 0 else str(a))
        points = [put(at) for at in breaks]
        add(f"{prefix}_{a}", source, put(formula), put(lower), put(upper), points, put(closed), note)


def equal(a, b, n):
    """Returns the n - 1 points between n equal parts of a range of whole numbers, as fractions."""
    return [str(Fraction(a) + Fraction(b - a) * k / n) for k in range(1, n)]


def equal_pi(parts, n):
    """Returns the n - 1 points between n equal parts of (0, parts * pi)."""
    return [f"pi*{parts}*{k}/{n}" for k in range(1, n)]


JUMP, KINK, PEAK, OSCILLATES = "jump", "kink", "narrow peak", "oscillates"
END, INSIDE, TAIL = "singular end", "singular inside", "slow decay"

S = "Kahaner 1971"
add("k01", S, "exp(x)", 0, 1, closed="e - 1")
add("k02", S, "ifelse(x < 0.3, 0, 1)", 0, 1, ["0.3"], "1 - 0.3", JUMP)
add("k03", S, "sqrt(x)", 0, 1, closed="2/3", note=END)
add("k04", S, "23/25*cosh(x) - cos(x)", -1, 1, closed="46/25*sinh(1) - 2*sin(1)")
add("k05", S, "1/(x^4 + x^2 + 0.9)", -1, 1)
add("k06", S, "x^1.5", 0, 1, closed="2/5", note=END)
add("k07", S, "1/sqrt(x)", 0, 1, closed="2", note=END)
add("k08", S, "1/(1 + x^4)", 0, 1, closed="(pi + 2*log(1 + sqrt(2)))/(4*sqrt(2))")
add("k09", S, "2/(2 + sin(10*pi*x))", 0, 1, equal(0, 1, 10), "2/sqrt(3)", OSCILLATES)
add("k10", S, "1/(1 + x)", 0, 1, closed="log(2)")
add("k11", S, "1/(1 + exp(x))", 0, 1, closed="1 + log(2) - log(1 + e)")
add("k12", S, "x/expm1(x)", 0, 1, note="x/(exp(x) - 1) without cancellation")
add("k13", S, "sin(100*pi*x)/(pi*x)", 0.1, 1, equal(0, 1, 10)[1:], "(si(100*pi) - si(10*pi))/pi", OSCILLATES)
add("k14", S, "sqrt(50)*exp(-50*pi*x^2)", 0, 10, ["1"], note=PEAK)
add("k15", S, "25*exp(-25*x)", 0, 10, closed="1 - exp(-250)", note=PEAK)
add("k16", S, "50/(pi*(2500*x^2 + 1))", 0, 10, closed="atan(500)/pi", note=PEAK)
add("k17", S, "50*(sin(50*pi*x)/(50*pi*x))^2", 0.01, 1, equal(0, 1, 10), note=OSCILLATES)
add("k18", S, "cos(cos(x) + 3*sin(x) + 2*cos(2*x) + 3*sin(2*x) + 3*cos(3*x))", 0, "pi", equal_pi(1, 4), note=OSCILLATES)
add("k19", S, "log(x)", 0, 1, closed="-1", note=END)
add("k20", S, "1/(1.005 + x^2)", -1, 1, closed="2/sqrt(1.005)*atan(1/sqrt(1.005))")
add("k21", S, "1/cosh(10*(x - 0.2))^2 + 1/cosh(100*(x - 0.4))^4 + 1/cosh(1000*(x - 0.6))^6", 0, 1,
    ["0.2", "0.4", "0.6"], note=PEAK)  # fmt: skip

S = "Gander and Gautschi 2000"
add("gg04", S, "22/25*cosh(x) - cos(x)", -1, 1, closed="44/25*sinh(1) - 2*sin(1)")
add("gg18", S, "cos(cos(x) + 3*sin(x) + 2*cos(2*x) + 3*cos(3*x))", 0, "pi", equal_pi(1, 4), note=OSCILLATES)
add("gg22", S, "4*pi^2*x*sin(20*pi*x)*cos(2*pi*x)", 0, 1, equal(0, 1, 8), note=OSCILLATES)
add("gg23", S, "1/(1 + (230*x - 30)^2)", 0, 1, ["3/23"], "(atan(200) + atan(30))/230", PEAK)
add("gg_steps", S, "ifelse(x < 1, x + 1, ifelse(x <= 3, 3 - x, 2))", 0, 5, ["1", "3"], "7.5", JUMP)

S = "Bailey, Jeyabalan and Li 2005"
add("b01", S, "x*log(1 + x)", 0, 1, closed="1/4")
add("b02", S, "x^2*atan(x)", 0, 1, closed="(pi - 2 + 2*log(2))/12")
add("b03", S, "exp(x)*cos(x)", 0, "pi/2", closed="(exp(pi/2) - 1)/2")
add("b04", S, "atan(sqrt(2 + x^2))/((1 + x^2)*sqrt(2 + x^2))", 0, 1, closed="5*pi^2/96")
add("b05", S, "sqrt(x)*log(x)", 0, 1, closed="-4/9", note=END)
add("b06", S, "sqrt(1 - x^2)", 0, 1, closed="pi/4", note=END)
add("b07", S, "sqrt(x)/sqrt((1 - x)*(1 + x))", 0, 1, closed="2*sqrt(pi)*gamma(3/4)/gamma(1/4)", note=END)
add("b08", S, "log(x)^2", 0, 1, closed="2", note=END)
add("b09", S, "log(cos(x))", 0, "pi/2", closed="-pi*log(2)/2", note=END)
add("b10", S, "sqrt(tan(x))", 0, "pi/2", note="singular end; double pi/2 takes 1.6e-8 off pi/sqrt(2)")
add("b11", S, "1/(1 + x^2)", 0, "Inf", closed="pi/2")
add("b12", S, "exp(-x)/sqrt(x)", 0, "Inf", closed="sqrt(pi)", note=END)
add("b13", S, "exp(-x^2/2)", 0, "Inf", closed="sqrt(pi/2)")
add("b14", S, "exp(-x)*cos(x)", 0, "Inf", ["2", "10", "40"], "1/2")

S = "QUADPACK 1983, family "
family("q01", S + "1", "x^A*log(1/x)", 0, 1, (-0.9, -0.8, -0.5, 0, 0.4, 1.2, 2.6), (), "(1 + A)^-2", END)
family("q02", S + "2", "4^-A/((x - pi/4)^2 + 16^-A)", 0, 1, (1, 3, 5, 8, 10, 14, 18, 20), ["pi/4"],
       "atan((4 - pi)*4^(A - 1)) + atan(pi*4^(A - 1))", PEAK)  # fmt: skip
family("q03", S + "3", "cos(2^A*sin(x))", 0, "pi", (2, 4, 6, 8, 10), equal_pi(1, 32), "pi*besselj(0, 2^A)", OSCILLATES)
family("q04", S + "4", "abs(x - 1/3)^A", 0, 1, (-0.8, -0.5, -0.3, 0.1, 0.5, 1.5), ["1/3"],
       "((2/3)^(A + 1) + (1/3)^(A + 1))/(A + 1)", INSIDE)  # fmt: skip
family("q05", S + "5", "abs(x - pi/4)^A", 0, 1, (-0.8, -0.5, 0.1, 0.5, 1, 1.7), ["pi/4"],
       "((1 - pi/4)^(A + 1) + (pi/4)^(A + 1))/(A + 1)", INSIDE)  # fmt: skip
family("q06", S + "6", "((1 - x)*(1 + x))^-0.5/(x + 1 + 2^-A)", -1, 1, (1, 4, 8, 12, 16, 20), (),
       "pi/sqrt((1 + 2^-A)^2 - 1)", END)  # fmt: skip
family("q07", S + "7", "sin(x)^(A - 1)", 0, "pi/2", (0.1, 0.5, 0.9, 1.5, 2.5), (),
       "2^(A - 2)*gamma(A/2)^2/gamma(A)", END)  # fmt: skip
family("q08", S + "8", "log(1/x)^(A - 1)", 0, 1, (0.5, 0.8, 1.5, 2, 3), (), "gamma(A)", END)
family("q09", S + "9", "exp(20*(x - 1))*sin(2^A*x)", 0, 1, (1, 4, 6, 8), equal(0, 1, 8),
       "(20*sin(2^A) - 2^A*cos(2^A) + 2^A*exp(-20))/(400 + 4^A)", OSCILLATES)  # fmt: skip
family("q10", S + "10", "cos(2^A*x)/sqrt(x*(1 - x))", 0, 1, (0, 3, 6, 8), equal(0, 1, 8),
       "pi*cos(2^(A - 1))*besselj(0, 2^(A - 1))", "oscillates, singular ends")  # fmt: skip
family("q11", S + "11", "exp(-2^-A*x)*cos(x)/sqrt(x)", 0, "Inf", (0, 2, 4), ["1"] + equal(0, 1600, 32),
       "sqrt(pi)*(1 + 4^-A)^(-1/4)*cos(atan(2^A)/2)", "oscillates, singular end")  # fmt: skip
family("q12", S + "12", "x^2*exp(-2^-A*x)", 0, "Inf", (0, 3, 5, 8), ["2^A"], "2^(3*A + 1)")
family("q13", S + "13", "x^(A - 1)/(1 + 10*x)^2", 0, "Inf", (0.1, 0.5, 0.9, 1.1, 1.5, 1.9), ["0.1"],
       "10^-A*(1 - A)*pi/sin(pi*A)", "singular end, slow decay")  # fmt: skip

S = "Genz 1984"
add("gz_cos", S, "cos(2*pi*0.3 + 9*x)", 0, 1)
add("gz_product", S, "1/(9^-2 + (x - 0.37)^2)", 0, 1, ["0.37"], note=PEAK)
add("gz_corner", S, "(1 + 5*x)^-2", 0, 1, closed="1/6")
add("gz_gauss", S, "exp(-25*(x - 0.5)^2)", 0, 1, ["0.5"], "sqrt(pi)/5*erf(5/2)")
add("gz_kink", S, "exp(-9*abs(x - 0.37))", 0, 1, ["0.37"], note=KINK)
add("gz_jump", S, "ifelse(x > 0.43, 0, exp(5*x))", 0, 1, ["0.43"], "expm1(5*0.43)/5", JUMP)

S = "Davis and Rabinowitz 1984"
add("dr_runge", S, "1/(1 + 25*x^2)", -1, 1, closed="2/5*atan(5)")
add("dr_humps", S, "1/((x - 0.3)^2 + 0.01) + 1/((x - 0.9)^2 + 0.04) - 6", 0, 1, ["0.3", "0.9"])
add("dr_osc1", S, "x*sin(30*x)*cos(x)", 0, "2*pi", equal_pi(2, 16), note=OSCILLATES)
add("dr_osc2", S, "x*sin(30*x)*cos(50*x)", 0, "2*pi", equal_pi(2, 16), note=OSCILLATES)
add("dr_osc3", S, "x*sin(30*x)/sqrt((1 - x/(2*pi))*(1 + x/(2*pi)))", 0, "2*pi", equal_pi(2, 16),
    note="oscillates, singular end")  # fmt: skip
add("dr_ellK", S, "1/sqrt(1 - 0.99*sin(x)^2)", 0, "pi/2", closed="ellipk(0.99)")
add("dr_ellE", S, "sqrt(1 - 0.5*sin(x)^2)", 0, "pi/2", closed="ellipe(0.5)")
add("dr_period", S, "1/(2 + cos(x))", 0, "2*pi", ["pi"], "2*pi/sqrt(3)")
add("dr_kepler", S, "1/(1 - 0.99*cos(x))", 0, "pi", closed="pi/sqrt(1 - 0.99^2)", note=PEAK)
add("dr_expcos", S, "exp(cos(x))", 0, "2*pi", ["pi"], "2*pi*besseli(0, 1)")
add("dr_sine_x", S, "sin(x)/x", 0, 1, closed="si(1)")
add("dr_catalan", S, "atan(x)/x", 0, 1, closed="catalan")
add("dr_xx", S, "x^x", 0, 1, note=END)
add("dr_dilog", S, "log(x)/(1 + x)", 0, 1, closed="-pi^2/12", note=END)
add("dr_loglog", S, "log(x)*log1p(-x)", 0, 1, closed="2 - pi^2/6", note=END)

S = "R integrate()"
family("r_norm0", S, "dnorm(x)", 0, "A", (1000, 20000, 100000), (), "erf(A/sqrt(2))/2", PEAK)
add("r_norm-1000", S, "dnorm(x)", -1000, 20000, ["0"], note=PEAK)
add("r_norm-20000", S, "dnorm(x)", -20000, 20000, ["0"], note=PEAK)
family("r_norm_mean", S, "dnorm(x, A, 1)", "-Inf", "Inf", (10, 100, 1000, 10000), ["A"], "1", PEAK)
family("r_norm_sd", S, "dnorm(x, 0, A)", "-Inf", "Inf", (0.01, 1e-06, 1000, 1000000.0), ["0"], "1", PEAK)
family("r_norm_far", S, "dnorm(x, A, 0.1)", "-Inf", "Inf", (1, 10, 50), ["A"], "1", PEAK)
add("r_norm_1", S, "dnorm(x, 1, 0.01)", "-Inf", "Inf", ["1"], "1", PEAK)
add("r_norm_50", S, "dnorm(x, 50, 0.01)", "-Inf", "Inf", ["50"], "1", PEAK)
add("r_norm_pos", S, "dnorm(x, 20, 0.05)", 0, "Inf", ["20"], note=PEAK)
add("r_norm_in10", S, "dnorm(x, 5.3, 0.001)", 0, 10, ["5.3"], note=PEAK)
add("r_norm_in100", S, "dnorm(x, 37, 0.01)", 0, 100, ["37"], note=PEAK)
family("r_exp", S, "dexp(x)", 0, "A", (1000, 20000, 100000), (), "1 - exp(-A)", PEAK)
family("r_exp_rate", S, "dexp(x, A)", 0, "Inf", (0.0001, 0.01, 1000), ["1/A"], "1")
family("r_t", S, "dt(x, A)", "-Inf", "Inf", (0.2, 0.5, 1.01, 1.2, 2, 30), ["0"], "1", TAIL)
add("r_doc", S, "1/((x + 1)*sqrt(x))", 0, "Inf", ["1"], "pi", "singular end, slow decay; example of the documentation")
for a, b in ((0.8, 0.5), (0.5, 0.5), (0.3, 2), (3, 0.7), (20, 300), (200, 50), (2000, 3000)):
    breaks, note = ([f"{a}/({a} + {b})"], PEAK) if a > 10 else ((), END)
    add(f"r_beta_{a}_{b}", S, f"dbeta(x, {a}, {b})", 0, 1, breaks, "1", note)
add("r_rsqrt1", S, "1/sqrt(1 - x)", 0, 1, closed="2", note=END)
add("r_abs0.3", S, "abs(x - 0.3)^-0.5", 0, 1, ["0.3"], "2*(sqrt(0.3) + sqrt(1 - 0.3))", INSIDE)
add("r_logsqrt", S, "log(x)/sqrt(x)", 0, 1, closed="-4", note=END)
add("r_sinc100", S, "sin(x)/x", 0.001, 100, equal(0, 100, 10), "si(100) - si(0.001)", OSCILLATES)
add("r_sinc1000", S, "sin(x)/x", 1, 1000, equal(0, 1000, 40), "si(1000) - si(1)", OSCILLATES)
add("r_sin200", S, "sin(200*x)", 0, 1, equal(0, 1, 8), "(1 - cos(200))/200", OSCILLATES)
add("r_sin200sq", S, "sin(200*x)^2", 0, 1, equal(0, 1, 8), "1/2 - sin(400)/800", OSCILLATES)
add("r_recip3", S, "sin(1/x)", 0.001, 1, [f"1/{k}" for k in range(980, 10, -20)] + ["1/4"],
    "sin(1) - ci(1) - (0.001*sin(1/0.001) - ci(1/0.001))", OSCILLATES)  # fmt: skip
add("r_recip2", S, "sin(1/x)", 0.01, 1, [f"1/{k}" for k in range(90, 0, -10)] + ["1/4"],
    "sin(1) - ci(1) - (0.01*sin(1/0.01) - ci(1/0.01))", OSCILLATES)  # fmt: skip
add("r_xrecip", S, "x*sin(1/x)", 0, 1, None, "(sin(1) + cos(1) - pi/2 + si(1))/2", "oscillates without end")
for shape in (0.1, 0.5, 0.9, 2, 100, 1000):
    add(f"r_gamma_{shape}", S, f"dgamma(x, {shape})", 0, "Inf", [str(max(shape - 1, 1))], "1",
        END if shape < 1 else PEAK)  # fmt: skip
add("r_gamma_slow", S, "dgamma(x, 2, 0.0001)", 0, "Inf", ["10000"], "1")
add("r_gamma_fast", S, "dgamma(x, 2, 100)", 0, "Inf", ["0.01"], "1", PEAK)
add("r_gamma_0.5_20000", S, "dgamma(x, 0.5)", 0, 20000, ["1"], "erf(sqrt(20000))", END)
add("r_chisq1", S, "dchisq(x, 1)", 0, "Inf", ["1"], "1", END)
for a, b in ((1, 3), (10, 1), (0.5, 2), (5, 0.4), (200, 300)):
    add(f"r_f_{a}_{b}", S, f"df(x, {a}, {b})", 0, "Inf", ["1"], "1", PEAK if a > 100 else END if a < 2 else TAIL)
for shape, scale in ((0.2, 1), (0.5, 1), (0.7, 100), (20, 5)):
    add(f"r_weibull_{shape}", S, f"dweibull(x, {shape}, {scale})", 0, "Inf", [str(scale)], "1",
        END if shape < 1 else PEAK)  # fmt: skip
for mean, sd in ((0, 1), (0, 3), (5, 0.1)):
    add(f"r_lnorm_{mean}_{sd}", S, f"dlnorm(x, {mean}, {sd})", 0, "Inf", [f"exp({mean})"], "1")
for at, scale in ((0, 1), (100, 1), (10, 0.01), (0, 1000)):
    add(f"r_cauchy_{at}_{scale}", S, f"dcauchy(x, {at}, {scale})", "-Inf", "Inf", [str(at)], "1", TAIL)
add("r_logis100", S, "dlogis(x, 100, 1)", "-Inf", "Inf", ["100"], "1", PEAK)
add("r_gumbel", S, "exp(-x - exp(-x))", "-Inf", "Inf", ["0"], "1", start="-6")
add("r_gumbel50", S, "exp(-(x - 50) - exp(-(x - 50)))", "-Inf", "Inf", ["50"], "1", PEAK, start="44")
add("r_two", S, "0.5*dnorm(x, 0.2, 0.01) + 0.5*dnorm(x, 0.7, 0.001)", 0, 1, ["0.2", "0.7"], note=PEAK)
add("r_three", S, "0.6*dnorm(x, -2, 0.1) + 0.3*dnorm(x, 1, 0.01) + 0.1*dnorm(x, 4, 0.003)", -10, 10, ["-2", "1", "4"],
    note=PEAK)  # fmt: skip
add("r_two_line", S, "0.5*dnorm(x) + 0.5*dnorm(x, 8, 0.01)", "-Inf", "Inf", ["0", "8"], "1", PEAK)
add("r_two_far", S, "0.9*dnorm(x) + 0.1*dnorm(x, 30, 0.1)", "-Inf", "Inf", ["0", "30"], "0.9 + 0.1", PEAK)
add("r_moment4", S, "x^4*dnorm(x)", "-Inf", "Inf", ["0"], "3")
add("r_mgf3", S, "exp(3*x)*dnorm(x)", "-Inf", "Inf", ["3"], "exp(4.5)")
add("r_second", S, "x^2*dnorm(x, 100, 0.5)", "-Inf", "Inf", ["100"], "10000.25", PEAK)
add("r_skew", S, "2*dnorm(x)*pnorm(4*x)", "-Inf", "Inf", ["0"], "1")
add("r_maximum", S, "10*dnorm(x)*pnorm(x)^9", "-Inf", "Inf", ["0", "1.5"], "1")
add("r_damped", S, "exp(-0.01*x)*sin(x)", 0, "Inf", equal(0, 8000, 160), "1/(1 + 0.01^2)", OSCILLATES)

S = "jumps and kinks"
add("j_third", S, "ifelse(x > 1/3, exp(x), 0)", 0, 1, ["1/3"], "e - exp(1/3)", JUMP)
add("j_pi", S, "ifelse(x < pi/4, 1, exp(-x))", 0, 1, ["pi/4"], note=JUMP)
add("j_floor", S, "floor(x)", 0, 10, equal(0, 10, 10), "45", JUMP)
add("j_floor5", S, "floor(5*x)*exp(-x)", 0, 2, equal(0, 2, 10), note=JUMP)
add("j_saw", S, "x - floor(x)", 0, 7.5, [str(k) for k in range(1, 8)], "3.625", JUMP)
add("j_window", S, "ifelse(x > 0.41, ifelse(x < 0.42, 1, 0), 0)", 0, 1, ["0.41", "0.42"], "0.42 - 0.41", JUMP)
add("j_near_end", S, "ifelse(x < 0.999, 1, 3)", 0, 1, ["0.999"], "3 - 2*0.999", JUMP)
add("j_tiny", S, "ifelse(x < 0.7, exp(x), exp(x) + 1e-5)", 0, 1, ["0.7"], "e - 1 + 1e-5*(1 - 0.7)", JUMP)
add("j_line", S, "ifelse(x > 1, exp(-x), 0)", 0, "Inf", ["1"], "exp(-1)", JUMP)
add("j_line2", S, "ifelse(x < 2, 1, x^-2)", 0, "Inf", ["2"], "2.5", JUMP)
add("c_abs", S, "abs(x - 0.3)", 0, 1, ["0.3"], "(0.3^2 + (1 - 0.3)^2)/2", KINK)
add("c_pmax", S, "pmax(x - 0.7, 0)", 0, 1, ["0.7"], "(1 - 0.7)^2/2", KINK)
add("c_abssin", S, "abs(sin(10*x))", 0, 3, [f"{k}*pi/10" for k in range(1, 10)], note=KINK)
add("c_square", S, "abs(x^2 - 0.5)", 0, 1, ["sqrt(0.5)"], note=KINK)
add("c_laplace", S, "exp(-50*abs(x - 0.3))", 0, 1, ["0.3"], "(2 - exp(-50*0.3) - exp(-50*(1 - 0.3)))/50", KINK)
add("c_laplace_line", S, "exp(-abs(x - 3))", "-Inf", "Inf", ["3"], "2", KINK)
add("c_sqrt", S, "sqrt(abs(x - 0.7))", 0, 1, ["0.7"], "2/3*(0.7^1.5 + (1 - 0.7)^1.5)", INSIDE)
add("c_sqrt2", S, "sqrt(abs(x^2 - 0.25))", -1, 1, ["-0.5", "0.5"], note=INSIDE)
add("c_call", S, "pmax(exp(0.2*x) - 1.1, 0)*dnorm(x)", "-Inf", "Inf", ["log(1.1)/0.2", "5"], note=KINK)
add("c_third", S, "abs(x - 0.2)^(1/3)*exp(x)", 0, 1, ["0.2"], note=INSIDE)

S = "singularities"
family("s_pow", S, "x^A", 0, 1, (-0.9, -0.7, -0.3, 0.1, 0.3), (), "1/(1 + A)", END)
family("s_pow1", S, "(1 - x)^A", 0, 1, (-0.6, -0.3, 0.1, 0.5), (), "1/(1 + A)", END)
add("s_both", S, "x^-0.7*(1 - x)^-0.3", 0, 1, closed="beta(1 - 0.7, 1 - 0.3)", note=END)
add("s_arcsine", S, "1/sqrt(x*(1 - x))", 0, 1, closed="pi", note=END)
add("s_logpow", S, "log(x)^2/sqrt(x)", 0, 1, closed="16", note=END)
add("s_log4", S, "log(x)^4", 0, 1, closed="24", note=END)
add("s_log1", S, "log(1 - x)", 0, 1, closed="-1", note=END)
add("s_logend", S, "log(1/x)*(1 - x)^-0.3", 0, 1, note=END)
add("s_logloglog", S, "log(-log(x))", 0, "exp(-1)", note=END)
add("s_loginside", S, "log(abs(x - 0.3))", 0, 1, ["0.3"], "0.3*log(0.3) + (1 - 0.3)*log(1 - 0.3) - 1", INSIDE)
add("s_log2", S, "log(abs(x^2 - 0.5))", 0, 1, ["sqrt(0.5)"], note=INSIDE)
add("s_log_qp", S, "log(abs((x - 1.5)*(x^2 - 2)))*x", 0, 3, ["sqrt(2)", "1.5"], note=INSIDE)
add("s_qp_x3", S, "x^3*log(abs((x - 1)*(x + 1)*(x^2 - 2)))", 0, 3, ["1", "sqrt(2)"],
    "61*log(2) + 77/4*log(7) - 27", INSIDE)  # fmt: skip
add("s_qp_log100", S, "log(x)/(1 + 100*x^2)", 0, "Inf", ["0.1"], "-pi*log(10)/20", END)
add("s_qp_log2", S, "log(x)/(1 + log(x)^2)^2", 0, 1, closed="(ci(1)*sin(1) + (pi/2 - si(1))*cos(1) - 1)/2", note=END)
add("s_inside4", S, "abs(x - 0.61)^-0.4", 0, 1, ["0.61"], "(0.61^(1 - 0.4) + (1 - 0.61)^(1 - 0.4))/(1 - 0.4)", INSIDE)
add("s_inside7", S, "abs(x - 0.27)^-0.7", 0, 1, ["0.27"], "(0.27^(1 - 0.7) + (1 - 0.27)^(1 - 0.7))/(1 - 0.7)", INSIDE)
add("s_insidelog", S, "log(abs(x - 0.4))/sqrt(abs(x - 0.4))", 0, 1, ["0.4"], note=INSIDE)
add("s_two", S, "abs(x - 0.2)^-0.3 + abs(x - 0.8)^-0.5", 0, 1, ["0.2", "0.8"], note=INSIDE)
add("s_half", S, "abs(x - 0.5)^-0.5", 0, 1, ["0.5"], "2*sqrt(2)", INSIDE)
add("s_zero_inside", S, "abs(x)^-0.5", -1, 2, ["0"], "2 + 2*sqrt(2)", INSIDE)
add("s_smooth_part", S, "exp(x)*abs(x - 0.3)^-0.25", 0, 1, ["0.3"], note=INSIDE)
add("s_onesided", S, "ifelse(x > 0.3, (x - 0.3)^-0.5, 0)", 0, 1, ["0.3"], "2*sqrt(1 - 0.3)", INSIDE)
add("s_inside_line", S, "exp(-abs(x))/sqrt(abs(x - 1))", "-Inf", "Inf", ["0", "1"], note=INSIDE)
add("s_weak", S, "exp(-x)/sqrt(abs(x - 2))", 0, "Inf", ["2"], note=INSIDE)
add("s_cbrt", S, "x^(1/3)", 0, 1, closed="3/4", note=END)
add("s_asin", S, "asin(x)", 0, 1, closed="pi/2 - 1", note=END)
add("s_acosroot", S, "x*acos(x)/sqrt(1 - x^2)", 0, 1, note=END)
add("s_expend", S, "exp(-1/x)", 0, 1, closed="exp(-1) - e1(1)", note="essential singularity at an end")

S = "half-lines"
family("h_alg", S, "(1 + x)^-A", 0, "Inf", (1.1, 1.2, 1.5, 2, 3.5), (), "1/(A - 1)", TAIL)
add("h_alg_1", S, "x^-1.5", 1, "Inf", closed="2", note=TAIL)
add("h_alg_100", S, "1/(x^2 + 100^2)", 0, "Inf", ["100"], "pi/200", TAIL)
add("h_x4", S, "1/(1 + x^4)", "-Inf", "Inf", ["0"], "pi/sqrt(2)")
add("h_logx2", S, "log(x)/x^2", 1, "Inf", closed="1", note=TAIL)
add("h_logcat", S, "log(x)/(1 + x^2)", 1, "Inf", closed="catalan", note=TAIL)
add("h_log1p", S, "log1p(x)/x^1.5", 0, "Inf", ["1"], "2*pi", "singular end, slow decay")
add("h_atan", S, "atan(x)/x^1.5", 0, "Inf", ["1"], "pi*sqrt(2)", "singular end, slow decay")
add("h_x03", S, "x^-0.3/(1 + x)", 0, "Inf", ["1"], "pi/sin(pi*(1 - 0.3))", "singular end, slow decay")
family("h_stretched", S, "exp(-x^A)", 0, "Inf", (0.25, 0.3, 0.5, 3, 8), (), "gamma(1 + 1/A)", "stretched exponential")
add("h_k1", S, "exp(-x - 1/x)", 0, "Inf", ["1"], "2*besselk(1, 2)")
add("h_levy", S, "x^-1.5*exp(-1/x)", 0, "Inf", ["1"], "sqrt(pi)", TAIL)
add("h_invgauss", S, "exp(-1/x^2)/x^2", 0, "Inf", ["1"], "sqrt(pi)/2", TAIL)
add("h_fermi1", S, "x/(exp(x) + 1)", 0, "Inf", ["1"], "pi^2/12")
add("h_fermi5", S, "sqrt(x)/(exp(x - 5) + 1)", 0, "Inf", ["5"], note=END)
add("h_fermi50", S, "sqrt(x)/(exp(x - 50) + 1)", 0, "Inf", ["50"], note=END)
add("h_planck", S, "x^3/expm1(x)", 0, "Inf", ["3"], "pi^4/15")
add("h_bose", S, "sqrt(x)/expm1(x)", 0, "Inf", ["1"], "gamma(1.5)*zeta(1.5)", END)
add("h_bose1.5", S, "x^1.5/expm1(x)", 0, "Inf", ["1"], "gamma(2.5)*zeta(2.5)", END)
add("h_heat", S, "x^2/(4*sinh(x/2)^2)", 0, "Inf", ["1"], "pi^2/3", "specific heat of Debye")
add("h_factorial", S, "x^50*exp(-x)", 0, "Inf", ["50"], "factorial(50)")
add("h_euler", S, "log(x)*exp(-x)", 0, "Inf", ["1"], "-euler", END)
add("h_laplace_cos", S, "exp(-x/10)*cos(5*x)^2", 0, "Inf", equal(0, 800, 80),
    "5 + 0.5*(1/10)/((1/10)^2 + 100)", OSCILLATES)  # fmt: skip
add("h_gauss_cos3", S, "exp(-x^2)*cos(3*x)", "-Inf", "Inf", ["0", "3"], "sqrt(pi)*exp(-9/4)")
add("h_cos_lorentz", S, "cos(x)/(1 + x^2)", 0, "Inf", None, "pi/(2*e)", "oscillates, slow decay")
add("h_sinc2", S, "(sin(x)/x)^2", 0, "Inf", None, "pi/2", "oscillates, slow decay")
add("h_sinc4", S, "(sin(x)/x)^4", 0, "Inf", None, "pi/3", "oscillates, slow decay")
add("h_sech", S, "1/cosh(x)", "-Inf", "Inf", ["0"], "pi")
add("h_tail5", S, "exp(-x^2/2)", 5, "Inf", closed="sqrt(pi/2)*erfc(5/sqrt(2))")
add("h_tail30", S, "exp(-x^2/2)", 30, "Inf", closed="sqrt(pi/2)*erfc(30/sqrt(2))", note="value 1e-198")
add("h_shift", S, "1/(1 + (x - 1000)^2)", 0, "Inf", ["1000"], "pi/2 + atan(1000)", PEAK)

S = "peaks and layers"
family("p_gauss", S, "exp(-A*(x - 0.37)^2)", 0, 1, (10000, 1000000, 100000000), ["0.37"], note=PEAK)
family("p_lorentz", S, "1/((x - 0.3)^2 + A)", 0, 1, (0.0001, 1e-06, 1e-10), ["0.3"],
       "(atan((1 - 0.3)/sqrt(A)) + atan(0.3/sqrt(A)))/sqrt(A)", PEAK)  # fmt: skip
add("p_two", S, "1/(1e-6 + (x - 0.11)^2) + 1/(1e-4 + (x - 0.77)^2)", 0, 1, ["0.11", "0.77"], note=PEAK)
add("p_pair", S, "exp(-1e6*(x - 0.3)^2) + exp(-1e4*(x - 0.71)^2)", 0, 1, ["0.3", "0.71"], note=PEAK)
add("p_tanh50", S, "1 + tanh(50*(x - 0.3))", 0, 1, ["0.3"])
add("p_tanh1000", S, "1 + tanh(1000*(x - 0.3))", 0, 1, ["0.3"], note="layer")
add("p_sigmoid", S, "1/(1 + exp(-1000*(x - 0.4)))", 0, 1, ["0.4"],
    "(log1p(exp(1000*(1 - 0.4))) - log1p(exp(-1000*0.4)))/1000", "layer")  # fmt: skip
add("p_end", S, "exp(-1000*x)", 0, 1, closed="-expm1(-1000)/1000", note=PEAK)
add("p_end5", S, "1e5*exp(-1e5*x)", 0, 1, closed="1", note=PEAK)
add("p_end1", S, "exp(1000*(x - 1))", 0, 1, closed="-expm1(-1000)/1000", note=PEAK)
add("p_sech50", S, "1/cosh(50*x)", -1, 1, ["0"], "4/50*(atan(exp(50)) - pi/4)", PEAK)
add("p_voigt", S, "exp(-x^2)/((x - 1)^2 + 1e-6)", "-Inf", "Inf", ["0", "1"], note=PEAK)
add("p_bell", S, "exp(-1e4*(x - 0.5)^2) + x", 0, 1, ["0.5"], note="peak on a slope")
add("p_small", S, "exp(x) + 0.1*exp(-1e6*(x - 0.613)^2)", 0, 1, ["0.613"], note="small peak on a smooth function")

S = "oscillation"
family("o_cos", S, "cos(A*x)", 0, 1, (10, 50, 500), equal(0, 1, 16), "sin(A)/A", OSCILLATES)
add("o_chirp100", S, "cos(100*x^2)", 0, 1, equal(0, 1, 8), note=OSCILLATES)
add("o_fresnel", S, "sin(x^2)", 0, 10, equal(0, 10, 20), note=OSCILLATES)
add("o_sinexp", S, "sin(exp(x))", 0, 5, ["1", "2", "3", "3.5", "4", "4.25", "4.5", "4.75"],
    "si(exp(5)) - si(1)", OSCILLATES)  # fmt: skip
add("o_logcos", S, "cos(20*log(x))", 0, 1, closed="1/401", note="oscillates without end")
add("o_bessel", S, "besselJ(x, 0)", 0, 50, equal(0, 50, 10), note=OSCILLATES)
add("o_beat", S, "sin(50*x)*sin(51*x)", 0, 3, equal(0, 3, 12), "sin(3)/2 - sin(303)/202", OSCILLATES)
add("o_expsin", S, "exp(sin(40*x))", 0, 2, equal(0, 2, 32), note=OSCILLATES)
add("o_square", S, "1/(1.1 + cos(60*x))", 0, 1, [f"{k}*pi/60" for k in range(1, 20)], note="many peaks")
add("o_xsin", S, "x^2*sin(100*x)", 0, 1, equal(0, 1, 8), note=OSCILLATES)
add("o_logsin", S, "log(x)*sin(10*pi*x)", 0, 1, equal(0, 1, 10),
    "-(euler + log(10*pi) - ci(10*pi))/(10*pi)", "oscillates, singular end")  # fmt: skip
add("o_sqrtcos", S, "cos(50*x)/sqrt(x)", 0, 1, equal(0, 1, 8), note="oscillates, singular end")


def line(row):
    value = m.nstr(value_of(row), 25, strip_zeros=False)
    quoted = ['"%s"' % row[key] for key in ("source", "formula")]
    return ",".join([row["id"], *quoted, row["lower"], row["upper"], value, '"%s"' % row["note"]])


def main():
    pattern = sys.argv[1] if len(sys.argv) > 1 else None
    if pattern is None:
        print("id,source,formula,lower,upper,value,note")
    failed = False
    for row in ROWS:
        if pattern is None or re.search(pattern, row["id"]):
            try:
                print(line(row), flush=True)
            except (ArithmeticError, ValueError, TypeError) as error:
                failed = True
                print(row["id"], repr(error), file=sys.stderr)
    sys.exit(failed)


main()
