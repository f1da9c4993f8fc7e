#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""external.py SHOAL - the external edition of the report holds nothing that the release does not
show.

    external.py SHOAL --cases 40 [--first SEED]    that many random tables and plans
    external.py SHOAL --seconds 600                as many as fit
    external.py SHOAL --seed 17 [--keep FOLDER]    one again, and where it is

Every name and value of a case is a word of its own (`Nq1x`, `Vq1x7`), so that a page is searched
for words: a word of the page must be in the release, or be the steward's own about a published
column. Counts are searched by a second original: it differs in what is not published (dropped
columns, names, persons, population, rows that are left out), and where it leads to the same bytes,
the two pages must be the same but for rates of the utility, which docs/report.md allows.
"""

import argparse
import csv
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

WORD = re.compile(r"[NVLT]q[0-9a-z]+")
METHODS = ["shoal", "shoal", "mondrian", "kmembers", "optimal", "datafly", "toc", "anatomy",
           "personalised", "iack"]
# what is written beside the release, and when
VARIABLE = re.compile(r", made [0-9TZ:. -]+|<th scope=\"row\">Made</th><td>[^<]*")
ROLES = ["quasi", "quasi", "quasi", "quasi", "drop", "drop", "identifier", "other", "sensitive"]


class Failure(Exception):
    pass


# ---- cases ---------------------------------------------------------------------------------------

def draw_column(rng, i):
    role = rng.choice(ROLES) if i > 1 else "quasi"
    kind = rng.choice(["text", "tree", "number"]) if role == "quasi" else "text"
    n = rng.choice([2, 4, 8]) if role != "identifier" else 1000
    if role == "other" and rng.random() < 0.4:
        n = 1000
    values = ["%d" % (1000 + rng.randrange(9000)) if kind == "number" else "Vq%dx%d" % (i, v)
              for v in range(n)]
    return {"name": "Nq%dx" % i, "role": role, "kind": kind, "values": values, "number": i}


def draw(seed):
    rng = random.Random(seed)
    columns = [draw_column(rng, i) for i in range(rng.randrange(2, 7))]
    columns.append(dict(draw_column(rng, 7), role="sensitive", kind="text",
                        values=["Vq7x%d" % v for v in range(rng.randrange(2, 6))]))
    case = {
        "seed": seed, "columns": columns, "k": rng.choice([2, 3, 5, 11]),
        "method": rng.choice(METHODS), "rows": rng.randrange(20, 120), "models": [],
        "has_persons": rng.random() < 0.3, "has_population": rng.random() < 0.3,
        "has_class": rng.random() < 0.3, "drops": rng.random() < 0.4,
        "is_sorted": rng.random() < 0.2, "missing": rng.choice(["own-category", "conservative"]),
    }
    if case["method"] == "iack":
        case["has_class"] = True
    if case["has_population"]:
        case["models"].append(rng.choice([("k-map", 3), ("delta-presence", "0,0.9")]))
    if rng.random() < 0.3:
        case["models"].append(rng.choice([("l-diversity", "distinct:2"), ("alpha", 0.9),
                                          ("range-diversity", 0.95)]))
    if case["method"] in ("anatomy", "personalised"):  # one sensitive column
        for column in columns[:-1]:
            column["role"] = "other" if column["role"] == "sensitive" else column["role"]
    if case["method"] in ("anatomy", "personalised", "iack"):
        case["models"], case["has_persons"], case["has_population"] = [], False, False
    return case


def rows_of(case, is_other):
    """The published columns are the same in both; the rest is not."""
    shown, hidden = random.Random(case["seed"]), random.Random("%d %s" % (case["seed"], is_other))
    out = []
    for _ in range(case["rows"]):
        row = []
        for column in case["columns"]:
            is_shown = column["role"] in ("quasi", "other", "sensitive")
            value = (shown if is_shown else hidden).choice(column["values"])
            row.append(value if shown.random() > 0.03 or column["role"] != "quasi" else "")
        row.append(shown.choice(["Vqcx0", "Vqcx1", "Vqcx2"]))
        row.append(shown.choice(["Lq7x0", ""] if len(case["columns"][-1]["values"]) > 2
                                else [""]))
        row.append("Vqpx%d" % hidden.randrange(case["rows"] * (3 if is_other else 30)))
        out.append(row)
    return sorted(out, key=lambda row: row[0]) if case["is_sorted"] else out


def write(path, rows, delimiter=","):
    with open(path, "w", newline="") as file:
        csv.writer(file, delimiter=delimiter, lineterminator="\n").writerows(rows)


def plan_of(case):
    columns = []
    for column in case["columns"]:
        entry = {"name": column["name"], "role": column["role"]}
        if column["role"] == "quasi":
            entry["type"] = "numeric" if column["kind"] == "number" else "categorical"
        if column["kind"] == "tree" or column["number"] == 7:
            entry["hierarchy"] = "Tq%dx.csv" % column["number"]
        if column["role"] in ("drop", "identifier"):
            entry["why"] = "Tq%dw" % column["number"]
        columns.append(entry)
    columns.append({"name": "Nqcx", "role": "class" if case["has_class"] else "drop"})
    is_guarded = case["method"] == "personalised"
    columns.append({"name": "Nqgx", "role": "sensitive" if is_guarded else "drop"})
    columns.append({"name": "Nqpx", "role": "entity" if case["has_persons"] else "drop"})
    plan = {"k": case["k"], "algorithm": case["method"], "columns": columns, "seed": 4711,
            "input": {"missing": case["missing"]}}
    if case["models"]:
        plan["models"] = [{"name": name, "value": value} for name, value in case["models"]]
    if case["has_population"]:
        plan["population"] = "Tqpop.csv"
    if case["drops"]:
        plan["suppression-limit"] = 0.2
        plan["drop-suppressed"] = True
    if case["method"] == "anatomy":
        plan["params"] = [{"name": "l", "value": "2"}]
        del plan["k"]
    if case["method"] == "personalised":
        plan["params"] = [{"name": "guard-column", "value": "Nqgx"},
                          {"name": "breach", "value": "0.9"}]
    return plan


def left_out(folder):
    """Rows of the original that are not in the release, from 0."""
    with open(os.path.join(folder, "m.json")) as file:
        ranges = json.load(file)["claims"].get("left_out_rows", [])
    return [row for first, last in ranges for row in range(first - 1, last)]


def write_case(case, folder, is_other):
    rows = rows_of(case, is_other)
    for row in reversed(case.get("left_out", [])[::2]):
        del rows[row]
    names = [c["name"] for c in case["columns"]] + ["Nqcx", "Nqgx", "Nqpx"]
    write(os.path.join(folder, "Tqin.csv"), [names] + rows)
    population = rows * (3 if is_other else 2)
    write(os.path.join(folder, "Tqpop.csv"), [names] + population)
    for column in case["columns"]:
        if column["kind"] == "tree" or column["number"] == 7:
            number, values = column["number"], column["values"]
            levels = [
                [v, "Lq%dx%d" % (number, at // 2), "*"] for at, v in enumerate(values)
            ]
            write(os.path.join(folder, "Tq%dx.csv" % number), levels, ";")
    with open(os.path.join(folder, "Tqplan.yaml"), "w") as file:
        json.dump(plan_of(case), file)


# ---- pages ---------------------------------------------------------------------------------------

def run(shoal, words, folder):
    done = subprocess.run([shoal] + words, cwd=folder, capture_output=True, text=True, timeout=300)
    if done.returncode not in (0, 2, 3, 4):
        raise Failure("exit %d: %s: %s" % (done.returncode, words, done.stderr[-300:]))
    return done.returncode


def read(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        return file.read()


def make_pages(case, shoal, folder, is_other):
    """(text of the release, pages), or None: what is asked for cannot be met."""
    write_case(case, folder, is_other)
    words = ["anonymize", "Tqin.csv", "-o", "r.csv", "-p", "Tqplan.yaml", "--manifest", "m.json",
             "-q", "--no-bound", "--threads", "1"]
    parts = ["r.csv"]
    if case["method"] == "anatomy":
        words += ["--sensitive-out", "s.csv"]
        parts.append("s.csv")
    if run(shoal, words, folder) != 0:
        return None
    pages = []
    for more in ([], ["--original", "Tqin.csv"]):
        name = "page%d.html" % len(pages)
        words = ["report", "m.json", "--edition", "external", "-o", name] + more
        if more and case["method"] == "anatomy":
            words += ["--sensitive-table", "s.csv"]
        if run(shoal, words, folder) != 0:
            raise Failure("no report: " + " ".join(words))
        pages.append(read(folder, name))
    case["left_out"] = left_out(folder)  # the other original has half of them
    return "".join(read(folder, part) for part in parts), pages


def check_words(page, release):
    shown = set(WORD.findall(release))
    for word in set(WORD.findall(page)) - shown:
        at = page.index(word)
        raise Failure("a word that the release does not show: ..." + page[at - 150 : at + 40])


def without_rates(page):
    """Rates of utility and attacks are allowed; they are compared by nobody."""
    page = VARIABLE.sub("", page)
    page = re.sub(r"<h2 id=\"s8\">.*?<h2 id=\"s10\">", "", page, flags=re.S)
    page = re.sub(r"<li><strong>Information loss</strong>.*?</li>\n", "", page)
    page = page.replace("<li>No attack was run.</li>\n", "")
    page = page.replace("<h3>Warnings</h3>\n<ul>\n</ul>\n", "")
    return re.sub(r"[Ii]nformation loss (is )?[0-9.]+|<li>Attack &quot;[^.]*[.]</li>\n", "", page)


def compare(page, other):
    a, b = without_rates(page).split("\n"), without_rates(other).split("\n")
    for x, y in zip(a, b):
        if x != y:
            raise Failure("what is not published changes the page: %s | %s" % (x[:300], y[:300]))
    if len(a) != len(b):
        raise Failure("what is not published changes the page: %d, %d lines" % (len(a), len(b)))


def run_seed(seed, shoal, keep=None):
    """(pages, compared pages)"""
    case, made = draw(seed), []
    for is_other in (False, True):
        folder = keep and os.path.join(keep, "other" if is_other else "one")
        if folder:
            os.makedirs(folder)
        else:
            folder = tempfile.mkdtemp(prefix="shoal-external-")
        try:
            found = make_pages(case, shoal, folder, is_other)
        finally:
            if not keep:
                shutil.rmtree(folder, ignore_errors=True)
        if found is not None:
            made.append(found)
            for page in found[1]:
                check_words(page, found[0])
    if len(made) < 2 or made[0][0] != made[1][0]:
        return 2 * len(made), 0
    for page, other in zip(made[0][1], made[1][1]):
        compare(page, other)
    return 4, 2


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("shoal")
    parser.add_argument("--cases", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=0)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--keep")
    given = parser.parse_args()
    shoal = os.path.abspath(given.shoal)
    if given.seed is not None:
        try:
            print("%d pages, %d compared" % run_seed(given.seed, shoal, given.keep))
        except Failure as failure:
            sys.exit("fails: %s" % failure)
        return
    end, seed, n_failed, n, n_compared = time.time() + given.seconds, given.first, 0, 0, 0
    while seed < given.first + given.cases or time.time() < end:
        try:
            pages, compared = run_seed(seed, shoal)
            n, n_compared = n + pages, n_compared + compared
        except Failure as failure:
            n_failed += 1
            print("seed %d: %s" % (seed, failure), flush=True)
        seed += 1
    print("%d cases, %d pages, %d compared with those of another original, %d failed"
          % (seed - given.first, n, n_compared, n_failed))
    sys.exit(n_failed > 0 or n_compared == 0)


if __name__ == "__main__":
    main()
