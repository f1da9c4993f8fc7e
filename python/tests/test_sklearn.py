# SPDX-License-Identifier: Apache-2.0
"""The scikit-learn transformer: scikit-learn's own checks, new rows, flags, pipelines."""

import pickle
import warnings
import zlib

import numpy as np
import pandas as pd
import polars as pl
import pytest
from conftest import QIDS
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.utils.estimator_checks import parametrize_with_checks

import shoal
from shoal.sklearn import Anonymizer, BreaksKWarning


class Numbered(Anonymizer):
    """Its texts as numbers, so that scikit-learn's checks, which compare numbers, can compare them.
    """

    def fit_transform(self, X, y=None):
        return _numbered(super().fit_transform(X, y))

    def transform(self, X):
        return _numbered(super().transform(X))


def _numbered(table):
    return np.array([[float(zlib.crc32(str(cell).encode())) for cell in row] for row in table])


def _not_here(_):
    return {
        "check_fit2d_1sample": (
            "one row cannot be released; the error is UnsatisfiableError, as everywhere"
        )
    }


@pytest.mark.filterwarnings("ignore")
@parametrize_with_checks([Numbered(k=2, params={"effort": 0})], expected_failed_checks=_not_here)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def halves(census):
    return census[QIDS + ["disease"]].iloc[:600], census[QIDS + ["disease"]].iloc[600:]


@pytest.fixture(scope="module")
def fitted(halves):
    return Anonymizer(k=5, qids=QIDS, sensitive="disease").fit(halves[0])


def covers(text, value):
    """Without hierarchies; written apart from the package."""
    if text == "*":
        return True
    if text[0] == "[":
        low, high = text[1:-1].split("..")
        return float(low) <= float(value) <= float(high)
    return str(value) in (text[1:-1].split("|") if text[0] == "{" else [text])


def test_k_is_needed():
    with pytest.raises(TypeError, match="k"):
        Anonymizer()
    with pytest.raises(shoal.UsageError, match="k is required"):
        Anonymizer(k=None).fit(pd.DataFrame({"a": [1, 2]}))


def test_fit_transform_is_the_release(halves):
    made = Anonymizer(k=5, qids=QIDS, sensitive="disease").fit_transform(halves[0])
    assert made.equals(shoal.anonymize(halves[0], qids=QIDS, k=5, sensitive="disease").table)


def test_new_rows_get_learned_tuples(fitted, halves):
    new = halves[1]
    flagged = fitted.breaks_k(new)
    with pytest.warns(BreaksKWarning, match=f"{flagged.sum()} of {len(new)} rows"):
        made = fitted.transform(new)
    assert 0 < flagged.sum() < len(new) / 2
    assert made.index.equals(new.index) and list(made) == list(new)
    assert made["disease"] is new["disease"] or made["disease"].equals(new["disease"])
    learned = {row for row in fitted.tuples_[QIDS].itertuples(index=False, name=None)}
    for before, after, flag in zip(
        new[QIDS].itertuples(index=False), made[QIDS].itertuples(index=False, name=None), flagged
    ):
        assert all(covers(text, value) for text, value in zip(after, before))
        fits = [
            row for row in learned if all(covers(text, value) for text, value in zip(row, before))
        ]
        assert after in fits if fits else after not in learned
        assert flag <= (not fits)


def test_the_tightest_tuple_is_chosen():
    people = pd.DataFrame({"age": [20, 20, 20, 19, 21, 30, 18, 25, 40], "sex": list("mmmmfmffm")})
    recode = Anonymizer(k=3).fit(people)
    assert recode.transform(pd.DataFrame({"age": [20], "sex": ["m"]})).iloc[0].tolist() == [
        "20",
        "m",
    ]


def test_flags_count_the_release_and_the_rows(halves):
    train, new = halves
    alone = pd.DataFrame({
        "age": [199], "sex": ["Unknown"], "race": ["Unknown"], "marital-status": ["Unknown"],
        "education": ["Unknown"], "disease": ["Asthma"],
    })
    recode = Anonymizer(k=5, qids=QIDS, sensitive="disease", flag="breaks_k").fit(train)
    made = recode.transform(alone)
    assert made[QIDS].iloc[0].tolist() == ["*"] * 5 and made["breaks_k"].tolist() == [True]
    assert recode.transform(pd.concat([alone] * 5))["breaks_k"].tolist() == [False] * 5
    assert not recode.fit_transform(train)["breaks_k"].any()
    assert list(recode.get_feature_names_out()) == QIDS + ["disease", "breaks_k"]
    assert not recode.breaks_k(train).any()
    few = recode.breaks_k(new, alone=True)
    shown = recode.transform(new)[QIDS].astype(str).agg("|".join, axis=1)
    assert (few == (shown.map(shown.value_counts()) < 5).to_numpy()).all()
    assert few.sum() > recode.breaks_k(new).sum()


def test_unseen(halves):
    train, new = halves
    suppress = Anonymizer(k=5, qids=QIDS, sensitive="disease", unseen="suppress", flag="few").fit(
        train
    )
    widened = (
        suppress.__class__(**{**suppress.get_params(), "unseen": "widen"}).fit(train).transform(new)
    )
    made = suppress.transform(new)
    outside = widened["few"].to_numpy()
    assert (made.loc[outside, QIDS] == "*").all(axis=None)
    assert made.loc[~outside, QIDS].astype(str).equals(widened.loc[~outside, QIDS].astype(str))
    assert (widened.loc[outside, QIDS] != "*").any(axis=None)
    with pytest.raises(shoal.UsageError, match="outside everything"):
        Anonymizer(k=5, qids=QIDS, sensitive="disease", unseen="raise").fit(train).transform(new)
    with pytest.raises(shoal.UsageError, match="widen, suppress, raise"):
        Anonymizer(k=5, unseen="magic").fit(train)


def test_ends_of_ranges_do_not_tell_the_new_value():
    recode = Anonymizer(k=3, flag="few").fit(pd.DataFrame({"age": [
        20, 22, 20, 40, 44, 43, 90, 91, 90,
    ]}))
    made = recode.transform(pd.DataFrame({"age": [21, 30, 93]}))
    assert made["age"].tolist() == ["[20..22]", "*", "*"] and made["few"].tolist() == [
        False,
        True,
        True,
    ]


def test_labels_of_a_hierarchy():
    city = shoal.Hierarchy.tree(
        {
            "France": {"North": ["Lille", "Calais"], "South": ["Nice", "Arles"]},
            "Italy": ["Rome", "Milan"],
        }
    )
    people = pd.DataFrame({"city": [
        "Lille", "Lille", "Rome", "Rome", "Milan", "Milan",
    ], "sex": list("mmffff")})
    recode = Anonymizer(k=2, hierarchies={"city": city}, flag="few").fit(people)
    made = recode.transform(
        pd.DataFrame({"city": ["Calais", "Nice", "Rome", "Atlantis"], "sex": list("mmff")})
    )
    assert made["city"].tolist() == ["North", "France", "Rome", "*"]
    assert made["few"].tolist() == [True, True, False, True]


def test_levels_of_a_full_domain_method():
    people = pd.DataFrame(
        {"age": [21, 25, 43, 47, 44], "zip": ["1010", "1020", "2010", "2020", "2030"]}
    )
    recode = Anonymizer(
        k=2,
        algorithm="datafly",
        flag="few",
        hierarchies={"age": shoal.Hierarchy.intervals(10, 20), "zip": shoal.Hierarchy.prefix(1)},
    ).fit(people)
    made = recode.transform(pd.DataFrame({"age": [29, 63, 41], "zip": ["1999", "3000", "2000"]}))
    assert made["age"].tolist() == ["[20..29]", "[60..69]", "[40..49]"]
    assert made["zip"].tolist() == ["1*", "3*", "2*"]
    assert made["few"].tolist() == [False, True, False]
    assert recode.measures_.levels == {"age": 1, "zip": 1}


def test_rare_values_are_other():
    jobs = pd.DataFrame({"job": ["cook"] * 4 + ["maid"] * 4 + ["spy", "judge", "pope"]})
    recode = Anonymizer(k=3, hierarchies={"job": shoal.Hierarchy.rare(3)}, flag="few").fit(jobs)
    made = recode.transform(pd.DataFrame({"job": ["cook", "pope", "clown"]}))
    assert made["job"].tolist() == ["cook", "Other", "Other"] and not made["few"].any()
    assert b"pope" not in pickle.dumps(recode)


def test_dates_missing_values_and_odd_texts():
    frame = pd.DataFrame({
        "day": pd.to_datetime(["2020-01-01", "2020-01-03", "2021-05-05", "2021-05-09"]),
        "word": ["a|b", "{c}", None, None],
        "flag": [True, True, False, False],
        "part": pd.array([1, 2, None, None], dtype="Int64"),
    })
    recode = Anonymizer(k=2, flag="few").fit(frame)
    made = recode.transform(frame)
    assert not made["few"].any()
    assert (
        made.drop(columns="few")
        .astype(object)
        .equals(recode.fit_transform(frame).drop(columns="few").astype(object))
    )
    assert (
        made["day"].tolist() == ["[2020-01-01..2020-01-03]"] * 2 + ["[2021-05-05..2021-05-09]"] * 2
    )
    assert made["word"].isna().tolist() == [False, False, True, True]


def test_empty_texts_are_missing():
    frame = pd.DataFrame({"a": [0] * 4, "b": ["", "", None, None]})
    recode = Anonymizer(k=4, flag="few").fit(frame)
    assert recode.tuples_.rows.tolist() == [4] and not recode.transform(frame)["few"].any()


@pytest.mark.parametrize(
    "given",
    [
        dict(algorithm="anatomy"),
        dict(recoding="mean"),
        dict(missing="wildcard"),
        dict(hierarchies="trees/"),
        dict(y_is_class=True, class_="c"),
        dict(y_is_class=True),
    ],
)
def test_what_cannot_be_learned(given):
    with pytest.raises(shoal.UsageError):
        Anonymizer(k=2, **given).fit(pd.DataFrame({"a": [1, 2, 3, 4], "c": list("xyxy")}))


def test_columns_nobody_mentioned(halves):
    with pytest.raises(shoal.UsageError, match="columns without a role: disease"):
        Anonymizer(k=5, qids=QIDS).fit(halves[0])
    made = Anonymizer(k=5, qids=QIDS, rest="drop").fit(halves[0])
    assert list(made.get_feature_names_out()) == QIDS
    assert list(made.set_params(flag="few").transform(halves[1])) == QIDS + ["few"]
    with pytest.raises(ValueError, match="feature names"):
        made.transform(halves[1][QIDS])


def test_pickle_and_clone(fitted, halves):
    again = pickle.loads(pickle.dumps(fitted))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert again.transform(halves[1]).equals(fitted.transform(halves[1]))
    assert again.measures_.gcp == fitted.measures_.gcp and again.manifest_ == fitted.manifest_
    bare = clone(fitted)
    assert not hasattr(bare, "tuples_") and bare.get_params() == fitted.get_params()


def test_a_pickle_holds_no_row():
    rng = np.random.default_rng(5)
    frame = pd.DataFrame(
        {"income": rng.integers(10**8, 10**9, 60), "name": [f"secret-{i}" for i in range(60)]}
    )
    held = pickle.dumps(Anonymizer(k=4, qids=["income"], identifiers="name").fit(frame))
    shown = {
        end
        for text in Anonymizer(k=4, qids=["income"], identifiers="name")
        .fit(frame)
        .tuples_["income"]
        for end in text[1:-1].split("..")
    }
    assert b"secret" not in held
    hidden = [value for value in frame["income"] if str(value) not in shown]
    assert len(hidden) > 10
    for value in hidden:
        assert str(value).encode() not in held and int(value).to_bytes(8, "little") not in held


def test_outputs(halves):
    train, new = (half[QIDS] for half in halves)
    recode = Anonymizer(k=5, unseen="suppress", flag="few")
    plain = recode.fit(train).transform(new)
    polars = recode.fit(pl.DataFrame(train)).transform(pl.DataFrame(new))
    assert isinstance(polars, pl.DataFrame) and polars.columns == [*QIDS, "few"]
    assert [list(row) for row in polars.rows()] == plain.astype(object).values.tolist()
    array = recode.fit(train.to_numpy()).transform(new.to_numpy())
    assert isinstance(array, np.ndarray) and array.tolist() == plain.astype(object).values.tolist()
    assert list(recode.get_feature_names_out()) == [f"x{i}" for i in range(5)] + ["few"]
    framed = recode.set_output(transform="pandas")
    assert list(framed.fit(train.to_numpy()).transform(new.to_numpy())) == [
        f"x{i}" for i in range(5)
    ] + ["few"]
    assert isinstance(framed.set_output(transform="polars").fit_transform(train), pl.DataFrame)


def test_the_class_is_y(census):
    recode = Anonymizer(k=5, algorithm="infogain-mondrian", y_is_class=True, numeric="age").fit(
        census[QIDS], census["sex"]
    )
    assert list(recode.get_feature_names_out()) == QIDS
    direct = shoal.anonymize(
        census[QIDS].assign(y=census["sex"]),
        qids=QIDS,
        k=5,
        class_="y",
        algorithm="infogain-mondrian",
        numeric="age",
    )
    assert recode.measures_.gcp == direct.measures.gcp


@pytest.mark.filterwarnings("ignore::shoal.sklearn.BreaksKWarning")
def test_in_a_pipeline(census):
    y = (census["age"] > 40).to_numpy()
    model = make_pipeline(
        Anonymizer(k=5), OneHotEncoder(handle_unknown="ignore"), LogisticRegression(max_iter=500)
    )
    model.fit(census[QIDS][:600], y[:600])
    # age is among the columns: it can be learned
    assert model.score(census[QIDS][600:], y[600:]) > 0.85
    search = GridSearchCV(model, {"anonymizer__k": [2, 50]}, cv=2).fit(census[QIDS], y)
    assert len(search.cv_results_["mean_test_score"]) == 2
    columns = ColumnTransformer(
        [("who", Anonymizer(k=5), QIDS)], remainder="drop", verbose_feature_names_out=False
    )
    assert list(columns.set_output(transform="pandas").fit_transform(census)) == QIDS
