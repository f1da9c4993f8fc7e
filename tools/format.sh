#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# format.sh [--check] - lay the C lines that you changed out as .clang-format says, or say where
# they are not.
#
# Changed is what differs from BASE, a commit (HEAD: what is not committed yet). Lines that you did
# not touch stay as they are: where a line breaks is up to who wrote it, and versions of
# clang-format do not agree with each other.
set -eu
cd "$(dirname "$0")/.."
base=${BASE:-HEAD}
git rev-parse --quiet --verify "$base^{commit}" >/dev/null || {
    echo "format.sh: '$base' is no commit here; run it in a git checkout, with BASE=COMMIT for another one" >&2
    exit 2
}
if [ "${1:-}" != --check ]; then
    git clang-format --quiet --force --extensions c,h "$base"
    exit 0
fi
found=$(git clang-format --quiet --diff --extensions c,h "$base") || true
case $found in
'' | 'no modified files to format' | 'clang-format did not modify any files') ;;
*)
    printf '%s\n' "$found"
    echo "format.sh: make format would change the lines above" >&2
    exit 1
    ;;
esac
