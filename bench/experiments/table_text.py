# SPDX-License-Identifier: Apache-2.0
"""table_text.py - rows of CSV files, and tables of Markdown made of them: what figures.py and
claims.py share."""

import csv
import os
import re
import sys

tables = {}


def load_from(folder, name):
    path = f"{folder}/{name}.csv"
    if not os.path.exists(path):
        return []
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def number(text):
    return float("nan") if text in ("-", "", None) else float(text)


def pick(rows, **wanted):
    return [r for r in rows if all(r[key] == str(value) for key, value in wanted.items())]


def one(rows, field, **wanted):
    found = pick(rows, **wanted)
    return number(found[0][field]) if found else float("nan")


def values(rows, field):
    """Distinct values in the order of their first row."""
    return list(dict.fromkeys(r[field] for r in rows))


def table(name, head, rows, right="--:"):
    lines = [
        "| " + " | ".join(head) + " |",
        "|" + "|".join(right if i > 0 else "---" for i in range(len(head))) + "|",
    ]
    lines += [
        "| " + " | ".join(cell if isinstance(cell, str) else fixed(cell) for cell in row) + " |"
        for row in rows
    ]
    tables[name] = lines


def fixed(value, digits=4):
    if value != value:
        return "-"
    if isinstance(value, int) or abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.{digits}f}"


def mean(numbers):
    numbers = [n for n in numbers if n == n]
    return sum(numbers) / len(numbers) if numbers else float("nan")


def page_with(text, made):
    """The page with these tables in their places; places without a table stay as they are."""

    def fill(place):
        lines = made.get(place.group(2))
        if lines is None:
            return place.group(0)
        return place.group(1) + "\n".join(lines) + "\n<!-- end -->"

    return re.sub(r"(<!-- table ([\w-]+) -->\n).*?<!-- end -->", fill, text, flags=re.S)
