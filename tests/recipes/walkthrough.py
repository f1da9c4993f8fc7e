#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""walkthrough.py ROOT SHOAL [--update] - docs/walkthrough.md shows what its commands print.

A block of `console` has commands behind `$`, each followed by what it prints; all run in one new
folder. Lines about time and memory are left out. --update writes what is printed into the page.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile


def printed(command, folder, shoal):
    run = subprocess.run(
        ["sh", "-c", command],
        cwd=folder,
        env={**os.environ, "PATH": f"{shoal.parent}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )
    lines = run.stdout.splitlines()
    return [line for line in lines if not line.startswith(("seconds ", "memory "))]


def replay(block, folder, shoal):
    """The block with what its commands print now."""
    made, command = [], []
    for line in block.splitlines():
        if not command and not line.startswith("$ "):
            continue
        command.append(line)
        made.append(line)
        if not line.endswith("\\"):
            made += printed("\n".join(command)[2:], folder, shoal)
            command = []
    return "".join(f"{line}\n" for line in made)


def main():
    root, shoal = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
    page = root / "docs" / "walkthrough.md"
    text = page.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        made = re.sub(
            r"(?<=```console\n).*?(?=```\n)",
            lambda found: replay(found.group(), folder, shoal),
            text,
            flags=re.S,
        )
    if "--update" in sys.argv:
        page.write_text(made, encoding="utf-8")
    elif made != text:
        old, new = text.splitlines(), made.splitlines()
        print(*[f"- {line}" for line in old if line not in new], sep="\n")
        print(*[f"+ {line}" for line in new if line not in old], sep="\n")
    return made != text and "--update" not in sys.argv


if __name__ == "__main__":
    sys.exit(main())
