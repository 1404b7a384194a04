"""ops_elementwise: golden cases of operations on single elements."""

import warnings

import jax.numpy as jnp
import ml_dtypes
import numpy as np
from jax import lax

FLOATS = [np.float16, ml_dtypes.bfloat16, np.float32, np.float64]
INTS = [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64]


def floats(dtype, low=-4, high=4, specials=True):
    """NaN, infinities, zeros, limits, halves, and some between low and high. No subnormal f64: XLA flushes those."""
    info = ml_dtypes.finfo(dtype)
    odd = [
        np.nan,
        np.inf,
        -np.inf,
        0.0,
        -0.0,
        1,
        -1,
        0.5,
        -0.5,
        1.5,
        -1.5,
        2,
        -2,
        2.5,
        -2.5,
        3,
        -3,
        10,
        -10,
        30.7,
        -30.7,
        100,
        -100,
        1000,
        -1000,
        1 + float(info.eps),
        1 - float(info.eps) / 2,
        float(info.max),
        -float(info.max),
        2 * float(info.tiny),
        -2 * float(info.tiny),
        np.pi,
        1e-3,
        -1e-3,
        0.1,
    ]
    if dtype != np.float64:
        odd += [float(info.smallest_subnormal), -float(info.smallest_subnormal)]
    some = np.random.default_rng(7).uniform(low, high, 21)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return np.array((odd if specials else []) + list(some)).astype(dtype)


def complexes(dtype):
    """Zeros and points on both sides of the cuts, and some in all quadrants."""
    part = np.float32 if dtype == np.complex64 else np.float64
    axis = [0.0, -0.0, 0.5, -0.5, 1, -1, 2, -2]
    grid = [complex(a, b) for a in axis for b in axis]
    rng = np.random.default_rng(8)
    grid += [complex(a, b) for a, b in rng.uniform(-3, 3, (16, 2))]
    out = np.empty(len(grid), dtype)
    out.real = np.array([z.real for z in grid], part)
    out.imag = np.array([z.imag for z in grid], part)
    return out


def integers(dtype):
    info = np.iinfo(dtype)
    values = [0, 1, 2, 3, 7, 8, 31, 64, 100, info.max, info.max - 1, info.min, info.max // 3]
    if info.min < 0:
        values += [-1, -2, -7, -64]
    return np.array(values).astype(dtype)


def pairs(x):
    """Every value of x beside every other."""
    return np.repeat(x, len(x)), np.tile(x, len(x))


def wide(dtype):
    return np.complex128 if np.issubdtype(dtype, np.complexfloating) else np.float64


def rounded(value, dtype):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return np.asarray(value).astype(dtype)


# name: (function, slack of f64 results, dtypes beyond real floats)
UNARY = {
    "neg": (lax.neg, 0, "ic"),
    "sign": (lax.sign, 0, "ic"),
    "square": (lax.square, 0, "ic"),
    "abs": (lax.abs, 0, "ic"),
    "exp": (lax.exp, 1e-13, "c"),
    "exp2": (lax.exp2, 1e-13, "c"),
    "log": (lax.log, 1e-13, "c"),
    "expm1": (lax.expm1, 1e-13, "c"),
    "log1p": (lax.log1p, 1e-13, "c"),
    "sin": (lax.sin, 1e-13, "c"),
    "cos": (lax.cos, 1e-13, "c"),
    "tan": (lax.tan, 1e-13, "c"),
    "asin": (lax.asin, 1e-13, "c"),
    "acos": (lax.acos, 1e-13, "c"),
    "atan": (lax.atan, 1e-13, "c"),
    "sinh": (lax.sinh, 1e-13, "c"),
    "cosh": (lax.cosh, 1e-13, "c"),
    "tanh": (lax.tanh, 1e-13, "c"),
    "asinh": (lax.asinh, 1e-13, "c"),
    "acosh": (lax.acosh, 1e-13, "c"),
    "atanh": (lax.atanh, 1e-13, "c"),
    "sqrt": (lax.sqrt, 1e-13, "c"),
    "rsqrt": (lax.rsqrt, 1e-13, "c"),
    "cbrt": (lax.cbrt, 1e-13, ""),
    "logistic": (lax.logistic, 1e-13, "c"),
    "erf": (lax.erf, 1e-13, ""),
    "erfc": (lax.erfc, 1e-13, ""),
    "erf_inv": (lax.erf_inv, 1e-12, ""),
    "lgamma": (lax.lgamma, 1e-12, ""),
    "digamma": (lax.digamma, 1e-12, ""),
    "bessel_i0e": (lax.bessel_i0e, 1e-13, ""),
    "bessel_i1e": (lax.bessel_i1e, 1e-13, ""),
    "floor": (lax.floor, 0, ""),
    "ceil": (lax.ceil, 0, ""),
    "is_finite": (lax.is_finite, 0, ""),
    "real": (lax.real, 0, "only c"),
    "imag": (lax.imag, 0, "only c"),
    "conj": (lax.conj, 0, "only c"),
    "not": (lax.bitwise_not, 0, "only i"),
    "population_count": (lax.population_count, 0, "only i"),
    "clz": (lax.clz, 0, "only i"),
}
BINARY = {
    "add": (lax.add, 0, "ic"),
    "sub": (lax.sub, 0, "ic"),
    "mul": (lax.mul, 0, "ic"),
    "div": (lax.div, 1e-13, "ic"),
    "rem": (lax.rem, 0, "i"),
    "max": (lax.max, 0, "ib"),
    "min": (lax.min, 0, "ib"),
    "atan2": (lax.atan2, 1e-13, ""),
    "pow": (lax.pow, 1e-12, "c"),
    "nextafter": (lax.nextafter, 0, ""),
    "and": (lax.bitwise_and, 0, "only ib"),
    "or": (lax.bitwise_or, 0, "only ib"),
    "xor": (lax.bitwise_xor, 0, "only ib"),
    "shift_left": (lax.shift_left, 0, "only i"),
    "shift_right_arithmetic": (lax.shift_right_arithmetic, 0, "only i"),
    "shift_right_logical": (lax.shift_right_logical, 0, "only i"),
    "mulhi": (lax.mulhi, 0, "only i"),
    "eq": (lax.eq, 0, "icb"),
    "ne": (lax.ne, 0, "icb"),
    "lt": (lax.lt, 0, "ib"),
    "le": (lax.le, 0, "ib"),
    "gt": (lax.gt, 0, "ib"),
    "ge": (lax.ge, 0, "ib"),
}
# Results that are exact in their own dtype: computed there, not in f64.
EXACT = {
    "neg",
    "is_finite",
    "rem",
    "max",
    "min",
    "nextafter",
    "real",
    "imag",
    "conj",
    "eq",
    "ne",
    "lt",
    "le",
    "gt",
    "ge",
}
# Functions with cuts, of complex numbers: NumPy's, because XLA does not look at the sign of a zero there.
CUTS = {
    "asin": np.arcsin,
    "acos": np.arccos,
    "asinh": np.arcsinh,
    "acosh": np.arccosh,
    "sqrt": np.sqrt,
    "log": np.log,
    "atan": np.arctan,
    "atanh": np.arctanh,
}


def value_of(name, function, inputs, result=None):
    """JAX's result, of functions one precision up."""
    dtype = inputs[0].dtype
    if name in EXACT or np.issubdtype(dtype, np.integer) or dtype == bool:
        return np.asarray(function(*[jnp.asarray(a) for a in inputs]))
    if name in CUTS and np.issubdtype(dtype, np.complexfloating):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return rounded(CUTS[name](rounded(inputs[0], np.complex128)), result or dtype)
    up = [jnp.asarray(rounded(a, wide(dtype))) for a in inputs]
    return rounded(function(*up), result or dtype)


def trusted(name, x):
    """Where XLA's own f64 is right: elsewhere its answer is an accident of its algorithm."""
    keep = np.ones(len(x[0]), bool)
    a = x[0].astype(np.complex128 if np.iscomplexobj(x[0]) else np.float64)
    if name in ("sin", "cos", "tan") and not np.iscomplexobj(a):
        keep &= ~(np.isfinite(a) & (np.abs(a) > 1e9))  # huge arguments
    if name in ("rsqrt", "sign") and np.iscomplexobj(a):
        keep &= a != 0  # (inf, nan), and zeros of either sign
    return [v[keep] for v in x]


def add_unary(cases):
    for name, (function, slack, kinds) in UNARY.items():
        only = kinds.startswith("only")
        inputs = [] if only else [floats(d) for d in FLOATS]
        if "i" in kinds.replace("only", ""):
            inputs += [integers(d) for d in INTS if not (name == "abs" and d(0) - 1 > 0)]
        if "c" in kinds:
            inputs += [complexes(np.complex64), complexes(np.complex128)]
        if name == "not":
            inputs.append(np.array([True, False]))
        for x in inputs:
            if name == "abs" and np.issubdtype(x.dtype, np.unsignedinteger):
                continue
            (x,) = trusted(name, [x])
            result = (
                {np.complex64: np.float32, np.complex128: np.float64}.get(x.dtype.type)
                if name == "abs"
                else None
            )
            is_double = x.dtype in (np.float64, np.complex128)
            is_complex = np.iscomplexobj(x)
            cases.add(
                name,
                [x],
                value_of(name, function, [x], result),
                rtol=slack if is_double else 0,
                atol=(
                    slack
                    if is_double and is_complex
                    else 1e-12 if is_complex else 2e-15 if name == "lgamma" else 0
                ),
                ulps=0 if name in EXACT else 1,
            )
    for method in ("AWAY_FROM_ZERO", "TO_NEAREST_EVEN"):
        for d in FLOATS:
            x = floats(d)
            y = lax.round(jnp.asarray(x), getattr(lax.RoundingMethod, method))
            cases.add("round", [x], y, "method=" + method.lower(), ulps=0)


def add_binary(cases):
    for name, (function, slack, kinds) in BINARY.items():
        only = kinds.startswith("only")
        kinds = kinds.replace("only ", "")
        small = [np.nan, np.inf, -np.inf, 0.0, -0.0, 1, -1, 0.5, -2, 3, -2.5, 1e4]
        inputs = [] if only else [pairs(np.array(small).astype(d)) for d in FLOATS]
        if "i" in kinds:
            inputs += [
                pairs(integers(d)) for d in (np.int8, np.int32, np.int64, np.uint8, np.uint32, np.uint64)
            ]
        if "c" in kinds:
            z = np.array([0.5 + 1j, -1 - 0.5j, 2, 1j, 3 - 2j, 1, -1.5, 0.25j - 2])
            inputs += [pairs(z.astype(np.complex64)), pairs(z)]
        if "b" in kinds:
            inputs.append(pairs(np.array([True, False])))
        for x in inputs:
            is_double, is_complex = x[0].dtype in (np.float64, np.complex128), np.iscomplexobj(x[0])
            ulps = 0 if name in EXACT else 4 if is_complex else 1
            cases.add(
                name,
                x,
                value_of(name, function, x),
                rtol=slack if is_double else 0,
                ulps=ulps,
                atol=1e-13 if is_double and is_complex else 1e-6 if is_complex else 0,
            )
    for d in FLOATS:  # powers of negative numbers, and integer powers
        x, n = pairs(np.array([-2, -1, -0.5, -0.0, 0, 0.5, 1, 3, np.inf, -np.inf, np.nan]).astype(d)), None
        n = np.tile(np.array([0, 1, -1, 2, -2, 3, -3, 7, -7, 10, 5], np.int32), 11)
        y = rounded(lax.pow(jnp.asarray(rounded(x[0], np.float64)), jnp.asarray(n)), d)
        cases.add("pow", [x[0], n], y, label="integer power", rtol=1e-13 if d == np.float64 else 0)


def add_params(cases):
    for n in (0, 1, 2, 3, 7, -1, -2, -5):
        for d in FLOATS + [np.complex128, np.int32, np.uint8]:
            if n < 0 and np.issubdtype(d, np.integer):
                continue
            x = (
                complexes(d)
                if d == np.complex128
                else (
                    integers(d)
                    if np.issubdtype(d, np.integer)
                    else np.array([np.nan, np.inf, -np.inf, 0, -0.0, 1, -1, 0.5, -2, 3.25, 1.1, -1.1]).astype(
                        d
                    )
                )
            )
            x = x[x != 0] if d == np.complex128 and n < 0 else x
            y = lax.integer_pow(jnp.asarray(x if np.issubdtype(d, np.integer) else rounded(x, wide(d))), n)
            cases.add(
                "integer_pow",
                [x],
                rounded(y, d),
                f"exponent={n}",
                rtol=1e-13 if d in (np.float64, np.complex128) else 0,
                atol=1e-13 if d == np.complex128 else 0,
            )
    every = FLOATS + INTS + [np.bool_, np.complex64, np.complex128]
    for source in every:
        for target in every:
            if source == target:
                continue
            if np.issubdtype(source, np.integer):
                x = integers(source)
            elif source == np.bool_:
                x = np.array([True, False])
            elif np.issubdtype(source, np.complexfloating):
                x = np.array([0, 1 - 1j, 2.5 - 1j, -3]).astype(source)
            else:
                x = np.array(
                    [np.nan, np.inf, -np.inf, 0, -0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 100.7, -100.7, 3e4]
                ).astype(source)
            if (
                np.issubdtype(target, np.unsignedinteger)
                and not np.issubdtype(source, np.integer)
                and source != np.bool_
            ):
                x = x[~(x.real < 0)]  # XLA's answer depends on the backend
            y = np.asarray(lax.convert_element_type(jnp.asarray(x), target))
            # 64-bit integers to 16-bit floats go through f32 in XLA.
            cases.add(
                "convert_element_type", [x], y, "dtype=" + NAME(target), ulps=1 if target in FLOATS[:2] else 0
            )
    for e, m in ((5, 10), (8, 7), (4, 3), (2, 1), (8, 23), (11, 52), (5, 2)):
        for d in FLOATS:
            x = floats(d)
            cases.add(
                "reduce_precision",
                [x],
                lax.reduce_precision(jnp.asarray(x), e, m),
                f"exponent_bits={e}, mantissa_bits={m}",
                ulps=0,
            )
    rng = np.random.default_rng(9)
    for source, target, shape in (
        (np.float32, np.int32, (5,)),
        (np.float32, np.uint8, (3,)),
        (np.uint8, np.uint32, (3, 4)),
        (np.int16, np.float64, (2, 4)),
        (np.float64, np.uint16, (2,)),
        (np.float16, ml_dtypes.bfloat16, (4,)),
    ):
        x = rng.integers(0, 100, shape).astype(source)
        cases.add(
            "bitcast_convert_type",
            [x],
            lax.bitcast_convert_type(jnp.asarray(x), target),
            "dtype=" + NAME(target),
            ulps=0,
        )
    for d in (np.float32, np.int8, np.uint8, ml_dtypes.bfloat16, np.complex64, np.float64):
        for dim in (0, 1):
            y = lax.broadcasted_iota(d, (2, 140), dim)
            cases.add("iota", [], y, f"type={NAME(d)}[2,140], dimension={dim}", ulps=0)


def NAME(dtype):
    from make_ops import NAMES

    return NAMES[np.dtype(dtype).name]


def add_special_functions(cases):
    a = np.array([0.1, 0.5, 1, 1.5, 3, 7.25, 20, 100, 1000, 0, -1, np.nan])
    x = np.array([0, 1e-3, 0.3, 1, 2.5, 6, 19, 30, 110, 950, 1050, np.inf, -1, np.nan])
    aa, xx = np.repeat(a, len(x)), np.tile(x, len(a))
    # igamma(0, x) is 1 for every x > 0; XLA gives NaN below 1. igamma_grad_a at infinity: 0; XLA gives NaN.
    keep = ~((aa == 0) & (xx < 1))
    for name, function, atol in (
        ("igamma", lax.igamma, 1e-13),
        ("igammac", lax.igammac, 1e-13),
        ("igamma_grad_a", lax.igamma_grad_a, 1e-12),
    ):
        for d in FLOATS:
            u, v = rounded(aa[keep], d), rounded(xx[keep], d)
            if name == "igamma_grad_a":
                ok = ~np.isinf(v)
                u, v = u[ok], v[ok]
            y = rounded(function(jnp.asarray(rounded(u, np.float64)), jnp.asarray(rounded(v, np.float64))), d)
            cases.add(name, [u, v], y, rtol=1e-11 if d == np.float64 else 0, atol=atol)
    s = np.array([1, 1.5, 2, 3, 4.5, 10, 40, 0.5, -1, np.nan, 3, 2])
    q = np.array([0.25, 1, 2.5, 10, 100, 0, -1, -1.5, -0.25, np.nan])
    ss, qq = np.repeat(s, len(q)), np.tile(q, len(s))
    for d in FLOATS:
        u, v = rounded(ss, d), rounded(qq, d)
        y = rounded(lax.zeta(jnp.asarray(rounded(u, np.float64)), jnp.asarray(rounded(v, np.float64))), d)
        cases.add("zeta", [u, v], y, rtol=1e-12 if d == np.float64 else 0)
        n = np.tile(np.array([0, 1, 2, 3, 5, 0.5, -1, np.nan]), 8)
        p = np.repeat(np.array([0.25, 1, 2.5, 10, 100, 0, -1, -1.5]), 8)
        u, v = rounded(n, d), rounded(p, d)
        y = rounded(
            lax.polygamma(jnp.asarray(rounded(u, np.float64)), jnp.asarray(rounded(v, np.float64))), d
        )
        cases.add("polygamma", [u, v], y, rtol=1e-12 if d == np.float64 else 0)


def add_three(cases):
    for d in FLOATS + [np.int32, np.uint8]:
        x = (
            integers(d)
            if np.issubdtype(d, np.integer)
            else np.array([np.nan, np.inf, -np.inf, 0, -0.0, 1, -1, 0.5, -2, 3]).astype(d)
        )
        low, high = np.array(1).astype(d), np.array(2).astype(d)
        cases.add("clamp", [low, x, high], lax.clamp(jnp.asarray(low), jnp.asarray(x), jnp.asarray(high)))
        lows, highs = np.roll(x, 1), np.roll(x, 3)  # also above high, and NaN
        cases.add("clamp", [lows, x, highs], lax.clamp(jnp.asarray(lows), jnp.asarray(x), jnp.asarray(highs)))
    for d in (np.float32, np.int8, np.complex128, np.bool_):
        x, y, z = np.arange(6).astype(d), np.arange(6, 12).astype(d), np.arange(12, 18).astype(d)
        p = np.array([0, 1, 1, 0, 1, 0], bool)
        cases.add("select_n", [p, x, y], lax.select_n(p, x, y), ulps=0)
        cases.add("select_n", [np.array(True), x, y], lax.select_n(np.array(True), x, y), ulps=0)
        w = np.array([2, 0, 1, 2, 1, 0], np.int32)
        cases.add("select_n", [w, x, y, z], lax.select_n(w, x, y, z), ulps=0)
    for d in FLOATS + [np.int32, np.complex64]:
        v = (
            integers(d)
            if d == np.int32
            else (
                np.array([0, 1j, 1, 1 + 1j, complex(np.nan, 0), complex(0, np.inf), -1], d)
                if d == np.complex64
                else np.array([np.nan, np.inf, -np.inf, 0, -0.0, 1, -1, 0.5]).astype(d)
            )
        )
        a, b = pairs(v)
        # The order of sort, by sorting each pair: a is before b, or b before a, or they are equal.
        first = lambda u, w: np.asarray(
            [
                int(i[0])
                for i in map(
                    lambda k: lax.sort(
                        (jnp.asarray([w[k], u[k]]), jnp.arange(2)), num_keys=1, is_stable=True
                    )[1],
                    range(len(u)),
                )
            ]
        )
        cases.add("lt_total", [a, b], first(a, b) == 1, ulps=0)
    x = floats(np.float32)
    cases.add("complex", [x, x[::-1]], lax.complex(jnp.asarray(x), jnp.asarray(x[::-1])), ulps=0)
    cases.add("stop_gradient", [x], x, ulps=0)
    cases.add("checkpoint_name", [x], x, 'name="here"', ulps=0)


def add(cases):
    add_unary(cases)
    add_binary(cases)
    add_params(cases)
    add_special_functions(cases)
    add_three(cases)
