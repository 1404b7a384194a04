#!/usr/bin/env python3
"""locale_free: checks that no source reads or writes numbers as the host program's locale would have it.

A host that called setlocale(LC_ALL, "de_DE") writes 1,5 for 1.5, and reads 1.5 as 1. std::from_chars and std::to_chars do
not care, nor do whole numbers. usage: tools/locale_free.py [ROOT]      prints each such call; exit 1 if there is one
"""
import re
import sys
from pathlib import Path

CALLS = re.compile(r"""\b(?:strto(?:d|f|ld)|sto(?:d|f|ld)|atof|setlocale|[io]?stringstream)\b
                   | "(?:[^"\\]|\\.)*%[-+\ #0-9.*]*L?[aAeEfFgG] """, re.X)


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent)
    found = 0
    for file in sorted(f for folder in ("src", "include") for f in (root / folder).rglob("*") if f.suffix in (".h", ".cc")):
        for number, line in enumerate(file.read_text().splitlines(), 1):
            call = CALLS.search(line.split("//")[0])
            if call:
                found += 1
                print(f"{file.relative_to(root)}:{number}: `{call[0]}` depends on the locale; use std::from_chars or to_chars")
    print(f"locale_free: {found} calls that depend on it")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
