#!/usr/bin/env python3
"""compare_test: bench/compare.py with programs that say what is written here: its tables, the order of its processes,
and what it does with peers that fail or are not there.

usage: tests/bench/compare_test.py ROOT
"""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

TABLE = """
### tiny

| | step, ms | peak, MB | loss 1 | step / Baton's |
| --- | --- | --- | --- | --- |
| baton | 20 | 1234 | 0.25 | 1 |
| libtorch | 50 |  | 0.252 | 2.5 |
"""
# A fake program says another step_ms in each round; a file counts the rounds. It must be told what it is to do.
PROGRAM = """#!/bin/bash
echo {name} >>"{folder}/calls"
round=$(grep -c {name} "{folder}/calls")
[[ "$*" == *tiny* && $BENCH_SECONDS == 0.5 && $BENCH_THREADS == 1 && $BENCH_DATA == "{folder}/data" ]] || exit 3
say() {{ echo '{{"peer": "x", "workload": "tiny", "metric": "'$1'", "value": '$2', "unit": ""}}'; }}
echo 'a line that is no object'
say step_ms $(({step} * round))
say loss_step1 {loss}
{more}
"""


def put_program(path, **parts):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(PROGRAM.format(**parts))
    path.chmod(0o755)


def main():
    compare = Path(sys.argv[1]) / "bench/compare.py"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        baton, out = folder / "fake_baton", folder / "out.jsonl"
        put_program(baton, name="baton", folder=folder, step=10, loss=0.25, more="say peak_rss_mb 1234.4")
        put_program(folder / "libtorch/bench_2x", name="libtorch", folder=folder, step=25, loss=0.252, more="")
        words = [sys.executable, compare, folder, "--workloads", "tiny", "--seconds", "0.5", "--threads", "1", "--baton",
                 baton, "--peers", "baton", "libtorch", "jax"]

        answer = subprocess.run([*words, "--rounds", "3", "--out", out], capture_output=True, text=True)
        assert (answer.returncode, answer.stdout) == (0, TABLE), answer
        assert f"compare: not in {folder}: jax\n" in answer.stderr, answer.stderr
        assert (folder / "calls").read_text().split() == ["baton", "libtorch"] * 3
        assert [json.loads(line)["peer"] for line in out.read_text().splitlines()] == ["baton", "libtorch"] * 3
        again = subprocess.run([sys.executable, compare, "--tables", out], capture_output=True, text=True)
        assert (again.returncode, again.stdout) == (0, TABLE), again

        put_program(folder / "libtorch/bench_2x", name="libtorch", folder=folder, step=25, loss=0.25, more="echo broken >&2; exit 7")
        failed = subprocess.run([*words, "--rounds", "1"], capture_output=True, text=True)
        assert failed.returncode == 1 and "compare: libtorch tiny ended with 7:\nbroken\n" in failed.stderr, failed
        assert "| libtorch |  |  |  |  |\n" in failed.stdout, failed.stdout

        put_program(folder / "libtorch/bench_2x", name="libtorch", folder=folder, step=25, loss=0.26, more="")
        differs = subprocess.run([*words, "--rounds", "1"], capture_output=True, text=True)
        note = "\nlibtorch trains another model: its loss_step1 is 0.26, Baton's is 0.25.\n"
        assert (differs.returncode, differs.stdout[-len(note):]) == (0, note), differs.stdout

        nowhere = subprocess.run([sys.executable, compare], capture_output=True, text=True)
        assert nowhere.returncode == 2 and "give the folder of the peers' scripts" in nowhere.stderr, nowhere


if __name__ == "__main__":
    main()
