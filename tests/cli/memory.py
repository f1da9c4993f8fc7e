#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""memory.py SHOAL [--rows N] [--only METHOD,...] [--seconds S] - is --memory-limit kept by every
method, or refused before the work starts?

Each method releases an invented census table with several limits: as much as all rows need, as the
library reckons it, then seven tenths, a half, a quarter and an eighth of that. The most anonymous
memory that /proc shows (RssAnon, looked at every 3 ms) must be at most 10 % above the limit, or the
run must end with an error before the first method has begun. The loader, the C library and the
threads' stacks are there before the first row is:
what `shoal explain k` takes is measured in the same way and not counted. Then every method runs on
tables whose texts are all distinct, whose numbers are, and with thirty columns, at three sizes,
without a limit, where the most memory must be at most 1.1 times the
estimate (docs/performance.md), and with half of the estimate as a limit, which must be held or
refused. Prints a table for docs/reliability.md and a count.
"""

import argparse, json, os, random, re, subprocess, sys, tempfile, time

QUASI = "age,sex,race,marital-status,education,workclass,occupation"
# as src/table/csv_count.c reckons
BYTES_A_ROW, BYTES_A_CELL, BYTES_A_SENSITIVE, BYTES_WITHOUT_ROWS = 128, 20, 60, 3 << 20
# Methods, what they need besides, and, for those whose time grows with the square of the rows, a
# smaller share of the rows.
METHODS = {
    "shoal": ("", 1),
    "shoal, bound": ("bound", 1),
    "shoal, range-diversity": (
        "--sensitive income --param objective=range-diversity --param w_u=0.5",
        1 / 8,
    ),
    "shoal, l-diversity": ("--sensitive disease --l-diversity distinct:3", 1),
    "shoal, shuffled": ("--row-order shuffle", 1),
    "shoal, packed": ("packed", 1),
    "shoal, numbers": ("numbers", 2),
    "kmembers": ("", 1 / 4),
    "kmembers-p": ("--sensitive income", 1 / 20),
    "oka": ("", 1 / 20),
    "mondrian": ("", 1),
    "mondrian-relaxed": ("", 1),
    "infogain-mondrian": ("--class salary-class", 1),
    "kaca": ("", 1 / 4),
    "koc": ("", 1 / 8),
    "kmeans": ("", 1 / 8),
    "dbca": ("", 1 / 4),
    "dbca-cm": ("--class salary-class", 1 / 8),
    "iack": ("--class salary-class", 1),
    "iacc": ("--class salary-class", 1),
    "optimal": ("", 1),
    "incognito": ("", 1),
    "samarati": ("", 1),
    "datafly": ("", 1),
    "datafly, drop": ("--drop-suppressed --param suppression=0.05", 1),
    "toc": ("--sensitive income", 1 / 8),
    "upc": ("--sensitive income --param U=0.5 --param P=0.5", 1 / 8),
    "anatomy": ("--sensitive disease --param l=2 --sensitive-out second.csv", 1),
    "personalised": ("--sensitive disease --param breach=0.5 --param guard=level:1", 1),
    "shoal, entity": ("--entity name", 1),
}


# all-distinct tables: columns, and the smallest number of rows
DISTINCT = {"texts": (3, 2000), "numbers": (4, 2000), "wide": (30, 1000)}
# what methods need on those; personalised needs a hierarchy, full-domain methods few columns
GIVEN = {
    "infogain-mondrian": "--class y",
    "dbca-cm": "--class y",
    "iack": "--class y",
    "iacc": "--class y",
    "kmembers-p": "--sensitive s",
    "toc": "--sensitive s",
    "upc": "--sensitive s --param U=0.9 --param P=0.9",
    "anatomy": "--sensitive s --param l=2 --sensitive-out second.csv",
}
NARROW = ("optimal", "incognito", "samarati")


def anonymous_memory(pid):
    try:
        with open("/proc/%d/status" % pid) as file:
            found = re.search(r"RssAnon:\s*(\d+)", file.read())
        return int(found.group(1)) * 1024 if found else 0
    except OSError:
        return 0


def run(words, folder, seconds):
    """Exit code, or None when time was over; the most memory; the output."""
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(
            words,
            cwd=folder,
            stdout=subprocess.DEVNULL,
            stderr=said,
            env=dict(os.environ, OMP_WAIT_POLICY="passive"),
        )
        most, end = 0, time.time() + seconds
        while process.poll() is None and time.time() < end:
            most = max(most, anonymous_memory(process.pid))
            time.sleep(0.003)
        code = process.poll()
        if code is None:
            process.kill()
            process.wait()
        said.seek(0)
        return code, most, said.read().decode("utf-8", "replace")


class Trial:
    def __init__(self, shoal, folder, rows, seconds):
        self.shoal, self.folder, self.rows, self.seconds, self.failed, self.n = (
            shoal,
            folder,
            rows,
            seconds,
            0,
            0,
        )
        self.program = run([shoal, "explain", "k"], folder, 10)[1]

    def table(self, rows):
        name = "t%d.csv" % rows
        if not os.path.exists(os.path.join(self.folder, name)):
            subprocess.run(
                [
                    self.shoal,
                    "generate",
                    "census",
                    "--rows",
                    str(rows),
                    "--seed",
                    "1",
                    "-o",
                    name,
                    "-q",
                    "--hierarchies-out",
                    "trees",
                    "--force",
                ],
                cwd=self.folder,
                check=True,
            )
        return name

    def pack(self, table):
        if not os.path.exists(os.path.join(self.folder, table + ".gz")):
            subprocess.run(["gzip", "-k", "-1", table], cwd=self.folder, check=True)
        return table + ".gz"

    def numbers(self, rows):
        """Four columns of many numbers, each tuple six times: nearly every group has ranges of its
        own.
        """
        rng = random.Random(1)
        tuples = [
            ",".join(str(rng.randrange(1000)) for _ in range(4)) for _ in range(rows // 6)
        ] * 6
        rng.shuffle(tuples)
        with open(os.path.join(self.folder, "numbers.csv"), "w", encoding="ascii") as file:
            file.write("a,b,c,d\n" + "\n".join(tuples) + "\n")
        return "numbers.csv"

    def words(self, label, more, table, limit):
        method = label.split(",")[0]
        if more == "numbers":
            return [
                self.shoal,
                "anonymize",
                table,
                "-o",
                "out.csv",
                "--force",
                "-k",
                "20",
                "--effort",
                "1",
                "--qid",
                "a,b,c,d",
                "-q",
                "--threads",
                "2",
                "--no-bound",
                "--memory-limit",
                str(limit),
            ]
        bound = [] if more == "bound" or method != "shoal" else ["--no-bound"]
        given = [] if more in ("bound", "packed") else more.split()
        if more == "packed":
            table = self.pack(table)
        rest = ["--hierarchies", "trees", "--rest", "drop"]
        return (
            [
                self.shoal,
                "anonymize",
                table,
                "-o",
                "out.csv",
                "--force",
                "-k",
                "10",
                "-a",
                method,
                "--qid",
                QUASI,
                "-q",
                "--threads",
                "2",
                "--memory-limit",
                str(limit),
            ]
            + rest
            + bound
            + given
        )

    def distinct(self, kind, rows):
        columns, rng = DISTINCT[kind][0], random.Random(1)
        name = "%s%d.csv" % (kind, rows)
        if os.path.exists(os.path.join(self.folder, name)):
            return name
        of = {
            "texts": lambda: "u%09d" % rng.randrange(10**9),
            "numbers": lambda: str(rng.randrange(10**6)),
            "wide": lambda: str(rng.randrange(12)),
        }[kind]
        with open(os.path.join(self.folder, name), "w", encoding="ascii") as file:
            file.write(",".join("c%d" % c for c in range(columns)) + ",s,y\n")
            for _ in range(rows):
                cells = [of() for _ in range(columns)]
                file.write(",".join(cells + [rng.choice("abcd"), rng.choice("pq")]) + "\n")
        return name

    def estimate(self, method, kind, table):
        """As docs/performance.md says; k = 10."""
        with open(os.path.join(self.folder, table), encoding="ascii") as file:
            lines = [line.rstrip("\n").split(",") for line in file][1:]
        columns, more = DISTINCT[kind][0], GIVEN.get(method, "")
        encoded = list(range(columns))
        encoded += [columns] * ("--sensitive" in more) + [columns + 1] * ("--class" in more)
        values = [len({line[c] for line in lines}) for c in encoded]
        sets = 0 if kind == "numbers" else sum(values[:columns])
        cost = self.costs[method]
        n, groups = len(lines), len(lines) // 10
        letters = [sum(len(line[c]) for line in lines) / n for c in range(columns)]
        texts = BYTES_WITHOUT_ROWS + n * 64 + sum(values) * 80 + columns * groups * 260
        if kind != "numbers":  # the sets of groups, as src/pipeline/verify_memory.c reckons
            texts += sum(
                groups * 1.5 * min(10, v) * (16 + 10 * (length + 1))
                for v, length in zip(values, letters)
            )
        search = (
            BYTES_WITHOUT_ROWS
            + len(lines) * (cost["bytes_per_row"] + cost["bytes_per_cell"] * len(encoded))
            + sum(values) * cost["bytes_per_value"]
            + cost["box_per_group"] * groups * sets // 8
        )
        return int(max(search, texts))

    def contract(self, method, kind):
        """Three sizes, each without a limit and with half of the estimate."""
        columns, least = DISTINCT[kind]
        for rows in (least, least * 3, least * 9):
            table = self.distinct(kind, rows)
            need = self.estimate(method, kind, table)
            words = [self.shoal, "anonymize", table, "-o", "out.csv", "--force", "-k", "10", "-q"]
            words += ["-a", method, "--qid", ",".join("c%d" % c for c in range(columns))]
            words += ["--rest", "drop", "--threads", "2"] + GIVEN.get(method, "").split()
            words += ["--numeric", words[words.index("--qid") + 1]] if kind == "numbers" else []
            words += ["--no-bound"]
            for limit in (None, need // 2):
                extra = [] if limit is None else ["--memory-limit", str(limit)]
                code, most, said = run(words + extra, self.folder, self.seconds)
                most = max(0, most - self.program)
                refused = code in (1, 2) and "memory" in said and limit is not None
                bad = most > 1.1 * (need if limit is None else limit)
                bad = bad or not (code in (0, 3, 5, None) or refused)
                self.n += 1
                self.failed += bad
                what = "refused" if refused else "exit %s" % code
                print(
                    "| %s, %s | %d | %.1f | %s | %.1f |%s"
                    % (
                        method,
                        kind,
                        rows,
                        (need if limit is None else limit) / 1e6,
                        "estimate, " + what if limit is None else what,
                        most / 1e6,
                        " **too much**" if bad else "",
                    ),
                    flush=True,
                )

    def contracts(self, only):
        listed = subprocess.run([self.shoal, "algorithms", "--json"], capture_output=True)
        self.costs = {row["name"]: row["cost"] for row in json.loads(listed.stdout)}
        for method in self.costs:
            for kind in DISTINCT:
                if method == "personalised" or (kind == "wide" and method in NARROW):
                    continue
                if only is None or method in only.split(";"):
                    self.contract(method, kind)

    def method(self, label):
        more, share = METHODS[label]
        rows = max(5000, int(self.rows * share))
        table = self.numbers(rows) if more == "numbers" else self.table(rows)
        n_encoded = (
            4
            if more == "numbers"
            else len(QUASI.split(","))
            + ("--sensitive" in more)
            + ("--class" in more)
            + ("--entity" in more)
        )
        need = (
            rows
            * (BYTES_A_ROW + BYTES_A_CELL * n_encoded + BYTES_A_SENSITIVE * ("--sensitive" in more))
            + BYTES_WITHOUT_ROWS
        )
        for part in (1.05, 0.7, 0.5, 0.25, 0.125):
            limit = int(need * part)
            code, most, said = run(self.words(label, more, table, limit), self.folder, self.seconds)
            most = max(0, most - self.program)
            self.n += 1
            what = (
                "done"
                if code == 0
                else (
                    "not ended in %d s" % self.seconds
                    if code is None
                    else "refused" if "memory" in said else "exit %d" % code
                )
            )
            bad = most > 1.1 * limit or what.startswith("exit")
            self.failed += bad
            print(
                "| %s | %d | %.1f | %s | %.1f |%s"
                % (label, rows, limit / 1e6, what, most / 1e6, " **too much**" if bad else ""),
                flush=True,
            )
            if what.startswith("exit"):
                print(said[-300:])
            if what == "refused":
                break


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("shoal")
    parser.add_argument("--rows", type=int, default=300000)
    parser.add_argument("--only")
    parser.add_argument("--distinct", action="store_true", help="only the all-distinct tables")
    parser.add_argument("--seconds", type=int, default=240)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="shoal-memory-") as folder:
        trial = Trial(os.path.abspath(given.shoal), folder, given.rows, given.seconds)
        print("| method | rows | limit, MB | what happens | most, MB |\n|---|---|---|---|---|")
        for label in METHODS:
            if (
                given.only is None
                or label in given.only.split(";")
                or label.split(",")[0] in given.only.split(";")
            ):
                if not given.distinct:
                    trial.method(label)
        trial.contracts(given.only)
        print(
            "\n%d runs, %d failed; the program itself: %.1f MB"
            % (trial.n, trial.failed, trial.program / 1e6)
        )
        sys.exit(trial.failed > 0)


main()
