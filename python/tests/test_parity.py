# SPDX-License-Identifier: Apache-2.0
"""The package and the command say the same of the same table."""

import json

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from conftest import QIDS

import shoal

# Times, memory and the number of threads may differ.
# the last four: columns of a frame that need not be read are not shown to the library
RUN = {
    "seconds", "peak_rss_bytes", "threads", "nearly_unique", "unchanged", "left_out", "identifying",
}

METHODS = {
    "shoal": {},
    "mondrian": {},
    "kmembers": {},
    "oka": {},
    "datafly": {},
}


def flags(qids=QIDS, k=5, rest="keep"):
    return ["--qid", ",".join(qids), "-k", k, *(["--rest", rest] if rest else [])]


@pytest.mark.parametrize("algorithm", METHODS)
def test_same_values_and_numbers_as_the_command(command, census, census_path, tmp_path, algorithm):
    out = tmp_path / "release.csv"
    said = json.loads(
        command(
            "anonymize",
            census_path,
            "-o",
            out,
            "--json",
            "--algorithm",
            algorithm,
            "--seed",
            3,
            "--identifier",
            "name",
            *flags(),
        )
    )
    release = shoal.anonymize(
        census, qids=QIDS, k=5, algorithm=algorithm, seed=3, identifiers="name", rest="keep"
    )
    report = release.report
    assert {key: value for key, value in report.items() if key not in RUN} == {
        key: value for key, value in said.items() if key not in RUN
    }
    written = pd.read_csv(out, dtype=str, keep_default_na=False)
    assert list(release.table.columns) == list(written.columns)
    for name in written.columns:
        assert release.table[name].astype(str).tolist() == written[name].tolist(), name
    # The same groups: rows with one published tuple are one group, and the other way round.
    tuples = written[QIDS].agg("|".join, axis=1)
    assert (
        pd.DataFrame({"group": release.groups, "tuple": tuples}).drop_duplicates().shape[0]
        == tuples.nunique()
    )


def test_models_are_those_of_the_command(command, census, census_path, tmp_path):
    out = tmp_path / "release.csv"
    said = json.loads(
        command(
            "anonymize",
            census_path,
            "-o",
            out,
            "--json",
            "--sensitive",
            "disease",
            "--l-diversity",
            "distinct:3",
            "--t-closeness",
            "0.5",
            *flags(),
        )
    )
    release = shoal.anonymize(census, qids=QIDS, k=5, sensitive="disease", rest="keep",
                              models=["l-diversity=distinct:3", ("t-closeness", "0.5")])
    assert release.models == said["models"]
    assert release.measures.gcp == said["gcp"]
    checked = json.loads(
        command(
            "check",
            out,
            "--json",
            "--sensitive",
            "disease",
            "--l-diversity",
            "distinct:3",
            *flags(rest=None),
        )
    )
    assert (
        shoal.check(
            release.table, qids=QIDS, k=5, sensitive="disease", models=["l-diversity=distinct:3"]
        )
        == checked
    )
    assert checked["satisfied"]


def test_hierarchies_from_a_folder(command, census, census_path, tmp_path):
    folder = tmp_path / "hierarchies"
    command(
        "generate",
        "census",
        "--rows",
        10,
        "--seed",
        7,
        "-o",
        tmp_path / "few.csv",
        "--hierarchies-out",
        folder,
    )
    said = json.loads(
        command(
            "anonymize",
            census_path,
            "-o",
            tmp_path / "release.csv",
            "--json",
            "--hierarchies",
            folder,
            "--numeric",
            "age",
            *flags(),
        )
    )
    release = shoal.anonymize(
        census, qids=QIDS, k=5, rest="keep", hierarchies=str(folder), numeric="age"
    )
    assert release.measures.gcp == said["gcp"]
    objects = {
        name: shoal.Hierarchy.from_file(folder / f"{name}.csv") for name in QIDS if name != "age"
    }
    again = shoal.anonymize(census, qids=QIDS, k=5, rest="keep", hierarchies=objects, numeric="age")
    assert again.measures.gcp == said["gcp"]
    assert again.table.equals(release.table)


def test_measure_risk_and_bound(command, census, census_path, tmp_path):
    out = tmp_path / "release.csv"
    command("anonymize", census_path, "-o", out, "--quiet", *flags())
    release = pd.read_csv(out, dtype=str)
    assert shoal.measure(census, release, qids=QIDS, sensitive="disease") == json.loads(
        command(
            "measure", census_path, out, "--json", "--qid", ",".join(QIDS), "--sensitive", "disease"
        )
    )
    assert shoal.risk(release, qids=QIDS, original=census, k=5) == json.loads(
        command("risk", out, "--original", census_path, "--json", "--qid", ",".join(QIDS), "-k", 5))
    mine, said = shoal.bound(census, qids=QIDS, k=5), json.loads(
        command("bound", census_path, "--json", *flags(rest=None))
    )
    assert {**mine, "seconds": 0} == {**said, "seconds": 0}


def test_queries_and_classifiers(command, census, census_path, tmp_path):
    out = tmp_path / "release.csv"
    command("anonymize", census_path, "-o", out, "--quiet", *flags())
    release = shoal.anonymize(census, qids=QIDS, k=5, rest="keep")
    assert shoal.evaluate_queries(
        census, release, qids=QIDS, queries=300, seed=2, dimensions=2
    ) == json.loads(
        command(
            "evaluate",
            "queries",
            census_path,
            out,
            "--json",
            "--qid",
            ",".join(QIDS),
            "--queries",
            300,
            "--seed",
            2,
            "--dimensions",
            2,
        )
    )
    assert shoal.evaluate_classify(
        census, release, qids=QIDS, class_="salary-class", folds=3
    ) == json.loads(
        command(
            "evaluate",
            "classify",
            census_path,
            out,
            "--json",
            "--qid",
            ",".join(QIDS),
            "--class",
            "salary-class",
            "--folds",
            3,
        )
    )


def test_classifiers_that_learn_from_released_folds(command, census, census_path):
    said = json.loads(
        command(
            "evaluate",
            "classify",
            census_path,
            "--json",
            "--qid",
            ",".join(QIDS),
            "--class",
            "salary-class",
            "--folds",
            3,
            "--algorithm",
            "mondrian",
            "-k",
            8,
            "--seed",
            5,
        )
    )
    found = shoal.evaluate_classify(
        census, qids=QIDS, class_="salary-class", folds=3, algorithm="mondrian", k=8, seed=5
    )
    assert found == said
    chunks = pa.concat_tables(
        [
            pa.Table.from_pandas(part, preserve_index=False)
            for part in (census[:100], census[100:101], census[101:])
        ]
    )
    assert (
        shoal.evaluate_classify(
            chunks,
            qids=QIDS,
            class_="salary-class",
            folds=3,
            algorithm="mondrian",
            k=8,
            seed=5,
        )
        == said
    )
    with pytest.raises(shoal.UsageError, match="leave the release out"):
        shoal.evaluate_classify(census, census, qids=QIDS, class_="salary-class", k=3)


def test_frontier(command, census, census_path):
    said = json.loads(
        command(
            "frontier",
            census_path,
            "--json",
            "--qid",
            ",".join(QIDS),
            "--k",
            "2,5,20",
            "--queries",
            200,
            "--algorithm",
            "shoal,mondrian",
        )
    )
    found = shoal.frontier(
        census, qids=QIDS, ks=[2, 5, 20], queries=200, algorithms=["shoal", "mondrian"]
    )
    points = [
        (series["algorithm"], series["knee"], point)
        for series in said["series"]
        for point in series["points"]
    ]
    assert len(points) == len(found) == 6
    for row, (algorithm, knee, point) in zip(found.rows, points):
        assert row.algorithm == algorithm and row.knee == (knee == point["value"])
        for key in point:
            if isinstance(point[key], float) and key != "seconds":
                assert row[key] == pytest.approx(point[key], rel=1e-12), key
            elif key != "seconds":
                assert row[key] == point[key], key


def test_init(command, census, census_path, tmp_path):
    said = json.loads(command("init", census_path, "--json"))
    plan = shoal.init(census)
    assert plan.profile.columns == said["columns"]
    assert plan.k is None
    assert {column["name"]: column["role"] for column in plan.columns} == {
        column["name"]: column["role"] for column in said["columns"]
    }


def test_a_plan_file_means_the_same(command, census, census_path, tmp_path):
    path = tmp_path / "plan.yaml"
    path.write_text(
        "k: 4\nseed: 9\nalgorithm: mondrian\nrest: keep\ncolumns:\n"
        + "".join(f"  - {{name: {name}, role: quasi}}\n" for name in QIDS)
        + "  - {name: name, role: identifier}\n"
    )
    said = json.loads(
        command("anonymize", census_path, "-o", tmp_path / "release.csv", "--json", "--plan", path)
    )
    release = shoal.anonymize(census, plan=shoal.Plan.from_yaml(path))
    assert release.report.gcp == said["gcp"]
    assert "name" not in release.table
    assert shoal.Plan.from_yaml(release.plan.to_yaml()) == release.plan


def test_levels_learnt_elsewhere(command, census, census_path, tmp_path):
    first, second, levels = (
        tmp_path / "first.csv",
        tmp_path / "second.csv",
        tmp_path / "levels.json",
    )
    census.head(500).to_csv(first, index=False)
    census.tail(300).to_csv(second, index=False)
    qids, ages = ["age", "sex", "race"], {"age": shoal.Hierarchy.intervals(5, 10, 20)}
    flags = ["--rest", "keep", "--hierarchy", "age=build:intervals:5,10,20"]
    command(
        "anonymize",
        first,
        "-o",
        tmp_path / "a.csv",
        "--qid",
        ",".join(qids),
        "-k",
        5,
        "--algorithm",
        "datafly",
        "--levels-out",
        levels,
        *flags,
    )
    said = json.loads(
        command("apply", second, "-o", tmp_path / "b.csv", "--levels", levels, "--json", *flags)
    )
    known = shoal.anonymize(
        census.head(500), qids=qids, k=5, algorithm="datafly", rest="keep", hierarchies=ages
    )
    mine = shoal.apply(census.tail(300), known, rest="keep", hierarchies=ages)
    assert {key: value for key, value in mine.report.items() if key not in RUN} == {
        key: value for key, value in said.items() if key not in RUN
    }
    assert (
        mine.table[qids].astype(str).values.tolist()
        == pd.read_csv(tmp_path / "b.csv", dtype=str)[qids].values.tolist()
    )
    strict = shoal.apply(census.tail(300), levels, 5, rest="keep", hierarchies=ages)
    assert strict.measures.k_guaranteed and strict.measures.min_group >= 5


def test_sets_of_columns_and_persons(command, census, tmp_path):
    visits = pd.concat([census.head(60)] * 2, ignore_index=True)
    visits["who"] = [f"p{i % 60}" for i in range(120)]
    path = tmp_path / "visits.csv"
    visits.to_csv(path, index=False)
    said = json.loads(
        command("check", path, "--json", "--qid", ",".join(QIDS), "--subsets", 2, "-k", 3, status=3)
    )
    assert shoal.check(visits, qids=QIDS, k=3, subsets=2) == said
    said = json.loads(
        command(
            "check",
            path,
            "--json",
            "--qid-set",
            "sex,race",
            "--qid-set",
            "age",
            "--entity",
            "who",
            "-k",
            2,
            status=3,
        )
    )
    assert shoal.check(visits, qid_sets=[["sex", "race"], ["age"]], entity="who", k=2) == said
    with pytest.raises(shoal.UsageError, match="once for each"):
        shoal.check(visits, qids=QIDS, k=3, subsets=2, sensitive="disease", models=["alpha=0.5"])


def test_releases_in_two_tables(command, census, census_path, tmp_path):
    first, second = tmp_path / "first.csv", tmp_path / "second.csv"
    said = json.loads(
        command(
            "anonymize",
            census_path,
            "-o",
            first,
            "--sensitive-out",
            second,
            "--json",
            "--algorithm",
            "anatomy",
            "--param",
            "l=3",
            "--qid",
            ",".join(QIDS),
            "--sensitive",
            "disease",
            "--identifier",
            "name",
            "--rest",
            "keep",
        )
    )
    for table in (
        census,
        pl.from_pandas(census),
        pa.Table.from_pandas(census, preserve_index=False),
    ):
        release = shoal.anonymize(
            table,
            qids=QIDS,
            sensitive="disease",
            identifiers="name",
            rest="keep",
            algorithm="anatomy",
            l=3,
        )
        assert {key: value for key, value in release.report.items() if key not in RUN} == {
            key: value for key, value in said.items() if key not in RUN
        }
        made = (
            release.table if isinstance(release.table, pd.DataFrame) else release.table.to_pandas()
        )
        buckets = (
            release.buckets
            if isinstance(release.buckets, pd.DataFrame)
            else release.buckets.to_pandas()
        )
        # which row is in which group is drawn again by every run
        pd.testing.assert_frame_equal(
            made.drop(columns="group"),
            pd.read_csv(first, dtype={"zip": str}).drop(columns="group"),
            check_dtype=False,
        )
        assert list(buckets) == list(pd.read_csv(second)) and buckets["count"].sum() == len(made)
        assert type(release.table) is type(table)
        assert "disease" not in made
    assert release._repr_html_()


def test_personalised_releases(command, census, census_path, tmp_path):
    folder = tmp_path / "hierarchies"
    command(
        "generate",
        "census",
        "--rows",
        10,
        "--seed",
        7,
        "-o",
        tmp_path / "few.csv",
        "--hierarchies-out",
        folder,
    )
    out = tmp_path / "release.csv"
    said = json.loads(
        command(
            "anonymize",
            census_path,
            "-o",
            out,
            "--json",
            "--algorithm",
            "personalised",
            "--param",
            "breach=0.5",
            "--param",
            "guard=value",
            "--qid",
            ",".join(QIDS),
            "--sensitive",
            "disease",
            "--rest",
            "drop",
            "--hierarchies",
            folder,
            "-k",
            4,
        )
    )
    release = shoal.anonymize(
        census,
        qids=QIDS,
        k=4,
        sensitive="disease",
        rest="drop",
        hierarchies=folder,
        algorithm="personalised",
        breach=0.5,
        guard="value",
    )
    assert {key: value for key, value in release.report.items() if key not in RUN} == {
        key: value for key, value in said.items() if key not in RUN
    }
    written = pd.read_csv(out, dtype=str, keep_default_na=False)
    assert release.table[written.columns].astype(str).values.tolist() == written.values.tolist()
    assert release.buckets is None
