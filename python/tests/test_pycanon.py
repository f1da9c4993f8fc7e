# SPDX-License-Identifier: Apache-2.0
"""pycanon, a checker by other people, agrees with shoal.check; where its definitions differ, the
test converts. docs/python.md explains.
"""

import math
import os
import types
import warnings

import numpy as np
import pandas as pd
import pytest

import shoal

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from pycanon import anonymity
    from pycanon.anonymity import _l_diversity

CENSUS = (
    ["age", "sex", "race", "marital-status", "education"],
    ["disease", "salary-class", "hours-per-week"],
)
ADULT = ([
    "age", "sex", "race", "marital-status", "education", "native-country",
], ["occupation", "salary-class", "hours-per-week"])

# What is released: method, k and models. Good and bad releases, and one of raw values at the end.
RELEASES = [
    ("shoal", 4, []),
    ("shoal", 12, []),
    ("mondrian", 5, [("l-diversity", "distinct:3", 0)]),
    ("mondrian", 20, [("t-closeness", "equal:0.25", 0)]),
    ("mondrian", 30, [("beta-likeness", "enhanced:0.6", 1), ("l-diversity", "entropy:1.5", 1)]),
    ("datafly", 5, []),
]


def _adult():
    """Where Adult is, if it is here: below SHOAL_DATA, or in ../shared/data beside the repository.
    """
    for place in (
        os.environ.get("SHOAL_DATA", ""),
        os.path.join(os.environ.get("SHOAL_SOURCE", ""), "..", "shared", "data"),
    ):
        path = os.path.join(place, "adult", "adult-complete.csv")
        if os.path.exists(path):
            return path
    return None


@pytest.fixture(scope="module", params=["census", "adult"] if _adult() else ["census"])
def original(request):
    """(table, quasi-identifiers, sensitive columns: of many values, of two, of numbers)"""
    if request.param == "adult":
        return pd.read_csv(_adult(), nrows=800), *ADULT
    return request.getfixturevalue("census").drop(columns="name").head(500), *CENSUS


@pytest.fixture(
    scope="module",
    params=range(len(RELEASES) + 1),
    ids=[*(f"{name}-{k}" for name, k, _ in RELEASES), "raw"],
)
def release(request, original):
    """The release, its quasi-identifiers as texts: pycanon groups rows with pandas, which would
    count unused categories.
    """
    table, qids, sensitive = original
    if request.param == len(RELEASES):
        made = table[[*qids[:3], *sensitive]].assign(age=table["age"] // 20)
        return made.astype({name: str for name in qids[:3]}), qids[:3], sensitive
    method, k, models = RELEASES[request.param]
    made = shoal.anonymize(
        table,
        qids=qids,
        k=k,
        sensitive=sensitive,
        rest="drop",
        algorithm=method,
        models=[(name, value, sensitive[at]) for name, value, at in models],
    ).table
    return made.astype({name: str for name in qids}).reset_index(drop=True), qids, sensitive


def found(release, model, value, column):
    table, qids, sensitive = release
    answer = shoal.check(
        table, qids=qids, k=2, sensitive=sensitive, models=[(model, value, column)]
    )
    return answer.models[0].achieved


def shares(release, column):
    """(share of each value in the table, the same in each group), written with pandas alone"""
    table, qids, _ = release
    groups = table.groupby(qids)[column].value_counts(normalize=True).unstack(fill_value=0)
    return table[column].value_counts(normalize=True)[groups.columns], groups


def test_k(release):
    table, qids, _ = release
    assert shoal.check(table, qids=qids, k=2).min_group == anonymity.k_anonymity(table, qids)


def test_distinct_l_diversity(release):
    table, qids, sensitive = release
    ours = [found(release, "l-diversity", "distinct:1", column) for column in sensitive]
    assert ours == [anonymity.l_diversity(table, qids, [column]) for column in sensitive]
    assert min(ours) == anonymity.l_diversity(table, qids, sensitive)  # several columns: the worst


def test_entropy_l_diversity(release):
    """pycanon rounds down to a whole l."""
    table, qids, sensitive = release
    for column in sensitive:
        ours = found(release, "l-diversity", "entropy:1", column)
        theirs = anonymity.entropy_l_diversity(table, qids, [column])
        assert theirs in (math.floor(ours - 1e-9), math.floor(ours + 1e-9))
        _, groups = shares(release, column)
        entropy = -(groups * np.log(groups.where(groups > 0, 1))).sum(axis=1)
        assert ours == pytest.approx(math.exp(entropy.min()), rel=1e-9)


def test_recursive_l_diversity(release, monkeypatch):
    """pycanon sorts the counts upwards, so that its r_1 is the rarest value. Sorted downwards, as
    in the paper, it agrees.
    """
    table, qids, sensitive = release
    shim = types.SimpleNamespace(**{**vars(np), "sort": lambda counts: np.sort(counts)[::-1]})
    for column in sensitive[:2]:
        as_it_is, least = anonymity.recursive_c_l_diversity(table, qids, [column])
        with monkeypatch.context() as patch:
            patch.setattr(_l_diversity, "np", shim)
            theirs, same = anonymity.recursive_c_l_diversity(table, qids, [column])
        assert least == same
        if least < 2:
            assert math.isnan(theirs) and math.isnan(as_it_is)
            continue
        ours = found(release, "l-diversity", f"recursive:1,{least}", column)
        # the least whole c that is above the quotient
        assert theirs in (math.floor(ours - 1e-9) + 1, math.floor(ours + 1e-9) + 1)
        assert as_it_is <= 2 and as_it_is <= theirs
        assert (
            shoal.check(
                table,
                qids=qids,
                k=2,
                sensitive=column,
                models=[f"l-diversity=recursive:{theirs},{least}"],
            )
            .models[0]
            .failing_groups
            == 0
        )


def test_t_closeness(release):
    """Numbers: ordered distance; texts: equal distance."""
    table, qids, sensitive = release
    for column, form in zip(sensitive, ("equal", "equal", "ordered")):
        assert found(release, "t-closeness", f"{form}:1", column) == pytest.approx(
            anonymity.t_closeness(table, qids, [column]), rel=1e-9
        )
        # what we take unasked
        assert found(release, "t-closeness", "1", column) == found(
            release, "t-closeness", f"{form}:1", column
        )


def test_alpha_k(release):
    table, qids, sensitive = release
    for column in sensitive:
        alpha, k = anonymity.alpha_k_anonymity(table, qids, [column])
        assert found(release, "alpha", "1", column) == pytest.approx(alpha, rel=1e-12)
        assert k == shoal.check(table, qids=qids, k=2).min_group


def test_basic_beta_likeness(release):
    table, qids, sensitive = release
    for column in sensitive[:2]:
        theirs = anonymity.basic_beta_likeness(table, qids, [column])
        assert found(release, "beta-likeness", "basic:1", column) == pytest.approx(theirs, rel=1e-9)


def test_enhanced_beta_likeness(release):
    """pycanon's number is min(basic beta, -ln of the rarest share); ours is none where a gain is
    above -ln of its own share: then no beta holds.
    """
    table, qids, sensitive = release
    for column in sensitive[:2]:
        ours = found(release, "beta-likeness", "enhanced:1", column)
        theirs = anonymity.enhanced_beta_likeness(table, qids, [column])
        whole, groups = shares(release, column)
        gains = (groups - whole) / whole
        holds = bool((gains <= -np.log(whole) + 1e-9).all(axis=None))
        assert (ours is not None) == holds
        if holds:
            assert ours == pytest.approx(theirs, rel=1e-9)
        assert theirs == pytest.approx(
            min(found(release, "beta-likeness", "basic:1", column), -np.log(whole.min())), rel=1e-9
        )


def test_delta_disclosure(release):
    """pycanon looks at the values that a group has, our `present`; `all` also asks that none is
    missing.
    """
    table, qids, sensitive = release
    for column in sensitive[:2]:
        theirs = anonymity.delta_disclosure(table, qids, [column])
        assert found(release, "delta-disclosure", "present:1", column) == pytest.approx(
            theirs, rel=1e-9, abs=1e-12
        )
        everywhere = bool((shares(release, column)[1] > 0).all(axis=None))
        strict = found(release, "delta-disclosure", "all:1", column)
        assert (strict is not None) == everywhere
        assert strict is None or strict == pytest.approx(theirs, rel=1e-9, abs=1e-12)


def test_the_cases_differ(original):
    """Enhanced beta-likeness and delta-disclosure are met by one of the releases at least, so that
    both sides above are tested.
    """
    table, qids, sensitive = original
    made = shoal.anonymize(
        table,
        qids=qids,
        k=30,
        sensitive=sensitive,
        rest="drop",
        algorithm="mondrian",
        models=[("beta-likeness", "enhanced:0.6", sensitive[1])],
    ).table
    answer = shoal.check(
        made,
        qids=qids,
        k=30,
        sensitive=sensitive,
        models=[
            ("beta-likeness", "enhanced:0.6", sensitive[1]),
            ("delta-disclosure", "all:9", sensitive[1]),
        ],
    )
    assert answer.satisfied
