# SPDX-License-Identifier: Apache-2.0
"""large_tables.py - columns of ten to a hundred thousand distinct texts, with a small limit of time
and one of memory: the command ends soon, takes no memory beyond all reason, and what it publishes
has groups of k that cover their rows. Part of command.py.
"""

import csv
import os
import random
import subprocess
import time
from collections import Counter
from functools import lru_cache

import reader

METHODS = [
    "shoal", "kmembers", "kaca", "koc", "kmeans", "oka", "dbca", "mondrian", "optimal", "toc",
    "datafly",
]
MOST_MEMORY = 2000  # MB, resident
SLACK = 40  # seconds of processor time beyond the limit: reading, writing, verifying
EXITS = (0, 2, 3, 4, 5)


def draw(seed):
    rng = random.Random("large %d" % seed)
    n = rng.choice([10000, 10000, 30000, 100000])
    size = rng.choice([4, 8, 30])
    return {
        "rows": n,
        "columns": [rng.choice(["text", "text", "number"]) for _ in range(rng.randrange(1, 4))],
        "form": "%%0%dx" % size,
        "method": rng.choice(METHODS),
        "k": rng.choice([2, 10, 50]),
        "seconds": rng.choice([1, 2]),
        "memory": rng.choice([None, "60M", "300M"]),
        "is_bounded": rng.random() < 0.3,
        "seed": seed,
    }


def rows_of(case):
    rng = random.Random("rows %d" % case["seed"])
    return [
        [
            case["form"] % rng.randrange(16 ** min(6, len(case["form"] % 0)))
            if kind == "text"
            else "%d" % rng.randrange(10**9)
            for kind in case["columns"]
        ]
        for _ in range(case["rows"])
    ]


def arguments(case):
    words = [
        "anonymize", "t.csv", "-o", "out.csv", "-q", "--threads", "1", "-a", case["method"], "-k",
        str(case["k"]), "--qid", ",".join("q%d" % i for i in range(len(case["columns"]))),
        "--time-limit", str(case["seconds"]),
    ]
    for i, kind in enumerate(case["columns"]):
        words += ["--numeric" if kind == "number" else "--categorical", "q%d" % i]
    if case["memory"] is not None:
        words += ["--memory-limit", case["memory"]]
    return words if case["is_bounded"] else words + ["--no-bound"]


def run(words, folder):
    """(exit code, standard error, processor seconds, resident MB)."""
    with open(os.path.join(folder, "stderr"), "w+b") as errors:
        child = subprocess.Popen(words, cwd=folder, stdin=subprocess.DEVNULL,
                                 stdout=subprocess.DEVNULL, stderr=errors)
        _, status, used = os.wait4(child.pid, 0)
        errors.seek(0)
        said = errors.read().decode("utf-8", "replace")
    os.remove(os.path.join(folder, "stderr"))
    return (os.waitstatus_to_exitcode(status), said, used.ru_utime + used.ru_stime,
            used.ru_maxrss / 1024)


@lru_cache(maxsize=None)
def held(cell):
    return frozenset(reader.members(cell) or [cell])


def misses(rows, originals, case):
    if len(rows) != len(originals):
        return "%d rows of %d" % (len(rows), len(originals))
    counts = Counter(map(tuple, rows))
    if min(counts.values()) < case["k"]:
        return "a tuple occurs fewer than k times"
    columns = [reader.Column("", kind) for kind in case["columns"]]
    promise = reader.Promise(case["k"], columns)
    for row, original in zip(rows, originals):
        for cell, value, column in zip(row, original, columns):
            is_text = column.kind == "text"
            if cell != "*" and not (
                value in held(cell) if is_text else reader.covers(cell, value, column, promise)
            ):
                return "a cell does not cover its original"
    return None


def run_case(case, shoal, folder):
    """What is wrong, or None."""
    originals = rows_of(case)
    with open(os.path.join(folder, "t.csv"), "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow("q%d" % i for i in range(len(case["columns"])))
        writer.writerows(originals)
    words, start = [shoal] + arguments(case), time.time()
    code, said, seconds, memory = run(words, folder)
    where = "%s (%.0f s, %.0f MB)" % (" ".join(words[1:]), seconds, memory)
    is_refused = code == 1 and "but the memory limit is" in said  # before it starts
    if not (code in EXITS or is_refused) or "verify:" in said:
        return "exit %d, %s: %s" % (code, said[-300:], where)
    if seconds > case["seconds"] + SLACK or memory > MOST_MEMORY:
        return "too long or too much memory, %.0f s by the clock: %s" % (time.time() - start, where)
    held.cache_clear()
    if code in (0, 5):
        with open(os.path.join(folder, "out.csv"), newline="") as file:
            wrong = misses(list(csv.reader(file))[1:], originals, case)
        return wrong and wrong + ": " + where
    return None
