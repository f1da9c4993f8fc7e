#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""measure_tree.py [TREE]... - how the code is cut: a table with a column for each tree.

Functions: lines from their declaration to the closing brace, of the .c files below src. Helpers
with one caller: static functions that one other place of their file names; shares are of all static
functions. Comments: lines that have nothing but a comment. Assertions: assert(), SHOAL_INVARIANT()
and _Static_assert(). Lines are those that are not empty; columns are bytes. A header has one
includer if one file names it, tests not counted; public ones are left out. Layout is taken as
.clang-format makes it: a function begins in the first column.
"""

import os
import re
import statistics
import subprocess
import sys

# the text of comments and strings may hold braces and names
TEXT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
ASSERTIONS = re.compile(r"\b(assert|SHOAL_INVARIANT\w*|_Static_assert)\s*\(")
FUNCTION = re.compile(
    r"^(?!typedef|struct|enum|union|extern|#)(\w[^;={}()]*?\b(\w+)\([^;{}]*\))\s*\n\{", re.M
)
INCLUDE = re.compile(r'^\s*#\s*include\s+["<]([^">]+)[">]', re.M)


def files(tree):
    """The files that git knows, or, without git, all."""
    try:
        listed = subprocess.run(
            ["git", "-C", tree, "ls-files"], capture_output=True, text=True, check=True
        ).stdout.split("\n")
    except (OSError, subprocess.CalledProcessError):
        listed = [
            os.path.relpath(os.path.join(folder, name), tree)
            for folder, _, names in os.walk(tree)
            for name in names
        ]
    return [name for name in listed if os.path.isfile(os.path.join(tree, name))]


def read(tree, name):
    with open(os.path.join(tree, name), encoding="utf-8", errors="replace") as file:
        return file.read()


def blanked(text):
    """The text without comments and strings, its lines where they were."""
    return TEXT.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)


def functions(code):
    """(name, lines, is static) of each function of a blanked file."""
    for found in FUNCTION.finditer(code):
        end = code.find("\n}", found.end())
        if end < 0:
            continue
        lines = code.count("\n", found.start(), end) + 2
        yield found.group(2), lines, "static" in found.group(1).split()


def comment_lines(text):
    """(lines that have nothing but a comment, lines that are not empty)"""
    n_comments = n_lines = 0
    for before, after in zip(text.split("\n"), blanked(text).split("\n")):
        if before.strip():
            n_lines += 1
            n_comments += not after.strip()
    return n_comments, n_lines


def percentile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(share * len(values)))] if values else 0


def share(part, whole):
    return "%d (%.1f %%)" % (part, 100 * part / max(1, whole))


def measure(tree):
    names = files(tree)
    sources = [name for name in names if name.startswith("src/") and name.endswith(".c")]
    public = [name for name in names if name.startswith("include/") and name.endswith(".h")]
    sizes, helpers, n_static, n_assertions, n_lines = [], [], 0, 0, 0
    comments = {"c": [0, 0], "h": [0, 0]}
    for name in sources:
        text = read(tree, name)
        code = blanked(text)
        for function, lines, is_static in functions(code):
            sizes.append(lines)
            n_static += is_static
            if is_static and len(re.findall(r"\b%s\b" % function, code)) == 2:
                helpers.append(lines)
        n_assertions += len(ASSERTIONS.findall(code))
        some = comment_lines(text)
        n_lines += some[1]
        comments["c"] = [comments["c"][0] + some[0], comments["c"][1] + some[1]]
    for name in public:
        some = comment_lines(read(tree, name))
        comments["h"] = [comments["h"][0] + some[0], comments["h"][1] + some[1]]
    n_c_lines = 0
    long_lines = {"C": 0, "other code": 0, "prose": 0}
    for name in names:
        kind = (
            "C"
            if name.endswith((".c", ".h"))
            else (
                "other code"
                if name.endswith(
                    (".py", ".pyi", ".ts", ".tsx", ".css", ".mjs", ".R", ".sh", ".build")
                )
                or os.path.basename(name) == "Makefile"
                else "prose" if name.endswith((".md", ".Rmd")) else None
            )
        )
        if kind == "C":
            n_c_lines += sum(bool(l.strip()) for l in read(tree, name).split("\n"))
        if kind:
            long_lines[kind] += sum(len(l.encode()) > 100 for l in read(tree, name).split("\n"))
    users = {}
    for name in names:
        if name.endswith((".c", ".h")) and not name.startswith("tests/"):
            for included in set(INCLUDE.findall(read(tree, name))):
                users.setdefault(os.path.basename(included), set()).add(name)
    headers = [n for n in names if n.startswith(("src/", "cli/")) and n.endswith(".h")]
    lonely = [n for n in headers if len(users.get(os.path.basename(n), ())) == 1]
    return [
        ("functions in src", len(sizes)),
        (
            "lines of a function: median / 90 % / most",
            "%g / %d / %d" % (statistics.median(sizes), percentile(sizes, 0.9), max(sizes)),
        ),
        ("static functions with one caller", share(len(helpers), n_static)),
        (
            "static functions with one caller, up to 8 lines",
            share(sum(lines <= 8 for lines in helpers), n_static),
        ),
        ("comment lines in .c of src", share(*comments["c"])),
        ("comment lines in public .h", share(*comments["h"])),
        ("assertions per 1,000 lines of src", "%.1f" % (1000 * n_assertions / max(1, n_lines))),
        ("C lines over 100 columns", share(long_lines["C"], n_c_lines)),
        ("lines of other code over 100 columns", long_lines["other code"]),
        ("lines of Markdown over 100 columns, with tables and code", long_lines["prose"]),
        ("headers of src and cli", len(headers)),
        ("of them with one includer", share(len(lonely), len(headers))),
        ("files", len(names)),
    ]


def main():
    trees = sys.argv[1:] or [os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")]
    tables = [measure(tree) for tree in trees]
    print("| | " + " | ".join(os.path.basename(os.path.abspath(tree)) for tree in trees) + " |")
    print("|---" * (len(trees) + 1) + "|")
    for rows in zip(*tables):
        print("| %s | %s |" % (rows[0][0], " | ".join(str(value) for _, value in rows)))


main()
