#!/usr/bin/env python3
"""mutate: breaks the rules of primitives one at a time and reports what the tests of the primitive do not notice.

A mutant is one small textual change in one rule (evaluate, jvp, transpose, batch, type's siblings excepted) of one
file of src/ops/. It is built and tested in a copy of the tree, by the primitive's own tests and those of kinks. A mutant that no
test kills is either a weak spot of the tests or a change without meaning: a person has to look. tests/mutants.py, which
runs in minutes, breaks what each rule gives instead of its text.

    tests/mutate.py --copy /tmp/mutants sin mul clamp     # some primitives, by name
    tests/mutate.py --copy /tmp/mutants --per-rule 4      # all of them: hours

The copy keeps its build folder, so that a second run starts fast. Needs cmake, ninja and a compiler.
"""

import argparse
import glob
import os
import random
import re
import shutil
import subprocess
import sys

RULES = ("evaluate", "jvp", "jvp_whole", "transpose", "batch")
CHANGES = [
    (r"lax::add\(", "lax::sub("),
    (r"lax::sub\(", "lax::add("),
    (r"lax::mul\(", "lax::div("),
    (r"lax::div\(", "lax::mul("),
    (r"lax::neg\(", "Array("),
    (r"lax::(lt|gt)\(", "lax::ge("),
    (r"lax::(le|ge)\(", "lax::lt("),
    (r"lax::eq\(", "lax::ne("),
    (r"lax::sin\(", "lax::cos("),
    (r"lax::cos\(", "lax::sin("),
    (r"lax::(exp|log|rsqrt|square|conj|real)\(", "lax::sinh("),
    (r"lax::select\((\w+(?:\[\d\])?), ", r"lax::select(lax::bitwise_not(\1), "),
    (r"std::(floor|abs|fabs|sqrt|exp|log|round)\(", "("),
    (r"std::(sin|cos|tan|tanh|sinh|cosh|asin|acos|atan|asinh|erf|erfc|cbrt)\(", "std::exp("),
    (r"\bx\[0\]", "x[1]"),
    (r"\bx\[1\]", "x[0]"),
    (r"\bdx\[0\]", "dx[1]"),
    (r" \+ ", " - "),
    (r" - ", " + "),
    (r" \* ", " + "),
    (r" / ", " * "),
    (r" < ", " <= "),
    (r" > ", " >= "),
    (r" <= ", " < "),
    (r" >= ", " > "),
    (r" == ", " != "),
    (r" != ", " == "),
    (r" && ", " || "),
    (r" \|\| ", " && "),
    (r"\btrue\b", "false"),
    (r"\bfalse\b", "true"),
    (r"\+= ", "-= "),
    (r"\b1\b", "2"),
    (r"\b2\.0\b", "3.0"),
    (r"\b1\.0\b", "2.0"),
    (r"\b0\b", "1"),
    (r"wrap_add", "wrap_sub"),
    (r"wrap_sub", "wrap_add"),
    (r"wrap_mul", "wrap_add"),
    (r"(?<=return )(?=\w.*;)", "-"),
]


def primitives(root):
    """name -> file"""
    found = {}
    for path in sorted(glob.glob(os.path.join(root, "src/ops/*.cc"))):
        for name in re.findall(r'const Primitive \w+ = \{\s*\.name = "(\w+)"', open(path).read()):
            found[name] = path
    return found


def closing(text, at):
    depth = 0
    for i in range(at, len(text)):
        depth += {"{": 1, "}": -1}.get(text[i], 0)
        if depth == 0 and text[i] == "}":
            return i
    return len(text)


def region(text, name, rule):
    """Where the body of a rule stands: its function, or struct F for the templates of elementwise.h."""
    start = text.index(f'.name = "{name}"')
    assigned = re.search(rf"\.{rule} = (\w+)", text[start : closing(text, text.rindex("{", 0, start))])
    if not assigned:
        return None
    function = assigned[1]
    pattern = (
        r"struct F \{"
        if function.startswith(("evaluate_unary", "evaluate_binary", "evaluate_compare"))
        else rf"\b{function}\([^;{{]*\) \{{"
    )
    body = re.search(pattern, text)
    if not body:
        return None  # a shared rule such as zero_jvp
    return body.end(), closing(text, body.end() - 1)


def mutants(text, name, rule, count, rng):
    where = region(text, name, rule)
    if not where:
        return []
    found = []
    for pattern, replacement in CHANGES:
        for m in re.finditer(pattern, text[: where[1]]):
            line_start = text.rfind("\n", 0, m.start()) + 1
            if m.start() < where[0] or "//" in text[line_start : m.start()]:
                continue
            found.append(text[: m.start()] + m.expand(replacement) + text[m.end() :])
    return rng.sample(found, min(count, len(found)))


def changed_line(before, after):
    for n, (a, b) in enumerate(zip(before.split("\n"), after.split("\n")), 1):
        if a != b:
            return f"line {n}:\n    - {a.strip()}\n    + {b.strip()}"
    return "nowhere"


def run(command, cwd, seconds):
    try:
        return subprocess.run(
            command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=seconds
        ).returncode
    except subprocess.TimeoutExpired:
        return 124


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", help="primitives; all if none are given")
    parser.add_argument("--copy", required=True, help="folder for the copy of the tree")
    parser.add_argument("--per-rule", type=int, default=3, help="mutants of each rule")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    copy = os.path.abspath(arguments.copy)
    for folder in (
        "src",
        "include",
        "tests",
        "cmake",
        "tools",
        "examples",
        "CMakeLists.txt",
        "CMakePresets.json",
    ):
        source, target = os.path.join(root, folder), os.path.join(copy, folder)
        if os.path.isdir(source):
            # Times are kept, so that a second run builds only what has changed.
            shutil.copytree(source, target, dirs_exist_ok=True)
        elif os.path.exists(source):
            shutil.copy2(source, target)
    build = os.path.join(copy, "build")
    launcher = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
    make = ["cmake", "--build", build, "--target", "test_ops", "-j", str(arguments.jobs)]
    if run(
        ["cmake", "-S", copy, "-B", build, "-G", "Ninja", "-DCMAKE_CXX_FLAGS=-O1", *launcher], copy, 600
    ) or run(make, copy, 7200):
        sys.exit("mutate: the copy does not build")
    test = os.path.join(build, "test_ops")
    files = primitives(copy)
    counts = {"killed": 0, "survived": 0, "invalid": 0}
    for name in arguments.names or files:
        if name not in files:
            sys.exit(f"mutate: {name} is no primitive")
        tests = [test, f"--gtest_filter=*/{name}__*:Kinks.*", "--gtest_brief=1"]
        if run(tests, copy, 600):
            sys.exit(f"mutate: the tests of {name} fail before anything is changed")
        path = files[name]
        text = open(path).read()
        for rule in RULES:
            rng = random.Random(name + rule)
            for mutant in mutants(text, name, rule, arguments.per_rule, rng):
                open(path, "w").write(mutant)
                if run(make, copy, 1200):
                    counts["invalid"] += 1  # does not compile
                elif run(tests, copy, 300):
                    counts["killed"] += 1
                else:
                    counts["survived"] += 1
                    print(f"{name}: {rule} survives {changed_line(text, mutant)}", flush=True)
        open(path, "w").write(text)
        run(make, copy, 1200)
    print(", ".join(f"{n} {what}" for what, n in counts.items()))
    sys.exit(1 if counts["survived"] else 0)


if __name__ == "__main__":
    main()
