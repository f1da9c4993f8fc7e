#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# mac-build.sh FOLDER - the command and the libraries for macOS on ARM, compiled and linked here
# with zig's headers of that system; `meson install` staged in FOLDER/stage.
#
# It shows that no call of Linux is without a fallback; the result is not run. zig comes from PyPI
# (100 MB) into FOLDER/tools and is kept.
# The sources of the libraries are those of fetch-sources.sh; Homebrew has its own.
set -eu
tree=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
if [ ! -f "$folder/tools/made" ]; then
    rm -rf "$folder/tools"
    python3 -m venv "$folder/tools"
    # Debian's Meson does not know zig
    "$folder/tools/bin/pip" install --quiet --disable-pip-version-check ziglang==0.17.0 \
        meson==1.12.1 ninja==1.13.2
    touch "$folder/tools/made"
fi
zig=$(echo "$folder"/tools/lib/python3*/site-packages/ziglang/zig)
PATH=$folder/tools/bin:$PATH
export PATH
"$tree/libraries/fetch-sources.sh" "$tree/build-libraries"
cat >"$folder/cross.ini" <<END
[binaries]
c = ['$zig', 'cc', '-target', 'aarch64-macos']
ar = ['$zig', 'ar']

[host_machine]
system = 'darwin'
cpu_family = 'aarch64'
cpu = 'aarch64'
endian = 'little'
END
cd "$tree"
[ -f "$folder/meson/build.ninja" ] || meson setup "$folder/meson" \
    --cross-file "$folder/cross.ini" -Dlibrary_sources=build-libraries -Dtests=false \
    -Doptimization=0 -Ddebug=false
ninja -C "$folder/meson"
DESTDIR=$folder/stage meson install -C "$folder/meson" --no-rebuild --quiet
file "$folder"/stage/usr/local/bin/shoal 2>/dev/null || ls -l "$folder/stage/usr/local/bin/shoal"
