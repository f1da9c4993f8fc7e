#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# build-deb.sh FOLDER - Debian packages of these sources in FOLDER: shoal, libshoal0, libshoal-dev,
# python3-shoal.
#
# They are built from a copy, so that the tree stays as it is, and with Debian's own Python and
# tools alone. DEB_BUILD_OPTIONS is Debian's; by default the tests are left to `make test`, and
# debugging symbols out. The packages have the bytes of any other build with the same tools.
set -eu
tree=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
version=$(sed -n "s/^ *version: '\([0-9.]*\)',.*/\1/p" "$tree/meson.build" | head -n 1)
if [ "$(dpkg-parsechangelog -l "$tree/debian/changelog" -S Version)" != "$version" ]; then
    echo "build-deb.sh: debian/changelog does not begin with version $version, that of meson.build" >&2
    exit 1
fi
source=$folder/shoal-$version
rm -rf "$source" "$folder"/*.deb
mkdir "$source"
(cd "$tree" && tar cf - --exclude='./build*' --exclude=./.git --exclude=./demo \
    --exclude=node_modules --exclude=__pycache__ .) | tar xf - -C "$source"
cd "$source"
PATH=/usr/sbin:/usr/bin:/sbin:/bin DEB_BUILD_OPTIONS=${DEB_BUILD_OPTIONS-nocheck noautodbgsym} \
    LC_ALL=C.UTF-8 dpkg-buildpackage -b -us -uc
rm -rf "$source"
cd "$folder" && ls -l ./*.deb
