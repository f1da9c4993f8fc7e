# SPDX-License-Identifier: Apache-2.0
"""attack.py SHOAL - the intersection attack (`shoal attack --only intersection`) on releases of a
table that changes.

On a series it must find no person who is left with fewer than k candidates or one sensitive value;
on releases of the same tables that were made independently of each other it must find some. Persons
come and go; no record is corrected (docs/series.md says what is known of those).
"""

import json
import os
import random
import sys
import tempfile

from histories import QID, Table, run


def release_all(shoal, tables, folder, flags):
    files = []
    for number, table in enumerate(tables):
        source, target = os.path.join(folder, "t.csv"), os.path.join(
            folder, "r%d%s.csv" % (number, "s" if "--series" in flags else "i")
        )
        with open(source, "w") as file:
            file.write(table)
        code, _, err = run(
            shoal,
            "anonymize",
            source,
            "-o",
            target,
            "--qid",
            ",".join(QID),
            "--sensitive",
            "ill",
            "--other",
            "tag",
            "-k",
            "4",
            "--l-diversity",
            "distinct:2",
            "-q",
            *flags,
        )
        assert code == 0, err
        files.append(target)
    return files


def attack(shoal, original, files):
    code, out, err = run(
        shoal,
        "attack",
        original,
        *files,
        "--qid",
        ",".join(QID),
        "--sensitive",
        "ill",
        "--identifier",
        "id",
        "--record-key",
        "tag",
        "-k",
        "4",
        "--only",
        "intersection",
        "--json",
    )
    assert code == 0, err
    found = [attack for attack in json.loads(out)["attacks"] if attack["name"] == "intersection"][0]
    return found


def main():
    shoal = os.path.abspath(sys.argv[1])
    n_found = {"series": 0, "independent": 0}
    for seed in (1, 2, 3):
        table, tables, everyone = Table(random.Random(seed), 150, False), [], {}
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "all.csv")
            for _ in range(5):
                table.write(path)
                with open(path) as file:
                    tables.append(file.read())
                everyone.update(table.rows)
                for key in [key for key in table.rows if table.rng.random() < 0.03]:
                    del table.rows[key]
                table.insert(table.rng.choice([2, 10, 25]))
            table.rows = everyone
            table.write(path)
            series = release_all(
                shoal,
                tables,
                folder,
                ["--series", os.path.join(folder, "state"), "--record-key", "id"],
            )
            alone = release_all(shoal, tables, folder, ["--identifier", "id", "--no-bound"])
            for name, files in (("series", series), ("independent", alone)):
                found = attack(shoal, path, files)
                n_found[name] += found["successes"]
                if name == "series":
                    assert (
                        found["successes"] == 0 and found["details"]["smallest_candidates"] >= 4
                    ), found
    assert n_found["independent"] > 0, "the attack finds nothing where there is something"
    print(
        "intersection: nobody in three series of five releases; %d persons in releases made"
        " independently"
        % n_found["independent"]
    )


if __name__ == "__main__":
    main()
