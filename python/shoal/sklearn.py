# SPDX-License-Identifier: Apache-2.0
"""A scikit-learn transformer that publishes rows as a verified release would.

>>> import pandas as pd
>>> from shoal.sklearn import Anonymizer
>>> people = pd.DataFrame({"age": [21, 23, 22, 64, 66, 61], "sex": list("mmmfmf")})
>>> recode = Anonymizer(k=3).fit(people)
>>> recode.transform(pd.DataFrame({"age": [22, 65], "sex": ["m", "f"]}))
        age sex
0  [21..23]   m
1  [61..66]   *
>>> recode.breaks_k(pd.DataFrame({"age": [22, 99], "sex": ["m", "f"]})).tolist()
[False, True]
"""

from __future__ import annotations

import os
import warnings
from typing import Any, Dict, List, Mapping, Optional, Tuple

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import check_array
from sklearn.utils.validation import check_is_fitted, validate_data

from ._api import anonymize
from ._errors import usage
from ._hierarchy import as_hierarchy
from ._plan import PUBLISHED, listed
from ._recoding import Recoding
from ._registry import method_traits

_Y = "class (y)"  # the name that y has while the engine looks at it
_UNSEEN = ("widen", "suppress", "raise")
_NOT_HERE = {
    "writes-two-tables": "it publishes two tables",
    "generalises-sensitive": "it changes sensitive values, too",
}
_MICRO = ("mean", "median", "mode")


class BreaksKWarning(UserWarning):
    """Some transformed rows would be recognisable among fewer than k: see
    :meth:`Anonymizer.breaks_k`.
    """


class Anonymizer(TransformerMixin, BaseEstimator):
    """Learn how a table is generalised, and publish other rows in the same way.

    ``fit`` makes a verified release of its rows (see :func:`shoal.anonymize`) and keeps what the
    release publishes: the distinct tuples of quasi-identifiers, with how many rows have each.
    ``fit_transform`` returns that release. ``transform`` gives each new row the learned tuple that
    covers it and loses least. The fitted object holds no row of the table it was fitted on, only
    what its release shows.

    Parameters
    ----------
    k : int
        Every row of the release looks like at least ``k - 1`` others. There is no default.
    qids : names, optional
        The quasi-identifiers; by default every column that no other parameter names. Where they are
        given, ``rest`` must say what happens to columns without a role.
    hierarchies, sensitive, models, algorithm, seed, class_, identifiers, other, drop, rest,
    numeric, categorical, dates, ordered, formats, missing, \
on_missing, recoding, suppression_limit, threads, time_limit
        As in :func:`shoal.anonymize`. ``hierarchies`` is a mapping. Identifiers and dropped columns
        are not in the output.
    params : mapping, optional
        Parameters of the method.
    y_is_class : bool
        ``y`` is the class column, for methods that look at it (infogain-mondrian, iack).
    unseen : "widen", "suppress" or "raise"
        How a new row is published that no learned tuple covers. ``"widen"``: the nearest tuple, and
        where a cell of it does not cover the value, the tightest published text that covers both,
        or the label of the hierarchy, or ``*``. (After a full-domain method: each value on the
        level of its column.) ``"suppress"``: ``*`` everywhere. ``"raise"``: an error.
    flag : str, optional
        Add a boolean column of this name: would the row break k? Without it, ``transform`` warns
        where rows would.

    Attributes
    ----------
    tuples_ : DataFrame
        The published tuples, most rows first; ``rows`` counts them.
    measures_, models_, manifest_
        Of the release of the rows that were fitted; see :class:`shoal.Release`.
    qids_ : list of str
    feature_names_in_, n_features_in_
    """

    def __init__(
        self,
        k: int,
        qids: Any = None,
        *,
        hierarchies: Any = None,
        sensitive: Any = None,
        models: Any = None,
        algorithm: Optional[str] = None,
        seed: Optional[int] = None,
        class_: Any = None,
        identifiers: Any = None,
        other: Any = None,
        drop: Any = None,
        rest: Optional[str] = None,
        numeric: Any = None,
        categorical: Any = None,
        dates: Any = None,
        ordered: Any = None,
        formats: Any = None,
        missing: Optional[str] = None,
        on_missing: Optional[str] = None,
        recoding: Optional[str] = None,
        suppression_limit: Optional[float] = None,
        threads: Optional[int] = None,
        time_limit: Optional[float] = None,
        params: Optional[Mapping[str, Any]] = None,
        y_is_class: bool = False,
        unseen: str = "widen",
        flag: Optional[str] = None,
    ) -> None:
        self.k = k
        self.qids = qids
        self.hierarchies = hierarchies
        self.sensitive = sensitive
        self.models = models
        self.algorithm = algorithm
        self.seed = seed
        self.class_ = class_
        self.identifiers = identifiers
        self.other = other
        self.drop = drop
        self.rest = rest
        self.numeric = numeric
        self.categorical = categorical
        self.dates = dates
        self.ordered = ordered
        self.formats = formats
        self.missing = missing
        self.on_missing = on_missing
        self.recoding = recoding
        self.suppression_limit = suppression_limit
        self.threads = threads
        self.time_limit = time_limit
        self.params = params
        self.y_is_class = y_is_class
        self.unseen = unseen
        self.flag = flag

    # ---- learning ----

    def fit(self, X: Any, y: Any = None) -> "Anonymizer":
        """Release these rows and learn what the release publishes."""
        self._fit(X, y)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """The verified release of these rows."""
        table = self._fit(X, y)
        if self.flag is not None:
            table = table.assign(**{self.flag: np.zeros(len(table), dtype=bool)})
        return _like(table, X)

    def _fit(self, X: Any, y: Any) -> "pd.DataFrame":
        self._check_parameters()
        frame = self._frame(X, reset=True)
        roles = {
            name: listed(getattr(self, name))
            for name in ("sensitive", "class_", "identifiers", "other", "drop")
        }
        named = {str(label) for labels in roles.values() for label in labels}
        qids = [str(label) for label in listed(self.qids)] or [
            name for name in frame.columns if name not in named
        ]
        hierarchies = {
            str(name): as_hierarchy(given) for name, given in (self.hierarchies or {}).items()
        }
        extra: Dict[str, Any] = {"rest": self.rest} if self.rest is not None else {}
        class_, table = self.class_, frame
        if self.y_is_class:
            if y is None:
                raise usage("y_is_class is set, but y is missing", "call fit(X, y)")
            class_, table = _Y, frame.assign(**{_Y: np.asarray(y)})
        release = anonymize(
            table.reset_index(drop=True),
            qids,
            self.k,
            hierarchies=hierarchies,
            sensitive=self.sensitive,
            models=self.models,
            algorithm=self.algorithm,
            seed=self.seed,
            class_=class_,
            identifiers=self.identifiers,
            other=self.other,
            drop=self.drop,
            numeric=self.numeric,
            categorical=self.categorical,
            dates=self.dates,
            ordered=self.ordered,
            formats=self.formats,
            missing=self.missing,
            on_missing=self.on_missing,
            recoding=self.recoding,
            suppression_limit=self.suppression_limit,
            threads=self.threads,
            time_limit=self.time_limit,
            **extra,
            params=self.params,
        )
        published = release.table.drop(columns=_Y, errors="ignore")
        published.index = frame.index  # a transformer keeps it: rows go with those of y
        self.measures_ = release.measures
        self.models_ = release.models
        self.manifest_ = release.manifest
        self.qids_ = qids
        k = max(int(self.k), int(self.manifest_["k"] or 0))
        self._recoding = Recoding.learn(
            published, qids, k, hierarchies, frame, self.measures_.get("levels")
        )
        self.tuples_ = self._recoding.tuples()
        self._published = [str(label) for label in published.columns]
        return published

    def _check_parameters(self) -> None:
        if self.unseen not in _UNSEEN:
            raise usage("unseen is not known", f"unseen is one of {', '.join(_UNSEEN)}")
        if self.k is None:
            raise usage(
                "k is required", "write Anonymizer(k=10)"
            )
        for trait in method_traits(self.algorithm) & set(_NOT_HERE):
            raise usage(
                f"{self.algorithm} cannot be learned from its release: {_NOT_HERE[trait]}",
                "call shoal.anonymize",
            )
        if self.recoding in _MICRO:
            raise usage(
                f"recoding {self.recoding} publishes values that cover no new row",
                "use local, node, interval, set or full-domain",
            )
        if self.missing == "wildcard":
            raise usage(
                "missing=wildcard publishes rows whose text is not shared by k",
                "use own-category or conservative",
            )
        if self.hierarchies is not None and isinstance(self.hierarchies, (str, os.PathLike)):
            raise usage(
                "hierarchies is not a mapping", "write hierarchies={column: file or Hierarchy}"
            )
        if self.y_is_class and self.class_ is not None:
            raise usage("there are two class columns, y and class_", "say one of them")

    # ---- applying ----

    def transform(self, X: Any) -> Any:
        """New rows as the release would have them. Rows that would break k are flagged: see
        ``flag`` and :meth:`breaks_k`.
        """
        check_is_fitted(self)
        frame = self._frame(X, reset=False)
        made, where, breaks = self._recode(frame, alone=False)
        columns: Dict[str, Any] = {}
        for name in self._published:
            columns[name] = (
                _categories([row[self.qids_.index(name)] for row in made], where)
                if name in self.qids_
                else frame[name]
            )
        if self.flag is not None:
            columns[self.flag] = breaks
        elif breaks.any():
            warnings.warn(
                f"{int(breaks.sum())} of {len(frame)} rows would break k = {self.k}; breaks_k(X)"
                " tells which",
                BreaksKWarning,
                stacklevel=2,
            )
        return _like(pd.DataFrame(columns, index=frame.index), X)

    def breaks_k(self, X: Any, *, alone: bool = False) -> Any:
        """A boolean for each row: would what ``transform`` publishes for it be shared by fewer than
        k rows?

        Rows are counted together with those of the release that was fitted, for a reader may have
        both. ``alone=True`` counts the rows of ``X`` by themselves: what holds if they are
        published without the release.
        """
        check_is_fitted(self)
        return self._recode(self._frame(X, reset=False), alone)[2]

    def _recode(
        self, frame: "pd.DataFrame", alone: bool
    ) -> Tuple[List[List[Optional[str]]], Any, Any]:
        made, where, _ = self._recoding.place(frame, self.unseen)
        counts: Dict[Tuple[Optional[str], ...], int] = {}
        if not alone:
            for *row, rows in self.tuples_.itertuples(index=False, name=None):
                counts[tuple(row)] = rows
        for row, rows in zip(made, np.bincount(where, minlength=len(made))):
            counts[tuple(row)] = counts.get(tuple(row), 0) + int(rows)
        few = np.array([counts[tuple(row)] < self.k for row in made], dtype=bool)
        return made, where, few[where] if len(where) else np.zeros(0, dtype=bool)

    # ---- scikit-learn ----

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Names of the columns that ``transform`` returns."""
        check_is_fitted(self)
        if input_features is not None:
            given = [str(name) for name in input_features]
            known = [
                str(name)
                for name in getattr(
                    self, "feature_names_in_", [f"x{i}" for i in range(self.n_features_in_)]
                )
            ]
            if given != known:
                raise ValueError("input_features is not equal to feature_names_in_")
        return np.array(
            [*self._published, *([self.flag] if self.flag is not None else [])], dtype=object
        )

    def __sklearn_is_fitted__(self) -> bool:
        """Fitted once it has a recoding; `class_` is a parameter, not a fitted attribute."""
        return hasattr(self, "tuples_")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        tags.input_tags.allow_nan = True
        tags.target_tags.required = bool(self.y_is_class)
        tags.transformer_tags.preserves_dtype = []
        return tags

    def _frame(self, X: Any, *, reset: bool) -> "pd.DataFrame":
        """The rows as pandas, with their columns named; scikit-learn's checks of names and numbers
        of columns.
        """
        if isinstance(X, pd.DataFrame):
            validate_data(self, X, reset=reset, skip_check_array=True)
            return X.set_axis([str(label) for label in X.columns], axis=1)
        if hasattr(X, "to_pandas"):  # polars, pyarrow
            frame = X.to_pandas()
            validate_data(self, frame, reset=reset, skip_check_array=True)
            return frame
        cells = check_array(X, dtype=None, ensure_all_finite=False, estimator=self)
        validate_data(self, cells, reset=reset, skip_check_array=True)
        frame = pd.DataFrame(cells).infer_objects()
        return frame.set_axis([f"x{at}" for at in range(frame.shape[1])], axis=1)


def _categories(texts: List[Optional[str]], where: Any) -> "pd.Categorical":
    codes, distinct = pd.factorize(np.array(texts, dtype=object), use_na_sentinel=True)
    return pd.Categorical.from_codes(
        codes[where], dtype=pd.CategoricalDtype(pd.Index(distinct, dtype=object))
    )


def _like(table: "pd.DataFrame", X: Any) -> Any:
    """As the kind that came in: pandas, polars, or an array."""
    if isinstance(X, pd.DataFrame):
        return table
    if type(X).__module__.startswith("polars"):
        import polars as pl

        return pl.DataFrame(
            {str(name): pl.Series(column.tolist()) for name, column in table.items()}
        )
    if hasattr(X, "to_pandas"):
        return table
    return table.astype(object).to_numpy()


__all__ = ["Anonymizer", "BreaksKWarning"]
