# SPDX-License-Identifier: Apache-2.0
"""Releases of tables that stay in their database: it counts and joins, the library groups the
distinct tuples.

    import shoal.sql
    release = shoal.sql.anonymize("postgresql+psycopg:///clinic", "people", into="people_release",
    qids=["age", "sex"], k=10, rest="keep")

PostgreSQL, DuckDB and SQLite are tested; the statements are built by SQLAlchemy, which also quotes
every name. Everything happens in one transaction: count, map, join, check what was written, commit.
Any failure rolls back and leaves nothing behind.
"""

from __future__ import annotations

import contextlib
from typing import Any, Iterator, Mapping, Optional

from . import _counted
from ._counted import CountedRelease, Request
from ._errors import InputOutputError, ShoalError, usage
from ._plan import Columns
from ._progress import Progress
from ._record import Record

# A CREATE TABLE that a rollback takes back is what the promise "verified or nothing" rests on.
_TRANSACTIONAL = ("postgresql", "duckdb", "sqlite", "cockroachdb", "redshift")


try:
    import sqlalchemy as sa
except ImportError:
    raise usage(
        "shoal.sql needs SQLAlchemy, which is not installed", 'pip install "shoal[sql]"'
    ) from None
from . import _sql_statements as statements  # noqa: E402  (it needs SQLAlchemy)


# ---- transactions ----


@contextlib.contextmanager
def _engine(engine: Any) -> Iterator[Any]:
    """An engine as it is; of a URL one of our own."""
    if isinstance(engine, sa.engine.Engine):
        yield engine
        return
    if isinstance(engine, sa.engine.Connection):
        raise usage("a release needs a transaction of its own", "give the engine, not a connection")
    try:
        made = sa.create_engine(engine)
    except (sa.exc.ArgumentError, sa.exc.NoSuchModuleError, ImportError):
        raise usage(
            "the URL of the database is not understood, or its driver is not installed",
            "write it as SQLAlchemy does: postgresql+psycopg://host/name, duckdb:///file,"
            " sqlite:///file",
        ) from None
    try:
        yield made
    finally:
        made.dispose()


@contextlib.contextmanager
def _snapshot(engine: Any, writes: bool) -> Iterator[Any]:
    """One transaction that sees one state of the database; commits at the end, rolls back on any
    error.
    """
    name = engine.dialect.name
    if writes and name not in _TRANSACTIONAL:
        raise usage(
            f"with {name} a CREATE TABLE cannot be rolled back, so a failure would leave something"
            " behind",
            "export the counts and join the mapping by hand: docs/tables.md",
        )
    try:
        with engine.connect() as connection:
            if name == "sqlite":
                with _sqlite_transaction(connection, writes):
                    yield connection
                return
            if name in ("postgresql", "redshift", "cockroachdb"):
                connection = connection.execution_options(
                    isolation_level="REPEATABLE READ" if name == "postgresql" else "SERIALIZABLE"
                )
            with connection.begin():
                statements.tune(connection)
                yield connection
    except sa.exc.DBAPIError as error:
        raise _database_error(error) from None


@contextlib.contextmanager
def _sqlite_transaction(connection: Any, writes: bool) -> Iterator[None]:
    """Python's sqlite3 begins a transaction before INSERT only; here it begins with the first
    SELECT, and other writers wait.
    """
    raw = connection.connection.driver_connection
    was = raw.isolation_level
    raw.isolation_level = None
    try:
        with connection.begin():
            if not raw.in_transaction:
                connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
            yield
    finally:
        raw.isolation_level = was


def _database_error(error: Any) -> ShoalError:
    """What a database says may hold values of cells, so its code is passed on and its text is not.
    """
    code = (
        getattr(error.orig, "sqlstate", None)
        or getattr(error.orig, "pgcode", None)
        or getattr(error.orig, "sqlite_errorname", None)
    )
    cause = f"{type(error.orig).__name__}{f', code {code}' if code else ''}"
    if code == "42501":
        return InputOutputError(
            f"the database refused for lack of a privilege ({cause})",
            "reading needs SELECT on the source; a release needs CREATE on the target's schema",
        )
    if code in ("40001", "SQLITE_BUSY", "SQLITE_BUSY_SNAPSHOT"):
        return InputOutputError(f"another transaction was in the way ({cause})", "try again")
    return InputOutputError(
        f"the database refused a statement ({cause}); nothing was released",
        "its own log has the statement",
    )


# ---- releases ----


class Release(CountedRelease):
    """What :func:`anonymize` returns: ``into`` is in the database, verified and committed."""

    def __init__(
        self,
        request: Request,
        handle: Any,
        shares: Any,
        keys: Mapping[str, Any],
        rows: int,
        place: Mapping[str, Any],
    ) -> None:
        super().__init__(request, handle, shares, keys, rows)
        self._place = dict(place)
        self.into: str = place["into"]
        self.is_view: bool = place["as_view"]

    def check(self, engine: Any = None) -> Record:
        """Check the table or view as it is now; with ``unseen_rows`` for a view. ``engine``: where
        the release was made from a URL.
        """
        return check(
            engine if engine is not None else self._place["engine"],
            self.into,
            schema=self._place["into_schema"],
            plan=self.plan,
        )


def anonymize(
    engine: Any,
    table: str,
    into: str,
    qids: Columns = None,
    k: Optional[int] = None,
    *,
    schema: Optional[str] = None,
    into_schema: Optional[str] = None,
    replace: bool = False,
    as_view: bool = False,
    order_by: Optional[str] = None,
    plan: Any = None,
    progress: Progress = None,
    **given: Any,
) -> Release:
    """Release a table of a database as another table of it; see docs/sql.md.

    ``engine`` is an engine of SQLAlchemy or its URL. Names are taken as they are: ``schema`` and
    ``into_schema`` are arguments of their own, nothing is parsed. Other arguments are those of
    :func:`shoal.anonymize`. An existing ``into`` needs ``replace=True``.
    ``order_by`` names a column by which rows are numbered (else the primary key, where it is one
    whole number): the result is that of the command for rows in this order. ``as_view=True`` makes
    a view over the table and a mapping that is kept.

    >>> import sqlalchemy, shoal.sql
    >>> engine = sqlalchemy.create_engine("sqlite://")
    >>> with engine.begin() as connection:
    ...     made = connection.exec_driver_sql(
    ...         "CREATE TABLE people (id INTEGER PRIMARY KEY, age INTEGER)"
    ...     )
    ...     made = connection.exec_driver_sql(
    ...         "INSERT INTO people (age) VALUES (21), (23), (64), (66)"
    ...     )
    >>> release = shoal.sql.anonymize(engine, "people", "people_release", qids="age", k=2,
    ...     identifiers="id")
    >>> with engine.connect() as connection:
    ...     sorted(connection.exec_driver_sql("SELECT age FROM people_release").scalars())
    ['[21..23]', '[21..23]', '[64..66]', '[64..66]']
    """
    made = _counted.plan_of(plan, {"qids": qids, "k": k, **given})
    if (schema, table) == (into_schema, into):
        raise usage("the release would take the place of its own source", "give it another name")
    with _engine(engine) as opened:
        with _snapshot(opened, writes=True) as connection:
            source = statements.Source(connection, table, schema)
            request = Request(made, source.kinds)
            request.refuse_early()
            target = statements.Target(connection, into, into_schema, as_view)
            target.make_room(replace)
            return _release(
                connection,
                source,
                target,
                request,
                order_by,
                progress,
                {"engine": engine, "into": into, "into_schema": into_schema, "as_view": as_view},
            )


def _release(
    connection: Any,
    source: Any,
    target: Any,
    request: Request,
    order_by: Optional[str],
    progress: Progress,
    place: Mapping[str, Any],
) -> Release:
    order = source.order_column(order_by)
    counted = source.count(request.keys, order)
    tuples = counted.texts(request.keys)
    if order is None:
        counted = counted.take(_counted.sorted_order(tuples))
        tuples = counted.texts(request.keys)
    handle, shares = _counted.run(request, tuples, counted.counts, progress)
    if place["as_view"] and order is None and statements.has_divided(shares):
        raise usage(
            "rows with equal values go to different groups, and without an order a view would show"
            " them in others each time",
            "name a column that numbers the rows: order_by=",
        )
    mapping = statements.Mapping(connection, source, request, target)
    mapping.fill(counted, shares)
    target.create(mapping.select(order))
    behind = request.keys[len(request.qids):]
    found = target.count(
        [*request.qids, *behind], request.count, {name: source.types[name] for name in behind}
    )
    _counted.verify_counts(request, shares, tuples, found)
    if not place["as_view"]:
        mapping.drop()
    keys = {name: tuples.column(name) for name in request.keys}
    return Release(
        request,
        handle,
        shares,
        keys,
        _counted.arrow().compute.sum(shares.column("n")).as_py(),
        place,
    )


# ---- checks ----


def check(
    engine: Any,
    table: str,
    qids: Columns = None,
    k: Optional[int] = None,
    *,
    schema: Optional[str] = None,
    plan: Any = None,
    **given: Any,
) -> Record:
    """Does a table or view satisfy k and models? Counted by one GROUP BY, judged by the library.

    The answer has ``satisfied`` and the numbers of failing groups and rows, never a value;
    ``unseen_rows`` are rows published as ``*`` in every quasi-identifier, which for a view are
    suppressed ones and those whose values came after the release.
    """
    made = _counted.plan_of(plan, {"qids": qids, "k": k, **given})
    if not made.qids:
        raise usage(
            "no quasi-identifier was named",
            'say which columns others may know: qids=["age", "sex"]',
        )
    with _engine(engine) as opened, _snapshot(opened, writes=False) as connection:
        source = statements.Source(connection, table, schema)
        names = [*made.qids, *(made.named("sensitive") if made.get("models") else [])]
        source.check_names(names)
        counted = source.count(names, None)
    count = _counted.free_name("n", names)
    found = _counted.check_counts(made, counted.as_table(names, count), count)
    found["unseen_rows"] = counted.stars(made.qids)
    return found


__all__ = ["Release", "anonymize", "check"]
