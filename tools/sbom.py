# SPDX-License-Identifier: Apache-2.0
"""sbom.py VERSION EPOCH - the bill of materials of what `make dist` hands out, as CycloneDX 1.5 in
JSON on standard output.

Sources of libraries come from libraries/fetch-sources.sh, which knows each by its SHA-256; versions
of the C library and of the OpenMP runtime from Debian's package data base. Nothing in it depends on
when or where it is run, so two builds give the same bytes.
"""

import datetime
import json
import pathlib
import re
import subprocess
import sys
import uuid

LICENCES = {
    "libyaml": "MIT", "libcyaml": "ISC", "jansson": "MIT", "zlib": "Zlib",
    "libzstd": "BSD-3-Clause", "libsodium": "ISC",
}


def library(name, version, licence, sha256=None):
    part = {
        "type": "library",
        "bom-ref": f"{name}@{version}",
        "name": name,
        "version": version,
        "licenses": [{"license": {"id": licence}}],
        "purl": f"pkg:deb/debian/{name}@{version.replace('+', '%2B')}",
    }
    return part | ({"hashes": [{"alg": "SHA-256", "content": sha256}]} if sha256 else {})


def fetched():
    """The libraries that are compiled in: "fetch PATH/NAME_VERSION.orig.tar.xz SHA256 FOLDER"."""
    text = (pathlib.Path(__file__).parent.parent / "libraries/fetch-sources.sh").read_text()
    text = re.sub(r"\s*\\\n\s*", " ", text)  # lines that go on
    for name, version, sha256 in re.findall(
        r"^fetch \S*/([a-z]+)_([^_ ]+)\.orig\.\S+ ([0-9a-f]{64}) ", text, re.M
    ):
        yield library(name, version, LICENCES[name], sha256)


def installed(package, name, licence):
    found = subprocess.run(
        ["dpkg-query", "-W", "-f", "${Version}", package], capture_output=True, text=True
    )
    return [library(name, found.stdout, licence)] if found.returncode == 0 else []


def with_exception(part):
    part["licenses"] = [{"expression": "GPL-3.0-or-later WITH GCC-exception-3.1"}]
    return part


def main():
    version, epoch = sys.argv[1], int(sys.argv[2])
    parts = (
        list(fetched())
        + installed("libxxhash-dev", "xxhash", "BSD-2-Clause")
        + installed("musl-dev", "musl", "MIT")
    )
    parts += [with_exception(part) for part in installed("libgomp1", "gcc-12", "GPL-3.0-or-later")]
    product = {
        "type": "application",
        "bom-ref": f"shoal@{version}",
        "name": "shoal",
        "version": version,
        "licenses": [{"license": {"id": "Apache-2.0"}}],
        "purl": f"pkg:pypi/shoal@{version}",
    }
    contents = json.dumps([product, parts], sort_keys=True)
    json.dump(
        {
            "bomFormat": "CycloneDX",
            "specVersion": "1.5",
            "version": 1,
            "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, contents)}",
            "metadata": {
                "timestamp": datetime.datetime.fromtimestamp(epoch, datetime.timezone.utc).strftime(
                    "%Y-%m-%dT%H:%M:%SZ"
                ),
                "component": product,
            },
            "components": parts,
            "dependencies": [
                {"ref": product["bom-ref"], "dependsOn": sorted(part["bom-ref"] for part in parts)}
            ],
        },
        sys.stdout,
        indent=2,
    )
    print()


main()
