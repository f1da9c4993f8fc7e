# SPDX-License-Identifier: Apache-2.0
"""Attacks on a release."""

from __future__ import annotations

from typing import Any, List, Optional, Sequence, Union

from ._api import AnyPlan, Hierarchies, _need_qids, _only, _read
from ._ask import ask
from ._errors import usage
from ._frames import Frame, check_columns, wrap
from ._plan import Columns, Formats, Ordered, build_plan, listed
from ._progress import Progress, watching
from ._record import Record
from ._release import Release

_OWN = (
    "original", "releases", "held_out", "record_key", "only", "known", "sets", "errors", "controls",
    "plan", "progress",
)


def _frame(release: Any) -> Frame:
    return wrap(release.table if isinstance(release, Release) else release)


def _all(frame: Frame) -> Any:
    return _read(frame, frame.names or [])


def attack(
    original: Any,
    releases: Union[Any, Sequence[Any]],
    qids: Columns = None,
    k: Optional[int] = None,
    *,
    sensitive: Columns = None,
    identifiers: Columns = None,
    held_out: Any = None,
    record_key: Optional[str] = None,
    only: Columns = None,
    known: int = 0,
    sets: int = 0,
    errors: float = 0.1,
    controls: bool = False,
    hierarchies: Hierarchies = None,
    numeric: Columns = None,
    categorical: Columns = None,
    dates: Columns = None,
    ordered: Ordered = None,
    formats: Formats = None,
    null: Columns = None,
    missing: Optional[str] = None,
    on_missing: Optional[str] = None,
    seed: Optional[int] = None,
    threads: Optional[int] = None,
    plan: AnyPlan = None,
    progress: Progress = None,
) -> Record:
    """Attack one release, or a list of releases of the same persons: what ``shoal attack --json``
    prints, as a dict.

    Attacks use the published text and the knowledge that each of them assumes; the original is used
    only to count their success. ``not_tried`` lists the attacks that were not carried out. A failed
    attack proves nothing about others. The attack that runs the method again is available in the
    command only.

    >>> import pandas as pd, shoal
    >>> people = pd.DataFrame({"age": [20, 21, 40, 41]})
    >>> release = pd.DataFrame({"age": ["[20..21]"] * 2 + ["[40..41]"] * 2})
    >>> found = shoal.attack(people, release, qids="age", k=2, only="linkage")
    >>> found.attacks[0].details.smallest_candidates
    2.0
    """
    settings = {key: value for key, value in locals().items() if key not in _OWN}
    listing: List[Any] = list(releases) if isinstance(releases, (list, tuple)) else [releases]
    if not listing:
        raise usage("there is no release", "give one, or a list of them")
    first = listing[0]
    made = build_plan(
        plan if plan is not None or not isinstance(first, Release) else first.plan, settings, {}
    )
    _need_qids(made)
    frame = wrap(original)
    named = [
        column["name"] for column in made.columns if column.get("role") in ("quasi", "sensitive")
    ]
    check_columns(frame, named, made.columns)
    frames = [_frame(release) for release in listing]
    for one in frames:
        check_columns(one, made.qids, made.columns)
    others = None if held_out is None else wrap(held_out)
    if others is not None:
        check_columns(others, named, made.columns)
    tables = [("original", _all(frame)), *(("release", _all(one)) for one in frames),
              ("held-out", None if others is None else _all(others))]
    with watching(progress) as callback:
        return ask(
            "attack",
            _only(made, frame, frame.names or [])._job(),
            tables,
            callback,
            only=listed(only),
            record_key=record_key,
            known=known,
            subsets=sets,
            errors=errors,
            controls=controls,
        )


__all__ = ["attack"]
