#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# build-sdist.sh FOLDER TOOLS - FOLDER/shoal-VERSION.tar.gz: the sources of the last commit as PyPI
# wants them, made by meson-python of the environment TOOLS.
# `pip install` of it needs a C compiler and the libraries of install-deps.sh.
set -eu
mkdir -p "$1"
folder=$(cd "$1" && pwd)
tools=$(cd "$2" && pwd)
cd "$(dirname "$0")/.."
rm -f "$folder"/*.tar.gz
# as a clone has them, or a wheel built from it differs
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=tar.umask GIT_CONFIG_VALUE_0=0022
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(tools/source-date.sh)} PATH=$tools/bin:$PATH python \
    -c 'import mesonpy, sys; mesonpy.build_sdist(sys.argv[1])' "$folder" >"$folder/log" 2>&1 || {
    tail -n 20 "$folder/log" >&2
    exit 1
}
"$tools/bin/twine" check --strict "$folder"/*.tar.gz
ls -l "$folder"/*.tar.gz
