# SPDX-License-Identifier: Apache-2.0
"""Keyword arguments: none is swallowed, and they are called as in plans and in the command."""

import inspect
import re

import pandas as pd
import pytest

import shoal
from shoal import _registry, files

PEOPLE = pd.DataFrame({"age": range(20), "sex": ["f", "m"] * 10, "disease": list("abcd") * 5})
WANTED = dict(qids=["age", "sex"], rest="keep")

# A word that Python keeps for itself.
SPELLED = {"class_": "class"}
# What the command has for these stands elsewhere: one option per model, --param NAME=VALUE.
OTHERWISE = {"models", "params"}
OWN = {"table", "plan", "progress", "given"}


def fix_of(call):
    with pytest.raises(shoal.UsageError) as caught:
        call()
    return caught.value.fix


@pytest.mark.parametrize(
    "name, near",
    [
        ("sensitve", "sensitive"),
        ("efort", "effort"),
        ("class_column", "class_"),
        ("level_weights", "weights"),
        ("nulls", "null"),
        ("qid", "qids"),
    ],
)
def test_unknown_keywords_name_the_nearest(name, near):
    def of(verb, *args, **more):
        return fix_of(lambda: verb(*args, **more, **{name: "age"}))

    assert of(shoal.anonymize, PEOPLE, k=3, **WANTED) == f"did you mean {near}?"
    assert of(shoal.frontier, PEOPLE, ["age"]) == f"did you mean {near}?"
    if near not in ("effort", "class_", "weights"):
        assert of(shoal.check, PEOPLE, k=3) == f"did you mean {near}?"
    if near != "effort":
        assert of(shoal.measure, PEOPLE, PEOPLE) == f"did you mean {near}?"


def test_a_keyword_like_nothing_is_refused():
    assert "algorithms()" in fix_of(lambda: shoal.anonymize(PEOPLE, k=3, **WANTED, xyzzy=1))
    assert "algorithms()" in fix_of(lambda: shoal.risk(PEOPLE, qids="age", xyzzy=1))


def test_parameters_of_another_method_are_refused():
    release = shoal.anonymize(PEOPLE, k=3, **WANTED, algorithm="shoal", effort=1)
    assert release.report["params"]["effort"] == "1"
    with pytest.raises(shoal.UsageError, match="no argument 'effort'"):
        shoal.anonymize(PEOPLE, k=3, **WANTED, algorithm="mondrian", effort=1)


def test_parameters_may_stand_in_params():
    """Where an argument and a parameter of the method have one name, as in a plan."""
    release = shoal.anonymize(
        PEOPLE, k=3, **WANTED, algorithm="kaca", params={"weights": "uniform"}
    )
    assert release.report["params"] == {"weights": "uniform"}


def plan_keys():
    found = set()
    for text in ("nokey: 1\n", "input: {nokey: 1}\n", "columns: [{nokey: 1}]\n"):
        with pytest.raises(shoal.UsageError) as caught:
            shoal.Plan.from_yaml(text + "\n")
        words = re.search(r"the keys are (.*)", f"{caught.value} {caught.value.fix}").group(1)
        found |= {word.strip(" .;") for word in words.split(",")}
    return found


def option_of(name, options):
    """The long option of a keyword: its name, or, where that is a plural, the singular."""
    spelled = SPELLED.get(name) or name.replace("_", "-")
    is_plural = spelled not in options and spelled.endswith("s")
    return spelled[:-1] if is_plural else spelled


def test_keywords_are_options_of_the_command_and_keys_of_plans(command):
    options = set(re.findall(r"--([a-z][a-z-]*)", command("anonymize", "--help"))) | {"k"}
    roles = {row["option"] for row in _registry._rows()["roles"]}
    types = {row["name"] for row in _registry._rows()["types"]}
    keys = plan_keys()
    for name in set(inspect.signature(shoal.anonymize).parameters) - OWN - OTHERWISE:
        option = option_of(name, options)
        assert option in options, name
        assert option in keys | roles | types, name
    assert OTHERWISE <= keys


def test_plurals_are_those_of_the_docs(command):
    """docs/python.md names each keyword that is a plural, with its option."""
    options = set(re.findall(r"--([a-z][a-z-]*)", command("anonymize", "--help"))) | {"k"}
    names = set(inspect.signature(shoal.anonymize).parameters) - OWN - OTHERWISE
    plurals = {name for name in names if option_of(name, options) != name.replace("_", "-")}
    assert plurals - set(SPELLED) == {
        "qids",
        "identifiers",
        "dates",
        "formats",
        "sensitive_ranges",
    }
    # one way to say each: the singular is no keyword
    assert not {name[:-1] for name in plurals - set(SPELLED)} & names


def test_unknown_keywords_of_files(tmp_path):
    with pytest.raises(shoal.UsageError) as caught:
        files.anonymize(
            tmp_path / "in.parquet", tmp_path / "out.parquet", qids="age", sensitve="x"
        )
    assert caught.value.fix == "did you mean sensitive?"
