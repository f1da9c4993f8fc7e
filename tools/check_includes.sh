#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# check_includes.sh [TREE] - does every #include point down the layers?
#
#   base < table < hierarchy < classes < search < privacy, utility, risk < algorithm < release
#        < evaluate, generate, profile, plan < report, io < cli, python
#
# A file may include files of its own folder and of lower layers, never of a neighbour on the same step. The
# command, the extension and the examples see <shoal/...> and their own files only. Compression, YAML and the files of io.h
# stay in io, JSON in report and cli, so that the core needs the C library, threads and xxhash alone.
set -eu
cd "${1:-$(dirname "$0")/..}"

find src cli python examples -name '*.[ch]' | LC_ALL=C sort | xargs awk '
BEGIN {
    n = split("base table hierarchy classes search privacy=utility=risk algorithm release evaluate=generate=profile=plan report=io cli", step, " ")
    for (i = 1; i <= n; i++) { m = split(step[i], name, "="); for (j = 1; j <= m; j++) rank[name[j]] = i }
}
function complain(why) { printf "%s:%d: %s: %s\n", FILENAME, FNR, $0, why; bad++ }
FNR == 1 {
    split(FILENAME, part, "/")
    outside = part[1] != "src"
    layer = outside ? part[1] : part[2]
    if (!outside && !(layer in rank)) { printf "%s: the folder is no layer; add it to check_includes.sh\n", FILENAME; bad++ }
}
/^[ \t]*#[ \t]*include[ \t]*"/ {
    target = $0; sub(/^[^"]*"/, "", target); sub(/".*/, "", target)
    if (target ~ /\.\./) { complain("name files from the top of src, without .."); next }
    if (target !~ /\//) next
    sub(/\/.*/, "", target)
    if (outside) { if (target != layer) complain("only <shoal/...> and files of its own may be included here") }
    else if (!(target in rank)) complain("is no layer")
    else if (target != layer && rank[target] >= rank[layer]) complain("goes up, or sideways")
    next
}
/^[ \t]*#[ \t]*include[ \t]*</ {
    target = $0; sub(/^[^<]*</, "", target); sub(/>.*/, "", target)
    if (target ~ /^(zlib|zstd)\.h$|^cyaml\/|^shoal\/io\.h$/ && !outside && layer != "io") complain("belongs to io")
    if (target ~ /^jansson\.h$/ && layer != "report" && layer != "cli") complain("belongs to report")
    if (outside && target ~ /^(zlib|zstd)\.h$|^cyaml\//) complain("belongs to io")
}
END { if (bad) { printf "%d includes against the order of layers\n", bad; exit 1 } }'
