#!/usr/bin/env python3
"""core_test: the quick measures of bench_core say what they promise, and only those that were asked for.

usage: tests/bench/core_test.py BENCH_CORE
"""
import json
import subprocess
import sys

CALL = {"call_us": "us"}
LEAVES = {**CALL, "allocations_per_call": ""}
CONTROL = {"calls": "", "call_us": "us", "call_us_p99.99": "us", "call_us_max": "us", "allocations_per_call": ""}
SAYS = {
    "scalar_add": {"scalar add": CALL},
    "leaves": {"300 leaves, passed on": LEAVES, "300 leaves, negated": LEAVES},
    "control": {"control": CONTROL, "control, decayed": {**CONTROL, "times_control": ""}},
    "first_call": {"first call of control": CALL},
}


def main():
    for name, right in SAYS.items():
        answer = subprocess.run([sys.argv[1], "--only", name, "--seconds", "0"], capture_output=True, text=True)
        if answer.returncode or answer.stderr:
            sys.exit(f"core_test: {name} ended with {answer.returncode}: {answer.stderr}")
        said = {}
        for line in map(json.loads, answer.stdout.splitlines()):
            if list(line) != ["peer", "workload", "metric", "value", "unit"] or line["peer"] != "baton" or line["value"] < 0:
                sys.exit(f"core_test: {name} says {line}")
            said.setdefault(line["workload"], {})[line["metric"]] = line["unit"]
        if said != right:
            sys.exit(f"core_test: {name} says {said}, not {right}")


if __name__ == "__main__":
    main()
