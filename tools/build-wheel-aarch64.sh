#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# build-wheel-aarch64.sh FOLDER TOOLS - the wheel of build-wheel.sh for 64-bit ARM, cross-compiled
# with Debian's gcc-aarch64-linux-gnu.
#
# The command in it is linked statically with glibc (there is no musl for another machine in
# Debian). It prints its manual under qemu while it is built. Python's headers are those of this
# machine: sizes of C types are the same on both.
set -eu
tree=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1/plain"
folder=$(cd "$1" && pwd)
tools=$(cd "$2" && pwd)
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$("$tree/tools/source-date.sh")}
PATH=$tools/bin:$PATH
export PATH SOURCE_DATE_EPOCH
"$tree/libraries/fetch-sources.sh" "$tree/build-libraries"
cat >"$folder/cross.ini" <<'END'
[binaries]
c = 'aarch64-linux-gnu-gcc'
ar = 'aarch64-linux-gnu-ar'
strip = 'aarch64-linux-gnu-strip'
exe_wrapper = ['qemu-aarch64-static', '-L', '/usr/aarch64-linux-gnu']

[host_machine]
system = 'linux'
cpu_family = 'aarch64'
cpu = 'aarch64'
endian = 'little'
END
rm -f "$folder"/*.whl "$folder"/plain/*.whl
# The name of the wheel is that of the machine it is for.
_PYTHON_HOST_PLATFORM=linux-aarch64 pip wheel --quiet --disable-pip-version-check --no-deps \
    --no-build-isolation --wheel-dir "$folder/plain" \
    "--config-settings=build-dir=$folder/meson" \
    "--config-settings=setup-args=--cross-file=$folder/cross.ini" \
    "--config-settings=setup-args=-Dlibrary_sources=build-libraries" \
    "--config-settings=setup-args=-Dstatic=true" \
    "--config-settings=install-args=--strip" "$tree"
LD_LIBRARY_PATH=/usr/aarch64-linux-gnu/lib auditwheel repair \
    --wheel-dir "$folder" "$folder"/plain/*.whl
twine check --strict "$folder"/*.whl
ls -l "$folder"/*.whl
