#!/usr/bin/env python3
"""train_test: bench_train on small networks with data made here. Its lines have the agreed form, and its losses are
those of the same training by JAX, and for the smallest network those of plain Python below.

usage: tests/bench/train_test.py BENCH_TRAIN
"""
import json
import math
import random
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

BATCH, HIDDEN, RATE, STEPS = 4, 3, 0.05, 5
METRICS = {"rss_after_import_mb": "MB", "build_s": "s", "rss_before_step_mb": "MB", "first_step_s": "s",
           "process_to_first_step_s": "s", "loss_step1": "", f"loss_step{STEPS}": "", "step_ms": "ms", "step_ms_p10": "ms",
           "step_ms_p90": "ms", "timed_steps": "", "allocations_per_step": "", "step_ms_nosync": "ms", "peak_rss_mb": "MB",
           "n_trace": "", "n_compile": "", "temp_mb": "MB"}


# Losses of steps 1 and 5 by JAX 0.10.2 on CPU, from these data and the same formulas: jax.numpy, jax.nn.gelu, and Adam with
# epsilon beside the root of the corrected square.
BY_JAX = {"mlp": (1.15296, 1.79720), "cnn": (1.78927, 1.17889), "gpt": (3.12050, 4.30424)}


def f32(x):
    return struct.unpack("<f", struct.pack("<f", x))[0]


def numbers(source, *shape):
    return [numbers(source, *shape[1:]) for _ in range(shape[0])] if shape else f32(source.uniform(-1, 1))


def below(limit, source, *shape):
    return [below(limit, source, *shape[1:]) for _ in range(shape[0])] if shape else source.randrange(limit)


def mlp():
    s = random.Random(1)
    return {"w1": numbers(s, 6, 5), "b1": numbers(s, 5), "w2": numbers(s, 5, 4), "b2": numbers(s, 4), "w3": numbers(s, 4, 3),
            "b3": numbers(s, 3), "xs": numbers(s, 3, BATCH, 6), "ys": below(3, s, 3, BATCH)}


def cnn():
    s = random.Random(2)
    return {"k1": numbers(s, 3, 3, 1, 2), "b1": numbers(s, 2), "k2": numbers(s, 3, 3, 2, 3), "b2": numbers(s, 3),
            "w3": numbers(s, 12, 4), "b3": numbers(s, 4), "w4": numbers(s, 4, 3), "b4": numbers(s, 3),
            "xs": numbers(s, 3, BATCH, 8, 8, 1), "ys": below(3, s, 3, BATCH)}


def gpt():
    s = random.Random(3)
    d = 8
    arrays = {"wte": numbers(s, 11, d), "wpe": numbers(s, 5, d)}
    shapes = {"ln1_g": (d,), "ln1_b": (d,), "qkv_w": (d, 3 * d), "qkv_b": (3 * d,), "out_w": (d, d), "out_b": (d,),
              "ln2_g": (d,), "ln2_b": (d,), "fc_w": (d, 4 * d), "fc_b": (4 * d,), "proj_w": (4 * d, d), "proj_b": (d,)}
    for block in range(4):
        arrays |= {f"h{block}.{name}": numbers(s, *shape) for name, shape in shapes.items()}
    return arrays | {"lnf_g": numbers(s, d), "lnf_b": numbers(s, d), "head": numbers(s, d, 11),
                     "xs": below(11, s, 3, BATCH, 5), "ys": below(11, s, 3, BATCH, 5)}


def flat(x):
    return [number for part in x for number in flat(part)] if isinstance(x, list) else [x]


def shape_of(x):
    return [len(x), *shape_of(x[0])] if isinstance(x, list) else []


def file_of(arrays):
    """The bytes of a data file (bench/data.h)."""
    data = struct.pack("<i", len(arrays))
    for name, array in arrays.items():
        shape, values = shape_of(array), flat(array)
        data += struct.pack("<i", len(name)) + name.encode() + struct.pack(f"<i{len(shape)}q", len(shape), *shape)
        integers = isinstance(values[0], int)
        data += struct.pack(f"<i{len(values)}{'i' if integers else 'f'}", integers, *values)
    return data


def train_step(w1, b1, w2, b2, xs, ys):
    """The loss of mean((tanh(x w1 + b1) w2 + b2 - y)^2); the weights change in place."""
    g_w1, g_b1 = [[0.0] * HIDDEN for _ in w1], [0.0] * HIDDEN
    g_w2, g_b2, loss = [0.0] * HIDDEN, 0.0, 0.0
    for x, (y,) in zip(xs, ys):
        hidden = [math.tanh(sum(v * row[j] for v, row in zip(x, w1)) + b1[j]) for j in range(HIDDEN)]
        error = sum(h * row[0] for h, row in zip(hidden, w2)) + b2[0] - y
        loss += error**2 / len(xs)
        g_out = 2 * error / len(xs)
        g_b2 += g_out
        for j, h in enumerate(hidden):
            g_w2[j] += g_out * h
            g_hidden = g_out * w2[j][0] * (1 - h * h)
            g_b1[j] += g_hidden
            for i, v in enumerate(x):
                g_w1[i][j] += g_hidden * v
    for j in range(HIDDEN):
        b1[j] -= RATE * g_b1[j]
        w2[j][0] -= RATE * g_w2[j]
        for i, row in enumerate(w1):
            row[j] -= RATE * g_w1[i][j]
    b2[0] -= RATE * g_b2
    return loss


def run(program, folder, workload, *options):
    words = [program, "--workload", workload, "--data", folder, "--check-steps", str(STEPS), "--threads", "1", *options]
    return subprocess.run(words, capture_output=True, text=True)


def check(what, right):
    if not right:
        sys.exit(f"train_test: {what}")


def check_lines(answer, peer, workload, engine):
    """The metrics of a run, whose lines are complete."""
    check(f"{workload} ended with {answer.returncode}: {answer.stderr}", answer.returncode == 0 and answer.stderr == "")
    said = {}
    for text in answer.stdout.splitlines():
        line = json.loads(text)
        check(text, list(line) == ["peer", "workload", "metric", "value", "unit"])
        check(text, (line["peer"], line["workload"]) == (peer, workload))
        check(text, line["metric"] not in said and math.isfinite(line["value"]) and line["value"] >= 0)
        said[line["metric"]] = line["value"], line["unit"]
    more = {"alias_mb": "MB"} if peer == "baton" else {}
    if engine == "cpu":
        more["plan_mb"] = "MB"
    check(f"metrics {said}", {name: unit for name, (_, unit) in said.items()} == {**METRICS, **more})
    return {name: value for name, (value, _) in said.items()}


def check_trainings(program, folder, workload, losses):
    """On both engines, with and without donation, the losses of the first and last steps are these."""
    for engine in ("reference", "cpu"):
        for options, peer in ([], "baton"), (["--no-donate"], "baton-nodonate"):
            answer = run(program, folder, workload, "--engine", engine, "--seconds", "0", *options)
            said = check_lines(answer, peer, workload, engine)
            for step, right in zip((1, STEPS), losses):
                found = said[f"loss_step{step}"]
                check(f"{workload}: loss of step {step} is {found}, not {right}", math.isclose(found, right, rel_tol=5e-5))
            # The step is traced, and in it the loss.
            check(f"{said}", (said["n_trace"], said["n_compile"], said["timed_steps"]) == (2, 1, 2))


def check_bad_data(program, folder, arrays, xs, ys):
    file = folder / "tiny.bin"
    for content, message in (
            (arrays[:-1], f"bench: {file} must hold the 12 numbers that it announces."),
            (file_of({"xs": xs, "ys": ys[:2]}), f"bench: {file} must hold as many batches in xs as in ys, found 3 and 2."),
            (file_of({"xs": 1.0, "ys": ys}), f"bench: {file} must hold batches in xs, found one number."),
            (arrays[:4] + struct.pack("<i", -1), f"bench: {file} must hold the -1 numbers that it announces."),
            (None, f"bench: cannot read {file}.\n  Give the folder of the data files with --data.")):
        file.write_bytes(content) if content else file.unlink()
        answer = run(program, folder, "tiny")
        check(answer.stderr, (answer.returncode, answer.stderr) == (1, message + "\n"))


def main():
    program, source = sys.argv[1], random.Random(0)
    w1, b1, w2, b2 = numbers(source, 2, HIDDEN), numbers(source, HIDDEN), numbers(source, HIDDEN, 1), numbers(source, 1)
    xs, ys = numbers(source, 3, BATCH, 2), numbers(source, 3, BATCH, 1)
    tiny = file_of({"w1": w1, "b1": b1, "w2": w2, "b2": b2, "xs": xs, "ys": ys})
    losses = [train_step(w1, b1, w2, b2, xs[i % 3], ys[i % 3]) for i in range(STEPS)]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "tiny.bin").write_bytes(tiny)
        check_trainings(program, folder, "tiny", (losses[0], losses[-1]))
        for arrays in mlp, cnn, gpt:
            (folder / f"{arrays.__name__}.bin").write_bytes(file_of(arrays()))
            check_trainings(program, folder, arrays.__name__, BY_JAX[arrays.__name__])
        check_bad_data(program, folder, tiny, xs, ys)


if __name__ == "__main__":
    main()
