#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# iack.sh [BUILD] - what iack chooses on Adult (45,222 rows, eight quasi-identifiers, class
# salary-class) and what its suppression changes for k up to 200, as the tables of
# docs/algorithms/iack.md. Needs adult/adult-complete.csv and adult/hierarchies-deep in $SHOAL_DATA,
# or in ../shared/data beside the repository.
set -eu
export OMP_WAIT_POLICY="${OMP_WAIT_POLICY:-passive}"
build=$(cd "${1:-build}" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/shoal-iack.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

for place in "${SHOAL_DATA:-}" "$here/../../shared/data"; do
    [ -n "$place" ] && [ -f "$place/adult/adult-complete.csv" ] && adult=$place/adult && break
done
if [ -z "${adult:-}" ]; then
    echo 'iack.sh: set SHOAL_DATA to the folder that holds adult/adult-complete.csv' >&2
    exit 2
fi

release() { # METHOD K PARAM...
    method=$1 k=$2
    shift 2
    "$build/shoal" anonymize "$adult/adult-complete.csv" -o "$work/release.csv" --force \
        --no-bound --json --rest keep \
        --qid age,workclass,education,marital-status,occupation,race,sex,native-country \
        --numeric age --class salary-class \
        --hierarchies "$adult/hierarchies-deep" -a "$method" -k "$k" "$@" >"$work/$method-$k.json"
}

for k in 2 3 5 10 25 50 100 200; do
    release iack $k
    release infogain-mondrian $k
done
python3 - "$work" <<'END'
import json, sys
read = lambda method, k: json.load(open(f"{sys.argv[1]}/{method}-{k}.json"))
first = read("iack", 2)
print("I_N on each level, the values first; chosen:\n")
for name, all_levels in first["level_information"].items():
    chosen, height = first["levels"][name], first["level_heights"][name]
    cells = [f"**{x:.4f}**" if l == chosen else f"{x:.4f}" for l, x in enumerate(all_levels)]
    print(f"| {name} | {', '.join(cells)} | {chosen} of {height} | {height - chosen + 1} of {height + 1} |")
print(f"\nunique rows after generalisation: {first['suppressed_rows']} of {first['rows']}, "
      f"{100 * first['suppressed_rows'] / first['rows']:.2f} %\n")
for k in (2, 3, 5, 10, 25, 50, 100, 200):
    r, rival = read("iack", k), read("infogain-mondrian", k)
    beta = "infinite" if r["beta"] is None else f"{r['beta']:.4f}"
    print(f"| {k} | {r['groups'] - (r['suppressed_rows'] > 0)} | "
          f"{100 * r['suppressed_rows'] / r['rows']:.1f} % | {r['alpha']:.4f} | {beta} | "
          f"{r['beta_kept']:.4f} | "
          f"{r['gone_values']} | {r['cm']:.4f} | {rival['cm']:.4f} |")
END
