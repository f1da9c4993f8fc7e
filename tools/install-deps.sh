#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# install-deps.sh [EXTRA]... - see that what the build needs is there, and the extras named:
# valgrind, clang, clang-format, postgresql, java, workbench, workbench-tests, browser, static, deb,
# container, packages, aarch64, r.
#
# Each need is tested by what it gives (a command, a pkg-config module, a header), so that a machine
# that has it from elsewhere is left alone, and nothing touches the network when nothing is missing.
# What is missing is installed with apt-get: as root, else with sudo, else the line to type is
# printed (exit 1).
set -eu

missing=''
need() { # need PACKAGE TEST...: is it there? else note the Debian package
    package=$1
    shift
    "$@" >/dev/null 2>&1 || missing="$missing $package"
}
has_command() { PATH=$PATH:/usr/sbin command -v "$1"; }
has_module() { pkg-config --exists "$1"; }
has_libc_headers() { printf '#include <stdio.h>\n' | cc -E -; }
# clang finds its own OpenMP and fuzzer libraries only when their packages are there too.
clang_links() { printf 'int main(void){return 0;}\n' | clang "$1" -x c -o /dev/null -; }
has_python_headers() {
    python3 -c 'import os, sysconfig; os.stat(sysconfig.get_path("include") + "/Python.h")'
}
has_postgresql() { command -v initdb || ls /usr/lib/postgresql/*/bin/initdb; }
has_python_venv() { python3 -c 'import ensurepip, venv'; }
clang_has_fuzzer() {
    printf '#include <stddef.h>\nint LLVMFuzzerTestOneInput(const unsigned char *d, size_t n){(void)d;(void)n;return 0;}\n' |
        clang -fsanitize=fuzzer,address -x c -o /dev/null -
}

wasm_links() { printf 'int main(void){return 0;}\n' |
    clang --target=wasm32-wasi -x c -o /dev/null -; }
node_is() { node -e "process.exit(Number(process.versions.node.split('.')[0]) >= $1 ? 0 : 1)" \
    2>/dev/null; }
has_build_essential() { dpkg-query -W -f '${Status}' build-essential | grep -q 'ok installed'; }
has_r_package() { Rscript -e "quit(status = !requireNamespace('$1', quietly = TRUE))"; }
has_chromium() { command -v chromium || command -v chromium-browser || command -v google-chrome; }

need gcc has_command cc
need libc6-dev has_libc_headers
need pkg-config has_command pkg-config
need meson has_command meson
need ninja-build has_command ninja
need libcmocka-dev has_module cmocka
need libcyaml-dev has_module libcyaml
need libyaml-dev has_module yaml-0.1 # libcyaml's pkg-config file names it, its package does not
need libjansson-dev has_module jansson
need libxxhash-dev has_module libxxhash
need zlib1g-dev has_module zlib
need libzstd-dev has_module libzstd
need libsodium-dev has_module libsodium
need python3 has_command python3 # the Python package, and what tests it
need python3-venv has_python_venv
need python3-dev has_python_headers
need zstd has_command zstd # tests read and write compressed tables
need sqlite3 has_command sqlite3 # a test joins counted tuples with their rows

for extra in "$@"; do
    case $extra in
    valgrind) need valgrind has_command valgrind ;;
    clang)
        need clang has_command clang
        need libomp-dev clang_links -fopenmp
        need libclang-rt-dev clang_has_fuzzer
        ;;
    workbench) # WebAssembly: the compiler, its linker, a C library and a runtime; Node for the page
        need clang has_command clang
        need llvm has_command llvm-ar
        need lld has_command wasm-ld
        need wasi-libc wasm_links
        need libclang-rt-dev-wasm32 wasm_links
        need xz-utils has_command xz
        need bzip2 has_command bzip2
        need nodejs node_is 18
        need npm has_command npm
        ;;
    workbench-tests) # Vitest and TypeScript need a newer Node than Debian 12 has
        if has_command node >/dev/null && ! node_is 20; then
            echo "the tests of the workbench need Node 20 or later; this is $(node \
                --version). 'make workbench' does not." >&2
            exit 1
        fi
        ;;
    static) need musl-tools has_command musl-gcc ;;
    deb)
        need build-essential has_build_essential
        need dpkg-dev has_command dpkg-buildpackage
        need debhelper has_command dh
        need dh-python has_command dh_python3
        need fakeroot has_command fakeroot
        ;;
    container) need buildah has_command buildah ;;
    # what tests them: a clean Debian, a runtime for containers, comparison of binary interfaces
    packages)
        need debootstrap has_command debootstrap
        need lintian has_command lintian
        need podman has_command podman
        need runc has_command runc
        need abigail-tools has_command abidiff
        ;;
    aarch64)
        need gcc-aarch64-linux-gnu has_command aarch64-linux-gnu-gcc
        need qemu-user-static has_command qemu-aarch64-static
        ;;
    browser) need chromium has_chromium ;;
    clang-format) need clang-format has_command clang-format ;;
    java) need openjdk-17-jre-headless has_command java ;; # for Spark
    r) # the R package: its needs, those of its tests and of its vignette
        need r-base-dev has_command R # with a compiler
        need pandoc has_command pandoc
        for package in jsonlite testthat knitr rmarkdown tibble; do need "r-cran-$package" \
            has_r_package "$package"; done
        ;;
    postgresql) need postgresql has_postgresql ;; # a test starts a server of its own
    *)
        echo "install-deps.sh: '$extra' is not known; the extras are valgrind, clang, clang-format, postgresql, java, workbench, workbench-tests, browser, static, deb, container, packages, aarch64, r" >&2
        exit 2
        ;;
    esac
done

[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null 2>&1; then
    echo 'Some things that the build needs are missing. Under their Debian names they are:' >&2
    echo "   $missing" >&2
    echo 'Install what your system calls them, then try again.' >&2
    exit 1
fi

# The runtime of clang has its version in the package's name.
case $missing in
*libclang-rt-dev*)
    version=$(apt-cache depends clang 2>/dev/null |
        sed -n 's/.*Depends: clang-\([0-9]*\)$/\1/p' | head -n 1)
    missing=$(printf '%s' "$missing" | sed "s/libclang-rt-dev/libclang-rt-${version:-14}-dev/g")
    ;;
esac

as_root=''
if [ "$(id -u)" != 0 ]; then
    if command -v sudo >/dev/null 2>&1; then
        as_root=sudo
    else
        echo 'Some packages are missing, and installing them takes root. As root, type:' >&2
        echo "    apt-get update && apt-get install -y --no-install-recommends$missing" >&2
        exit 1
    fi
fi

echo "installing:$missing"
# shellcheck disable=SC2086 # the words of these lists are meant to be split
$as_root apt-get update -q
# shellcheck disable=SC2086
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing
