# SPDX-License-Identifier: Apache-2.0
"""reader.py - an independent reader of releases: must a table of rows be refused?

Written from docs/publishing.md and docs/models.md alone; it shares nothing with the library, not
even the reading of CSV. A table is a list of rows, a row a list of texts. What a release promises
is a `promise`: k, columns, missing mode, recoding, models, and the original where it is known.
"""

import math
from collections import Counter, defaultdict
from datetime import date
from decimal import Decimal, InvalidOperation
from fractions import Fraction

AGGREGATES = ("mean", "median", "mode")


class Column:
    """A quasi-identifier: `kind` is number, date, text, digits, tree, numbertree or ordered;
    `above`, for trees, the labels above each value; `labels`, for ordered, from low to high."""

    def __init__(self, name, kind, above=None, labels=None):
        self.name, self.kind, self.above, self.labels = name, kind, above or {}, labels or []
        self.is_number = kind in ("number", "numbertree")


# ---- cells ---------------------------------------------------------------------------------------

def number(text):
    if text != text.strip(" \t") or text[:1] in ("", "n", "i", "N", "I", "s", "S", "_"):
        return None
    try:
        return Decimal(text) if "_" not in text else None
    except InvalidOperation:
        return None


def day(text):
    parts = text.split("-")
    if [len(part) for part in parts] != [4, 2, 2] or not all(p.isdigit() for p in parts):
        return None
    try:
        return date(*(int(part) for part in parts))
    except ValueError:
        return None


def point(text, column):
    """A value as what has an order, or None."""
    return day(text) if column.kind == "date" else number(text)


def ends(cell, column):
    """(low, high) of `[low..high]`, blanks around its ends allowed, or None."""
    if not (cell.startswith("[") and cell.endswith("]")):
        return None
    for at in range(2, len(cell) - 2):
        if cell[at : at + 2] == "..":
            low = point(cell[1:at].strip(" \t"), column)
            high = point(cell[at + 2 : -1].strip(" \t"), column)
            if low is not None and high is not None and low <= high:
                return low, high
    return None


def members(cell):
    """The members of `{a|b}`, or None."""
    if len(cell) < 2 or cell[0] != "{" or cell[-1] != "}" or cell == "{}":
        return None
    out, word, at = [], "", 1
    while at < len(cell) - 1:
        if cell[at] == "\\" and at + 1 < len(cell) - 1:
            at += 1
            word += cell[at]
        elif cell[at] == "|":
            out.append(word)
            word = ""
        else:
            word += cell[at]
        at += 1
    return out + [word]


def equal(a, b, column):
    if a == b:
        return True
    x, y = (point(a, column), point(b, column)) if column.is_number else (None, None)
    return x is not None and x == y


def covers(cell, value, column, promise):
    """May a row with this value be published as this cell?"""
    if cell == "*":
        return True
    is_missing = value in promise.nulls
    if is_missing and promise.missing == "conservative":
        return False
    if cell in promise.nulls:
        return is_missing
    if is_missing:
        return any(member in promise.nulls for member in members(cell) or [])
    if equal(cell, value, column) or cell in column.above.get(value, ()):
        return True
    if column.kind == "ordered" and ".." in cell:
        low, high = cell.split("..", 1)
        at = [column.labels.index(x) if x in column.labels else -1 for x in (low, value, high)]
        return -1 not in at and at[0] <= at[1] <= at[2]
    if column.kind in ("number", "numbertree", "date", "digits", "tree"):
        range_, x = ends(cell, column), point(value, column)
        if range_ is not None and x is not None:
            return range_[0] <= x <= range_[1]
    return any(
        member not in promise.nulls and equal(member, value, column)
        for member in members(cell) or []
    )


# ---- microaggregation ----------------------------------------------------------------------------

def decimals(values):
    return max([max(0, -x.as_tuple().exponent) for x in values] or [0])


def mean_is(cell, values, column, domain):
    if column.kind == "date":
        days = [day(v).toordinal() for v in values]
        exact = Fraction(sum(days), len(days))
        nearest = math.floor(exact + Fraction(1, 2))
        allowed = {nearest, nearest - 1} if (exact * 2) % 2 == 1 else {nearest}
        found = day(cell)
        return found is not None and found.toordinal() in allowed
    exact = sum(Fraction(number(v)) for v in values) / len(values)
    places = decimals([number(v) for v in domain]) + 2
    most = max(abs(number(v)) for v in values)  # beyond 15 digits it is rounded
    found = number(cell)
    slack = Fraction(1, 2 * 10**places) + Fraction(most) * Fraction(1, 10**13)
    return found is not None and abs(Fraction(found) - exact) <= slack


def mode_is(cell, values, column, promise):
    keys = [
        None if v in promise.nulls else point(v, column) if column.kind in ("number", "numbertree",
        "date") else v for v in values
    ]
    counts = Counter(keys)
    most = max(counts.values())
    best = [key for key, n in counts.items() if n == most]
    plain = [key for key in best if key is not None]
    if not plain:
        return cell in promise.nulls
    if column.kind == "ordered":
        least = min(plain, key=column.labels.index)
    else:
        least = min(plain, key=lambda x: x.encode() if isinstance(x, str) else x)
    if column.kind in ("number", "numbertree", "date"):
        return point(cell, column) == least
    return cell == least


def is_aggregate(cell, values, column, promise, domain):
    """Is the cell what a group with these original values publishes?"""
    if cell == "*":
        return True
    plain = [v for v in values if v not in promise.nulls]
    if len(plain) < len(values) and promise.missing == "conservative":
        return False
    recoding = promise.recoding
    if column.kind == "ordered" and recoding == "mean":
        recoding = "median"  # labels have an order, and no mean
    if column.kind not in ("number", "numbertree", "date", "ordered"):
        recoding = "mode"
    if recoding == "mode":
        return mode_is(cell, values, column, promise)
    if not plain:
        return cell in promise.nulls
    if recoding == "mean":
        return mean_is(cell, plain, column, domain)
    if column.kind == "ordered":
        labels = sorted(plain, key=column.labels.index)
        return cell == labels[(len(labels) - 1) // 2]
    ordered = sorted(point(v, column) for v in plain)
    return point(cell, column) == ordered[(len(ordered) - 1) // 2]


# ---- models --------------------------------------------------------------------------------------

def at_most(x, limit):
    return x <= limit + 1e-9 * max(1, abs(limit))


def less(x, limit):
    return x < limit - 1e-9 * max(1, abs(limit))


def sensitive_values(rows, promise):
    """The sensitive column: numbers where all values are, else texts; missing is None."""
    texts = [row[len(promise.columns)] for row in rows]
    numbers = [number(text.strip(" \t")) for text in texts if text not in promise.nulls]
    is_numeric = numbers and None not in numbers
    return [
        None if text in promise.nulls else number(text.strip(" \t")) if is_numeric else text
        for text in texts
    ]


def ordered_values(table):
    """Numbers by size, texts by bytes, a missing value last."""
    plain = [value for value in table if value is not None]
    return sorted(plain, key=lambda x: x.encode() if isinstance(x, str) else x) + (
        [None] if None in table else []
    )


def distance(group, table, form):
    n, total = sum(group.values()), sum(table.values())
    shares = [group[v] / n - table[v] / total for v in ordered_values(table)]
    if form == "equal":
        return sum(map(abs, shares)) / 2
    running, out = 0.0, 0.0
    for share in shares:
        running += share
        out += abs(running)
    return out / (len(shares) - 1) if len(shares) > 1 else 0.0


def gains_hold(group, table, form, limit):
    n, total = sum(group.values()), sum(table.values())
    for value, count in group.items():
        p = table[value] / total
        gain = (count / n - p) / p
        bound = min(limit, -math.log(p)) if form == "enhanced" else limit
        if gain > 0 and not at_most(gain, bound):
            return False
    return True


def delta_holds(group, table, form, limit):
    n, total = sum(group.values()), sum(table.values())
    for value in table if form == "all" else group:
        if group[value] == 0:
            return False
        if not less(abs(math.log((group[value] / n) / (table[value] / total))), limit):
            return False
    return True


def model_holds(model, group, table):
    """A model of the sensitive values alone: (name, form, numbers)."""
    name, form, numbers = model
    n = sum(group.values())
    sizes = sorted(group.values(), reverse=True)
    if name == "p-sensitive" or (name, form) == ("l-diversity", "distinct"):
        return len(group) >= numbers[0]
    if (name, form) == ("l-diversity", "entropy"):
        entropy = -sum(c / n * math.log(c / n) for c in sizes)
        return at_most(numbers[0], math.exp(entropy))
    if (name, form) == ("l-diversity", "recursive"):
        tail = sum(sizes[int(numbers[1]) - 1 :])
        return tail > 0 and less(sizes[0] / tail, numbers[0])
    if name == "alpha":
        return at_most(sizes[0] / n, numbers[0])
    if name == "t-closeness":
        return at_most(distance(group, table, form), numbers[0])
    if name == "beta-likeness":
        return gains_hold(group, table, form, numbers[0])
    if name == "delta-disclosure":
        return delta_holds(group, table, form, numbers[0])
    raise ValueError(name)


NEEDS_POPULATION = ("k-map", "delta-presence")


# ---- a release -----------------------------------------------------------------------------------

class Promise:
    """What a release must keep. Rows are lists: quasi-identifiers, sensitive column, others."""

    def __init__(self, k, columns, missing="own-category", recoding="local", models=(),
                 nulls=("",), exempt=False):
        self.k, self.columns, self.missing, self.recoding = k, columns, missing, recoding
        self.models, self.nulls, self.exempt = list(models), set(nulls), exempt
        self.original, self.kept, self.persons, self.is_shuffled = [], None, None, False


def groups_of(rows, promise):
    """[(tuple, indices of its rows, indices of the rows it counts with)]."""
    n = len(promise.columns)
    by_tuple = defaultdict(list)
    for i, row in enumerate(rows):
        by_tuple[tuple(None if c in promise.nulls else c for c in row[:n])].append(i)
    out = []
    is_wild = promise.missing == "wildcard" and any(None in t for t in by_tuple)
    for one, held in by_tuple.items():
        if promise.exempt and not is_wild and len(by_tuple) > 1 and set(one) == {"*"}:
            continue
        counted = held if not is_wild else [
            i
            for other, rows_of in by_tuple.items()
            if all(a == b or a is None or b is None for a, b in zip(one, other))
            for i in rows_of
        ]
        out.append((one, held, counted))
    return out


def population_of(one, promise):
    """Rows of the population below a published tuple. A missing value is covered by `*` alone,
    unless it is a category; a missing cell covers everything under wildcard."""
    missing = "own-category" if promise.missing == "own-category" else "conservative"
    population = Promise(1, promise.columns, missing, nulls=promise.nulls)
    is_wild = promise.missing == "wildcard"
    null = next(iter(promise.nulls))
    return sum(
        all(
            (cell is None and is_wild)
            or covers(null if cell is None else cell, value, column, population)
            for cell, value, column in zip(one, row, promise.columns)
        )
        for row in promise.original
    )


def misses_of_models(rows, groups, promise, with_population):
    out, secrets = [], sensitive_values(rows, promise)
    table = Counter(secrets)
    for model in promise.models:
        name, form, numbers = model
        for one, held, counted in groups:
            if name in NEEDS_POPULATION:
                if not with_population:
                    break
                covered = population_of(one, promise)
                share = len(counted) / covered if covered else math.inf
                holds = (
                    covered >= numbers[0] if name == "k-map"
                    else at_most(share, numbers[1]) and at_most(numbers[0], share)
                )
            else:
                holds = model_holds(model, Counter(secrets[i] for i in counted), table)
            if not holds:
                out.append(name)
                break
    return out


def misses_alone(rows, promise, with_population):
    """Why the text of a release fails k or a model: a list of words, empty if it does not."""
    if not rows:
        return ["rows"]
    groups = groups_of(rows, promise)
    out = ["k"] if any(len(counted) < promise.k for _, _, counted in groups) else []
    return out + misses_of_models(rows, groups, promise, with_population)


def misses_of_cells(rows, originals, promise):
    n = len(promise.columns)
    if promise.recoding not in AGGREGATES:
        return any(
            not covers(cell, value, column, promise)
            for row, original in zip(rows, originals)
            for cell, value, column in zip(row[:n], original[:n], promise.columns)
        )
    domains = [
        [row[i] for row in promise.original if row[i] not in promise.nulls] for i in range(n)
    ]
    by_tuple = defaultdict(list)
    for i, row in enumerate(rows):
        by_tuple[tuple(None if c in promise.nulls else c for c in row[:n])].append(i)
    return any(
        not is_aggregate(rows[held[0]][c], [originals[i][c] for i in held], promise.columns[c],
                         promise, domains[c])
        for held in by_tuple.values()
        for c in range(n)
    )


def misses_beside_original(rows, promise):
    """The same with the original, row by row."""
    n = len(promise.columns)
    originals = promise.original
    if promise.kept is not None:
        originals = [row for row, kept in zip(originals, promise.kept) if kept]
    if len(rows) != len(originals):
        return ["rows"]
    out = misses_alone(rows, promise, True)
    if any(row[n:] != original[n:] for row, original in zip(rows, originals)):
        out.append("unchanged")
    if misses_of_cells(rows, originals, promise):
        out.append("coverage")
    if promise.persons is not None and rows:
        kept = promise.kept or [True] * len(promise.original)
        persons = [p for p, is_kept in zip(promise.persons, kept) if is_kept]
        for _, _, counted in groups_of(rows, promise):
            if len({persons[i] for i in counted}) < promise.k:
                out.append("persons")
                break
    return out


def place(start, fits, taken):
    """A place for row `start`, moving others along alternating paths; False: there is none."""
    reached, queue = {}, [start]
    for row in queue:
        for at in fits[row]:
            if at in reached:
                continue
            reached[at] = row
            if at in taken:
                queue.append(taken[at])
                continue
            while True:
                row = reached[at]
                before = [p for p, r in taken.items() if r == row]
                taken[at] = row
                if row == start:
                    return True
                at = before[0]
    return False


def misses_shuffled(rows, promise):
    """The same where the order of the rows is nowhere: there is one that is right. None: with
    persons or aggregates that is not enough to know.
    """
    n = len(promise.columns)
    if promise.persons is not None or promise.recoding in AGGREGATES:
        return None
    originals = promise.original
    if promise.kept is not None:
        originals = [row for row, kept in zip(originals, promise.kept) if kept]
    if len(rows) != len(originals):
        return ["rows"]
    fits = [
        [
            at for at, row in enumerate(rows)
            if row[n:] == original[n:] and all(
                covers(c, v, column, promise)
                for c, v, column in zip(row, original, promise.columns)
            )
        ]
        for original in originals
    ]
    taken = {}
    out = misses_alone(rows, promise, True)
    return out if all(place(i, fits, taken) for i in range(len(originals))) else out + ["order"]
