# SPDX-License-Identifier: Apache-2.0
"""Releases, plans, hierarchies and frontiers as objects."""

import copy
import json
import pickle
import xml.etree.ElementTree as tree

import warnings

import pandas as pd
import pytest
from conftest import QIDS

import shoal


@pytest.fixture(scope="module")
def release(census):
    return shoal.anonymize(
        census, qids=QIDS, k=5, sensitive="disease", rest="keep", models=["l-diversity=distinct:2"]
    )


def test_numbers(release):
    assert release.measures.min_group >= 5
    assert 0 < release.bound.lower_bound <= release.measures.gcp
    assert release.bound.gap == pytest.approx(release.measures.gcp / release.bound.lower_bound)
    assert release.risk.prosecutor.highest <= 0.2 < release.risk.original.prosecutor.highest
    assert release.models[0].achieved >= 2
    assert set(release.measures).isdisjoint({"seconds", "threads", "lower_bound"})
    with pytest.raises(AttributeError, match="there is no"):
        release.measures.magic


def test_what_became_of_columns(census, release):
    others = [name for name in census.columns if name not in QIDS]
    assert (
        release.report.changed == QIDS
        and release.report.unchanged == others
        and release.report.left_out == []
    )
    dropped = shoal.anonymize(census, qids=QIDS, k=5, sensitive="disease", rest="drop").measures
    assert dropped.unchanged == ["disease"] and set(dropped.left_out) == set(others) - {"disease"}


def test_protection_in_words(release):
    told = release.measures.sensitive[0]
    assert told.name == "disease" and told.one_value_groups == 0 and told.fewest_values >= 2
    assert told.words.startswith(
        f"disease: at least {told.fewest_values} distinct values in every group"
    )
    table = pd.DataFrame({"age": ["2*"] * 2 + ["3*"] * 3, "ill": list("aabab")})
    found = shoal.check(table, qids="age", k=2, sensitive="ill")
    assert found.sensitive[0].one_value_groups == 1
    assert found.sensitive[0].words.startswith(
        "ill: all rows have the same value in 1 group (2 of 5 rows)"
    )
    assert "sensitive" not in shoal.check(table, qids="age", k=2, sensitive="gone")


def test_formats():
    """The message about two readings names an argument that there is, as it has to be written."""
    table = pd.DataFrame(
        {"seen": [f"{1 + i % 12:02d}/{(2, 5, 9, 11)[i // 12]:02d}/2020" for i in range(48)]}
    )
    with pytest.raises(shoal.DataError) as caught:
        shoal.anonymize(table, qids="seen", k=12)
    assert "formats 'seen=DD/MM/YYYY' or formats 'seen=MM/DD/YYYY'" in caught.value.fix
    published = shoal.anonymize(table, qids="seen", k=12, formats={"seen": "DD/MM/YYYY"}).table
    assert published["seen"][0] == "[01/02/2020..12/02/2020]"
    assert shoal.anonymize(table, qids="seen", k=12, formats="seen=DD/MM/YYYY").table.equals(
        published
    )
    assert shoal.measure(table, published, qids="seen", formats={"seen": "DD/MM/YYYY"}).gcp < 0.1
    with pytest.raises(shoal.UsageError, match="for no column"):
        shoal.anonymize(table, qids="seen", k=12, formats=["DD/MM/YYYY"])


def test_ordered_categories():
    table = pd.DataFrame(
        {
            "rank": ["low", "middle", "high", "top"] * 2,
            "years": ["[0-10)", "[10-20)", "[20-30)", "[30-40)"] * 2,
        }
    )
    said = {"rank": ["low", "middle", "high", "top"], "years": "auto"}
    published = shoal.anonymize(table, qids=["rank", "years"], k=4, ordered=said).table
    assert set(published["rank"]) == {"low..middle", "high..top"}
    assert set(published["years"]) == {"[0-10)..[10-20)", "[20-30)..[30-40)"}
    assert shoal.anonymize(
        table, qids=["rank", "years"], k=4, ordered={**said, "rank": "low < middle < high < top"}
    ).table.equals(published)
    with pytest.raises(shoal.UsageError):
        shoal.anonymize(table, qids=["rank", "years"], k=4, ordered={"rank": ["low"]})


def test_groups_are_what_is_published(release):
    tuples = release.table[QIDS].astype(str).agg("|".join, axis=1)
    assert tuples.groupby(release.groups).nunique().eq(1).all()
    assert tuples.value_counts().min() >= 5


def test_manifest(release, census):
    manifest = release.manifest
    assert manifest.verified and manifest.k == 5 and manifest.rows == len(census)
    again = shoal.anonymize(census, plan=shoal.Plan(manifest.plan))
    assert again.manifest.groups_sha256 == manifest.groups_sha256
    json.dumps(manifest)


def test_card(release):
    card = release._repr_html_()
    root = tree.fromstring(card)
    text = "".join(root.itertext())
    assert (
        "k = 5" in text and "l-diversity distinct" in text and f"{release.measures.gcp:.4g}" in text
    )
    assert len(root.findall(".//rect")) == 2 * len(QIDS)
    assert "<script" not in card


def test_cards_escape_names():
    frame = pd.DataFrame({"<b>&": [1, 2, 3, 4]})
    card = shoal.anonymize(frame, qids="<b>&", k=2)._repr_html_()
    assert "<b>&<" not in card and "&lt;b&gt;&amp;" in card
    tree.fromstring(card)


def test_a_table_is_made_once(release):
    assert release.table is release.table


def test_same_release_for_any_number_of_threads(census):
    tables = [
        shoal.anonymize(census, qids=QIDS, k=5, rest="keep", threads=n).table for n in (1, 2, 5)
    ]
    assert tables[0].equals(tables[1]) and tables[0].equals(tables[2])


def test_parameters_of_a_method(people):
    first = shoal.anonymize(people, qids=["age", "sex"], k=3, rest="keep", effort=0)
    assert first.report.params == {"effort": "0"}
    with pytest.raises(shoal.UsageError):
        shoal.anonymize(people, qids=["age", "sex"], k=3, rest="keep", effort=99)


def test_methods_and_models_are_listed():
    names = [algorithm.name for algorithm in shoal.algorithms()]
    assert names[0] == "shoal" and "mondrian" in names
    assert {"l-diversity", "t-closeness"} <= {model.name for model in shoal.models()}


@pytest.mark.parametrize("name", [a.name for a in shoal.algorithms()])
def test_every_method_releases_or_says_why(census, name):
    frame = census[[*QIDS, "disease", "salary-class"]].head(200)
    needed = {
        "upc": {"U": 0.9, "P": 0.9},
        "iacc": {},
        "anatomy": {"l": 2},
        "personalised": {"breach": 0.5, "guard": "value"},
    }
    given = {
        p.name: needed[name][p.name]
        for a in shoal.algorithms()
        if a.name == name
        for p in a.params
        if p.name in needed.get(name, {})
    }
    try:
        release = shoal.anonymize(
            frame,
            qids=QIDS,
            k=4,
            algorithm=name,
            sensitive="disease",
            class_="salary-class",
            **given,
        )
    except (shoal.UsageError, shoal.UnsatisfiableError) as error:
        assert error.fix or error.message
        assert name in ("personalised", "iacc"), error
        return
    assert name == "anatomy" or shoal.check(release.table, qids=QIDS, k=4).satisfied


# ---- plans ----


def test_a_plan_from_init(census):
    plan = shoal.init(census)
    assert plan.text.startswith("#") or "columns" in plan.text
    assert "age" in plan.qids and "name" in plan.named("identifier")
    release = shoal.anonymize(census, k=5, plan=plan)
    assert release.measures.min_group >= 5 and "name" not in release.table
    assert "<table" in plan._repr_html_()


def test_arguments_win_over_a_plan(people):
    plan = shoal.Plan.from_yaml(
        "k: 2\nseed: 4\nrest: drop\ncolumns:\n  - {name: age, role: quasi}\n  - {name: sex, role:"
        " quasi}\n"
    )
    release = shoal.anonymize(people, plan=plan, k=3, other="note")
    assert release.plan.k == 3 and release.plan["seed"] == 4
    assert list(release.table.columns) == ["age", "sex", "note"]
    assert plan.k == 2


def test_plans_are_values():
    plan = shoal.Plan.from_yaml(
        "k: 7\nrecoding: mean\nmodels:\n  - {name: t-closeness, value: '0.2', column: s}\n"
    )
    assert (
        copy.deepcopy(plan)
        == pickle.loads(pickle.dumps(plan))
        == shoal.Plan.from_yaml(plan.to_yaml())
        == plan
    )
    assert plan.replace(k=8) != plan
    assert plan["recoding"] == "mean" and plan["models"][0]["column"] == "s"


# ---- hierarchies ----


def test_hierarchies_from_frames_and_trees():
    rows = [["Paris", "France", "Europe"], ["Rome", "Italy", "Europe"], ["Tokyo", "Japan", "Asia"]]
    levels = shoal.Hierarchy.from_levels(rows)
    assert levels == shoal.Hierarchy.from_levels(pd.DataFrame(rows))
    assert levels.height == 3 and levels.n_leaves == 3
    nested = shoal.Hierarchy.tree(
        {"Europe": {"France": ["Paris"], "Italy": ["Rome"]}, "Asia": {"Japan": ["Tokyo"]}}
    )
    assert sorted(nested.levels) == sorted(levels.levels)
    ragged = shoal.Hierarchy.tree({"a": {"b": ["c"]}, "d": None})
    assert ragged.n_leaves == 2


def test_hierarchies_are_values(tmp_path):
    for hierarchy in (
        shoal.Hierarchy.from_levels([["a;b", "x"], ['c"d', "x"]]),
        shoal.Hierarchy.mask(),
        shoal.Hierarchy.intervals(5, 10),
    ):
        assert pickle.loads(pickle.dumps(hierarchy)) == hierarchy
    levels = shoal.Hierarchy.from_levels([["a;b", "x"], ['c"d', "x"]])
    levels.to_file(tmp_path / "h.csv")
    assert shoal.Hierarchy.from_file(tmp_path / "h.csv").levels == levels.levels
    assert {row[0] for row in levels.levels} == {"a;b", 'c"d'}


def test_recipes(people):
    by_age = shoal.anonymize(
        people,
        qids=["age"],
        k=3,
        rest="keep",
        algorithm="datafly",
        hierarchies={"age": shoal.Hierarchy.intervals(10, 20)},
    )
    assert set(by_age.table["age"]) <= {
        "[20..29]", "[40..49]", "[60..69]", "[20..39]", "[40..59]", "[60..79]", "*",
    }
    assert shoal.Hierarchy.quantiles(4).over(range(100)).height >= 2
    assert shoal.Hierarchy.mask().over(["123", "124"]).levels[0][:2] == ["123", "12*"]
    assert shoal.Hierarchy.mask("left", char="x").over(["123"]).levels[0][1] == "x23"
    assert shoal.Hierarchy.prefix(1).over(["abc", "abd"]).n_leaves == 2
    assert shoal.Hierarchy.dates("month", "year").over(["2020-01-05"]).height == 3
    with pytest.raises(shoal.UsageError, match="over"):
        shoal.Hierarchy.mask().height


# ---- frontiers ----


def test_frontier_of_a_model(census):
    found = shoal.frontier(
        census,
        qids=QIDS,
        ks=4,
        sensitive="disease",
        vary=("l-diversity", ["distinct:2", "distinct:3", "distinct:900"]),
        queries=0,
    )
    assert [row.unsatisfiable for row in found.rows] == [False, False, True]
    assert list(found.frame["x"]) == [2.0, 3.0, 900.0]
    assert found.rows[0].are is None


def test_frontier_pictures(census):
    found = shoal.frontier(census, qids=QIDS, ks=[2, 10, 40], queries=100)
    root = tree.fromstring(found.plot())
    assert len([e for e in root.iter() if e.tag.endswith("circle")]) >= 3
    assert "lower bound" in found.plot() and all(
        0 < row.lower_bound <= row.gcp for row in found.rows
    )
    assert "lower bound" not in found.plot(x="risk_max", y="are")
    assert (
        shoal.frontier(census, qids=QIDS, ks=[2], queries=0, bound=False).rows[0].lower_bound
        is None
    )
    tree.fromstring(found.plot(x="risk_max", y="are"))
    assert "knee" in found.frame.columns and len(found.frame) == 3
    tree.fromstring(found._repr_html_())


def test_population(census):
    sample = census.sample(200, random_state=1)
    release = shoal.anonymize(
        sample, qids=["age", "sex"], k=2, rest="keep", population=census, models=["k-map=4"]
    )
    assert release.models[0].name == "k-map" and release.models[0].achieved >= 4
    assert release.risk.population.source == "table"
    estimated = shoal.risk(sample, qids=["age", "sex"], sampling_fraction=0.25)
    assert estimated.population.source == "estimate"


def test_persons(census):
    visits = pd.concat([census.head(100)] * 3, ignore_index=True)
    visits["who"] = [f"p{i % 100}" for i in range(300)]
    release = shoal.anonymize(visits, qids=["age", "sex"], k=4, entity="who", rest="drop")
    persons = visits["who"].groupby(release.groups).nunique()
    assert persons.min() >= 4 and "who" not in release.table


# ---- priorities, weights, largest levels ----


def test_priorities_weights_and_levels():
    patients = pd.DataFrame({"gender": ["male", "male", "male", "female", "female", "female"],
                             "age": ["middle", "middle", "young", "young", "old", "old"],
                             "postcode": ["4350", "4350", "4351", "4352", "4353", "4353"]})
    hierarchies = {
        "gender": {"male": ["*"], "female": ["*"]},
        "age": {"young": ["*"], "middle": ["*"], "old": ["*"]},
        "postcode": shoal.Hierarchy.mask(),
    }
    hierarchies = {
        name: shoal.Hierarchy.from_levels(levels) if isinstance(levels, dict) else levels
        for name, levels in hierarchies.items()
    }
    settings = dict(qids=["gender", "age", "postcode"], k=2, hierarchies=hierarchies)
    release = shoal.anonymize(patients, priority=["age", "postcode", "gender"], **settings)
    assert release.measures.weighted_distortion == pytest.approx(0.25)  # Sun et al. 2008, Table 1
    assert release.bound.gap == pytest.approx(
        release.measures.weighted_gcp / release.bound.lower_bound
    )
    again = shoal.measure(patients, release, priority={"gender": 0, "postcode": 0.5}, **settings)
    assert again.weighted_distortion == pytest.approx(0.25)
    by_height = shoal.measure(
        patients, release.table, weights={"postcode": "height"}, **settings
    )
    assert by_height.weighted_distortion == pytest.approx(
        2 * (1 + 0.25 / (1 + 1 / 2 + 1 / 3 + 1 / 4))
    )
    kept = shoal.anonymize(patients, max_level={"gender": 0}, **settings)
    assert list(kept.table["gender"]) == list(patients["gender"])
    with pytest.raises(shoal.UnsatisfiableError, match="max_level"):
        shoal.anonymize(patients, max_level={"gender": 0, "age": 0}, **settings)


def test_cells_that_cannot_be_read_are_refused():
    people = pd.DataFrame({"zip": ["53710", "53711", "53703", "53706"] * 3, "sex": ["f", "m"] * 6})
    trees = {"zip": "build:prefix:3,2"}
    table = shoal.anonymize(people, qids=["zip", "sex"], k=6, hierarchies=trees).table
    with pytest.raises(shoal.DataError, match="'zip' \\(12, no hierarchy\\)"):
        shoal.measure(people, table, qids=["zip", "sex"])
    with pytest.raises(shoal.DataError, match="'zip'"):
        shoal.evaluate_queries(people, table, qids=["zip", "sex"], columns="zip", queries=5)
    shoal.evaluate_queries(people, table, qids=["zip", "sex"], columns="sex", queries=5)
    allowed = shoal.measure(people, table, qids=["zip", "sex"], allow_unread=True)
    assert allowed.unread_cells == 12 and [
        (column.name, column.cells) for column in allowed.unread_columns
    ] == [("zip", 12)]
    assert shoal.measure(people, table, qids=["zip", "sex"], hierarchies=trees).unread_columns == []


def test_rows_that_are_few_persons():
    """60 persons with 20 rows each: k rows are fewer than k persons, and that is warned of."""
    people = pd.DataFrame(
        [
            (f"p{i % 60}", 20 + i % 60 * 7 % 40, "mf"[i % 60 * 3 % 5 % 2], i % 9)
            for i in range(1200)
        ],
        columns=["patient_id", "age", "sex", "visit"],
    )
    with pytest.warns(shoal.FewPersonsWarning, match="fewer than 5 values of 'patient_id'"):
        shoal.anonymize(people, qids=["patient_id", "age", "sex"], k=5, rest="drop")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        shoal.anonymize(people, qids=["age", "sex"], entity="patient_id", k=5, rest="drop")
