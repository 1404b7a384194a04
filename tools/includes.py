#!/usr/bin/env python3
"""includes: checks that no room includes what it may not know. src/README.md says what each room is.

usage: tools/includes.py [ROOT]      prints each forbidden include; exit 1 if there is one
"""
import re
import sys
from pathlib import Path

# What each room of src/ builds on. It may include those rooms, and what they build on.
ROOMS = {
    "base": [],
    "program": ["base"],
    "trace": ["program"],
    "ops": ["trace"],
    "numpy": ["ops"],
    "random": ["numpy"],
    "transforms": ["ops"],
    "passes": ["ops"],
    "plan": ["passes"],
    "engines": ["plan"],
    "engines/cpu": ["plan", "engines/reference"],  # what has no kernel runs by its reference evaluation
    "engines/reference": ["trace"],  # the oracle: no passes, no Plan, no helper of the ops that it judges
    "jit": ["transforms", "engines", "engines/cpu", "engines/reference"],
    "interop": ["jit", "random"],
}
# The room of each public header whose name is not its room's. Other headers belong to `jit`.
HEADERS = {
    "dtype": "base",
    "type": "base",
    "where": "base",
    "error": "base",
    "counters": "base",
    "plan_report": "base",
    "program": "base",  # Hash, and Program as a handle
    "save": "program",
    "detail_fields": "base",
    "function_ref": "base",
    "engine": "jit",
    "array": "program",  # rules have Arrays in their signatures; program/ uses none
    "tree": "trace",
    "dlpack": "trace",
    "lax": "ops",
    "name_scope": "trace",
    "host_function": "ops",
    "load_jit": "interop",
    "nn": "numpy",
    "activations": "numpy",
    "indexing": "numpy",
    "linalg": "numpy",
    "ravel": "numpy",
    "npy": "interop",
    "safetensors": "interop",
    "stablehlo": "interop",
}
# Dependencies that one file alone may know: whoever else calls them would escape its counters.
ALONE = {"llvm/": "engines/cpu/code/machine.cc"}
# Two calls go from left to right at link time and need no include: program/ declares find_primitive and bind, which
# ops/ and trace/ define; trace/executor.h is implemented in jit/.

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"]+)"|<([^>]+)>)', re.M)
SOURCES = {".h", ".cc", ".def"}


def below(room):
    """The room and all that it builds on."""
    return {room}.union(*(below(r) for r in ROOMS[room]))


def room_of(path):
    """The room of a path relative to src/: the longest that is named in ROOMS, or None."""
    parts = path.split("/")[:-1]
    return next((r for n in range(len(parts), 0, -1) if (r := "/".join(parts[:n])) in ROOMS), None)


def header_room(path):
    """The room of a public header, given as `baton/name.h`."""
    name = path[len("baton/"):].split("/")[0].removesuffix(".h")
    return HEADERS.get(name) or (name if name in ROOMS else "jit")


def includes_of(file):
    text = file.read_text(encoding="utf-8")
    for match in INCLUDE.finditer(text):
        yield text.count("\n", 0, match.start()) + 1, match[1] or match[2]


def files(root, folder):
    return sorted(f for f in (root / folder).rglob("*") if f.suffix in SOURCES)


def check_sources(root):
    for file in files(root, "src"):
        name = str(file.relative_to(root / "src"))
        room = room_of(name)
        if room is None:
            yield f"src/{name}: stands in no room; add its folder to ROOMS in tools/includes.py and to src/README.md"
            continue
        for line, target in includes_of(file):
            if target.startswith("baton/"):
                other = header_room(target)
            elif (root / "src" / target).is_file():
                other = room_of(target)
            else:  # the standard library or a dependency
                for folder, only in ALONE.items():
                    if target.startswith(folder) and name != only:
                        yield f"src/{name}:{line}: only {only} may include {target}"
                continue
            if other not in below(room):
                yield f"src/{name}:{line}: {room} may not know {other}, but includes {target}"


def check_public(root):
    """A public header includes public headers and the standard library; so does what a user could have written."""
    for file in files(root, "include"):
        for line, target in includes_of(file):
            if not target.startswith("baton/") and ("/" in target or "." in target):
                yield f"{file.relative_to(root)}:{line}: a public header includes {target}"
    for folder, allowed in (("examples", set()), ("tools/baton", {"interop"})):
        for file in files(root, folder):
            for line, target in includes_of(file):
                if (root / "src" / target).is_file() and room_of(target) not in allowed:
                    yield f"{file.relative_to(root)}:{line}: {folder} may include public headers, not {target}"


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent)
    found = [*check_sources(root), *check_public(root)]
    print(*found, sep="\n", end="\n" if found else "")
    print(f"includes: {len(found)} forbidden")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
