# SPDX-License-Identifier: Apache-2.0
"""Every kind of table goes in, and the release comes back as that kind: rows in order, other
columns untouched.
"""

import datetime
import decimal

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from conftest import QIDS

import shoal

REST = {"rest": "keep"}


def published(table, names):
    """The published texts of columns as lists, of any kind of frame."""
    if isinstance(table, pd.DataFrame):
        return {
            name: [None if pd.isna(value) else str(value) for value in table[name].astype(object)]
            for name in names
        }
    if isinstance(table, pl.DataFrame):
        return {name: table[name].cast(pl.String).to_list() for name in names}
    if isinstance(table, (pa.Table, pa.RecordBatch)):
        return {name: table.column(name).cast(pa.string()).to_pylist() for name in names}
    return published(pa.table(table), names)


@pytest.fixture(scope="module")
def expected(census):
    release = shoal.anonymize(census, qids=QIDS, k=5, **REST)
    return published(release.table, QIDS), release.groups.tolist()


def kinds(census):
    arrow = pa.Table.from_pandas(census, preserve_index=False)
    return {
        "pandas": census,
        "pandas category": census.astype({name: "category" for name in QIDS if name != "age"}),
        "pandas category of numbers": census.astype({"age": "category"}),
        "pandas string": census.astype({name: "string" for name in QIDS if name != "age"}),
        "pandas string[pyarrow]": census.astype(
            {name: "string[pyarrow]" for name in QIDS if name != "age"}
        ),
        "pandas nullable": census.astype({"age": "Int64"}),
        "pandas small": census.astype({"age": "uint8"}),
        "pandas float": census.astype({"age": "float32"}),
        "pandas arrow": census.convert_dtypes(dtype_backend="pyarrow"),
        "pandas all texts": census.astype({name: object for name in QIDS}),
        "polars": pl.from_pandas(census),
        "polars lazy": pl.from_pandas(census).lazy(),
        "polars categorical": pl.from_pandas(census).with_columns(
            pl.col("sex", "race").cast(pl.Categorical)
        ),
        "pyarrow": arrow,
        "pyarrow chunks": pa.concat_tables(
            [arrow.slice(0, 300), arrow.slice(300, 1), arrow.slice(301)]
        ),
        "pyarrow dictionary": arrow.set_column(
            arrow.column_names.index("sex"), "sex", arrow.column("sex").dictionary_encode()
        ),
        "pyarrow batch": arrow.combine_chunks().to_batches()[0],
        "pyarrow reader": arrow.to_reader(max_chunksize=300),
        "duckdb": duckdb.from_df(census),
    }


KINDS = [
    "pandas", "pandas category", "pandas category of numbers", "pandas string",
    "pandas string[pyarrow]", "pandas nullable", "pandas small", "pandas float", "pandas arrow",
    "pandas all texts", "polars", "polars lazy", "polars categorical", "pyarrow", "pyarrow chunks",
    "pyarrow dictionary", "pyarrow batch", "pyarrow reader", "duckdb",
]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_gives_the_same_release(census, expected, kind):
    table = kinds(census)[kind]
    release = shoal.anonymize(table, qids=QIDS, k=5, **REST)
    assert published(release.table, QIDS) == expected[0]
    assert release.groups.tolist() == expected[1]


def test_the_kind_that_went_in(census):
    tables = kinds(census)
    for kind, cls in {
        "pandas": pd.DataFrame,
        "polars": pl.DataFrame,
        "polars lazy": pl.DataFrame,
        "pyarrow": pa.Table,
        "pyarrow batch": pa.RecordBatch,
        "duckdb": duckdb.DuckDBPyRelation,
        "pyarrow reader": shoal.ArrowTable,
    }.items():
        release = shoal.anonymize(tables[kind], qids=QIDS, k=5, **REST)
        assert isinstance(release.table, cls), kind


def test_pandas_columns_that_are_not_touched_are_the_same(people):
    people.index = range(100, 112)
    people["when"] = pd.date_range("2020-01-01", periods=12, freq="h", tz="UTC")
    people["things"] = [[i] for i in range(12)]
    before = people.copy(deep=True)
    made = shoal.anonymize(people, qids=["age", "sex"], k=3, identifiers="name", **REST).table
    assert list(made.columns) == ["age", "sex", "disease", "note", "when", "things"]
    assert made.index.equals(people.index)
    for name in ["disease", "note", "when", "things"]:
        assert made[name].dtype == people[name].dtype
        assert all(a is b or a == b for a, b in zip(made[name], people[name]))
    assert (
        np.shares_memory(made["disease"].to_numpy(), people["disease"].to_numpy())
        or made["disease"].dtype != object
    )
    pd.testing.assert_frame_equal(people, before)


def test_polars_and_pyarrow_keep_other_columns(census):
    frame = pl.from_pandas(census).with_columns(
        pl.struct("age", "sex").alias("both"), pl.lit([1, 2]).alias("list")
    )
    made = shoal.anonymize(frame, qids=QIDS, k=5, identifiers="name", **REST).table
    assert made.columns == [name for name in frame.columns if name != "name"]
    others = [name for name in made.columns if name not in QIDS]
    assert made.select(others).equals(frame.select(others))
    table = frame.to_arrow()
    made = shoal.anonymize(table, qids=QIDS, k=5, drop=["name", "zip"], **REST).table
    assert made.column_names == [name for name in table.column_names if name not in ("name", "zip")]
    assert made.select(["both", "list"]).equals(table.select(["both", "list"]))


def test_labels_that_are_not_strings():
    frame = pd.DataFrame({0: [1, 2, 3, 4], 1: list("aabb")})
    made = shoal.anonymize(frame, qids=[0], k=2, other=[1]).table
    assert list(made.columns) == [0, 1]
    assert made[0].tolist() == ["[1..2]", "[1..2]", "[3..4]", "[3..4]"]


def test_labels_of_two_levels():
    frame = pd.DataFrame(
        [[1, "x"], [2, "x"], [3, "y"], [4, "y"]],
        columns=pd.MultiIndex.from_tuples([("p", "age"), ("p", "note")], names=["a", "b"]),
    )
    made = shoal.anonymize(frame, qids=[("p", "age")], k=2, rest="keep").table
    assert made.columns.equals(frame.columns) and made.columns.names == ["a", "b"]
    assert made[("p", "age")].tolist() == ["[1..2]", "[1..2]", "[3..4]", "[3..4]"]


def test_two_columns_of_one_name():
    frame = pd.DataFrame([[1, 2], [3, 4]], columns=["a", "a"])
    with pytest.raises(shoal.DataError, match="two columns"):
        shoal.anonymize(frame, qids="a", k=2)
    with pytest.raises(shoal.DataError, match="two columns"):
        shoal.anonymize(
            pa.Table.from_arrays([pa.array([1, 1]), pa.array([1, 1])], names=["a", "a"]),
            qids="a",
            k=2,
        )


# Twelve cells each; a text that must occur in the release says how they were read.
ODD_COLUMNS = {
    "mixed objects": ([1, "1", 2.5, None, True, b"x", (1, 2), "x", 3, 4, 5, 6], "|True"),
    "unused categories": (pd.Categorical(list("ppqqppqqppqq"), categories=list("pqrstu")), "p"),
    "infinities": ([1.0, 2, np.inf, -np.inf, 3, 4, 5, 6, 7, 8, 9, 10], "inf"),
    "time zones": (
        pd.date_range("2020-01-01 10:30", periods=12, freq="h", tz="Europe/Berlin"),
        "2020-01-01 10:30:00+01:00",
    ),
    "Decimals": ([decimal.Decimal(i) / 4 for i in range(12)], "[0.."),
    "nullable whole numbers": (
        pd.array([1, 2, None, 4, 5, 6, 7, 8, 9, 10, 11, 12], dtype="Int64"),
        "[",
    ),
    "nullable truth values": (pd.array([True, None] * 6, dtype="boolean"), "True"),
    "Arrow's numbers": (pd.array(range(12), dtype=pd.ArrowDtype(pa.int32())), "["),
    "Arrow's texts": (pd.array(list("ppqqppqqppqq"), dtype="string[pyarrow]"), "p"),
    "periods": (pd.period_range("2020-01", periods=12, freq="M"), "2020-01"),
    "half floats": (np.arange(12, dtype="float16"), "[0.."),
    "sparse": (pd.arrays.SparseArray([0, 0, 1] * 4), "0"),
    "texts with a zero byte": (["a\0b"] * 6 + ["c"] * 6, "a\0b"),
}


@pytest.mark.parametrize("name", ODD_COLUMNS)
def test_odd_columns(name):
    """Whatever a column holds, every row is there, hides among k, and says what its cells were."""
    cells, expected = ODD_COLUMNS[name]
    frame = pd.DataFrame({"a": list("xxyyxxyyxxyy"), "b": cells})
    table = shoal.anonymize(frame, qids=["a", "b"], k=3).table
    assert len(table) == 12
    shown = [expected in str(cell) for cell in table["b"]]
    assert any(shown)
    assert table.astype(object).fillna("gap").value_counts().min() >= 3


def test_frames_without_rows_or_columns():
    frame = pd.DataFrame({"a": list("xy"), "b": [1, 2]})
    with pytest.raises(shoal.UnsatisfiableError, match="0 rows"):
        shoal.anonymize(frame.head(0), qids=["a", "b"], k=3)
    with pytest.raises(shoal.UsageError, match="no quasi-identifier"):
        shoal.anonymize(pd.DataFrame(index=range(5)), qids=[], k=2)
    with pytest.raises(shoal.UsageError, match="no column 'a'"):
        shoal.anonymize(pd.DataFrame(index=range(5)), qids=["a"], k=2)


@pytest.mark.parametrize(
    "cells",
    [
        pa.array([{"x": 1}] * 12),
        pa.array([[1]] * 12),
        pa.array([decimal.Decimal(i) / 4 for i in range(12)]),
    ],
)
def test_arrow_types_that_cannot_be_generalised(cells):
    table = pa.table({"a": list("xxyyxxyyxxyy"), "b": cells})
    with pytest.raises(shoal.DataError, match="convert it to text, numbers or dates"):
        shoal.anonymize(table, qids=["a", "b"], k=3)
    kept = shoal.anonymize(table, qids=["a"], k=3, other="b").table
    assert kept.column("b").equals(table.column("b"))


@pytest.mark.parametrize("values", [
    pd.Series([1.5, None, 2.5, None, 1.5, 2.5]),
    pd.Series([1, None, 2, None, 1, 2], dtype="Int16"),
    pd.Series(["x", None, "y", None, "x", "y"]),
    pd.Series(["x", None, "y", None, "x", "y"], dtype="string"),
    pd.Series(["x", np.nan, "y", np.nan, "x", "y"], dtype="category"),
    pd.Series([True, None, False, None, True, False], dtype="boolean"),
    pd.Series(pd.to_datetime(["2020-01-01", None, "2021-05-05", None, "2020-01-01", "2021-05-05"])),
])
def test_missing_values_stay_missing(values):
    made = shoal.anonymize(pd.DataFrame({"q": values}), qids="q", k=2).table
    assert made["q"].isna().tolist() == [False, True, False, True, False, False]
    assert made["q"].iloc[0] == made["q"].iloc[4] != made["q"].iloc[2]


def test_cells_of_any_kind_count_as_their_texts():
    class Odd:
        def __str__(self):
            return "odd"

    cells = [
        1,
        "1",
        True,
        "True",
        1.5,
        Odd(),
        Odd(),
        None,
        float("nan"),
        pd.NA,
        pd.NaT,
        "é",
        "é"[:],
    ]
    raw, texts = shoal._core.encode(np.array(cells, dtype=object), (None, pd.NA, pd.NaT))
    assert texts == ["1", "True", "1.5", "odd", "é"]
    assert np.frombuffer(raw, dtype=np.int32).tolist() == [
        0,
        0,
        1,
        1,
        2,
        3,
        3,
        -1,
        -1,
        -1,
        -1,
        4,
        4,
    ]
    many = np.array([f"value {i % 5000}" for i in range(20_000)], dtype=object)
    raw, texts = shoal._core.encode(many, (None,))
    assert [texts[code] for code in np.frombuffer(raw, dtype=np.int32)] == many.tolist()
    with pytest.raises(TypeError):
        shoal._core.encode(np.arange(3), (None,))

    class Broken:
        def __str__(self):
            raise RuntimeError("no text")

    with pytest.raises(RuntimeError, match="no text"):
        shoal._core.encode(np.array(["a", Broken()], dtype=object), (None,))


def test_dates_are_intervals_and_times_are_texts():
    days = pd.DataFrame(
        {"d": pd.to_datetime(["2020-01-01", "2020-01-03", "2021-01-01", "2021-01-02"])}
    )
    assert (
        shoal.anonymize(days, qids="d", k=2).table["d"].tolist()
        == ["[2020-01-01..2020-01-03]"] * 2 + ["[2021-01-01..2021-01-02]"] * 2
    )
    objects = pd.DataFrame({"d": [datetime.date(2020, 1, 1), datetime.date(2020, 1, 3)] * 2})
    assert (
        shoal.anonymize(objects, qids="d", k=2).table["d"].tolist()
        == ["2020-01-01", "2020-01-03"] * 2
    )
    times = pd.DataFrame({"d": pd.to_datetime(["2020-01-01 10:00", "2020-01-03 11:30"] * 2)})
    assert (
        shoal.anonymize(times, qids="d", k=2).table["d"].tolist()
        == ["2020-01-01 10:00:00", "2020-01-03 11:30:00"] * 2
    )


def test_suppressed_rows_can_be_left_out():
    frame = pd.DataFrame({"a": ["x"] * 9 + ["u", "v", "w"], "note": range(12)}, index=range(10, 22))
    hierarchy = shoal.Hierarchy.from_levels([[value, "*"] for value in "uvwx"])
    arguments = dict(
        qids="a",
        k=3,
        other="note",
        hierarchies={"a": hierarchy},
        algorithm="datafly",
        suppression=0.3,
    )
    kept = shoal.anonymize(frame, **arguments)
    assert kept.table["a"].tolist() == ["x"] * 9 + ["*"] * 3
    assert kept.groups.tolist()[-3:] == [-1, -1, -1] and kept.measures.suppressed_rows == 3
    for table in (frame, pl.from_pandas(frame), pa.Table.from_pandas(frame, preserve_index=False)):
        left = shoal.anonymize(table, drop_suppressed=True, **arguments).table
        notes = left["note"].to_pylist() if isinstance(left, pa.Table) else left["note"].to_list()
        assert notes == list(range(9))
    assert shoal.anonymize(frame, drop_suppressed=True, **arguments).table.index.tolist() == list(
        range(10, 19)
    )


def test_an_array_without_a_stream(people):
    batch = pa.RecordBatch.from_pandas(people, preserve_index=False)

    class OnlyArray:
        def __arrow_c_array__(self, requested_schema=None):
            return batch.__arrow_c_array__(requested_schema)

    release = shoal.anonymize(OnlyArray(), qids=["age", "sex"], k=3, **REST)
    assert published(release.table, ["age"]) == published(
        shoal.anonymize(people, qids=["age", "sex"], k=3, **REST).table, ["age"]
    )


def test_a_table_of_no_known_kind():
    with pytest.raises(shoal.UsageError, match="__arrow_c_stream__"):
        shoal.anonymize([1, 2, 3], qids="a", k=2)


def test_the_stream_outlives_the_release(people):
    reader = pa.Table.from_pandas(people, preserve_index=False).to_reader()
    stream = shoal.anonymize(reader, qids=["age"], k=3, **REST).table
    reader = pa.RecordBatchReader.from_stream(stream)
    del stream
    table = reader.read_all()
    del reader
    assert table.num_rows == 12 and table.column("note").to_pylist()[-1] == "n11"


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("dtype", ["i2", "i4", "i8", "u4", "f4", "f8", "U3", "M8[D]", "M8[ns]"])
def test_byte_orders(dtype, order):
    """Columns of either byte order are read as the same values."""
    values = np.array([21, 23, 22, 64, 66, 61]).astype(dtype)
    other = pd.DataFrame(
        {"x": pd.Series(values.astype(np.dtype(dtype).newbyteorder(order))), "y": range(6)}
    )
    expected = shoal.anonymize(
        pd.DataFrame({"x": values, "y": range(6)}), qids="x", k=3, **REST
    ).table
    assert published(shoal.anonymize(other, qids="x", k=3, **REST).table, ["x"]) == published(
        expected, ["x"]
    )


@pytest.mark.parametrize("order", ["<", ">"])
def test_byte_orders_of_records(order):
    """A frame made from a numpy array of records keeps its byte order."""
    rows = np.array(
        [(21, 1.5), (23, 1.5), (64, 2.5), (66, 2.5)],
        dtype=[("a", order + "i4"), ("b", order + "f8")],
    )
    frame = pd.DataFrame(rows)
    assert published(shoal.anonymize(frame, qids=["a", "b"], k=2).table, "ab") == {
        "a": ["[21..23]"] * 2 + ["[64..66]"] * 2, "b": ["1.5"] * 2 + ["2.5"] * 2}


def test_an_index_needs_a_role(people):
    """What the index holds would be published: its named levels are columns."""
    frame = people.set_index("name")
    with pytest.raises(shoal.UsageError, match="columns without a role: name"):
        shoal.anonymize(frame, qids=["age", "sex"], k=3, sensitive="disease", other="note")
    expected = shoal.anonymize(people, qids=["age", "sex"], k=3, identifiers="name", **REST).table
    made = shoal.anonymize(frame, qids=["age", "sex"], k=3, identifiers="name", **REST).table
    pd.testing.assert_frame_equal(made, expected)
    assert frame.index.name == "name" and list(frame.columns) == ["age", "sex", "disease", "note"]
    kept = shoal.anonymize(
        people.set_index("note"), qids=["age", "sex"], k=3, identifiers="name", **REST
    ).table
    assert kept.index.name == "note" and kept.index.tolist() == people["note"].tolist()
    with pytest.raises(shoal.DataError, match="both named 'age'"):
        shoal.anonymize(people.rename_axis("age"), qids=["age", "sex"], k=3, **REST)


def test_an_index_of_several_levels(people):
    frame = people.set_index(["name", "age", "note"])
    made = shoal.anonymize(frame, qids=["age", "sex"], k=3, identifiers="name", **REST).table
    expected = shoal.anonymize(people, qids=["age", "sex"], k=3, identifiers="name", **REST).table
    assert made.index.names == ["age", "note"] and list(made.columns) == ["sex", "disease"]
    flat = made.reset_index()
    assert published(flat, ["age", "sex", "note"]) == published(expected, ["age", "sex", "note"])
    assert shoal.check(made, qids=["age", "sex"], k=3).satisfied
    frame.index.names = [None, "age", None]  # levels without a name are not published
    made = shoal.anonymize(frame, qids=["age", "sex"], k=3, **REST).table
    assert made.index.names == ["age"] and published(made.reset_index(), ["age"]) == published(
        expected, ["age"]
    )


def test_an_index_without_a_name_is_not_published(people):
    made = shoal.anonymize(
        people.set_index(people["name"].to_numpy()),
        qids=["age", "sex"],
        k=3,
        identifiers="name",
        **REST,
    ).table
    assert isinstance(made.index, pd.RangeIndex) and made.index.tolist() == list(range(12))
    made = shoal.anonymize(
        people.sample(frac=1, random_state=1), qids=["age", "sex"], k=3, identifiers="name", **REST
    ).table
    assert made.index.tolist() == list(range(12))


def test_an_index_in_a_release_of_text(people):
    made = shoal.anonymize(
        people.set_index(["name", "note"]),
        qids=["age", "sex"],
        sensitive="disease",
        algorithm="anatomy",
        l=2,
        identifiers="name",
        **REST,
    ).table
    assert made.index.names == ["note"] and made.index.tolist() == people["note"].tolist()


def held(column):
    """Every text that a column holds, in cells or beside them."""
    if isinstance(column, pl.Series):
        column = column.to_arrow()
    if isinstance(column, pd.Series):
        if isinstance(column.dtype, pd.CategoricalDtype):
            return set(column.cat.categories)
        column = pa.chunked_array([pa.array(column.array)])
    chunks = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
    return {text for chunk in chunks for text in chunk.dictionary.to_pylist()}


@pytest.mark.parametrize(
    "kind",
    [
        "pandas",
        "pandas ordered",
        "pandas arrow",
        "pandas index",
        "polars",
        "pyarrow",
        "pyarrow chunks",
        "duckdb",
        "reader",
    ],
)
def test_dropped_rows_leave_no_categories(kind):
    frame = pd.DataFrame(
        {
            "a": ["x"] * 9 + ["u", "v", "w"],
            "ill": list("abcabcabc") + ["rare 1", "rare 2", "rare 3"],
        }
    )
    arrow = pa.table(
        {"a": frame["a"].tolist(), "ill": pa.array(frame["ill"].tolist()).dictionary_encode()}
    )
    table = {
        "pandas": lambda: frame.astype({"ill": "category"}),
        "pandas ordered": lambda: frame.assign(ill=pd.Categorical(frame["ill"], ordered=True)),
        "pandas arrow": lambda: frame.astype(
            {"ill": pd.ArrowDtype(arrow.schema.field("ill").type)}
        ),
        "pandas index": lambda: frame.astype({"ill": "category"}).set_index("ill"),
        "polars": lambda: pl.from_pandas(frame).with_columns(pl.col("ill").cast(pl.Categorical)),
        "pyarrow": lambda: arrow,
        "pyarrow chunks": lambda: pa.concat_tables([arrow.slice(0, 5), arrow.slice(5)]),
        "duckdb": lambda: duckdb.from_arrow(arrow),
        "reader": lambda: arrow.to_reader(),
    }[kind]()
    made = shoal.anonymize(
        table,
        qids="a",
        k=3,
        sensitive="ill",
        algorithm="datafly",
        suppression_limit=0.3,
        drop_suppressed=True,
        hierarchies={"a": shoal.Hierarchy.from_levels([[text, "*"] for text in "xuvw"])},
    ).table
    made = (
        pa.table(made)
        if kind in ("duckdb", "reader")
        else made.reset_index() if kind == "pandas index" else made
    )
    assert len(made) == 9 and list(
        made["ill"].to_pylist() if isinstance(made, pa.Table) else made["ill"]
    ) == list("abcabcabc")
    if kind != "duckdb" or pa.types.is_dictionary(made.schema.field("ill").type):
        assert held(made["ill"]) == set("abc")
        assert kind in ("polars", "reader") or held(made["a"]) == {"x"}


@pytest.mark.parametrize(
    "kind",
    [
        lambda frame: frame,
        lambda frame: frame.set_index("note"),
        pl.from_pandas,
        lambda frame: pa.Table.from_pandas(frame, preserve_index=False),
    ],
)
@pytest.mark.parametrize("method", [{"k": 3}, {"algorithm": "anatomy", "l": 2}])
def test_rows_of_frames_are_not_shuffled(people, kind, method):
    """Results of a frame stand beside its rows (groups, columns passed on, the index), so their
    order is the caller's.
    """
    arguments = dict(
        qids=["age", "sex"], sensitive="disease", identifiers="name", other="note", **method
    )
    with pytest.raises(shoal.UsageError, match="shuffled") as caught:
        shoal.anonymize(kind(people), row_order="shuffle", **arguments)
    assert "df.sample(frac=1, ignore_index=True)" in caught.value.fix
    assert len(shoal.anonymize(kind(people), row_order="keep", **arguments).groups) == len(people)


def test_a_frame_shuffled_before_tells_no_order(people):
    mixed = people.sample(frac=1, ignore_index=True, random_state=7)
    made = shoal.anonymize(
        mixed, qids=["age", "sex"], k=3, sensitive="disease", identifiers="name", other="note"
    ).table
    assert made.index.tolist() == list(range(len(people)))
    assert made["note"].tolist() == mixed["note"].tolist() != people["note"].tolist()
