# SPDX-License-Identifier: Apache-2.0
"""Releases inside databases: same values as the command, verified or nothing, and names that are
only names.
"""

import csv
import datetime
import decimal
import json
import subprocess
import sys
import uuid

import pytest
import sqlalchemy as sa

import shoal
import shoal.sql
from shoal import _counted

QIDS = ["age", "sex", "education"]
NASTY = 'people"; drop table x; --'


def load(engine, name, columns, rows, key="id"):
    """A table with a numbered key and these columns: {name: type}."""
    table = sa.Table(
        name,
        sa.MetaData(),
        sa.Column(key, sa.Integer, primary_key=True, autoincrement=False),
        *(sa.Column(column, kind) for column, kind in columns.items()),
    )
    with engine.begin() as connection:
        table.create(connection)
        connection.execute(
            sa.insert(table), [dict(zip([key, *columns], (i, *row))) for i, row in enumerate(rows)]
        )
    return table


def read(engine, name, *columns):
    table = sa.table(
        sa.sql.expression.quoted_name(name, True),
        *(sa.column(sa.sql.expression.quoted_name(c, True)) for c in columns),
    )
    with engine.connect() as connection:
        return [tuple(row) for row in connection.execute(sa.select(*table.c).select_from(table))]


def objects(engine):
    with engine.connect() as connection:
        catalog = shoal.sql.statements.catalog_of(connection)
        return catalog.tables(None) | catalog.views(None)


@pytest.fixture
def people(engine):
    ages = [21, 23, 22, 25, 64, 66, 61, 63, 41, 44, 43, 42]
    rows = [(age, "mf"[i % 2], "abc"[i % 3]) for i, age in enumerate(ages)]
    return load(
        engine, "people", {"age": sa.Integer, "sex": sa.String(1), "disease": sa.String(9)}, rows
    )


def test_values_are_those_of_the_command(engine, command, tmp_path):
    table, out = tmp_path / "census.csv", tmp_path / "release.csv"
    command("generate", "census", "--rows", 400, "--seed", 7, "-o", table)
    command(
        "anonymize",
        table,
        "-o",
        out,
        "--qid",
        ",".join(QIDS),
        "--sensitive",
        "disease",
        "--l-diversity",
        "distinct:2",
        "-k",
        5,
        "--rest",
        "keep",
        "--quiet",
    )
    with open(table) as file:
        rows = list(csv.DictReader(file))
    with open(out) as file:
        written = [tuple(row[name] for name in (*QIDS, "disease")) for row in csv.DictReader(file)]
    load(
        engine,
        "people",
        {
            "age": sa.Integer,
            "sex": sa.String(20),
            "education": sa.String(40),
            "disease": sa.String(40),
        },
        [(int(row["age"]), row["sex"], row["education"], row["disease"]) for row in rows],
    )
    release = shoal.sql.anonymize(
        engine,
        "people",
        "release",
        qids=QIDS,
        k=5,
        sensitive="disease",
        models=["l-diversity=distinct:2"],
        other="id",
    )
    made = {row[0]: tuple(row[1:]) for row in read(engine, "release", "id", *QIDS, "disease")}
    assert [made[i] for i in range(400)] == written
    assert release.rows == 400 and release.report.min_group >= 5 and release.check().satisfied
    assert objects(engine) == {"people", "release"}


def test_equal_rows_are_divided(engine):
    """One tuple with more rows than a group needs; the rows beside it need some of them."""
    load(
        engine,
        "people",
        {"age": sa.Integer, "note": sa.String(9)},
        [(30 + (i == 9), f"n{i}") for i in range(10)],
    )
    release = shoal.sql.anonymize(engine, "people", "release", qids="age", k=3, rest="keep")
    found = read(engine, "release", "id", "age", "note")
    assert sorted((row[0], row[2]) for row in found) == [(i, f"n{i}") for i in range(10)]
    if max(release.mapping.column("n_before").to_pylist()) > 0:
        assert {row[1] for row in found} == {"30", "[30..31]"}
    assert release.check().satisfied


def test_nulls_join_and_other_columns_stay(engine):
    day = datetime.date(2020, 1, 1)
    rows = [
        (
            None if i % 3 == 0 else 20 + i % 2,
            None if i % 4 == 0 else "f",
            None,
            decimal.Decimal("1.25"),
            day,
            i % 2 == 0,
        )
        for i in range(24)
    ]
    columns = {
        "age": sa.Integer,
        "sex": sa.String(1),
        "empty": sa.String(5),
        "price": sa.Numeric(8, 2),
        "day": sa.Date,
        "flag": sa.Boolean,
    }
    source = load(engine, "people", columns, rows)
    shoal.sql.anonymize(engine, "people", "release", qids=["age", "sex", "empty"], k=3, rest="keep")
    with engine.connect() as connection:
        catalog = shoal.sql.statements.catalog_of(connection)
        made, was = catalog.columns("release", None), catalog.columns("people", None)
    assert list(made) == ["id", *columns]
    assert isinstance(made["age"], (sa.String, sa.Text))
    for name in ("id", "price", "day", "flag"):
        # there a type is a hint, and CREATE TABLE AS keeps its affinity
        if engine.dialect.name != "sqlite":
            assert type(made[name]) is type(was[name]), name
    columns_out = [source.c.id, source.c.price, source.c.day, source.c.flag]
    with engine.connect() as connection:
        before = sorted(connection.execute(sa.select(*columns_out)).fetchall())
        after = connection.execute(
            sa.select(*(sa.column(c.name, c.type) for c in columns_out)).select_from(
                sa.table("release")
            )
        ).fetchall()
    assert sorted(after) == before
    assert {row[0] for row in read(engine, "release", "empty")} == {None}


def test_odd_texts_come_through(engine):
    """What CSV and COPY have signs for, in a name, in quasi-identifiers and behind them; "" is a
    value where it does not mean missing.
    """
    odd = ["", 'a "quoted" word', "a, b", "two\nlines", "\\.", "\\N", "100 %", "ä", None]
    load(
        engine,
        "people",
        {"50 % of": sa.String(40), "behind": sa.String(40)},
        [(odd[i % 9], odd[i // 9]) for i in range(81)],
    )
    release = shoal.sql.anonymize(
        engine,
        "people",
        "release",
        qids=["50 % of"],
        sensitive=["behind"],
        models=["l-diversity=distinct:3"],
        k=9,
        identifiers="id",
        null=["none"],
    )
    assert release.rows == 81 and release.measures.gcp == 0
    assert sorted(read(engine, "release", "50 % of", "behind"), key=repr) == sorted(
        ((x, y) for x in odd for y in odd), key=repr
    )


def test_names_are_only_names(engine):
    columns = {
        'a"b': sa.Integer,
        "%s %(x)s": sa.String(5),
        "select": sa.String(5),
        ":bind": sa.String(5),
        "row_number": sa.Integer,
    }
    load(
        engine,
        NASTY,
        columns,
        [(20 + i // 4, "u" if i % 2 else None, "v", f"w{i}", i) for i in range(12)],
    )
    load(engine, "x", {"age": sa.Integer}, [(1,)])
    target = NASTY + " '; --"
    release = shoal.sql.anonymize(
        engine, NASTY, target, qids=['a"b', "%s %(x)s", "select"], k=3, rest="keep"
    )
    assert len(read(engine, target, *columns)) == 12
    assert objects(engine) == {NASTY, "x", target}
    assert shoal.sql.check(engine, target, qids=['a"b', "%s %(x)s", "select"], k=3).satisfied
    assert release.into == target


def test_an_existing_target_needs_replace(engine, people):
    ask = {"qids": ["age", "sex"], "sensitive": "disease", "identifiers": "id"}
    shoal.sql.anonymize(engine, "people", "release", k=3, **ask)
    first = sorted(read(engine, "release", "age", "sex", "disease"))
    with pytest.raises(shoal.UsageError, match="replace=True"):
        shoal.sql.anonymize(engine, "people", "release", k=4, **ask)
    with pytest.raises(shoal.UnsatisfiableError):  # the old release is still there afterwards
        shoal.sql.anonymize(engine, "people", "release", k=13, replace=True, **ask)
    assert sorted(read(engine, "release", "age", "sex", "disease")) == first
    shoal.sql.anonymize(engine, "people", "release", k=4, replace=True, **ask)
    assert shoal.sql.check(engine, "release", qids=["age", "sex"], k=4).satisfied
    with pytest.raises(shoal.UsageError, match="its own source"):
        shoal.sql.anonymize(engine, "people", "people", k=4, replace=True, **ask)


def test_a_failed_check_leaves_nothing(engine, people, monkeypatch):
    """What is in the database is compared with the mapping: a join that loses or repeats rows is
    not released.
    """
    honest = shoal.sql.statements.Mapping.select

    def twice(self, order):
        query = honest(self, order)
        return sa.union_all(query, honest(self, order))

    monkeypatch.setattr(shoal.sql.statements.Mapping, "select", twice)
    with pytest.raises(shoal.UnsatisfiableError, match="another number of rows"):
        shoal.sql.anonymize(engine, "people", "release", qids="age", k=3, rest="drop")
    assert objects(engine) == {"people"}
    monkeypatch.undo()
    shoal.sql.anonymize(engine, "people", "release", qids="age", k=3, rest="drop")
    assert objects(engine) == {"people", "release"}


def test_rows_that_come_meanwhile_are_not_in_the_release(engine, people):
    other = sa.create_engine(engine.url) if engine.dialect.name == "postgresql" else engine
    came = []

    def insert(phase, share):
        if came or engine.dialect.name == "sqlite":  # SQLite allows no other writer meanwhile
            return
        came.append(1)
        with other.connect() as connection, connection.begin():
            connection.execute(
                sa.insert(people), [{"id": 100, "age": 99, "sex": "x", "disease": "z"}]
            )

    if engine.dialect.name == "duckdb":  # one connection a thread
        import concurrent.futures

        pool = concurrent.futures.ThreadPoolExecutor(1)
        watch = lambda phase, share: pool.submit(insert, phase, share).result()
    else:
        watch = insert
    release = shoal.sql.anonymize(
        engine,
        "people",
        "release",
        qids=["age", "sex"],
        k=3,
        sensitive="disease",
        identifiers="id",
        progress=watch,
    )
    assert release.rows == 12 and len(read(engine, "release", "age")) == 12
    if engine.dialect.name != "sqlite":
        assert came and len(read(engine, "people", "id")) == 13
    with engine.begin() as connection:
        connection.execute(sa.insert(people), [{"id": 200, "age": 98, "sex": "x", "disease": "z"}])
    assert len(read(engine, "release", "age")) == 12


def test_a_view_shows_unseen_values_as_stars(engine, people):
    ask = {"qids": ["age", "sex"], "sensitive": "disease", "other": "id"}
    release = shoal.sql.anonymize(engine, "people", "shown", k=3, as_view=True, **ask)
    assert release.check().satisfied and release.check().unseen_rows == 0
    before = dict((row[0], row[1:]) for row in read(engine, "shown", "id", "age", "sex"))
    with engine.begin() as connection:
        connection.execute(
            sa.insert(people),
            [
                {"id": 50, "age": 23, "sex": "f", "disease": "a"},
                {"id": 51, "age": 99, "sex": "f", "disease": "a"},
            ],
        )
    after = dict((row[0], row[1:]) for row in read(engine, "shown", "id", "age", "sex"))
    assert {i: after[i] for i in before} == before
    assert after[50] == before[1] and after[51] == ("*", "*")
    found = release.check()
    assert not found.satisfied and found.unseen_rows == 1 and found.failing_rows == 1
    shoal.sql.anonymize(engine, "people", "shown", k=3, as_view=True, replace=True, **ask)
    assert release.check().satisfied
    # a table in place of it: the mapping goes, too
    shoal.sql.anonymize(engine, "people", "shown", k=3, replace=True, **ask)
    assert objects(engine) == {"people", "shown"}


def test_nobody_reads_the_mapping_of_a_view(server, postgresql_url):
    """A role that may read every new table of the schema reads the view, not what is behind it."""
    owner = sa.create_engine(postgresql_url)
    reader = f"reader{uuid.uuid4().hex}"
    with owner.begin() as connection:
        connection.exec_driver_sql(f'CREATE ROLE "{reader}" LOGIN')
        connection.exec_driver_sql(
            f'ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT ON TABLES '
            f'TO "{reader}", PUBLIC')
    load(owner, "people", {"age": sa.Integer}, [(20 + i % 3,) for i in range(12)])
    shoal.sql.anonymize(owner, "people", "shown", qids="age", k=3, identifiers="id", as_view=True)
    theirs = sa.create_engine(sa.make_url(postgresql_url).set(username=reader))
    assert len(read(theirs, "shown", "age")) == 12
    with pytest.raises(sa.exc.ProgrammingError, match="permission denied"):
        read(theirs, "shown_mapping", "k0")
    theirs.dispose()
    owner.dispose()


def test_a_view_of_divided_rows_needs_an_order(engine):
    with engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE people (age INTEGER, number INTEGER)")
        connection.execute(sa.insert(sa.table("people", sa.column("age"), sa.column("number"))),
                           [{"age": 30 + (i == 9), "number": i} for i in range(10)])
    ask = {"qids": "age", "k": 3, "other": "number", "as_view": True}
    release = shoal.sql.anonymize(engine, "people", "shown", order_by="number", **ask)
    assert len(read(engine, "shown", "age")) == 10 and release.check().satisfied
    with engine.begin() as connection:  # further equal rows go to the last share
        connection.execute(
            sa.insert(sa.table("people", sa.column("age"), sa.column("number"))),
            [{"age": 30, "number": 20}],
        )
    assert len(read(engine, "shown", "age")) == 11 and release.check().satisfied
    if max(release.mapping.column("n_before").to_pylist()) > 0:
        with pytest.raises(shoal.UsageError, match="order_by"):
            shoal.sql.anonymize(engine, "people", "again", **ask)
        assert "again" not in objects(engine)


def test_check_counts_and_tells_no_value(engine, people):
    found = shoal.sql.check(engine, "people", qids=["age", "sex"], k=2)
    assert (found.satisfied, found.failing_groups, found.failing_rows) == (False, 12, 12)
    assert shoal.sql.check(
        engine, "people", qids="sex", k=6, sensitive="disease", models=["l-diversity=distinct:3"]
    ).satisfied
    found = shoal.sql.check(
        engine, "people", qids="sex", k=6, sensitive="disease", models=["l-diversity=distinct:4"]
    )
    assert not found.satisfied and found.models[0].failing_groups == 2
    with pytest.raises(shoal.UsageError, match="no column 'agee'.*did you mean 'age'"):
        shoal.sql.check(engine, "people", qids="agee", k=2)


@pytest.mark.parametrize("ask", [
    {"algorithm": "oka"}, {"entity": "id"}, {"models": ["l-diversity=nonsense"]}, {"k": None},
    {"algorithm": "none"}, {"recoding": "mean"}, {"drop_suppressed": True},
    {"plan": {"columns": [{"name": "id", "role": "pseudonym"}]}},
])
def test_what_cannot_be_is_refused_before_anything_is_counted(engine, people, ask):
    seen = []
    sa.event.listen(
        engine, "before_cursor_execute", lambda c, cursor, statement, *rest: seen.append(statement)
    )
    with pytest.raises(shoal.UsageError):
        shoal.sql.anonymize(
            engine,
            "people",
            "release",
            qids=["age", "sex"],
            sensitive="disease",
            rest="drop",
            **{"k": 3, **ask},
        )
    assert not [
        statement for statement in seen if "count(*)" in statement.lower() or "CREATE" in statement
    ]


def test_tables_that_cannot_be_released(engine, people):
    with pytest.raises(shoal.UsageError, match="no such table"):
        shoal.sql.anonymize(engine, "nobody", "release", qids="age", k=2)
    with pytest.raises(shoal.UsageError, match="columns without a role: id, disease"):
        shoal.sql.anonymize(engine, "people", "release", qids=["age", "sex"], k=2)
    with engine.begin() as connection:
        connection.execute(sa.delete(people))
    with pytest.raises(shoal.UnsatisfiableError):
        shoal.sql.anonymize(engine, "people", "release", qids=["age", "sex"], k=2, rest="drop")
    assert objects(engine) == {"people"}


def test_hierarchies_dates_and_decimals(engine):
    days = [datetime.date(2020, 1 + i % 12, 1) for i in range(24)]
    load(
        engine,
        "people",
        {"born": sa.Date, "price": sa.Numeric(8, 2), "city": sa.String(9)},
        [
            (day, decimal.Decimal(i) + decimal.Decimal("0.50"), ["Ulm", "Bonn", "Essen"][i % 3])
            for i, day in enumerate(days)
        ],
    )
    place = shoal.Hierarchy.tree({"South": ["Ulm"], "West": ["Bonn", "Essen"]})
    shoal.sql.anonymize(
        engine,
        "people",
        "release",
        qids=["born", "price", "city"],
        k=4,
        hierarchies={"city": place},
        rest="drop",
    )
    cells = read(engine, "release", "born", "price", "city")
    assert len(cells) == 24
    assert all(row[0] == "*" or "2020-" in row[0] for row in cells) and all(
        ".5" in row[1] or row[1] == "*" for row in cells
    )
    assert {row[2] for row in cells} <= {"Ulm", "Bonn", "Essen", "South", "West", "*"}


def test_the_command_of_the_package(url, engine, people, tmp_path):
    plan = tmp_path / "plan.yaml"
    plan.write_text(
        "k: 3\ncolumns:\n  - {name: age, role: quasi}\n  - {name: sex, role: quasi}\n  - {name:"
        " disease, role: sensitive}\nrest: drop\n"
    )
    engine.dispose()
    words = [sys.executable, "-m", "shoal", "sql", url, "people"]

    def run(*more):
        return subprocess.run([*words, *more, "--plan", str(plan)], capture_output=True, text=True)

    made = run("--into", "release", "--json")
    assert made.returncode == 0, made.stderr
    assert json.loads(made.stdout)["min_group"] >= 3
    again = run("--into", "release")
    assert again.returncode == 2 and "replace" in again.stderr and "Traceback" not in again.stderr
    assert run("--check").returncode == 3  # the original
    words[-1] = "release"
    assert run("--check").returncode == 0


def test_least_privileges(server, postgresql_url):
    """SELECT on the source and CREATE on the schema of the target are enough; writing elsewhere
    fails and says why.
    """
    owner = sa.create_engine(postgresql_url)
    load(owner, "people", {"age": sa.Integer}, [(20 + i // 3,) for i in range(12)])
    role = f"r{uuid.uuid4().hex}"
    with owner.begin() as connection:
        for statement in (
            f"CREATE ROLE {role} LOGIN",
            "CREATE SCHEMA releases",
            "REVOKE CREATE ON SCHEMA public FROM PUBLIC",
            f"REVOKE TEMPORARY ON DATABASE {owner.url.database} FROM PUBLIC",
            f"GRANT SELECT ON people TO {role}",
            f"GRANT USAGE, CREATE ON SCHEMA releases TO {role}",
        ):
            connection.exec_driver_sql(statement)
    engine = sa.create_engine(postgresql_url.replace("owner@", f"{role}@"))
    shoal.sql.anonymize(
        engine, "people", "release", into_schema="releases", qids="age", k=3, rest="drop"
    )
    assert shoal.sql.check(engine, "release", schema="releases", qids="age", k=3).satisfied
    with pytest.raises(shoal.InputOutputError, match="privilege"):
        shoal.sql.anonymize(engine, "people", "release", qids="age", k=3, rest="drop")
    engine.dispose()
    owner.dispose()


def test_types_of_postgresql(postgresql_url):
    engine = sa.create_engine(postgresql_url)
    with engine.begin() as connection:
        connection.exec_driver_sql("CREATE TYPE mood AS ENUM ('low', 'high')")
        connection.exec_driver_sql(
            "CREATE TABLE people AS SELECT (ARRAY['low', 'high'])[1 + mod(i, 2)]::mood AS feels,"
            " md5(mod(i, 3)::text)::uuid AS code, mod(i, 2) = 0 AS flag, timestamptz '2024-03-01"
            " 12:30:00.5+02' + mod(i, 2) * interval '1 hour' AS seen, mod(i, 4)::float8 / 3 AS"
            " share, '{\"a\": 1}'::json AS extra FROM generate_series(1, 48) AS i"
        )
    shoal.sql.anonymize(
        engine,
        "people",
        "release",
        qids=["feels", "code", "flag", "seen", "share"],
        k=3,
        rest="keep",
    )
    cells = read(engine, "release", "feels", "seen", "extra")
    assert len(cells) == 48 and cells[0][2] == {"a": 1}
    assert all("2024-03-01 1" in row[1] or row[1] == "*" for row in cells)
    with pytest.raises(shoal.DataError, match="column 'extra'"):
        shoal.sql.anonymize(engine, "people", "other", qids=["extra"], k=3, rest="drop")
    found = shoal.sql.check(
        engine, "people", qids=["flag"], k=24, sensitive="seen", models=["l-diversity=distinct:1"]
    )
    assert found.satisfied and found.groups == 2
    engine.dispose()


def test_texts_of_postgresql():
    pa = _counted.arrow()
    spell = shoal.sql.statements.spell_postgresql
    zoned = spell(pa.array(["2024-03-01 14:30:00.50+02", None]), sa.DateTime(timezone=True))
    assert zoned.to_pylist() == ["2024-03-01 12:30:00.5", None]
    assert spell(pa.array(["infinity"]), sa.DateTime(timezone=True)).to_pylist() == ["infinity"]
    assert spell(pa.array(["t", "f", None]), sa.Boolean()).to_pylist() == ["true", "false", None]
    assert spell(pa.array(["NaN", "0.1"]), sa.Double()).to_pylist() == [None, "0.1"]
    assert spell(pa.array(["x"]), sa.Text()).to_pylist() == ["x"]


def test_what_a_database_says_is_not_repeated(postgresql_url):
    """Its messages may hold values of cells."""
    engine = sa.create_engine(postgresql_url)
    with engine.begin() as connection:
        connection.exec_driver_sql(
            "CREATE TABLE raw AS SELECT 'secret' || i AS age FROM generate_series(1, 9) AS i"
        )
        connection.exec_driver_sql("CREATE VIEW people AS SELECT age::integer AS age FROM raw")
    with pytest.raises(shoal.InputOutputError, match="22P02") as caught:
        shoal.sql.anonymize(engine, "people", "release", qids="age", k=3)
    assert "secret" not in str(caught.value) and caught.value.__cause__ is None
    engine.dispose()


def test_spelling():
    pa = _counted.arrow()
    at = datetime.datetime(2024, 3, 1, 12, 30, 0)
    times = pa.array([at, at.replace(microsecond=250000), at.replace(hour=0, minute=0), None])
    assert _counted.spell(times).to_pylist() == [
        "2024-03-01 12:30:00",
        "2024-03-01 12:30:00.25",
        "2024-03-01 00:00:00",
        None,
    ]
    assert _counted.spell(pa.array([0.1, 2.5, float("nan"), 1e20])).to_pylist()[:3] == [
        "0.1",
        "2.5",
        None,
    ]
    assert _counted.spell(pa.array([datetime.date(2024, 3, 1)])).to_pylist() == ["2024-03-01"]
    assert _counted.spell(pa.array([True, False])).to_pylist() == ["true", "false"]
    assert _counted.spell(pa.array(["x", None]).dictionary_encode()).to_pylist() == ["x", None]


def test_a_connection_is_refused(tmp_path):
    engine = sa.create_engine(f"sqlite:///{tmp_path}/x.db")
    with engine.connect() as connection, pytest.raises(shoal.UsageError, match="give the engine"):
        shoal.sql.anonymize(connection, "people", "release", qids="age", k=2)
    with pytest.raises(shoal.UsageError, match="URL"):
        shoal.sql.anonymize("nonsense", "people", "release", qids="age", k=2)
