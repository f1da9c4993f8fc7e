# SPDX-License-Identifier: Apache-2.0
"""The notebook in examples/ runs from its first cell to its last."""

import os

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    source = os.environ.get("SHOAL_SOURCE") or os.path.join(os.path.dirname(__file__), "..", "..")
    notebook = nbformat.read(os.path.join(source, "examples", "release.ipynb"), as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells)  # kept without outputs
    nbclient.NotebookClient(
        notebook,
        timeout=300,
        kernel_name="python3",
        resources={"metadata": {"path": str(tmp_path_factory.mktemp("notebook"))}},
    ).execute()
    return notebook


def outputs(notebook, kind):
    return [
        output["data"][kind]
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        if kind in output.get("data", {})
    ]


def printed(notebook):
    return "".join(
        output["text"]
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        if output["output_type"] == "stream"
    )


def test_it_shows_a_card_and_a_plot(run):
    assert any("k = 10" in html for html in outputs(run, "text/html"))
    assert (
        len(outputs(run, "image/svg+xml")) == 1 and "polyline" in outputs(run, "image/svg+xml")[0]
    )


def test_it_says_what_came_out(run):
    text = printed(run)
    assert "smallest group: 1" in text and "0 after" in text and "average relative error" in text
    assert '"manifest"' in text
