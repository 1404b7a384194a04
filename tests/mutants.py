#!/usr/bin/env python3
"""mutants: breaks every rule of every primitive in turn, and reports which mutants the primitive's own tests miss.

usage: mutants.py FOLDER [NAME...]     FOLDER holds the test programs; NAMEs choose primitives

A mutant changes what a rule gives: another value, a value nearby, a derivative twice or not at all, lanes turned
round or one lane alone (tests/mutant.cc). A primitive's own tests are those made from its examples, JAX's numbers for
it, and the tests that OWN names for it. A mutant that survives them, or that changes nothing in any of them (it is
idle), is missed: exit 1. tests/mutate.py changes the text of the rules instead.
"""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

COLLECTIVE = [("test_ops_reduce", "Collective.*")]
CUSTOM_VJP = [("test_edge", "CustomRules.*"), ("test_transforms", "Rules.ACustomVjp*")]

# Tests written by hand that are about one primitive: for a rule that its examples cannot reach, and for those that
# have no examples because they mean nothing as a Program of one equation (docs/primitives.md).
OWN = {
    "all_gather": COLLECTIVE,
    "all_to_all": COLLECTIVE,
    "axis_index": COLLECTIVE,
    "bitcast_convert_type": [("test_transforms", "Rules.BitsHaveNoDerivative")],
    "checkpoint_name": [("test_transforms", "Rules.ANameIsTransposed")],
    "constant": [("test_ops_structure", "Constant.*")],
    "custom_linear_solve": [("test_edge", "CustomLinearSolve.*:Nesting.OfLinearSolves*")],
    "custom_vjp": CUSTOM_VJP,
    "custom_vjp_linear": CUSTOM_VJP,
    "fused": [("test_ops_structure", "Fused.*")],
    "host_function": [("test_edge", "HostFunction.*"), ("test_ops_structure", "HostFunction.*:Effects.*")],
    "pmax": COLLECTIVE,
    "pmin": COLLECTIVE,
    "ppermute": COLLECTIVE,
    "psum": COLLECTIVE,
    "psum_scatter": COLLECTIVE,
    "random_gamma": [("test_random", "Random.GammaAndItsDerivative")],
    "select_and_scatter": [("test_ops_reduce", "Window.*")],
    "stop_gradient": [("test_ops", "Kinks.AtZero"), ("test_edge", "StopGradient.*")],
    "while": [("test_edge", "ControlFlow.*"), ("test_transforms", "Rules.LinearizingAWhileLoop*")],
}


def run(folder, program, tests, name, mutant):
    """Whether the tests fail, and whether the mutant changed nothing in them. No mutant: the tests as they are."""
    env = os.environ | {"BATON_ONLY": name, "BATON_CHECK": "0"}
    env["BATON_ENGINE"] = "reference"  # the rule is what a mutant breaks; other engines need not ask for it
    if mutant:
        env["BATON_MUTANT"] = mutant
    command = [os.path.join(folder, program), "--gtest_brief=1", f"--gtest_filter={tests}", "--gtest_fail_fast"]
    try:
        done = subprocess.run(
            command,
            env=env,
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


def own_tests(name):
    return [("test_ops", f"*/{name}__*"), *OWN.get(name, [])]


def fails_unbroken(folder, name):
    return any(run(folder, program, tests, name, None)[0] for program, tests in own_tests(name))


def judge(folder, mutant):
    """caught, idle or survives"""
    name, idle = mutant.split(".")[0], True
    for program, tests in own_tests(name):
        failed, without_effect = run(folder, program, tests, name, mutant)
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
        primitives = sorted({rule.split(".")[0] for rule in rules})
        fails = pool.map(lambda name: fails_unbroken(folder, name), primitives)
        failing = [name for name, failed in zip(primitives, fails) if failed]
        if failing:
            sys.exit("mutants: these tests fail without a mutant, and so say nothing: " + ", ".join(failing))
        verdicts = dict(zip(mutants, pool.map(lambda m: judge(folder, m), mutants)))
    for mutant, verdict in verdicts.items():
        if verdict != "caught":
            print(f"{verdict}: {mutant}")
    counts = [f"{list(verdicts.values()).count(v)} {v}" for v in ("caught", "survives", "idle")]
    print(f"{len(mutants)} mutants of {len(rules)} rules: " + ", ".join(counts))
    sys.exit(0 if all(v == "caught" for v in verdicts.values()) else 1)


if __name__ == "__main__":
    main()
