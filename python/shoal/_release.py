# SPDX-License-Identifier: Apache-2.0
"""A release: the published table and what is known about it."""

from __future__ import annotations

import csv
import hashlib
import io
import platform
import threading
from typing import Any, Dict, List, Mapping, Optional

from . import _core
from ._frames import Frame
from ._plan import PUBLISHED, Plan
from ._record import Record, parse

# Entries of the report that are about the run, not about the release.
_NOT_MEASURES = {
    "version", "algorithm", "params", "recoding", "k", "seed", "lower_bound", "gap", "bound",
    "bound_for", "missing", "models", "verified", "stopped_early", "evaluations", "queries",
    "seconds",
    "peak_rss_bytes", "threads",
}


class Release:
    """What :func:`shoal.anonymize` returns. It was verified against the original before it was
    made.

    Attributes
    ----------
    table
        The published table, of the kind that came in: rows in their order, quasi-identifiers
        generalised, identifiers left out, every other column as it was.
    plan
        The :class:`Plan` that was carried out.
    """

    def __init__(
        self, handle: Any, frame: Frame, plan: Plan, population: Any, is_text: bool = False
    ) -> None:
        self._handle = handle
        self._frame = frame
        self._population = population
        self._is_text = is_text  # made by a method whose release the library writes as text
        self._lock = threading.Lock()
        self._groups: Any = None
        self._table: Any = None
        self._risk: Optional[Record] = None
        self.plan = plan

    # ---- the table ----

    @property
    def table(self) -> Any:
        with self._lock:
            if self._table is None:
                self._table = self._make_table()
            return self._table

    def _find_left_out(self) -> List[str]:
        roles = {column["name"]: column.get("role") for column in self.plan.columns}
        rest = {"keep": "other", "drop": "drop"}.get(self.plan.get("rest", ""), "other")
        return [
            name for name in self._frame.names or [] if (roles.get(name) or rest) not in PUBLISHED
        ]

    def _make_table(self) -> Any:
        roles = {column["name"]: column.get("role") for column in self.plan.columns}
        left_out, kept = self._find_left_out(), self._find_kept()
        if self._is_text:
            return self._make_from_text(roles, left_out, kept)
        return self._frame.release(self._handle, self.plan.qids, left_out, kept)

    def _find_kept(self) -> Any:
        """Which rows are published; None: all."""
        if self.plan.get("drop-suppressed") == "true":
            groups = self._read_groups()
            if min(groups, default=0) < 0:
                return groups >= 0 if hasattr(groups, "dtype") else [group >= 0 for group in groups]
        return None

    def _make_from_text(self, roles: Mapping[str, Any], left_out: List[str], kept: Any) -> Any:
        """What was generalised is taken from the text; columns that it lacks are left out, one that
        it adds is the group.
        """
        rows = list(csv.reader(io.StringIO(_core.release_csv(self._handle)[0].decode("utf-8"))))
        cells = {name: [row[i] for row in rows[1:]] for i, name in enumerate(rows[0])}
        absent = [name for name, role in roles.items() if role == "sensitive" and name not in cells]
        replaced: Dict[str, List[Any]] = {
            name: texts
            for name, texts in cells.items()
            if roles.get(name) in ("quasi", "sensitive")
        }
        if self.buckets is not None:
            replaced = {
                name: [int(text) for text in texts]
                for name, texts in cells.items()
                if name not in roles
            }
        return self._frame.rebuild(replaced, [*left_out, *absent], kept)

    @property
    def buckets(self) -> Any:
        """The second table of a release by ``anatomy``: group, sensitive value, count. None for
        other methods.
        """
        second = _core.release_csv(self._handle)[1]
        if second is None:
            return None
        rows = list(csv.reader(io.StringIO(second.decode("utf-8"))))
        columns: Dict[str, List[Any]] = {
            name: [row[i] for row in rows[1:]] for i, name in enumerate(rows[0])
        }
        for name in (rows[0][0], rows[0][2]):
            columns[name] = [int(text) for text in columns[name]]
        return self._frame.make(columns)

    def _read_groups(self) -> Any:
        if self._groups is None:
            raw = _core.release_groups(self._handle)
            try:
                import numpy as np

                self._groups = np.frombuffer(raw, dtype=np.int32)
            except ImportError:
                self._groups = memoryview(raw).cast("i")
        return self._groups

    @property
    def groups(self) -> Any:
        """The number of each row's group, in the order of the input; -1 where the row is
        suppressed. A numpy array if numpy is there.
        """
        return self._read_groups()

    # ---- numbers ----

    def _report(self, with_bound: bool) -> Record:
        with self._lock:  # the measures are kept in the handle
            report = parse(_core.release_report(self._handle, with_bound, None))
        # the engine saw the columns that it needs; here all are known
        if report["unchanged"] is None and self._frame.names is not None:
            report["left_out"] = self._find_left_out()
            report["unchanged"] = [
                name
                for name in self._frame.names
                if name not in report["left_out"] and name not in report["changed"]
            ]
        return report

    @property
    def report(self) -> Record:
        """Everything, as ``shoal anonymize --json`` prints it. Works out the lower bound, which can
        take as long as the search.
        """
        return self._report(True)

    @property
    def measures(self) -> Record:
        """How much was lost, and what is protected: gcp, um, dm, cavg, ..."""
        return Record(
            {key: value for key, value in self._report(False).items() if key not in _NOT_MEASURES}
        )

    @property
    def models(self) -> list:
        """The models that were verified on the release, with the values reached."""
        return self._report(False).models

    @property
    def bound(self) -> Record:
        """``lower_bound``: no release with this k loses less; ``gap``: how many times that is lost
        here. None where there is no bound.
        """
        report = self._report(True)
        return Record({key: report[key] for key in ("lower_bound", "gap", "bound")})

    @property
    def risk(self) -> Record:
        """The risk of being recognised in the release, and in its original (``risk.original``), as
        ``shoal risk --json`` has it.
        """
        if self._risk is None:
            from ._api import risk

            original = self._frame.table if self._frame.names is not None else None
            self._risk = risk(
                self.table,
                qids=self.plan.qids,
                k=self.plan.k,
                original=original,
                population=self._population,
            )
        return self._risk

    @property
    def seconds(self) -> Record:
        return self._report(False).seconds

    @property
    def stopped_early(self) -> bool:
        """Did a time limit or Ctrl-C end the search before the method did?"""
        return self._report(False).stopped_early

    @property
    def manifest(self) -> Record:
        """How the release was made: enough to make it again and to compare the result
        the same.
        """
        report = self._report(False)
        digest = hashlib.sha256(memoryview(self._read_groups()).cast("B"))
        return Record(
            shoal=_core.version,
            python=platform.python_version(),
            input=self._frame.kind,
            rows=report.get("rows"),
            plan=self.plan.fields,
            hierarchies={
                name: repr(hierarchy) for name, hierarchy in self.plan.hierarchies.items()
            },
            algorithm=report["algorithm"],
            params=report["params"],
            k=report["k"],
            seed=report["seed"],
            models=report["models"],
            verified=report["verified"],
            groups_sha256=digest.hexdigest(),
        )

    # ---- documents ----

    def report_html(self, path: Any = None, *, edition: str = "internal") -> str:
        """The report to hand over, as one HTML file: context, roles, risk, models, columns,
        utility, limits (docs/report.md).

        ``edition="external"`` is for those who get the release: no value or count that the release
        does not show, no seed. With a ``path`` it is written there, too.
        """
        from . import _evidence

        page = _evidence.report(_evidence.manifest(self, _evidence._texts(self)), edition)
        if path is not None:
            with open(path, "w", encoding="utf-8") as file:
                file.write(page)
        return page

    def save(self, folder: Any) -> None:
        """Write release.csv, plan.yaml, manifest.json, report.html and report-external.html into a
        new folder, or nothing.

        The text is verified once more before it is written. ``shoal verify folder/manifest.json
        --original people.csv`` checks it later. The manifest and report.html hold values and counts
        of the original; release.csv and report-external.html do not.
        """
        import os

        from . import _evidence

        _evidence.save(self, os.fspath(folder))

    # ---- for people ----

    def __repr__(self) -> str:
        m = self.measures
        loss = f", gcp {m['gcp']:.4f}" if "gcp" in m else ""
        return (
            f"Release({m['rows']} rows in {m['groups']} groups of at least {m['min_group']}{loss};"
            " verified)"
        )

    def _repr_html_(self) -> str:
        from ._card import release_card

        return release_card(self)
