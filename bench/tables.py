#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tables.py BENCH.csv - the tables of docs/performance.md from what `make bench` wrote."""
import csv
import sys

METHODS = ["kmembers", "kaca", "mondrian-relaxed", "mondrian"]


def number(row, key, digits):
    return "" if row is None or row[key] == "" else f"{float(row[key]):.{digits}f}"


def print_table(head, rows):
    print("| " + " | ".join(head) + " |")
    print("|" + "--:|" * len(head))
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print()


def losses(find, dataset, ks):
    """The loss of each method and the gap of the default, by k."""
    lines = []
    for k in ks:
        best = find(dataset, "shoal", k)
        lines.append(
            [
                str(k),
                number(best, "lower_bound", 4),
                f"**{number(best, 'gcp', 4)}**",
                number(best, "gap", 2),
            ]
            + [number(find(dataset, method, k), "gcp", 4) for method in METHODS]
        )
    print_table(["k", "bound", "shoal", "gap", *METHODS], lines)


def seconds(find, dataset, ks):
    lines = []
    for k in ks:
        best, tree = find(dataset, "shoal", k), find(dataset, "kmembers", k, "search=tree")
        queries = float(tree["queries"] or 0) if tree else 0
        lines.append(
            [
                str(k),
                number(best, "search", 2),
                number(best, "refine", 2),
                number(best, "bound_seconds", 2),
            ]
            + [number(find(dataset, method, k), "search", 2) for method in METHODS]
            + [
                number(tree, "scan_ratio", 0),
                f"{float(tree['evaluations']) / queries:.1f}" if queries else "",
            ]
        )
    print_table(
        [
            "k",
            "shoal search",
            "shoal refine",
            "bound",
            *METHODS,
            "scan / tree",
            "evaluations per query",
        ],
        lines,
    )


def large(rows, datasets):
    print_table(
        ["table", "method", "gcp", "read", "search", "refine", "heap, MB"],
        [
            [
                row["dataset"],
                " ".join([row["algorithm"], row["params"]]).strip(),
                number(row, "gcp", 4),
                number(row, "read", 2),
                number(row, "search", 2),
                number(row, "refine", 2),
                f"{float(row['heap_bytes'] or 0) / 1e6:.0f}",
            ]
            for row in rows
            if row["dataset"] in datasets and row["k"] == "10" and row["threads"] != "1"
        ],
    )


def main(path):
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))

    def find(dataset, method, k, params=""):
        return next(
            (
                r
                for r in rows
                if (r["dataset"], r["algorithm"], r["params"], r["k"])
                == (dataset, method, params, str(k))
            ),
            None,
        )

    for dataset in ("adult30162", "adult30162/data", "census-30000"):
        ks = sorted({int(r["k"]) for r in rows if r["dataset"] == dataset})
        if ks:
            print(f"{dataset}: loss (gcp) and gap, then seconds\n")
            losses(find, dataset, ks)
            seconds(find, dataset, ks)
    print("Large tables, k = 10\n")
    large(rows, ("census-300000", "census-3000000"))


main(*sys.argv[1:])
