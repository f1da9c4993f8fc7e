# SPDX-License-Identifier: Apache-2.0
"""One exception for each status, with a message and a fix, and never a value of the table."""

import pickle

import pandas as pd
import pyarrow as pa
import pytest

import shoal

SECRET = "Rumpelstiltskin"


def test_classes_and_what_they_are():
    for cls, also in {
        shoal.InputOutputError: OSError,
        shoal.UsageError: ValueError,
        shoal.DataError: ValueError,
        shoal.OutOfMemoryError: MemoryError,
        shoal.UnsatisfiableError: Exception,
        shoal.BudgetError: Exception,
        shoal.CancelledError: Exception,
        shoal.InternalError: Exception,
    }.items():
        assert issubclass(cls, shoal.ShoalError) and issubclass(cls, also)
    statuses = [cls.status for cls in shoal.ShoalError.__subclasses__()]
    assert sorted(statuses) == list(range(-8, 0))


def test_they_can_be_pickled():
    error = pickle.loads(pickle.dumps(shoal.UsageError("what", "fix")))
    assert (error.message, error.fix, str(error)) == ("what", "fix", "what; fix")


@pytest.mark.parametrize(
    "arguments, what, fix",
    [
        (dict(qids=["age"], rest="keep"), "k is required", "k=10"),
        (dict(qids=["age"], k=1, rest="keep"), "at least 2", "k=10"),
        (dict(qids=["age"], k=2.5, rest="keep"), "at least 2", "k=10"),
        (dict(qids=["age"], k=True, rest="keep"), "at least 2", "k=10"),
        (dict(qids=["age"], k="x", rest="keep"), "at least 2", "k=10"),
        (dict(qids=[], k=2, rest="keep"), "no quasi-identifier", "qids"),
        (dict(qids=["agee"], k=2, rest="keep"), "no column 'agee'", "did you mean 'age'"),
        (dict(qids=["age"], k=2), "columns without a role: name, sex, disease, note", "rest"),
        (dict(qids=["age"], sensitive="age", k=2, rest="keep"), "two roles", "one of them"),
        (
            dict(qids=["age"], k=2, rest="keep", algorithm="magic"),
            "unknown algorithm 'magic'",
            "shoal",
        ),
        (dict(qids=["age"], k=2, rest="keep", magic=3), "magic", ""),
        (
            dict(qids=["age"], k=2, rest="keep", models=["l-diversity"]),
            "a model has no name or no value",
            "models=",
        ),
        (dict(qids=["age"], k=2, rest="keep", models=["closeness=3"]), "closeness", ""),
        (dict(qids=["age"], k=2, rest="sell"), "rest", ""),
        (dict(qids=["age"], k=2, rest="keep", missing="maybe"), "missing", ""),
    ],
)
def test_wrong_calls(people, arguments, what, fix):
    with pytest.raises(shoal.UsageError) as caught:
        shoal.anonymize(people, **arguments)
    assert what in str(caught.value)
    assert fix in caught.value.fix
    assert caught.value.status == -2


def test_too_few_rows(people):
    with pytest.raises(shoal.UnsatisfiableError) as caught:
        shoal.anonymize(people, qids="age", k=13, rest="keep")
    assert "12 rows" in caught.value.message and "lower k" in caught.value.fix


def test_models_that_cannot_be_met(people):
    with pytest.raises(shoal.UnsatisfiableError):
        shoal.anonymize(
            people,
            qids="age",
            k=2,
            sensitive="disease",
            rest="keep",
            models=["l-diversity=distinct:4"],
        )


def test_broken_hierarchies(people):
    with pytest.raises(shoal.DataError) as caught:
        shoal.Hierarchy.from_levels([["a", "x"], ["a", "y"]])
    assert "line 2" in str(caught.value)
    cover = shoal.Hierarchy.from_levels({"m": ["*"]})
    with pytest.raises(shoal.DataError) as caught:
        shoal.anonymize(people, qids=["age", "sex"], k=2, rest="keep", hierarchies={"sex": cover})
    assert "sex" in str(caught.value)
    with pytest.raises(FileNotFoundError):
        shoal.Hierarchy.from_file("no such file")


def test_plans_that_cannot_be_read(tmp_path):
    path = tmp_path / "plan.yaml"
    path.write_text("k: 10\nclumns: []\n")
    with pytest.raises(shoal.UsageError, match="line 2"):
        shoal.Plan.from_yaml(path)


def test_no_value_of_the_table_is_told(people):
    people["age"] = [SECRET] + list(range(11))
    cover = shoal.Hierarchy.from_levels({str(i): ["*"] for i in range(11)})
    for arguments in (
        dict(numeric="age"),
        dict(hierarchies={"age": cover}),
        dict(dates="age"),
        dict(hierarchies={"age": "build:intervals:5"}),
    ):
        with pytest.raises(shoal.ShoalError) as caught:
            shoal.anonymize(people, qids="age", k=2, rest="keep", **arguments)
        assert SECRET not in str(caught.value) and SECRET not in repr(caught.value)
        assert "age" in str(caught.value)


def test_text_that_is_not_unicode():
    with pytest.raises(shoal.DataError) as caught:
        shoal.anonymize(pd.DataFrame({"a": ["x\udc80", "y"] * 2}, dtype=object), qids="a", k=2)
    assert "not Unicode" in str(caught.value) and caught.value.__cause__ is None


def test_a_stream_that_was_read_before(people):
    reader = pa.Table.from_pandas(people, preserve_index=False).to_reader()
    shoal.anonymize(reader, qids="age", k=2, rest="keep")
    with pytest.raises(Exception):
        shoal.anonymize(reader, qids="age", k=2, rest="keep")


def test_a_stream_that_fails(people):
    table = pa.Table.from_pandas(people, preserve_index=False)

    def batches():
        yield from table.to_batches()
        raise RuntimeError(SECRET)

    with pytest.raises(shoal.InputOutputError) as caught:
        shoal.anonymize(
            pa.RecordBatchReader.from_batches(table.schema, batches()), qids="age", k=2, rest="keep"
        )
    assert SECRET not in str(caught.value)


def test_an_empty_table():
    with pytest.raises(shoal.UnsatisfiableError):
        shoal.anonymize(pd.DataFrame({"a": []}), qids="a", k=2)
    assert not shoal.check(pd.DataFrame({"a": []}), qids="a", k=2).satisfied


def test_names_may_hold_anything():
    """Semicolons, quotes and options in a column's name are no part of the message's form."""
    name = "a; b --qid 'c' {fix} -k 3"
    table = pd.DataFrame({name: ["x", "y"] * 3, "n": range(6)})
    with pytest.raises(shoal.DataError) as caught:
        shoal.anonymize(table, qids=[name], numeric=[name], k=2, rest="keep")
    error = caught.value
    assert error.message == f"arrow: row 1, column '{name}': not a number; 6 rows are not"
    assert (
        error.fix
        == "if the text means missing, name it with null; otherwise set the format with formats, or"
        " make the column categorical"
    )
    assert str(error) == f"{error.message}; {error.fix}"
    assert (error.column, error.row, error.file, error.line) == (name, 1, None, None)
    with pytest.raises(shoal.UsageError) as caught:
        shoal.anonymize(table, qids=["n; m"], k=2, rest="keep")
    assert caught.value.fix.endswith(f"its columns are {name}, n")


def test_options_are_spelled_as_keywords(people):
    def fix_of(**arguments):
        with pytest.raises(shoal.ShoalError) as caught:
            shoal.anonymize(people, qids="age", rest="keep", **arguments)
        return caught.value.fix

    assert (
        fix_of(k=2, algorithm="anatomy", sensitive="disease")
        == "write, for example, a keyword argument l=3"
    )
    assert fix_of(k=2, algorithm="iack") == "name it with class_"
    cover = shoal.Hierarchy.from_levels({"1": ["*"]})
    assert (
        fix_of(k=2, hierarchies={"age": cover})
        == "add them to the hierarchy, or use on_missing top or on_missing own-leaf, or name them"
        " with null if they mean missing"
    )


def test_parts(tmp_path):
    path = tmp_path / "plan; x.yaml"
    path.write_text("k: 10\nclumns: []\n")
    with pytest.raises(shoal.UsageError) as caught:
        shoal.Plan.from_yaml(path)
    assert (caught.value.file, caught.value.line) == (str(path), 2)
    assert (
        caught.value.message == f"plan '{path}': line 2: unknown key 'clumns'"
        and caught.value.fix.startswith("the keys are ")
    )
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.file, again.line, again.row, again.column, str(again)) == (
        str(path),
        2,
        None,
        None,
        str(caught.value),
    )


def test_no_k_for_a_method_that_is_evaluated(people):
    with pytest.raises(shoal.ShoalError) as caught:
        shoal.evaluate_classify(people, qids="age", class_="disease", algorithm="mondrian")
    assert "-k" not in str(caught.value)


def test_a_plan_that_joins_columns():
    """Files are joined, frames are not: the line that the fix names makes the column, and the plan
    then fits.
    """
    plan = shoal.Plan(
        {
            "k": 2,
            "columns": [
                {"name": "place", "role": "quasi", "join": "lat,lng", "hierarchy": "build:grid:2"}
            ],
        }
    )
    frame = pd.DataFrame({"lat": [52.5, 52.5, 48.1, 48.1], "lng": [13.4, 13.4, 11.6, 11.6]})
    verbs = [
        lambda: shoal.anonymize(frame, plan=plan),
        lambda: shoal.check(frame, plan=plan),
        lambda: shoal.attack(frame, frame, plan=plan),
        lambda: shoal.measure(frame, frame, plan=plan),
    ]
    for verb in verbs:
        with pytest.raises(shoal.UsageError, match="'place' is joined of two") as caught:
            verb()
    exec(caught.value.fix.split("make it first: ")[1].split("; docs/")[0])
    assert list(frame["place"]) == ["52.5;13.4"] * 2 + ["48.1;11.6"] * 2
    assert list(shoal.anonymize(frame, plan=plan).table.columns) == ["place"]
