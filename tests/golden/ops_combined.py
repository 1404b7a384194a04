"""ops_combined: golden cases of operations that hold a Program, of random bits, and of factors up to their signs."""

import jax
import jax.extend.random
import jax.numpy as jnp
import numpy as np
from jax import lax
from ops_structural import flag, listed

RNG = np.random.default_rng(12)
DTYPES = (np.float32, np.float64, np.int32)


def numbers(dtype, *shape):
    """Distinct numbers, small enough that f32 holds every product of a few of them."""
    low = -(np.prod(shape, dtype=int) // 2)
    x = RNG.permutation(np.arange(low, low + np.prod(shape, dtype=int))).reshape(shape)
    return x.astype(dtype) if np.issubdtype(dtype, np.integer) else (x / 8 + 1 / 16).astype(dtype)


def name_of(dtype):
    return {np.float32: "f32", np.float64: "f64", np.int32: "s32"}[dtype]


def tolerance(dtype):
    return {"rtol": {np.float32: 1e-6, np.float64: 1e-14, np.int32: 0}[dtype]}


def program(inputs, *lines):
    return "{ " + inputs + " ->\n    " + "\n    ".join(lines) + " }"


def binary(op, dtype):
    t = name_of(dtype)
    return program(f"a:{t}[], b:{t}[]", f"c:{t}[] = {op} a b", "return c")


def comparison(op, dtype):
    t = name_of(dtype)
    return program(f"a:{t}[], b:{t}[]", f"c:bool[] = {op} a b", "return c")


def largest_and_place(dtype):
    t = name_of(dtype)
    return program(
        f"a:{t}[], b:s32[], c:{t}[], d:s32[]",
        "e:bool[] = gt c a",
        f"f:{t}[] = select_n e a c",
        "g:s32[] = select_n e b d",
        "return f, g",
    )


def larger(x, y):
    later = y[0] > x[0]
    return jnp.where(later, y[0], x[0]), jnp.where(later, y[1], x[1])


def window_text(shape, strides, padding, base, window):
    low, high = zip(*padding)
    return (
        f"dimensions={listed(shape)}, strides={listed(strides)}, low={listed(low)}, high={listed(high)}, "
        f"base_dilation={listed(base)}, window_dilation={listed(window)}"
    )


def add_reductions(cases):
    for d in DTYPES:
        for axes in ((0,), (0, 2), (1, 2)):  # over no axes, XLA leaves the start out
            x, start = numbers(d, 2, 3, 2), np.asarray(3, d)
            for op, function in (("mul", lax.mul), ("max", lax.max)):
                y = lax.reduce(jnp.asarray(x), jnp.asarray(start), function, axes)
                params = f"axes={listed(axes)}, combiner={binary(op, d)}"
                cases.add("reduce", [x, start], y, params, **tolerance(d))
            places = np.arange(12, dtype=np.int32).reshape(2, 3, 2)
            start = [np.asarray(-99, d), np.int32(-1)]
            y = lax.reduce((jnp.asarray(x), jnp.asarray(places)), tuple(map(jnp.asarray, start)), larger, axes)
            params = f"axes={listed(axes)}, combiner={largest_and_place(d)}"
            cases.add("reduce", [x, places, *start], list(y), params, ulps=0)


def add_windows(cases):
    from jax._src.lax.windowed_reductions import _select_and_gather_add, _select_and_scatter

    forms = [
        ((1, 3), (1, 2), ((0, 0), (1, 1)), (1, 1), (1, 1)),
        ((2, 2), (1, 1), ((0, 1), (1, -1)), (2, 1), (1, 2)),
        ((3, 1), (2, 1), ((1, 2), (0, 0)), (1, 1), (1, 1)),
    ]
    for d in DTYPES:
        for form in forms:
            x, start = numbers(d, 3, 5), np.asarray(2, d)
            y = lax.reduce_window(jnp.asarray(x), start, lambda a, b: a * b, *form)
            params = f"{window_text(*form)}, combiner={binary('mul', d)}"
            cases.add("reduce_window", [x, start], y, params, **tolerance(d))
            places = np.arange(15, dtype=np.int32).reshape(3, 5)
            start = [np.asarray(-99, d), np.int32(-1)]
            y = lax.reduce_window((jnp.asarray(x), jnp.asarray(places)), tuple(start), larger, *form)
            params = f"{window_text(*form)}, combiner={largest_and_place(d)}"
            cases.add("reduce_window", [x, places, *start], list(y), params, ulps=0)
    forms = [((2, 2), (2, 2), ((0, 0), (0, 0)), (2, 3)), ((3, 2), (1, 3), ((1, 1), (0, 0)), (4, 2))]
    for d in DTYPES:
        for shape, strides, padding, sources in forms:
            x, source, start = numbers(d, 4, 6), numbers(d, *sources), np.asarray(1, d)
            for select, select_function in (("ge", lax.ge), ("le", lax.le)):
                for scatter, function in (("add", lax.add), ("mul", lax.mul)):
                    y = _select_and_scatter(
                        jnp.asarray(x),
                        select_function,
                        shape,
                        strides,
                        padding,
                        jnp.asarray(source),
                        jnp.asarray(start),
                        function,
                    )
                    params = (
                        f"{window_text(shape, strides, padding, (1, 1), (1, 1))}, select={comparison(select, d)}, "
                        f"scatter={binary(scatter, d)}"
                    )
                    cases.add("select_and_scatter", [x, source, start], y, params, **tolerance(d))
    forms = [
        ((2, 3), (1, 2), ((0, 1), (1, 0)), (1, 1), (1, 1)),
        ((2, 2), (2, 2), ((0, 0), (0, 0)), (1, 1), (1, 1)),
    ]
    for form in forms:
        for select, word in ((lax.ge_p, "true"), (lax.le_p, "false")):
            for d in (np.float32, np.float64):
                x, moves = numbers(d, 4, 6), numbers(d, 4, 6)
                y = _select_and_gather_add(jnp.asarray(moves), jnp.asarray(x), select, *form)
                cases.add(
                    "select_and_gather_add",
                    [moves, x],
                    y,
                    f"{window_text(*form)}, select_max={word}",
                    ulps=0,
                )


def add_sorts(cases):
    """JAX sorts by keys alone, so what the comparator compares is the key here."""
    for d in DTYPES:
        t = name_of(d)
        x = (RNG.integers(-4, 4, (3, 7)) / (1 if d == np.int32 else 2)).astype(d)  # many equal sizes
        places = np.tile(np.arange(7, dtype=np.int32), (3, 1))
        key = jnp.abs(jnp.asarray(x))
        by_size = program(
            f"a:{t}[], b:{t}[], c:s32[], d:s32[]",
            f"e:{t}[] = abs a",
            f"f:{t}[] = abs b",
            "g:bool[] = lt e f",
            "return g",
        )
        _, y, order = lax.sort((key, jnp.asarray(x), jnp.asarray(places)), dimension=1, is_stable=True)
        cases.add("sort_by", [x, places], [y, order], f"dimension=1, is_stable=true, comparator={by_size}", ulps=0)
        x = numbers(d, 3, 4)
        y = lax.rev(lax.sort(jnp.asarray(x), dimension=0), (0,))
        falling = f"dimension=0, is_stable=true, comparator={comparison('gt', d)}"
        cases.add("sort_by", [x], y, falling, ulps=0)


def add_scatters(cases):
    names = (
        "update_window_dims",
        "inserted_window_dims",
        "scatter_dims_to_operand_dims",
        "operand_batching_dims",
        "scatter_indices_batching_dims",
    )
    forms = [
        (((1,), (0,), (0,), (), ()), (5, 1), (5, 4)),
        (((), (0, 1), (0, 1), (), ()), (6, 2), (6,)),
        (((1,), (), (1,), (0,), (0,)), (3, 1), (3, 2)),
    ]
    modes = (("drop", lax.GatherScatterMode.FILL_OR_DROP), ("clip", lax.GatherScatterMode.CLIP))
    for dims, shape, update in forms:
        numbers_of = lax.ScatterDimensionNumbers(*dims)
        for word, mode in modes:
            for d in DTYPES:
                t = name_of(d)
                x, u = numbers(d, 3, 4), numbers(d, *update)
                i = RNG.integers(-2, 6, shape).astype(np.int32)
                rest = (
                    ", ".join(f"{n}={listed(v)}" for n, v in zip(names, dims))
                    + f", mode={word}, indices_are_sorted=false, unique_indices=false, combiner="
                )
                for op, function in (("add", lax.scatter_add), ("min", lax.scatter_min)):
                    y = function(*map(jnp.asarray, (x, i, u)), numbers_of, mode=mode)
                    cases.add("scatter_general", [x, i, u], y, rest + binary(op, d), **tolerance(d))
                y = lax.scatter_apply(
                    jnp.asarray(x),
                    jnp.asarray(i),
                    lambda a: 3 - a,
                    numbers_of,
                    update_shape=update,
                    mode=mode,
                )
                three = "3" if d == np.int32 else "3.0"
                apply = program(f"a:{t}[], b:{t}[]", f"c:{t}[] = sub {three}:{t} a", "return c")
                cases.add("scatter_general", [x, i, u], y, rest + apply, **tolerance(d))


def add_random(cases):
    for shape in ((), (7,)):
        words = [RNG.integers(0, 2**32, shape, dtype=np.uint32) for _ in range(4)]
        y = jax.extend.random.threefry2x32_p.bind(*map(jnp.asarray, words))
        cases.add("threefry2x32", words, list(y))
    for word, algorithm in (
        ("three_fry", lax.RandomAlgorithm.RNG_THREE_FRY),
        ("philox", lax.RandomAlgorithm.RNG_PHILOX),
        ("default", lax.RandomAlgorithm.RNG_DEFAULT),
    ):
        for d in (np.uint8, np.uint16, np.uint32, np.uint64):
            for shape in ((), (5,), (3, 4)):
                state = RNG.integers(0, 2**64, 2, dtype=np.uint64)
                y = lax.rng_bit_generator(jnp.asarray(state), shape, d, algorithm)
                name = {1: "u8", 2: "u16", 4: "u32", 8: "u64"}[np.dtype(d).itemsize]
                params = f"type={name}{listed(shape)}, algorithm={word}"
                cases.add("rng_bit_generator", [state], list(y), params)
    for d, rtol in ((np.float32, 1e-5), (np.float64, 1e-11)):
        a = np.array([0.1, 0.5, 0.99, 1, 1.5, 4, 30, 1000], d)
        key = jax.random.key(int(RNG.integers(0, 2**31)))
        words = np.asarray(jax.random.key_data(jax.random.split(key, len(a))))
        for flag_text, function in (("false", jax.random.gamma), ("true", jax.random.loggamma)):
            y = function(key, jnp.asarray(a), dtype=d)
            cases.add(
                "random_gamma",
                [words[:, 0].copy(), words[:, 1].copy(), a],
                y,
                f"log_space={flag_text}",
                rtol=rtol,
                atol=rtol,
            )


def add_factors(cases):
    """Vectors have no sign of their own, nor a phase: their absolute values are compared."""
    real, wide = np.float64, np.complex128
    for d, t in ((real, "f64"), (wide, "c128")):
        draw = lambda *s: (RNG.uniform(-2, 2, s) + (1j * RNG.uniform(-2, 2, s) if d == wide else 0)).astype(d)
        for n, lower in ((1, True), (3, True), (4, False)):
            x = draw(n, n)  # the other triangle is not read
            x[np.diag_indices(n)] = x.diagonal().real
            v, w = jax.lax.linalg.eigh(jnp.asarray(x), lower=lower, symmetrize_input=False)
            text = program(
                f"a:{t}[{n},{n}]",
                f"b:{t}[{n},{n}], c:f64[{n}] = eigh a {{lower={flag(lower)}}}",
                f"d:f64[{n},{n}] = abs b",
                "return d, c",
            )
            cases.add_program("eigh", text, [x], [jnp.abs(v), w], atol=1e-12)
        for (m, n), full in (((3, 3), False), ((4, 2), False), ((2, 4), False), ((3, 2), True), ((2, 3), True)):
            x, k = draw(m, n), min(m, n)
            u, s, v = jax.lax.linalg.svd(jnp.asarray(x), full_matrices=full)
            left, right = (m, n) if full else (k, k)
            text = program(
                f"a:{t}[{m},{n}]",
                f"b:{t}[{m},{left}], c:f64[{k}], d:{t}[{right},{n}] = svd a {{full_matrices={flag(full)}}}",
                f"e:f64[{m},{left}] = abs b",
                f"f:f64[{right},{n}] = abs d",
                "return e, c, f",
            )
            cases.add_program("svd", text, [x], [jnp.abs(u), s, jnp.abs(v)], atol=1e-12)


def add_barriers(cases):
    x, k = np.array([np.nan, np.inf, -0.0, 1.5], np.float32), np.arange(3, dtype=np.int32)
    y = lax.optimization_barrier((jnp.asarray(x), jnp.asarray(k)))
    cases.add("optimization_barrier", [x, k], list(y), ulps=0)


def add(cases):
    add_reductions(cases)
    add_windows(cases)
    add_sorts(cases)
    add_scatters(cases)
    add_random(cases)
    add_factors(cases)
    add_barriers(cases)
