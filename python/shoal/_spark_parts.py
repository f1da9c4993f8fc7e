# SPDX-License-Identifier: Apache-2.0
"""Releases of DataFrames with more distinct tuples than the driver takes: in parts, with the
library on the executors (_parts.py).

Tuples stay in Spark. The driver sees a sample of them, the values of each quasi-identifier, and
counts. A part is one partition that a Python worker reads as Arrow; mapInArrow does that in PySpark
3.5 and 4.x.
"""

from __future__ import annotations

import json
import math
from typing import (
    Any,
    Callable,
    Dict,
    Iterator,
    List,
    Mapping,
    NamedTuple,
    Optional,
    Sequence,
    Tuple,
)

from pyspark.sql import Window, functions as F, types as T
from pyspark.storagelevel import StorageLevel

from . import _counted, _parts
from ._counted import CATEGORICAL, Request
from ._errors import BudgetError, CancelledError, ShoalError, UnsatisfiableError, make, usage
from ._parts import Cuts, Domain
from ._plan import Plan
from ._progress import Step
from ._record import Record, record
from ._registry import method_traits, model_traits

PART_TUPLES = 200_000
_SAMPLE_TUPLES = 30_000  # more would be grouped in regions, whose borders would look like good cuts
_HASH_RANGE = 1 << 20
_MARK = "<shoal-error>"  # around an error of the library in what Spark says
_GLOBAL_RECODINGS = ("full-domain", "full-subtree", "set-partition")


def refuse(request: Request, most: int) -> None:
    """What needs all tuples in one place."""
    plan = request.plan
    why = None
    if "sets-levels" in method_traits(plan.get("algorithm")):
        why = f"the method '{plan.get('algorithm')}' chooses levels for the whole table"
    if plan.get("recoding") in _GLOBAL_RECODINGS:
        why = f"the recoding '{plan.get('recoding')}' is one for the whole table"
    for model in plan.get("models") or []:
        traits = model_traits(model["name"])
        if traits & {"compares-with-table", "needs-population"} or "holds-for-unions" not in traits:
            why = f"the model '{model['name']}' is not kept by the whole where it is kept by parts"
    if why is not None:
        raise BudgetError(
            f"the table has more than {most} distinct tuples, the most that the driver takes, and"
            f" {why}",
            "give the driver more memory, raise max_tuples, or generalise a quasi-identifier first"
            " (round it, take the year of a day)",
        )


# ---- on the executors ----


def _table(batches: List[Any]) -> Any:
    return _counted.arrow().Table.from_batches(batches).combine_chunks()


def _texts(found: Any, names: Sequence[str]) -> Any:
    return _counted.arrow().table(
        {name: _counted.spell(found.column(f"c{i}")) for i, name in enumerate(names)}
    )


def _by_part(batches: Iterator[Any]) -> Iterator[Tuple[int, Any]]:
    """(number, table) of each part of a partition that is sorted by the column `part`; one part at
    a time is held.
    """
    pc = _counted.arrow().compute
    held: List[Any] = []
    number: Optional[int] = None
    for batch in batches:
        column = batch.column(batch.schema.get_field_index("part"))
        for found in pc.unique(column).to_pylist():
            if found != number and held:
                yield number or 0, _table(held)
                held = []
            number = found
            held.append(batch.filter(pc.equal(column, found)))
    if held:
        yield number or 0, _table(held)


class _Assign:
    """Adds the number of the part of each row; `is_point` where the columns p0, ... have the
    position, else c0, ... the values.
    """

    def __init__(self, domain: Domain, cuts: Cuts, is_point: bool) -> None:
        self.domain, self.cuts, self.is_point = domain, cuts, is_point

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        import numpy as np

        pa = _counted.arrow()
        n_qids = len(self.domain.request.qids)
        for batch in batches:
            table = pa.Table.from_batches([batch])
            points = (
                np.stack([table.column(f"p{i}").to_numpy() for i in range(n_qids)], axis=1)
                if self.is_point
                else self.domain.points(_texts(table, self.domain.request.qids))
            )
            yield from table.append_column(
                "part", pa.array(self.cuts.parts(points), pa.int32())
            ).to_batches()


def _laid(table: Any, names: Sequence[str]) -> Iterator[Any]:
    return iter(table.select(list(names)).combine_chunks().to_batches())


class _Release:
    """Groups the tuples of each part, and marks the groups to take apart."""

    def __init__(self, domain: Domain, cuts: Cuts, layout: Sequence[str]) -> None:
        self.domain, self.cuts, self.layout = domain, cuts, list(layout)

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        for number, found in _by_part(batches):
            try:
                made = self._one(number, found)
            except ShoalError as error:
                raise RuntimeError(
                    _MARK + json.dumps([error.status, error.message, error.fix]) + _MARK
                ) from None
            yield from made

    def _one(self, number: int, found: Any) -> Iterator[Any]:
        pa = _counted.arrow()
        request = self.domain.request
        tuples = _texts(found, request.keys)
        order = _counted.sorted_order(tuples)
        found, tuples = found.take(order), tuples.take(order)
        shares = _parts.run_part(self.domain, tuples, found.column("n").cast(pa.int64()))
        border = _parts.find_border(self.domain, tuples, shares, self.cuts.around(number))
        made = found.select([f"c{i}" for i in range(len(request.keys))]).take(
            shares.column("tuple")
        )
        made = made.append_column("n", shares.column("n"))
        for i, name in enumerate(request.qids):
            made = made.append_column(f"r{i}", shares.column(f"released_{name}"))
        made = made.append_column(
            "source", pa.array([number] * len(made), pa.int32())
        ).append_column("number", pa.array(border.groups, pa.int64()))
        made = made.append_column("taken", pa.array(border.is_taken))
        for i in range(len(request.qids)):
            made = made.append_column(f"p{i}", pa.array(border.points[:, i], pa.float64()))
        return _laid(made, self.layout)


class _Regroup:
    """Groups dissolved groups again, part by part."""

    def __init__(self, domain: Domain, layout: Sequence[str]) -> None:
        self.domain, self.layout = domain, list(layout)

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        for _, found in _by_part(batches):
            yield from self._one(found)

    def _one(self, found: Any) -> Iterator[Any]:
        pa = _counted.arrow()
        request = self.domain.request
        keys = [f"c{i}" for i in range(len(request.keys))]
        texts = _texts(found, request.keys)
        old = pa.table(
            {
                "n": found.column("n"),
                **{
                    f"released_{name}": found.column(f"r{i}") for i, name in enumerate(request.qids)
                },
            }
        )
        tuples, shares, is_new = _parts.regroup(self.domain, texts, old)
        values = (
            found.select(keys) if not is_new else _find_values(texts, found.select(keys), tuples)
        )
        made = values.append_column("n", shares.column("n"))
        for i, name in enumerate(request.qids):
            made = made.append_column(f"r{i}", shares.column(f"released_{name}"))
        return _laid(made.append_column("renewed", pa.array([is_new] * len(made))), self.layout)


def _find_values(texts: Any, values: Any, wanted: Any) -> Any:
    """The values whose texts are wanted; each of them is in `texts`."""
    return values.take(
        _counted.arrow().compute.index_in(
            _counted.tuple_keys(wanted), value_set=_counted.tuple_keys(texts)
        )
    )


class _Measure:
    """Rows, and the loss of each quasi-identifier summed over rows."""

    def __init__(self, domain: Domain, layout: Sequence[str]) -> None:
        self.domain, self.layout = domain, list(layout)

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        import numpy as np

        pa = _counted.arrow()
        for batch in batches:
            table = pa.Table.from_batches([batch])
            n = table.column("n").to_numpy()
            sums = [
                float(np.dot(self.domain.losses(name, table.column(f"r{i}")), n))
                for i, name in enumerate(self.domain.request.qids)
            ]
            yield from pa.table(
                [[int(n.sum())], *([value] for value in sums)], names=self.layout
            ).to_batches()


class _Check:
    """What the library says of each partition, which holds whole published tuples."""

    def __init__(self, plan: Plan, names: Sequence[str], count: str) -> None:
        self.plan, self.names, self.count = plan, list(names), count

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        pa = _counted.arrow()
        held = list(batches)
        if not sum(batch.num_rows for batch in held):
            return
        found = _table(held)
        texts = pa.table(
            {name: _counted.spell(found.column(f"c{i}")) for i, name in enumerate(self.names)}
        )
        checked = _counted.check_counts(
            self.plan,
            texts.append_column(self.count, found.column("n").cast(pa.int64())),
            self.count,
        )
        yield from pa.table({"found": [json.dumps(checked)]}).to_batches()


class _Present:
    """Is the library there?"""

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        yield from batches


# ---- on the driver ----


def _schema(fields: Sequence[Tuple[str, Any]]) -> Any:
    return T.StructType([T.StructField(name, kind, True) for name, kind in fields])


class PartsTools(NamedTuple):
    """What shoal.spark lends: a DataFrame as Arrow, a column by its name."""

    collect: Callable[[Any], Any]
    column: Callable[[str], Any]


class Parts:
    """The steps from a DataFrame to a mapping that is persisted in Spark: columns c0, ... (keys),
    n, before, whole, r0, ... (published).
    """

    def __init__(self, df: Any, request: Request, part_tuples: int, tools: PartsTools) -> None:
        self.df, self.request, self.part_tuples, self.tools = df, request, part_tuples, tools
        self.spark = df.sparkSession
        self._held: List[Any] = []
        self.domain: Any = None
        self._callback: Optional[Step] = None
        self.numbers: Dict[str, Any] = {"parts": 0, "regrouped_rows": 0}

    def _keep(self, df: Any) -> Any:
        kept = df.persist(StorageLevel.MEMORY_AND_DISK)
        self._held.append(kept)
        return kept

    def release(self) -> None:
        for df in self._held:
            df.unpersist()
        self._held = []

    # ---- what is known of the whole ----

    def check_executors(self) -> None:
        try:
            self.spark.range(1).mapInArrow(_Present(), "id long").collect()
        except Exception:  # noqa: BLE001  whatever it is, the executors cannot load the package
            raise usage("the executors cannot load the package shoal, which groups the parts there",
                        "install it on them, or raise max_tuples") from None

    def _count(self) -> Any:
        named = [self.tools.column(name).alias(f"c{i}") for i, name in enumerate(self.request.keys)]
        return self._keep(self.df.groupBy(*named).agg(F.count(F.lit(1)).alias("n")))

    def _values(self, counted: Any) -> Mapping[str, Any]:
        """Distinct texts of each quasi-identifier; the extremes of plain numbers and days."""
        pa = _counted.arrow()
        made: Dict[str, Any] = {}
        for i, name in enumerate(self.request.qids):
            column, kind = F.col(f"c{i}"), self.df.schema[name].dataType
            is_plain = isinstance(kind, (T.NumericType, T.DateType)) and not _parts.has_tree(
                self.request, name
            )
            # sets of numbers are read by their members
            is_set = self.request.plan.get("recoding") == "set"
            if is_plain and not is_set and _parts.column_type(self.request, name) != CATEGORICAL:
                known = (
                    counted.where(~F.isnan(column))
                    if isinstance(kind, (T.FloatType, T.DoubleType))
                    else counted
                )
                ends = known.agg(F.min(column).alias("c0"), F.max(column).alias("c1"))
                found = self.tools.collect(ends)
                texts = [
                    *_counted.spell(found.column(0)).to_pylist(),
                    *_counted.spell(found.column(1)).to_pylist(),
                ]
                made[name] = pa.array(list(dict.fromkeys(texts)), pa.string())
            else:
                made[name] = _counted.spell(
                    self.tools.collect(counted.select(column.alias("c0")).distinct()).column(0)
                ).unique()
        return made

    def _sample(
        self, shares: Any, n: int, by: Sequence[str], names: Sequence[str]
    ) -> Tuple[Any, Any]:
        """(texts, counts) of some tuples, the same ones each time."""
        share = min(1.0, _SAMPLE_TUPLES / max(n, 1))
        if share < 1:
            shares = shares.where(
                F.pmod(F.xxhash64(*by), F.lit(_HASH_RANGE)) < int(share * _HASH_RANGE)
            )
        summed = shares.groupBy(*names).agg(F.sum("n").alias("n"))
        found = self.tools.collect(summed)
        texts = _texts(found, self.request.qids)
        order = _counted.sorted_order(texts)
        return texts.take(order), found.column("n").cast("int64").take(order)

    def _find_cuts(self, shares: Any, n: int, by: Sequence[str]) -> Cuts:
        n_parts = math.ceil(n / self.part_tuples)
        if n_parts < 2:
            return Cuts()
        texts, counts = self._sample(
            shares, n, by, [f"c{i}" for i in range(len(self.request.qids))]
        )
        try:
            at, groups = _parts.group_sample(self.request, texts, counts)
        except UnsatisfiableError:  # too few rows in the sample: then in parts of this size, too
            return Cuts()
        return _parts.find_cuts(self.domain.points(texts)[at], groups, n_parts)

    # ---- the passes ----

    def _run(
        self, df: Any, cuts: Cuts, is_point: bool, work: Any, fields: Sequence[Tuple[str, Any]]
    ) -> Any:
        """The work on each part."""
        layout = T.StructType([*df.schema.fields, T.StructField("part", T.IntegerType(), True)])
        assigned = df.mapInArrow(_Assign(self.domain, cuts, is_point), layout)
        sorted_parts = assigned.repartitionByRange(cuts.n_parts, "part").sortWithinPartitions(
            "part"
        )
        return self._keep(sorted_parts.mapInArrow(work, _schema(fields)))

    def _tell(self, phase: str) -> None:
        if self._callback is not None and self._callback(phase, -1.0, None):
            raise CancelledError("the progress callback asked to stop", "nothing was released")

    def mapping(self, callback: Optional[Step] = None) -> Any:
        """The mapping; see the class."""
        request = self.request
        self._callback = callback
        self.check_executors()
        self._tell("encode")
        counted = self._count()
        n_tuples = counted.count()
        self._tell("search")
        values = self._values(counted)
        request = self.request = _with_threads(_parts.with_built_trees(request, values), self.spark)
        self.domain = Domain(request, values)
        key_names = [f"c{i}" for i in range(len(request.keys))]
        keys = [
            (name, self.df.schema[column].dataType) for name, column in zip(key_names, request.keys)
        ]
        released: List[Tuple[str, Any]] = [
            (f"r{i}", T.StringType()) for i in range(len(request.qids))
        ]
        common = [*keys, ("n", T.LongType()), *released]
        fields = [
            *common,
            ("source", T.IntegerType()),
            ("number", T.LongType()),
            ("taken", T.BooleanType()),
            *((f"p{i}", T.DoubleType()) for i in range(len(request.qids))),
        ]
        cuts = self._find_cuts(counted, n_tuples, key_names)
        first = self._run(
            counted, cuts, False, _Release(self.domain, cuts, [name for name, _ in fields]), fields
        )
        self.numbers.update(parts=cuts.n_parts, classes=n_tuples)
        names = [name for name, _ in common]
        both = (
            first.where(~F.col("taken"))
            .select(*names)
            .union(self._second(first, common).select(*names))
        )
        return self._finish(both, key_names, [name for name, _ in released])

    def _second(self, first: Any, common: Sequence[Tuple[str, Any]]) -> Any:
        self._tell("refine")
        taken = first.where("taken")
        n_taken = taken.count()
        if n_taken == 0:
            return taken
        cuts = self._find_cuts(taken, n_taken, ["source", "number"])
        fields = [*common, ("renewed", T.BooleanType())]
        made = self._run(
            taken, cuts, True, _Regroup(self.domain, [name for name, _ in fields]), fields
        )
        self.numbers["regrouped_rows"] = made.where("renewed").agg(F.sum("n")).first()[0] or 0
        return made

    def _finish(self, shares: Any, keys: Sequence[str], released: Sequence[str]) -> Any:
        """Slices of a tuple with the same published values are merged; the rows of each tuple
        are divided among its slices in the order of their texts.
        """
        merged = shares.groupBy(*keys, *released).agg(F.sum("n").alias("n"))
        tuples = Window.partitionBy(*keys)
        earlier = tuples.orderBy(*released).rowsBetween(Window.unboundedPreceding, -1)
        made = merged.withColumn("before", F.coalesce(F.sum("n").over(earlier), F.lit(0)))
        made = made.withColumn("whole", F.col("n") == F.sum("n").over(tuples))
        return self._keep(made.select(*keys, "n", "before", "whole", *released))

    # ---- results ----

    def measure(self, mapping: Any) -> Dict[str, Any]:
        """gcp and its components."""
        qids = self.request.qids
        fields: List[Tuple[str, Any]] = [
            ("rows", T.LongType()),
            *((f"l{i}", T.DoubleType()) for i in range(len(qids))),
        ]
        sums = mapping.mapInArrow(
            _Measure(self.domain, [name for name, _ in fields]), _schema(fields)
        ).collect()
        rows = sum(row[0] for row in sums)
        losses = [math.fsum(row[1 + i] for row in sums) / max(rows, 1) for i in range(len(qids))]
        return {
            "rows": rows,
            "gcp": math.fsum(losses) / len(qids),
            "qids": [{"name": name, "loss": loss} for name, loss in zip(qids, losses)],
        }


def as_shoal_error(error: BaseException) -> BaseException:
    """An error that the library raised on an executor; others as they are."""
    parts = str(error).split(_MARK)
    if len(parts) < 3:
        return error
    status, message, fix = json.loads(parts[1])
    return make(status, f"{message} (in a part of the table)", fix)


def _with_threads(request: Request, spark: Any) -> Request:
    """As many threads as Spark gives a task; the result does not depend on it."""
    if request.plan.get("threads") is None:
        request.plan = request.plan.replace(threads=int(spark.conf.get("spark.task.cpus", "1")))
    return request


def check_in_parts(counted: Any, plan: Plan, names: Sequence[str], n_chunks: int) -> Record:
    """k and models of counted tuples (c0, ..., first the quasi-identifiers, and n): each published
    tuple lies in one of so many partitions, and the library checks each partition."""
    count = _counted.free_name("n", names)
    published = [f"c{i}" for i in range(len(plan.qids))]
    found = (
        counted.repartition(n_chunks, *published)
        .mapInArrow(_Check(plan, names, count), "found string")
        .collect()
    )
    return merge_checks([json.loads(row[0]) for row in found])


def merge_checks(found: Sequence[Mapping[str, Any]]) -> Record:
    """Checks of tables that have no published tuple in common, as one."""
    if not found:
        raise UnsatisfiableError("verify: the release has no rows", "nothing was released")
    made: Dict[str, Any] = dict(found[0])
    for key in ("rows", "groups", "suppressed_rows", "failing_groups", "failing_rows"):
        made[key] = sum(one[key] for one in found)
    made["min_group"] = min(one["min_group"] for one in found)
    made["satisfied"] = all(one["satisfied"] for one in found)
    for i, model in enumerate(made.get("models") or []):
        same = [one["models"][i] for one in found]
        for key in ("failing_groups", "failing_rows"):
            if key in model:
                model[key] = sum(one[key] for one in same)
        failing = [one for one in same if one["failing_groups"]]
        distances = {
            abs(one["achieved"] - one["asked"]): one["achieved"] for one in failing or same
        }
        # the worst is nearest to what was asked, or furthest where it fails
        model["achieved"] = distances[max(distances) if failing else min(distances)]
    return record(made)


__all__ = [
    "PART_TUPLES", "Parts", "PartsTools", "as_shoal_error", "check_in_parts", "merge_checks",
    "refuse",
]
