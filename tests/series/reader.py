# SPDX-License-Identifier: Apache-2.0
"""reader.py - an independent reader of a series of releases: every pair of them, both directions,
by brute force.

It shares nothing with the engine: CSV by Python's csv module, multisets by collections.Counter,
models from their definitions. A row of a release is the text of its quasi-identifiers and of its
sensitive column; `tag`, where a release has it, identifies rows, so that rows that were added or
removed is known row by row, which is more than a reader of the text can know.
"""

import csv
import math
from collections import Counter, defaultdict
from itertools import combinations


def read(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def distinct(counts, l):
    return len(counts) >= l


def entropy(counts, l):
    n = sum(counts.values())
    return math.exp(-sum(c / n * math.log(c / n) for c in counts.values())) >= l - 1e-9


def recursive(counts, c, l):
    sizes = sorted(counts.values(), reverse=True)
    return len(sizes) >= l and sizes[0] < c * sum(sizes[l - 1 :])


def alpha(counts, a):
    return max(counts.values()) <= a * sum(counts.values()) + 1e-9


def misses(counts, k, models):
    """Why a group with these sensitive values, {value: rows}, fails; or None. No rows never fail.
    """
    if sum(counts.values()) == 0:
        return None
    if sum(counts.values()) < k:
        return "%d rows" % sum(counts.values())
    for model, *numbers in models:
        if not model(counts, *numbers):
            return model.__name__
    return None


def by_group(rows, qid, sensitive):
    groups = defaultdict(Counter)
    for row in rows:
        groups[tuple(row[q] for q in qid)][tuple(row[s] for s in sensitive)] += 1
    return groups


def name_rows(releases, qid, sensitive):
    """Give each row a name that stays while it is published as the same: a record that is corrected
    leaves and is inserted again.
    """
    before = {}
    for rows in releases:
        now = {}
        for row in rows:
            what = tuple(row[column] for column in qid + sensitive)
            old, number = before.get(row["tag"], (None, 0))
            now[row["tag"]] = (what, number if old == what else number + 1)
            row["name"] = (row["tag"], now[row["tag"]][1])
        before.update(
            {tag: (None, number) for tag, (_, number) in before.items() if tag not in now}
        )
        before.update(now)


def by_row(rows, qid, sensitive):
    groups = defaultdict(dict)
    for row in rows:
        groups[tuple(row[q] for q in qid)][row["name"]] = tuple(row[s] for s in sensitive)
    return groups


def parts_of_text(a, b):
    """What group by group is in a and not in b, as multisets."""
    for group in a:
        yield group, a[group] - b.get(group, Counter())


def parts_of_rows(a, b):
    """The same by the identity of rows."""
    for group in a:
        other = b.get(group, {})
        yield group, Counter(value for name, value in a[group].items() if name not in other)


def failures(releases, qid, sensitive, k, models):
    """All (earlier, later, direction, group, why) of a list of releases (lists of rows)."""
    found = []
    ways = [(by_group, parts_of_text, "text")]
    if releases and all("tag" in row for rows in releases for row in rows[:1]):
        name_rows(releases, qid, sensitive)
        ways.append((by_row, parts_of_rows, "rows"))
    for view, parts, way in ways:
        views = [view(rows, qid, sensitive) for rows in releases]
        for i, groups in enumerate(views):
            for group, part in parts(groups, {}):
                why = misses(part, k, models)
                if why:
                    found.append((i, i, way, group, why))
        for i, j in combinations(range(len(views)), 2):
            for direction, a, b in (("came", views[j], views[i]), ("left", views[i], views[j])):
                for group, part in parts(a, b):
                    why = misses(part, k, models)
                    if why:
                        found.append((i, j, way + " " + direction, group, why))
    return found
