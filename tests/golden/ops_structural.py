"""ops_structural: golden cases of operations that move, reduce or combine elements."""

import warnings

import jax.numpy as jnp
import ml_dtypes
import numpy as np
from jax import lax

F = np.float32
NAN = np.array([[2, np.nan, 2, -1, 5], [np.inf, 3, -np.inf, 3, -0.0], [1, 1, 0, -0.0, 1]])
RNG = np.random.default_rng(11)


def real(*shape):
    return RNG.uniform(-2, 2, shape)


def ints(low, high, *shape):
    return RNG.integers(low, high, shape)


def listed(values):
    return "[" + ",".join(str(int(v)) for v in values) + "]"


def flag(b):
    return "true" if b else "false"


def cast(value, dtype):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return np.asarray(value).astype(dtype)


def add_reductions(cases):
    dtypes = [F, np.float64, ml_dtypes.bfloat16, np.int32, np.uint8, np.complex64]
    for name, function in (
        ("sum", lax.reduce_sum),
        ("prod", lax.reduce_prod),
        ("max", lax.reduce_max),
        ("min", lax.reduce_min),
    ):
        for d in dtypes:
            for axes in ((0,), (1,), (0, 2), (0, 1, 2), ()):
                x = cast(ints(0, 9, 2, 3, 4) if np.issubdtype(d, np.integer) else real(2, 3, 4), d)
                if d == np.complex64 and name not in ("sum", "prod"):
                    continue
                wide = {F: np.float64, ml_dtypes.bfloat16: np.float64, np.complex64: np.complex128}.get(d, d)
                y = cast(function(jnp.asarray(cast(x, wide)), axes), d)
                cases.add(
                    "reduce_" + name,
                    [x],
                    y,
                    f"axes={listed(axes)}",
                    rtol=1e-14 if d == np.float64 else 0,
                    atol=1e-14 if d == np.float64 else 1e-6 if d == np.complex64 else 0,
                )
        x = NAN.astype(F)
        for axes in ((0,), (1,)):
            cases.add(
                "reduce_" + name, [x], function(jnp.asarray(x), axes), f"axes={listed(axes)}", label="NaN"
            )
        x = np.zeros((0, 2), F)
        cases.add("reduce_" + name, [x], function(jnp.asarray(x), (0,)), "axes=[0]", label="no elements")
    for name in ("and", "or", "xor"):
        for x in (
            ints(0, 200, 3, 4).astype(np.uint8),
            ints(-99, 99, 3, 4).astype(np.int64),
            ints(0, 2, 3, 4).astype(bool),
        ):
            y = getattr(lax, "reduce_" + name)(jnp.asarray(x), (0,))
            cases.add("reduce_" + name, [x], y, "axes=[0]")
    for name, function in (("argmax", lax.argmax), ("argmin", lax.argmin)):
        for x in (
            NAN.astype(F),
            NAN[2:].astype(F),
            NAN[1:].astype(np.float16),
            ints(0, 3, 3, 5).astype(np.int8),
            ints(0, 2, 3, 5).astype(bool),
        ):
            for axis in (0, 1):
                cases.add(
                    name,
                    [x],
                    function(jnp.asarray(x), axis, np.int32),
                    f"axis={axis}, index_dtype=s32",
                    label="ties",
                )
    for name, function in (
        ("cumsum", lax.cumsum),
        ("cumprod", lax.cumprod),
        ("cummax", lax.cummax),
        ("cummin", lax.cummin),
        ("cumlogsumexp", lax.cumlogsumexp),
    ):
        for d in (F, np.float64, np.int32, np.int8):
            if name == "cumlogsumexp" and np.issubdtype(d, np.integer):
                continue
            for reverse in (False, True):
                for x in (
                    ints(-5, 9, 3, 7) if np.issubdtype(d, np.integer) else real(3, 7),
                    None if np.issubdtype(d, np.integer) else NAN,
                ):
                    if x is None:
                        continue
                    x = cast(x, d)
                    up = cast(x, np.float64 if d == F else d)
                    y = cast(function(jnp.asarray(up), axis=1, reverse=reverse), d)
                    cases.add(
                        name,
                        [x],
                        y,
                        f"axis=1, reverse={flag(reverse)}",
                        rtol=1e-13 if d == np.float64 else 0,
                        atol=1e-14 if d == np.float64 else 0,
                    )


def add_windows(cases):
    from jax._src.lax.windowed_reductions import _select_and_scatter_add

    forms = [
        ((2, 3), (1, 1), ((0, 0), (0, 0)), (1, 1), (1, 1)),
        ((3, 1), (2, 2), ((1, 2), (0, 1)), (1, 1), (1, 1)),
        ((2, 2), (1, 1), ((1, 1), (0, 2)), (1, 1), (2, 3)),
        ((2, 2), (1, 2), ((0, 0), (1, 0)), (2, 1), (1, 1)),
    ]
    for name, init, op in (("sum", 0.0, lax.add), ("max", -np.inf, lax.max), ("min", np.inf, lax.min)):
        for shape, strides, padding, base, window in forms:
            for x in (real(5, 6).astype(F), np.vstack([NAN, NAN])[:, :5].astype(np.float64)):
                y = lax.reduce_window(
                    jnp.asarray(x), x.dtype.type(init), op, shape, strides, padding, base, window
                )
                params = (
                    f"dimensions={listed(shape)}, strides={listed(strides)}, low={listed(p[0] for p in padding)}, "
                    f"high={listed(p[1] for p in padding)}, base_dilation={listed(base)}, window_dilation={listed(window)}"
                )
                cases.add(
                    "reduce_window_" + name, [x], y, params, ulps=2, atol=1e-6 if x.dtype == F else 1e-14
                )
    one = "low=[0,0], high=[0,0], base_dilation=[1,1], window_dilation=[1,1]"
    x, s = ints(0, 4, 6, 6).astype(F), real(2, 2).astype(F)  # many ties
    for select, word in ((lax.ge_p, "true"), (lax.le_p, "false")):
        y = _select_and_scatter_add(jnp.asarray(s), jnp.asarray(x), select, (3, 3), (3, 3), ((0, 0), (0, 0)))
        cases.add(
            "select_and_scatter_add", [s, x], y, f"dimensions=[3,3], strides=[3,3], {one}, select_max={word}"
        )


def add_moves(cases):
    x = np.arange(60).reshape(3, 4, 5).astype(np.int32)
    for p in ((0, 1, 2), (2, 0, 1), (1, 0, 2)):
        cases.add("transpose", [x], x.transpose(p), f"permutation={listed(p)}")
    cases.add("reshape", [x], x.reshape(6, 10), "shape=[6,10]")
    for dims in ((0,), (1, 2)):
        cases.add("rev", [x], lax.rev(jnp.asarray(x), dims), f"dimensions={listed(dims)}")
    for shape, dims, y in (
        ((2, 3), (1,), x[:, 0, 0]),
        ((3, 2, 4), (0, 2), x[:, :, 0]),
        ((3, 5), (0, 1), x[:, :1, 0]),
    ):
        cases.add(
            "broadcast_in_dim",
            [y],
            lax.broadcast_in_dim(jnp.asarray(y), shape, dims),
            f"shape={listed(shape)}, dimensions={listed(dims)}",
        )
    for start, limit, strides in (
        ((0, 1, 2), (3, 4, 5), (1, 1, 1)),
        ((1, 0, 0), (3, 4, 5), (2, 3, 2)),
        ((2, 2, 2), (2, 3, 5), (1, 1, 4)),
    ):
        cases.add(
            "slice",
            [x],
            lax.slice(jnp.asarray(x), start, limit, strides),
            f"start={listed(start)}, limit={listed(limit)}, strides={listed(strides)}",
        )
    for starts in ((0, 1, 2), (-1, 3, 9), (-5, -9, 100)):
        at = [np.int32(s) for s in starts]
        moving = [
            jnp.asarray(s) for s in at
        ]  # the primitive clamps; the function counts known negatives from the end
        cases.add(
            "dynamic_slice",
            [x, *at],
            lax.dynamic_slice(jnp.asarray(x), moving, (2, 2, 3), allow_negative_indices=False),
            "sizes=[2,2,3]",
        )
        u = -np.ones((2, 2, 3), np.int32)
        cases.add(
            "dynamic_update_slice",
            [x, u, *at],
            lax.dynamic_update_slice(jnp.asarray(x), jnp.asarray(u), moving, allow_negative_indices=False),
        )
    for padding in (((1, 2, 0), (0, 0, 1)), ((-1, 1, 2), (3, -2, 0)), ((0, -1, 3), (2, 2, 2))):
        y = lax.pad(jnp.asarray(x[0]), np.int32(-7), padding)
        low, high, interior = zip(*padding)
        cases.add(
            "pad",
            [x[0], np.int32(-7)],
            y,
            f"low={listed(low)}, high={listed(high)}, interior={listed(interior)}",
        )
    cases.add("concatenate", [x, x[:, :1], x[:, :0]], np.concatenate([x, x[:, :1]], 1), "dimension=1")


def dims_text(d, names):
    return ", ".join(f"{n}={listed(v)}" for n, v in zip(names, d))


def add_gathers(cases):
    from jax._src.lax.slicing import GatherDimensionNumbers, GatherScatterMode, ScatterDimensionNumbers

    names = (
        "offset_dims",
        "collapsed_slice_dims",
        "start_index_map",
        "operand_batching_dims",
        "start_indices_batching_dims",
    )
    forms = [
        (((1,), (0,), (0,), (), ()), (1, 4), (5, 1)),
        (((), (0, 1), (0, 1), (), ()), (1, 1), (6, 2)),
        (((1, 2), (), (1,), (), ()), (2, 3), (4, 1)),
        (((1,), (), (1,), (0,), (0,)), (1, 2), (3, 1)),
    ]
    for d, sizes, shape in forms:
        for kind, mode in (("fill", GatherScatterMode.FILL_OR_DROP), ("clip", GatherScatterMode.CLIP)):
            for dtype in (F, np.int32, np.uint8):
                x = np.arange(1, 13).reshape(3, 4).astype(dtype)
                i = ints(-2, 6, *shape).astype(np.int32)
                for fill in (None, 7):
                    if fill is not None and kind != "fill":
                        continue
                    y = lax.gather(
                        jnp.asarray(x),
                        jnp.asarray(i),
                        GatherDimensionNumbers(*d),
                        sizes,
                        mode=mode,
                        fill_value=fill,
                    )
                    cases.add(
                        "gather",
                        [x, i],
                        y,
                        dims_text(d, names) + f", slice_sizes={listed(sizes)}, mode={kind}, fill_given="
                        f"{flag(fill is not None)}, fill_value={float(fill or 0)}, indices_are_sorted=false, unique_indices=false",
                    )
    names = (
        "update_window_dims",
        "inserted_window_dims",
        "scatter_dims_to_operand_dims",
        "operand_batching_dims",
        "scatter_indices_batching_dims",
    )
    ops = (
        ("scatter", lax.scatter),
        ("scatter_add", lax.scatter_add),
        ("scatter_sub", lax.scatter_sub),
        ("scatter_mul", lax.scatter_mul),
        ("scatter_min", lax.scatter_min),
        ("scatter_max", lax.scatter_max),
    )
    forms = [
        (((1,), (0,), (0,), (), ()), (5, 1), (5, 4)),
        (((), (0, 1), (0, 1), (), ()), (6, 2), (6,)),
        (((1, 2), (), (1,), (), ()), (4, 1), (4, 2, 3)),
        (((1,), (), (1,), (0,), (0,)), (3, 1), (3, 2)),
    ]
    for d, shape, update in forms:
        for kind, mode in (("drop", GatherScatterMode.FILL_OR_DROP), ("clip", GatherScatterMode.CLIP)):
            for name, function in ops:
                for dtype in (F, np.int32):
                    x = np.arange(1, 13).reshape(3, 4).astype(dtype)
                    i = ints(-2, 6, *shape).astype(np.int32)
                    u = ints(1, 4, *update).astype(dtype)
                    y = function(
                        jnp.asarray(x), jnp.asarray(i), jnp.asarray(u), ScatterDimensionNumbers(*d), mode=mode
                    )
                    cases.add(
                        name,
                        [x, i, u],
                        y,
                        dims_text(d, names)
                        + f", mode={kind}, indices_are_sorted=false, unique_indices=false",
                    )


def add_products(cases):
    forms = [
        ((3, 4), (4, 2), (((1,), (0,)), ((), ()))),
        ((2, 3, 4), (2, 4, 5), (((2,), (1,)), ((0,), (0,)))),
        ((4, 3, 2), (2, 5, 4), (((0, 2), (2, 0)), ((), ()))),
        ((3,), (3,), (((0,), (0,)), ((), ()))),
        ((2, 0), (0, 3), (((1,), (0,)), ((), ()))),
    ]
    for a, b, d in forms:
        for dtype in (F, np.float64, np.float16, np.int32, np.int8, np.complex64):
            u, v = (
                cast(ints(-9, 9, *s) if np.issubdtype(dtype, np.integer) else real(*s), dtype) for s in (a, b)
            )
            wide = {F: np.float64, np.float16: np.float64, np.complex64: np.complex128}.get(dtype, dtype)
            y = cast(lax.dot_general(jnp.asarray(cast(u, wide)), jnp.asarray(cast(v, wide)), d), dtype)
            (lc, rc), (lb, rb) = d
            cases.add(
                "dot_general",
                [u, v],
                y,
                f"lhs_contract={listed(lc)}, rhs_contract={listed(rc)}, lhs_batch={listed(lb)}, "
                f'rhs_batch={listed(rb)}, preferred=""',
                atol=1e-13 if dtype == np.float64 else 1e-6 if dtype == np.complex64 else 0,
            )
    forms = [
        ((2, 3, 8), (4, 3, 3), (1,), ((1, 1),), (1,), (1,), 1, 1),
        ((2, 4, 9), (6, 2, 3), (2,), ((0, 2),), (1,), (2,), 2, 1),
        ((1, 2, 5, 6), (3, 2, 2, 3), (2, 1), ((1, 0), (2, 2)), (2, 1), (1, 2), 1, 1),
        ((4, 2, 6), (4, 2, 2), (1,), ((-1, 1),), (1,), (1,), 1, 2),
    ]
    for a, b, strides, padding, lhs_dilation, rhs_dilation, groups, batch_groups in forms:
        n = len(a)
        dims = lax.ConvDimensionNumbers(tuple(range(n)), tuple(range(n)), tuple(range(n)))
        for dtype in (F, np.float64):
            u, v = real(*a).astype(dtype), real(*b).astype(dtype)
            y = lax.conv_general_dilated(
                jnp.asarray(u.astype(np.float64)),
                jnp.asarray(v.astype(np.float64)),
                strides,
                padding,
                lhs_dilation,
                rhs_dilation,
                dims,
                groups,
                batch_groups,
            )
            flat = [e for p in padding for e in p]
            axes = listed(range(n))
            cases.add(
                "conv_general_dilated",
                [u, v],
                cast(y, dtype),
                f"strides={listed(strides)}, padding={listed(flat)}, lhs_dilation={listed(lhs_dilation)}, "
                f"rhs_dilation={listed(rhs_dilation)}, lhs={axes}, rhs={axes}, out={axes}, feature_group_count={groups}, "
                f'batch_group_count={batch_groups}, window_reversal={listed([0] * (n - 2))}, preferred=""',
                atol=1e-13 if dtype == np.float64 else 0,
            )


def add_sorts(cases):
    odd = np.array([3, np.nan, -0.0, 0.0, -np.inf, np.inf, 1, -np.nan, 1, -2])
    for d in (F, np.float64, np.float16, np.int32, np.uint8, np.complex64):
        x = cast(ints(0, 5, 2, 10) if np.issubdtype(d, np.integer) else np.stack([odd, odd[::-1]]), d)
        i = np.tile(np.arange(10, dtype=np.int32), (2, 1))
        for keys, arrays in ((1, [x]), (1, [x, i]), (2, [np.sign(i % 3).astype(np.int32), x, i])):
            y = lax.sort(tuple(jnp.asarray(a) for a in arrays), dimension=1, is_stable=True, num_keys=keys)
            cases.add("sort", arrays, list(y), f"dimension=1, is_stable=true, num_keys={keys}")
        if d not in (np.complex64, np.float16):
            x = (
                x[:, np.isfinite(x.astype(np.float64)).all(0)] if np.issubdtype(d, np.floating) else x
            )  # NaN: the backends differ
            values, index = lax.top_k(jnp.asarray(x), 3)
            cases.add("top_k", [x], [values, index], "k=3")


def add_fft(cases):
    for n in (1, 2, 5, 8, 12):
        z = real(2, n) + 1j * real(2, n)
        for kind, x, function in (
            ("fft", z, np.fft.fft),
            ("ifft", z, np.fft.ifft),
            ("rfft", z.real, np.fft.rfft),
        ):
            for d in (np.float64, F):
                v = cast(x, {np.float64: np.complex128, F: np.complex64}[d] if np.iscomplexobj(x) else d)
                y = cast(
                    function(v.astype(np.complex128 if np.iscomplexobj(x) else np.float64)),
                    np.complex128 if d == np.float64 else np.complex64,
                )
                cases.add(
                    "fft", [v], y, f"kind={kind}, lengths=[{n}]", atol=1e-13 if d == np.float64 else 1e-6
                )
        half = z[:, : n // 2 + 1]
        cases.add(
            "fft",
            [half],
            np.asarray(lax.fft(jnp.asarray(half), "irfft", (n,))),
            f"kind=irfft, lengths=[{n}]",
            atol=1e-13,
        )
    z = real(2, 3, 4) + 1j * real(2, 3, 4)
    cases.add(
        "fft", [z], np.asarray(lax.fft(jnp.asarray(z), "fft", (3, 4))), "kind=fft, lengths=[3,4]", atol=1e-13
    )


def add_matrices(cases):
    import jax

    b = real(2, 4, 4)
    spd = b @ b.swapaxes(1, 2) + 4 * np.eye(4)
    spd[1, 0, 0] = -1  # not positive definite: NaN
    cases.add(
        "cholesky",
        [spd],
        np.asarray(jax.lax.linalg.cholesky(jnp.asarray(spd), symmetrize_input=False)),
        atol=1e-13,
    )
    for left in (False, True):
        for lower in (False, True):
            for transposed in (False, True):
                for unit in (False, True):
                    a, r = real(3, 3) + 3 * np.eye(3), real(3, 2) if left else real(2, 3)
                    y = jax.lax.linalg.triangular_solve(
                        jnp.asarray(a),
                        jnp.asarray(r),
                        left_side=left,
                        lower=lower,
                        transpose_a=transposed,
                        unit_diagonal=unit,
                    )
                    cases.add(
                        "triangular_solve",
                        [a, r],
                        y,
                        f"left_side={flag(left)}, lower={flag(lower)}, transpose_a={flag(transposed)}, "
                        f"conjugate_a=false, unit_diagonal={flag(unit)}",
                        atol=1e-12,
                    )
    for shape in ((3, 3), (4, 2), (2, 4)):
        a = real(*shape)
        cases.add("lu", [a], list(jax.lax.linalg.lu(jnp.asarray(a))), atol=1e-13)
        cases.add(
            "qr",
            [a],
            list(jax.lax.linalg.qr(jnp.asarray(a), full_matrices=False)),
            "full_matrices=false",
            atol=1e-13,
        )
        if shape[0] >= shape[1]:
            full = list(jax.lax.linalg.qr(jnp.asarray(a), full_matrices=True))
            cases.add("qr", [a], full, "full_matrices=true", atol=1e-13)


def add(cases):
    add_reductions(cases)
    add_windows(cases)
    add_moves(cases)
    add_gathers(cases)
    add_products(cases)
    add_sorts(cases)
    add_fft(cases)
    add_matrices(cases)
