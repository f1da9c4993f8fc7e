#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tamper.py SHOAL JUDGE - releases that were changed after they were made: `check` and `verify`
against an independent reader.

    tamper.py SHOAL JUDGE --releases 2000 [--first SEED]   that many changed releases
    tamper.py SHOAL JUDGE --seconds 600                    as many as fit
    tamper.py SHOAL JUDGE --seed 17 [--change 3]           one seed again, and what it does

A seed draws a table and options, and `shoal anonymize --manifest` makes a release. Then cells and
rows are changed (blanked, narrowed, swapped, copied, doubled, dropped, spelt otherwise), and
judge.c and reader.py both say whether the change must be refused: by `check`, by `verify`, and by
`verify --original`. Any difference is a failure. The release itself must be accepted by both.
"""

import argparse
import csv
import io
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter

import reader

METHODS = [
    "shoal", "shoal", "shoal", "mondrian", "mondrian-relaxed", "kmembers", "kaca", "koc", "kmeans",
    "oka", "dbca", "optimal", "incognito", "samarati", "datafly", "toc", "kmembers-p",
]
RECODINGS = [
    "node", "interval", "set", "full-domain", "full-subtree", "set-partition", "mean", "median",
    "mode",
]
LABELS = ["low", "middle", "high", "top"]
CHANGES_PER_RELEASE = 60


class Fault(Exception):
    """The command refuses its own release, or ends in a way that is not documented."""


# ---- what to release -----------------------------------------------------------------------------

def draw_values(rng, kind):
    n = rng.choice([2, 3, 5, 9, 30])
    if kind == "number":
        form = rng.choice(["%d", "%d.5", "-%d", "0.%d", "%d.25"])
        big = rng.choice([0, 0, 0, 2**53, 10**17])
        return [form % (big + rng.randrange(1, 90)) for _ in range(n)]
    if kind == "date":
        return [
            "20%02d-%02d-%02d" % (rng.randrange(30), rng.randrange(1, 13), rng.randrange(1, 29))
            for _ in range(n)
        ]
    if kind in ("digits", "numbertree"):
        return ["%d" % rng.randrange(10, 60) for _ in range(n)]
    if kind == "ordered":
        return LABELS[: rng.randrange(2, 5)]
    return [
        rng.choice(["a", "b", "c d", "e,f", 'g"h', "i|j", "ü", "*x", "N", "[k"])
        + str(rng.randrange(n)) for _ in range(n)
    ]


def draw_column(rng, i):
    kind = rng.choice(
        ["number", "number", "date", "text", "text", "tree", "tree", "digits", "numbertree",
         "ordered"]
    )
    values = sorted(set(draw_values(rng, kind)))
    above = {}
    if kind in ("tree", "numbertree"):
        for at, value in enumerate(values):
            above[value] = ["Low%d" % (at // 2), "High%d" % (at // 4)]
    return reader.Column("q%d" % i, kind, above, LABELS), values


def draw_model(rng):
    return rng.choice([
        ("l-diversity", "distinct", [2]), ("l-diversity", "entropy", [1.7]),
        ("l-diversity", "recursive", [3, 2]), ("alpha", "", [0.6]), ("p-sensitive", "", [2]),
        ("t-closeness", "equal", [0.35]), ("t-closeness", "ordered", [0.3]),
        ("beta-likeness", "basic", [1.5]), ("beta-likeness", "enhanced", [1.5]),
        ("delta-disclosure", "all", [2.5]), ("delta-disclosure", "present", [1.2]),
        ("k-map", "", [4]), ("delta-presence", "", [0, 0.95]),
    ])


def draw(seed):
    rng = random.Random(seed)
    columns, values = zip(*[draw_column(rng, i) for i in range(rng.randrange(1, 4))])
    n = rng.randrange(6, 60)
    secrets = rng.choice([["x", "y", "z", "w"], ["1", "2", "3", "10", "20"], ["x", "y", ""]])
    rows = [
        [rng.choice(some) for some in values] + [rng.choice(secrets), "note%d" % rng.randrange(20)]
        for _ in range(n)
    ]
    nulls = rng.choice([[""], [""], ["", "NA"]])
    missing = rng.choice(["own-category", "conservative", "wildcard"])
    if rng.random() < 0.5:
        for row in rows:
            if rng.random() < 0.2:
                row[rng.randrange(len(columns))] = rng.choice(nulls)
    case = {
        "seed": seed, "columns": columns, "rows": rows, "nulls": nulls, "missing": missing,
        "k": rng.choice([2, 2, 3, 5]), "method": rng.choice(METHODS), "models": [],
        "recoding": rng.choice(RECODINGS) if rng.random() < 0.5 else "local", "options": [],
        "drop": rng.random() < 0.2, "exempt": False, "persons": None,
    }
    for _ in range(rng.choice([0, 0, 1, 1, 2])):
        case["models"].append(draw_model(rng))
    if rng.random() < 0.4:
        case["options"] += ["--suppression-limit", "0.3"]
    if not case["drop"]:
        case["exempt"] = rng.random() < 0.15
    if rng.random() < 0.2:
        case["persons"] = [str(rng.randrange(max(1, 2 * n // 3))) for _ in rows]
    if rng.random() < 0.15:
        case["options"] += ["--row-order", "shuffle"]
    return case


# ---- files ---------------------------------------------------------------------------------------

def write_rows(path, names, rows):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(names)
        writer.writerows(rows)


def names_of(case):
    return [c.name for c in case["columns"]] + ["secret", "note"]


def write_original(case, folder):
    persons = [] if case["persons"] is None else [[p] for p in case["persons"]]
    rows = [row + person for row, person in zip(case["rows"], persons)] if persons else case["rows"]
    write_rows(
        os.path.join(folder, "t.csv"), names_of(case) + (["person"] if persons else []), rows
    )
    for column in case["columns"]:
        if column.above:
            with open(os.path.join(folder, column.name + ".tree"), "w", newline="") as file:
                writer = csv.writer(file, delimiter=";", lineterminator="\n")
                writer.writerows([v] + above + ["*"] for v, above in column.above.items())


def arguments(case):
    words = [
        "anonymize", "t.csv", "-o", "r.csv", "--manifest", "m.json", "--sensitive", "secret",
        "--rest", "keep", "-k", str(case["k"]), "-a", case["method"], "--no-bound", "-q",
        "--threads", "1", "--missing", case["missing"], "--recoding", case["recoding"],
        "--qid", ",".join(c.name for c in case["columns"]),
    ] + case["options"]
    for null in case["nulls"]:
        words += ["--null", null]
    for name, form, numbers in case["models"]:
        value = ",".join(map(str, numbers))
        words += ["--" + name, form + ":" + value if form else value]
        if name in reader.NEEDS_POPULATION:
            words += ["--population", "t.csv"]
    for column in case["columns"]:
        if column.kind in ("text", "digits", "tree"):
            words += ["--categorical", column.name]
        if column.is_number:
            words += ["--numeric", column.name]
        if column.kind == "date":
            words += ["--date", column.name]
        if column.kind == "ordered":
            words += ["--ordered", column.name + "=" + " < ".join(LABELS)]
        if column.above:
            words += ["--hierarchy", "%s=%s.tree" % (column.name, column.name)]
    if case["drop"]:
        words += ["--drop-suppressed"]
    if case["exempt"]:
        words += ["--suppressed", "exempt"]
    if case["persons"] is not None:
        words += ["--entity", "person"]
    return words


def read_rows(path):
    with open(path, newline="") as file:
        return list(csv.reader(file))[1:]


def read_promise(case, folder):
    """What the release promises; its plan goes beside it, for `check`."""
    with open(os.path.join(folder, "m.json")) as file:
        manifest = json.load(file)
    with open(os.path.join(folder, "plan.json"), "w") as file:
        json.dump(manifest["plan"], file)
    promise = reader.Promise(
        case["k"], case["columns"], case["missing"], case["recoding"], case["models"],
        case["nulls"], case["exempt"],
    )
    promise.original, promise.persons = case["rows"], case["persons"]
    promise.is_shuffled = manifest["claims"]["shuffled"]
    if case["drop"]:
        promise.kept = [True] * len(case["rows"])
        for first, last in manifest["claims"].get("left_out_rows", []):
            for row in range(first - 1, last):
                promise.kept[row] = False
    return promise


# ---- changes -------------------------------------------------------------------------------------

def narrow(rng, cell, column):
    """A range or set that is a little different."""
    range_ = reader.ends(cell, column)
    if range_ is not None and column.kind != "date":
        low, high = range_
        step = rng.choice([-1, 1])
        ends = rng.choice([(low + step, high), (low, high + step), (low, low), (high, low)])
        return "[%s..%s]" % ends
    if range_ is not None:
        return "[%s..%s]" % rng.choice([(range_[1], range_[1]), range_[::-1]])
    held = reader.members(cell)
    if held is not None:
        held = [m.replace("\\", "\\\\").replace("|", "\\|") for m in held]
        at = rng.randrange(len(held))
        held = rng.choice([
            held[:at] + held[at + 1 :], held[::-1], held + [held[at]], held + ["zz"],
        ])
        return "{" + "|".join(held) + "}"
    if column.kind == "ordered" and ".." in cell:
        low, high = cell.split("..", 1)
        return rng.choice([low, high, high + ".." + low, low + ".." + low])
    return cell


def respell(rng, cell, column):
    """The same or nearly the same, spelt otherwise."""
    ways = [cell + " ", " " + cell, cell + "\t", cell.swapcase(), cell + "x", cell[:-1]]
    if column.kind == "number" and reader.number(cell) is not None:
        ways += [cell + "0" if "." in cell else cell + ".0"] * 4
    if reader.ends(cell, column) is not None:
        ways += [cell[0] + " " + cell[1:], cell.replace("..", ".. ")]
    return rng.choice(ways)


def below(rng, cell, column):
    """A label, a value under it, or a neighbour of it."""
    under = [v for v, above in column.above.items() if cell in above]
    labels = sorted({label for above in column.above.values() for label in above})
    return rng.choice(under + labels) if under + labels else cell


def other_cell(rng, rows, i, c, case):
    """What a cell becomes."""
    column = case["columns"][c] if c < len(case["columns"]) else None
    cell = rows[i][c]
    if column is None:
        return rng.choice(rows)[c] if rng.random() < 0.8 else cell + rng.choice([" ", "x"])
    value = case["rows"][min(i, len(case["rows"]) - 1)][c]
    return rng.choice([
        lambda: rng.choice(case["nulls"]),
        lambda: "*",
        lambda: narrow(rng, cell, column),
        lambda: narrow(rng, cell, column),
        lambda: rng.choice(rows)[c],
        lambda: rng.choice(rows)[c],
        lambda: respell(rng, cell, column),
        lambda: respell(rng, cell, column),
        lambda: below(rng, cell, column),
        lambda: below(rng, cell, column),
        lambda: value,
        lambda: rng.choice(case["rows"])[c],
        lambda: rng.choice(["{}", "[]", "[..]", "{", "[5", "{|}", "[1..2", "..", "**"]),
    ])()


def change_once(rng, rows, case):
    i, c = rng.randrange(len(rows)), rng.randrange(len(rows[0]))
    if rng.random() < 0.8:
        c = rng.randrange(len(case["columns"]))
    way = rng.random()
    if way < 0.08:
        rows.insert(rng.randrange(len(rows) + 1), list(rows[i]))
    elif way < 0.16 and len(rows) > 1:
        del rows[i]
    elif way < 0.28:
        j = rng.randrange(len(rows))
        rows[i][c], rows[j][c] = rows[j][c], rows[i][c]
    elif way < 0.33:
        j = rng.randrange(len(rows))
        rows[i], rows[j] = rows[j], rows[i]
    elif way < 0.6:
        old, new, n = rows[i][c], other_cell(rng, rows, i, c, case), len(case["columns"])
        group = rows[i][:n]
        for row in rows:  # all of a group, or all of the release
            if row[c] == old and (way < 0.5 or row[:n] == group):
                row[c] = new
    else:
        rows[i][c] = other_cell(rng, rows, i, c, case)


def change(seed, number, rows, case):
    rng = random.Random("%d change %d" % (seed, number))
    rows = [list(row) for row in rows]
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        change_once(rng, rows, case)
    return rows


# ---- judging -------------------------------------------------------------------------------------

class Judge:
    def __init__(self, program):
        self.process = subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env=dict(os.environ, OMP_NUM_THREADS="1"),
        )

    def tell(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def verdicts(self, name):
        self.tell("judge " + name)
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit("the judge ended: exit %s" % self.process.wait())
        return line.split()


def is_refused(verdict):
    """Broken data may be refused with an error; an error of our own is none."""
    if verdict.startswith("error:") and verdict not in (
        "error:SHOAL_EDATA", "error:SHOAL_EUNSAT", "error:SHOAL_EINVAL"
    ):
        return None
    return verdict != "holds"


def expected(rows, promise):
    """What check, verify and verify --original miss."""
    with_original = (
        reader.misses_shuffled if promise.is_shuffled else reader.misses_beside_original
    )
    return [
        reader.misses_alone(rows, promise, True),
        reader.misses_alone(rows, promise, False),
        with_original(rows, promise),
    ]


def disagreements(rows, case, promise, judge, folder, counts):
    write_rows(os.path.join(folder, "changed.csv"), names_of(case), rows)
    out = []
    verdicts = judge.verdicts("changed.csv")
    judged = zip(("check", "verify", "original"), verdicts, expected(rows, promise))
    for who, verdict, why in judged:
        refused = is_refused(verdict)
        counts[who] += bool(why)
        if why is not None and refused is not bool(why):
            out.append("%s says %s, the reader %s" % (who, verdict, why or "that it holds"))
    return out


def make_release(case, shoal, folder):
    """The rows of a release, or None: what is asked for cannot be met, or not together."""
    write_original(case, folder)
    done = subprocess.run(
        [shoal] + arguments(case), cwd=folder, capture_output=True, text=True, timeout=600
    )
    if done.returncode not in (0, 2, 3, 4) or "verify:" in done.stderr:
        raise Fault("exit %d: %s" % (done.returncode, done.stderr.strip()))
    return read_rows(os.path.join(folder, "r.csv")) if done.returncode == 0 else None


def run_seed(seed, shoal, judge, n_changes, counts, only=None):
    """(changed releases, failures) of a seed; `counts` is what the reader refuses."""
    case, folder = draw(seed), tempfile.mkdtemp(prefix="shoal-tamper-")
    try:
        try:
            rows = make_release(case, shoal, folder)
        except Fault as fault:
            print("seed %d: %s" % (seed, fault), flush=True)
            return 0, 1
        if rows is None:
            return 0, 0
        promise, n_failed = read_promise(case, folder), 0
        judge.tell("in " + folder)
        for number in range(n_changes + 1) if only is None else [only]:
            changed = change(seed, number, rows, case) if number > 0 else rows
            for difference in disagreements(changed, case, promise, judge, folder, counts):
                n_failed += 1
                print("seed %d change %d: %s" % (seed, number, difference), flush=True)
            if only is not None:
                show(case, rows, changed)
        return n_changes, n_failed
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def show(case, rows, changed):
    print("shoal " + " ".join(arguments(case)))
    out = csv.writer(sys.stdout)
    for title, table in (("original", case["rows"]), ("released", rows), ("changed", changed)):
        print("-- " + title)
        for i, row in enumerate(table):
            mark = "" if table is not changed or i >= len(rows) or row == rows[i] else "<--"
            out.writerow(row + [mark])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("shoal")
    parser.add_argument("judge")
    parser.add_argument("--releases", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=0)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--change", type=int)
    given = parser.parse_args()
    shoal, judge = os.path.abspath(given.shoal), Judge(os.path.abspath(given.judge))
    if given.seed is not None:
        found = run_seed(given.seed, shoal, judge, CHANGES_PER_RELEASE, Counter(), given.change)
        sys.exit(found[1] > 0)
    counts = Counter()
    end, seed, n, n_failed, n_cases = time.time() + given.seconds, given.first, 0, 0, 0
    while n < given.releases or time.time() < end:
        changed, failed = run_seed(seed, shoal, judge, CHANGES_PER_RELEASE, counts)
        n, n_failed, seed = n + changed, n_failed + failed, seed + 1
        n_cases += changed > 0
    print(
        "%d changed releases of %d; to be refused by check %d, verify %d, verify --original %d; "
        "%d judged wrongly"
        % (n, n_cases, counts["check"], counts["verify"], counts["original"], n_failed)
    )
    sys.exit(n_failed > 0)


if __name__ == "__main__":
    main()
