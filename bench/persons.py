#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""persons.py SHOAL [TABLES [FIRST]] - does a run with --entity alone lose more than runs with
--entity and a model?

A release that satisfies more also satisfies less, so the run with less to satisfy should lose no
more. TABLES (40) invented tables of 60 to 1,500 rows; for each the loss with --entity against the
least of the losses with l-diversity 2, l-diversity 3 and t-closeness 0.5 besides, and its processor
time against that without --entity.
The same without --entity, k rows alone against k rows and a model, says how much of it is chance of
the search. FIRST (1000) is the seed of the first table.
"""

import csv
import json
import random
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

MODELS = (["--l-diversity", "2"], ["--l-diversity", "3"], ["--t-closeness", "0.5"])


def cell(j):
    return random.randint(18, 90) if j % 2 == 0 else random.choice("abcdefgh")


def write_table(path, n_rows, n_persons, width):
    """Rows of a person are equal but for some cells."""
    base = {}
    with open(path, "w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["id", *(f"q{j}" for j in range(width)), "s"])
        for _ in range(n_rows):
            person = random.randrange(n_persons)
            row = list(base.setdefault(person, [cell(j) for j in range(width)]))
            if random.random() < 0.4:
                changed = random.randrange(width)
                row[changed] = cell(changed)
            rows.writerow([f"p{person}", *row, random.choice("uvwxyz")])


def seconds_used():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def loss(shoal, table, k, width, *more):
    qids = ",".join(f"q{j}" for j in range(width))
    start = seconds_used()
    done = subprocess.run(
        [
            shoal,
            "anonymize",
            table,
            "-o",
            f"{table}.out",
            "--force",
            "-k",
            str(k),
            "--qid",
            qids,
            "--sensitive",
            "s",
            "--json",
            "--no-bound",
            "--threads",
            "1",
            *more,
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    return (
        json.loads(done.stdout)["gcp"] if done.returncode == 0 else None
    ), seconds_used() - start


def rise(shoal, table, k, width, *more):
    """How far the loss is above the least with a model besides, or None; the loss, and the seconds
    that it took.
    """
    alone, seconds = loss(shoal, table, k, width, *more)
    besides = [
        found
        for model in MODELS
        if (found := loss(shoal, table, k, width, *more, *model)[0]) is not None
    ]
    return (alone / min(besides) - 1 if alone and besides else None), alone, seconds


def tell(name, above):
    print(
        f"{name}: {len(above)} tables, {sum(a > 0 for a in above)} above,"
        f" {sum(a > 0.005 for a in above)} by more than 0.5 %, at most {max(above):+.2%}, in the"
        f" mean {sum(above) / len(above):+.2%}"
    )


def main(shoal, n_tables="40", first="1000"):
    above, above_rows, times, ratios = [], [], [], [0.0]
    with tempfile.TemporaryDirectory() as folder:
        table = str(Path(folder) / "t.csv")
        for seed in range(int(n_tables)):
            random.seed(int(first) + seed)
            n_rows, k, width = random.choice([
                60, 120, 250, 400, 700, 1000, 1500,
            ]), random.choice([2, 3, 5, 10]), random.choice([2, 3, 4, 5])
            n_persons = max(20, 4 * k, int(n_rows * random.choice([0.2, 0.3, 0.5, 0.7])))
            write_table(table, n_rows, n_persons, width)
            here, alone, seconds = rise(shoal, table, k, width, "--entity", "id")
            rows_here, _, without = rise(shoal, table, k, width, "--drop", "id")
            if here is None or rows_here is None:
                continue
            above.append(here)
            above_rows.append(rows_here)
            times.append(seconds - without)
            if without > 0.2:
                ratios.append(seconds / without)
            print(
                f"rows {n_rows:5} persons {n_persons:5} k {k:2} columns {width}: gcp {alone:.5f},"
                f" {here:+.2%} against the least with a model, {rows_here:+.2%} without persons;"
                f" {seconds:.2f} s, without persons {without:.2f} s",
                flush=True,
            )
    tell("with persons", above)
    tell("without persons", above_rows)
    print(
        f"persons took {max(times):.2f} s of processor time more at most; where it is more than 0.2"
        f" s without them, {max(ratios):.1f} times that at most"
    )


main(*sys.argv[1:])
