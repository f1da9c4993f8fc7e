#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# uninstall.sh BUILD - remove the files that the last `make install` of this build folder wrote.
#
# Meson lists them in BUILD/meson-logs/install-log.txt; folders that are empty then are removed too.
set -eu
log=$1/meson-logs/install-log.txt
if [ ! -f "$log" ]; then
    echo "uninstall: $1 has installed nothing ($log is missing)" >&2
    echo 'fix: run it in the clone that ran make install, with the same BUILD' >&2
    exit 1
fi
grep -v '^#' "$log" | while IFS= read -r path; do
    case $path in "${DESTDIR:-}"*) ;; *) path=${DESTDIR:-}$path ;; esac
    if [ -f "$path" ] || [ -h "$path" ]; then rm -f -- "$path" || exit 1; fi
done
grep -v '^#' "$log" | while IFS= read -r path; do
    case $path in "${DESTDIR:-}"*) ;; *) path=${DESTDIR:-}$path ;; esac
    rmdir -p --ignore-fail-on-non-empty -- "$(dirname "$path")" 2>/dev/null || true
done
if [ "$(id -u)" = 0 ] && [ -z "${DESTDIR:-}" ] && command -v ldconfig >/dev/null; then ldconfig; fi
echo 'uninstalled'
