#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""independent_check.py ORIGINAL RELEASE HIERARCHIES K QID,... - judge a release without any code of
Shoal.

Reads the three by itself, with the standard library alone, and asks:
  - does every tuple of published quasi-identifiers occur at least K times?
  - are there as many rows as in the original, in the same order? (every other column of the release
    must be equal to the original's, row by row)
  - does every published cell cover the original one: the value itself, a label above it in
    HIERARCHIES/COLUMN.csv, an interval [low..high] around it, a set {a|b|c} that holds it, or *?
Exit 0 when all hold, else 1 with what was found; never a cell's value.
"""

import collections
import csv
import os
import sys


def read_table(path):
    with open(path, newline="", encoding="utf-8-sig") as file:
        rows = list(csv.reader(file))
    return rows[0], rows[1:]


def read_hierarchy(folder, column):
    """leaf -> the labels above it"""
    path = os.path.join(folder, column + ".csv")
    if not os.path.exists(path):
        return {}
    with open(path, newline="", encoding="utf-8-sig") as file:
        return {line[0]: set(line[1:]) for line in csv.reader(file, delimiter=";") if line}


def is_in_interval(cell, value):
    if not (cell.startswith("[") and cell.endswith("]")):
        return False
    low, dots, high = cell[1:-1].partition("..")
    try:
        return dots == ".." and float(low) <= float(value) <= float(high)
    except ValueError:
        return False


def covers(cell, value, above):
    if cell in (value, "*") or cell in above.get(value, ()):
        return True
    if cell.startswith("{") and cell.endswith("}") and value in cell[1:-1].split("|"):
        return True
    return is_in_interval(cell, value)


def judge(original, release, hierarchies, k, qids):
    """yields what is wrong"""
    header, rows = read_table(original)
    published_header, published = read_table(release)
    if len(rows) != len(published):
        yield f"{len(published)} rows instead of {len(rows)}"
        return

    tuples = collections.Counter(
        tuple(row[published_header.index(q)] for q in qids) for row in published
    )
    small = [count for count in tuples.values() if count < k]
    if small:
        yield (
            f"{len(small)} of {len(tuples)} tuples occur fewer than {k} times; the smallest"
            f" {min(small)} times"
        )

    untouched = [c for c in published_header if c not in qids]
    if not untouched:
        yield "no column that determines the order of the rows"
    for column in untouched:
        a, b = header.index(column), published_header.index(column)
        moved = sum(row[a] != out[b] for row, out in zip(rows, published))
        if moved:
            yield f"column {column}: {moved} cells differ from the original"

    for column in qids:
        above = read_hierarchy(hierarchies, column)
        a, b = header.index(column), published_header.index(column)
        pairs = collections.Counter((out[b], row[a]) for row, out in zip(rows, published))
        outside = sum(n for (cell, value), n in pairs.items() if not covers(cell, value, above))
        if outside:
            yield f"column {column}: {outside} cells do not cover their original"


def main():
    if len(sys.argv) != 6:
        sys.exit(__doc__)
    original, release, hierarchies, k, qids = sys.argv[1:]
    complaints = list(judge(original, release, hierarchies, int(k), qids.split(",")))
    for complaint in complaints:
        print(f"independent check: {complaint}")
    sys.exit(1 if complaints else 0)


if __name__ == "__main__":
    main()
