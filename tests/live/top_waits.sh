#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# stack --top --off-cpu on a pseudo terminal: rows by function, state and call, which unfold.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd python3

"$WORKLOADS/waits" "$(allowed_cpus | tail -n 1)" 2>/dev/null &
waits=$!
reap $waits
is_reading() {
	grep -q pipe_read "/proc/$waits/wchan"
}
wait_for 20 is_reading

PYTHONDONTWRITEBYTECODE=1 timeout 300 python3 "$TOP/tests/live/top_waits.py" "$BPFPERF" $waits "$TMP/saved.json" >said
rc=$?
while IFS=$'\t' read -r verdict name why; do
	if [ "$verdict" = ok ]; then
		pass "$name"
	else
		fail "$name" "$why"
	fi
done <said
is $rc 0 "the session of stack --top --off-cpu came to its end"

# The view adds up absences while they last; the file has each once.
is "$(python3 -c '
import json
first, *rest = map(json.loads, open("saved.json"))
reads = [o for o in rest if "stack" in o and "wait_for_input" in o["stack"]]
print(*[(o["samples"], o["weight"] == first["duration_ns"]) for o in reads])')" "(1, True)" \
	"-o: a thread that is never back is one absence, as long as the measurement"
done_testing
