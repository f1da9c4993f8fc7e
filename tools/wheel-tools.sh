#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# wheel-tools.sh FOLDER - an environment with what builds and checks wheels, from PyPI. What is
# there is kept.
set -eu
needs=$(dirname "$0")/wheel-requirements.txt
[ "$(cat "$1/needs" 2>/dev/null)" != "$(cksum <"$needs")" ] || exit 0
rm -rf "$1"
python3 -m venv "$1"
"$1/bin/pip" install --quiet --disable-pip-version-check -r "$needs"
cksum <"$needs" >"$1/needs"
