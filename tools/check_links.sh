#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# check_links.sh [TREE] - does every relative link of the documentation lead to a file, and its
# anchor to a heading of that page?
set -eu
cd "${1:-$(dirname "$0")/..}"
status=0
anchors() { # anchors PAGE: its headings as GitHub turns them into anchors, one per line
    awk '/^```/ { code = !code; next } !code && /^#+ / { sub(/^#+ /, ""); print tolower($0) }' \
        "$1" |
        sed 's/\[\([^]]*\)\]([^)]*)/\1/g; s/[^a-z0-9_ -]//g; s/ /-/g'
}
for page in *.md docs/*.md docs/*/*.md; do
    [ -f "$page" ] || continue
    for link in $(sed -n 's/](\([^) ]*\))/\n@@\1\n/gp' "$page" | sed -n 's/^@@//p'); do
        case $link in http://* | https://*) continue ;; esac
        file=${link%%#*}
        to=$page
        [ -z "$file" ] || to=$(dirname "$page")/$file
        if [ ! -e "$to" ]; then
            echo "$page: no such file: $file"
            status=1
            continue
        fi
        case $link in
        *.md#* | '#'*)
            if ! anchors "$to" | grep -qxF -e "${link#*#}"; then
                echo "$page: no such heading: $link"
                status=1
            fi
            ;;
        esac
    done
done
exit $status
