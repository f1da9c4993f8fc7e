#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# build-container.sh FOLDER - FOLDER/shoal.tar: an image of Containerfile with the program of
# build-static, to be read by `podman load` or `docker load`.
#
# The time in it is that of the sources, so two builds give the same bytes. Images and containers of
# the machine are left alone.
set -eu
tree=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1/context"
folder=$(cd "$1" && pwd)
version=$("$tree/build-static/shoal" --version | cut -d ' ' -f 2)
cp "$tree/build-static/shoal" "$tree/LICENSE" "$tree/build-libraries/THIRD-PARTY.txt" \
    "$folder/context"
epoch=${SOURCE_DATE_EPOCH:-$("$tree/tools/source-date.sh")}
find "$folder/context" -exec touch -h -d "@$epoch" {} +
rm -rf "$folder/storage" "$folder/shoal.tar"
store() { buildah --root "$folder/storage" --runroot "$folder/storage/run" \
    --storage-driver vfs "$@"; }
store bud --quiet --isolation chroot --timestamp "$epoch" \
    --label "org.opencontainers.image.version=$version" \
    --file "$tree/Containerfile" --tag "localhost/shoal:$version" "$folder/context" >/dev/null
store push --quiet "localhost/shoal:$version" \
    "docker-archive:$folder/shoal.tar:localhost/shoal:$version"
store rmi --force --all >/dev/null
rm -rf "$folder/storage"
ls -l "$folder/shoal.tar"
