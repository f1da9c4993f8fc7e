#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""spark.py SHOAL [ROWS] [PARTS] - shoal.spark.anonymize beside Spark's own work on the same table
(docs/performance.md).

Time: against `groupBy(qids).count()`, collected, plus writing the table as Parquet, in the same
run. Loss: of a release in as many PARTS (16), and of the idea of Mondrian on Spark, range
partitions of the widest column with our own `mondrian` in each. Run it with the Python that has the
wheel and PySpark.
"""

import os
import subprocess
import sys
import tempfile
import time

import pyarrow as pa
from pyspark.sql import SparkSession

import shoal
import shoal.spark

QIDS = [
    "age", "sex", "race", "marital-status", "education", "native-country", "workclass",
    "occupation",
]
K = 10


def timed(work):
    start = time.monotonic()
    made = work()
    return time.monotonic() - start, made


def loss_of_parts(df, parts, whole):
    """Rows sorted by age and cut into equal parts, each released alone; the loss of all of them
    together, as one release.
    """
    rows = pa.table(df.select(*QIDS).toArrow()).sort_by("age")
    made = []
    for i in range(parts):
        begin, end = i * len(rows) // parts, (i + 1) * len(rows) // parts
        made.append(
            pa.table(
                shoal.anonymize(
                    rows.slice(begin, end - begin), qids=QIDS, k=K, algorithm="mondrian"
                ).table
            )
        )
    texts = pa.concat_tables(
        [pa.table({name: table.column(name).cast(pa.string()) for name in QIDS}) for table in made]
    )
    return shoal.measure(rows, texts, qids=QIDS).gcp / whole


def release_in_parts(df, parts, n_tuples, whole):
    seconds, release = timed(
        lambda: shoal.spark.anonymize(
            df, qids=QIDS, k=K, identifiers="name", rest="keep", max_tuples=n_tuples // parts
        )
    )
    found = release.measures
    print(
        f"in {found.parts} parts: {seconds:.1f} s, gcp {found.gcp:.6f}, {found.gcp / whole:.3f} of"
        f" the driver's; smallest group {found.min_group}, {found.regrouped_rows} rows grouped
        again"
    )
    release.unpersist()


def main():
    command, rows = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 10_000_000
    parts = int(sys.argv[3]) if len(sys.argv) > 3 else 16
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # the executors need the wheel, too
    spark = (
        SparkSession.builder.master(f"local[{os.cpu_count()}]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.memory", "4g")
        .config("spark.sql.parquet.compression.codec", "uncompressed")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .getOrCreate()
    )
    spark.sparkContext.setLogLevel("OFF")
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
        spark.read.csv(path, header=True, inferSchema=True).write.parquet(
            os.path.join(folder, "people")
        )
        df = spark.read.parquet(os.path.join(folder, "people"))
        df.count()
        group, found = timed(lambda: df.groupBy(*QIDS).count().toArrow())
        write, _ = timed(lambda: df.write.parquet(os.path.join(folder, "copied")))
        own, release = timed(
            lambda: shoal.spark.anonymize(df, qids=QIDS, k=K, identifiers="name", rest="keep")
        )
        out, _ = timed(lambda: release.table.write.parquet(os.path.join(folder, "release")))
        inside = release.measures.seconds.total
        print(
            f"spark {spark.version}: {release.rows} rows, {found.num_rows} tuples; groupBy"
            f" {group:.1f} s, write {write:.1f} s; shoal.spark {own:.1f} s, of it in the library"
            f" {inside:.1f} s, writing the release {out:.1f} s; ratio"
            f" {(own + out) / (group + write):.2f}; without the library"
            f" {(own + out - inside) / (group + write):.2f}; gcp {release.measures.gcp:.6f}"
        )
        release.unpersist()
        release_in_parts(df, parts, found.num_rows, release.measures.gcp)
        print(
            f"mondrian in {parts} parts by age loses"
            f" {loss_of_parts(df, parts, release.measures.gcp):.2f} times as much"
        )
    spark.stop()


if __name__ == "__main__":
    main()
