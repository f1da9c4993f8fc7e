#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# build-wheel.sh FOLDER TOOLS COMMAND - FOLDER/shoal-VERSION-cp311-abi3-manylinux_*.whl: the Python
# package with the program COMMAND and its manual inside.
#
# One wheel serves every Python from 3.11 on (abi3). The libraries are compiled in; auditwheel adds
# the OpenMP runtime and names the oldest glibc with which it works. COMMAND is what build-static.sh
# made, TOOLS an environment of wheel-tools.sh.
set -eu
tree=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1/plain"
folder=$(cd "$1" && pwd)
tools=$(cd "$2" && pwd)
command=$(cd "$(dirname "$3")" && pwd)/$(basename "$3")
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$("$tree/tools/source-date.sh")}
export SOURCE_DATE_EPOCH
PATH=$tools/bin:$PATH
export PATH

"$tree/libraries/fetch-sources.sh" "$tree/build-libraries"
rm -f "$folder"/*.whl "$folder"/plain/*.whl
pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation \
    --wheel-dir "$folder/plain" \
    "--config-settings=build-dir=$folder/meson" \
    "--config-settings=setup-args=-Dlibrary_sources=build-libraries" \
    "--config-settings=setup-args=-Dcommand=$command" "--config-settings=install-args=--strip" \
    "$tree"
auditwheel repair --wheel-dir "$folder" "$folder"/plain/*.whl
twine check --strict "$folder"/*.whl
ls -l "$folder"/*.whl
