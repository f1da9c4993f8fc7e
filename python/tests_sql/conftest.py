# SPDX-License-Identifier: Apache-2.0
"""Databases to test with: a PostgreSQL server started in a temporary directory, DuckDB and SQLite
files.
"""

import glob
import os
import pwd
import shutil
import subprocess
import tempfile
import uuid

import pytest
import sqlalchemy as sa

KINDS = ["sqlite", "duckdb", "postgresql"]


@pytest.fixture(scope="session")
def command():
    """Run the command; its standard output."""

    def run(*words):
        done = subprocess.run(
            [os.environ["SHOAL_COMMAND"], *map(str, words)], capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


class Server:
    """PostgreSQL on a socket in a folder of its own. It refuses to run as root, so then another
    user runs it.
    """

    def __init__(self, programs):
        self.programs = programs
        self.folder = tempfile.mkdtemp(prefix="shoal-pg-", dir="/tmp")
        self.user = (
            next((name for name in ("postgres", "nobody") if _exists(name)), None)
            if os.geteuid() == 0
            else None
        )
        if self.user is not None:
            shutil.chown(self.folder, self.user)
        self._run(
            "initdb",
            "-D",
            f"{self.folder}/data",
            "-U",
            "owner",
            "-A",
            "trust",
            "-N",
            "-E",
            "UTF8",
            "--locale=C",
        )
        options = (
            f"-c listen_addresses='' -c unix_socket_directories={self.folder} -c fsync=off -c"
            " shared_buffers=32MB"
        )
        self._run(
            "pg_ctl",
            "-D",
            f"{self.folder}/data",
            "-l",
            f"{self.folder}/log",
            "-w",
            "-o",
            options,
            "start",
        )

    def _run(self, program, *words):
        prefix = (
            ["setpriv", f"--reuid={self.user}", "--clear-groups"] if self.user is not None else []
        )
        done = subprocess.run(
            [*prefix, f"{self.programs}/{program}", *words],
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert done.returncode == 0, done.stderr

    def url(self, database, user="owner"):
        return f"postgresql+psycopg://{user}@/{database}?host={self.folder}"

    def stop(self):
        self._run("pg_ctl", "-D", f"{self.folder}/data", "-m", "immediate", "stop")
        shutil.rmtree(self.folder)


def _exists(name):
    try:
        return bool(pwd.getpwnam(name))
    except KeyError:
        return False


def find_programs():
    """The folder of initdb, or None."""
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb")) or [
        path for path in [shutil.which("initdb")] if path
    ]
    return os.path.dirname(found[-1]) if found else None


@pytest.fixture(scope="session")
def server():
    if find_programs() is None:
        pytest.skip("no PostgreSQL server is installed (Debian: postgresql)")
    made = Server(find_programs())
    yield made
    made.stop()


@pytest.fixture
def postgresql_url(server):
    name = f"d{uuid.uuid4().hex}"
    owner = sa.create_engine(server.url("postgres"), isolation_level="AUTOCOMMIT")
    with owner.connect() as connection:
        connection.exec_driver_sql(f"CREATE DATABASE {name}")
    owner.dispose()
    return server.url(name)


@pytest.fixture(params=KINDS)
def url(request, tmp_path):
    if request.param == "postgresql":
        return request.getfixturevalue("postgresql_url")
    return f"{request.param}:///{tmp_path}/people.db"


@pytest.fixture
def engine(url):
    made = sa.create_engine(url)
    yield made
    made.dispose()
