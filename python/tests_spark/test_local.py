# SPDX-License-Identifier: Apache-2.0
"""Releases of DataFrames on a Spark of two threads: same values as the command, verified as Spark
holds them.
"""

import csv
import datetime
import decimal

import pandas as pd
import pytest
from pyspark.sql import functions as F

import shoal
import shoal.spark

QIDS = ["age", "sex", "education"]


@pytest.fixture(scope="module")
def census(spark, command, tmp_path_factory):
    """(path, DataFrame with a column that numbers the rows)"""
    path = tmp_path_factory.mktemp("census") / "census.csv"
    command("generate", "census", "--rows", 600, "--seed", 7, "-o", path)
    rows = pd.read_csv(path)[["age", "sex", "education", "disease"]]
    rows.insert(0, "number", range(len(rows)))
    return path, spark.createDataFrame(rows).repartition(3).persist()


def values(df, order, *names):
    return [tuple(row) for row in df.orderBy(order).select(*names).collect()]


@pytest.mark.parametrize(
    "algorithm, models", [("mondrian", []), ("shoal", ["l-diversity=distinct:2"])]
)
def test_values_are_those_of_the_command(census, command, tmp_path, algorithm, models):
    path, df = census
    out = tmp_path / "release.csv"
    flags = ["--algorithm", algorithm, *(["--l-diversity", "distinct:2"] if models else [])]
    command(
        "anonymize",
        path,
        "-o",
        out,
        "--qid",
        ",".join(QIDS),
        "--sensitive",
        "disease",
        "-k",
        5,
        "--rest",
        "keep",
        "--quiet",
        *flags,
    )
    with open(out) as file:
        written = [tuple(row[name] for name in (*QIDS, "disease")) for row in csv.DictReader(file)]
    release = shoal.spark.anonymize(
        df,
        qids=QIDS,
        k=5,
        sensitive="disease",
        models=models,
        algorithm=algorithm,
        rest="keep",
        order_by="number",
    )
    assert release.table.columns == df.columns and release.verified
    # age, too
    assert [field.dataType.simpleString() for field in release.table.schema] == [
        "bigint",
        "string",
        "string",
        "string",
        "string",
    ]
    assert values(release.table, "number", *QIDS, "disease") == written
    assert release.rows == 600 and release.report.min_group >= 5 and release.check().satisfied
    assert 0 < release.bound.lower_bound <= release.measures.gcp
    assert (
        shoal.spark.risk(release.table, QIDS).prosecutor.highest
        <= 1 / 5
        < shoal.spark.risk(df, QIDS).prosecutor.highest
    )
    release.unpersist()


def test_equal_rows_are_divided_the_same_way_each_time(spark):
    """One tuple with most rows, as skewed data have it: only rows of divided tuples are numbered.
    """
    df = spark.range(300).select(
        F.col("id"),
        F.when(F.col("id") < 290, 30).otherwise(F.col("id") - 260).cast("int").alias("age"),
        F.concat(F.lit("n"), F.col("id")).alias("note"),
    )
    release = shoal.spark.anonymize(df, qids="age", k=7, rest="keep")
    first = values(release.table, "id", "id", "age", "note")
    assert [(row[0], row[2]) for row in first] == [(i, f"n{i}") for i in range(300)]
    release.unpersist()
    again = shoal.spark.anonymize(df.repartition(7), qids="age", k=7, rest="keep")
    assert values(again.table, "id", "id", "age", "note") == first
    again.unpersist()


def test_nulls_types_and_names(spark):
    day, at = datetime.date(2020, 1, 1), datetime.datetime(2024, 3, 1, 12, 30)
    rows = [
        (
            None if i % 3 == 0 else i % 2,
            None if i % 4 == 0 else "f",
            None,
            decimal.Decimal("1.25"),
            day,
            at,
            float("nan") if i % 2 else 0.5,
            {"x": i},
        )
        for i in range(48)
    ]
    names = ["a.b", "s`x", "empty", "price", "day", "seen", "share", "extra"]
    kinds = [
        "int", "string", "string", "decimal(8,2)", "date", "timestamp", "double", "map<string,int>",
    ]
    schema = ", ".join(
        "`" + name.replace("`", "``") + "` " + kind for name, kind in zip(names, kinds)
    )
    df = spark.createDataFrame(rows, schema)
    qids = ["a.b", "s`x", "empty", "price", "day", "seen", "share"]
    release = shoal.spark.anonymize(df, qids=qids, k=4, rest="keep")
    made = release.table
    assert made.columns == names and made.count() == 48
    assert [field.dataType.simpleString() for field in made.schema] == ["string"] * 7 + [
        "map<string,int>"
    ]
    cells = made.select("price", "day", "seen").distinct().collect()
    assert [tuple(row) for row in cells] == [("1.25", "2020-01-01", "2024-03-01 12:30:00")]
    assert sorted(row[0]["x"] for row in made.select("extra").collect()) == list(range(48))
    release.unpersist()
    with pytest.raises(shoal.DataError, match="column 'extra'"):
        shoal.spark.anonymize(df, qids=["extra"], k=4, rest="drop")


def jobs(spark):
    return len(spark.sparkContext.statusTracker().getJobIdsForGroup(None))


@pytest.mark.parametrize("ask", [
    {"algorithm": "oka"}, {"entity": "number"}, {"k": None}, {"recoding": "mean"}, {"qids": "agee"},
    {"rest": None},
])
def test_what_cannot_be_is_refused_before_any_job(spark, census, ask):
    before = jobs(spark)
    with pytest.raises(shoal.UsageError):
        shoal.spark.anonymize(census[1], **{"qids": ["age", "sex"], "k": 3, "rest": "drop", **ask})
    assert jobs(spark) == before


def test_no_rows_too_few_rows_too_many_tuples(spark, census):
    df = census[1]
    with pytest.raises(shoal.UnsatisfiableError):
        shoal.spark.anonymize(df.where(F.lit(False)), qids="age", k=3, rest="drop")
    with pytest.raises(shoal.UnsatisfiableError):
        shoal.spark.anonymize(df.limit(2), qids="age", k=3, rest="drop")
    with pytest.raises(
        shoal.BudgetError, match="more than 10 distinct tuples.*'optimal' chooses levels"
    ):
        shoal.spark.anonymize(df, qids=QIDS, k=3, rest="drop", max_tuples=10, algorithm="optimal")
    with pytest.raises(shoal.BudgetError, match="'t-closeness'"):
        shoal.spark.anonymize(
            df,
            qids=QIDS,
            k=3,
            rest="drop",
            max_tuples=10,
            sensitive="disease",
            models=["t-closeness=0.9"],
        )


def test_rows_that_change_between_passes_are_not_released(spark, tmp_path):
    """A file gets other contents between counting and joining."""
    path = tmp_path / "people.csv"
    path.write_text("".join(f"{20 + i % 9}\n" for i in range(90)))
    df = spark.read.csv(str(path), schema="age int")
    with pytest.raises(shoal.UnsatisfiableError, match="another number of rows"):
        shoal.spark.anonymize(
            df, qids="age", k=3, progress=lambda phase, share: path.write_text("22\n" * 90) and None
        )


def test_check(census):
    df = census[1]
    found = shoal.spark.check(df, qids=QIDS, k=5)
    assert not found.satisfied and found.rows == 600 and found.failing_groups > 0
    assert shoal.spark.check(
        df, qids="sex", k=5, sensitive="disease", models=["l-diversity=distinct:2"]
    ).satisfied
    with pytest.raises(shoal.UsageError, match="did you mean 'age'"):
        shoal.spark.check(df, qids="agee", k=5)


def test_fifty_columns(spark):
    df = spark.range(200).select(
        *[(F.col("id") % (2 + i % 3)).alias(f"q{i}") for i in range(8)],
        *[(F.col("id") + i).alias(f"c{i}") for i in range(42)],
    )
    release = shoal.spark.anonymize(df, qids=[f"q{i}" for i in range(8)], k=5, rest="keep")
    assert release.table.columns == df.columns and release.table.count() == 200
    release.unpersist()
