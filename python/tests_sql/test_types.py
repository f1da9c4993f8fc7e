# SPDX-License-Identifier: Apache-2.0
"""What the package says about its types is true of it: mypy reads all of it."""

import os
import pathlib
import subprocess
import sys


def test_the_package_is_typed(tmp_path):
    sources = sorted(
        str(path)
        for path in (pathlib.Path(os.environ["SHOAL_SOURCE"]) / "python" / "shoal").glob("*.py")
    )
    assert len(sources) > 20
    words = [
        sys.executable,
        "-m",
        "mypy",
        "--ignore-missing-imports",
        "--disallow-untyped-defs",
        "--cache-dir",
        str(tmp_path),
        *sources,
    ]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
