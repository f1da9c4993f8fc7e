#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""learnt_options.py TABLE COLUMNS - options of shoal that give each of these columns a learnt
hierarchy, but for numbers of many values.
"""

import csv
import sys

FEW = 12


def is_number(text):
    try:
        float(text)
    except ValueError:
        return text in ("", "N", "?")
    return True


def main(path, columns):
    names = columns.split(",")
    values = {name: set() for name in names}
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            for name in names:
                values[name].add(row[name])
    print(
        " ".join(
            f"--hierarchy {name}=build:learn"
            for name in names
            if len(values[name]) <= FEW or not all(map(is_number, values[name]))
        )
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
