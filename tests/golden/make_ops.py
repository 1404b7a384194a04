#!/usr/bin/env python3
"""make_ops: writes tests/data/ops.safetensors and ops.json: what jax.lax gives for each primitive, with odd values too.

Needs jax 0.10.2, numpy and ml_dtypes; nothing that is built or run by users needs Python.
A case is a Program in Baton's own text, its inputs and the results that JAX gives. f16, bf16 and f32 results of
functions are JAX's f64 results, rounded once: the reference engine computes one precision up, too. A case's tolerance is
`ulps` of the result's dtype, or where that is more `rtol` (times the value) and `atol`.

    python tests/golden/make_ops.py            # writes both files
"""

import json
import os
import sys

os.environ["JAX_ENABLE_X64"] = "1"
os.environ["JAX_PLATFORMS"] = "cpu"
import ml_dtypes
import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data")

NAMES = {
    "bool": "bool",
    "int8": "s8",
    "int16": "s16",
    "int32": "s32",
    "int64": "s64",
    "uint8": "u8",
    "uint16": "u16",
    "uint32": "u32",
    "uint64": "u64",
    "float16": "f16",
    "bfloat16": "bf16",
    "float32": "f32",
    "float64": "f64",
    "complex64": "c64",
    "complex128": "c128",
}
TENSOR_NAMES = {
    "bool": "BOOL",
    "s8": "I8",
    "s16": "I16",
    "s32": "I32",
    "s64": "I64",
    "u8": "U8",
    "u16": "U16",
    "u32": "U32",
    "u64": "U64",
    "f16": "F16",
    "bf16": "BF16",
    "f32": "F32",
    "f64": "F64",
    "c64": "C64",
    "c128": "C128",
}


def type_text(a):
    return NAMES[a.dtype.name] + "[" + ",".join(map(str, a.shape)) + "]"


class Cases:
    """Collects cases; `add` builds the text of a Program of one equation, `add_program` takes any."""

    def __init__(self):
        self.index, self.tensors = [], {}

    def add(self, op, inputs, outputs, params="", label="", ulps=1, rtol=0, atol=0):
        inputs = [np.asarray(a) for a in inputs]
        outputs = [np.asarray(a) for a in (outputs if isinstance(outputs, (list, tuple)) else [outputs])]
        letters = "abcdefghijklmnopqrstuvwxyz"
        names = [letters[i] for i in range(len(inputs) + len(outputs))]
        ins = ", ".join(f"{n}:{type_text(a)}" for n, a in zip(names, inputs))
        outs = ", ".join(f"{n}:{type_text(a)}" for n, a in zip(names[len(inputs) :], outputs))
        text = (
            "{ "
            + ins
            + (" " if ins else "")
            + "->\n  "
            + outs
            + " = "
            + " ".join([op] + names[: len(inputs)])
        )
        text += (
            (" {" + params + "}" if params else "") + "\n  return " + ", ".join(names[len(inputs) :]) + " }"
        )
        self.add_program(op, text, inputs, outputs, label, ulps, rtol, atol)

    def add_program(self, op, text, inputs, outputs, label="", ulps=1, rtol=0, atol=0):
        inputs, outputs = [np.asarray(a) for a in inputs], [np.asarray(a) for a in outputs]
        number = len(self.index)
        case = {"op": op, "label": label, "program": text, "inputs": len(inputs), "outputs": len(outputs)}
        case |= {k: v for k, v in (("ulps", ulps), ("rtol", rtol), ("atol", atol)) if v}
        self.index.append(case)
        for i, a in enumerate(inputs):
            self.tensors[f"{number}.in.{i}"] = a
        for i, a in enumerate(outputs):
            self.tensors[f"{number}.out.{i}"] = a

    def write(self):
        header, chunks, offset = {}, [], 0
        for name, a in sorted(self.tensors.items(), key=lambda item: (-item[1].dtype.itemsize, item[0])):
            data = np.ascontiguousarray(a).tobytes()
            header[name] = {
                "dtype": TENSOR_NAMES[NAMES[a.dtype.name]],
                "shape": list(a.shape),
                "data_offsets": [offset, offset + len(data)],
            }
            chunks.append(data)
            offset += len(data)
        text = json.dumps(header, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 8)
        with open(os.path.join(DATA, "ops.safetensors"), "wb") as f:
            f.write(len(text).to_bytes(8, "little") + text + b"".join(chunks))
        with open(os.path.join(DATA, "ops.json"), "w") as f:
            f.write("[\n" + ",\n".join(json.dumps(c) for c in self.index) + "\n]\n")
        print(len(self.index), "cases,", offset, "bytes")


def main():
    import ops_combined
    import ops_elementwise
    import ops_structural

    cases = Cases()
    ops_elementwise.add(cases)
    ops_structural.add(cases)
    ops_combined.add(cases)
    cases.write()


if __name__ == "__main__":
    main()
