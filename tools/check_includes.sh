#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# check_includes.sh [TREE] - does every #include point down the layers?
#
#   base < table < hierarchy < classes < search < privacy < cost < published
#        < bound, method, publish < measure, verify, risk, attack < pipeline
#        < evaluate, generate, plot, profile, plan < series < report, io < ask, evidence
#        < cli, python, r
#
# A file may include files of its own folder and of lower layers, never of a neighbour on the same
# step. Two walls stand besides: verify sees neither publish nor method, so that no mistake of
# theirs can hide itself from the check; nor does attack, which has published text and what an
# attacker may know. The folders below method see the frame (method/*.h) and their own files, not
# each other. What writes a release (publish/publish.h) is for the pipeline alone, which verifies
# it; the command, the extension and the examples verify nothing themselves either. The command, the
# extension and the examples see <shoal/...> and their own files only. Compression, YAML and the
# files of io.h stay in io, JSON in report, ask, evidence and cli, so that the core needs the C
# library, threads and xxhash alone.
set -eu
cd "${1:-$(dirname "$0")/..}"

find src cli python r examples -name '*.[ch]' 2>/dev/null | LC_ALL=C sort | xargs awk '
BEGIN {
    n = split("base table hierarchy classes search privacy cost published bound=method=publish measure=verify=risk=attack pipeline evaluate=generate=plot=profile=plan series report=io ask=evidence cli", step, " ")
    for (i = 1; i <= n; i++) { m = split(step[i], name, "=");
        for (j = 1; j <= m; j++) rank[name[j]] = i }
}
function complain(why) { printf "%s:%d: %s: %s\n", FILENAME, FNR, $0, why; bad++ }
FNR == 1 {
    split(FILENAME, part, "/")
    outside = part[1] != "src"
    layer = outside ? part[1] : part[2]
    family = layer == "method" && part[4] != "" ? part[3] : ""
    if (!outside && !(layer in rank)) {
        printf "%s: the folder is no layer; add it to check_includes.sh\n", FILENAME
        bad++
    }
}
/^[ \t]*#[ \t]*include[ \t]*"/ {
    target = $0; sub(/^[^"]*"/, "", target); sub(/".*/, "", target)
    if (target ~ /\.\./) { complain("name files from the top of src, without .."); next }
    if (target !~ /\//) next
    if (target == "publish/publish.h" && layer !~ /^(publish|pipeline)$/)
        complain("a release leaves by the pipeline alone")
    n_parts = split(target, to, "/")
    target = to[1]
    if (outside) {
        if (target != layer) complain("only <shoal/...> and files of its own may be included here")
    }
    else if (!(target in rank)) complain("is no layer")
    else if (target != layer && rank[target] >= rank[layer]) complain("goes up, or sideways")
    else if (layer == "verify" && target ~ /^(publish|method)$/)
        complain("the verifier shares nothing with those who made the release")
    else if (layer == "attack" && target ~ /^(publish|method|bound)$/)
        complain("an attacker has published text; a method is run again by a callback")
    else if (target == "method" && layer == "method" && n_parts > 2 &&
        to[2] != family) complain("methods see the frame and their own folder only")
    next
}
/^[ \t]*#[ \t]*include[ \t]*</ {
    target = $0; sub(/^[^<]*</, "", target); sub(/>.*/, "", target)
    if (target ~ /^(zlib|zstd|sodium)\.h$|^cyaml\/|^shoal\/io\.h$/ && !outside && layer != "io" &&
        !(layer ~ /^(ask|evidence)$/ && target ~ /^shoal/)) complain("belongs to io")
    if (target ~ /^jansson\.h$/ && layer !~ /^(report|ask|evidence|cli)$/) complain("belongs to report")
    if (outside && target ~ /^(zlib|zstd|sodium)\.h$|^cyaml\//) complain("belongs to io")
}
outside && (/shoal_verify(_release|_models|_mapping|_buckets|_personal)?\(/ ||
        /shoal_(released_open(_[a-z]+)?|mapping_open)\(/) {
    complain("releases are made, read back and verified by shoal_pipeline_run()")
}
END { if (bad) { printf "%d includes against the order of layers\n", bad; exit 1 } }'
