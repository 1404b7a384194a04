#!/usr/bin/env python3
"""reading: how long the command line takes for 10 MB of StableHLO text of several kinds, best of 3, and for a tenth of it.

usage: bench/reading.py [BATON]      default: build/release/baton
Budget: 1 s for 10 MB, without tracing and running it; more is a failure (exit 1). Prints one JSON object a line.
"""
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUDGET, RUNS, SIZE = 1.0, 3, 10_000_000


def constant(body, count):
    return (f"func.func @main() -> tensor<{count}xf32> {{\n  %0 = stablehlo.constant dense<{body}> : tensor<{count}xf32>\n"
            f"  return %0 : tensor<{count}xf32>\n}}\n")


def decimal(size):
    count = size // 14
    return constant("[" + ", ".join(f"{i / 7 + 1:.6e}" for i in range(count)) + "]", count)


def hexadecimal(size):
    count = size // 8
    return constant('"0x' + "0000803F" * count + '"', count)


def operations(size, argument="%x: tensor<2x3xf32>", first=""):
    line = "  %{} = stablehlo.add %{}, %x : tensor<2x3xf32> loc(#loc{})\n"
    count = size // 75
    body = "".join(line.format(i + 1, i, i) for i in range(count))
    return (f"func.func @main({argument}) -> tensor<2x3xf32> {{\n{first}"
            "  %0 = stablehlo.negate %x : tensor<2x3xf32>\n" + body +
            f"  return %{count} : tensor<2x3xf32>\n}}\n" +
            "".join(f'#loc{i} = loc("f.py":{i}:1)\n' for i in range(count)))


def traced_operations(size):
    return operations(size, "", "  %x = stablehlo.constant dense<1.0> : tensor<2x3xf32>\n")


def seconds(baton, text, folder):
    """Of `baton check`, which parses a file, and traces and runs its functions without arguments."""
    file = Path(folder) / "f.mlir"
    file.write_text(text)
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        answer = subprocess.run([baton, "check", file], capture_output=True, text=True)
        times.append(time.perf_counter() - start)
        if "no check ran" not in answer.stdout:
            sys.exit(f"reading: {answer.stdout}{answer.stderr}")
    return min(times)


def main():
    baton = sys.argv[1] if len(sys.argv) > 1 else ROOT / "build/release/baton"
    slow = False
    with tempfile.TemporaryDirectory() as folder:
        for kind in (decimal, hexadecimal, operations, traced_operations):
            for size in (SIZE // 10, SIZE):
                value = seconds(baton, kind(size), folder)
                slow = slow or (size == SIZE and kind is not traced_operations and value > BUDGET)
                print(json.dumps({"workload": f"read {size / 1e6:g} MB of {kind.__name__.replace('_', ' ')}", "metric": "time",
                                  "value": round(value, 3), "unit": "s"}))
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
