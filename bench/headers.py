#!/usr/bin/env python3
"""headers: what a public header costs whoever includes it: user CPU seconds of an empty file that does, best of 5.

usage: bench/headers.py [HEADER...]      default: baton.h, or all public headers where there is no baton.h
Budget for baton.h: 1.2 s. Prints one JSON object a line.
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


def seconds(source):
    """User CPU seconds of compiling a file without code generation to speak of."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    command = [os.environ.get("CXX", "g++"), "-std=c++20", f"-I{ROOT}/include", "-c", source, "-o", "/dev/null"]
    subprocess.run(command, check=True)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def main():
    headers = sys.argv[1:] or ["baton.h"]
    if not sys.argv[1:] and not (ROOT / "include/baton/baton.h").exists():
        headers = [p.name for p in sorted((ROOT / "include/baton").glob("*.h"))]
    for header in headers:
        with tempfile.NamedTemporaryFile("w", suffix=".cc") as file:
            file.write(f"#include <baton/{header}>\n")
            file.flush()
            best = min(seconds(file.name) for _ in range(RUNS))
        print(json.dumps({"workload": f"include {header}", "metric": "user_cpu", "value": round(best, 3), "unit": "s"}))


if __name__ == "__main__":
    main()
