# SPDX-License-Identifier: Apache-2.0
"""threads.py SHOAL - two releases of a series have the same bytes, state included, for any number
of threads.

Tables of several blocks, with quotes, line feeds in fields, blank lines and both line ends; rows
that are erased, corrected and new. What is passed on is compared with the table by Python's csv
module.
"""

import csv
import io
import os
import random
import shutil
import subprocess
import sys
import tempfile

ROWS = 40000
TEXTS = ["plain", 'say "hi"', "a,b", "two\nlines", " blanks ", ""]


def draw(rng, key):
    return [
        str(key),
        str(rng.randrange(18, 90)),
        rng.choice("MF"),
        "%05d" % rng.randrange(48000, 48030),
        rng.choice(["flu", "cold", "ulcer"]),
        rng.choice(TEXTS),
        "n%d" % key,
    ]


def write(path, rows, line_end, rng):
    with open(path, "w", newline="") as file:
        file.write("id,age,sex,zip,ill,text,note" + line_end)
        for row in rows:
            line = io.StringIO()
            csv.writer(line, lineterminator=line_end).writerow(row)
            file.write(line.getvalue())
            if rng.random() < 0.001:
                file.write(line_end)


def release(shoal, folder, table, out, state, threads):
    words = [
        shoal,
        "anonymize",
        table,
        "-o",
        out,
        "--series",
        state,
        "--record-key",
        "id",
        "--qid",
        "age,sex,zip",
        "--sensitive",
        "ill",
        "--rest",
        "keep",
        "-k",
        "5",
        "--categorical",
        "zip",
        "--effort",
        "0",
        "--threads",
        str(threads),
        "-q",
        "--force",
    ]
    done = subprocess.run(
        words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True
    )
    return done.returncode, done.stderr


def read(folder, name):
    with open(os.path.join(folder, name), "rb") as file:
        return file.read()


def check_rows(folder, out, rows, n_least):
    """Rows of the release are rows of the table, in its order, with what was passed on."""
    by_note = {row[-1]: (place, row) for place, row in enumerate(rows)}
    with open(os.path.join(folder, out), newline="") as file:
        released = list(csv.DictReader(file))
    last = -1
    for row in released:
        place, original = by_note[row["note"]]
        assert place > last, "the order of rows has changed"
        assert [row["ill"], row["text"]] == original[4:6], "what is passed on has changed"
        last = place
    assert len(released) >= n_least, "%d rows" % len(released)


def trial(shoal, folder, line_end):
    rng = random.Random(3)
    rows = [draw(rng, key) for key in range(ROWS)]
    write(os.path.join(folder, "t1.csv"), rows, line_end, rng)
    rows = [row for row in rows if rng.random() > 0.01]
    for row in rows:
        if rng.random() < 0.01:
            row[1] = str(rng.randrange(18, 90))
    rows += [draw(rng, ROWS + key) for key in range(2000)]
    write(os.path.join(folder, "t2.csv"), rows, line_end, rng)
    assert release(shoal, folder, "t1.csv", "r1.csv", "first", 3)[0] == 0
    results = []
    for threads in (1, 2, 5):
        shutil.rmtree(os.path.join(folder, "state"), ignore_errors=True)
        shutil.copytree(os.path.join(folder, "first"), os.path.join(folder, "state"))
        code, err = release(shoal, folder, "t2.csv", "r2.csv", "state", threads)
        assert code == 0, err
        results.append((read(folder, "r2.csv"), read(folder, "state/state")))
        if threads == 1:
            check_rows(folder, "r2.csv", rows, ROWS // 2)
    assert results[0] == results[1] == results[2], "the bytes depend on the number of threads"
    write(os.path.join(folder, "twice.csv"), rows + [rows[17], rows[39]], line_end, rng)
    said = {release(shoal, folder, "twice.csv", "r3.csv", "state", threads) for threads in (1, 5)}
    assert (
        len(said) == 1
        and "rows 18 and %d have the same record key" % (len(rows) + 1) in next(iter(said))[1]
    ), said


def main():
    shoal = os.path.abspath(sys.argv[1])
    for line_end in ("\n", "\r\n"):
        folder = tempfile.mkdtemp(prefix="shoal-series-")
        try:
            trial(shoal, folder, line_end)
        finally:
            shutil.rmtree(folder)
    print("releases and states of %d rows: the same bytes with 1, 2 and 5 threads" % ROWS)


if __name__ == "__main__":
    main()
