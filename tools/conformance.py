#!/usr/bin/env python3
"""conformance: runs `baton check` over a folder of StableHLO files and sums up, by folder and by reason.

usage: tools/conformance.py BATON SUITE [--engine reference] [--list]

SUITE is a folder with *.mlir files, such as stablehlo/testdata and stablehlo/tests/interpret of openxla/stablehlo.
--list also prints every file that is not ok. Exit 1 if there is one.
"""
import argparse
import collections
import re
import subprocess
import sys
from pathlib import Path

BATCH = 100


def check(baton, engine, files):
    """(verdict, reason) for each file. A process that dies takes only its own file with it."""
    command = [baton, "check", "--engine", engine, *map(str, files)]
    lines = subprocess.run(command, capture_output=True, text=True, errors="replace").stdout.splitlines()
    answers = {}
    for line in lines:
        verdict, _, rest = line.partition(" ")
        if verdict in ("ok", "FAIL", "unsupported"):
            name, _, reason = rest.partition(": ")
            answers[name] = (verdict, reason)
    missing = [f for f in files if str(f) not in answers]
    if missing and len(files) > 1:
        for file in missing:
            answers.update({str(file): check(baton, engine, [file])[0]})
    return [answers.get(str(f), ("FAIL", "the process died")) for f in files]


def kind_of(reason, file):
    """A reason without the parts that differ from file to file."""
    reason = reason.replace(str(file), "")
    reason = re.sub(r"^:?\d+:\d+: ", "", reason)
    reason = re.sub(r"@[\w.]+: check of line \d+: .*", "a check does not hold", reason)
    reason = re.sub(r"\b(f32|f64|f16|bf16|s\d+|u\d+|c64|c128|bool)\[[\d,]*\]", "TYPE", reason)
    reason = re.sub(r"tensor<[^ ]*>", "TYPE", reason)
    reason = re.sub(r"called at .*", "", reason)
    return re.sub(r"\d+", "N", reason).strip()[:110]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("baton")
    parser.add_argument("suite", type=Path)
    parser.add_argument("--engine", default="reference")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    files = sorted(options.suite.rglob("*.mlir"))
    if not files:
        sys.exit(f"conformance: there is no *.mlir file under {options.suite}")
    folders = collections.defaultdict(collections.Counter)
    reasons = collections.Counter()
    bad = []
    for i in range(0, len(files), BATCH):
        batch = files[i : i + BATCH]
        for file, (verdict, reason) in zip(batch, check(options.baton, options.engine, batch)):
            name = file.relative_to(options.suite)
            folders[str(name.parent)][verdict] += 1
            if verdict != "ok":
                reasons[verdict, kind_of(reason, file)] += 1
                bad.append(f"{verdict} {name}: {reason}")
    print("| folder | files | ok | failed | unsupported |\n| --- | --- | --- | --- | --- |")
    for folder, counts in sorted(folders.items()):
        print(f"| {folder} | {sum(counts.values())} | {counts['ok']} | {counts['FAIL']} | {counts['unsupported']} |")
    if reasons:
        print("\n| files | verdict | reason |\n| --- | --- | --- |")
        for (verdict, reason), count in reasons.most_common():
            print(f"| {count} | {verdict} | {reason.replace('|', '/')} |")
    if options.list:
        print("", *bad, sep="\n")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
