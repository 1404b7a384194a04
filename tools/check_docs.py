#!/usr/bin/env python3
"""check_docs: checks that what the documents show is compiled and run.

Every ```cpp, ```program and ```output block of docs/*.md and README.md, and every `snippet` in a table's column headed
Baton, must stand in a file under tests/docs or examples, whitespace apart; those files are tests. What a ```diff block of
any document adds to a file must stand in that file. Links of every document to files of the repository must lead somewhere.

usage: tools/check_docs.py [ROOT]      prints each block and link that does not; exit 1 if there is one
"""
import re
import sys
from pathlib import Path

BLOCK = re.compile(r"^```(cpp|program|output)\n(.*?)^```", re.M | re.S)
LINK = re.compile(r"\]\(([^)#\s]+)")
DIFF = re.compile(r"^```diff\n(.*?)^```", re.M | re.S)
CODE = re.compile(r"`[^`]+`")
FENCED = re.compile(r"^```.*?^```", re.M | re.S)


def snippets(text):
    """(line number, code) of the `code` in the last column of tables whose last header is Baton."""
    inside = False
    for number, line in enumerate(text.splitlines(), 1):
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        inside = line.startswith("|") and (inside or cells[-1] == "Baton")
        if inside:
            yield from ((number, code) for code in re.findall(r"`([^`]+)`", cells[-1]))


def additions(text):
    """(line number, path, what is added) of each part of a ```diff block: a line ` path`, then lines that begin with +."""
    for match in DIFF.finditer(text):
        path, added, begin = None, [], text.count("\n", 0, match.start()) + 2
        for number, line in enumerate([*match[1].splitlines(), " "], begin):
            if line.startswith("+"):
                added.append(line[1:])
                continue
            if path:
                yield at, path, "\n".join(added)
            path, added, at = line.strip(), [], number


def bare(text):
    return re.sub(r"\s+", "", text)


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    sources = [p for folder in ("tests/docs", "examples") for p in sorted((root / folder).rglob("*.cc"))]
    tested = [bare(p.read_text()) for p in sources]
    wrong = blocks = 0
    shown = [root / "README.md", *sorted((root / "docs").glob("*.md"))]
    for page in [*shown, root / "CONTRIBUTING.md", root / "src/README.md"]:
        text = page.read_text()
        for match in BLOCK.finditer(text) if page in shown else []:
            blocks += 1
            if any(bare(match[2]) in source for source in tested):
                continue
            wrong += 1
            line = text.count("\n", 0, match.start()) + 1
            print(f"{page.relative_to(root)}:{line}: this {match[1]} block stands in no file under tests/docs or examples:")
            print("    " + match[2].rstrip().replace("\n", "\n    "))
        for line, code in snippets(text):
            blocks += 1
            if not any(bare(code) in source for source in tested):
                wrong += 1
                print(f"{page.relative_to(root)}:{line}: {code} stands in no file under tests/docs or examples")
        for line, path, added in additions(text):
            blocks += 1
            if not added or not (root / path).is_file() or bare(added) not in bare((root / path).read_text()):
                wrong += 1
                print(f"{page.relative_to(root)}:{line}: what the diff adds to {path} does not stand there")
        for link in LINK.findall(CODE.sub("", FENCED.sub("", text))):
            if "://" in link or (page.parent / link).exists():
                continue
            wrong += 1
            print(f"{page.relative_to(root)}: the link {link} leads nowhere")
    print(f"check_docs: {blocks} blocks, {wrong} problems")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
