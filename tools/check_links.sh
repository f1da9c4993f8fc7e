#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# check_links.sh [TREE] - does every relative link of the documentation lead to a file?
set -eu
cd "${1:-$(dirname "$0")/..}"
status=0
for page in *.md docs/*.md docs/*/*.md; do
    [ -f "$page" ] || continue
    for link in $(sed -n 's/](\([^) ]*\))/\n@@\1\n/gp' "$page" | sed -n 's/^@@//p' | sed 's/#.*//'); do
        case $link in http://* | https://*) continue ;; esac
        if [ ! -e "$(dirname "$page")/$link" ]; then
            echo "$page: no such file: $link"
            status=1
        fi
    done
done
exit $status
