# SPDX-License-Identifier: Apache-2.0
"""invariance.py SHOAL [FIRST] [COUNT] - random histories of a table that changes, released by
`shoal anonymize --series --m-invariance`.

The reader shares nothing with the engine. One quasi-identifier, `tag`, is different for each record
and has no hierarchy, so the set that a group publishes for it names the records in the group:
`{r1|r4}`. All the rest follows by brute force: each group has at least m rows, all of different
values; each record is in one group, which covers it and has its value; the rows of a group that are
rows without a record are as many as the table of counterfeits says; each record that is published
again is in a group of the same values, also after it was away, as long as its value is among them.
Records come, leave, come back, and are corrected. Releases that each begin a series of their own
must break the last rule, or this test could not.
"""

import csv
import json
import os
import random
import subprocess
import sys
import tempfile

import reader

ILLS = ["flu", "cold", "ulcer", "none", "cough", "gout", "acne", "a,b"]
RELEASES = 12


class Table:
    def __init__(self, rng, size):
        self.rng, self.rows, self.away, self.next = rng, {}, {}, 0
        self.ills = ILLS[: rng.choice([4, 6, len(ILLS)])]
        self.weights = [rng.choice([1, 1, 1, 3]) for _ in self.ills]
        self.insert(size)

    def person(self):
        return {
            "age": self.rng.randrange(18, 80),
            "sex": self.rng.choice("MF"),
            "ill": self.rng.choices(self.ills, self.weights)[0],
        }

    def insert(self, n):
        for _ in range(n):
            self.rows["r%d" % self.next] = self.person()
            self.next += 1

    def change(self):
        rng, share = self.rng, self.rng.choice([0, 0.05, 0.2, 0.5])
        for key in [key for key in self.away if rng.random() < 0.3]:
            self.rows[key] = self.away.pop(key)
        for key in [key for key in self.rows if rng.random() < share]:
            self.away[key] = self.rows.pop(key)
        for row in self.rows.values():
            if rng.random() < 0.05:
                field = rng.choice(["age", "ill"])
                row[field] = self.person()[field]
        self.insert(rng.choice([0, 1, 3, 8, 20]))

    def write(self, path):
        with open(path, "w", newline="") as file:
            out = csv.writer(file)
            out.writerow(["id", "age", "tag", "ill", "sex"])
            for key, row in self.rows.items():
                out.writerow([key, row["age"], key, row["ill"], row["sex"]])


def run(shoal, *args):
    done = subprocess.run(
        [shoal, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True
    )
    return done.returncode, done.stdout, done.stderr


def members(text, table):
    if text == "*":
        return list(table.rows)
    return text[1:-1].split("|") if text.startswith("{") else [text]


def covers(text, number):
    if text == "*":
        return True
    low, _, high = text.strip("[]").partition("..")
    return int(low) <= number <= int(high or low)


def read_groups(path):
    groups = {}
    for row in reader.read(path):
        groups.setdefault(row["group"], []).append(row)
    return groups


def look(table, groups, counterfeits, m):
    """Everything that one release must hold; returns the signature of each record."""
    signatures, counted = {}, {row["group"]: int(row["count"]) for row in reader.read(counterfeits)}
    assert all(count > 0 for count in counted.values())
    for number, rows in groups.items():
        values = [row["ill"] for row in rows]
        assert len(rows) >= m and len(set(values)) == len(values), (
            "group %s is not m-unique" % number
        )
        for name in ("age", "sex", "tag"):
            assert len({row[name] for row in rows}) == 1, "a group publishes two texts"
        inside = members(rows[0]["tag"], table)
        own = [table.rows[key]["ill"] for key in inside]
        assert len(set(own)) == len(own) and set(own) <= set(
            values
        ), "records of a group have a value twice, or one that it lacks"
        assert counted.pop(number, 0) == len(rows) - len(inside), (
            "the counterfeits of group %s are not counted right" % number
        )
        for key in inside:
            assert covers(rows[0]["age"], table.rows[key]["age"])
            assert rows[0]["sex"] in (table.rows[key]["sex"], "*", "{F|M}")
            assert key not in signatures, "a record is in two groups"
            signatures[key] = frozenset(values)
    assert not counted, "counterfeits of groups that are not there"
    return signatures


def broken(history):
    """Records whose signature changed although it had their value; `history` is a list of ({record:
    signature}, {record: value}).
    """
    kept, found = {}, 0
    for signatures, values in history:
        for key, signature in signatures.items():
            found += key in kept and values[key] in kept[key] and signature != kept[key]
            kept[key] = signature
    return found


def history(shoal, seed, folder, renews):
    rng = random.Random(seed)
    m = rng.choice([2, 3, 4])
    table, seen, files, fakes = Table(rng, rng.choice([30, 90])), [], [], 0
    for number in range(1, RELEASES + 1):
        source, target, second = (
            os.path.join(folder, name % number) for name in ("t%d.csv", "r%d.csv", "c%d.csv")
        )
        state = os.path.join(folder, "state%d" % number if renews else "state")
        table.write(source)
        code, out, err = run(
            shoal,
            "anonymize",
            source,
            "-o",
            target,
            "--counterfeits-out",
            second,
            "--series",
            state,
            "--record-key",
            "id",
            "--qid",
            "age,sex,tag",
            "--numeric",
            "age",
            "--sensitive",
            "ill",
            "-k",
            "2",
            "--m-invariance",
            str(m),
            "--json",
        )
        assert code == 0 or (code == 3 and not seen), "seed %d, release %d: exit %d: %s" % (
            seed,
            number,
            code,
            err,
        )
        if code == 0:
            entry, groups = json.loads(out), read_groups(target)
            signatures = look(table, groups, second, m)
            rows = sum(len(rows) for rows in groups.values())
            assert (
                entry["published"] == len(signatures)
                and entry["counterfeits"] == rows - len(signatures)
                and entry["groups"] == len(groups)
            ), entry
            assert (
                entry["pending"] == len(table.rows) - len(signatures) and entry["m_invariance"] == m
            ), entry
            assert entry["min_records"] == min(
                len(members(rows[0]["tag"], table)) for rows in groups.values()
            ), entry
            seen.append((signatures, {key: row["ill"] for key, row in table.rows.items()}))
            files.append(target)
            fakes += entry["counterfeits"]
        table.change()
    if not renews and files:
        code, out, err = run(shoal, "series", "check", state, *files)
        assert code == 0, "seed %d: series check: %s%s" % (seed, out, err)
    return broken(seen), fakes


def main():
    shoal, first, count = (
        sys.argv[1],
        int(sys.argv[2]) if len(sys.argv) > 2 else 1,
        int(sys.argv[3]) if len(sys.argv) > 3 else 10,
    )
    fakes, breaks = 0, 0
    for seed in range(first, first + count):
        with tempfile.TemporaryDirectory() as folder:
            found, made = history(shoal, seed, folder, renews=False)
            assert found == 0, "seed %d: %d records changed their signature" % (seed, found)
            fakes += made
        if seed % 5 == 0:
            with tempfile.TemporaryDirectory() as folder:
                breaks += history(shoal, seed, folder, renews=True)[0]
    assert fakes > 0, "no history needed a counterfeit: the test shows too little"
    assert (
        count < 5 or breaks > 0
    ), "independent releases keep signatures: this test cannot fail"
    print(
        "%d histories, %d counterfeits; %d signatures changed without a series"
        % (count, fakes, breaks)
    )


main()
