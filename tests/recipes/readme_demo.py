#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""readme_demo.py ROOT SHOAL - the example of the README is what `make demo` shows.

The demo runs in a folder of its own. Line breaks and blanks do not count; lines about time and
memory, which the README leaves out, are dropped.
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile


def words(text):
    """All words but the backslashes at line ends."""
    return [word for word in text.split() if word != "\\"]


def main():
    root, shoal = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
    page = (root / "README.md").read_text(encoding="utf-8")
    start = page.index("From `make demo`")
    example = page[page.index("```\n", start) + 4 :]
    parts = example[: example.index("```\n")].split("\n\n")
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "tools").mkdir()
        shutil.copy(root / "tools" / "demo.sh", pathlib.Path(folder) / "tools")
        run = subprocess.run(
            ["sh", f"{folder}/tools/demo.sh", str(shoal.parent)],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=True,
            text=True,
            encoding="utf-8",
        )
    lines = run.stdout.splitlines()
    kept = [line for line in lines if not line.startswith(("seconds ", "memory "))]
    shown = " ".join(words("\n".join(kept)))
    missing = [part for part in parts if " ".join(words(part)) not in shown]
    for part in missing:
        print(f"README.md: make demo does not show:\n{part}\n")
    if missing:
        print(f"it shows:\n{run.stdout}")
    return bool(missing) or len(parts) < 3


if __name__ == "__main__":
    sys.exit(main())
