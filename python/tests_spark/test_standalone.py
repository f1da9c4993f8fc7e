# SPDX-License-Identifier: Apache-2.0
"""Releases on a cluster: one master, two workers, and an executor that is killed."""

import os
import signal

from pyspark.sql import functions as F

import shoal
import shoal.spark


def people(spark):
    return spark.range(4000).select(
        F.col("id"),
        (F.col("id") % 37 + 20).cast("int").alias("age"),
        (F.col("id") % 2).cast("string").alias("sex"),
    )


def rows(df):
    return sorted(tuple(row) for row in df.collect())


def test_an_executor_is_killed(cluster):
    """Its data of the release are computed again, with the same result."""
    df = people(cluster.spark)
    release = shoal.spark.anonymize(df, qids=["age", "sex"], k=11, rest="keep")
    assert release.verified
    before = rows(release.table)
    assert [row[0] for row in before] == list(range(4000))
    executors = cluster.executors()
    assert executors
    os.kill(executors[0], signal.SIGKILL)
    assert rows(release.table) == before
    assert release.check().satisfied
    again = shoal.spark.anonymize(df, qids=["age", "sex"], k=11, rest="keep")
    assert rows(again.table) == before


def test_parts_on_two_workers(cluster):
    """The engine runs on the executors; one that is killed afterwards changes nothing."""
    df = people(cluster.spark)
    release = shoal.spark.anonymize(df, qids=["age", "sex"], k=11, rest="keep", max_tuples=20)
    assert (
        isinstance(release, shoal.spark.PartsRelease)
        and release.verified
        and release.measures.parts > 1
    )
    assert release.measures.rows == 4000 and release.measures.min_group >= 11
    before = rows(release.table)
    assert [row[0] for row in before] == list(range(4000))
    os.kill(cluster.executors()[0], signal.SIGKILL)
    assert rows(release.table) == before and release.check().satisfied
