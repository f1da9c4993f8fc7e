#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# debian-symbols.sh BUILD - print debian/libshoal0.symbols for the libraries of BUILD: what was
# there keeps its version, what is new has this one.
set -eu
tree=$(cd "$(dirname "$0")/.." && pwd)
version=$(sed -n "s/^ *version: '\([0-9.]*\)',.*/\1/p" "$tree/meson.build" | head -n 1)
known=$tree/debian/libshoal0.symbols
[ -f "$known" ] || known=/dev/null
for library in libshoal-io libshoal; do
    printf '%s.so.0 libshoal0 #MINVER#\n* Build-Depends-Package: libshoal-dev\n' "$library"
    nm -D --defined-only "$1/$library.so.0" | awk '{ print $3 }' | LC_ALL=C sort -u |
        while read -r name; do
        since=$(sed -n "s/^ $name@Base //p" "$known" | head -n 1)
        echo " $name@Base ${since:-$version}"
    done
done
