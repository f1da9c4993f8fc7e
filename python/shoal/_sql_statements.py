# SPDX-License-Identifier: Apache-2.0
"""The statements of shoal.sql, built by SQLAlchemy: every name is quoted by it, and no value
becomes part of a statement.

Values are read and written as the driver has them, without conversion, so that a tuple that was
counted joins the rows it came from.
"""

from __future__ import annotations

import contextlib
import decimal
import io
import uuid
from typing import Any, Dict, Iterator, List, Optional, Sequence, Set

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.expression import ClauseElement, Executable, quoted_name

from . import _counted
from ._errors import usage
from ._frames import Frame, check_columns

_ONE: Any = sa.literal_column("1")
_ZERO: Any = sa.literal_column("0")
_STAR: Any = sa.literal_column("'*'")
_INSERT_ROWS = 10_000
_COPY_ROWS = 1 << 16
_WORK_MEMORY = "256MB"


class CreateAs(Executable, ClauseElement):
    """CREATE (TABLE, TEMPORARY TABLE, UNLOGGED TABLE or VIEW) name AS query; the query must hold no
    bound values.
    """

    inherit_cache = False

    def __init__(self, what: str, target: Any, query: Any) -> None:
        self.what, self.target, self.query = what, target, query


@compiles(CreateAs)
def _create_as(element: CreateAs, compiler: Any, **_: Any) -> str:
    return (
        f"CREATE {element.what} {compiler.preparer.format_table(element.target)} AS"
        f" {compiler.process(element.query)}"
    )


class _OnTable(Executable, ClauseElement):
    """A statement whose only operand is a table."""

    inherit_cache = False

    def __init__(self, words: str, target: Any) -> None:
        self.words, self.target = words, target


@compiles(_OnTable)
def _on_table(element: _OnTable, compiler: Any, **_: Any) -> str:
    return f"{element.words} {compiler.preparer.format_table(element.target)}"


def _table(name: str, schema: Optional[str], columns: Sequence[str]) -> Any:
    quoted = None if schema is None else quoted_name(schema, True)
    return sa.table(
        quoted_name(name, True),
        *(sa.column(quoted_name(column, True)) for column in columns),
        schema=quoted,
    )


# ---- values ----


def spell_postgresql(column: Any, kind: Any) -> Any:
    """The texts of PostgreSQL for values of this type, as texts of the library."""
    pa = _counted.arrow()
    pc = pa.compute
    if isinstance(kind, sa.types.Boolean):
        return pc.if_else(pc.equal(column, "t"), "true", "false") if len(column) else column
    if isinstance(kind, sa.types.DateTime) and kind.timezone:
        try:
            return _counted.spell(column.cast(pa.timestamp("us", tz="UTC")))
        except pa.ArrowInvalid:
            return column  # infinity, or years that Arrow lacks
    if isinstance(kind, sa.types.Float):
        return pc.if_else(pc.equal(column, "NaN"), pa.scalar(None, pa.string()), column)
    return column


def _array(values: List[Any]) -> Any:
    """Values of a driver as texts of Arrow."""
    pa = _counted.arrow()
    first = next((value for value in values if value is not None), None)
    if isinstance(first, decimal.Decimal):
        return pa.array(
            [None if value is None else format(value, "f") for value in values], pa.string()
        )
    if not isinstance(first, uuid.UUID):
        try:
            return _counted.spell(pa.array(values))
        except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError):
            pass  # several types in one column, as SQLite has them, or one that Arrow lacks
    return pa.array([None if value is None else str(value) for value in values], pa.string())


class Counted:
    """Distinct tuples and their counts, as the driver gave them: lists, or columns of Arrow;
    `types` where they are PostgreSQL's own texts.
    """

    def __init__(
        self, columns: Dict[str, Any], counts: Any, types: Optional[Dict[str, Any]] = None
    ) -> None:
        self.columns = columns
        self.counts = counts
        self.types = types

    def take(self, at: Any) -> "Counted":
        return Counted(
            {name: _take(values, at) for name, values in self.columns.items()},
            self.counts.take(at),
            self.types,
        )

    def texts(self, names: Sequence[str]) -> Any:
        return _counted.arrow().table({name: self._spell(name) for name in names})

    def _spell(self, name: str) -> Any:
        values = self.columns[name]
        if self.types is not None:
            return spell_postgresql(values, self.types.get(name))
        return _array(values) if isinstance(values, list) else _counted.spell(values)

    def as_table(self, names: Sequence[str], count: str) -> Any:
        return self.texts(names).append_column(count, self.counts)

    def stars(self, names: Sequence[str]) -> int:
        """Rows with * in each of these columns."""
        pc = _counted.arrow().compute
        texts = self.texts(names)
        mask: Any = None
        for name in names:
            is_star = pc.fill_null(pc.equal(texts.column(name), "*"), False)
            mask = is_star if mask is None else pc.and_(mask, is_star)
        return (
            pc.sum(
                self.counts.filter(
                    mask.combine_chunks() if hasattr(mask, "combine_chunks") else mask
                )
            ).as_py()
            or 0
        )


def _take(values: Any, at: Any) -> Any:
    return [values[i] for i in at.to_pylist()] if isinstance(values, list) else values.take(at)


def _has_copy(connection: Any) -> bool:
    """Does the driver speak PostgreSQL's COPY?"""
    return (
        connection.dialect.name == "postgresql"
        and type(connection.connection.driver_connection).__module__.split(".")[0] == "psycopg"
    )


@contextlib.contextmanager
def _copy(connection: Any, statement: str) -> Iterator[Any]:
    """A COPY of the driver; its errors become those of SQLAlchemy."""
    raw = connection.connection.driver_connection
    try:
        with raw.cursor() as cursor, cursor.copy(statement) as copy:
            yield copy
    except connection.dialect.dbapi.Error as error:
        raise sa.exc.DBAPIError("COPY", None, error) from None


def _read_copy(connection: Any, query: Any, names: Sequence[str], types: Dict[str, Any]) -> Counted:
    """By COPY and Arrow: no value becomes an object of Python on the way. NULL is an empty field,
    an empty text a quoted one.
    """
    pa = _counted.arrow()
    text = str(query.compile(dialect=postgresql.dialect(paramstyle="named")))
    held = io.BytesIO()
    with _copy(connection, f"COPY ({text}) TO STDOUT (FORMAT csv, ENCODING 'UTF8')") as copy:
        for block in copy:
            held.write(block)
    layout = [*(f"c{i}" for i in range(len(names))), "n"]
    if held.tell() == 0:
        return Counted(
            {name: pa.array([], pa.string()) for name in names}, pa.array([], pa.int64()), types
        )
    held.seek(0)
    read = pa.csv.read_csv(
        held,
        pa.csv.ReadOptions(column_names=layout, block_size=1 << 22),
        pa.csv.ParseOptions(newlines_in_values=True),
        pa.csv.ConvertOptions(
            column_types={name: pa.int64() if name == "n" else pa.string() for name in layout},
            null_values=[""],
            strings_can_be_null=True,
            quoted_strings_can_be_null=False,
        ),
    )
    return Counted(
        {name: _whole(read.column(i)) for i, name in enumerate(names)},
        _whole(read.column("n")),
        types,
    )


def _read(connection: Any, query: Any, names: Sequence[str], types: Dict[str, Any]) -> Counted:
    """The result of a query whose last column is a count."""
    pa = _counted.arrow()
    if _has_copy(connection):
        return _read_copy(connection, query, names, types)
    result = connection.execute(query)
    if connection.dialect.name == "duckdb" and hasattr(result.cursor, "fetch_arrow_table"):
        read = result.cursor.fetch_arrow_table().combine_chunks()
        columns = {name: _whole(read.column(i)) for i, name in enumerate(names)}
        return Counted(columns, _whole(read.column(len(names))).cast(pa.int64()))
    rows = result.fetchall()
    lists = {name: [row[i] for row in rows] for i, name in enumerate(names)}
    return Counted(lists, pa.array([row[len(names)] for row in rows], pa.int64()))


def _whole(column: Any) -> Any:
    pa = _counted.arrow()
    return pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type)


# ---- the source ----


def _kind(column_type: Any) -> Optional[str]:
    types = sa.types
    if isinstance(column_type, (types.Integer, types.Numeric)):
        return _counted.NUMERIC
    if isinstance(column_type, types.Date):
        return _counted.DATE
    if isinstance(column_type, (types.LargeBinary, types.JSON, types.ARRAY, types.PickleType)):
        return None
    return _counted.AUTO if isinstance(column_type, types.NullType) else _counted.CATEGORICAL


class Catalog:
    """The objects of the database, by SQLAlchemy's inspector."""

    def __init__(self, connection: Any) -> None:
        self._inspector = sa.inspect(connection)

    def columns(self, name: str, schema: Optional[str]) -> Dict[str, Any]:
        """Name and type of each column; none where there is no such table."""
        try:
            return {
                str(column["name"]): column["type"]
                for column in self._inspector.get_columns(name, schema=schema)
            }
        except sa.exc.NoSuchTableError:
            return {}

    def key(self, name: str, schema: Optional[str]) -> List[str]:
        """The columns of the primary key."""
        return (self._inspector.get_pk_constraint(name, schema=schema) or {}).get(
            "constrained_columns"
        ) or []

    def views(self, schema: Optional[str]) -> Set[str]:
        return set(self._inspector.get_view_names(schema=schema))

    def tables(self, schema: Optional[str]) -> Set[str]:
        return set(self._inspector.get_table_names(schema=schema)) - self.views(schema)


class DuckdbCatalog(Catalog):
    """From DuckDB's own tables: the inspector of its dialect asks for tables of PostgreSQL that
    newer versions of DuckDB lack.
    """

    _TYPES = (((
        "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER",
        "UBIGINT", "UHUGEINT",
    ), sa.types.Integer),
              (("DECIMAL", "DOUBLE", "FLOAT"), sa.types.Numeric), (("DATE",), sa.types.Date), ((
                  "BLOB", "STRUCT", "MAP", "JSON", "UNION", "BIT",
              ), sa.types.LargeBinary))

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    def _ask(self, what: str, schema: Optional[str], *columns: str, **equal: str) -> List[Any]:
        names = [*columns, *equal, "schema_name", "database_name"]
        source = getattr(sa.func, what)().table_valued(*dict.fromkeys(names))
        query = sa.select(*(source.c[name] for name in columns)).where(
            source.c.database_name == sa.func.current_database()
        )
        query = query.where(
            source.c.schema_name == (sa.func.current_schema() if schema is None else schema)
        )
        return self._connection.execute(
            query.where(*(source.c[name] == value for name, value in equal.items()))
        ).fetchall()

    def columns(self, name: str, schema: Optional[str]) -> Dict[str, Any]:
        rows = self._ask(
            "duckdb_columns", schema, "column_name", "data_type", "column_index", table_name=name
        )
        return {row[0]: self._type(row[1]) for row in sorted(rows, key=lambda row: row[2])}

    def _type(self, text: str) -> Any:
        if text.endswith("]"):
            return sa.types.LargeBinary()
        word = text.partition("(")[0]
        return next((kind() for words, kind in self._TYPES if word in words), sa.types.Text())

    def key(self, name: str, schema: Optional[str]) -> List[str]:
        rows = self._ask(
            "duckdb_constraints",
            schema,
            "constraint_column_names",
            table_name=name,
            constraint_type="PRIMARY KEY",
        )
        return list(rows[0][0]) if rows else []

    def views(self, schema: Optional[str]) -> Set[str]:
        return {row[0] for row in self._ask("duckdb_views", schema, "view_name")}

    def tables(self, schema: Optional[str]) -> Set[str]:
        return {row[0] for row in self._ask("duckdb_tables", schema, "table_name")}


def tune(connection: Any) -> None:
    """For this transaction: memory for grouping and joining, unless the role has more, and days
    spelled 2024-03-01. Columns of tuples are not independent, so the planner expects a join by all
    of them to find one row: it would sort or nest loops where hashing is quickest, and compile for
    longer than it runs."""
    if connection.dialect.name != "postgresql":
        return
    setting = sa.func.pg_size_bytes(sa.func.current_setting("work_mem"))
    connection.execute(
        sa.select(sa.func.set_config("work_mem", _WORK_MEMORY, True)).where(
            setting < sa.func.pg_size_bytes(_WORK_MEMORY)
        )
    )
    for name, value in (
        ("datestyle", "ISO"),
        ("enable_mergejoin", "off"),
        ("enable_nestloop", "off"),
        ("jit", "off"),
    ):
        connection.execute(sa.select(sa.func.set_config(name, value, True)))


def catalog_of(connection: Any) -> Catalog:
    return (DuckdbCatalog if connection.dialect.name == "duckdb" else Catalog)(connection)


class Source:
    """A table or view of the database."""

    def __init__(self, connection: Any, name: str, schema: Optional[str]) -> None:
        self.connection = connection
        catalog = catalog_of(connection)
        types = catalog.columns(name, schema)
        if not types:
            raise usage(
                "the database has no such table, or the role may not see it",
                "check its name and schema; names are taken as they are, with their case",
            )
        self.kinds = {column: _kind(kind) for column, kind in types.items()}
        self.types = types
        self.table = _table(name, schema, list(types))
        self._whole = {
            column for column, kind in types.items() if isinstance(kind, sa.types.Integer)
        }
        self._key = catalog.key(name, schema)

    def check_names(self, names: Sequence[str]) -> None:
        frame = Frame(None)
        frame.names = list(self.kinds)
        check_columns(frame, names)

    def order_column(self, named: Optional[str]) -> Any:
        """The column that numbers rows, or None."""
        if named is not None:
            self.check_names([named])
            return self.table.c[named]
        return (
            self.table.c[self._key[0]]
            if len(self._key) == 1 and self._key[0] in self._whole
            else None
        )

    def count(self, names: Sequence[str], order: Any) -> Counted:
        keys = [self.table.c[name] for name in names]
        query = sa.select(*keys, sa.func.count()).group_by(*keys)
        if order is not None:
            query = query.order_by(sa.func.min(order))
        return _read(self.connection, query.select_from(self.table), names, self.types)


# ---- the mapping ----


def has_divided(shares: Any) -> bool:
    """Are rows of one tuple in several groups?"""
    return bool(_counted.arrow().compute.max(shares.column("before")).as_py())


class Mapping:
    """The shares as a table of the database: for this transaction, or kept for a view. In
    PostgreSQL several processes join only tables that are not temporary, so there it is an unlogged
    one that no other session sees: it is dropped before the commit. Its columns are k0, k1, ...
    (keys), n, before, divided, last, r0, r1, ... (published), so that no name of the source can be
    in the way."""

    def __init__(self, connection: Any, source: Source, request: Any, target: "Target") -> None:
        self.connection, self.source, self.request, self.target = (
            connection,
            source,
            request,
            target,
        )
        self.keys = [f"k{i}" for i in range(len(request.keys))]
        self.released = [f"r{i}" for i in range(len(request.qids))]
        self.columns = [*self.keys, "n", "before", "divided", "last", *self.released]
        self.is_unlogged = connection.dialect.name == "postgresql" and not target.is_view
        name = target.mapping_name if target.is_view else f"shoal_mapping_{uuid.uuid4().hex}"
        self.table = _table(
            name, target.schema if target.is_view or self.is_unlogged else None, self.columns
        )
        self.has_null: List[bool] = []
        self.has_value: List[bool] = []
        self.is_divided = False

    def _create(self) -> None:
        """Empty, with key columns of the very types of the source."""
        keys = [
            self.source.table.c[name].label(key) for key, name in zip(self.keys, self.request.keys)
        ]
        numbers = [
            sa.cast(sa.null(), sa.BigInteger).label(name)
            for name in ("n", "before", "divided", "last")
        ]
        texts = [sa.cast(sa.null(), sa.Text).label(name) for name in self.released]
        empty = (
            sa.select(*keys, *numbers, *texts).select_from(self.source.table).where(_ONE == _ZERO)
        )
        what = (
            "TABLE"
            if self.target.is_view
            else "UNLOGGED TABLE" if self.is_unlogged else "TEMPORARY TABLE"
        )
        self.connection.execute(CreateAs(what, self.table, empty))
        if self.connection.dialect.name == "postgresql":
            self._revoke_all()

    def _readers(self) -> List[Optional[str]]:
        """Roles but the owner that have a right on the mapping; None is PUBLIC."""
        name = self.connection.dialect.identifier_preparer.format_table(self.table)
        query = sa.text(
            "SELECT DISTINCT CASE WHEN a.grantee <> 0 THEN pg_get_userbyid(a.grantee) END "
            "FROM pg_class AS c, aclexplode(c.relacl) AS a "
            "WHERE c.oid = CAST(:name AS regclass) AND a.grantee <> c.relowner")
        return list(self.connection.execute(query, {"name": name}).scalars())

    def _revoke_all(self) -> None:
        """The mapping has the original values. Where the schema grants rights on new tables
        (ALTER DEFAULT PRIVILEGES), they are taken back before anything is in it, in the same
        transaction: no one else ever has them."""
        prepare = self.connection.dialect.identifier_preparer
        name = prepare.format_table(self.table)
        for role in self._readers():
            who = "PUBLIC" if role is None else prepare.quote_identifier(role)
            self.connection.exec_driver_sql(f"REVOKE ALL ON TABLE {name} FROM {who} CASCADE")
        if self._readers():
            raise usage("other roles have rights on the mapping, which has the original values, "
                        "and they cannot be taken back",
                        "make the release in a schema that grants nothing on new tables")

    def fill(self, counted: Counted, shares: Any) -> None:
        pa = _counted.arrow()
        pc = pa.compute
        at = shares.column("tuple").combine_chunks()
        n = shares.column("n").combine_chunks()
        before = shares.column("before").combine_chunks()
        is_last = pc.equal(pc.add(n, before), counted.counts.take(at))
        is_divided = pc.invert(pc.and_(pc.equal(before, 0), is_last))
        self.is_divided = has_divided(shares)
        for name in self.request.keys:
            values = counted.columns[name]
            n_null = values.count(None) if isinstance(values, list) else values.null_count
            self.has_null.append(n_null > 0)
            self.has_value.append(n_null < len(values))
        self._create()
        columns: List[Any] = [_take(counted.columns[name], at) for name in self.request.keys]
        columns += [n, before, is_divided.cast(pa.int64()), is_last.cast(pa.int64())]
        columns += [
            shares.column(f"released_{name}").combine_chunks() for name in self.request.qids
        ]
        _write(self.connection, self.table, self.columns, columns)
        if self.connection.dialect.name == "postgresql":
            self.connection.execute(_OnTable("ANALYZE", self.table))

    def drop(self) -> None:
        self.connection.execute(_OnTable("DROP TABLE", self.table))

    # ---- the join ----

    def _match(self, left: Any, mapping: Any) -> Any:
        """Equal tuples; NULL equals NULL. PostgreSQL has no hash join for IS NOT DISTINCT FROM, so
        there NULL is joined as some value of the column, and whether it is NULL is compared
        besides."""
        terms = []
        for i, name in enumerate(self.request.keys):
            mine, its = left.c[name], mapping.c[self.keys[i]]
            if not self.has_null[i]:
                terms.append(mine == its)
            elif not self.has_value[i]:
                terms.append(sa.and_(mine.is_(None), its.is_(None)))
            elif self.connection.dialect.name != "postgresql":
                terms.append(mine.is_not_distinct_from(its))
            else:
                inner = self.table.alias()
                some = (
                    sa.select(inner.c[self.keys[i]])
                    .where(inner.c[self.keys[i]].is_not(None))
                    .limit(_ONE)
                    .scalar_subquery()
                )
                terms.append(sa.func.coalesce(mine, some) == sa.func.coalesce(its, some))
                terms.append(
                    sa.case((mine.is_(None), _ONE), else_=_ZERO)
                    == sa.case((its.is_(None), _ONE), else_=_ZERO)
                )
        return sa.and_(*terms)

    def _published(self, rows: Any, mapping: Any, stars: bool) -> List[Any]:
        made = []
        for name in self.request.published:
            if name not in self.request.qids:
                made.append(rows.c[name])
                continue
            cell = mapping.c[self.released[self.request.qids.index(name)]]
            cell = sa.case((mapping.c.n.is_(None), _STAR), else_=cell) if stars else cell
            made.append(cell.label(quoted_name(name, True)))
        return made

    def select(self, order: Any) -> Any:
        """The rows of the release. Tuples in one group are joined; rows of divided ones are
        numbered, and only those.
        """
        rows, mapping, stars = self.source.table, self.table, self.target.is_view
        if not self.is_divided:
            joined = rows.join(mapping, self._match(rows, mapping), isouter=stars)
            return sa.select(*self._published(rows, mapping, stars)).select_from(joined)
        other = mapping.alias()
        divided = sa.exists(
            sa.select(_ONE)
            .select_from(other)
            .where(self._match(rows, other), other.c.divided == _ONE)
        )
        whole = sa.select(*self._published(rows, mapping, stars)).select_from(
            rows.join(
                mapping,
                sa.and_(self._match(rows, mapping), mapping.c.divided == _ZERO),
                isouter=stars,
            )
        )
        whole = whole.where(sa.not_(divided)) if stars else whole
        return sa.union_all(whole, self._select_divided(divided, order))

    def _select_divided(self, divided: Any, order: Any) -> Any:
        rows, mapping = self.source.table, self.table
        number = "row_number"
        while number in rows.c:
            number += "_"
        keys = [rows.c[name] for name in self.request.keys]
        numbered: Any = (
            sa.select(
                *rows.c, sa.func.row_number().over(partition_by=keys, order_by=order).label(number)
            )
            .select_from(rows)
            .where(divided)
        )
        numbered = numbered.subquery()
        position = numbered.c[number]
        until = position <= mapping.c.before + mapping.c.n
        until = sa.or_(until, mapping.c.last == _ONE) if self.target.is_view else until
        share = sa.and_(
            self._match(numbered, mapping),
            mapping.c.divided == _ONE,
            position > mapping.c.before,
            until,
        )
        return sa.select(*self._published(numbered, mapping, False)).select_from(
            numbered.join(mapping, share)
        )


def _write(connection: Any, table: Any, names: Sequence[str], columns: Sequence[Any]) -> None:
    """Rows into a table, by the quickest way that the driver has within this transaction."""
    pa = _counted.arrow()
    if connection.dialect.name == "duckdb":
        shares = pa.table(
            [column if not isinstance(column, list) else pa.array(column) for column in columns],
            names=list(names),
        )
        view = sa.table(
            quoted_name(f"{table.name}_rows", True), *(sa.column(name) for name in names)
        )
        connection.exec_driver_sql("register", (view.name, shares))
        connection.execute(sa.insert(table).from_select(list(names), sa.select(view)))
        return
    if _has_copy(connection):
        quote = connection.dialect.identifier_preparer
        listed = ", ".join(quote.quote_identifier(name) for name in names)
        with _copy(
            connection,
            f"COPY {quote.format_table(table)} ({listed}) FROM STDIN (FORMAT csv, ENCODING 'UTF8')",
        ) as copy:
            for block in pa.table(list(columns), names=list(names)).to_batches(_COPY_ROWS):
                held = io.BytesIO()
                pa.csv.write_csv(block, held, pa.csv.WriteOptions(include_header=False))
                copy.write(held.getvalue())
        return
    rows = zip(*(column if isinstance(column, list) else column.to_pylist() for column in columns))
    batch: List[Dict[str, Any]] = []
    for row in rows:
        batch.append(dict(zip(names, row)))
        if len(batch) == _INSERT_ROWS:
            connection.execute(sa.insert(table), batch)
            batch = []
    if batch:
        connection.execute(sa.insert(table), batch)


# ---- the target ----


class Target:
    """The table or view that is made."""

    def __init__(self, connection: Any, name: str, schema: Optional[str], is_view: bool) -> None:
        self.connection, self.name, self.schema, self.is_view = connection, name, schema, is_view
        self.mapping_name = f"{name}_mapping"
        self.table: Any = None
        longest = connection.dialect.max_identifier_length or 0
        for made in (name, self.mapping_name) if is_view else (name,):
            if not made or len(made.encode("utf-8")) > max(longest, 1):
                raise usage(
                    "the name of the release is empty, or longer than the database allows",
                    "give a shorter name",
                )

    def make_room(self, replace: bool) -> None:
        catalog = catalog_of(self.connection)
        views, tables = catalog.views(self.schema), catalog.tables(self.schema)
        # of an earlier release as a view
        is_kept = self.name in views and self.mapping_name in tables and self._is_mapping(catalog)
        for name in (self.name, self.mapping_name) if self.is_view or is_kept else (self.name,):
            if name not in views | tables:
                continue
            if not replace or (name == self.mapping_name and not is_kept):
                raise usage(
                    "the database has a table or view of the release's name",
                    "write replace=True to put the release in its place",
                )
            self.connection.execute(
                _OnTable(
                    "DROP VIEW" if name in views else "DROP TABLE", _table(name, self.schema, [])
                )
            )

    def _is_mapping(self, catalog: Catalog) -> bool:
        columns = list(catalog.columns(self.mapping_name, self.schema))
        return columns[:1] == ["k0"] and {"n", "before", "divided", "last", "r0"} <= set(columns)

    def create(self, query: Any) -> None:
        self.connection.execute(
            CreateAs("VIEW" if self.is_view else "TABLE", _table(self.name, self.schema, []), query)
        )

    def _of(self, names: Sequence[str]) -> Any:
        return _table(self.name, self.schema, names)

    def count(self, names: Sequence[str], count: str, types: Dict[str, Any]) -> Any:
        """Counted tuples of the release as texts; `types` of the columns that are published as they
        were.
        """
        table = self._of(names)
        query = sa.select(*table.c, sa.func.count()).select_from(table).group_by(*table.c)
        return _read(self.connection, query, names, types).as_table(names, count)
