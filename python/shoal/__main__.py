# SPDX-License-Identifier: Apache-2.0
"""``python -m shoal``: releases of tables that the command does not read, in databases and in
Parquet files.
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any, List, Optional

from ._errors import ShoalError

# The exit codes of the command `shoal`, by status.
_EXIT = {-1: 1, -2: 2, -3: 3, -4: 4, -5: 5, -6: 130}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m shoal",
        description=(
            "Releases of tables in databases and in Parquet files; CSV files are for the command"
            " shoal."
        ),
    )
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")

    sql = verbs.add_parser(
        "sql", help="release a table of a database into another table of it, or check one"
    )
    sql.add_argument(
        "url",
        metavar="URL",
        help=(
            "as SQLAlchemy writes it: postgresql+psycopg://host/name, duckdb:///file,"
            " sqlite:///file"
        ),
    )
    sql.add_argument("table", metavar="TABLE", help="name of the table, as it is")
    sql.add_argument("--into", metavar="NAME", help="name of the release")
    sql.add_argument(
        "--check",
        action="store_true",
        help="check TABLE in place of a release: exit 3 where it does not satisfy the plan",
    )
    sql.add_argument("--schema", help="of the table")
    sql.add_argument("--into-schema", metavar="SCHEMA", help="of the release")
    sql.add_argument(
        "--replace", action="store_true", help="the release may take the place of an existing one"
    )
    sql.add_argument(
        "--as-view", action="store_true", help="a view over the table and a mapping that is kept"
    )
    sql.add_argument(
        "--order-by",
        metavar="COLUMN",
        help="numbers the rows; otherwise the primary key, if it is one whole number",
    )

    files = verbs.add_parser(
        "anonymize", help="release a Parquet or Arrow file, or a folder of them"
    )
    files.add_argument(
        "input",
        metavar="INPUT",
        help=(
            "Parquet or Arrow IPC (.arrow, .feather) file, or a folder of them, partitioned or not"
        ),
    )
    files.add_argument(
        "-o",
        "--output",
        required=True,
        metavar="FILE",
        help="the release: .parquet, .arrow or .feather",
    )
    files.add_argument(
        "--force", action="store_true", help="the release may take the place of an existing file"
    )

    for verb in (sql, files):
        verb.add_argument(
            "--plan", required=True, metavar="FILE", help="what to release, see docs/plan.md"
        )
        verb.add_argument("--json", action="store_true", help="print the report as JSON")
    return parser


def _run_sql(args: Any) -> int:
    from . import sql
    from ._errors import usage

    if args.check:
        found = sql.check(args.url, args.table, schema=args.schema, plan=args.plan)
        print(
            json.dumps(found)
            if args.json
            else (
                f"{'satisfied' if found.satisfied else 'not satisfied'}: smallest group"
                f" {found.min_group}, {found.failing_groups} groups ({found.failing_rows} rows)"
                " below k"
            )
        )
        return 0 if found.satisfied else 3
    if args.into is None:
        raise usage("no target for the release", "write --into NAME, or --check")
    release = sql.anonymize(
        args.url,
        args.table,
        args.into,
        schema=args.schema,
        into_schema=args.into_schema,
        replace=args.replace,
        as_view=args.as_view,
        order_by=args.order_by,
        plan=args.plan,
    )
    print(json.dumps(release.report) if args.json else repr(release))
    return 0


def _run_files(args: Any) -> int:
    from . import files

    release = files.anonymize(args.input, args.output, plan=args.plan, replace=args.force)
    print(json.dumps(release.report) if args.json else repr(release))
    return 0


def main(words: Optional[List[str]] = None) -> int:
    args = _parser().parse_args(words)
    try:
        return (_run_sql if args.verb == "sql" else _run_files)(args)
    except ShoalError as error:
        print(
            f"shoal: {error.message}" + (f"\n  {error.fix}" if error.fix else ""), file=sys.stderr
        )
        return _EXIT.get(error.status, 1)
    except OSError as error:  # a folder that is not there, or rights that are missing
        print(
            f"shoal: {error.strerror or 'a file cannot be read or written'}"
            + (f": {error.filename}" if error.filename else ""),
            file=sys.stderr,
        )
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
