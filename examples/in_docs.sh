#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# in_docs.sh PAGE EXAMPLE.c - are the lines that a page shows as "lines of EXAMPLE.c" in the
# example, which is compiled?
set -eu
awk -v name="lines of examples/$(basename "$2") " '
FNR == NR { is_there[$0] = 1; next }
index($0, name) { wanted = 1; next }
wanted && /^```c$/ { inside = 1; wanted = 0; next }
/^```$/ { inside = 0 }
inside && $0 != "" { shown++; if (!($0 in is_there)) {
    print FILENAME ":" FNR ": not in the example: " $0; bad = 1 } }
END { if (!shown) print FILENAME ": shows nothing of the example"; exit bad || !shown }' "$2" "$1"
