# SPDX-License-Identifier: Apache-2.0
"""Releasing a table again while it changes."""

from __future__ import annotations

import csv
import io
import os
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

from . import _core
from ._api import AnyPlan, Hierarchies, Models, _need_qids, _only
from ._errors import usage
from ._frames import Frame, check_columns, unmentioned, wrap
from ._plan import PUBLISHED, Columns, Formats, Ordered, Plan, build_plan
from ._progress import Progress, watching
from ._record import Record, parse

_OWN = (
    "self", "table", "record_key", "pending", "erasures", "after", "anew", "plan", "progress",
    "given",
)


def _cells(text: bytes) -> Dict[str, List[str]]:
    rows = list(csv.reader(io.StringIO(text.decode("utf-8"))))
    return {name: [row[i] for row in rows[1:]] for i, name in enumerate(rows[0])}


class SeriesRelease:
    """A release of a series: ``table`` of the type of the input, ``text`` as it was verified,
    ``report`` with the number of rows published, held back and withdrawn.
    """

    def __init__(
        self,
        frame: Frame,
        plan: Plan,
        texts: Tuple[bytes, Optional[bytes]],
        kept: bytes,
        report: Record,
    ) -> None:
        self._frame, self._kept = frame, kept
        self.plan = plan
        self.text, self.counterfeits_text = texts
        self.report = report

    @property
    def table(self) -> Any:
        """The published rows, in their order. Save ``text`` for :meth:`Series.check`, which
        identifies releases by their bytes.

        With m-invariance they are in an order of their own, counterfeits among them, and the last
        column has the number of the group. These, and shuffled rows, are texts, and a data frame of
        them has an index of its own.
        """
        cells = _cells(self.text)
        if self.counterfeits_text is not None or self.plan.get("row-order") == "shuffle":
            return self._frame.make(cells)
        left_out = [name for name in self._frame.names or [] if name not in cells]
        kept: Any = [byte != 0 for byte in self._kept]
        return self._frame.rebuild(
            {name: cells[name] for name in self.plan.qids}, left_out, None if all(kept) else kept
        )

    @property
    def counterfeits(self) -> Any:
        """With m-invariance: the number of counterfeit rows of each group that has some, to be
        published with ``table``. Otherwise None.
        """
        if self.counterfeits_text is None:
            return None
        return self._frame.make(
            {
                name: [int(cell) for cell in column]
                for name, column in _cells(self.counterfeits_text).items()
            }
        )

    def __repr__(self) -> str:
        r = self.report
        return (
            f"<release {r['release']} of a series: {r['published']} of {r['rows']} rows,"
            f" {r['inserted']} came, {r['erased']} erased, {r['withdrawn']} withdrawn,"
            f" {r['pending']} wait>"
        )


class Series:
    """A series of releases, whose private state is in the folder ``path``; the first release
    creates it.

    With ``m_invariance=M`` every group has at least M rows with different sensitive values, and a
    record is among the same values in every release; counterfeit rows fill gaps
    (``SeriesRelease.counterfeits``). This replaces the guarantee about differences.

    >>> import pandas as pd, shoal, tempfile
    >>> folder = tempfile.mkdtemp() + "/state"
    >>> people = pd.DataFrame({"id": range(6), "age": [21, 23, 22, 64, 66, 61],
    ...     "disease": list("abbacc")})
    >>> series = shoal.Series(folder)
    >>> series.release(people, qids="age", k=3, sensitive="disease", record_key="id").table
            age disease
    0  [21..23]       a
    1  [21..23]       b
    2  [21..23]       b
    3  [61..66]       a
    4  [61..66]       c
    5  [61..66]       c
    >>> series.release(people.drop(index=3), qids="age", k=3, sensitive="disease", record_key="id")
    <release 2 of a series: 3 of 5 rows, 0 came, 1 erased, 2 withdrawn, 0 wait>
    """

    def __init__(
        self, path: "str | os.PathLike[str]", *, m_invariance: Optional[int] = None
    ) -> None:
        self.path = os.fspath(path)
        self.m_invariance = m_invariance

    def release(
        self,
        table: Any,
        qids: Columns = None,
        k: Optional[int] = None,
        *,
        record_key: Optional[str] = None,
        pending: Optional[str] = None,
        erasures: Optional[str] = None,
        after: Sequence["str | os.PathLike[str]"] = (),
        anew: bool = False,
        hierarchies: Hierarchies = None,
        sensitive: Columns = None,
        models: Models = None,
        algorithm: Optional[str] = None,
        seed: Optional[int] = None,
        class_: Columns = None,
        identifiers: Columns = None,
        entity: Columns = None,
        other: Columns = None,
        drop: Columns = None,
        rest: Optional[str] = None,
        numeric: Columns = None,
        categorical: Columns = None,
        dates: Columns = None,
        ordered: Ordered = None,
        formats: Formats = None,
        null: Columns = None,
        missing: Optional[str] = None,
        on_missing: Optional[str] = None,
        suppression_limit: Optional[float] = None,
        threads: Optional[int] = None,
        params: Optional[Mapping[str, Any]] = None,
        plan: AnyPlan = None,
        progress: Progress = None,
        **given: Any,
    ) -> SeriesRelease:
        """Make the next release: the difference of any two releases of the series satisfies ``k``
        and the models, too.

        Arguments are those of ``shoal.anonymize``; ``record_key`` is the column that identifies
        records across tables, and is not published. ``pending`` is ``"withhold"`` or
        ``"star"``, ``erasures`` ``"withdraw"`` or ``"refuse"``. ``after`` are files of earlier
        releases, checked once more. ``anew=True`` also reports the loss of an independent release,
        for comparison, as ``gcp_anew``. After an exception the series is unchanged.
        """
        settings = {key: value for key, value in locals().items() if key not in _OWN}
        made = build_plan(plan, settings, given)
        for key, value in (
            ("record-key", record_key),
            ("pending", pending),
            ("erasures", erasures),
            ("m-invariance", self.m_invariance),
        ):
            if value is not None:
                made = Plan({**made.fields, key: value}, made.hierarchies)
        _need_qids(made)
        if made.get("record-key") is None:
            raise usage(
                "a series needs a record key",
                'name it: record_key="id"',
            )
        frame = wrap(table)
        wanted = self._wanted(frame, made)
        text, texts = _only(made, frame, wanted)._job()
        source = frame.csv(wanted)
        with watching(progress) as callback:
            released, counterfeits, kept, report = _core.series_release(
                text, source, texts, self.path, [os.fspath(path) for path in after], anew, callback
            )
        return SeriesRelease(frame, made, (released, counterfeits), kept, parse(report))

    @staticmethod
    def _wanted(frame: Frame, plan: Plan) -> List[str]:
        """The columns passed to the engine: those published, the record key and the person.
        """
        check_columns(frame, [column["name"] for column in plan.columns], plan.columns)
        if frame.names is None:
            raise usage(
                "the columns of this table are not known before it is read",
                "give a pandas, polars or pyarrow table",
            )
        roles = {column["name"]: column.get("role") for column in plan.columns}
        key = plan.get("record-key")
        without_role = [
            name
            for name in unmentioned(frame, [name for name, role in roles.items() if role])
            if name != key
        ]
        if without_role and plan.get("rest") is None:
            raise usage(
                f"columns without a role: {', '.join(without_role)}",
                'set their roles, or write rest="keep" or rest="drop"',
            )
        rest = "drop" if plan.get("rest") == "drop" else "other"
        return [
            name
            for name in frame.names
            if name == key or (roles.get(name) or rest) in (*PUBLISHED, "entity")
        ]

    @property
    def releases(self) -> List[Record]:
        """The report of each release, the oldest first; empty before the first."""
        return parse(_core.series_show(self.path))["releases"] if os.path.isdir(self.path) else []

    def check(self, *files: "str | os.PathLike[str]") -> Record:
        """Check every release, every difference between two of them, and that these files are the
        published ones. See ``satisfied``.
        """
        return parse(_core.series_check(self.path, [os.fspath(path) for path in files]))

    def forget(self) -> None:
        """Destroy the state, its key first: records can no longer be linked to published rows.
        """
        _core.series_forget(self.path)

    def __repr__(self) -> str:
        return f"Series({self.path!r})"
