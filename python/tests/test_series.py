# SPDX-License-Identifier: Apache-2.0
"""A series of releases from Python: rows keep their values, erasures withdraw, differences hold."""

import os
import random
from collections import Counter
from itertools import combinations

import pandas as pd
import pytest
import shoal

ARGUMENTS = dict(
    qids=["age", "sex"], k=3, sensitive="ill", record_key="id", models={"l-diversity": "distinct:2"}
)


def people(n, seed=1, first=0):
    rng = random.Random(seed)
    return pd.DataFrame(
        {
            "id": [f"p{first + i}" for i in range(n)],
            "age": [rng.randrange(20, 60) for _ in range(n)],
            "sex": [rng.choice("mf") for _ in range(n)],
            "ill": [rng.choice(["flu", "cold", "ulcer"]) for _ in range(n)],
        }
    )


def test_rows_keep_their_values(tmp_path):
    series = shoal.Series(tmp_path / "state")
    assert series.releases == []
    table = people(30)
    first = series.release(table, **ARGUMENTS)
    assert first.report["release"] == 1 and first.report["inserted"] == 30
    assert list(first.table.columns) == ["age", "sex", "ill"]
    second = series.release(pd.concat([table, people(2, 2, 100)]), **ARGUMENTS)
    assert second.report["pending"] == 2
    pd.testing.assert_frame_equal(first.table, second.table)
    assert [release["published"] for release in series.releases] == [30, 30]
    assert "release 2 of a series" in repr(second)


def test_every_pair_of_releases_differs_by_what_holds(tmp_path):
    series, rng, table, seen, files = (
        shoal.Series(tmp_path / "state"),
        random.Random(3),
        people(60),
        [],
        [],
    )
    for number in range(6):
        release = series.release(table, **ARGUMENTS)
        seen.append(release.table)
        files.append(tmp_path / f"r{number}.csv")
        files[-1].write_bytes(release.text)
        table = pd.concat(
            [
                table.sample(frac=0.9, random_state=number),
                people(rng.randrange(8), number, 1000 * (number + 1)),
            ],
            ignore_index=True,
        )
    groups = [
        {key: Counter(part["ill"]) for key, part in frame.groupby(["age", "sex"])} for frame in seen
    ]
    for a, b in [
        pair
        for i, j in combinations(range(len(groups)), 2)
        for pair in ((groups[i], groups[j]), (groups[j], groups[i]))
    ]:
        for key, counts in a.items():
            part = counts - b.get(key, Counter())
            assert not part or (sum(part.values()) >= 3 and len(part) >= 2)
    assert sum(release["withdrawn"] for release in series.releases) > 0
    assert series.check(*files)["satisfied"]
    files[0].write_bytes(files[0].read_bytes().replace(b"flu", b"flu "))
    assert series.check(*files)["files"][0] is None


def test_refusals_leave_the_series_as_it_was(tmp_path):
    series, table = shoal.Series(tmp_path / "state"), people(30)
    with pytest.raises(shoal.UsageError, match="record"):
        series.release(table, qids="age", k=3, sensitive="ill", rest="drop")
    with pytest.raises(shoal.UsageError, match="t-closeness"):
        series.release(table, **{**ARGUMENTS, "models": {"t-closeness": "0.5"}})
    assert not (tmp_path / "state").exists()
    series.release(table, **ARGUMENTS)
    before = (tmp_path / "state" / "state").read_bytes()
    with pytest.raises(shoal.UsageError, match="settings differ from the first release"):
        series.release(table, **{**ARGUMENTS, "k": 4})
    with pytest.raises(shoal.UnsatisfiableError, match="withdrawn"):
        series.release(table.iloc[1:], **ARGUMENTS, erasures="refuse")
    with pytest.raises(shoal.DataError, match="same record key"):
        series.release(pd.concat([table, table.iloc[:1]]), **ARGUMENTS)
    assert (tmp_path / "state" / "state").read_bytes() == before
    (tmp_path / "state" / "state").write_bytes(
        before[:100] + bytes([before[100] ^ 1]) + before[101:]
    )
    with pytest.raises(shoal.DataError, match="changed"):
        series.release(table, **ARGUMENTS)


def test_other_columns_and_forget(tmp_path):
    series, table = shoal.Series(tmp_path / "state"), people(30)
    table["name"], table["when"] = "x", range(30)
    release = series.release(table, **ARGUMENTS, identifiers="name", other="when")
    assert list(release.table["when"]) == list(range(30)) and "name" not in release.table
    if os.name == "posix":
        assert (tmp_path / "state" / "state").stat().st_mode & 0o777 == 0o600
    series.forget()
    assert not (tmp_path / "state").exists()


def test_a_plan_with_a_series_is_not_released_outside_it(tmp_path):
    with pytest.raises(shoal.UsageError, match="names a series"):
        shoal.anonymize(
            people(30),
            qids=["age", "sex"],
            k=3,
            sensitive="ill",
            identifiers="id",
            plan={"series": str(tmp_path / "state")},
        )


INVARIANT = dict(qids=["age", "sex", "tag"], k=2, sensitive="ill", record_key="id", rest="drop")


def named(table):
    """With a column that tells by its published set who is in a group."""
    return table.assign(tag=table["id"])


def signatures(release, counts):
    """The values of each record's group; groups are m-unique and their counterfeits are counted."""
    found = {}
    for number, group in release.table.groupby("group"):
        assert group["ill"].is_unique and len(group) >= 2
        members = group["tag"].iloc[0].strip("{}").split("|")
        assert counts.get(int(number), 0) == len(group) - len(members)
        found.update({key: frozenset(group["ill"]) for key in members})
    return found


def test_m_invariance(tmp_path):
    series, table, before = shoal.Series(tmp_path / "state", m_invariance=2), named(people(40)), {}
    for number in range(4):
        release = series.release(table, anew=True, **INVARIANT)
        counts = dict(zip(release.counterfeits["group"], release.counterfeits["count"]))
        now = signatures(release, counts)
        assert all(now[key] == before[key] for key in now if key in before)
        assert release.report["m_invariance"] == 2 and release.report["counterfeits"] == sum(
            counts.values()
        )
        assert release.report["published"] == len(now) and 0 <= release.report["gcp_anew"] <= 1
        before.update(now)
        table = pd.concat(
            [
                table.sample(frac=0.6, random_state=number),
                named(people(5, number, 1000 * (number + 1))),
            ],
            ignore_index=True,
        )
    assert sum(entry["counterfeits"] for entry in series.releases) > 0
    path = tmp_path / "r.csv"
    path.write_bytes(release.text)
    assert series.check(path)["satisfied"]
    with pytest.raises(shoal.UsageError, match="settings differ from the first release"):
        shoal.Series(tmp_path / "state").release(table, **INVARIANT)


def test_m_invariance_refusals(tmp_path):
    series = shoal.Series(tmp_path / "state", m_invariance=2)
    with pytest.raises(shoal.UsageError, match="l-diversity"):
        series.release(people(20), **{**ARGUMENTS, "k": 2})
    with pytest.raises(shoal.UsageError, match="could be recognised by it"):
        series.release(
            named(people(20)), qids="age", k=2, sensitive="ill", record_key="id", rest="keep"
        )
    assert shoal.Series(tmp_path / "state").releases == []


def test_anew_is_kept(tmp_path):
    series = shoal.Series(tmp_path / "state")
    release = series.release(people(30), anew=True, **ARGUMENTS)
    assert release.report["gcp_anew"] == release.report["gcp"] and release.counterfeits is None
    series.release(people(28), **ARGUMENTS)
    assert "gcp_anew" in series.releases[0] and "gcp_anew" not in series.releases[1]


def test_check_after(tmp_path):
    said = dict(qids=["age", "sex"], k=3, sensitive="ill", models={"l-diversity": "distinct:2"})
    series, table = shoal.Series(tmp_path / "state"), people(60)
    first = series.release(table, **ARGUMENTS)
    second = series.release(pd.concat([table.iloc[6:], people(9, 2, 100)]), **ARGUMENTS)
    found = shoal.check(second.table, after=[first], **said)
    assert (
        found["satisfied"]
        and found["after"][0]["satisfied"]
        and found["after"][0]["left"]["rows"] > 0
    )
    # anew: two releases that know nothing of each other
    alone = shoal.check(first.table.iloc[1:], after={"march": first.table}, **said)
    assert not alone["satisfied"] and alone["after"][0]["release"] == "march"
    assert (
        alone["after"][0]["left"]["failing_groups"] == 1
        and alone["after"][0]["arrived"]["rows"] == 0
    )
    with pytest.raises(shoal.UsageError, match="once for each"):
        shoal.check(second.table, after=[first], subsets=2, **said)


def test_shuffled_rows(tmp_path):
    series, plan = shoal.Series(tmp_path / "state"), {"row-order": "shuffle"}
    first, second = (series.release(people(40), plan=plan, **ARGUMENTS) for _ in range(2))
    assert first.text != second.text and sorted(first.text.splitlines()) == sorted(
        second.text.splitlines()
    )
    assert sorted(map(tuple, first.table.values)) == sorted(map(tuple, second.table.values))
