#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# build-static.sh FOLDER - the command as one file for every Linux of this machine's kind:
# FOLDER/shoal, with musl and all libraries inside.
#
# musl has no plug-ins (name services, locales, character sets), so the file does the same
# everywhere; it is small besides. Two builds of the same sources give the same bytes, wherever they
# lie. The sources of the libraries are kept in build-libraries.
set -eu
cd "$(dirname "$0")/.."
folder=$1
mkdir -p "$folder/kernel"
libraries/fetch-sources.sh build-libraries
# Nothing unwinds the stack of a stripped program: without tables for that the file is 7 % smaller.
# musl brings no headers of the kernel; the sandbox needs those of seccomp.
for name in linux asm-generic; do ln -sfn "/usr/include/$name" "$folder/kernel/$name"; done
ln -sfn "/usr/include/$(cc -print-multiarch)/asm" "$folder/kernel/asm"
[ -f "$folder/meson/build.ninja" ] || CC=musl-gcc meson setup "$folder/meson" \
    -Dlibrary_sources=build-libraries -Dstatic=true \
    -Doptimization=2 -Ddebug=false \
    -Dc_args="-fno-asynchronous-unwind-tables -isystem $(cd "$folder" && pwd)/kernel"
ninja -C "$folder/meson" shoal
strip --strip-all -o "$folder/shoal.new" "$folder/meson/shoal"
mv "$folder/shoal.new" "$folder/shoal"
ls -l "$folder/shoal"
