# SPDX-License-Identifier: Apache-2.0
"""Write the known hierarchies (NAME.txt) as one C file: embed.py OUTPUT NAME.txt ..."""

import os
import sys

HEAD = ("title", "source", "match", "words", "labels")


def quoted(text):
    """A C string; bytes beyond ASCII in octal, which never runs into the characters behind it."""
    out = ""
    for byte in text.encode():
        char = chr(byte)
        out += f"\\{byte:03o}" if byte < 32 or byte > 126 or char in '"\\?' else char
    return f'"{out}"'


def read(path):
    head, lines = {"labels": "code"}, []
    with open(path, encoding="utf-8") as file:
        for line in file.read().splitlines():
            key, _, value = line.partition(": ")
            if line.startswith("#") or not line.strip():
                continue
            if key in HEAD and not lines:
                head[key] = value
            else:
                lines.append(line)
    for key in HEAD:
        if key not in head:
            sys.exit(f"{path}: no line '{key}:' at its head")
    return head, lines


def main(output, paths):
    out = ['/* Made by embed.py from the .txt files beside it. */\n#include "hierarchy/known.h"\n']
    rows = []
    for path in sorted(paths):
        head, lines = read(path)
        name = os.path.splitext(os.path.basename(path))[0]
        array = "lines_" + name.replace("-", "_")
        out.append(f"static const char *const {array}[] = {{")
        out += [f"    {quoted(line)}," for line in lines]
        out.append("    0\n};\n")
        fields = ", ".join(
            quoted(text)
            for text in (
                "known:" + name,
                name,
                head["title"],
                head["source"],
                head["match"],
                head["words"],
            )
        )
        rows.append(
            f"    {{ {fields}, {'true' if head['labels'] == 'text' else 'false'}, {array} }},"
        )
    out.append("const shoal_known_text shoal_known_texts[] = {")
    out += rows
    out.append(f"}};\nconst size_t shoal_n_known_texts = {len(rows)};\n")
    with open(output, "w", encoding="utf-8") as file:
        file.write("\n".join(out))


main(sys.argv[1], sys.argv[2:])
