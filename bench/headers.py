#!/usr/bin/env python3
"""headers: what a public header costs whoever includes it: user CPU seconds of an empty file that does, best of 5.

usage: bench/headers.py [HEADER...]      default: baton.h
Budget for baton.h: 1.2 s. Machines differ, so only twice that is a failure (exit 1). Prints one JSON object a line.
"""
import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RUNS = 5
BUDGET, MARGIN = 1.2, 2.0


def seconds(source):
    """User CPU seconds of compiling a file without code generation to speak of."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    command = [os.environ.get("CXX", "g++"), "-std=c++20", f"-I{ROOT}/include", "-c", source, "-o", "/dev/null"]
    subprocess.run(command, check=True)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def main():
    headers = sys.argv[1:] or ["baton.h"]
    slow = False
    for header in headers:
        with tempfile.NamedTemporaryFile("w", suffix=".cc") as file:
            file.write(f"#include <baton/{header}>\n")
            file.flush()
            best = min(seconds(file.name) for _ in range(RUNS))
        print(json.dumps({"workload": f"include {header}", "metric": "user_cpu", "value": round(best, 3), "unit": "s"}))
        slow = slow or (header == "baton.h" and best > BUDGET * MARGIN)
    if slow:
        print(f"headers: baton.h may cost {BUDGET} s, on a slow machine {BUDGET * MARGIN} s", file=sys.stderr)
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
