#!/usr/bin/env python3
"""compare: trains the same networks with Baton and with its peers, in turn, and prints tables of what that cost.

usage: bench/compare.py DIR [--workloads mlp cnn gpt tiny] [--peers baton jax torch ...] [--rounds 3] [--seconds 4]
                            [--threads 2] [--engine cpu] [--baton build/release/bench_train] [--out FILE]
       bench/compare.py --tables FILE      the tables of an earlier run once more

DIR holds the peers' scripts, their virtual environments, and the data files of bench_train in DIR/data; peers that are
not there are left out. A script prints one JSON object a line, as bench_train does, with the same names of metrics.
A round runs every peer once, each in a fresh process; the tables show medians over the rounds, and ratios within a round.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent
# name: variables of the environment, command. {dir} is DIR; {fresh} a folder that is empty before each run, for
# peers that keep compiled code.
TORCH = {"LD_LIBRARY_PATH": "{dir}/torch_stubs", "TORCHINDUCTOR_CACHE_DIR": "{fresh}"}
PEERS = {
    "jax": ({}, "venv/bin/python bench_jax.py"),
    "keras": ({"KERAS_BACKEND": "jax"}, "venv/bin/python bench_keras.py"),
    "torch": (TORCH, "venv-torch/bin/python bench_torch.py"),
    "torch-fused": (TORCH, "venv-torch/bin/python bench_torch.py --fused"),
    "torch-compile": (TORCH, "venv-torch/bin/python bench_torch.py --compile"),
    "libtorch": ({}, "libtorch/bench_2x"),
    # The wheel of MLX has a reference BLAS, which a faster one must replace to be a fair peer.
    "mlx": ({"LD_PRELOAD": "{dir}/openblas_deb/usr/lib/x86_64-linux-gnu/openblas-pthread/libopenblas.so.0",
             "TMPDIR": "{fresh}"}, "venv/bin/python bench_mlx.py"),
}
LOSSES_MAY_DIFFER = 0.015  # relative; Keras places epsilon elsewhere
COLUMNS = {"step_ms": "step, ms", "step_ms_nosync": "not waiting, ms", "first_step_s": "first step, s",
           "process_to_first_step_s": "from the start, s", "peak_rss_mb": "peak, MB", "loss_step1": "loss 1",
           "loss_step20": "loss 20"}


def command(name, workload, options, fresh=""):
    """(variables, words) of a peer, or None where it is not installed."""
    if name == "baton":
        return {}, [options.baton, "--workload", workload, "--data", f"{options.dir}/data", "--engine", options.engine,
                    "--threads", str(options.threads), "--seconds", str(options.seconds)]
    variables, line = PEERS[name]
    program, *arguments = line.split()
    script = options.dir / (arguments[0] if arguments else program)
    if not (options.dir / program).exists() or not script.exists():
        return None
    variables = {key: value.format(dir=options.dir, fresh=fresh) for key, value in variables.items()}
    words = [str(options.dir / program), *arguments[:1], workload, *arguments[1:]]
    return variables, words


def measure(name, workload, options):
    """What one process said: metric -> value."""
    with tempfile.TemporaryDirectory() as fresh:
        variables, words = command(name, workload, options, fresh)
        environment = {**os.environ, **variables, "BENCH_SECONDS": str(options.seconds),
                       "BENCH_THREADS": str(options.threads), "BENCH_DATA": f"{options.dir}/data"}
        answer = subprocess.run(words, cwd=options.dir, env=environment, capture_output=True, text=True)
    if answer.returncode:
        print(f"compare: {name} {workload} ended with {answer.returncode}:\n{answer.stderr[-2000:]}", file=sys.stderr)
        return {}
    lines = (json.loads(line) for line in answer.stdout.splitlines() if line.startswith("{"))
    return {line["metric"]: line["value"] for line in lines}


def number(value):
    return f"{value:.4g}" if value < 1000 else f"{value:.0f}"


def print_table(workload, rounds):
    """rounds: peer -> a list of what it said, one for each round."""
    columns = [c for c in COLUMNS if any(c in said for all_said in rounds.values() for said in all_said)]
    print(f"\n### {workload}\n\n| | " + " | ".join(COLUMNS[c] for c in columns) + " | step / Baton's |")
    print("|" + " --- |" * (len(columns) + 2))
    for name, all_said in rounds.items():
        cells = []
        for column in columns:
            values = [said[column] for said in all_said if column in said]
            cells.append(number(median(values)) if values else "")
        pairs = zip(all_said, rounds.get("baton", []))
        ratios = [said["step_ms"] / ours["step_ms"] for said, ours in pairs if "step_ms" in said and "step_ms" in ours]
        print(f"| {name} | " + " | ".join(cells) + f" | {number(median(ratios)) if ratios else ''} |")
    ours = rounds.get("baton", [{}])[0]
    for name, all_said in rounds.items():
        for step in ("loss_step1", "loss_step20"):
            loss = all_said[0].get(step, ours.get(step))
            if step in ours and abs(loss - ours[step]) > LOSSES_MAY_DIFFER * ours[step]:
                print(f"\n{name} trains another model: its {step} is {number(loss)}, Baton's is {number(ours[step])}.")


def print_tables(lines):
    results = {}
    for line in lines:
        results.setdefault(line["workload"], {}).setdefault(line["peer"], []).append(line["said"])
    for workload, rounds in results.items():
        print_table(workload, rounds)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dir", nargs="?", type=lambda path: Path(path).resolve())
    parser.add_argument("--workloads", nargs="+", default=["mlp", "cnn", "gpt", "tiny"])
    parser.add_argument("--peers", nargs="+", default=["baton", *PEERS], choices=["baton", *PEERS])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=4)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--engine", default="cpu")
    parser.add_argument("--baton", default=str(ROOT / "build/release/bench_train"))
    parser.add_argument("--out", help="where each process's results go, one JSON object a line")
    parser.add_argument("--tables", help="what --out wrote")
    options = parser.parse_args()
    if options.tables:
        print_tables(map(json.loads, Path(options.tables).read_text().splitlines()))
        return 0
    if options.dir is None:
        parser.error("give the folder of the peers' scripts")
    # Some peers take every core that they see.
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:options.threads])
    peers = [name for name in options.peers if command(name, "mlp", options)]
    if missing := set(options.peers) - set(peers):
        print(f"compare: not in {options.dir}: {' '.join(sorted(missing))}", file=sys.stderr)
    results = []
    for workload in options.workloads:
        for turn in range(options.rounds):
            for name in peers:
                print(f"compare: {workload}, round {turn + 1}, {name}", file=sys.stderr)
                results.append({"workload": workload, "peer": name, "said": measure(name, workload, options)})
                if options.out:
                    with open(options.out, "a") as out:
                        print(json.dumps(results[-1]), file=out)
    print_tables(results)
    return 0 if all(result["said"] for result in results) else 1


if __name__ == "__main__":
    sys.exit(main())
