# SPDX-License-Identifier: Apache-2.0
"""What holds for every table: random frames of mixed kinds, released and counted again with pandas.
"""

import datetime

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

import shoal
from shoal.sklearn import Anonymizer

WORDS = [
    "", "*", "a", "b", "c", "dd", "a|b", "{x}", "x\\y", "[1..2]", "7", "é", "a,b", 'say "no"',
    " pad ", "NA", "line\nbreak",
]
quick = settings(
    max_examples=40,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def _days(numbers):
    return [pd.Timestamp(2020, 1, 1) + datetime.timedelta(days=number) for number in numbers]


def _column(kind, cells, rows):
    """A strategy for one column; `cells` makes its values, None is missing."""
    return st.lists(cells, min_size=rows, max_size=rows).map(kind)


def columns(rows):
    small = st.integers(-3, 12)
    gaps = st.one_of(st.none(), small)
    word = st.sampled_from(WORDS)
    return st.one_of(
        _column(lambda v: pd.Series(v, dtype="int64"), small, rows),
        _column(lambda v: pd.Series(v, dtype="int8"), small, rows),
        _column(lambda v: pd.Series(v, dtype="float64") / 4, gaps, rows),
        _column(lambda v: pd.Series(v, dtype="Int64"), gaps, rows),
        _column(lambda v: pd.Series(v, dtype=object), st.one_of(st.none(), word), rows),
        _column(lambda v: pd.Series(v, dtype="string"), word, rows),
        _column(
            lambda v: pd.Series(pd.Categorical(v, categories=WORDS)),
            st.one_of(st.none(), word),
            rows,
        ),
        _column(lambda v: pd.Series(v, dtype="bool"), st.booleans(), rows),
        _column(lambda v: pd.Series(_days(v), dtype="datetime64[ns]"), small, rows),
        _column(
            lambda v: pd.Series(v, dtype="float64"), st.floats(-1e9, 1e9, allow_nan=False), rows
        ),
    )


@st.composite
def tables(draw, least=4):
    """(frame, quasi-identifiers, k): the frame has a sensitive column, one that nobody touches, and
    an index of its own.
    """
    rows = draw(st.integers(least, 40))
    qids = [f"q{i}" for i in range(draw(st.integers(1, 4)))]
    parts = {name: draw(columns(rows)) for name in qids}
    parts["s"] = pd.Series(
        draw(st.lists(st.sampled_from("xyz"), min_size=rows, max_size=rows)), dtype=object
    )
    parts["other"] = pd.Series([object() for _ in range(rows)], dtype=object)
    frame = pd.DataFrame(parts)
    order = draw(st.permutations(list(frame.columns)))
    frame = frame[order]
    frame.index = pd.Index(draw(st.permutations(range(rows))), name="id")
    return frame, qids, draw(st.integers(2, max(2, rows // 2)))


methods = st.sampled_from([
    "shoal", "mondrian", "mondrian-relaxed", "kmembers", "oka", "datafly", "kaca",
])


def keys(table, qids):
    """What each row publishes, as one text; a gap is a value like any other."""
    return (
        table[qids]
        .astype(object)
        .map(lambda cell: "gap" if pd.isna(cell) or cell == "" else f"text {cell}")
        .agg("\x1f".join, axis=1)
    )


@quick
@given(tables(), methods)
def test_every_row_is_there_and_hides_among_k(made, method):
    frame, qids, k = made
    before = frame.copy(deep=True)
    release = shoal.anonymize(
        frame, qids=qids, k=k, sensitive="s", other=["other", "id"], algorithm=method
    )
    table = release.table
    assert frame.equals(before)  # the input is left alone
    assert list(table.columns) == list(frame.columns) and table.index.equals(frame.index)
    assert table["s"].equals(frame["s"]) and all(
        a is b for a, b in zip(table["other"], frame["other"])
    )
    shown = keys(table, qids)
    counts = shown.value_counts()
    assert counts.min() >= k
    assert len(release.groups) == len(frame)
    assert shown.groupby(release.groups).nunique().eq(1).all()
    stars = table[qids].eq("*").all(axis=1).to_numpy()
    # other rows of only `*` are a group that was generalised so far
    assert (release.groups < 0).sum() == release.measures.suppressed_rows
    assert stars[release.groups < 0].all()
    assert release.measures.groups == counts[~counts.index.isin(shown[release.groups < 0])].size


def assert_covers(series, texts):
    """Every published text covers the value of its row; an empty text is a missing value."""
    numeric = pd.api.types.is_numeric_dtype(series) and series.dtype != bool
    for value, text in zip(series.tolist(), texts.tolist()):
        if isinstance(text, str) and text == "*":
            continue
        if pd.isna(value) or value == "":
            assert pd.isna(text) or text.startswith("{") and "|" in text
        elif numeric and text.startswith("["):
            low, high = map(float, text[1:-1].split(".."))
            assert low <= float(value) <= high
        elif numeric and text.startswith("{"):  # few whole numbers are codes of categories
            assert str(value) in text[1:-1].split("|")
        elif numeric:
            assert float(text) == float(value)
        elif isinstance(value, pd.Timestamp):
            low, high = (text[1:-1].split("..")) if text.startswith("[") else (text, text)
            assert low <= value.date().isoformat() <= high
        else:  # by itself, or in a set, where | { } and \ have a backslash before them
            spelt = "".join("\\" + c if c in "|{}\\" else c for c in str(value))
            assert text == str(value) or spelt in text


@quick
@given(tables(), methods)
def test_published_cells_cover_their_values(made, method):
    frame, qids, k = made
    table = shoal.anonymize(frame[qids], qids=qids, k=k, other="id", algorithm=method).table
    for name in qids:
        assert_covers(frame[name], table[name])


@quick
@given(tables(least=8), methods)
def test_a_learned_recoding_covers_old_and_new_rows(made, method):
    frame, qids, k = made
    recode = Anonymizer(k=k, algorithm=method, flag="few").fit(frame[qids])
    assert not recode.breaks_k(frame[qids]).any()
    half = len(frame) // 2
    k = min(k, half)
    recode = Anonymizer(k=k, algorithm=method, flag="few").fit(frame[qids][:half])
    new = recode.transform(frame[qids][half:])
    assert not recode.breaks_k(frame[qids][:half]).any()
    for name in qids:
        assert_covers(frame[name][half:], new[name])
    both = pd.concat([keys(recode.fit_transform(frame[qids][:half]), qids), keys(new, qids)])
    counts = both.map(both.value_counts())
    assert (counts[half:] < k).tolist() == new["few"].tolist()


@quick
@given(tables(), methods)
def test_check_and_measure_agree_with_the_release(made, method):
    frame, qids, k = made
    release = shoal.anonymize(
        frame, qids=qids, k=k, sensitive="s", other=["other", "id"], algorithm=method
    )
    checked = shoal.check(release.table, qids=qids, k=k)
    assert checked.satisfied and checked.rows == len(frame)
    assert checked.min_group == keys(release.table, qids).value_counts().min()
    assert checked.groups == keys(release.table, qids).nunique()
    measured = shoal.measure(frame, release, qids=qids, k=k, sensitive="s")
    known = release.measures
    names = ["rows", "gcp", "ncp", "um", "wgu", "cavg", "modification_rate"]
    if not (release.groups < 0).any():  # a table does not say which rows were suppressed
        names += ["dm", "suppressed_rows"]
    for name in names:
        assert measured[name] == pytest.approx(known[name], rel=1e-9, abs=1e-12), name
    for ours, theirs in zip(measured.qids, known.qids):
        assert (ours.name, pytest.approx(ours.loss, rel=1e-9, abs=1e-12)) == (
            theirs.name,
            theirs.loss,
        )


@quick
@given(tables(), methods)
def test_the_same_for_any_number_of_threads(made, method):
    frame, qids, k = made
    one, two = (
        shoal.anonymize(frame[qids], qids=qids, k=k, other="id", algorithm=method, threads=threads)
        for threads in (1, 2)
    )
    assert one.table.equals(two.table) and np.array_equal(one.groups, two.groups)
    assert one.measures == two.measures


@quick
@given(tables(least=8), st.sampled_from(["mondrian", "shoal"]), st.booleans())
def test_suppressed_rows_are_counted(made, method, dropped):
    frame, qids, k = made
    try:
        release = shoal.anonymize(
            frame,
            qids=qids,
            k=k,
            sensitive="s",
            other=["other", "id"],
            algorithm=method,
            models=["l-diversity=distinct:2"],
            suppression_limit=0.3,
            drop_suppressed=dropped,
        )
    except shoal.UnsatisfiableError:
        assert frame["s"].nunique() < 2
        return
    gone = release.groups < 0
    assert gone.sum() == release.measures.suppressed_rows and gone.sum() <= 0.3 * len(frame)
    assert release.table.index.equals(frame.index[~gone] if dropped else frame.index)
    stayed = release.table if dropped else release.table[~gone]
    assert (
        (release.table[gone] if not dropped else release.table.iloc[:0])[qids]
        .eq("*")
        .all(axis=None)
    )
    assert stayed.groupby(keys(stayed, qids))["s"].nunique().min() >= 2
    assert keys(stayed, qids).value_counts().min() >= k


@quick
@given(tables(least=8), st.sampled_from(["group", "dropped", "exempt"]))
def test_readings_of_suppressed_rows(made, reading):
    frame, qids, k = made
    arguments = {"drop_suppressed": True} if reading == "dropped" else {"suppressed": reading}
    try:
        release = shoal.anonymize(
            frame,
            qids=qids,
            k=k,
            sensitive="s",
            other=["other", "id"],
            algorithm="optimal",
            suppression=0.5,
            **arguments,
        )
    except shoal.UnsatisfiableError:
        return
    gone = int((release.groups < 0).sum())
    stars = release.table[qids].eq("*").all(axis=1)
    counts = keys(release.table, qids).value_counts()
    others = (
        keys(release.table[~stars], qids).value_counts()
        if reading == "exempt" and not stars.all()
        else counts
    )
    assert others.min() >= k
    assert reading != "group" or gone == 0 or gone >= k
    assert shoal.check(
        release.table, qids=qids, k=k, suppressed="exempt" if reading == "exempt" else None
    ).satisfied
    assert shoal.check(release.table, qids=qids, k=k).satisfied == bool(counts.min() >= k)


def test_weights_of_mr_wtd():
    frame = pd.DataFrame({"a": [1, 2, 8, 9], "s": [1, 1, 1, 5]})
    published = pd.DataFrame({"a": ["[1..2]"] * 2 + ["[8..9]"] * 2, "s": frame["s"]})
    plain, weighed = (
        shoal.measure(frame, published, qids="a", sensitive="s", w_u=w) for w in (None, 0.2)
    )
    assert plain.mr_wtd == pytest.approx((plain.um + plain.mpm) / 2)
    assert weighed.mr_wtd == pytest.approx(0.2 * plain.um + 0.8 * plain.mpm)
    with pytest.raises(shoal.ShoalError, match="add up to 1"):
        shoal.measure(frame, published, qids="a", sensitive="s", w_u=0.3, w_p=0.3)


@quick
@given(tables())
def test_pandas_and_arrow_give_the_same(made):
    frame, qids, k = made
    whole = frame[[*qids, "s"]].reset_index(drop=True)
    columns = pa.Table.from_pandas(whole, preserve_index=False)
    # pandas has no type for days, Arrow has; Arrow writes true, Python True
    for at, field in enumerate(columns.schema):
        if pa.types.is_timestamp(field.type):
            columns = columns.set_column(at, field.name, columns.column(at).cast(pa.date32()))
        elif pa.types.is_boolean(field.type):
            columns = columns.set_column(at, field.name, pa.array(whole[field.name].map(str)))
    arrow = shoal.anonymize(columns, qids=qids, k=k, sensitive="s")
    pandas = shoal.anonymize(whole, qids=qids, k=k, sensitive="s")
    assert arrow.groups.tolist() == pandas.groups.tolist()
    for name in qids:
        assert arrow.table.column(name).to_pylist() == [
            None if pd.isna(cell) else cell for cell in pandas.table[name].tolist()
        ]
