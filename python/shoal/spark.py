# SPDX-License-Identifier: Apache-2.0
"""Releases of Spark DataFrames: Spark counts and joins, the library groups the distinct tuples, on
the driver or in parts on the executors.

    import shoal.spark
    release = shoal.spark.anonymize(df, qids=["age", "zip", "sex"], k=10, rest="keep")
    release.table.write.parquet("release")

PySpark 3.5 and 4.x. Executors need the package only where there are more distinct tuples than the
driver takes.
"""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Sequence, Union

from . import _counted
from ._counted import CountedRelease, Request
from ._errors import DataError, UnsatisfiableError, usage
from ._frames import Frame, check_columns
from ._plan import Columns
from ._progress import Progress, watching
from ._record import Record, record

try:
    from pyspark.sql import Window, functions as F, types as T
    from pyspark.storagelevel import StorageLevel
except ImportError:
    raise usage(
        "shoal.spark needs PySpark, which is not installed", 'pip install "shoal[spark]"'
    ) from None

from ._spark_parts import (
    PART_TUPLES,
    Parts,
    PartsTools,
    as_shoal_error,
    check_in_parts,
    refuse,
)  # noqa: E402  (it needs PySpark)

# that the driver needs for a tuple of some columns: as Arrow, as text, in the library, in the
# mapping
_BYTES_A_TUPLE = 400
_PREFIX = "__shoal_"


def _column(name: str) -> Any:
    """A column by its name as it is: dots and backquotes mean nothing."""
    return F.col("`" + name.replace("`", "``") + "`")


def _kind(kind: Any) -> Optional[str]:
    if isinstance(kind, T.NumericType):
        return _counted.NUMERIC
    if isinstance(kind, T.DateType):
        return _counted.DATE
    texts = (
        T.StringType,
        T.BooleanType,
        T.TimestampType,
        T.NullType,
        getattr(T, "TimestampNTZType", T.StringType),
    )
    return _counted.CATEGORICAL if isinstance(kind, texts) else None


def _kinds(df: Any) -> Dict[str, Optional[str]]:
    kinds: Dict[str, Optional[str]] = {}
    for field in df.schema.fields:
        if field.name in kinds:
            raise DataError(
                f"two columns are named '{field.name}'", "rename one", column=field.name
            )
        kinds[field.name] = _kind(field.dataType)
    return kinds


# ---- between Spark and Arrow ----


def _collect(df: Any) -> Any:
    """A small DataFrame as a pyarrow table."""
    pa = _counted.arrow()
    if hasattr(df, "toArrow"):
        return df.toArrow().combine_chunks()
    batches = df._collect_as_arrow()  # 3.5 has no public way that keeps nulls of whole numbers
    return (
        pa.Table.from_batches(batches).combine_chunks()
        if batches
        else pa.table({name: pa.array([], pa.string()) for name in df.columns})
    )


def _distribute(spark: Any, table: Any, schema: Any) -> Any:
    """A pyarrow table as a DataFrame of this schema."""
    if int(spark.version.split(".")[0]) >= 4:
        return spark.createDataFrame(table, schema=schema)
    return spark.createDataFrame([tuple(row.values()) for row in table.to_pylist()], schema=schema)


def _count(
    df: Any, names: Sequence[str], order: Optional[str] = None, most: Optional[int] = None
) -> Any:
    """Distinct tuples (c0, c1, ...), their counts (n), and the least value of the column that
    orders them (first).
    """
    counts = [
        F.count(F.lit(1)).alias("n"),
        *([F.min(_column(order)).alias("first")] if order is not None else []),
    ]
    counted = df.groupBy(*[_column(name).alias(f"c{i}") for i, name in enumerate(names)]).agg(
        *counts
    )
    return _collect(counted if most is None else counted.limit(most + 1))


def _texts(found: Any, names: Sequence[str]) -> Any:
    return _counted.arrow().table(
        {name: _counted.spell(found.column(f"c{i}")) for i, name in enumerate(names)}
    )


def _most_tuples(spark: Any) -> int:
    """How many tuples fit into half of the driver's memory, as set in Spark (1 GiB if it
    was not).
    """
    conf = spark.sparkContext.getConf()
    memory = conf.get("spark.driver.memory", "1g").strip().lower().rstrip("b")
    unit = {"k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}.get(memory[-1:])
    size = float(memory[:-1]) * unit if unit else float(memory or 1 << 30)
    return max(int(size / 2 / _BYTES_A_TUPLE), 1000)


# ---- the join ----


def _make_mapping(df: Any, request: Request, found: Any, shares: Any) -> Any:
    """Shares that the driver has, as a DataFrame for the join."""
    pa = _counted.arrow()
    pc = pa.compute
    at = shares.column("tuple")
    is_whole = pc.and_(
        pc.equal(shares.column("before"), 0),
        pc.equal(shares.column("n"), found.column("n").take(at)),
    )
    columns = {f"{_PREFIX}k{i}": found.column(f"c{i}").take(at) for i in range(len(request.keys))}
    columns.update(
        {
            f"{_PREFIX}n": shares.column("n"),
            f"{_PREFIX}before": shares.column("before"),
            f"{_PREFIX}whole": is_whole,
        }
    )
    columns.update(
        {f"{_PREFIX}r{i}": shares.column(f"released_{name}") for i, name in enumerate(request.qids)}
    )
    types = [df.schema[name].dataType for name in request.keys] + [
        T.LongType(),
        T.LongType(),
        T.BooleanType(),
    ]
    types += [T.StringType()] * len(request.qids)
    schema = T.StructType([T.StructField(name, kind, True) for name, kind in zip(columns, types)])
    return _distribute(df.sparkSession, pa.table(columns).combine_chunks(), schema)


def _is_small(spark: Any, n_bytes: int) -> bool:
    """Is a table to be broadcast?"""
    setting = spark.conf.get("spark.sql.autoBroadcastJoinThreshold", "10485760").lower().rstrip("b")
    unit = {"k": 1 << 10, "m": 1 << 20, "g": 1 << 30}.get(setting[-1:])
    return n_bytes <= (int(setting[:-1]) * unit if unit else int(setting))


class _Join:
    """Rows with the published values beside them, as columns __shoal_r0, ...; the key columns of
    the mapping are __shoal_k0, ..., and of each share it has __shoal_n, __shoal_before and
    __shoal_whole (it is all of its tuple)."""

    def __init__(
        self,
        df: Any,
        request: Request,
        mapping: Any,
        order: Optional[str],
        is_small: bool,
        has_divided: bool,
    ) -> None:
        self.df, self.request, self.mapping, self.order = df, request, mapping, order
        self.is_small, self.has_divided = is_small, has_divided

    def _match(self, mapping: Any) -> Any:
        terms = [
            _column(name).eqNullSafe(mapping[f"{_PREFIX}k{i}"])
            for i, name in enumerate(self.request.keys)
        ]
        made = terms[0]
        for term in terms[1:]:
            made = made & term
        return made

    def _hinted(self, mapping: Any) -> Any:
        return F.broadcast(mapping) if self.is_small else mapping

    def rows(self) -> Any:
        released = [F.col(f"{_PREFIX}r{i}") for i in range(len(self.request.qids))]
        wanted = [*(_column(name) for name in self.df.columns), *released]
        if not self.has_divided:
            return self.df.join(self._hinted(self.mapping), self._match(self.mapping)).select(
                *wanted
            )
        is_whole = F.col(f"{_PREFIX}whole")
        whole, divided = self.mapping.where(is_whole), self.mapping.where(~is_whole)
        first = self.df.join(self._hinted(whole), self._match(whole)).select(*wanted)
        keys = divided.where(F.col(f"{_PREFIX}before") == 0)
        few = self.df.join(self._hinted(keys), self._match(keys), "leftsemi")
        number = F.col(f"{_PREFIX}number")
        window = Window.partitionBy(*[_column(name) for name in self.request.keys]).orderBy(
            *self._row_order()
        )
        few = few.withColumn(f"{_PREFIX}number", F.row_number().over(window))
        share = (
            self._match(divided)
            & (number > F.col(f"{_PREFIX}before"))
            & (number <= F.col(f"{_PREFIX}before") + F.col(f"{_PREFIX}n"))
        )
        return first.union(few.join(self._hinted(divided), share).select(*wanted))

    def _row_order(self) -> List[Any]:
        """The same for the same rows however often they are computed: a lost part of the release
        must come again as it was.
        """
        if self.order is not None:
            return [_column(self.order)]
        hashable = [
            (
                _column(field.name)
                if _kind(field.dataType)
                else F.to_json(F.struct(_column(field.name)))
            )
            for field in self.df.schema.fields
        ]
        return [F.xxhash64(*hashable)]


# ---- releases ----


class _Table:
    """The joined rows as a table."""

    _request: Request
    _joined: Any
    _table: Any = None
    verified = False

    @property
    def table(self) -> Any:
        """The release as a DataFrame, in the order of columns of the original; quasi-identifiers
        are strings.
        """
        if self._table is None:
            at = {name: i for i, name in enumerate(self._request.qids)}
            cells = [
                F.col(f"{_PREFIX}r{at[name]}").alias(name) if name in at else _column(name)
                for name in self._request.published
            ]
            self._table = self._joined.select(*cells)
        return self._table

    def unpersist(self) -> None:
        """Give back the memory in which the release is kept; what is computed afterwards was not
        verified.
        """
        self._joined.unpersist()


class Release(_Table, CountedRelease):
    """What :func:`anonymize` returns."""

    def __init__(
        self, request: Request, handle: Any, shares: Any, keys: Any, rows: int, joined: Any
    ) -> None:
        super().__init__(request, handle, shares, keys, rows)
        self._joined = joined

    def _verify(self) -> None:
        """Counted by Spark: which tuple became what, how often. That is compared with the mapping,
        whose published values the library has found to cover each tuple; and the library checks k
        and the models on the counts of what is published.
        """
        pa = _counted.arrow()
        request = self._request
        names = [*request.keys, *(f"{_PREFIX}r{i}" for i in range(len(request.qids)))]
        found = _count(self._joined, names)
        tuples = _texts(found, names)
        due = {name: self._keys[name].take(self._shares.column("tuple")) for name in request.keys}
        due.update(
            {
                f"{_PREFIX}r{i}": self._shares.column(f"released_{name}")
                for i, name in enumerate(request.qids)
            }
        )
        counts = found.column("n").cast(pa.int64())
        _counted.compare_counts(
            pa.table({**due, f"{_PREFIX}n": self._shares.column("n")}),
            tuples.append_column(f"{_PREFIX}n", counts),
            f"{_PREFIX}n",
        )
        published = {name: tuples.column(f"{_PREFIX}r{i}") for i, name in enumerate(request.qids)}
        behind = {name: tuples.column(name) for name in request.keys[len(request.qids):]}
        _counted.check_release(request, pa.table({**published, **behind, request.count: counts}))
        self.verified = True

    def check(self) -> Record:
        """k and models of the table as Spark holds it."""
        return check(self.table, plan=self.plan)


class PartsRelease(_Table):
    """What :func:`anonymize` returns where the tuples were grouped in parts: the same, but
    ``mapping`` is a DataFrame, and there is no lower bound, because no process has all tuples."""

    def __init__(self, parts: Parts, measured: Dict[str, Any], mapping: Any, joined: Any) -> None:
        self._parts, self._mapping, self._joined = parts, mapping, joined
        self._request = parts.request
        self.plan = parts.request.plan
        self.measures = Record(
            algorithm=self.plan.get("algorithm") or "shoal",
            k=self.plan.k,
            **record(measured),
            **parts.numbers,
        )
        self.rows: int = self.measures.rows

    @property
    def mapping(self) -> Any:
        """A DataFrame: the counted tuples, rows of each share, rows in earlier shares of the tuple,
        published values. It has the original values: do not give it away."""
        request = self._request
        keys = [F.col(f"{_PREFIX}k{i}").alias(name) for i, name in enumerate(request.keys)]
        numbers = [
            F.col(f"{_PREFIX}n").alias(request.count),
            F.col(f"{_PREFIX}before").alias(f"{request.count}_before"),
        ]
        return self._mapping.select(
            *keys,
            *numbers,
            *[
                F.col(f"{_PREFIX}r{i}").alias(f"released_{name}")
                for i, name in enumerate(request.qids)
            ],
        )

    @property
    def report(self) -> Record:
        """Everything that is known."""
        return self.measures

    @property
    def bound(self) -> Record:
        """Nothing: the bound of a part is none of the whole."""
        return Record(lower_bound=None, gap=None, bound=None)

    @property
    def models(self) -> List[Any]:
        """The models that were verified, with the values reached."""
        return self.measures.get("models", [])

    def _verify(self) -> None:
        """As for :class:`Release`, by Spark: which tuple became what, how often, beside the
        mapping; k and models by the library, partition by partition."""
        request = self._request
        names = [
            *(f"{_PREFIX}k{i}" for i in range(len(request.keys))),
            *(f"{_PREFIX}r{i}" for i in range(len(request.qids))),
        ]
        keys = [_column(name).alias(f"{_PREFIX}k{i}") for i, name in enumerate(request.keys)]
        found = (
            self._joined.select(*keys, *names[len(request.keys) :])
            .groupBy(*names)
            .agg((-F.count(F.lit(1))).alias("n"))
        )
        balance = (
            self._mapping.select(*names, F.col(f"{_PREFIX}n").alias("n"))
            .union(found)
            .groupBy(*names)
            .agg(F.sum("n").alias("n"))
        )
        wrong = balance.where(F.col("n") != 0).count()
        if wrong:
            raise UnsatisfiableError(
                f"verify: {wrong} tuples have another number of rows in the release than in the"
                " mapping",
                "nothing was released; does the source give other rows each time it is read?",
            )
        checked = self.check()
        if not checked.satisfied or checked.rows != self.rows:
            raise UnsatisfiableError(
                "verify: the release does not satisfy k or a model", "nothing was released"
            )
        self.measures.update(
            {
                key: checked[key]
                for key in ("groups", "min_group", "suppressed_rows", "models")
                if key in checked
            },
            verified=True,
        )
        self.verified = True

    def check(self) -> Record:
        """k and models of the table as Spark holds it."""
        names = [
            *self.plan.qids,
            *(self.plan.named("sensitive") if self.plan.get("models") else []),
        ]
        columns = [_column(name).alias(f"c{i}") for i, name in enumerate(names)]
        counted = self.table.groupBy(*columns).agg(F.count(F.lit(1)).alias("n"))
        return check_in_parts(counted, self.plan, names, self.measures.parts)

    def unpersist(self) -> None:
        """Give back the memory in which the release and its mapping are kept; what is computed
        afterwards was not verified.
        """
        super().unpersist()
        self._parts.release()

    def __repr__(self) -> str:
        m = self.measures
        return (
            f"PartsRelease({m.rows} rows in {m.parts} parts, gcp"
            f" {m.gcp:.4f}{'; verified' if self.verified else ''})"
        )


def _release_in_parts(
    df: Any, request: Request, order: Optional[str], part_tuples: int, progress: Progress
) -> PartsRelease:
    """With the tuples in Spark, grouped on the executors."""
    parts = Parts(df, request, part_tuples, PartsTools(_collect, _column))
    with watching(progress) as callback:
        try:
            found = parts.mapping(callback)
            names = {f"c{i}": f"k{i}" for i in range(len(request.keys))}
            mapping = found.select(
                *[F.col(name).alias(_PREFIX + names.get(name, name)) for name in found.columns]
            )
            has_divided = bool(found.agg(F.max("before")).first()[0])
            joined = _Join(df, parts.request, mapping, order, False, has_divided).rows()
            return PartsRelease(parts, parts.measure(found), mapping, joined)
        except BaseException as error:
            parts.release()
            raise as_shoal_error(error) from None


def anonymize(
    df: Any,
    qids: Columns = None,
    k: Optional[int] = None,
    *,
    order_by: Optional[str] = None,
    max_tuples: Optional[int] = None,
    part_tuples: Optional[int] = None,
    verify: bool = True,
    checkpoint: bool = False,
    plan: Any = None,
    progress: Progress = None,
    **given: Any,
) -> Union[Release, PartsRelease]:
    """Release a DataFrame of Spark; see docs/spark.md.

    Other arguments are those of :func:`shoal.anonymize`. ``order_by`` names a column that numbers
    the rows: the result is that of the command for rows in this order. ``max_tuples`` is the number
    of distinct tuples that the driver may take, by default what half of its memory holds; where
    there are more, they are grouped in parts of about ``part_tuples`` (200,000, or ``max_tuples``
    if that is less) on the executors, which need the package then. The release is persisted, and
    what was verified is what is written; ``checkpoint=True`` checkpoints it instead, which survives
    the loss of executors without computing anything again.
    """
    made = _counted.plan_of(plan, {"qids": qids, "k": k, **given})
    request = Request(made, _kinds(df))
    if order_by is not None:
        _check_names(df, [order_by])
    request.refuse_early()
    most = max_tuples or _most_tuples(df.sparkSession)
    found = _count(df, request.keys, order_by, most)
    if found.num_rows > most:
        del found
        refuse(request, most)
        release: Any = _release_in_parts(
            df, request, order_by, min(part_tuples or PART_TUPLES, most), progress
        )
    else:
        release = _release_counted(df, request, found, order_by, progress)
    if checkpoint:
        release._joined = release._joined.checkpoint()
    elif verify:
        release._joined = release._joined.persist(StorageLevel.MEMORY_AND_DISK)
    if verify:
        try:
            release._verify()
        except BaseException:
            release.unpersist()
            raise
    return release


def _release_counted(
    df: Any, request: Request, found: Any, order: Optional[str], progress: Progress
) -> "Release":
    """With all tuples on the driver."""
    tuples = _texts(found, request.keys)
    at = (
        _counted.arrow().compute.sort_indices(found.column("first"))
        if order is not None
        else _counted.sorted_order(tuples)
    )
    found, tuples = found.take(at), tuples.take(at)
    handle, shares = _counted.run(request, tuples, found.column("n").cast("int64"), progress)
    has_divided = bool(_counted.arrow().compute.max(shares.column("before")).as_py())
    is_small = _is_small(df.sparkSession, shares.nbytes + found.nbytes)
    joined = _Join(
        df, request, _make_mapping(df, request, found, shares), order, is_small, has_divided
    ).rows()
    keys = {name: tuples.column(name) for name in request.keys}
    return Release(
        request,
        handle,
        shares,
        keys,
        _counted.arrow().compute.sum(found.column("n")).as_py(),
        joined,
    )


def _check_names(df: Any, names: Sequence[str]) -> None:
    frame = Frame(None)
    frame.names = list(df.columns)
    check_columns(frame, names)


def check(
    df: Any, qids: Columns = None, k: Optional[int] = None, *, plan: Any = None, **given: Any
) -> Record:
    """Does a DataFrame satisfy k and models? Counted by one aggregation, judged by the library;
    numbers, never a value.
    """
    made = _counted.plan_of(plan, {"qids": qids, "k": k, **given})
    if not made.qids:
        raise usage(
            "no quasi-identifier was named",
            'say which columns others may know: qids=["age", "sex"]',
        )
    names = [*made.qids, *(made.named("sensitive") if made.get("models") else [])]
    _check_names(df, names)
    count = _counted.free_name("n", names)
    found = _count(df, names)
    return _counted.check_counts(
        made, _texts(found, names).append_column(count, found.column("n").cast("int64")), count
    )


def risk(df: Any, qids: Columns, k: Optional[int] = None) -> Record:
    """Re-identification risk of a DataFrame, original or released; see
    :func:`shoal.risk`.
    """
    names = [qids] if isinstance(qids, str) else [str(name) for name in qids or []]
    _check_names(df, names)
    count = _counted.free_name("n", names)
    found = _count(df, names)
    return _counted.risk_of_counts(
        names, _texts(found, names).append_column(count, found.column("n").cast("int64")), count, k
    )


__all__ = ["PartsRelease", "Release", "anonymize", "check", "risk"]
