#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# stack --top on a pseudo terminal: what it shows, its keys, and that it leaves no trace.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd python3

"$WORKLOADS/spin" 600 >/dev/null &
spin=$!
reap $spin

PYTHONDONTWRITEBYTECODE=1 timeout 300 python3 "$TOP/tests/live/top.py" "$BPFPERF" $spin "$TMP" >said
rc=$?
while IFS=$'\t' read -r verdict name why; do
	if [ "$verdict" = ok ]; then
		pass "$name"
	else
		fail "$name" "$why"
	fi
done <said
is $rc 0 "the session of stack --top came to its end"

exits 2 "stack --top without a terminal: exit 2" "$BPFPERF" stack --top -p $spin
like "$(cat err)" 'needs a terminal' "stack --top without a terminal: the message names the terminal"
exits 2 "stack --top with -i: exit 2" "$BPFPERF" stack --top -i said
done_testing
