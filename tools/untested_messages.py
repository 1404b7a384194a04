#!/usr/bin/env python3
"""untested_messages: names the errors whose text no test expects.

Each piece of the message of a call that raises one must stand in a file of tests/ that compares all of it,
unless it is too short to be told apart. What no call of a user can reach is an InternalError, or stands in
UNREACHABLE with the reason.

usage: tools/untested_messages.py [ROOT]
"""
import re
import sys
from pathlib import Path

CALL = re.compile(
    r"\b(?:type_error|UsageError|DeviceError|UnsupportedError|OptionError|malformed|structure_error"
    r"|file_error|syntax_error|donated_error|refuse\w*|fail(?:_at)?)\(")
LITERAL = re.compile(r'R"(\w*)\((.*?)\)\1"|"((?:[^"\\\n]|\\.)*)"', re.S)
PART = re.compile(r'\bfind\(\s*("([^"\\\n]|\\.)*"\s*)+')  # does not compare the whole of a message
SHORTEST = 7  # letters
UNREACHABLE = {  # what no test can provoke, and why
    "zip: there is no memory for an entry of": "needs a file of GiB: deflate packs to 1/1100 at best",
    "zip: zlib cannot begin.": "only without memory for the few KiB of its state",
    "zip: the entry": "needs 4 GiB of arrays",
    "is too large; archives below 4 GiB are written.": "needs 4 GiB of arrays",
    "zip: the archive is too large; archives below 4 GiB are written.": "needs 4 GiB of arrays",
}


def unescaped(text):
    return re.sub(r"\\(.)", lambda m: {"n": "\n", "t": "\t"}.get(m[1], m[1]), text)


def literals(code):
    """(offset, text) of the string literals, those that stand side by side as one."""
    result, end = [], None
    for m in LITERAL.finditer(code):
        text = m[2] if m[2] is not None else unescaped(m[3])
        if result and not re.sub(r"//[^\n]*", "", code[end:m.start()]).strip():
            result[-1] = (result[-1][0], result[-1][1] + text)
        else:
            result.append((m.start(), text))
        end = m.end()
    return result


def call_at(code, start):
    """The text of the call whose parenthesis opens before start."""
    depth, at = 1, start
    while depth and at < len(code):
        literal = LITERAL.match(code, at)
        if literal:
            at = literal.end()
            continue
        if m := re.compile(r"'(?:[^'\\]|\\.)'").match(code, at):
            at = m.end()
            continue
        depth += {"(": 1, ")": -1}.get(code[at], 0)
        at += 1
    return code[start:at]


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent)
    tests = [p for p in sorted((root / "tests").rglob("*")) if p.suffix in {".cc", ".h", ".sh"}]
    expected = "\n".join(text for path in tests for _, text in literals(PART.sub("", path.read_text())))
    untested, pieces = 0, 0
    for path in sorted([*(root / "src").rglob("*.[ch]*"), *(root / "include").rglob("*.h"),
                        *(root / "tools").rglob("*.[ch]*")]):
        code = path.read_text()
        seen = set()
        for call in CALL.finditer(code):
            for offset, text in literals(call_at(code, call.end())):
                piece = max(text.split("\n"), key=len).strip()
                line = code[:call.end() + offset].count("\n") + 1
                if len(re.sub(r"\W", "", piece)) < SHORTEST or " " not in piece or (line, piece) in seen:
                    continue
                seen.add((line, piece))
                pieces += 1
                if piece not in expected and piece not in UNREACHABLE:
                    untested += 1
                    print(f"{path.relative_to(root)}:{line}: {piece}")
    print(f"{untested} of {pieces} pieces of messages are in no test")
    sys.exit(untested != 0)


if __name__ == "__main__":
    main()
