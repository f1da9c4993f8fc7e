#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tuning.py SHOAL TABLE=HIERARCHIES... - what the default method loses and takes when a tuning
constant (src/method/shoal/tuning.h) is halved or doubled.

SHOAL must be compiled with -DSHOAL_TUNING_OVERRIDE, for example
    meson setup build-tuning -Doptimization=3 -Dc_args=-DSHOAL_TUNING_OVERRIDE
    ninja -C build-tuning shoal
Without --names all constants that a run without models and persons uses are measured. Prints one
line per constant: the change of the loss and of the processor time, in percent, for half and
double the value, on each table; '=' where the release is the same byte by byte (then the change
of the time is noise or bookkeeping).
"""
import argparse
import hashlib
import json
import os
import resource
import subprocess
import tempfile

QUASI = "age,sex,race,marital-status,education,native-country,workclass,occupation"
VALUES = {
    "ROUNDS_FACTOR": 1.0, "FULL_EFFORT": 7, "FULL_ROWS": 40000, "LEAST_ROUNDS": 1 / 15,
    "NARROW": 8, "WIDE": 16, "POLISH_FROM": 0.4, "LARGE_WORK": 3000000, "MANY_REGIONS": 3,
    "REGION_CLASSES": 16384, "SEED_STEP_ROWS": 64, "HEAP_FROM_K": 16, "HASTY_FROM_K": 31,
    "PATH_CLASSES": 16, "GRIDS_FROM_K": 31, "REGION_ROWS": 1.0, "REGION_GROUPS": 48,
    "REGION_BOUNDS": 4096, "PERTURBATIONS": 2.0, "PERTURBATIONS_FULL": 0.12,
    "PERTURBED_GROUPS": 3, "SCRATCH_FROM_K": 16, "POLISH_PARTNERS": 24, "POLISH_PASSES": 50,
}
# used with larger k, or with models: name them
FURTHER = {
    "ROUNDS_LARGE_K": 0.9, "MOST_GRIDS": 20000, "GRID_BANDS": 6, "SCRATCH_TWICE": 4,
    "SCRATCH_NOISE": 0.2, "SCRATCH_SEEDS": 64, "REPAIR_SHARE": 0.5, "REPAIR_ROUNDS": 15.0,
    "REPAIR_ROUNDS_MOST": 6.0, "PENALTY_FULL": 2.0, "PENALTY_FIRST": 0.05, "PENALTY_RISE": 0.67,
    "PENALTY_ENTRY": 0.5, "SPREAD_ROWS": 16, "GROWTH_TIMES_K": 6, "POLISH_PASSES_FEW": 2,
}


def run(options, table, hierarchies, environment):
    """Loss, processor seconds and digest of one run."""
    with tempfile.TemporaryDirectory() as folder:
        release, report = os.path.join(folder, "r.csv"), os.path.join(folder, "r.json")
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            [options.shoal, "anonymize", table, "-o", release, "--report", report, "--qid", QUASI,
             "--numeric", "age", "--hierarchies", hierarchies, "--rest", "drop", "-k",
             str(options.k), "--no-bound", "--threads", "1", *options.extra.split()],
            check=True, env={**os.environ, **environment}, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = after.ru_utime - before.ru_utime
        with open(release, "rb") as file:
            digest = hashlib.sha256(file.read()).hexdigest()
        with open(report, encoding="utf-8") as file:
            loss = json.load(file)["gcp"]
        return loss, seconds, digest


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("shoal")
    parser.add_argument("tables", nargs="+", metavar="TABLE=HIERARCHIES")
    parser.add_argument("-k", type=int, default=10)
    parser.add_argument("--extra", default="", help="further options of anonymize")
    parser.add_argument("--names", nargs="*", default=list(VALUES))
    options = parser.parse_args()
    tables = [text.split("=") for text in options.tables]
    plain = [run(options, *table, {}) for table in tables]
    for table, (loss, seconds, _) in zip(tables, plain):
        print(f"# {table[0]}: loss {loss:.6f}, {seconds:.2f} s", flush=True)
    every = {**VALUES, **FURTHER}
    for name in options.names:
        cells = []
        for table, (loss, seconds, digest) in zip(tables, plain):
            for factor in (0.5, 2):
                value = every[name] * factor
                value = value if isinstance(every[name], float) else int(value)
                try:
                    now = run(options, *table, {f"SHOAL_TUNE_{name}": str(value)})
                except subprocess.CalledProcessError:
                    cells.append("invalid")
                    continue
                change = "=" if now[2] == digest else f"{100 * (now[0] / loss - 1):+.2f}"
                cells.append(f"{change} {100 * (now[1] / seconds - 1):+.0f}")
        print(f"{name:22} | " + " | ".join(cells), flush=True)


if __name__ == "__main__":
    main()
