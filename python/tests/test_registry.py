# SPDX-License-Identifier: Apache-2.0
"""Names come from the rows of the library: a measure is an attribute of a release, a method's
traits say how it is released.
"""

import pandas as pd
import pytest
from conftest import QIDS

import shoal
from shoal._registry import _rows, is_text_method, method_traits


def test_rows_are_those_that_the_package_lists():
    assert [row["name"] for row in _rows()["methods"]] == [
        method.name for method in shoal.algorithms()
    ]
    assert [(row["name"], row["variant"]) for row in _rows()["models"]] == [
        (model.name, model.variant) for model in shoal.models()
    ]
    for name in ("models", "measures", "methods", "attacks"):
        assert all(row["citation"] for row in _rows()[name])


def test_every_measure_is_an_attribute(census):
    """Means, a class column, sensitive ones, priorities: everything that a measure may need is
    there.
    """
    said = dict(
        qids=QIDS,
        k=5,
        sensitive=["disease", "income"],
        class_="salary-class",
        priority={QIDS[0]: 0.5},
    )
    release = shoal.anonymize(census, recoding="mean", rest="drop", algorithm="mondrian", **said)
    measured = shoal.measure(census, release.table, **said)
    for row in _rows()["measures"]:
        assert getattr(release.measures, row["name"]) == pytest.approx(
            getattr(measured, row["name"]), rel=1e-12
        )


def test_a_frontier_has_the_measures_of_a_frontier():
    shown = {row["name"] for row in _rows()["measures"] if row["in_frontier"]}
    found = shoal.frontier(pd.DataFrame({"age": range(8)}), qids="age", ks=[2], queries=0)
    assert shown <= set(found.rows[0])


def test_traits():
    assert all(
        ("needs-k" in method_traits(method.name)) == method.needs_k for method in shoal.algorithms()
    )
    assert method_traits(None) == method_traits(shoal.algorithms()[0].name)
    assert method_traits("no such method") == frozenset()
    assert sorted(method.name for method in shoal.algorithms() if is_text_method(method.name)) == [
        "anatomy",
        "personalised",
    ]
