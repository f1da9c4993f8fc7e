# SPDX-License-Identifier: Apache-2.0
"""Releases in parts, with the library on the executors: verified as a whole, about as good as one
machine's.
"""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyspark.sql import functions as F

import shoal
import shoal.spark
from shoal import _counted, _parts
from shoal._counted import Request

QIDS = ["age", "sex", "education", "occupation"]


@pytest.fixture(scope="module")
def census(spark, command, tmp_path_factory):
    path = tmp_path_factory.mktemp("census") / "census.csv"
    command("generate", "census", "--rows", 4000, "--seed", 7, "-o", path)
    rows = pd.read_csv(path)[[*QIDS, "disease"]]
    rows.insert(0, "number", range(len(rows)))
    return rows, spark.createDataFrame(rows).repartition(3).persist()


def collected(df):
    return sorted(tuple(row) for row in df.collect())


def test_a_release_in_parts(census):
    rows, df = census
    whole = shoal.spark.anonymize(df, qids=QIDS, k=5, sensitive="disease", rest="keep")
    release = shoal.spark.anonymize(
        df, qids=QIDS, k=5, sensitive="disease", rest="keep", max_tuples=400
    )
    found = release.measures
    assert (
        release.verified
        and found.parts > 3
        and found.rows == release.rows == 4000
        and found.min_group >= 5
    )
    assert release.table.columns == df.columns and sorted(
        row[0] for row in release.table.select("number").collect()
    ) == list(range(4000))
    assert found.gcp <= 1.1 * whole.measures.gcp
    # measured by the library from the rows themselves
    released = release.table.toPandas().sort_values("number")
    again = shoal.measure(rows[QIDS], released[QIDS].reset_index(drop=True), qids=QIDS)
    assert found.gcp == pytest.approx(again.gcp, rel=1e-9) and found.groups == again.groups
    assert [qid.loss for qid in found.qids] == pytest.approx(
        [qid.loss for qid in again.qids], rel=1e-9
    )
    assert (
        release.check().satisfied
        and release.bound.lower_bound is None
        and "verified" in repr(release)
    )
    mapping = release.mapping
    assert (
        mapping.columns == [*QIDS, "n", "n_before", *(f"released_{name}" for name in QIDS)]
        and mapping.agg(F.sum("n")).first()[0] == 4000
    )
    before = collected(release.table)
    release.unpersist()
    whole.unpersist()
    again = shoal.spark.anonymize(
        df.repartition(5), qids=QIDS, k=5, sensitive="disease", rest="keep", max_tuples=400
    )
    assert collected(again.table) == before
    again.unpersist()


def test_models_and_hierarchies_in_parts(census):
    # a category, with a hierarchy that is built from the ages of all parts
    df = census[1].withColumn("age", F.col("age").cast("string"))
    release = shoal.spark.anonymize(
        df,
        qids=["age", "sex", "education"],
        k=5,
        sensitive="disease",
        models=["l-diversity=distinct:3"],
        rest="drop",
        hierarchies={"age": shoal.Hierarchy.intervals(5, 10, 20)},
        max_tuples=700,
        part_tuples=500,
    )
    assert release.verified and release.measures.parts > 2 and release.models[0].achieved >= 3
    ages = {row[0] for row in release.table.select("age").distinct().collect()}
    assert all(
        age == "*" or age.isdigit() or (int(age[1:3]) % 5 == 0 and age[0] == "[") for age in ages
    )
    release.unpersist()


def test_nulls_days_and_divided_tuples_in_parts(spark):
    df = spark.range(900).select(
        F.col("id"),
        F.when(F.col("id") % 7 == 0, None).otherwise(F.col("id") % 50).cast("int").alias("age"),
        F.date_add(F.lit("2020-01-01").cast("date"), (F.col("id") % 40).cast("int")).alias("day"),
        F.when(F.col("id") % 9 == 0, None).otherwise("x").alias("s"),
    )
    df = df.union(
        spark.range(900, 1000).select(
            "id",
            F.lit(5).alias("age"),
            F.lit("2020-01-05").cast("date").alias("day"),
            F.lit("x").alias("s"),
        )
    )
    release = shoal.spark.anonymize(
        df, qids=["age", "day", "s"], k=7, rest="keep", max_tuples=150, order_by="id"
    )
    assert release.verified and release.rows == 1000 and release.measures.min_group >= 7
    assert sorted(row[0] for row in release.table.select("id").collect()) == list(range(1000))
    release.unpersist()


def test_a_part_that_cannot_be_released(spark):
    df = spark.range(400).select(
        (F.col("id") % 100).cast("int").alias("age"), F.lit("flu").alias("disease")
    )
    with pytest.raises(shoal.UnsatisfiableError, match="in a part of the table"):
        shoal.spark.anonymize(
            df,
            qids="age",
            k=5,
            sensitive="disease",
            models=["l-diversity=distinct:2"],
            max_tuples=30,
        )


def test_progress_can_stop_it(census):
    seen = []
    with pytest.raises(shoal.CancelledError):
        shoal.spark.anonymize(census[1], qids=QIDS, k=5, rest="drop", max_tuples=400,
                              progress=lambda phase, share: seen.append(phase) or phase == "search")
    assert seen == ["encode", "search"]


# ---- without Spark ----


def counted(command_rows, qids):
    texts = pa.table({name: _counted.spell(pa.array(command_rows[name])) for name in qids})
    found = texts.group_by(qids).aggregate([([], "count_all")])
    return (
        found.select(qids).combine_chunks(),
        found.column("count_all").cast("int64").combine_chunks(),
    )


def domain_of(tuples, kinds, k=5):
    request = Request(_counted.plan_of(None, {"qids": list(kinds), "k": k}), kinds)
    return _parts.Domain(
        request, {name: tuples.column(name).combine_chunks().unique() for name in kinds}
    )


def test_cuts_run_through_few_groups():
    """Two columns: groups are narrow along the first, and along the second they have both of its
    values.
    """
    points = np.stack([np.repeat(np.arange(40.0), 4), np.tile([0.0, 1.0], 80)], axis=1)
    cuts = _parts.find_cuts(points, np.repeat(np.arange(40), 4), 4)
    assert cuts.n_parts == 4 and {cut.axis for cut, _, _ in cuts.nodes} == {0}
    parts = cuts.parts(points)
    assert sorted(np.bincount(parts)) == [40, 40, 40, 40]
    assert len(cuts.around(0)) == 2 and _parts.Cuts().parts(points).max() == 0


def test_losses_of_a_part_are_those_of_the_table():
    tuples = pa.table({"age": ["20", "30", "60", None], "job": ["a", "b", "c", "a"]})
    domain = domain_of(tuples, {"age": "numeric", "job": "categorical"})
    assert domain.losses("age", pa.array(["[20..30]", "*", "25", None])).tolist() == [
        0.25,
        1.0,
        0.0,
        0.0,
    ]
    assert domain.losses("job", pa.array(["{a|b}", "a"])).tolist() == [0.5, 0.0]
    # a quarter and half of the domains
    assert _parts._priorities(domain, tuples.slice(0, 2)) == {"age": 0.5, "job": 1.0}
    ends = domain_of(
        pa.table({"age": ["20", "60"], "job": ["a", "b"]}), {"age": "numeric", "job": "categorical"}
    )
    assert _parts._priorities(
        ends, pa.table({"age": ["40", "25", "30"], "job": ["a", "b", "a"]})
    ) == {"age": 0.375, "job": 1.0}


def test_regrouping_never_loses_more(census):
    tuples, counts = counted(census[0], QIDS)
    domain = domain_of(
        tuples,
        {
            "age": "numeric",
            "sex": "categorical",
            "education": "categorical",
            "occupation": "categorical",
        },
    )
    shares = _parts.run_part(domain, tuples, counts)
    worst = _parts.find_border(domain, tuples, shares, [_parts.Cut(0, 40.0, 41.0)])
    taken = pa.array(worst.is_taken)
    assert 0 < sum(worst.is_taken) <= _parts.MOST_TAKEN * len(shares)
    of_tuple = tuples.take(shares.column("tuple")).filter(taken).combine_chunks()
    old = shares.filter(taken).combine_chunks()
    _, new, _ = _parts.regroup(domain, of_tuple, old)

    def total(found):
        return float(np.dot(_parts.loss_of_shares(domain, found), found.column("n").to_numpy()))

    assert total(new) <= total(old) and sum(new.column("n").to_pylist()) == sum(
        old.column("n").to_pylist()
    )
