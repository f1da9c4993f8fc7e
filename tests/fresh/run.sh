#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh [WAY...] - does every way in that the README names work on a fresh Debian?
#
# Each way runs in its own copy of a minimal Debian (debootstrap, with git, make and what the README
# says that this way needs), in a clone of the committed tree. Needs root, a network and about 6 GB;
# all ways together take about an hour on two cores, so it is no part of `make test-all`.
#
#   demo test static deb wheel workbench pip r install
#
# Package clients in the copy use the settings of this machine (/etc/apt, /etc/pip.conf, ~/.npmrc,
# certificates, PIP_*).
set -u
tree=$(cd "$(dirname "$0")/../.." && pwd)
PATH=$PATH:/usr/sbin:/sbin
passed=0 failed=0
[ "$(id -u)" = 0 ] || { echo 'run.sh: needs root, for chroot' >&2 && exit 2; }
command -v debootstrap >/dev/null || { echo 'run.sh: install debootstrap first' >&2 && exit 2; }
place=${FRESH_FOLDER:-$tree/build-fresh}
base=$place/base
root=$place/root
mkdir -p "$place"

bare() { # the minimal Debian that all ways begin with, made once
    [ ! -f "$base/made" ] || return 0
    rm -rf "$base"
    codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
    debootstrap --variant=minbase --include=ca-certificates,git,make "$codename" "$base" || return 1
    cp -r /etc/apt/sources.list.d/. "$base/etc/apt/sources.list.d/"
    cp /etc/apt/apt.conf.d/* "$base/etc/apt/apt.conf.d/" 2>/dev/null
    rm -f "$base/etc/apt/sources.list"
    [ ! -f /etc/pip.conf ] || cp /etc/pip.conf "$base/etc/"
    [ ! -f "$HOME/.npmrc" ] || cp "$HOME/.npmrc" "$base/root"
    cp --remove-destination /etc/ssl/certs/ca-certificates.crt "$base/etc/ssl/certs/"
    for name in PIP_CERT SSL_CERT_FILE REQUESTS_CA_BUNDLE; do
        eval "file=\${$name:-}"
        [ ! -f "$file" ] || { mkdir -p "$base$(dirname "$file")" && cp "$file" "$base$file"; }
    done
    touch "$base/made"
}
inside() { # inside COMMAND: in the clone, as root, with nothing of this machine's environment
    chroot "$root" env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
        LC_ALL=C.UTF-8 \
        DEBIAN_FRONTEND=noninteractive PIP_CERT="${PIP_CERT:-}" \
        PIP_FIND_LINKS="${PIP_FIND_LINKS:-}" \
        sh -ec "cd /clone; $1"
}
leave() { umount "$root/dev/pts" "$root/proc" 2>/dev/null; }
trap 'leave; exit 1' INT TERM
try() { # try WAY PACKAGES COMMAND: in a new copy with these Debian packages
    way=$1 packages=$2 command=$3
    case " $wanted " in *" $way "*) ;; *) return ;; esac
    leave
    rm -rf "$root" && cp -a "$base" "$root" && git clone -q "$tree" "$root/clone" || exit 1
    mkdir -p "$root/proc" "$root/dev/pts"
    mount -t proc proc "$root/proc" && mount -t devpts devpts "$root/dev/pts"
    [ -z "$packages" ] || command="apt-get update -q; apt-get install -y -q --no-install-recommends $packages; $command"
    if inside "$command" >"$place/$way.log" 2>&1; then
        passed=$((passed + 1)) && echo "passed: $way"
    else
        failed=$((failed + 1)) && echo "FAILED: $way, see $place/$way.log"
        tail -n 12 "$place/$way.log" | sed 's/^/    /'
    fi
    leave
}

wanted=${*:-demo test static deb wheel workbench pip r install}
bare >"$place/debootstrap.log" 2>&1 || { tail -n 3 "$place/debootstrap.log" && exit 1; }
libraries='gcc libc6-dev pkg-config libxxhash-dev libsodium-dev zlib1g-dev libzstd-dev libcyaml-dev libyaml-dev libjansson-dev'
try demo '' 'make demo'
try test '' 'make test'
try static '' 'make static && build-static/shoal --version'
try deb '' 'make deb && apt-get install -y ./build-deb/shoal_*.deb && shoal --version'
try wheel '' 'make wheel && ls build-wheel/*.whl'
try workbench '' 'make workbench && test -s build/shoal-workbench.html'
try pip "python3-venv python3-dev $libraries" \
    'python3 -m venv venv && . venv/bin/activate && pip install . && python -c "import shoal; print(shoal.__version__)" && shoal --version'
try r 'r-base-dev r-cran-jsonlite' \
    'make install && R CMD INSTALL r &&
        Rscript -e "library(shoal); print(packageVersion(\"shoal\"))"'
try install '' 'make install && shoal --version && make uninstall && test ! -e /usr/local/bin/shoal'
rm -rf "$root"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
