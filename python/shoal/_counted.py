# SPDX-License-Identifier: Apache-2.0
"""From counted tuples to a verified mapping: shared by databases, Spark and Parquet files.

The engine of the data groups and counts; the library groups the distinct tuples and verifies the
mapping; the engine of the data joins. This module converts tuples to the text that the library
reads, and its mapping to columns. It has no rules of its own.

A cell's text: whole numbers and decimals unchanged, floating-point numbers by the shortest text that
reads back as the same number, days as 2024-03-01, times as 2024-03-01 12:30:00 (with a fraction if
there is one), truth values as true and false.
"""

from __future__ import annotations

import csv
import inspect
import io
import json
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

from . import _core
from ._ask import ask
from ._errors import DataError, UnsatisfiableError, UsageError, usage
from ._frames import Frame, check_columns, unmentioned
from ._plan import PUBLISHED, Plan, build_plan
from ._progress import Progress, watching
from ._record import Record, parse
from ._registry import method_traits, model_traits

NUMERIC, DATE, CATEGORICAL, AUTO = "numeric", "date", "categorical", "auto"  # words of a plan
_SAMPLE = {NUMERIC: "1", DATE: "2000-01-01", CATEGORICAL: "a", AUTO: "a"}


def arrow() -> Any:
    """pyarrow, or an error that says how to get it."""
    try:
        import pyarrow
        import pyarrow.compute
        import pyarrow.csv
    except ImportError:
        raise usage("this needs pyarrow, which is not installed", "pip install pyarrow") from None
    return pyarrow


# ---- the plan ----


class _Names(Frame):
    """The columns of a table that is not in memory."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(None)
        self.names = list(names)


def plan_of(plan: Any, given: Mapping[str, Any]) -> Plan:
    """A plan from keyword arguments of :func:`shoal.anonymize`; others are parameters of the method."""
    from ._api import anonymize

    known = set(inspect.signature(anonymize).parameters) - {"table", "plan", "given", "progress", "population"}
    if given.get("population") is not None:
        raise usage("a population is read from a file here", "name it in the plan: population: people.csv")
    # all of them, so that a misspelt one finds its name
    settings = {name: given.get(name) for name in known}
    rest = {name: value for name, value in given.items() if name not in known and name != "population"}
    return build_plan(plan, settings, rest)


class Request:
    """A plan applied to the columns of a table: which are counted, which are published.

    ``kinds`` has numeric, date, categorical or auto (found by the values) for each column, None if a
    column of this type cannot be counted.
    """

    def __init__(self, plan: Plan, kinds: Mapping[str, Optional[str]]) -> None:
        names = _Names(list(kinds))
        if not plan.qids:
            raise usage("no quasi-identifier was named", 'say which columns others may know: qids=["age", "sex"]')
        check_columns(names, [column["name"] for column in plan.columns], plan.columns)
        without_role = unmentioned(names, [column["name"] for column in plan.columns if column.get("role")])
        if without_role and plan.get("rest") is None:
            raise usage(f"columns without a role: {', '.join(without_role)}", 'set their roles, or write rest="keep" or rest="drop"')
        self.plan = plan
        self.names = list(kinds)
        self.qids = plan.qids
        self.keys = [*self.qids, *self._values_behind()]
        for name in self.keys:
            if kinds[name] is None:
                raise DataError(f"column '{name}' has a type whose values are not compared with each other", "leave it out, or convert it to text",
                                column=name)
        self.kinds = {name: str(kinds[name]) for name in self.keys}
        self.published = self._find_published()
        self.count = free_name("n", self.keys)

    def _values_behind(self) -> List[str]:
        """Sensitive and class columns that models or the method use."""
        traits = method_traits(self.plan.get("algorithm"))
        wanted = self.plan.named("sensitive") if self.plan.get("models") or "needs-sensitive" in traits else []
        return [*wanted, *(self.plan.named("class") if "needs-class" in traits else [])]

    def _find_published(self) -> List[str]:
        """Columns of the release, in the order of the table."""
        roles = {column["name"]: column.get("role") for column in self.plan.columns}
        rest = {"keep": "other", "drop": "drop"}.get(self.plan.get("rest", ""), "other")
        return [name for name in self.names if (roles.get(name) or rest) in PUBLISHED]

    @property
    def nulls(self) -> List[str]:
        """Texts that mean missing; the first one is written for NULL."""
        return list(self.plan.get("input", {}).get("nulls") or [""])

    def engine_plan(self) -> Plan:
        """The plan for the library: the tuples, and the column of their counts."""
        fields = {key: value for key, value in self.plan.fields.items() if key not in ("rest", "columns")}
        fields["input"] = {key: value for key, value in self.plan.get("input", {}).items() if key in ("nulls", "missing")}
        fields["columns"] = [{**column, "type": self.type_of(column)} for column in self.plan.columns if column["name"] in self.kinds]
        fields["columns"].append({"name": self.count, "role": "count"})
        if not fields["input"]:
            del fields["input"]
        return Plan(fields, self.plan.hierarchies)

    def type_of(self, column: Mapping[str, Any]) -> str:
        """The type in the plan, else that of the table: digits in a text column are no numbers."""
        declared = column.get("type", AUTO)
        return self.kinds[column["name"]] if declared == AUTO else declared

    def refuse_early(self) -> None:
        """Raise the errors of the library (a method that uses single rows, a wrong model, no k)
        before anything is counted, by a run on one invented tuple."""
        for model in self.plan.get("models") or []:
            if "needs-original" in model_traits(model["name"]):
                raise usage(f"model '{model['name']}' is verified row by row and cannot be from counts", "leave it out, or give the rows themselves")
        if self.plan.named("entity", "pseudonym"):
            raise usage("counts do not identify the rows of a person", "leave entity and pseudonym out, or give the rows themselves to the command")
        if self.plan.get("drop-suppressed") == "true":
            raise usage("a mapping has every tuple", "leave drop_suppressed out, and filter the release")
        pa = arrow()
        tuples = pa.table({name: [_SAMPLE[self.kinds[name]]] for name in self.keys})
        try:
            run(self, tuples, pa.array([max(int(self.plan.k or 0), 1)]))
        except UsageError:
            raise
        except Exception:  # noqa: BLE001  the invented tuple is not the table's: that it fails says nothing
            pass


def free_name(wanted: str, taken: Sequence[str]) -> str:
    while any(name in (wanted, f"{wanted}_before") for name in taken):
        wanted += "_"
    return wanted


# ---- text of cells ----


def spell(column: Any) -> Any:
    """An Arrow column as texts, null for a missing cell; see the beginning of this file."""
    pa = arrow()
    pc = pa.compute
    column = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if isinstance(column, pa.ChunkedArray):
        column = pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type)
    kind = column.type
    if pa.types.is_dictionary(kind):
        return spell(column.dictionary_decode())
    if pa.types.is_floating(kind):
        column = pc.if_else(pc.is_nan(column), pa.scalar(None, kind), column)
    elif pa.types.is_timestamp(kind):
        return _spell_times(column)
    return column.cast(pa.string())


def _spell_times(column: Any) -> Any:
    """The time as stored, in UTC if it has a zone; with a fraction of a second if there is one."""
    pa = arrow()
    texts = column.cast(pa.int64()).cast(pa.timestamp(column.type.unit)).cast(pa.string())
    if column.type.unit == "s":
        return texts
    trimmed = pa.compute.replace_substring_regex(texts, r"(\.[0-9]*?)0+$", r"\1")
    return pa.compute.replace_substring_regex(trimmed, r"\.$", "")


def kind_of(kind: Any) -> Optional[str]:
    """numeric, date or categorical for an Arrow type; None if its values cannot be counted."""
    types = arrow().types
    if types.is_dictionary(kind):
        return kind_of(kind.value_type)
    if types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind):
        return NUMERIC
    if types.is_date(kind):
        return DATE
    is_text = types.is_string(kind) or types.is_large_string(kind) or types.is_boolean(kind) or types.is_timestamp(kind) or types.is_time(kind)
    return CATEGORICAL if is_text or types.is_null(kind) or getattr(types, "is_string_view", lambda _: False)(kind) else None


def _header(names: Sequence[str]) -> bytes:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL).writerow(names)
    return out.getvalue().encode("utf-8")


def _as_csv(request: Request, tuples: Any, counts: Any) -> bytes:
    pa = arrow()
    written = {f"c{i}": pa.compute.fill_null(tuples.column(name), request.nulls[0]) for i, name in enumerate(request.keys)}
    out = io.BytesIO()
    out.write(_header([*request.keys, request.count]))
    pa.csv.write_csv(pa.table({**written, "n": counts}), out, pa.csv.WriteOptions(include_header=False))
    return out.getvalue()


def _read_mapping(request: Request, text: bytes) -> Any:
    """Of each slice: the number of its tuple, rows, rows in earlier slices, published texts (null if
    missing)."""
    pa = arrow()
    pc = pa.compute
    n_columns = len(request.keys) + 2 + len(request.qids)
    read = pa.csv.read_csv(
        io.BytesIO(text), pa.csv.ReadOptions(autogenerate_column_names=True, block_size=1 << 22), pa.csv.ParseOptions(newlines_in_values=True),
        pa.csv.ConvertOptions(column_types={f"f{i}": pa.string() for i in range(n_columns)}, strings_can_be_null=False))
    names = [column[0].as_py() for column in read.columns]
    read = read.slice(1).combine_chunks()
    before = read.column(names.index(f"{request.count}_before")).cast(pa.int64())
    is_first = pc.equal(before, 0).cast(pa.int64())
    columns = {"tuple": pc.subtract(pc.cumulative_sum(is_first), 1), "n": read.column(names.index(request.count)).cast(pa.int64()), "before": before}
    nulls = pa.array(request.nulls)
    for name in request.qids:
        cells = read.column(len(names) - 1 - names[::-1].index(f"released_{name}"))
        columns[f"released_{name}"] = pc.if_else(pc.is_in(cells, value_set=nulls), pa.scalar(None, pa.string()), cells)
    return pa.table(columns)


# ---- the calls ----


def run(request: Request, tuples: Any, counts: Any, progress: Progress = None) -> Tuple[Any, Any]:
    """(handle of the release, slices): `tuples` is an Arrow table of texts, see spell(), in an order
    that determines the result."""
    text, texts = request.engine_plan()._job()
    with watching(progress) as callback:
        handle = _core.anonymize(text, _as_csv(request, tuples, counts), texts, None, callback)
    return handle, _read_mapping(request, _core.release_csv(handle)[0])


def sorted_order(tuples: Any) -> Any:
    """An order of tuples that does not depend on the engine: by their texts, missing first."""
    pa = arrow()
    pc = pa.compute
    columns = {}
    for i, column in enumerate(tuples.columns):
        columns[f"v{i}"] = pc.is_valid(column).cast(pa.int8())
        columns[f"c{i}"] = column
    return pc.sort_indices(pa.table(columns), sort_keys=[(name, "ascending") for name in columns])


def tuple_keys(texts: Any) -> Any:
    """Each tuple as one unique text: every cell is preceded by its length."""
    pa = arrow()
    pc = pa.compute
    parts: List[Any] = []
    for column in texts.columns:
        column = column.combine_chunks()
        parts.append(pc.fill_null(pc.binary_length(column).cast(pa.string()), "-"))
        parts.append(pc.fill_null(column, ""))
    made = pc.binary_join_element_wise(*parts, ":")
    return made.combine_chunks() if isinstance(made, pa.ChunkedArray) else made


def check_counts(plan: Plan, counted: Any, count: str) -> Record:
    """k and models of a table given by counted tuples: texts, and the column `count`."""
    behind = plan.named("sensitive") if plan.get("models") else []
    fields = {key: value for key, value in plan.fields.items() if key not in ("rest", "columns")}
    fields["columns"] = [{key: value for key, value in column.items() if key != "type" or column["name"] in behind}
                         for column in plan.columns if column["name"] in (*plan.qids, *behind)]
    fields["columns"].append({"name": count, "role": "count"})
    wanted = counted.select([*plan.qids, *behind, count])
    trees = {name: tree for name, tree in plan.hierarchies.items() if name in behind}
    return ask("check", Plan(fields, trees)._job(), [("release", wanted.__arrow_c_stream__())])


def risk_of_counts(qids: Sequence[str], counted: Any, count: str, k: Optional[int] = None) -> Record:
    """The re-identification risk, from counted tuples."""
    fields: Dict[str, Any] = {"columns": [*({"name": name, "role": "quasi", "type": CATEGORICAL} for name in qids), {"name": count, "role": "count"}]}
    if k is not None:
        fields["k"] = k
    return ask("risk", (json.dumps(fields), []), [("release", counted.select([*qids, count]).__arrow_c_stream__())])


def verify_counts(request: Request, shares: Any, tuples: Any, found: Any) -> Record:
    """Check that the release in the engine equals the mapping, tuple by tuple, and satisfies k and
    the models.

    `found` is counted from the release: published quasi-identifiers and the columns after them as
    texts, and the count column.
    """
    behind = request.keys[len(request.qids):]
    due = {name: shares.column(f"released_{name}") for name in request.qids}
    due.update({name: tuples.column(name).take(shares.column("tuple")) for name in behind})
    compare_counts(arrow().table({**due, request.count: shares.column("n")}), found, request.count)
    return check_release(request, found)


def compare_counts(due: Any, found: Any, count: str) -> None:
    """Do both tables of texts give each tuple the same number of rows?"""
    pa = arrow()
    names = [name for name in due.column_names if name != count]
    taken = pa.table({**{name: found.column(name) for name in names}, count: pa.compute.negate(found.column(count).cast(pa.int64()))})
    balance = pa.concat_tables([due.combine_chunks(), taken.combine_chunks()]).group_by(names).aggregate([(count, "sum")])
    wrong = pa.compute.sum(pa.compute.not_equal(balance.column(f"{count}_sum"), 0)).as_py() or 0
    if wrong:
        raise UnsatisfiableError(f"verify: {wrong} tuples have another number of rows in the release than in the mapping",
                                 "nothing was released; does the source give other rows each time it is read?")


def check_release(request: Request, found: Any) -> Record:
    """k and models of the counts of a release."""
    checked = check_counts(request.plan, found, request.count)
    if not checked.satisfied:
        raise UnsatisfiableError("verify: the release does not satisfy k or a model", "nothing was released")
    return checked


# ---- what comes back ----


class CountedRelease:
    """A verified mapping and its report."""

    def __init__(self, request: Request, handle: Any, shares: Any, keys: Mapping[str, Any], rows: int) -> None:
        self._request = request
        self._handle = handle
        self._shares = shares
        self._keys = keys
        self.plan = request.plan
        self.rows = rows

    @property
    def mapping(self) -> Any:
        """A pyarrow table: the counted tuples, rows of each slice, rows in earlier slices of the
        tuple, published values. It has the original values: do not publish it."""
        pa = arrow()
        at = self._shares.column("tuple")
        columns = {name: self._keys[name].take(at) for name in self._request.keys}
        columns[self._request.count] = self._shares.column("n")
        columns[f"{self._request.count}_before"] = self._shares.column("before")
        return pa.table({**columns, **{f"released_{name}": self._shares.column(f"released_{name}") for name in self._request.qids}})

    def _report(self, with_bound: bool) -> Record:
        return parse(_core.release_report(self._handle, with_bound, None))

    @property
    def report(self) -> Record:
        """The report, as ``shoal anonymize --json`` prints it. Computes the lower bound, which can take
        as long as the search."""
        return self._report(True)

    @property
    def measures(self) -> Record:
        """The report without the lower bound."""
        return self._report(False)

    @property
    def bound(self) -> Record:
        """``lower_bound``: no release with this k loses less; ``gap``: loss divided by that."""
        report = self._report(True)
        return Record({key: report[key] for key in ("lower_bound", "gap", "bound")})

    @property
    def models(self) -> List[Any]:
        """The models that were verified, with the values reached."""
        return self._report(False).models

    def __repr__(self) -> str:
        m = self.measures
        return f"Release({m['rows']} rows in {m['groups']} groups of at least {m['min_group']}, gcp {m['gcp']:.4f}; verified)"


__all__ = ["CountedRelease", "Request", "arrow", "check_counts", "check_release", "compare_counts", "free_name", "kind_of", "plan_of", "risk_of_counts", "run",
           "sorted_order", "spell", "tuple_keys", "verify_counts"]
