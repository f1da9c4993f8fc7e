# SPDX-License-Identifier: Apache-2.0
"""The Python lines of the README do what they say."""

import os
import re

import pandas as pd
import pytest


def test_the_lines_of_the_readme(census, tmp_path, monkeypatch, capsys):
    path = os.path.join(os.environ.get("SHOAL_SOURCE", ""), "README.md")
    if not os.path.exists(path):
        pytest.skip("SHOAL_SOURCE does not name the source tree")
    with open(path, encoding="utf-8") as file:
        (block,) = re.findall(r"```python\n(.*?)```", file.read(), re.S)
    assert len(block.splitlines()) == 5
    census.to_csv(tmp_path / "people.csv", index=False)
    monkeypatch.chdir(tmp_path)
    exec(compile(block, "README.md", "exec"), {})
    gcp, gap, risk = map(float, capsys.readouterr().out.split())
    assert 0 < gcp < 1 <= gap and risk <= 0.1
    release = pd.read_csv(tmp_path / "release.csv")
    assert list(release.columns) == ["zip", "age", "sex", "disease"] and len(release) == len(census)
