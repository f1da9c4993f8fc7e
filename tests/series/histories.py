# SPDX-License-Identifier: Apache-2.0
"""histories.py SHOAL [FIRST] [COUNT] - random histories of a table that changes, released by `shoal
anonymize --series`.

Each history has 20 releases of insertions, erasures, corrections of quasi-identifiers and of
sensitive values, and a series of its own. Then reader.py looks at every pair of releases: none may
differ by what misses k or a model, nor by rows that do. Besides: rows that were published keep
their published values, what is not published is counted, and `shoal series check` finds nothing.
Histories that are released independently each time, without a series, must show differences that
fail, or this test could not.
"""

import csv
import json
import os
import random
import subprocess
import sys
import tempfile

import reader

MODELS = [
    ([], []),
    (["--l-diversity", "distinct:2"], [(reader.distinct, 2)]),
    (["--l-diversity", "distinct:3"], [(reader.distinct, 3)]),
    (["--l-diversity", "entropy:1.8"], [(reader.entropy, 1.8)]),
    (["--l-diversity", "recursive:3,2"], [(reader.recursive, 3, 2)]),
    (["--alpha", "0.7"], [(reader.alpha, 0.7)]),
    (["--alpha", "0.75", "--p-sensitive", "2"], [(reader.alpha, 0.75), (reader.distinct, 2)]),
]
ALGORITHMS = ["shoal", "mondrian", "kmembers", "datafly", "oka"]
QID = ["age", "sex", "zip"]
ILLS = ["flu", "cold", "ulcer", "none", "cough"]
RELEASES = 20


class Table:
    def __init__(self, rng, size, coarse):
        self.rng, self.coarse, self.rows, self.next = rng, coarse, {}, 0
        self.insert(size)

    def person(self):
        ages = [20, 30, 40] if self.coarse else range(18, 80)
        zips = ["48101", "48202"] if self.coarse else [
            "48101", "48102", "48103", "48201", "48202", "49101",
        ]
        return {
            "age": str(self.rng.choice(ages)),
            "sex": self.rng.choice("MF"),
            "zip": self.rng.choice(zips),
            "ill": self.rng.choice(ILLS),
        }

    def insert(self, n):
        for _ in range(n):
            self.rows["r%d" % self.next] = self.person()
            self.next += 1

    def change(self):
        rng = self.rng
        share = rng.choice([0, 0.02, 0.05, 0.2])
        for key in [key for key in self.rows if rng.random() < share]:
            del self.rows[key]
        for key in self.rows:
            if rng.random() < 0.03:
                field = rng.choice(QID + ["ill"])
                self.rows[key][field] = self.person()[field]
        self.insert(rng.choice([0, 1, 3, 8, 20, 40]))

    def write(self, path):
        keys = list(self.rows)
        if self.rng.random() < 0.5:
            self.rng.shuffle(keys)
        with open(path, "w", newline="") as file:
            out = csv.writer(file)
            out.writerow(["id", *QID, "ill", "tag"])
            for key in keys:
                row = self.rows[key]
                out.writerow([key, *(row[q] for q in QID), row["ill"], key])


def run(shoal, *args):
    done = subprocess.run(
        [shoal, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True
    )
    return done.returncode, done.stdout, done.stderr


def check_rows(entry, rows, table, before):
    """Counts add up, and what was published before and still is has the same values."""
    assert entry["published"] == len(rows), entry
    assert entry["rows"] == len(table.rows), entry
    assert entry["rows"] == entry["published"] + entry["withheld"] + entry["pending"], entry
    for row in rows:
        old = before.get(row["tag"])
        now = table.rows[row["tag"]]
        if old is not None and all(old[q] == row[q] for q in QID):
            continue
        if old is not None:
            assert entry["corrected"] > 0, "a row changed its published values without a correction"
        assert row["ill"] == now["ill"]


def history(shoal, seed, folder):
    rng = random.Random(seed)
    k, (flags, models) = rng.choice([2, 3, 4]), rng.choice(MODELS)
    algorithm, coarse = rng.choice(ALGORITHMS), rng.random() < 0.4
    table = Table(rng, rng.choice([40, 120]), coarse)
    releases, files, before, withdrawn = [], [], {}, 0
    for number in range(1, RELEASES + 1):
        source, target = os.path.join(folder, "t.csv"), os.path.join(folder, "r%d.csv" % number)
        table.write(source)
        code, out, err = run(
            shoal,
            "anonymize",
            source,
            "-o",
            target,
            "--series",
            os.path.join(folder, "state"),
            "--record-key",
            "id",
            "--qid",
            ",".join(QID),
            "--sensitive",
            "ill",
            "--other",
            "tag",
            "-k",
            str(k),
            "--algorithm",
            algorithm,
            "--pending",
            rng.choice(["withhold", "star"]),
            "--json",
            *flags,
        )
        assert code == 0 or (
            code == 3 and (not releases or "has no rows" in err)
        ), "seed %d, release %d: exit %d: %s" % (seed, number, code, err)
        if code == 3:  # nothing can be published: too few rows, or all would have to be withdrawn
            table.change()
            continue
        entry = json.loads(out)
        rows = reader.read(target)
        check_rows(entry, rows, table, before)
        before = {row["tag"]: row for row in rows}
        withdrawn += entry["withdrawn"]
        releases.append(rows)
        files.append(target)
        table.change()
    if not releases:
        return 0, 0
    found = reader.failures(releases, QID, ["ill"], k, models)
    assert not found, "seed %d: %d differences fail, the first: %s" % (seed, len(found), found[0])
    code, out, err = run(shoal, "series", "check", os.path.join(folder, "state"), *files)
    assert code == 0, "seed %d: series check: exit %d: %s%s" % (seed, code, out, err)
    code, out, err = run(
        shoal,
        "check",
        files[-1],
        *(word for file in files[:-1] for word in ("--after", file)),
        "--qid",
        ",".join(QID),
        "--sensitive",
        "ill",
        "-k",
        str(k),
        *flags,
    )
    assert code == 0, "seed %d: check --after: exit %d: %s%s" % (seed, code, out, err)
    return len(releases), withdrawn


def independent(shoal, seed, folder):
    """Releases made without a series: how many differences fail?"""
    rng = random.Random(seed)
    table, releases = Table(rng, 120, False), []
    for number in range(4):
        source, target = os.path.join(folder, "t.csv"), os.path.join(folder, "i%d.csv" % number)
        table.write(source)
        code, _, err = run(
            shoal,
            "anonymize",
            source,
            "-o",
            target,
            "--identifier",
            "id",
            "--qid",
            ",".join(QID),
            "--sensitive",
            "ill",
            "--other",
            "tag",
            "-k",
            "3",
            "--no-bound",
            "-q",
        )
        assert code == 0, err
        releases.append(reader.read(target))
        table.insert(5)
    return len(reader.failures(releases, QID, ["ill"], 3, []))


def main():
    shoal = os.path.abspath(sys.argv[1])
    first, count = int(sys.argv[2]) if len(sys.argv) > 2 else 1, (
        int(sys.argv[3]) if len(sys.argv) > 3 else 10
    )
    n_releases = n_withdrawn = 0
    for seed in range(first, first + count):
        with tempfile.TemporaryDirectory() as folder:
            n, withdrawn = history(shoal, seed, folder)
            n_releases, n_withdrawn = n_releases + n, n_withdrawn + withdrawn
    with tempfile.TemporaryDirectory() as folder:
        n_failing = independent(shoal, first, folder)
    assert n_failing > 0, "the reader finds nothing where there is something"
    assert n_releases > 0 and n_withdrawn > 0, "the histories were too tame"
    print(
        "%d histories, %d releases: no pair differs by what misses k or a model; %d rows withdrawn;"
        " without a series %d differences fail" % (count, n_releases, n_withdrawn, n_failing)
    )


if __name__ == "__main__":
    main()
