#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""command.py SHOAL - random tables, hierarchies, models and options through the whole command,
judged by a reader of its own.

    command.py SHOAL --seconds 600 [--first SEED]   run seeds until the time is over; failures are
                                                    shrunk and kept
    command.py SHOAL --seed 17                      run one seed again, and say what it does
    command.py SHOAL --replay ARCHIVE               run the cases of a corpus (JSON files); what
                                                    `make test` does

Nothing of the library is used here: releases are read with csv, cells with the few lines below. Of
every run: an exit code that is documented, an end in time, no signal, no file left besides what was
asked for, the old file whole after a failure, no cell value in a message. Of every release: as many
rows as the input in the same order, every cell covers its original, columns that are not
quasi-identifiers are byte for byte, every published tuple occurs k times, models hold, k persons
where a row has one, the same bytes for two threads, from a packed input and (for methods that
stream) with a memory limit. How a table is written and handed over (separator, encoding, packed,
formats, joined columns, hierarchies that are built or known) is drawn apart, so that a seed draws
the same table as before; so is what came later: neighbouring doubles, wildcards, full-domain with
every missing mode, populations below built hierarchies, IACk and IACc, reports and manifests beside
the release, and now and then a column of 10,000 texts or more (large_tables.py).
"""

import argparse, csv, gzip, io, json, os, random, resource, shutil, subprocess, sys, tempfile, time

import corpus
import large_tables
import reader

LIMIT = 60  # seconds of processor time a run may take, on tables of at most 120 rows
LONGEST = 600  # and of wall clock, on a machine that has other work
METHODS = [
    "shoal", "mondrian", "mondrian-relaxed", "kmembers", "kaca", "koc", "kmeans", "oka", "dbca",
    "optimal", "incognito", "samarati", "datafly", "toc", "upc", "kmembers-p",
]
STREAMS = {
    "shoal", "mondrian", "mondrian-relaxed", "kaca", "optimal", "incognito", "samarati", "datafly",
}
RECODINGS = ["local", "node", "interval", "set", "full-domain", "mean", "median", "mode"]
FORMATS = {"money": "1.234,5", "dmy": "DD.MM.YYYY"}
BUILT = {
    "intervals": "build:intervals:5,10", "quantiles": "build:quantiles:4",
    "dates": "build:dates:month,year", "prefix": "build:prefix:3,1", "mask": "build:mask",
    "states": "known:us-states", "place": "build:grid:5", "rare": "build:rare:4",
}
# each beside the next: a midpoint of two is one of them
NEAR = ["0.3", "0.30000000000000004", "0.30000000000000010", "1e15", "1000000000000000.1", "0.1"]
STATES = {
    "Florida": {"South Atlantic", "South"}, "Texas": {"West South Central", "South"},
    "Iowa": {"West North Central", "Midwest"}, "Ohio": {"East North Central", "Midwest"},
    "Maine": {"New England", "Northeast"}, "Utah": {"Mountain", "West"},
}
# characters that make a note long, so that a table of them is parsed while it is unpacked
FILL = 60000
SECRET = "Zq"  # every text cell begins with it, so that values are found in messages
csv.field_size_limit(1 << 24)
LABELS = [SECRET + word for word in ("low", "middle", "high", "top")]


# ---- what to run ---------------------------------------------------------------------------------

def draw_column(rng, i):
    kind = rng.choice(["number", "number", "decimal", "big", "text", "text", "tree", "date"])
    n = rng.choice([2, 3, 5, 9, 40])
    if kind == "number":
        values = [str(rng.randrange(-5, 90)) for _ in range(n)]
    elif kind == "decimal":
        values = [rng.choice([
            "%d.5", "%d.", "%d.0", "%d", "0.%d", "1e%d",
        ]) % rng.randrange(1, 9) for _ in range(n)]
    elif kind == "big":
        values = [str(rng.choice([2**53, 10**17, 2**64]) + rng.randrange(6)) for _ in range(n)]
    elif kind == "date":
        values = [
            "20%02d-%02d-%02d" % (rng.randrange(30), rng.randrange(1, 13), rng.randrange(1, 29))
            for _ in range(n)
        ]
    else:
        values = [SECRET + rng.choice([
            "a", "b", "c d", "e,f", 'g"h', "i|j", "k\nl", "ü", "*x",
        ]) + str(rng.randrange(n)) for _ in range(n)]
    return {"name": "q%d" % i, "kind": kind, "values": sorted(set(values))}


def draw_case(seed):
    rng = random.Random(seed)
    columns = [draw_column(rng, i) for i in range(rng.randrange(1, 4))]
    n = rng.randrange(1, 120)
    rows = [
        [rng.choice(c["values"]) for c in columns]
        + [SECRET + rng.choice("stuvw"), SECRET + "note%d" % rng.randrange(50)]
        for _ in range(n)
    ]
    missing = rng.random() < 0.3
    if missing:
        for row in rows:
            if rng.random() < 0.2:
                row[rng.randrange(len(columns))] = ""
    k = rng.choice([1, 2, 2, 3, 5, 10, 50])
    case = {
        "columns": columns,
        "rows": rows,
        "k": k,
        "method": rng.choice(METHODS + ["shoal"] * 6),
        "options": [],
        "models": [],
    }
    if missing:
        case["options"] += ["--missing", rng.choice(["own-category", "conservative"])]
    if rng.random() < 0.3:
        case["options"] += ["--recoding", rng.choice(RECODINGS)]
    if rng.random() < 0.3:
        case["models"].append(rng.choice([
            ["--l-diversity", "distinct:2"], ["--l-diversity", "entropy:1.5"],
            ["--t-closeness", "0.4"], ["--alpha", "0.7"], ["--p-sensitive", "2"],
            ["--beta-likeness", "2"], ["--k-map", "3"], ["--delta-presence", "0,0.9"],
            ["--group-loss", "0.6"], ["--range-diversity", "0.9"],
        ]))
    if rng.random() < 0.2:
        case["options"] += ["--suppression-limit", "0.2"]
    if rng.random() < 0.15:
        case["options"] += ["--drop-suppressed"]
    if case["method"] == "upc":
        case["options"] += [
            "--param",
            "U=%.1f" % rng.uniform(0.2, 1),
            "--param",
            "P=%.1f" % rng.uniform(0.5, 1),
        ]
    if case["method"] == "shoal" and rng.random() < 0.3:
        case["options"] += ["--param", "effort=%d" % rng.randrange(10)]
    if case["method"] == "shoal" and rng.random() < 0.1:
        case["options"] += [
            "--param",
            "w_u=0.5",
            "--param",
            "objective=" + rng.choice(["range-diversity", "mpm"]),
        ]
    return draw_later(draw_surroundings(case, seed), seed)


def draw_other_column(rng, i, kind=None):
    first = [built for built in BUILT if built != "rare"]  # drawn later, so that seeds stay
    kind = kind or rng.choice(["money", "dmy", "ordered", "place", "place"] + first)
    n = rng.choice([2, 3, 5, 9, 40])
    if kind == "money":
        values = [
            "%s,%d"
            % (
                "{:,}".format(rng.choice([7, 950, 1200, 88000]) + rng.randrange(60)).replace(
                    ",", "."
                ),
                rng.randrange(10),
            )
            for _ in range(n)
        ] + ["1.234,5"]
    elif kind == "dmy":
        values = [
            "%02d.%02d.20%02d" % (rng.randrange(1, 29), rng.randrange(1, 13), rng.randrange(30))
            for _ in range(n)
        ] + ["28.02.2003"]
    elif kind == "ordered":
        values = LABELS[:rng.randrange(2, 5)]
    elif kind == "place":
        values = ["%.2f;%.2f" % (48 + rng.random() * 4, 7 + rng.random() * 6) for _ in range(n)]
    elif kind in ("intervals", "quantiles"):
        values = [str(rng.randrange(-5, 90)) for _ in range(n)]
    elif kind == "dates":
        values = [
            "20%02d-%02d-%02d" % (rng.randrange(30), rng.randrange(1, 13), rng.randrange(1, 29))
            for _ in range(n)
        ]
    elif kind == "states":
        values = rng.sample(sorted(STATES), min(n, len(STATES)))
    else:
        values = ["%05d" % rng.randrange(10000, 12000) for _ in range(n)]
    return {
        "name": "q%d" % i,
        "kind": kind,
        "values": sorted(set(values)),
        "hierarchy": BUILT.get(kind) if kind != "place" or rng.random() < 0.5 else None,
    }


def draw_surroundings(case, seed):
    """How the table is written and passed, and options that the first drawing does not have; from a
    generator of its own.
    """
    rng = random.Random("around %d" % seed)
    if rng.random() < 0.4:
        at = rng.randrange(len(case["columns"]))
        column = case["columns"][at] = draw_other_column(rng, at)
        for row in case["rows"]:
            row[at] = rng.choice(column["values"]) if row[at] != "" else ""
    if rng.random() < 0.3:
        case["delimiter"] = rng.choice(";\t|")
    if rng.random() < 0.2:
        case["line_end"] = "\r\n"
    if rng.random() < 0.25:
        case["encoding"] = rng.choice(["latin-1", "utf-16", "windows-1252", "utf-8-sig"])
    if rng.random() < 0.35:
        case["packing"] = rng.choice(["gz", "gz", "zst", "members", "frames"])
    if rng.random() < 0.1 and "packing" in case:
        case["fill"] = rng.choice([FILL, 4 * FILL])
    if rng.random() < 0.25:
        n = rng.choice([1, 2, 3, 6])  # rows of a person, about
        case["persons"] = [str(rng.randrange(max(1, len(case["rows"]) // n))) for _ in case["rows"]]
    if rng.random() < 0.1:
        case["options"] = case["options"] + ["--row-order", "shuffle"]
    if rng.random() < 0.15:
        case["target"] = rng.choice(["gz", "zst"])
    return case


def replace_column(rng, case, at, column):
    case["columns"][at] = column
    for row in case["rows"]:
        row[at] = rng.choice(column["values"]) if row[at] != "" else ""


def set_option(case, option, value):
    options = list(case["options"])
    if option in options:
        options[options.index(option) + 1] = value
    else:
        options += [option, value]
    case["options"] = options


def draw_population(rng, case):
    """A model about a population, with a hierarchy that is built."""
    at = rng.randrange(len(case["columns"]))
    kind = rng.choice(["rare", "rare", "prefix", "mask", "intervals", "quantiles"])
    column = draw_other_column(rng, at, kind)
    replace_column(rng, case, at, column)
    case["models"] = [rng.choice([["--k-map", "3"], ["--delta-presence", "0,0.9"]])]


def draw_informed(rng, case):
    """IACk and IACc, which need a class."""
    case["method"] = rng.choice(["iack", "iacc"])
    case["models"], case["class"] = [], True
    case["options"] = [o for o in case["options"] if o != "--drop-suppressed"]
    if "--param" in case["options"]:
        del case["options"][case["options"].index("--param") :]
    if "--recoding" in case["options"]:
        del case["options"][case["options"].index("--recoding") :][:2]
    case["options"] = case["options"] + [
        "--param", "small=" + rng.choice(["generalise", "suppress"])
    ]


def draw_later(case, seed):
    """What later finds needed, from a generator of its own again."""
    rng = random.Random("later %d" % seed)
    if rng.random() < 0.1:
        at = rng.randrange(len(case["columns"]))
        values = rng.sample(NEAR, rng.randrange(2, len(NEAR)))
        replace_column(rng, case, at, {"name": "q%d" % at, "kind": "near", "values": values})
    if rng.random() < 0.1:
        draw_population(rng, case)
    if rng.random() < 0.15:
        set_option(case, "--recoding", rng.choice(["full-domain", "full-domain", "full-subtree",
                                                   "set-partition"]))
        set_option(case, "--missing", rng.choice(["own-category", "conservative", "wildcard"]))
        for row in case["rows"]:
            if rng.random() < 0.2:
                row[rng.randrange(len(case["columns"]))] = ""
    if rng.random() < 0.08:
        draw_informed(rng, case)
    case["everything"] = rng.random() < 0.4
    return case


def needs_population(case):
    return any(model[0] in ("--k-map", "--delta-presence") for model in case["models"])


# ---- reading the release -------------------------------------------------------------------------

from decimal import Decimal, InvalidOperation


def number(text):
    try:
        return Decimal(text.strip()) if text.strip()[:1] not in ("n", "i", "N", "I", "s") else None
    except InvalidOperation:
        return None


def date(text):
    parts = text.split("-")
    return (
        text
        if len(parts) == 3
        and [len(p) for p in parts] == [4, 2, 2]
        and all(p.isdigit() for p in parts)
        else None
    )


def members(text):
    out, word, at = [], "", 1
    while at < len(text) - 1:
        if text[at] == "\\":
            at += 1
            word += text[at]
        elif text[at] == "|":
            out.append(word)
            word = ""
        else:
            word += text[at]
        at += 1
    return out + [word]


def same(a, b):
    return a == b or (number(a) is not None and number(b) is not None and number(a) == number(b))


def money(text):
    return number(text.replace(".", "").replace(",", "."))


def dmy(text):
    return date("-".join(reversed(text.split("."))))


def covers_place(cell, value):
    """A cell of a grid, `45..67.5 N, 0..45 E`; what is none is a place, or a set of them."""
    parts, wanted = cell.split(", "), value.split(";")
    if len(parts) != 2 or not parts[0].endswith(" N") or not parts[1].endswith(" E"):
        return False
    ranges = [[number(end) for end in part[:-2].split("..")] for part in parts]
    return all(low <= number(x) <= high for (low, high), x in zip(ranges, wanted))


def covers_other(cell, value, kind):
    if kind == "states":
        return cell in STATES.get(value, ())
    if kind in ("prefix", "mask"):
        return cell.endswith("*") and value.startswith(cell.rstrip("*"))
    if kind == "rare":
        return cell == "Other"
    if kind == "dates":
        return len(cell) in (4, 7) and value.startswith(cell + "-")
    if kind == "place":
        return covers_place(cell, value)
    if kind == "ordered" and ".." in cell:
        low, high = cell.split("..")
        return (
            low in LABELS
            and high in LABELS
            and value in LABELS[LABELS.index(low) : LABELS.index(high) + 1]
        )
    return False


def covers(cell, value, tree, kind=None):
    if cell == "*" or same(cell, value):
        return True
    if kind is not None and covers_other(cell, value, kind):
        return True
    if tree and value in tree and cell in tree[value]:
        return True
    if cell.startswith("[") and cell.endswith("]") and ".." in cell:
        for at in range(1, len(cell) - 2):
            if cell[at:at + 2] != "..":
                continue
            for read in (money, dmy) if kind in FORMATS else (number, date):
                low, high, x = read(cell[1:at]), read(cell[at + 2:-1]), read(value)
                if low is not None and high is not None and x is not None and low <= x <= high:
                    return True
    return (
        cell.startswith("{") and cell.endswith("}") and any(same(m, value) for m in members(cell))
    )


# ---- running -------------------------------------------------------------------------------------

class Failure(Exception):
    pass


def fields(column, value):
    """A place is written in two columns."""
    if column["kind"] != "place":
        return [value]
    return value.split(";") if value != "" else ["", ""]


def note_of(row, case):
    return row[-1] + ('\n"x,' * (case["fill"] // 4) if case.get("fill") else "")


def write_table(case, file):
    writer = csv.writer(
        file, delimiter=case.get("delimiter", ","), lineterminator=case.get("line_end", "\n")
    )
    names = [
        name
        for c in case["columns"]
        for name in (
            [c["name"]] if c["kind"] != "place" else [c["name"] + "lat", c["name"] + "lon"]
        )
    ]
    writer.writerow(names + ["secret", "note"] + (["person"] if "persons" in case else []))
    for i, row in enumerate(case["rows"]):
        cells = [
            cell for column, value in zip(case["columns"], row) for cell in fields(column, value)
        ]
        writer.writerow(
            cells
            + [row[-2], note_of(row, case)]
            + ([case["persons"][i]] if "persons" in case else [])
        )


def pack(case, folder):
    """t.csv as t.csv.packed, in one piece or in three."""
    with open(os.path.join(folder, "t.csv"), "rb") as file:
        text = file.read()
    pieces = (
        [text]
        if case["packing"] in ("gz", "zst")
        else [text[: len(text) // 3], b"", text[len(text) // 3 :]]
    )
    with open(os.path.join(folder, "t.csv.packed"), "wb") as file:
        for piece in pieces:
            is_gzip = case["packing"] in ("gz", "members")
            file.write(
                gzip.compress(piece, 1)
                if is_gzip
                else subprocess.run(
                    ["zstd", "-q", "-1", "-c"], input=piece, capture_output=True, check=True
                ).stdout
            )


def write_case(case, folder):
    with open(
        os.path.join(folder, "t.csv"), "w", newline="", encoding=case.get("encoding", "utf-8")
    ) as file:
        write_table(case, file)
    if "packing" in case:
        pack(case, folder)
    trees = {}
    for column in case["columns"]:
        if column["kind"] != "tree":
            continue
        tree = trees[column["name"]] = {}
        with open(os.path.join(folder, column["name"] + ".tree"), "w", newline="") as file:
            writer = csv.writer(file, delimiter=";", lineterminator="\n")
            for i, value in enumerate(column["values"]):
                above = SECRET + "up%d" % (i // 2)
                writer.writerow([value, above, "*"])
                tree[value] = {above, "*"}
    return trees


def arguments(case, out, table="t.csv"):
    words = [
        "anonymize",
        table,
        "-o",
        out,
        "--qid",
        ",".join(c["name"] for c in case["columns"]),
        "--class" if case.get("class") else "--sensitive",
        "secret",
        "--rest",
        "keep",
        "-k",
        str(case["k"]),
        "-a",
        case["method"],
        "--no-bound",
        "-q",
    ] + case["options"]
    for model in case["models"]:
        words += model
    if needs_population(case):
        words += ["--population", "t.csv"]
    for column in case["columns"]:
        if column["kind"] == "tree":
            words += ["--hierarchy", "%s=%s.tree" % (column["name"], column["name"])]
        if column["kind"] == "place":
            words += ["--join", "%s=%slat,%slon" % (column["name"], column["name"], column["name"])]
        if column["kind"] == "ordered":
            words += ["--ordered", "%s=%s" % (column["name"], " < ".join(LABELS))]
        if column["kind"] in FORMATS:
            words += ["--format", "%s=%s" % (column["name"], FORMATS[column["kind"]])]
        if column.get("hierarchy"):
            words += ["--hierarchy", "%s=%s" % (column["name"], column["hierarchy"])]
    if "persons" in case:
        words += ["--entity", "person"]
    if case.get("encoding") == "windows-1252":
        words += ["--encoding", "windows-1252"]
    return words


def limit_processor():
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT + 5))


def run(shoal, words, folder, before):
    start = time.time()
    try:
        done = subprocess.run(
            [shoal] + words,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=LONGEST,
            preexec_fn=limit_processor,
        )
    except subprocess.TimeoutExpired:
        raise Failure("no end within %d s: %s" % (LONGEST, " ".join(words)))
    said = (done.stdout + done.stderr).decode("utf-8", "replace")
    if done.returncode not in (0, 1, 2, 3, 4, 5):
        raise Failure("exit %d (%s): %s" % (done.returncode, said[-300:], " ".join(words)))
    if done.returncode == 1:
        raise Failure("exit 1, a fault of its own: " + said[-300:])
    if "verify:" in said or "please report" in said:
        raise Failure("the verifier refuses our own release: " + said[-300:])
    if SECRET in said:
        raise Failure("a cell in a message: " + said[-300:])
    left = set(os.listdir(folder)) - before
    if done.returncode not in (0, 5) and left:
        raise Failure("files left after exit %d: %s" % (done.returncode, sorted(left)))
    return done.returncode, time.time() - start


def read_bytes(folder, name):
    with open(os.path.join(folder, name), "rb") as file:
        packed = file.read()
    if packed[:2] == b"\x1f\x8b":
        return gzip.decompress(packed)
    if packed[:4] == b"\x28\xb5\x2f\xfd":
        return subprocess.run(
            ["zstd", "-q", "-d", "-c"], input=packed, capture_output=True, check=True
        ).stdout
    return packed


def read(folder, name, case):
    """The rows of a release: quasi-identifiers in the order of the case, the sensitive column, the
    note.
    """
    text = read_bytes(folder, name).decode(case.get("encoding", "utf-8"))
    rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=case.get("delimiter", ",")))
    wanted = [c["name"] for c in case["columns"]] + ["secret", "note"]
    if sorted(rows[0]) != sorted(wanted):
        raise Failure("columns of the release: %s" % rows[0])
    order = [rows[0].index(name) for name in wanted]
    return [[row[at] for at in order] for row in rows[1:]]


def check_release(case, folder, trees, name):
    n_qid = len(case["columns"])
    rows = read(folder, name, case)
    recoding = (
        case["options"][case["options"].index("--recoding") + 1]
        if "--recoding" in case["options"]
        else "local"
    )
    is_dropping = "--drop-suppressed" in case["options"]
    if "shuffle" in case["options"]:
        return check_shuffled(rows, case)
    if not is_dropping and len(rows) != len(case["rows"]):
        raise Failure("%d rows of %d" % (len(rows), len(case["rows"])))
    at, persons = 0, {}
    for row in rows:
        while (
            is_dropping
            and at < len(case["rows"])
            and not fits(row, case["rows"][at], case, trees, recoding)
        ):
            at += 1
        if at >= len(case["rows"]):
            raise Failure("rows that are not those of the input, in its order")
        if not fits(row, case["rows"][at], case, trees, recoding):
            raise Failure(
                "row %d does not cover its original, or passes other columns on" % (at + 1)
            )
        persons.setdefault(tuple(row[:n_qid]), set()).add(
            case["persons"][at] if "persons" in case else at
        )
        at += 1
    # rows that are left out may make another row of the same cells look like the original
    if not is_dropping:
        few = [
            t for t, held in persons.items() if len(held) < case["k"] and any(c != "*" for c in t)
        ] if "wildcard" not in case["options"] else []  # there rows count that agree with a row
        if few and len(rows) >= case["k"]:
            raise Failure(
                "%d published tuples belong to fewer than %d persons" % (len(few), case["k"])
            )
    check_groups(rows, case)


def check_shuffled(rows, case):
    if "--drop-suppressed" not in case["options"] and sorted(row[-2:] for row in rows) != sorted(
        [row[-2], note_of(row, case)] for row in case["rows"]
    ):
        raise Failure("shuffled rows are not those of the input")
    check_groups(rows, case)


def check_groups(rows, case):
    n_qid, counts = len(case["columns"]), {}
    promise = reader.Promise(case["k"], case["columns"])
    if "wildcard" in case["options"]:
        promise.missing = "wildcard"
    for one, _, counted in reader.groups_of(rows, promise):
        counts[one] = [rows[i][n_qid] for i in counted]
    short = [t for t, held in counts.items() if len(held) < case["k"] and any(c != "*" for c in t)]
    if short and not (len(rows) < case["k"]):
        raise Failure("%d published tuples occur fewer than %d times" % (len(short), case["k"]))
    for model in case["models"]:
        check_model(model, counts, case)


def fits(row, original, case, trees, recoding):
    n = len(case["columns"])
    if row[n:] != [original[n], note_of(original, case)]:
        return False
    if recoding in ("mean", "median", "mode"):
        return True  # covers nothing; the verifier computes the number again
    return all(
        covers(
            row[i], original[i], trees.get(case["columns"][i]["name"]), case["columns"][i]["kind"]
        )
        for i in range(n)
    )


def check_model(model, counts, case):
    for published, held in counts.items():
        if all(cell == "*" for cell in published) and len(counts) > 1:
            continue  # suppressed rows are a group of their own that models need not hold for
        shares = [held.count(v) / len(held) for v in set(held)]
        if model == ["--l-diversity", "distinct:2"] or model == ["--p-sensitive", "2"]:
            if len(shares) < 2:
                raise Failure("%s is missed" % " ".join(model))
        if model == ["--alpha", "0.7"] and max(shares) > 0.7 + 1e-9:
            raise Failure("alpha is missed")


def run_everything(case, shoal, folder, code, before):
    """The same run with JSON, report, page and manifest: no other bytes, and verify accepts it."""
    more = {"all.csv", "all.json", "all.html", "m.json"}
    words = arguments(case, "all.csv") + [
        "--json", "--report", "all.json", "--report-html", "all.html", "--manifest", "m.json",
    ]
    found, _ = run(shoal, words, folder, before | {"out.csv"})
    if found != code:
        raise Failure("exit %d, and %d with JSON and reports" % (code, found))
    if code != 0:
        return before
    if "shuffle" not in case["options"] and read_bytes(folder, "all.csv") != read_bytes(
        folder, "out.csv"
    ):
        raise Failure("JSON and reports lead to other bytes")
    with open(os.path.join(folder, "all.json")) as file:
        json.load(file)
    found, _ = run(
        shoal, ["verify", "m.json", "--original", "t.csv"], folder, before | {"out.csv"} | more
    )
    if found != 0:
        raise Failure("verify: exit %d" % found)
    return before | more


def run_large(seed, shoal):
    """A column of many texts. What is wrong, or None."""
    folder = tempfile.mkdtemp(prefix="shoal-fuzz-")
    try:
        return large_tables.run_case(large_tables.draw(seed), shoal, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def run_case(case, shoal, verbose=False):
    folder = tempfile.mkdtemp(prefix="shoal-fuzz-")
    try:
        trees = write_case(case, folder)
        before = set(os.listdir(folder))
        code, seconds = run(shoal, arguments(case, "out.csv") + ["--threads", "1"], folder, before)
        is_shuffled = "shuffle" in case["options"]
        if verbose:
            print("exit %d, %.2f s: %s" % (code, seconds, " ".join(arguments(case, "out.csv"))))
        if "packing" in case:
            packed, _ = run(
                shoal,
                arguments(case, "packed.csv", "t.csv.packed") + ["--threads", "3"],
                folder,
                before | {"out.csv"},
            )
            if packed != code:
                raise Failure("exit %d, and %d of the packed table" % (code, packed))
        if case.get("everything"):
            packed = {"packed.csv"} if "packing" in case and code == 0 else set()
            before = run_everything(case, shoal, folder, code, before | packed)
        if code != 0:
            return code
        before.add("out.csv")
        check_release(case, folder, trees, "out.csv")
        if "packing" in case:
            before.add("packed.csv")
            check_release(case, folder, trees, "packed.csv")
            if not is_shuffled and read_bytes(folder, "packed.csv") != read_bytes(
                folder, "out.csv"
            ):
                raise Failure("a packed table leads to other bytes than a plain one")
        if "target" in case:
            run(shoal, arguments(case, "out." + case["target"]), folder, before)
            before.add("out." + case["target"])
            if not is_shuffled and read_bytes(folder, "out." + case["target"]) != read_bytes(
                folder, "out.csv"
            ):
                raise Failure("a packed release has other bytes than a plain one")
        run(shoal, arguments(case, "two.csv") + ["--threads", "2"], folder, before)
        before.add("two.csv")
        if not is_shuffled and read_bytes(folder, "out.csv") != read_bytes(folder, "two.csv"):
            raise Failure("two threads lead to other bytes than one")
        if (
            case["method"] in STREAMS
            and not case["models"]
            and "--drop-suppressed" not in case["options"]
        ):
            code, _ = run(
                shoal, arguments(case, "few.csv") + ["--memory-limit", "1"], folder, before
            )
            if code == 0:
                check_release(case, folder, trees, "few.csv")
        with open(os.path.join(folder, "out.csv"), "rb") as file:
            old = file.read()
        again = subprocess.run(
            [shoal] + arguments(case, "out.csv"),
            cwd=folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=LONGEST,
        )
        if again.returncode != 1:
            raise Failure("exit %d, not 1, where the file exists" % again.returncode)
        with open(os.path.join(folder, "out.csv"), "rb") as file:
            if file.read() != old:
                raise Failure("a file that exists was written without --force")
        return 0
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def fails(case, shoal):
    try:
        run_case(case, shoal)
        return None
    except Failure as failure:
        return str(failure)


def shrink(case, shoal, seconds=120):
    """Fewer rows, columns and options, as long as it still fails."""
    end = time.time() + seconds

    def tries():
        n = len(case["rows"])
        size = n // 2
        while size > 0:
            for at in range(0, n, size):
                smaller = dict(case, rows=case["rows"][:at] + case["rows"][at + size:])
                if "persons" in case:
                    smaller["persons"] = case["persons"][:at] + case["persons"][at + size:]
                yield smaller
            size //= 2
        for i in range(len(case["columns"]) if len(case["columns"]) > 1 else 0):
            yield dict(
                case,
                columns=case["columns"][:i] + case["columns"][i + 1 :],
                rows=[r[:i] + r[i + 1 :] for r in case["rows"]],
            )
        if case["models"]:
            yield dict(case, models=[])
        for key in ("delimiter", "line_end", "encoding", "packing", "fill", "persons", "target"):
            if key in case:
                yield {name: value for name, value in case.items() if name != key}

    again = True
    while again and time.time() < end:
        again = False
        for smaller in tries():
            if time.time() > end:
                break
            if smaller["rows"] and fails(smaller, shoal):
                case, again = smaller, True
                break
    return case


# ---- ways to call it -----------------------------------------------------------------------------

def fuzz(shoal, seconds, first, keep):
    end, seed, n_failed, codes = time.time() + seconds, first, 0, {}
    while time.time() < end:
        case = draw_case(seed)
        try:
            code = run_case(case, shoal)
            codes[code] = codes.get(code, 0) + 1
        except Failure as failure:
            n_failed += 1
            print("seed %d: %s" % (seed, failure), flush=True)
            os.makedirs(keep, exist_ok=True)
            with open(os.path.join(keep, "seed-%d.json" % seed), "w") as file:
                json.dump(shrink(case, shoal), file, indent=1)
        if seed % 40 == 0:
            wrong = run_large(seed, shoal)
            n_failed += wrong is not None
            if wrong is not None:
                print("large table %d: %s" % (seed, wrong), flush=True)
        seed += 1
    print(
        "%d cases, %d failed; exit codes %s" % (seed - first, n_failed, dict(sorted(codes.items())))
    )
    return n_failed


def replay(shoal, archive):
    n_failed, cases = 0, corpus.read(archive)
    for name in sorted(cases):
        failure = fails(json.loads(cases[name]), shoal)
        if failure:
            n_failed += 1
            print("%s: %s" % (name, failure))
    for seed in range(40):
        failure = fails(draw_case(seed), shoal)
        if failure:
            n_failed += 1
            print("seed %d: %s" % (seed, failure))
    wrong = run_large(0, shoal)
    if wrong is not None:
        n_failed += 1
        print("large table 0: %s" % wrong)
    print(
        "%d cases of the corpus, 40 seeds and a large table, %d failed" % (len(cases), n_failed)
    )
    return n_failed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("shoal")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--first", type=int, default=1000)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--replay")
    parser.add_argument("--keep", default="fuzz-failures")
    given = parser.parse_args()
    shoal = os.path.abspath(given.shoal)
    if given.replay:
        sys.exit(replay(shoal, given.replay) > 0)
    if given.seed is not None:
        try:
            run_case(draw_case(given.seed), shoal, verbose=True)
        except Failure as failure:
            sys.exit("fails: %s" % failure)
        return
    sys.exit(fuzz(shoal, given.seconds, given.first, given.keep) > 0)


main()
