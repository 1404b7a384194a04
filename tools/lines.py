#!/usr/bin/env python3
"""lines: counts the lines of each room, and names files that are longer than 500 lines.

usage: tools/lines.py [ROOT]
"""
import sys
from pathlib import Path

SOURCES = {".h", ".cc", ".def", ".py", ".sh", ".cmake", ".txt", ".md"}
LONGEST = 500


def room_of(path):
    """src/ops/sin.cc stands in src/ops; files at the top of a folder stand in the folder."""
    return "/".join(path.parts[: min(len(path.parts) - 1, 2)]) or "."


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent)
    rooms, long_files, total = {}, [], 0
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root)
        hidden = any(part.startswith(".") for part in name.parts)
        if path.suffix not in SOURCES or hidden or name.parts[0] == "build" or not path.is_file():
            continue
        lines = len(path.read_bytes().splitlines())
        files, sum_of_room = rooms.get(room_of(name), (0, 0))
        rooms[room_of(name)] = (files + 1, sum_of_room + lines)
        total += lines
        if lines > LONGEST and "data" not in name.parts:
            long_files.append((lines, name))
    for room, (files, lines) in sorted(rooms.items()):
        print(f"{lines:7} lines {files:4} files  {room}")
    print(f"{total:7} lines")
    for lines, name in sorted(long_files, reverse=True):
        print(f"longer than {LONGEST} lines: {name} ({lines})")


if __name__ == "__main__":
    main()
