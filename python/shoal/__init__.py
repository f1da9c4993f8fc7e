# SPDX-License-Identifier: Apache-2.0
"""Shoal: releases of tables in which every person hides among at least k.

    import shoal
    release = shoal.anonymize(frame, qids=["age", "zip", "sex"], k=10, sensitive="disease",
    rest="keep")
    release.table       # of the kind that came in
    release.measures    # what it cost
    release             # in a notebook: a card with the numbers

Tables come in as pandas, polars or pyarrow, as a DuckDB relation, or as anything that speaks the
Arrow PyCapsule interface.
"""

from . import _quiet  # noqa: F401  (first: it loads the extension)
from ._api import (
    algorithms,
    anonymize,
    apply,
    bound,
    check,
    evaluate_classify,
    evaluate_queries,
    init,
    measure,
    models,
    risk,
)
from ._attack import attack
from ._core import version as __version__
from ._errors import (
    BudgetError,
    CancelledError,
    DataError,
    FewPersonsWarning,
    InputOutputError,
    InternalError,
    InterruptedWarning,
    OutOfMemoryError,
    ShoalError,
    UnsatisfiableError,
    UsageError,
)
from ._frames import ArrowTable
from ._frontier import Frontier, frontier
from ._hierarchy import Hierarchy
from ._plan import Plan
from ._record import Record
from ._release import Release
from ._series import Series, SeriesRelease

__all__ = [
    "ArrowTable", "BudgetError", "CancelledError", "DataError", "Frontier", "Hierarchy",
    "FewPersonsWarning", "InputOutputError", "InternalError", "InterruptedWarning",
    "OutOfMemoryError", "Plan", "Record",
    "Release", "Series", "SeriesRelease", "ShoalError", "UnsatisfiableError", "UsageError",
    "algorithms", "anonymize", "apply", "attack", "bound", "check", "evaluate_classify",
    "evaluate_queries", "frontier", "init", "measure", "models", "risk", "__version__",
]
