# SPDX-License-Identifier: Apache-2.0
"""The files that go with a release: its text, its plan, its manifest, its report."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from typing import Any, Dict, Optional, Tuple

from . import _core
from ._errors import usage
from ._frames import wrap

EDITIONS = ("internal", "external")


def _texts(release: Any) -> Tuple[bytes, Optional[bytes]]:
    """The tables of a release as CSV."""
    first, second = _core.release_csv(release._handle)
    if not first:
        frame = wrap(release.table)
        if frame.names is None:
            raise usage(
                "a table of unknown kind cannot be written as text",
                "give a pandas, polars or pyarrow table",
            )
        first = frame.csv(frame.names)
    return first, second


def _whole_plan(release: Any, folder: Optional[str]) -> Tuple[str, Dict[str, str]]:
    """The plan with every column of the table, and the texts of its hierarchies, which are looked
    for in the folder.
    """
    text, texts = release.plan._job()
    fields = json.loads(text)
    with_role = {column["name"] for column in fields.get("columns", [])}
    rest = {"keep": "other", "drop": "drop"}.get(fields.get("rest", ""))
    names = [name for name in release._frame.names or [] if name not in with_role]
    fields["columns"] = [
        *fields.get("columns", []),
        *({"name": name, "role": rest} for name in names if rest),
    ]
    if texts and folder is not None:
        fields["hierarchies"] = os.path.join(folder, "hierarchies")
    return json.dumps(fields, ensure_ascii=False), dict(texts)


def manifest(
    release: Any, texts: Tuple[bytes, Optional[bytes]], folder: Optional[str] = None
) -> str:
    path = None if folder is None else os.path.join(folder, "manifest.json")
    with release._lock:  # the measures are kept in the handle
        return _core.release_manifest(
            release._handle, _whole_plan(release, folder)[0], *texts, path, None
        )


def report(manifest_text: str, edition: str) -> str:
    if edition not in EDITIONS:
        raise usage(
            f"there is no edition {edition!r}", 'write edition="internal" or edition="external"'
        )
    return _core.manifest_html(manifest_text, edition == "external")


def _write(folder: str, name: str, data: Any) -> None:
    with open(os.path.join(folder, name), "wb") as file:
        file.write(data if isinstance(data, bytes) else data.encode("utf-8"))


def _fill(folder: str, release: Any) -> None:
    plan, hierarchies = _whole_plan(release, folder)
    if hierarchies:
        os.mkdir(os.path.join(folder, "hierarchies"))
        for column, text in hierarchies.items():
            _write(os.path.join(folder, "hierarchies"), column.replace("/", "_") + ".csv", text)
    texts = _texts(release)
    _write(folder, "release.csv", texts[0])
    if texts[1] is not None:
        _write(folder, "sensitive.csv", texts[1])
    fields = json.loads(plan)
    if hierarchies:
        fields["hierarchies"] = "hierarchies"
    # JSON is YAML
    _write(folder, "plan.yaml", json.dumps(fields, indent=2, ensure_ascii=False) + "\n")
    made = manifest(release, texts, folder)
    _write(folder, "manifest.json", made + "\n")
    for edition in EDITIONS:
        _write(
            folder,
            "report.html" if edition == "internal" else "report-external.html",
            report(made, edition),
        )


def save(release: Any, folder: str) -> None:
    """All files or none: they are made in a folder of their own, which then takes its place."""
    folder = os.path.abspath(folder)
    if os.path.exists(folder) and (not os.path.isdir(folder) or os.listdir(folder)):
        raise usage(f"{folder!r} exists and is not empty", "name a new folder")
    work = tempfile.mkdtemp(prefix=".shoal-", dir=os.path.dirname(folder))
    try:
        _fill(work, release)
        os.chmod(work, 0o777 & ~_umask())
        os.replace(work, folder)  # an empty folder is replaced
    except BaseException:
        shutil.rmtree(work, ignore_errors=True)
        raise


def _umask() -> int:
    mask = os.umask(0o022)
    os.umask(mask)
    return mask
