#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""persons.py SHOAL [TABLES] - does a run with --entity alone lose more than runs with --entity and a model?

A release that satisfies more also satisfies less, so the run with less to satisfy should lose no more. TABLES (40) invented tables of 60 to 1,500 rows; for each
the loss with --entity against the least of the losses with l-diversity 2, l-diversity 3 and t-closeness 0.5 besides, and its processor time against that without --entity.
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
    """Rows of a person are alike but for a cell now and then."""
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
    done = subprocess.run([shoal, "anonymize", table, "-o", f"{table}.out", "--force", "-k", str(k), "--qid", qids, "--sensitive", "s", "--json", "--no-bound",
                           "--threads", "1", *more], capture_output=True, text=True, check=False)
    return (json.loads(done.stdout)["gcp"] if done.returncode == 0 else None), seconds_used() - start


def main(shoal, n_tables="40"):
    above, times = [], []
    with tempfile.TemporaryDirectory() as folder:
        table = str(Path(folder) / "t.csv")
        for seed in range(int(n_tables)):
            random.seed(1000 + seed)
            n_rows, k, width = random.choice([60, 120, 250, 400, 700, 1000, 1500]), random.choice([2, 3, 5, 10]), random.choice([2, 3, 4, 5])
            n_persons = max(20, 4 * k, int(n_rows * random.choice([0.2, 0.3, 0.5, 0.7])))
            write_table(table, n_rows, n_persons, width)
            alone, seconds = loss(shoal, table, k, width, "--entity", "id")
            without = loss(shoal, table, k, width, "--drop", "id")[1]
            besides = [found for model in MODELS if (found := loss(shoal, table, k, width, "--entity", "id", *model)[0]) is not None]
            if not alone or not besides:
                continue
            above.append(alone / min(besides) - 1)
            times.append(seconds - 3 * without)
            print(f"rows {n_rows:5} persons {n_persons:5} k {k:2} columns {width}: gcp {alone:.5f}, {above[-1]:+.2%} against the least with a model; {seconds:.2f} s, without persons {without:.2f} s")
    print(f"{len(above)} tables: {sum(a > 0 for a in above)} above, at most {max(above):+.2%}, in the mean {sum(above) / len(above):+.2%}; "
          f"processor time at most {max(times):+.2f} s beyond 3 times that without persons")


main(*sys.argv[1:])
