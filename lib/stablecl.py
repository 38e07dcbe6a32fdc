"""Alpha-stable distributions in Python, by the library that `make lib` builds (build/lib/libstablecl.so).

    >>> import stablecl
    >>> stablecl.pdf([0.0, 1.0], alpha=1.5, beta=0.5)
    >>> stablecl.sf(1e3, 1.5, 0.0)

Arguments are numbers or sequences, which are recycled; parametrisations and accuracy are those of the R functions
(pm: 0, 1 or 2 for Nolan's S0, S1, S2).  Results are lists of floats.
"""
import ctypes
import os

_c_double_p = ctypes.POINTER(ctypes.c_double)


class _Column(ctypes.Structure):
    _fields_ = [("at", _c_double_p), ("length", ctypes.c_size_t)]


class _Laws(ctypes.Structure):
    _fields_ = [(name, _Column) for name in ("alpha", "beta", "gamma", "delta")] + [("pm", ctypes.c_int)]


def _function(result, *arguments):
    return ctypes.CFUNCTYPE(result, *arguments)


_p, _n, _i, _u64 = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_uint64
_laws = ctypes.POINTER(_Laws)


class _Api(ctypes.Structure):
    _fields_ = [
        ("version", _i), ("open", _function(_p)), ("close", _function(None, _p)),
        ("message", _function(ctypes.c_char_p, _p)),
        ("density", _function(_i, _p, _laws, _n, _c_double_p, _i, _c_double_p)),
        ("distribution", _function(_i, _p, _laws, _n, _c_double_p, _i, _i, _c_double_p)),
        ("quantile", _function(_i, _p, _laws, _n, _c_double_p, _i, _i, _c_double_p)),
        ("score", _function(_i, _p, _laws, _n, _c_double_p, _c_double_p)),
        ("random", _function(_i, _p, _laws, _n, _u64, _u64, _c_double_p)),
    ]


_here = os.path.dirname(os.path.abspath(__file__))
_path = os.environ.get("STABLECL_LIBRARY", os.path.join(_here, "..", "build", "lib", "libstablecl.so"))
_library = ctypes.CDLL(_path)
_library.stablecl_api.restype = ctypes.POINTER(_Api)
_api = _library.stablecl_api(1).contents


def _array(value):
    values = [float(v) for v in value] if hasattr(value, "__iter__") else [float(value)]
    return (ctypes.c_double * len(values))(*values)


def _run(call, x, parameters, pm):
    """Calls `call(evaluator, laws, n, x, y)` for columns recycled to the length of the longest one."""
    columns = [_array(c) for c in parameters]
    n = max(len(c) for c in columns + ([x] if x is not None else []))
    if x is not None:
        x = (ctypes.c_double * n)(*[x[k % len(x)] for k in range(n)])
    laws = _Laws(*[_Column(c, len(c)) for c in columns], pm)
    y = (ctypes.c_double * n)()
    evaluator = _api.open()
    if not evaluator:
        raise MemoryError("no memory for an evaluator")
    try:
        if call(evaluator, ctypes.byref(laws), n, x, y):
            raise ValueError(_api.message(evaluator).decode())
    finally:
        _api.close(evaluator)
    return list(y)


def pdf(x, alpha, beta, gamma=1.0, delta=0.0, pm=0, log=False):
    return _run(lambda s, l, n, x, y: _api.density(s, l, n, x, log, y), _array(x), (alpha, beta, gamma, delta), pm)


def cdf(x, alpha, beta, gamma=1.0, delta=0.0, pm=0, log=False, lower=True):
    return _run(lambda s, l, n, x, y: _api.distribution(s, l, n, x, lower, log, y), _array(x),
                (alpha, beta, gamma, delta), pm)


def sf(x, alpha, beta, gamma=1.0, delta=0.0, pm=0, log=False):
    return cdf(x, alpha, beta, gamma, delta, pm, log, lower=False)


def ppf(p, alpha, beta, gamma=1.0, delta=0.0, pm=0, log=False, lower=True):
    return _run(lambda s, l, n, x, y: _api.quantile(s, l, n, x, lower, log, y), _array(p),
                (alpha, beta, gamma, delta), pm)


def rvs(n, alpha, beta, gamma=1.0, delta=0.0, pm=0, seed=0, first=0):
    """Random numbers first, ..., first + n - 1 of the stream of a seed; there is no state."""
    parameters = ([alpha] * n if not hasattr(alpha, "__iter__") else alpha, beta, gamma, delta)
    return _run(lambda s, l, m, x, y: _api.random(s, l, m, seed, first, y), None, parameters, pm)
