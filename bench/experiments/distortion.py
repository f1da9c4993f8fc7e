# SPDX-License-Identifier: Apache-2.0
"""distortion.py ORIGINAL RELEASE TREES QID,... [uniform|height] [PRIORITY,...] - what a release
distorts, for any weights of steps.

Level files alone: a cell is generalised from its value to a label above it; step j from the root
counts 1 (uniform) or 1/j (height), divided by the sum of all steps to the root, times the priority
of its column. Prints the distortion and its ratio to that of a table of stars.
"""

import csv
import sys


def read_tree(path):
    """Depth of each label from the root, 0 being the root, and of each leaf."""
    depth = {}
    with open(path, newline="") as file:
        for line in csv.reader(file, delimiter=";"):
            height = len(line) - 1
            for level, label in enumerate(line):
                depth.setdefault(label, height - level)
    return depth


def ascent(depth, height, weights):
    """Weight of the steps from the leaf (depth `height`) up to `depth`, as a share of all."""
    step = (lambda j: 1.0) if weights == "uniform" else (lambda j: 1.0 / j)
    return sum(step(j) for j in range(depth + 1, height + 1)) / sum(
        step(j) for j in range(1, height + 1)
    )


def main():
    original, release, folder, names = sys.argv[1:5]
    names = names.split(",")
    weights = sys.argv[5] if len(sys.argv) > 5 else "uniform"
    priorities = (
        [float(p) for p in sys.argv[6].split(",")] if len(sys.argv) > 6 else [1.0] * len(names)
    )
    trees = {name: read_tree(f"{folder}/{name}.csv") for name in names}
    cost = {}
    total = rows = 0.0
    with open(original, newline="") as a, open(release, newline="") as b:
        for plain, published in zip(csv.DictReader(a), csv.DictReader(b)):
            rows += 1
            for name, priority in zip(names, priorities):
                key = (name, plain[name], published[name])
                if key not in cost:
                    tree = trees[name]
                    label = published[name]
                    same = label == plain[name]
                    cost[key] = (
                        0.0
                        if same
                        else ascent(0 if label == "*" else tree[label], tree[plain[name]], weights)
                    )
                total += priority * cost[key]
    print(f"{total:.4f} {total / (rows * sum(priorities)):.6f}")


main()
