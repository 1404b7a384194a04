#!/usr/bin/env python3
"""headers: what public headers cost whoever includes them: user CPU seconds of an empty file that does, best of 5.

usage: bench/headers.py [HEADER...]      default: baton.h, and all of them together
Budget of each: 1.2 s; more is a failure (exit 1). Prints one JSON object a line.
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
BUDGET = 1.2


def seconds(source):
    """User CPU seconds of compiling a file without code generation to speak of."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    command = [os.environ.get("CXX", "g++"), "-std=c++20", f"-I{ROOT}/include", "-c", source, "-o", "/dev/null"]
    subprocess.run(command, check=True)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def cost(headers):
    with tempfile.NamedTemporaryFile("w", suffix=".cc") as file:
        file.write("".join(f"#include <baton/{header}>\n" for header in headers))
        file.flush()
        return min(seconds(file.name) for _ in range(RUNS))


def main():
    public = sorted(path.name for path in (ROOT / "include/baton").glob("*.h"))
    asked = {header: [header] for header in sys.argv[1:]} or {"baton.h": ["baton.h"], "all headers": public}
    costs = {name: cost(headers) for name, headers in asked.items()}
    for name, value in costs.items():
        print(json.dumps({"workload": f"include {name}", "metric": "user_cpu", "value": round(value, 3), "unit": "s"}))
    if slow := [name for name, value in costs.items() if value > BUDGET]:
        print(f"headers: {', '.join(slow)} may cost {BUDGET} s", file=sys.stderr)
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
