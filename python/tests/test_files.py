# SPDX-License-Identifier: Apache-2.0
"""Parquet and Arrow files in two passes: same values as the command, types and metadata kept,
verified or nothing.
"""

import os
import subprocess
import sys

import pandas as pd
import pyarrow as pa
import pyarrow.dataset
import pyarrow.ipc
import pyarrow.parquet as pq
import pytest

import shoal
import shoal.files

QIDS = ["age", "sex", "education"]


@pytest.fixture
def small_batches(monkeypatch):
    """Several batches even of a small table, so that rows of one tuple are in many."""
    monkeypatch.setattr(shoal.files, "_BATCH_ROWS", 64)


@pytest.mark.parametrize(
    "algorithm, models", [("mondrian", []), ("shoal", ["l-diversity=distinct:2"])]
)
def test_values_are_those_of_the_command(
    command, census, census_path, tmp_path, small_batches, algorithm, models
):
    out = tmp_path / "release.csv"
    flags = ["--algorithm", algorithm, *(["--l-diversity", "distinct:2"] if models else [])]
    command(
        "anonymize",
        census_path,
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
    pq.write_table(pa.Table.from_pandas(census), tmp_path / "people.parquet")
    release = shoal.files.anonymize(
        tmp_path / "people.parquet",
        tmp_path / "release.parquet",
        qids=QIDS,
        k=5,
        sensitive="disease",
        models=models,
        algorithm=algorithm,
        rest="keep",
    )
    written, made = pd.read_csv(out, dtype=str, keep_default_na=False), pq.read_table(
        tmp_path / "release.parquet"
    )
    assert made.column_names == list(written.columns)
    for name in (*QIDS, "disease"):
        assert made.column(name).to_pylist() == written[name].tolist(), name
    assert release.rows == 800 and release.report.min_group >= 5
    assert sorted(os.listdir(tmp_path)) == ["people.parquet", "release.csv", "release.parquet"]


def test_types_metadata_and_nulls(tmp_path, small_batches):
    n = 300
    table = pa.table(
        {
            "age": pa.array([None if i % 5 == 0 else 20 + i % 7 for i in range(n)], pa.int8()),
            "tags": pa.array([[str(i)] for i in range(n)]),
            "kind": pa.array(["x", "y", None] * 100).dictionary_encode(),
            "price": pa.array(range(n), pa.decimal128(8, 2)),
        }
    )
    table = table.replace_schema_metadata({"owner": "us"})
    field = table.schema.field("price").with_metadata({"unit": "EUR"})
    table = table.set_column(3, field, table.column("price"))
    for name, write in (("people.parquet", pq.write_table), ("people.arrow", _write_ipc)):
        write(table, tmp_path / name)
        out = tmp_path / f"release{os.path.splitext(name)[1]}"
        shoal.files.anonymize(tmp_path / name, out, qids=["age", "kind"], k=5, rest="keep")
        made = (
            pq.read_table(out)
            if name.endswith("parquet")
            else pa.ipc.open_file(pa.memory_map(str(out))).read_all()
        )
        assert (
            made.schema.field("price").type == pa.decimal128(8, 2)
            and made.schema.field("price").metadata[b"unit"] == b"EUR"
        )
        assert made.schema.metadata[b"owner"] == b"us"
        assert made.column("tags").to_pylist() == table.column("tags").to_pylist()
        assert made.schema.field("age").type == pa.string()
        assert shoal.check(made.select(["age", "kind"]), qids=["age", "kind"], k=5).satisfied


def _write_ipc(table, path):
    with pa.ipc.new_file(str(path), table.schema) as writer:
        writer.write_table(table)


def test_a_partitioned_folder(tmp_path, small_batches):
    table = pa.table(
        {
            "year": [2020 + i % 3 for i in range(90)],
            "age": [20 + i % 11 for i in range(90)],
            "row": list(range(90)),
        }
    )
    pa.dataset.write_dataset(
        table,
        tmp_path / "people",
        format="parquet",
        partitioning=pa.dataset.partitioning(pa.schema([("year", pa.int64())]), flavor="hive"),
    )
    release = shoal.files.anonymize(
        tmp_path / "people", tmp_path / "release.parquet", qids=["year", "age"], k=4, rest="keep"
    )
    made = pq.read_table(tmp_path / "release.parquet")
    assert release.rows == made.num_rows == 90 and sorted(made.column("row").to_pylist()) == list(
        range(90)
    )
    assert shoal.check(made, qids=["year", "age"], k=4).satisfied


def test_nothing_is_left_behind(tmp_path, monkeypatch):
    pq.write_table(pa.table({"age": [21, 23, 22, 64, 66, 61]}), tmp_path / "people.parquet")
    ask = (tmp_path / "people.parquet", tmp_path / "release.parquet", "age")
    with pytest.raises(shoal.UnsatisfiableError):
        shoal.files.anonymize(*ask, k=7)
    honest = shoal.files._Shares.of
    # every row gets the first share
    monkeypatch.setattr(shoal.files._Shares, "of", lambda self, texts: honest(self, texts) * 0)
    with pytest.raises(shoal.UnsatisfiableError, match="verify"):
        shoal.files.anonymize(*ask, k=3)
    assert os.listdir(tmp_path) == ["people.parquet"]
    monkeypatch.undo()
    shoal.files.anonymize(*ask, k=3)
    with pytest.raises(shoal.UsageError, match="exists"):
        shoal.files.anonymize(*ask, k=3)
    shoal.files.anonymize(*ask, k=3, replace=True)
    with pytest.raises(shoal.UsageError, match="its own source"):
        shoal.files.anonymize(ask[0], ask[0], "age", k=3, replace=True)
    with pytest.raises(shoal.UsageError, match="format"):
        shoal.files.anonymize(ask[0], tmp_path / "release.csv", "age", k=3)
    with pytest.raises(shoal.InputOutputError):
        shoal.files.anonymize(tmp_path / "nobody.parquet", ask[1], "age", k=3, replace=True)


def test_the_command_of_the_package(tmp_path):
    pq.write_table(pa.table({"age": [
        21, 23, 22, 64, 66, 61,
    ], "name": list("abcdef")}), tmp_path / "people.parquet")
    (tmp_path / "plan.yaml").write_text(
        "k: 3\ncolumns:\n  - {name: age, role: quasi}\n  - {name: name, role: identifier}\n"
    )
    words = [
        sys.executable,
        "-m",
        "shoal",
        "anonymize",
        "people.parquet",
        "-o",
        "release.parquet",
        "--plan",
        "plan.yaml",
    ]
    assert (
        "groups of at least 3"
        in subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    )
    assert pq.read_table(tmp_path / "release.parquet").to_pydict() == {
        "age": ["[21..23]"] * 3 + ["[61..66]"] * 3
    }
    again = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True)
    assert again.returncode == 2 and "--force" in again.stderr


def test_missing_rights_are_a_sentence(monkeypatch, capsys):
    from shoal.__main__ import main

    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied", "people.parquet")

    monkeypatch.setattr(shoal.files, "anonymize", refuse)
    assert main([
        "anonymize", "people.parquet", "-o", "release.parquet", "--plan", "plan.yaml",
    ]) == 1
    assert capsys.readouterr().err == "shoal: Permission denied: people.parquet\n"
