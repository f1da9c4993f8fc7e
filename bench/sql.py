#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""sql.py SHOAL [ROWS] [URL] - shoal.sql.anonymize beside the database's own work on the same table
(docs/performance.md).

The yardstick, measured in the same run: `SELECT ..., COUNT(*) ... GROUP BY` the quasi-identifiers,
fetched, plus `CREATE TABLE AS SELECT *`; grouping once as the server is set and once with the
memory that shoal.sql asks for.
Without a URL a PostgreSQL server is started in a temporary directory. Run it with the Python that
has the wheel and SQLAlchemy.
"""

import csv
import os
import subprocess
import sys
import tempfile
import time

import sqlalchemy as sa

import shoal.sql
from shoal._sql_statements import tune

QIDS = [
    "age", "sex", "race", "marital-status", "education", "native-country", "workclass",
    "occupation",
]
K = 10


def load(engine, path):
    with open(path) as file:
        names = next(csv.reader(file))
    columns = [
        sa.Column(name, sa.Integer if name in ("age", "hours-per-week", "income") else sa.Text)
        for name in names
    ]
    table = sa.Table("people", sa.MetaData(), *columns)
    with engine.begin() as connection:
        table.create(connection)
        if engine.dialect.name == "postgresql":
            with (
                connection.connection.driver_connection.cursor() as cursor,
                cursor.copy("COPY people FROM STDIN (FORMAT csv, HEADER)") as copy,
                open(path, "rb") as file,
            ):
                while block := file.read(1 << 20):
                    copy.write(block)
            return
        with open(path) as file:
            connection.execute(sa.insert(table), list(csv.DictReader(file)))


def timed(work):
    start = time.monotonic()
    made = work()
    return time.monotonic() - start, made


def count(connection):
    columns = [sa.column(name) for name in QIDS]
    return len(
        connection.execute(
            sa.select(*columns, sa.func.count()).select_from(sa.table("people")).group_by(*columns)
        ).fetchall()
    )


def measure(engine, path):
    load(engine, path)
    with engine.begin() as connection:
        group, n_tuples = timed(lambda: count(connection))
        tune(connection)
        with_memory, _ = timed(lambda: count(connection))
        copy, _ = timed(
            lambda: connection.exec_driver_sql("CREATE TABLE copied AS SELECT * FROM people")
        )
    own, release = timed(
        lambda: shoal.sql.anonymize(
            engine, "people", "release", qids=QIDS, k=K, identifiers="name", rest="keep"
        )
    )
    search = release.measures.seconds
    print(
        f"{engine.dialect.name}: {release.rows} rows, {n_tuples} tuples; GROUP BY {group:.1f} s"
        f" ({with_memory:.1f} s with more memory), CREATE TABLE AS {copy:.1f} s; shoal.sql"
        f" {own:.1f} s, of it in the library {search.total:.1f} s; ratio {own / (group + copy):.2f}"
        f" ({own / (with_memory + copy):.2f}); gcp {release.measures.gcp:.6f}"
    )


def main():
    command, rows = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 10_000_000
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "census.csv")
        subprocess.run(
            [
                command,
                "generate",
                "census",
                "--rows",
                str(rows),
                "--seed",
                "1",
                "-o",
                path,
                "--quiet",
            ],
            check=True,
        )
        if len(sys.argv) > 3:
            return measure(sa.create_engine(sys.argv[3].replace("FOLDER", folder)), path)
        sys.path.insert(
            0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python", "tests_sql")
        )
        from conftest import Server, find_programs

        server = Server(find_programs())
        try:
            measure(sa.create_engine(server.url("postgres")), path)
        finally:
            server.stop()


if __name__ == "__main__":
    main()
