#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# test_mac.sh BUILD - the sources compile and link for macOS, where many calls of Linux are missing.
set -u
. "$(dirname "$0")/cases.sh"
if [ ! -f "$tree/build-mac/tools/made" ]; then
    python3 -m venv "$work/probe" >/dev/null 2>&1 &&
        "$work/probe/bin/pip" download --quiet --disable-pip-version-check --no-deps \
            -d "$work" ziglang==0.17.0 >/dev/null 2>&1 ||
        give_up 'zig, which has the headers of macOS, cannot be fetched from PyPI (100 MB)'
fi
is_mac_program() { [ "$(od -An -tx4 -N4 "$tree/build-mac/stage/usr/local/bin/shoal" | tr -d ' ')" \
    = feedfacf ]; }
has_libraries() { cd "$tree/build-mac/stage/usr/local" &&
    ls lib/libshoal.0.dylib lib/libshoal-io.0.dylib include/shoal/shoal.h lib/pkgconfig/shoal.pc; }
try 'everything compiles and links, and is installed' "$tree/tools/mac-build.sh" "$tree/build-mac"
try 'the command is a program of macOS' is_mac_program
try 'libraries, headers, pkg-config files' has_libraries
finish
