#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# fetch-sources.sh DIR - the C sources of the libraries that are compiled into the workbench, the
# static program and wheels, unpacked below DIR.
#
# Debian has these libraries for its own machines and C library alone, so their sources are compiled
# anew: the same tarballs that Debian builds from, each known by its SHA-256. What is there already
# is not fetched again. SHOAL_SOURCES may name a folder that has the tarballs, for machines without
# a network.
set -eu
target=$1
# Debian's mirrors that this machine is set up for, one a line.
mirrors=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
    sort -u || true)
mkdir -p "$target"
cd "$target"

download() { # download PATH-IN-POOL FILE SHA256: by apt, with the mirror and the proxy that it uses
    for mirror in $mirrors; do
        /usr/lib/apt/apt-helper download-file "${mirror%/}/pool/main/$1" "$2" "SHA256:$3" \
            >/dev/null 2>&1 && return 0
    done
    echo "fetch-sources.sh: no mirror of apt's has $1; put it into a folder and name that in SHOAL_SOURCES" >&2
    exit 1
}

fetch() { # fetch PATH-IN-POOL SHA256 FOLDER
    file=$(basename "$1")
    [ -d "$3" ] && return 0
    if [ -n "${SHOAL_SOURCES:-}" ]; then cp "$SHOAL_SOURCES/$file" "$file.new"
    else download "$1" "$file.new" "$2"
    fi
    if ! echo "$2  $file.new" | sha256sum -c --quiet -; then
        echo "fetch-sources.sh: $file is not the file that was meant" >&2
        exit 1
    fi
    rm -rf unpack && mkdir unpack
    tar xf "$file.new" -C unpack
    mv "unpack/$3" "$3" && rmdir unpack
    rm "$file.new"
}

fetch liby/libyaml/libyaml_0.2.5.orig.tar.gz \
    fa240dbf262be053f3898006d502d514936c818e422afdcf33921c63bed9bf2e libyaml-0.2.5
fetch libc/libcyaml/libcyaml_1.4.2.orig.tar.gz \
    3211b2a0589ebfe02c563c96adce9246c0787be2af30353becbbd362998d16dc libcyaml-1.4.2
fetch j/jansson/jansson_2.14.orig.tar.gz \
    c739578bf6b764aa0752db9a2fdadcfe921c78f1228c7ec0bb47fa804c55d17b jansson-2.14
fetch z/zlib/zlib_1.2.13.dfsg.orig.tar.bz2 \
    71feb7947e3c00ef125f83b79a4e529bde31171e5babe48b391f06758d1ab0a1 zlib-1.2.13.dfsg
fetch libz/libzstd/libzstd_1.5.4+dfsg2.orig.tar.xz \
    8cf4bbb65e77ec348d052c8d6230eba66d435bddf64c8b5be2fcb16880c19953 zstd-1.5.4
fetch libs/libsodium/libsodium_1.0.18.orig.tar.gz \
    d59323c6b712a1519a5daf710b68f5e7fde57040845ffec53850911f10a5d4f4 libsodium-1.0.18
# configure would write the same
cp libsodium-1.0.18/builds/msvc/version.h libsodium-1.0.18/src/libsodium/include/sodium/version.h

# xxHash is one header, which the native build has from Debian.
mkdir -p include
cp "$(pkg-config --variable=includedir libxxhash)/xxhash.h" include/xxhash.h

# Their licences, for whoever gets a program with these libraries inside.
{
    echo 'Programs of Shoal that are handed out as one file have parts of these libraries inside.'
    for licence in jansson-2.14/LICENSE libcyaml-1.4.2/LICENSE libsodium-1.0.18/LICENSE \
        libyaml-0.2.5/License zlib-1.2.13.dfsg/LICENSE zstd-1.5.4/LICENSE; do
        printf '\n==== %s\n\n' "${licence%/*}"
        cat "$licence"
    done
    printf '\n==== xxHash\n\n'
    sed -n '2,/\*\//p' include/xxhash.h | sed 's/^ \* \{0,1\}//; /^\//d'
    printf '\n==== musl (static programs)\n\nMIT licence, Copyright 2005-2020 Rich Felker, et al.; https://git.musl-libc.org/cgit/musl/tree/COPYRIGHT\n'
    printf '\n==== libgomp (OpenMP runtime of GCC)\n\nGPL 3 or later with the GCC Runtime Library Exception 3.1, which permits its use in programs under any licence; https://gcc.gnu.org\n'
} >THIRD-PARTY.txt
