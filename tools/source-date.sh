#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# source-date.sh - the time stamp of what is built from these sources (SOURCE_DATE_EPOCH): that of
# the last commit, or where there is none that of CHANGELOG.md.
cd "$(dirname "$0")/.." && git log -1 --format=%ct 2>/dev/null || stat -c %Y CHANGELOG.md
