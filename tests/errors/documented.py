#!/usr/bin/env python3
# documented: what docs/errors.md shows are the statements and messages of the suites *Errors in this folder, all of them;
# the tables of the suites *Messages hold the others.
#   documented.py ROOT
import pathlib
import re
import sys



def bare(code):
    return re.sub(r"\s+", "", code)


root = pathlib.Path(sys.argv[1])
text = (root / "docs/errors.md").read_text()
tests = "".join(path.read_text() for path in sorted((root / "tests/errors").glob("*_test.cc")))
failed = []
messages = []
for name, body in re.findall(r"TEST(?:_F)?\(\w*Errors, (\w+)\) \{\n(.*?)\n\}\n", tests, re.S):
    body = re.sub(r"  *// NOLINT.*", "", body)
    messages += re.findall(r'R"\((.*?)\)"\);', body, re.S)
    # The page shows the statement without the expectation around it.
    code = re.sub(r'EXPECT_MESSAGE\((.*?),\s*R"\(.*?\)"\);', r"\1;", body, flags=re.S)
    code = "".join(line for line in code.split("\n") if "EXPECT_EQ" not in line)
    if bare("```c++" + code + "```") not in bare(text):
        failed.append(f"docs/errors.md lacks the statements of the test {name}")
shown = re.findall(r"```text\n(.*?)\n```", text, re.S)
failed += [f"docs/errors.md lacks: {message}" for message in messages if message not in shown]
failed += [f"no test expects: {message}" for message in shown if message not in messages]
print(f"{len(messages)} messages of tests, {len(shown)} in docs/errors.md")
sys.exit("\n".join(failed) if failed or not messages else 0)
