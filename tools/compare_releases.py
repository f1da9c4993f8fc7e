#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""compare_releases.py OLD NEW [--data DIR] [--quick] [--only TEXT] [--keep DIR]

Runs two builds of the command, OLD and NEW, over the same tables with the same options, and
compares the SHA-256 of every file that they write: releases, mappings, second tables, levels, and
the key and the state of a series. A difference in the exit status counts as a difference; texts on
the terminal are not compared. The last line is `N equal, M differ`; exit 1 if any differ.

Tables: `shoal generate` by OLD, in several sizes and seeds, with a record key, a date, ordered
categories, a category without a hierarchy and, in a copy, missing values; tables of integers,
narrow and wide; and those of DIR ($SHOAL_DATA, else ../shared/data) that are present.

Methods: all of `algorithms --json`, each with k, models, ways of missing values and each of the
choices of its parameters; the default method with every recoding, effort and output besides.
A case that both refuse with the same status is counted apart, so that "equal" always means files.

The keys of a series, pseudonyms, anatomy and shuffled rows take their random numbers from the
operating system, by getentropy() and libsodium. A small library, built by $CC (cc) and preloaded,
gives both builds the same numbers, so that these files can be compared, too; without a compiler
those cases are left out, and the table says so. Both builds must be linked dynamically.
"""

import argparse
import hashlib
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

# The same "random" numbers in every process: splitmix64 from a fixed start.
ENTROPY = r"""
#include <stddef.h>
#include <stdint.h>
void randombytes_buf(void *data, size_t size)
{
    static uint64_t state = 20260101;
    unsigned char *bytes = data;
    for (size_t i = 0; i < size; i++) {
        uint64_t z = (state += 0x9e3779b97f4a7c15ull);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        bytes[i] = (unsigned char)(z >> 56);
    }
}
int getentropy(void *data, size_t size)
{
    randombytes_buf(data, size);
    return 0;
}
"""

# What a method cannot run without, on the generated tables of persons.
NEEDS = {
    "infogain-mondrian": ["--class", "salary-class"],
    "dbca-cm": ["--class", "salary-class"],
    "iack": ["--class", "salary-class"],
    "iacc": ["--class", "salary-class"],
    "toc": ["--sensitive", "disease"],
    "upc": ["--sensitive", "disease", "--param", "U=0.6", "--param", "P=0.6"],
    "kmembers-p": ["--sensitive", "disease"],
    "anatomy": ["--sensitive", "disease", "--param", "l=2", "--sensitive-out", "second.csv"],
    "personalised": ["--sensitive", "disease", "--param", "breach=0.6", "--param", "guard=level:1"],
}
RANDOM = {"anatomy"}  # methods that need the preloaded library

RECODINGS = (
    "local node interval set full-domain mean median mode full-subtree set-partition".split()
)
MISSING = ["own-category", "wildcard", "conservative"]
MODELS = [
    "--l-diversity distinct:3",
    "--l-diversity entropy:2",
    "--l-diversity recursive:2,2",
    "--t-closeness 0.4",
    "--t-closeness hierarchical:0.4",
    "--alpha 0.5",
    "--p-sensitive 2",
    "--p-plus-sensitive 0.5,2",
    "--beta-likeness basic:6",
    "--beta-likeness enhanced:6",
    "--delta-disclosure present:2",
    "--range-diversity 0.7",
]


class Tables:
    """Makes the tables that both builds read."""

    def __init__(self, command, folder):
        self.command, self.folder = command, folder

    def path(self, name):
        return os.path.join(self.folder, name)

    def generate(self, kind, rows, seed, *more):
        name = self.path("%s-%d-%d.csv" % (kind, rows, seed))
        subprocess.run(
            [self.command, "generate", kind, "--rows", str(rows), "--seed", str(seed), "-f"]
            + ["-o", name, *more],
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        with open(name, encoding="utf-8") as file:
            return [line.rstrip("\n").split(",") for line in file]

    def write(self, name, rows):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.writelines(",".join(row) + "\n" for row in rows)
        return self.path(name)

    def persons(self, rows, seed):
        """Persons with the kinds of columns that the generator lacks; (whole, with gaps)."""
        table = self.generate("census", rows, seed, "--hierarchies-out", self.path("trees"))
        draw = random.Random(seed)
        bands = ["low", "middle", "high", "top"]
        head = ["id"] + table[0] + ["born", "band", "town"]
        age = head.index("age")
        whole = [head]
        for i, row in enumerate(table[1:]):
            row = ["p%d" % i] + row
            year = 2026 - int(row[age])
            born = "%04d-%02d-%02d" % (year, draw.randint(1, 12), draw.randint(1, 28))
            town = "t%d" % min(draw.randint(0, 59), draw.randint(0, 59))
            whole.append(row + [born, draw.choice(bands), town])
        keep = {head.index(c) for c in ("id", "name", "disease", "salary-class")}
        gaps = [head] + [
            [v if j in keep or draw.random() > 0.06 else "" for j, v in enumerate(row)]
            for row in whole[1:]
        ]
        name = "persons-%d-%d" % (rows, seed)
        return self.write(name + ".csv", whole), self.write(name + "-gaps.csv", gaps)

    def integers(self, rows, seed, columns):
        table = self.generate("normal", rows, seed, "--columns", str(columns))
        return self.write("integers-%d-%d-%d.csv" % (rows, seed, columns), table)

    def counted(self, path, columns):
        """The distinct tuples of some columns with their number of rows."""
        with open(path, encoding="utf-8") as file:
            rows = [line.rstrip("\n").split(",") for line in file]
        places = [rows[0].index(c) for c in columns]
        tuples = {}
        for row in rows[1:]:
            key = tuple(row[p] for p in places)
            tuples[key] = tuples.get(key, 0) + 1
        counted = [columns + ["n"]] + [list(k) + [str(n)] for k, n in tuples.items()]
        return self.write(os.path.basename(path)[:-4] + "-counts.csv", counted)

    def part(self, path, first, last, name):
        """Some rows of a table, under their own name."""
        with open(path, encoding="utf-8") as file:
            lines = file.readlines()
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.writelines(lines[:1] + lines[1 + first : 1 + last])
        return self.path(name)


class Case:
    """Commands to run one after another in one folder, and the method to show them under."""

    def __init__(self, method, name, commands, is_random=False):
        self.method, self.name, self.commands, self.is_random = method, name, commands, is_random


class Cases:
    """The list of what is compared."""

    def __init__(self, tables, methods, quick, data):
        self.tables, self.methods, self.quick, self.data = tables, methods, quick, data
        self.list = []
        self.trees = ["--hierarchies", tables.path("trees")]

    def add(self, method, name, *commands, is_random=False):
        self.list.append(Case(method, name, commands, is_random))

    def run(self, method, name, table, options, is_random=False, out="release.csv"):
        """One run of anonymize that writes a release."""
        base = [] if method == "default" else ["-a", method]
        self.add(
            method,
            name,
            ["anonymize", table, "-o", out, "--no-bound", *base, *options],
            is_random=is_random or method in RANDOM,
        )

    def persons(self, *options, qid="zip,age,sex,race,education", k=5, rest="drop"):
        return ["--qid", qid, "-k", str(k), "--rest", rest, *self.trees, *options]

    def every_method(self, sizes):
        for rows, seed in sizes:
            whole, gaps = self.tables.persons(rows, seed)
            where = "%d rows, seed %d" % (rows, seed)
            for method, parameters in self.methods.items():
                needs = NEEDS.get(method, [])
                few = rows > 2000
                for k in (2,) if few else (2, 3, 10):
                    self.run(
                        method, "%s, k=%d" % (where, k), whole, self.persons(*needs, k=k)
                    )
                if few:
                    continue
                self.run(method, where + ", seed 7", whole, self.persons("--seed", "7", *needs))
                self.run(
                    method,
                    where + ", numeric columns and a date",
                    whole,
                    self.persons("--date", "born", *needs, qid="age,hours-per-week,born,sex"),
                )
                self.run(
                    method,
                    where + ", sets and ordered",
                    whole,
                    self.persons(
                        "--ordered", "band=low < middle < high < top", *needs, qid="age,band,town"
                    ),
                )
                for missing in MISSING:
                    self.run(
                        method,
                        "%s, gaps, --missing %s" % (where, missing),
                        gaps,
                        self.persons("--missing", missing, *needs),
                    )
                sensitive = [] if "disease" in needs else ["--sensitive", "disease"]
                for model in MODELS[:1] if self.quick else MODELS[:4:3]:
                    self.run(
                        method,
                        "%s, %s" % (where, model),
                        whole,
                        self.persons(*needs, *sensitive, *model.split()),
                    )
                for parameter in parameters:
                    for value in choices(parameter):
                        self.run(
                            method,
                            "%s, %s=%s" % (where, parameter["name"], value),
                            whole,
                            self.persons(
                                *needs, "--param", "%s=%s" % (parameter["name"], value), k=3
                            ),
                        )

    def default_method(self, rows, seed):
        whole, gaps = self.tables.persons(rows, seed)
        for recoding in RECODINGS:
            for table, name in ((whole, "whole"), (gaps, "gaps")):
                self.run(
                    "shoal",
                    "recoding %s, %s" % (recoding, name),
                    table,
                    self.persons("--recoding", recoding),
                )
        for effort in range(10):
            self.run("shoal", "effort %d" % effort, whole, self.persons("--effort", str(effort)))
        for model in MODELS:
            self.run(
                "shoal", model, whole, self.persons("--sensitive", "disease", *model.split())
            )
        population, _ = self.tables.persons(4 * rows, seed + 50)
        everyone = ["--population", population]
        for name, more in [
            ("k-map", ["--k-map", "8", *everyone]),
            ("group loss", ["--group-loss", "0.9"]),
            ("suppression limit", MODELS[0].split() + ["--suppression-limit", "0.1"]),
            ("suppressed exempt", ["--suppressed", "exempt"]),
            ("drop suppressed", ["--drop-suppressed"]),
            ("memory limit", ["--memory-limit", "1M"]),
            ("domain data", ["--domain", "data"]),
            ("max level", ["--max-level", "age=2"]),
            ("weights height", ["--weights", "height"]),
            ("priority", ["--priority", "zip=0.2"]),
            ("threads 1", ["--threads", "1"]),
            ("threads 3", ["--threads", "3"]),
            ("entity", ["--entity", "name"]),
            ("two models", MODELS[0].split() + MODELS[3].split()),
            ("utf-16", ["--output-encoding", "utf-16"]),
            ("protection", ["--param", "w_u=0.5"]),
        ]:
            if name in ("suppression limit", "two models", "protection"):
                more = more + ["--sensitive", "disease"]
            self.run("shoal", name, whole, self.persons(*more))
        self.run("shoal", "rest keep", gaps, self.persons(rest="keep"))
        self.run("shoal", "shuffled", whole, self.persons("--row-order", "shuffle"), True)
        self.run("shoal", "gzip", whole, self.persons(), out="release.csv.gz")
        self.add(
            "shoal",
            "bound",
            ["anonymize", whole, "-o", "release.csv", *self.persons()],
        )
        self.add(
            "shoal",
            "pseudonyms",
            ["key", "pseudonyms.key"],
            ["anonymize", whole, "-o", "release.csv", "--pseudonym", "id"]
            + self.persons("--key", "pseudonyms.key"),
            is_random=True,
        )
        for method in ("optimal", "incognito", "samarati", "datafly", "iack"):
            if method in self.methods:
                levels = ["--levels-out", "levels.json", *NEEDS.get(method, [])]
                self.run(method, "levels", whole, self.persons(*levels))
        columns = "zip,age,sex,race,education".split(",")
        counts = self.tables.counted(whole, columns)
        for method in ("shoal", "mondrian", "kmembers", "datafly", "optimal"):
            if method in self.methods:
                self.add(
                    method,
                    "counts and mapping",
                    ["anonymize", counts, "--counts", "n", "--mapping", "mapping.csv"]
                    + ["-a", method, "--no-bound", *self.persons()],
                )

    def series(self, rows, seed):
        """Three releases of a table that loses and gains rows: releases, key and state."""
        whole, _ = self.tables.persons(rows, seed)
        parts = [
            self.tables.part(whole, i * rows // 10, (6 + 2 * i) * rows // 10, "series-%d.csv" % i)
            for i in range(3)
        ]
        for name, more in [
            ("series", []),
            ("series, pending star", ["--pending", "star"]),
            ("series, l-diversity", ["--l-diversity", "distinct:2"]),
            ("series, m-invariance", ["--m-invariance", "3"]),
        ]:
            commands = [
                ["anonymize", part, "-o", "release-%d.csv" % i, "--series", "state"]
                + ["--record-key", "id", "--sensitive", "disease", "--no-bound"]
                + (["--counterfeits-out", "counterfeits-%d.csv" % i] if "m-inv" in name else [])
                + self.persons(*more, k=3 if "m-inv" in name else 5)
                for i, part in enumerate(parts)
            ]
            self.add("series", name, *commands, is_random=True)

    def integers(self):
        sizes = [(400, 1, 4), (300, 2, 24)] if self.quick else [(3000, 1, 4), (1200, 2, 30)]
        for rows, seed, columns in sizes:
            table = self.tables.integers(rows, seed, columns)
            qid = ",".join("a%d" % (i + 1) for i in range(columns))
            where = "integers, %d rows, %d columns" % (rows, columns)
            for method in self.methods:
                if method not in NEEDS:
                    self.run(method, where, table, ["--qid", qid, "-k", "4", "--numeric", qid])
            for recoding in RECODINGS:
                self.run(
                    "shoal",
                    "%s, %s" % (where, recoding),
                    table,
                    ["--qid", qid, "-k", "4", "--numeric", qid, "--recoding", recoding],
                )

    def real(self):
        """Tables of DIR: the default method and the quick ones whole, every method on some rows."""
        adult = os.path.join(self.data, "adult", "adult.csv")
        qid = "age,workclass,education,marital-status,occupation,race,sex,native-country"
        if os.path.exists(adult):
            base = ["--null", "?", "--rest", "drop", "--qid", qid]
            base += ["--hierarchies", os.path.join(self.data, "adult", "hierarchies")]
            some = self.tables.part(adult, 0, 400 if self.quick else 2500, "adult-some.csv")
            for method in self.methods:
                if method not in NEEDS:
                    self.run(method, "adult, first rows", some, base + ["-k", "5"])
            for method in ("shoal", "mondrian", "datafly", "samarati", "oka"):
                for k in (10,) if self.quick else (3, 10, 50):
                    if method in self.methods and (k == 10 or method == "shoal"):
                        self.run(method, "adult, k=%d" % k, adult, base + ["-k", str(k)])
        for name, qid in [
            ("healthcare/healthcare.csv", None),
            ("microaggregation/tarragona.csv", None),
            ("microaggregation/census.csv", None),
            ("microaggregation/eia.csv", None),
            ("nist-acs/national2019.csv", None),
        ]:
            path = os.path.join(self.data, name)
            if not os.path.exists(path) or (self.quick and "micro" not in name):
                continue
            with open(path, encoding="utf-8") as file:
                columns = file.readline().rstrip("\n").split(",")
            roles = ["--qid", ",".join(columns[:10]), "--rest", "drop", "-k", "5"]
            self.run("shoal", name, path, roles)
            if "micro" in name:
                self.run("shoal", name + ", mean", path, roles + ["--recoding", "mean"])


def choices(parameter):
    """The values of a parameter that is one of some words; numbers are not guessed."""
    values = parameter["values"].split("|")
    if len(values) < 2 or any(" " in v or ".." in v or "," in v for v in values):
        return []
    return [v for v in values if v not in ("percent", "number", "rows", "given")]


def build_entropy(folder):
    """The library to preload, or None without a compiler."""
    source, library = os.path.join(folder, "entropy.c"), os.path.join(folder, "entropy.so")
    with open(source, "w", encoding="utf-8") as file:
        file.write(ENTROPY)
    compiler = os.environ.get("CC", "cc").split()
    try:
        subprocess.run(compiler + ["-shared", "-fPIC", "-o", library, source], check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return library


def digests(command, case, folder, library):
    """(statuses of the commands, digest of each file that they left)"""
    os.makedirs(folder)
    environment = dict(os.environ)
    if library:
        environment["LD_PRELOAD"] = library
    statuses = []
    for arguments in case.commands:
        done = subprocess.run(
            [command, *arguments] + ([] if arguments[0] == "key" else ["-q"]),
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
        )
        statuses.append(done.returncode)
    files = {}
    for where, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(where, name)
            with open(path, "rb") as file:
                digest = hashlib.sha256(file.read()).hexdigest()
            files[os.path.relpath(path, folder)] = digest
    return statuses, files


def compare(case, number, commands, folder, library):
    """'equal', 'refused' or what differs."""
    results = []
    for which, command in zip(("old", "new"), commands):
        # under one name: the state of a series has the paths of its releases
        place = os.path.join(folder, "%d" % number, "run")
        results.append(digests(command, case, place, library))
        os.rename(place, os.path.join(folder, "%d" % number, which))
    (old, old_files), (new, new_files) = results
    if old != new:
        return "exit %s, now %s" % (old, new)
    names = sorted({*old_files, *new_files})
    different = [n for n in names if old_files.get(n) != new_files.get(n)]
    if different:
        return "differ: " + ", ".join(different)
    shutil.rmtree(os.path.join(folder, "%d" % number))
    return "equal" if old_files and not any(old) else "refused"


def list_methods(commands):
    """Methods that both builds have, with the parameters of the old one."""
    texts = [subprocess.check_output([c, "algorithms", "--json"]) for c in commands]
    lists = [json.loads(text) for text in texts]
    old, new = ({m["name"]: m["params"] for m in some} for some in lists)
    for name in sorted(set(old) ^ set(new)):
        print("%s: only in the %s build" % (name, "old" if name in old else "new"))
    return {name: old[name] for name in old if name in new}


def print_table(outcomes):
    counts = {}
    for case, outcome in outcomes:
        row = counts.setdefault(case.method, {"equal": 0, "differ": 0, "refused": 0, "left out": 0})
        row[outcome if outcome in row else "differ"] += 1
    print("%-18s %7s %7s %9s %9s" % ("method", "equal", "differ", "refused", "left out"))
    for method, row in counts.items():
        print("%-18s %7d %7d %9d %9d" % (method, *row.values()))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("old")
    parser.add_argument("new")
    here = os.path.dirname(os.path.abspath(__file__))
    shared = os.path.join(here, "..", "..", "shared", "data")
    parser.add_argument("--data", default=os.environ.get("SHOAL_DATA", shared))
    parser.add_argument("--quick", action="store_true", help="fewer and smaller tables")
    parser.add_argument("--only", default="", help="only cases whose method or name has this text")
    parser.add_argument("--keep", help="a new folder for the files of cases that differ")
    parser.add_argument("--jobs", type=int, default=2, help="cases at a time")
    arguments = parser.parse_args()
    commands = [os.path.abspath(arguments.old), os.path.abspath(arguments.new)]

    with tempfile.TemporaryDirectory(prefix="compare-releases-") as scratch:
        folder = os.path.abspath(arguments.keep) if arguments.keep else scratch
        library = build_entropy(scratch)
        tables = Tables(commands[0], scratch)
        cases = Cases(tables, list_methods(commands), arguments.quick, arguments.data)
        sizes = [(150, 1)] if arguments.quick else [(150, 1), (700, 2), (1500, 3), (4000, 4)]
        cases.every_method(sizes)
        cases.default_method(*(200, 5) if arguments.quick else (1200, 5))
        cases.series(*(200, 6) if arguments.quick else (1000, 6))
        cases.integers()
        cases.real()
        chosen = [c for c in cases.list if arguments.only in c.method + ": " + c.name]

        def judge(numbered):
            number, case = numbered
            if case.is_random and library is None:
                return "left out"
            return compare(case, number, commands, folder, library)

        outcomes = []
        with ThreadPoolExecutor(arguments.jobs) as pool:
            for case, outcome in zip(chosen, pool.map(judge, enumerate(chosen))):
                outcomes.append((case, outcome))
                if outcome != "equal":
                    print("%s: %s: %s" % (case.method, case.name, outcome), flush=True)
        print_table(outcomes)
    n_equal = sum(outcome == "equal" for _, outcome in outcomes)
    n_differ = sum(o not in ("equal", "refused", "left out") for _, o in outcomes)
    print("%d equal, %d differ" % (n_equal, n_differ))
    sys.exit(n_differ > 0)


main()
