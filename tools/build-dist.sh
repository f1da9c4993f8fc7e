#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# build-dist.sh FOLDER [KEY] - gather what was built (wheel, sdist, static program, Debian packages,
# image) in FOLDER, with a bill of materials and SHA256SUMS.
#
# With KEY the checksums are signed by gpg with it: SHA256SUMS.asc. Two builds of one commit give
# the same SHA256SUMS.
set -eu
tree=$(cd "$(dirname "$0")/.." && pwd)
rm -rf "$1"
mkdir -p "$1"
folder=$(cd "$1" && pwd)
cd "$tree"
version=$(sed -n "s/^ *version: '\([0-9.]*\)',.*/\1/p" meson.build | head -n 1)
epoch=${SOURCE_DATE_EPOCH:-$(tools/source-date.sh)}
cp build-wheel/*.whl build-wheel/*.tar.gz build-deb/*.deb "$folder"
cp build-static/shoal "$folder/shoal-$version-linux-$(uname -m)"
cp build-container/shoal.tar "$folder/shoal-$version-image.tar"
[ ! -d build-aarch64 ] || cp build-aarch64/*.whl "$folder"
cp build-libraries/THIRD-PARTY.txt "$folder/shoal-$version-third-party.txt"
python3 tools/sbom.py "$version" "$epoch" >"$folder/shoal-$version.cdx.json"
cd "$folder"
rm -f ./*-dbgsym_*
LC_ALL=C sha256sum -- * >SHA256SUMS
if [ -n "${2:-}" ]; then gpg --batch --yes --local-user "$2" --armor --detach-sign SHA256SUMS; fi
ls -l
