#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# The page of why in a browser: the verdict, the timeline, and what keys do to it.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=formats.bash
. "$TOP/tests/formats/formats.bash"
need_cmd chromium
need_root
need_tracefs

exits 0 "why -o why.html: exit 0" "$BPFPERF" why -o why.html -- "$WORKLOADS/culprit" convoy
is "$(grep -c '<script type="application/json" id="data"' why.html)" 1 "why: the result is in the page"
is "$(grep -oE '(src|href)="?(https?:)?//[^"]*' why.html)" "" "why: the page refers to no other address"
PYTHONDONTWRITEBYTECODE=1 python3 "$TOP/tests/formats/why_page.py" "$TMP" >browser.out
rc=$?
tell <browser.out
is $rc 0 "the browser came to the end"
done_testing
