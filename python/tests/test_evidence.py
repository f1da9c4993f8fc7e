# SPDX-License-Identifier: Apache-2.0
"""Documents of a release: saved whole or not at all, checked by the verifier, and the external
report hides what the release hides.
"""

import json
import os
import pathlib

import pytest

import shoal

pd = pytest.importorskip("pandas")


@pytest.fixture
def people():
    towns, diseases = ["Vorbach", "Quellmund", "Ymir", "Xanten"], ["Zoster", "Pellagra", "Kuru"]
    return pd.DataFrame({
        "name": [f"Person{7000 + i}" for i in range(60)],
        "age": [31000 + 137 * i for i in range(60)],
        "town": [towns[i % 4] for i in range(60)],
        "disease": [diseases[i % 3] for i in range(60)],
        "note": [f"remark {i // 3}" for i in range(60)],
    })


@pytest.fixture
def release(people):
    tree = shoal.Hierarchy.tree({"north": ["Vorbach", "Quellmund"], "south": ["Ymir", "Xanten"]})
    return shoal.anonymize(
        people,
        qids=["age", "town"],
        sensitive="disease",
        identifiers="name",
        rest="keep",
        k=5,
        algorithm="mondrian",
        hierarchies={"town": tree},
        models=["l-diversity=distinct:2"],
        seed=918273645,
    )


def test_report(release, tmp_path):
    page = release.report_html(tmp_path / "r.html")
    assert (tmp_path / "r.html").read_text(encoding="utf-8") == page
    assert (
        page.count("<h2") == 12
        and "</html>" in page
        and "<script" not in page
        and "http" not in page.replace("http-equiv", "")
    )
    assert "anonymous" not in page and "compliant" not in page
    assert "918273645" in page and "Vorbach" in page
    with pytest.raises(ValueError):
        release.report_html(edition="secret")


def test_external_hides(release, people):
    page = release.report_html(edition="external")
    shown = release.table.to_csv(index=False)
    hidden = [str(cell) for column in people for cell in people[column] if str(cell) not in shown]
    assert len(hidden) > 50
    assert not [cell for cell in hidden if cell in page]
    assert "918273645" not in page


def _conforms(value, schema, where="manifest"):
    """The part of JSON schema that ours uses."""
    kinds = {
        "object": dict,
        "array": list,
        "string": str,
        "integer": int,
        "number": (int, float),
        "boolean": bool,
        "null": type(None),
    }
    if "const" in schema:
        assert value == schema["const"], where
    if "enum" in schema:
        assert value in schema["enum"], where
    allowed = schema.get("type")
    if allowed is not None:
        allowed = [allowed] if isinstance(allowed, str) else allowed
        assert any(isinstance(value, kinds[kind]) for kind in allowed), where
    for key in schema.get("required", []) if isinstance(value, dict) else []:
        assert key in value, f"{where}.{key}"
    for key, part in schema.get("properties", {}).items() if isinstance(value, dict) else []:
        if key in value:
            _conforms(value[key], part, f"{where}.{key}")
    if schema.get("additionalProperties") is False:
        assert set(value) <= set(schema["properties"]), where
    for item in value if isinstance(value, list) and "items" in schema else []:
        _conforms(item, schema["items"], f"{where}[]")


def test_save(release, people, tmp_path):
    folder = tmp_path / "out"
    release.save(folder)
    assert sorted(os.listdir(folder)) == [
        "hierarchies", "manifest.json", "plan.yaml", "release.csv", "report-external.html",
        "report.html",
    ]
    assert pd.read_csv(folder / "release.csv", dtype=str).equals(
        release.table.astype(str).reset_index(drop=True)
    )
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    schema = pathlib.Path(__file__).parents[2] / "docs" / "manifest.schema.json"
    _conforms(manifest, json.loads(schema.read_text(encoding="utf-8")))
    assert manifest["claims"]["k"] == 5 and manifest["plan"]["hierarchies"] == "hierarchies"
    assert {column["name"]: column["role"] for column in manifest["columns"]} == {
        "name": "identifier",
        "age": "quasi",
        "town": "quasi",
        "disease": "sensitive",
        "note": "other",
    }
    assert shoal.Plan.from_yaml(folder / "plan.yaml").k == 5
    with pytest.raises(ValueError):
        release.save(folder)  # never over something
    assert len(os.listdir(tmp_path)) == 1


def test_save_fails_whole(release, tmp_path, monkeypatch):
    from shoal import _evidence

    monkeypatch.setattr(_evidence, "report", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        release.save(tmp_path / "out")
    assert os.listdir(tmp_path) == []


def test_anatomy(people, tmp_path):
    made = shoal.anonymize(
        people,
        qids=["age", "town"],
        sensitive="disease",
        identifiers="name",
        rest="drop",
        algorithm="anatomy",
        l=2,
    )
    made.save(tmp_path / "out")
    assert "sensitive.csv" in os.listdir(tmp_path / "out")
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["claims"]["form"] == "buckets" and len(manifest["digests"]["release"]) == 2


def test_dropped_rows(people, tmp_path):
    made = shoal.anonymize(
        people,
        qids=["town"],
        rest="drop",
        k=20,
        algorithm="datafly",
        drop_suppressed=True,
        suppression=0.5,
    )
    made.save(tmp_path / "out")
    assert (tmp_path / "out" / "release.csv").exists()
