#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# trace --format perfetto in a viewer: speedscope's importer of the Trace Event Format.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=formats.bash
. "$TOP/tests/formats/formats.bash"
need_cmd chromium
need_root
need_tracefs
page=$O/cache/speedscope-1.25.0/dist/release
[ -e "$page/index.html" ] || skip_all "speedscope.sh has fetched no speedscope"

exits 0 "trace --format perfetto: exit 0" "$BPFPERF" trace -o trace.json --format perfetto \
	'syscalls:sys_*_getppid,sched:sched_switch' -- "$WORKLOADS/fork_tree" 3 503
PYTHONDONTWRITEBYTECODE=1 python3 "$TOP/tests/formats/trace_events_page.py" "$page" "$TMP" >browser.out
rc=$?
tell <browser.out
is $rc 0 "the browser came to the end"
done_testing
