# SPDX-License-Identifier: Apache-2.0
"""Tables to test with: invented persons from `shoal generate`, as every kind of frame."""

import os
import subprocess

import pandas as pd
import pytest

QIDS = ["age", "sex", "race", "marital-status", "education"]


@pytest.fixture(scope="session")
def command():
    """Run the command; its standard output."""
    path = os.environ.get("SHOAL_COMMAND")
    if not path or not os.path.exists(path):
        pytest.skip("SHOAL_COMMAND does not name the command")

    def run(*words, status=0):
        done = subprocess.run([path, *map(str, words)], capture_output=True, text=True)
        assert done.returncode == status, done.stderr
        return done.stdout

    return run


@pytest.fixture(scope="session")
def census_path(command, tmp_path_factory):
    path = tmp_path_factory.mktemp("census") / "census.csv"
    command("generate", "census", "--rows", 800, "--seed", 7, "-o", path)
    return path


@pytest.fixture(scope="session")
def census(census_path):
    """800 persons; read so that cells are the same texts as in the file."""
    return pd.read_csv(census_path, dtype={"zip": str})


@pytest.fixture
def people():
    return pd.DataFrame(
        {
            "name": [f"p{i}" for i in range(12)],
            "age": [21, 23, 22, 25, 64, 66, 61, 63, 41, 44, 43, 42],
            "sex": list("mfmfmfmfmfmf"),
            "disease": list("abcabcabcabc"),
            "note": [f"n{i}" for i in range(12)],
        }
    )
