#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# test-web.sh BUILD - the tests of the workbench: types, the engine beside the command, the page in
# Chromium.
#
# Screenshots stay in BUILD/workbench-shots. The last line counts the cases, as that of
# run-tests.sh.
set -u
cd "$(dirname "$0")/.."
build=$(cd "$1" && pwd)
export SHOAL="$build/shoal" SHOAL_WORKBENCH="$build/shoal-workbench.html" \
    SHOAL_ENGINE="$PWD/build-web/web/engine/engine.wasm"
results=$build/test-web.json
rm -f "$results"
cd web
status=0
node node_modules/typescript/bin/tsc --noEmit ||
    { echo 'the types of the page do not fit'; status=1; }
node node_modules/vitest/vitest.mjs run --reporter=verbose --reporter=json \
    --outputFile="$results" || status=1
node -e '
    const fs = require("node:fs"), before = Number(process.argv[2]);
    let r = { numPassedTests: 0, numFailedTests: 1, numPendingTests: 0 };
    try { r = JSON.parse(fs.readFileSync(process.argv[1], "utf8")); }
    catch { console.log("the tests gave no result"); }
    for (const file of r.testResults ?? []) for (const t of file.assertionResults) if (t.status === "pending" || t.status === "skipped") console.log("skipped: " + t.fullName);
    const failed = Math.max(r.numFailedTests, before);
    console.log(`${r.numPassedTests} passed, ${failed} failed` + (r.numPendingTests ? `, ${r.numPendingTests} skipped` : ""));
' "$results" "$status"
exit "$status"
