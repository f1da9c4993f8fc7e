# SPDX-License-Identifier: Apache-2.0
"""Attacks from Python: what the command says, for frames."""

import json

import pandas as pd
import pytest
from conftest import QIDS

import shoal


def without_times(value):
    if isinstance(value, dict):
        return {key: without_times(item) for key, item in value.items() if key != "seconds"}
    return [without_times(item) for item in value] if isinstance(value, list) else value


def test_same_numbers_as_the_command(command, census, census_path, tmp_path):
    out, others = tmp_path / "release.csv", tmp_path / "others.csv"
    roles = ["--qid", ",".join(QIDS), "--sensitive", "disease", "--identifier", "name"]
    command("anonymize", census_path, "-o", out, "--quiet", "-k", 5, "--rest", "keep", *roles)
    command("generate", "census", "--rows", 300, "--seed", 8, "-o", others)
    said = json.loads(
        command(
            "attack", census_path, out, "--json", "-k", 5, "--seed", 3, "--held-out", others, *roles
        )
    )
    release = pd.read_csv(out, dtype=str, keep_default_na=False)
    mine = shoal.attack(
        census,
        release,
        qids=QIDS,
        k=5,
        sensitive="disease",
        identifiers="name",
        seed=3,
        held_out=pd.read_csv(others, dtype={"zip": str}),
    )
    assert without_times(mine) == without_times(said)
    assert mine.not_tried == ["minimality", "intersection"]
    assert {attack.name for attack in mine.attacks if attack.tried} >= {
        "linkage",
        "definetti",
        "classifier",
        "singling-out",
    }


def test_a_release_brings_its_plan(census):
    release = shoal.anonymize(
        census, qids=QIDS, k=5, sensitive="disease", identifiers="name", rest="keep"
    )
    again = shoal.anonymize(
        census,
        qids=QIDS,
        k=7,
        sensitive="disease",
        identifiers="name",
        rest="keep",
        algorithm="mondrian",
    )
    found = shoal.attack(census, [release, again], only=["linkage", "intersection"])
    assert found.k == 5 and found.releases == 2
    assert [(attack.name, attack.release) for attack in found.attacks] == [
        ("linkage", 1),
        ("linkage", 2),
        ("intersection", None),
    ]
    assert found.attacks[0].details.smallest_candidates >= 5
    assert found.attacks[2].tried and found.attacks[2].details.smallest_candidates < 5


def test_controls(people):
    found = shoal.attack(
        people, people, qids=["age", "sex"], sensitive="disease", controls=True, only="row-order"
    )
    assert [control.name for control in found.controls] == [
        row["name"] for row in shoal._registry._rows()["attacks"]
    ]
    assert all(control.holds for control in found.controls)


def test_mistakes(people):
    with pytest.raises(shoal.UsageError, match="unknown attack 'magic'"):
        shoal.attack(people, people, qids=["age", "sex"], only="magic")
    with pytest.raises(shoal.UsageError, match="no column"):
        shoal.attack(people, people.drop(columns="sex"), qids=["age", "sex"])
    with pytest.raises(shoal.DataError, match="cover no row of the original"):
        shoal.attack(
            people, pd.DataFrame({"age": ["99", "99"], "sex": ["m", "m"]}), qids=["age", "sex"]
        )
    with pytest.raises(shoal.DataError, match="repeats a value of the record key") as caught:
        shoal.attack(people, people, qids=["age", "sex"], record_key="disease")
    assert "--" not in str(caught.value)
    with pytest.raises(shoal.UsageError, match="no release"):
        shoal.attack(people, [], qids=["age", "sex"])
    with pytest.raises(shoal.UsageError, match="quasi-identifier"):
        shoal.attack(people, people)
