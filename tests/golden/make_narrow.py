#!/usr/bin/env python3
"""make_narrow: writes tests/data/stablehlo/narrow.mlir: numbers of fewer bits than Baton's types, as ml_dtypes has them.

Needs numpy and ml_dtypes. Floats are compared by the bits of their f32, so that signs of zeros count; all NaN are one.

    python tests/golden/make_narrow.py         # writes the file
"""

import os

import ml_dtypes
import numpy as np

PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "stablehlo", "narrow.mlir")
FLOATS = {
    "f4E2M1FN": ml_dtypes.float4_e2m1fn,
    "f6E2M3FN": ml_dtypes.float6_e2m3fn,
    "f6E3M2FN": ml_dtypes.float6_e3m2fn,
    "f8E3M4": ml_dtypes.float8_e3m4,
    "f8E4M3": ml_dtypes.float8_e4m3,
    "f8E4M3FN": ml_dtypes.float8_e4m3fn,
    "f8E4M3FNUZ": ml_dtypes.float8_e4m3fnuz,
    "f8E4M3B11FNUZ": ml_dtypes.float8_e4m3b11fnuz,
    "f8E5M2": ml_dtypes.float8_e5m2,
    "f8E5M2FNUZ": ml_dtypes.float8_e5m2fnuz,
    "f8E8M0FNU": ml_dtypes.float8_e8m0fnu,
}
INTEGERS = {"i2": ml_dtypes.int2, "i4": ml_dtypes.int4, "ui2": ml_dtypes.uint2, "ui4": ml_dtypes.uint4}
random = np.random.default_rng(0)
np.seterr(all="ignore")


def listed(values):
    return "dense<[" + ", ".join(str(v) for v in values) + "]>"


def bits32(x):
    """The bits of f32 numbers, all NaN made one."""
    b = np.asarray(x, np.float32).view(np.uint32).copy()
    b[np.isnan(np.asarray(x, np.float32))] = 0x7FC00000
    return b


def float_list(x):
    x = np.asarray(x)
    if x.dtype == np.float64:
        return listed(f"0x{b:016X}" for b in x.view(np.uint64))
    return listed(f"0x{b:08X}" for b in x.astype(np.float32).view(np.uint32))


class Function:
    def __init__(self, name):
        self.lines, self.count, self.name = [], 0, name

    def op(self, text):
        self.count += 1
        self.lines.append(f"  %{self.count} = {text}")
        return f"%{self.count}"

    def constant(self, text, kind):
        return self.op(f"stablehlo.constant {text} : {kind}")

    def convert(self, x, source, target):
        return self.op(f"stablehlo.convert {x} : ({source}) -> {target}")

    def expect(self, x, element, values):
        """x has a narrow floating type, or f32, and these values."""
        n = len(values)
        f, i, b = f"tensor<{n}xf32>", f"tensor<{n}xi32>", f"tensor<{n}xi1>"
        if element != "f32":
            x = self.convert(x, f"tensor<{n}x{element}>", f)
        wrong = self.op(f"stablehlo.compare NE, {x}, {x} : ({f}, {f}) -> {b}")
        nan = self.constant("dense<2143289344>", i)
        found = self.op(f"stablehlo.bitcast_convert {x} : ({f}) -> {i}")
        found = self.op(f"stablehlo.select {wrong}, {nan}, {found} : {b}, {i}")
        expected = listed(np.asarray(bits32(np.asarray(values).astype(np.float32))).view(np.int32))
        self.lines.append(f"  check.expect_eq_const {found}, {expected} : {i}")

    def text(self):
        return "\n".join([f"func.func @{self.name}() {{", *self.lines, "  func.return", "}", ""])


def float_function(name, dtype):
    f = Function(name)
    bits = ml_dtypes.finfo(dtype).bits
    everything = np.arange(1 << bits, dtype=np.uint8).view(dtype)
    n = len(everything)
    all_values = f.constant('dense<"0x' + "".join(f"{i:02X}" for i in range(n)) + '">', f"tensor<{n}x{name}>")
    f.expect(all_values, name, everything)

    # From f32: the middle of every two neighbours and what is next to it, and the ends.
    values = np.unique(everything.astype(np.float64)[np.isfinite(everything.astype(np.float64))])
    top = values[-1] + (values[-1] - values[-2]) / 2  # where the next number would be nearest
    middles = np.concatenate([(values[1:] + values[:-1]) / 2, [top, -top, values[0] / 2, 0.0, -0.0, 1e-45, -1e-45]])
    if bits == 8:
        middles = np.concatenate([middles[-40:], random.choice(middles, 24, replace=False)])
    ends = [np.inf, -np.inf, np.nan, 3e38, -3e38]
    single = middles.astype(np.float32)
    single = np.concatenate(
        [single, np.nextafter(single, np.float32(np.inf)), np.nextafter(single, np.float32(-np.inf)), ends]
    ).astype(np.float32)
    kind = f"tensor<{len(single)}x"
    x = f.convert(f.constant(float_list(single), kind + "f32>"), kind + "f32>", kind + name + ">")
    f.expect(x, name, single.astype(dtype))

    # From f64, so close to the middle that f32 would be the middle.
    double = np.concatenate([np.nextafter(middles[-12:], np.inf), np.nextafter(middles[-12:], -np.inf)])
    double = double[(np.abs(double) > 1e-30) & (double != 0)]
    # ml_dtypes passes through f32: which side of the middle is decided here, by a step that f32 can see.
    seen = np.where(np.float64(np.float32(double)) < double, np.nextafter(np.float32(double), np.float32(np.inf)),
                    np.nextafter(np.float32(double), np.float32(-np.inf)))
    kind = f"tensor<{len(double)}x"
    x = f.convert(f.constant(float_list(double), kind + "f64>"), kind + "f64>", kind + name + ">")
    f.expect(x, name, seen.astype(np.float32).astype(dtype))

    # Arithmetic, rounded once.
    a, b = random.choice(everything, 24), random.choice(everything, 24)
    wide_a, wide_b = a.astype(np.float32), b.astype(np.float32)
    to_hex = lambda v: 'dense<"0x' + "".join(f"{i:02X}" for i in v.view(np.uint8)) + '">'
    kind = f"tensor<24x{name}>"
    x, y = f.constant(to_hex(a), kind), f.constant(to_hex(b), kind)
    for op, values in [
        ("add", wide_a + wide_b),
        ("subtract", wide_a - wide_b),
        ("multiply", wide_a * wide_b),
        ("divide", wide_a / wide_b),
    ]:
        values[np.isnan(values)] = np.nan  # its sign is the processor's; formats without NaN would show it
        f.expect(f.op(f"stablehlo.{op} {x}, {y} : {kind}"), name, values.astype(dtype))
    f.expect(f.op(f"stablehlo.negate {x} : {kind}"), name, (-wide_a).astype(dtype))
    less = f.op(f"stablehlo.compare LT, {x}, {y} : ({kind}, {kind}) -> tensor<24xi1>")
    f.lines.append(f"  check.expect_eq_const {less}, {listed(str(v).lower() for v in wide_a < wide_b)} : tensor<24xi1>")

    # Decimal numbers, bits, a splat, iota; to and from integers.
    decimal = ["1.0", "0.1", "3.1415", "-2.7", "1.0e30", "-0.0", "1.0e-30"]
    x = f.constant(listed(decimal + ["0x03"]), f"tensor<8x{name}>")
    three = np.array([3], np.uint8).view(dtype)
    f.expect(x, name, np.concatenate([np.array([float(d) for d in decimal]).astype(np.float32).astype(dtype), three]))
    f.expect(f.constant("dense<0.3>", f"tensor<2x{name}>"), name, np.array([0.3, 0.3]).astype(dtype))
    f.expect(f.op(f"stablehlo.iota dim = 0 : tensor<40x{name}>"), name, np.arange(40).astype(np.float32).astype(dtype))
    whole = np.array([0, 1, -1, 3, 7, 100, -300, 70000])
    x = f.constant(listed(whole), "tensor<8xi32>")
    x = f.convert(x, "tensor<8xi32>", f"tensor<8x{name}>")
    f.expect(x, name, whole.astype(np.float32).astype(dtype))
    return f.text()


def integer_function(name, dtype):
    f = Function(name)
    info = ml_dtypes.iinfo(dtype)
    values = list(range(int(info.min), int(info.max) + 1))
    bits, n, ones = info.bits, len(values), (1 << info.bits) - 1
    signed = info.min < 0
    wrap = lambda v: ((v & ones) ^ (1 << bits - 1)) - (1 << bits - 1) if signed else v & ones
    for v in range(-40, 40):  # the same as ml_dtypes does
        assert int(np.array([v], np.int32).astype(dtype)[0]) == wrap(v)

    def expect(x, numbers, kind):
        f.lines.append(f"  check.expect_eq_const {x}, {listed(numbers)} : {kind}")

    kind = f"tensor<{n}x{name}>"
    decimal = f.constant(listed(values), kind)
    packed = f.constant('dense<"0x' + "".join(f"{v & ones:02X}" for v in values) + '">', kind)
    expect(packed, values, kind)
    wide = "i8" if signed else "ui8"
    expect(f.convert(packed, kind, f"tensor<{n}x{wide}>"), values, f"tensor<{n}x{wide}>")
    for op, function in [
        ("negate", lambda v: -v),
        ("not", lambda v: ~v),
        ("popcnt", lambda v: (v & ones).bit_count()),
        ("count_leading_zeros", lambda v: bits - (v & ones).bit_length()),
        ("abs", abs),
        ("sign", lambda v: (v > 0) - (v < 0)),
    ]:
        expect(f.op(f"stablehlo.{op} {decimal} : {kind}"), [wrap(function(v)) for v in values], kind)

    pairs = [(a, b) for a in values for b in values]
    both = f"tensor<{len(pairs)}x{name}>"
    x, y = f.constant(listed(a for a, _ in pairs), both), f.constant(listed(b for _, b in pairs), both)
    as_signed = lambda v: v - (1 << bits) if not signed and v >> (bits - 1) else v
    for op, function in [
        ("add", lambda a, b: a + b),
        ("subtract", lambda a, b: a - b),
        ("multiply", lambda a, b: a * b),
        ("and", lambda a, b: a & b),
        ("or", lambda a, b: a | b),
        ("xor", lambda a, b: a ^ b),
        ("maximum", max),
        ("minimum", min),
        ("shift_left", lambda a, b: a << (b & ones)),
        ("shift_right_logical", lambda a, b: (a & ones) >> (b & ones)),
        ("shift_right_arithmetic", lambda a, b: as_signed(a) >> (b & ones)),
    ]:
        expect(f.op(f"stablehlo.{op} {x}, {y} : {both}"), [wrap(function(a, b)) for a, b in pairs], both)

    pairs = [(a, b) for a in values for b in values if b != 0]
    both = f"tensor<{len(pairs)}x{name}>"
    x, y = f.constant(listed(a for a, _ in pairs), both), f.constant(listed(b for _, b in pairs), both)
    quotient = lambda a, b: abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    expect(f.op(f"stablehlo.divide {x}, {y} : {both}"), [wrap(quotient(a, b)) for a, b in pairs], both)
    expect(
        f.op(f"stablehlo.remainder {x}, {y} : {both}"), [wrap(a - b * quotient(a, b)) for a, b in pairs], both
    )

    other = name[1:] if name[0] == "u" else "u" + name
    turned = [as_signed(v) if not signed else v & ones for v in values]
    kind_other = f"tensor<{n}x{other}>"
    expect(f.convert(decimal, kind, kind_other), turned, kind_other)
    expect(f.op(f"stablehlo.bitcast_convert {decimal} : ({kind}) -> {kind_other}"), turned, kind_other)
    source = [-300, -9, -8, -3, -1, 0, 1, 2, 3, 7, 8, 15, 16, 300]
    kind, m = f"tensor<{len(source)}x{name}>", len(source)
    x = f.constant(listed(source), f"tensor<{m}xi32>")
    expect(f.convert(x, f"tensor<{m}xi32>", kind), [wrap(v) for v in source], kind)
    x = f.constant(listed([f"{v}.7" for v in source]), f"tensor<{m}xf32>")
    held = [min(max(v, values[0]), values[-1]) for v in source]  # -0.7 and the like are cut
    expect(f.convert(x, f"tensor<{m}xf32>", kind), held, kind)
    expect(f.op(f"stablehlo.iota dim = 0 : tensor<20x{name}>"), [wrap(v) for v in range(20)], f"tensor<20x{name}>")
    return f.text()


STRUCTURE = """\
// Regions round at each step, in either form; a product rounds its sum.
func.func @sums() {
  %x = stablehlo.constant dense<1.0> : tensor<8xf8E4M3FN>
  %i = stablehlo.constant dense<16.0> : tensor<f8E4M3FN>
  %0 = stablehlo.reduce(%x init: %i) applies stablehlo.add across dimensions = [0] : (tensor<8xf8E4M3FN>, tensor<f8E4M3FN>) -> tensor<f8E4M3FN>
  check.expect_eq_const %0, dense<16.0> : tensor<f8E4M3FN>
  %1 = "stablehlo.reduce"(%x, %i) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f8E4M3FN>, %b: tensor<f8E4M3FN>):
    %s = stablehlo.add %a, %b : tensor<f8E4M3FN>
    stablehlo.return %s : tensor<f8E4M3FN>
  }) : (tensor<8xf8E4M3FN>, tensor<f8E4M3FN>) -> tensor<f8E4M3FN>
  check.expect_eq_const %1, dense<16.0> : tensor<f8E4M3FN>
  %y = stablehlo.constant dense<2.125> : tensor<8xf8E5M2>
  %2 = stablehlo.dot_general %x, %y, contracting_dims = [0] x [0] : (tensor<8xf8E4M3FN>, tensor<8xf8E5M2>) -> tensor<f32>
  check.expect_eq_const %2, dense<16.0> : tensor<f32>
  %3 = stablehlo.dot_general %x, %x, contracting_dims = [0] x [0] : (tensor<8xf8E4M3FN>, tensor<8xf8E4M3FN>) -> tensor<f8E4M3FN>
  check.expect_almost_eq_const %3, dense<8.0> : tensor<f8E4M3FN>
  func.return
}

func.func @integer_sums() {
  %x = stablehlo.constant dense<3> : tensor<7xi4>
  %i = stablehlo.constant dense<0> : tensor<i4>
  %0 = stablehlo.reduce(%x init: %i) applies stablehlo.add across dimensions = [0] : (tensor<7xi4>, tensor<i4>) -> tensor<i4>
  check.expect_eq_const %0, dense<5> : tensor<i4>
  %1 = stablehlo.reduce(%x init: %i) across dimensions = [0] : (tensor<7xi4>, tensor<i4>) -> tensor<i4>
    reducer(%a: tensor<i4>, %b: tensor<i4>) {
      %s = stablehlo.add %a, %b : tensor<i4>
      stablehlo.return %s : tensor<i4>
    }
  check.expect_eq_const %1, dense<5> : tensor<i4>
  %2 = stablehlo.dot_general %x, %x, contracting_dims = [0] x [0] : (tensor<7xi4>, tensor<7xi4>) -> tensor<i32>
  check.expect_eq_const %2, dense<63> : tensor<i32>
  %3 = stablehlo.dot_general %x, %x, contracting_dims = [0] x [0] : (tensor<7xi4>, tensor<7xi4>) -> tensor<i4>
  check.expect_eq_const %3, dense<-1> : tensor<i4>
  func.return
}

func.func private @twice(%x: tensor<3xui4>) -> tensor<3xui4> {
  %0 = stablehlo.add %x, %x : tensor<3xui4>
  return %0 : tensor<3xui4>
}
func.func @structure() {
  %x = stablehlo.constant dense<[3, 9, 14]> : tensor<3xui4>
  %0 = call @twice(%x) : (tensor<3xui4>) -> tensor<3xui4>
  check.expect_eq_const %0, dense<[6, 2, 12]> : tensor<3xui4>
  %1 = "stablehlo.sort"(%0) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<ui4>, %b: tensor<ui4>):
    %c = stablehlo.compare LT, %a, %b : (tensor<ui4>, tensor<ui4>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<3xui4>) -> tensor<3xui4>
  check.expect_eq_const %1, dense<[2, 6, 12]> : tensor<3xui4>
  %2 = "stablehlo.map"(%x, %0) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<ui4>, %b: tensor<ui4>):
    %c = stablehlo.multiply %a, %b : tensor<ui4>
    stablehlo.return %c : tensor<ui4>
  }) : (tensor<3xui4>, tensor<3xui4>) -> tensor<3xui4>
  check.expect_eq_const %2, dense<[2, 2, 8]> : tensor<3xui4>
  %p = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
  %3 = stablehlo.select %p, %x, %0 : tensor<3xi1>, tensor<3xui4>
  check.expect_eq_const %3, dense<[3, 2, 14]> : tensor<3xui4>
  %4 = stablehlo.reshape %x : (tensor<3xui4>) -> tensor<1x3xui4>
  %5 = stablehlo.tuple %4, %0 : tuple<tensor<1x3xui4>, tensor<3xui4>>
  %6 = stablehlo.get_tuple_element %5[1] : (tuple<tensor<1x3xui4>, tensor<3xui4>>) -> tensor<3xui4>
  check.expect_eq_const %6, dense<[6, 2, 12]> : tensor<3xui4>
  %7:2 = stablehlo.optimization_barrier %x, %4 : tensor<3xui4>, tensor<1x3xui4>
  %8 = stablehlo.add %7#0, %x : tensor<3xui4>
  check.expect_eq_const %8, dense<[6, 2, 12]> : tensor<3xui4>
  %9 = "chlo.broadcast_shift_right_arithmetic"(%x, %x) : (tensor<3xui4>, tensor<3xui4>) -> tensor<3xui4>
  check.expect_eq_const %9, dense<[0, 15, 15]> : tensor<3xui4>
  %10 = "chlo.constant_like"(%x) <{value = 7 : ui4}> : (tensor<3xui4>) -> tensor<3xui4>
  check.expect_eq_const %10, dense<7> : tensor<3xui4>
  func.return
}

// The counter wraps around: 0, 3, -2, 1, 4.
func.func @loop() {
  %zero = stablehlo.constant dense<0> : tensor<i2>
  %count = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %n = %count) : tensor<i2>, tensor<i32>
    cond {
    %c = stablehlo.constant dense<6> : tensor<i32>
    %l = stablehlo.compare LT, %n, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %l : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i2>
    %step = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i2>
    %m = stablehlo.add %n, %step : tensor<i32>
    stablehlo.return %j, %m : tensor<i2>, tensor<i32>
  }
  check.expect_eq_const %0#0, dense<-2> : tensor<i2>
  func.return
}

// A 64-bit integer just below 1.5 * 2^62 would be rounded up if it passed through f64.
func.func @large_integers() {
  %0 = stablehlo.constant dense<[6917529027641081855, 6917529027641081856, -5]> : tensor<3xi64>
  %1 = stablehlo.convert %0 : (tensor<3xi64>) -> tensor<3xf8E8M0FNU>
  %2 = stablehlo.convert %1 : (tensor<3xf8E8M0FNU>) -> tensor<3xf64>
  check.expect_almost_eq_const %2, dense<[4611686018427387904.0, 9223372036854775808.0, 0x7FF8000000000000]> : tensor<3xf64>
  func.return
}
"""


def main():
    parts = ["// narrow: types of fewer bits than Baton's. Written by tests/golden/make_narrow.py from ml_dtypes.\n"]
    parts += [integer_function(name, dtype) for name, dtype in INTEGERS.items()]
    parts += [float_function(name, dtype) for name, dtype in FLOATS.items()]
    with open(PATH, "w") as file:
        file.write("\n".join([*parts, STRUCTURE]))


main()
