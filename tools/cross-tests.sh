#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# cross-tests.sh ARCH BUILD [--resume [SECONDS]] [NAME | meson test option]... - everything built
# for another machine, and its tests run there or under qemu-user.
#
# ARCH is s390x (big-endian, 64 bits, under qemu-user) or i386 (32 bits, which x86-64 runs as it
# is). The compiler is Debian's cross compiler; the libraries are fetched by apt with an index of
# its own and unpacked into BUILD/root, so that the system is left as it is.
# Without options the suites unit and papers run, or the programs that are named. With --resume
# those of them that did not pass yet, for so many seconds (no end): tools/resume-tests.sh. Before,
# where there is a command of this machine in build/, releases of both are compared.
set -eu

arch=$1
build=$2
shift 2
tree=$(cd "$(dirname "$0")/.." && pwd)
case $arch in
s390x) compiler=s390x-linux-gnu triplet=s390x-linux-gnu cpu=s390x endian=big flags='' ;;
# doubles are doubles, as everywhere else
i386) compiler=i686-linux-gnu triplet=i386-linux-gnu cpu=i686 endian=little \
    flags="'-msse2', '-mfpmath=sse'," ;;
*) echo "cross-tests.sh: s390x or i386, not $arch" >&2 && exit 2 ;;
esac
mkdir -p "$build/apt/lists/partial" "$build/apt/archives/partial" "$build/root"
build=$(cd "$build" && pwd)
root=$build/root

fetch_libraries() {
    : >"$build/apt/status"
    set -- -q -o "APT::Architecture=$arch" -o "APT::Architectures::=$arch" \
        -o "Dir::State=$build/apt" -o "Dir::State::status=$build/apt/status" \
        -o "Dir::Cache=$build/apt" -o APT::Sandbox::User=root
    apt-get "$@" update || true # an index of another kind may be missing
    (cd "$build/apt/archives" && apt-get "$@" download libc6 libgomp1 libgcc-s1 libcmocka0 \
        libcmocka-dev zlib1g zlib1g-dev libzstd1 libzstd-dev \
        libjansson4 libjansson-dev libyaml-0-2 libyaml-dev libcyaml1 libcyaml-dev libsodium23 \
        libsodium-dev libxxhash-dev)
    for package in "$build"/apt/archives/*.deb; do dpkg-deb -x "$package" "$root"; done
    touch "$root/complete"
}

write_machine() { # programs of i386 find the loader and the libraries of BUILD/root by themselves
    case $arch in
    i386) wrapper='' more="'-Wl,--disable-new-dtags,-rpath,$root/lib/$triplet:$root/usr/lib/$triplet', '-Wl,--dynamic-linker,$(ls "$root"/lib/ld-linux.so.*)'," ;;
    *) wrapper="exe_wrapper = ['qemu-$cpu', '-L', '$root']" more='' ;;
    esac
    cat >"$build/machine.ini" <<END
[binaries]
c = '$compiler-gcc'
ar = '$compiler-ar'
strip = '$compiler-strip'
pkgconfig = 'pkg-config'
$wrapper
[properties]
pkg_config_libdir = '$root/usr/lib/$triplet/pkgconfig:$root/usr/share/pkgconfig'
sys_root = '$root'
[built-in options]
c_args = ['-isystem', '$root/usr/include', '-isystem', '$root/usr/include/$triplet',
    '-D_FILE_OFFSET_BITS=64', $flags]
c_link_args = ['-L$root/usr/lib/$triplet', '-L$root/lib/$triplet',
    '-Wl,-rpath-link,$root/usr/lib/$triplet:$root/lib/$triplet', $more]
[host_machine]
system = 'linux'
cpu_family = '$([ "$arch" = i386 ] && echo x86 || echo "$cpu")'
cpu = '$cpu'
endian = '$endian'
END
}

# digests COMMAND...: of an invented table and of releases by four methods
digests() {
    work=$(mktemp -d)
    (
        cd "$work"
        "$@" generate census --rows 1000 --seed 4 -o table.csv -q --hierarchies-out trees
        for method in shoal mondrian optimal kmembers; do
            "$@" anonymize table.csv -o $method.csv -q --qid age,sex,education,zip \
                --hierarchies trees --rest drop -k 5 -a $method -t 2
        done
        sha256sum ./*.csv
    )
    rm -r "$work"
}

compare_bytes() {
    [ -x "$tree/build/shoal" ] || return 0
    export OMP_WAIT_POLICY=passive # or it would start itself again, without qemu
    here=$(digests "$tree/build/shoal")
    case $arch in
    i386) there=$(digests "$build/meson/shoal") ;;
    *) there=$(digests "qemu-$cpu" -L "$root" "$build/meson/shoal") ;;
    esac
    [ "$here" = "$there" ] || { echo "cross-tests.sh: other bytes than on this machine: $there" \
        >&2 && exit 1; }
    echo 'the same bytes as on this machine'
}

printf '#include <stdio.h>\n' | "$compiler-gcc" -E - >/dev/null 2>&1 ||
    { echo "cross-tests.sh: apt-get install gcc-$compiler libc6-dev-$arch-cross" >&2 && exit 1; }
[ "$arch" = i386 ] || command -v "qemu-$cpu" >/dev/null ||
    { echo 'cross-tests.sh: apt-get install qemu-user' >&2 && exit 1; }
[ -e "$root/complete" ] || fetch_libraries
write_machine
[ -f "$build/meson/build.ninja" ] || meson setup "$build/meson" "$tree" \
    --cross-file "$build/machine.ini" -Doptimization=1
ninja -C "$build/meson"
compare_bytes
if [ "${1:-}" = --resume ]; then
    shift
    seconds=1000000
    case ${1:-} in [0-9]*) seconds=$1 && shift ;; esac
    [ $# -gt 0 ] || set -- --suite unit --suite papers
    exec "$tree/tools/resume-tests.sh" "$build/meson" "$seconds" "$@"
fi
[ $# -gt 0 ] || set -- --suite unit --suite papers
"$tree/tools/run-tests.sh" "$build/meson" --timeout-multiplier 20 "$@"
