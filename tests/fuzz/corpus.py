#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""corpus.py - the inputs of the fuzz targets: an archive corpus/TARGET.tar for each.

    corpus.py unpack TARGET FOLDER     write every input to a file of the folder
    corpus.py pack TARGET FOLDER       the files of the folder, and no others, are the archive
    corpus.py add TARGET FILE...       add inputs, such as a crash that is to stay a test

The same inputs make the same bytes: sorted by name, and nothing of who packed them, or when.
Any tar reads them: tar -tf corpus/csv.tar.
"""
import io
import os
import sys
import tarfile

CORPUS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "corpus")


def read(path):
    """The inputs of an archive by their names."""
    with tarfile.open(path, "r:") as archive:
        return {member.name: archive.extractfile(member).read() for member in archive}


def write(path, inputs):
    with tarfile.open(path, "w:", format=tarfile.USTAR_FORMAT) as archive:
        for name in sorted(inputs, key=os.fsencode):
            member = tarfile.TarInfo(name)
            member.size = len(inputs[name])
            archive.addfile(member, io.BytesIO(inputs[name]))


def files(paths):
    inputs = {}
    for path in paths:
        with open(path, "rb") as file:
            inputs[os.path.basename(path)] = file.read()
    return inputs


def main(words):
    if len(words) < 3 or words[0] not in ("unpack", "pack", "add"):
        sys.exit(__doc__)
    what, target, rest = words[0], words[1], words[2:]
    path = os.path.join(CORPUS, target + ".tar")
    if what == "unpack":
        os.makedirs(rest[0], exist_ok=True)
        for name, data in read(path).items():
            with open(os.path.join(rest[0], os.path.basename(name)), "wb") as file:
                file.write(data)
        return
    inputs = read(path) if what == "add" and os.path.exists(path) else {}
    if what == "pack":
        rest = [os.path.join(rest[0], name) for name in os.listdir(rest[0])]
    added = files(rest)
    for name in added:
        if inputs.get(name, added[name]) != added[name]:
            sys.exit("corpus.py: %s has another input '%s'; give it another name" % (path, name))
    write(path, {**inputs, **added})


if __name__ == "__main__":
    main(sys.argv[1:])
