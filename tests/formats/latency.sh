#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# The page of latency in a browser: the table, the heat map as it is drawn, and what pointer and keys do to it.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=formats.bash
. "$TOP/tests/formats/formats.bash"
need_cmd chromium
need_root
need_tracefs

exits 0 "latency -o latency.html: exit 0" "$BPFPERF" latency syscalls -o latency.html -- "$WORKLOADS/durations" nanosleep 1009
is "$(grep -oE '(src|href)="?(https?:)?//[^"]*' latency.html)" "" "latency: the page refers to no other address"
PYTHONDONTWRITEBYTECODE=1 python3 "$TOP/tests/formats/latency_page.py" "$TMP" >browser.out
rc=$?
tell <browser.out
is $rc 0 "the browser came to the end"
done_testing
