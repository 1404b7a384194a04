#!/usr/bin/env python3
"""mutants: breaks every rule of every primitive in turn, and reports which mutants the tests of operations miss.

usage: mutants.py FOLDER [NAME...]     FOLDER holds the test programs; NAMEs choose primitives

A mutant changes what a rule gives: another value, a value nearby, a derivative twice or not at all, lanes turned
round or one lane alone (tests/mutant.cc). First the rows and golden cases of the primitive itself run, then the
other tests of operations. A mutant that changes nothing in any of them is idle. Exit 1 if a mutant that is not idle
survives, or if all mutants of a rule are idle. tests/mutate.py changes the text of the rules instead.
"""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

# The tests of operations: the primitive's own rows first. The last rooms are for those that stand in no row alone.
PROGRAMS = [
    ("test_ops", "*/{0}__*:Kinks.*"),
    ("test_ops_reduce", "*"),
    ("test_ops_structure", "*"),
    ("test_ops", "Ops*"),
    ("test_edge", "*"),
    ("test_transforms", "*"),
    ("test_random", "*"),
]


def run(folder, program, tests, mutant):
    """Whether the tests fail, and whether the mutant changed nothing in them."""
    command = [os.path.join(folder, program), "--gtest_brief=1", f"--gtest_filter={tests}", "--gtest_fail_fast"]
    try:
        done = subprocess.run(
            command,
            env={**os.environ, "BATON_MUTANT": mutant, "BATON_CHECK": "0"},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            errors="replace",
            timeout=120,
        )
    except subprocess.TimeoutExpired:
        return True, False  # a loop that no longer ends is noticed too
    if done.returncode == 3:
        sys.exit(f"mutants: {mutant} cannot be made")
    return done.returncode != 0, "mutant: idle" in done.stdout


def judge(folder, mutant):
    """caught, idle or survives"""
    name, idle = mutant.split(".")[0], True
    for program, tests in PROGRAMS:
        failed, without_effect = run(folder, program, tests.format(name), mutant)
        if failed:
            return "caught"
        idle = idle and without_effect
    return "idle" if idle else "survives"


def main():
    folder, names = sys.argv[1], sys.argv[2:]
    listed = subprocess.run(
        [os.path.join(folder, "test_ops")], env={**os.environ, "BATON_MUTANT": "list"}, capture_output=True, text=True
    ).stdout.splitlines()
    rules = dict(line.split(" ", 1) for line in listed if not names or line.split(".")[0] in names)
    if not rules:
        sys.exit("mutants: no primitive has these names")
    mutants = [f"{rule}.{kind}" for rule, kinds in rules.items() for kind in kinds.split()]
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        verdicts = dict(zip(mutants, pool.map(lambda m: judge(folder, m), mutants)))
    survivors = [mutant for mutant, verdict in verdicts.items() if verdict == "survives"]
    blind = [rule for rule, kinds in rules.items() if all(verdicts[f"{rule}.{k}"] == "idle" for k in kinds.split())]
    for mutant in survivors:
        print(f"survives: {mutant}")
    for rule in blind:
        print(f"never does anything: {rule}")
    counts = [f"{list(verdicts.values()).count(v)} {v}" for v in ("caught", "survives", "idle")]
    print(f"{len(mutants)} mutants of {len(rules)} rules: " + ", ".join(counts))
    sys.exit(1 if survivors or blind else 0)


if __name__ == "__main__":
    main()
