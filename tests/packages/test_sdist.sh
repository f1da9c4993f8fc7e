#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# test_sdist.sh BUILD - `make sdist`: the same bytes twice, and a wheel built from it elsewhere has
# the bytes of the one built here.
set -u
. "$(dirname "$0")/cases.sh"
git -C "$tree" rev-parse HEAD >/dev/null 2>&1 ||
    give_up 'an sdist is made of a git commit, and this is no clone'
[ -f "$tree/build-tools/needs" ] ||
    give_up 'meson-python cannot be fetched from PyPI (see the wheel)'
make_target sdist
sdist=$(echo "$tree"/build-wheel/shoal-*.tar.gz)
same_again() { "$tree/tools/build-sdist.sh" "$work/again" "$tree/build-tools" &&
    cmp "$sdist" "$work/again/$(basename "$sdist")"; }
no_rubbish() { ! tar tzf "$sdist" | grep -E '^[^/]*/(\.git/|build)|__pycache__'; }
# Elsewhere: another folder, and the sources of the libraries fetched there as a user would (here:
# copied).
build_elsewhere() {
    mkdir -p "$work/elsewhere" && tar xzf "$sdist" -C "$work/elsewhere" &&
        cd "$work/elsewhere"/shoal-* && cp -r "$tree/build-libraries" . &&
        SOURCE_DATE_EPOCH=$("$tree/tools/source-date.sh") tools/build-wheel.sh "$work/wheel" \
            "$tree/build-tools" "$tree/build-static/shoal"
}
same_wheel() { cmp "$work"/wheel/shoal-*.whl "$tree"/build-wheel/shoal-*.whl; }
try 'the same bytes each time' same_again
try 'nothing in it that was built' no_rubbish
if [ -z "$(git -C "$tree" status --porcelain --untracked-files=no)" ]; then
    try 'it builds in another folder' build_elsewhere
    try 'the wheel has the same bytes there' same_wheel
else skip 'the tree has changes that are not committed, so the wheels differ'
fi
finish
