#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# why: the verdict names the culprit, states are what the kernel counted, the path has no gap.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd python3

py() { # WHAT [ARG…]
	local what=$1

	shift
	python3 "$TOP/tests/live/why.py" "$what" why.json "$@"
}
why() { # ARG… -> why.json, said.txt and err; the status is why's
	rm -f why.json
	"$BPFPERF" why -o why.json "$@" >said.txt 2>err
}
accounted() {
	sed -nE 's/.* records, ([0-9]+) lost.*/\1/p' err
}

for culprit in $("$WORKLOADS/culprit" --list | awk '!/^chain/ { print $1 }'); do
	why -- "$WORKLOADS/culprit" "$culprit"
	if grep -q '^culprit: ' said.txt err && ! grep -q wall_ms said.txt; then
		skip_test "$culprit: its cause is named first" "$(grep -h '^culprit: ' said.txt err | head -n 1)"
		continue
	fi
	is "$(py cause "$culprit")" ok "$culprit: its cause is named first"
	is "$(py path)" ok "$culprit: the path has no gap and sums up"
	is "$(accounted)" 0 "$culprit: no record is lost"
done

for chain in chain chain-decoy; do
	why -- "$WORKLOADS/culprit" "$chain"
	is "$(py chain said.txt)" ok "$chain: ten members are on the path, in their order, each with its work"
	is "$(py path)" ok "$chain: the path has no gap and sums up"
done

# The threads of states wait from its last line on; why ends before them.
why --duration 3 -- "$WORKLOADS/states" 1009
kill "$(python3 -c 'import json; print(json.load(open("why.json"))["threads"][0]["pid"])')"
is "$(py states said.txt)" ok "states: times on a CPU and ready to run are those of schedstat within 0.1 %, and sum up"
is "$(py threads)" 7 "states: seven threads of two processes"

# Requests: each reading of an answer, on its thread.
why --from syscalls:sys_enter_nanosleep --to syscalls:sys_exit_nanosleep -- "$WORKLOADS/durations" nanosleep 109
is "$(python3 -c 'import json; print(json.load(open("why.json"))["requests"])')" 109 "--from --to: 109 requests"
# A thread that was woken may wait for a CPU that other programs have: no fault of its own.
like "$(python3 -c 'import json; print(next(c["state"] for c in json.load(open("why.json"))["causes"] if c["state"] != "woken"))')" '^sleep$' \
	"--from --to: they are what the time between takes"

# A process that runs already, and is idle but for one thread.
"$WORKLOADS/culprit" hog 20 >/dev/null &
reap $!
start=$(now_ms)
why -p $! --duration 1
# On a busy machine the end may come later, and so does that of the command.
took=$(($(now_ms) - start))
is "$(py path)" ok "-p: the path has no gap and sums up"
between "$(python3 -c 'import json; print(json.load(open("why.json"))["wall_ns"] // 1000000)')" 900 $((took < 4900 ? took : 4900)) \
	"-p: the path is of the duration"

# The recording of the same time says the same: the path, and how long each member of it worked. A recording does not
# have the kernel's count of CPU time, which tells what a hypervisor and other tracers took.
"$BPFPERF" trace -a -g --include-self -o sched.data --format perf sched:sched_switch sched:sched_waking \
	sched:sched_wakeup -- \
	"$BPFPERF" why -o why.json -- "$WORKLOADS/culprit" chain >said.txt 2>err
is "$(py chain said.txt)" ok "-i: live, beside a recording"
first=$(python3 -c 'import json; print(json.load(open("why.json"))["threads"][0]["tid"])')
mv why.json live.json
exits 0 "-i: a recording is explained" "$BPFPERF" why -i sched.data -t "$first" -o why.json
is "$(py chain said.txt 25 live.json)" ok "-i: the recording has the path of the live run"
is "$(py path)" ok "-i: the path has no gap and sums up"
is "$(py ends live.json)" ok "-i: threads last as long as live"
is "$(py same live.json)" ok "-i: threads are in each state as long as live, within 0.1 %"
if command -v perf >/dev/null; then
	# Linux 6.18 gives perf no switch from an idle task: members may seem longer, and none is lost.
	perf sched record -q -m 2048 -o perf.data -- "$WORKLOADS/culprit" chain >said.txt 2>perf.err
	pid=$("$BPFPERF" script -i perf.data -F comm,pid 2>/dev/null | awk '$1 == "culprit" { print $2 }' | sort -n | head -n 1)
	exits 0 "-i: perf sched record" "$BPFPERF" why -i perf.data -p "$pid" -o why.json
	is "$(py path)" ok "-i: the path in a recording of perf sched record has no gap"
fi
exits 2 "-i: no live options beside it" "$BPFPERF" why -i sched.data -a
"$BPFPERF" record -q -e cpu-clock -o clock.data -- true 2>err
exits 1 "-i: a recording without switches is refused" "$BPFPERF" why -i clock.data
like "$(cat err)" 'has no sched:sched_switch' "-i: a recording without switches: the remedy"

exits 2 "no target: a usage error" "$BPFPERF" why
like "$(cat err)" 'give -p PID, -t TID' "no target: the remedy"
exits 2 "--from alone: a usage error" "$BPFPERF" why --from sched:sched_switch -- true
exits 2 "--from: no event of a PMU" "$BPFPERF" why --from cpu-clock --to cpu-clock -- true
like "$(cat err)" 'delimited by tracepoints' "--from: no event of a PMU: the reason"

exits 2 "--from: too many tracepoints" "$BPFPERF" why --from 'syscalls:sys_enter_*' --to 'syscalls:sys_exit_*' -- true
like "$(cat err)" '[0-9]{3} tracepoints together, and 63 at most.* name fewer' "--from: too many tracepoints: the remedy"
"$BPFPERF" why -- "$WORKLOADS/culprit" sleep >out 2>err
like "$(cat out)" 'sleeper slept in .*sleep_backoff' "text: the verdict"
like "$(cat out)" 'The critical path, by cause:' "text: the causes"
why -- python3 -c 'import select; [select.select([], [], [], 0.01) for _ in range(29)]'
# Each lasts from the moment when it leaves the CPU, which is some time after it was asked for.
between "$(python3 -c 'import json; print(json.load(open("why.json"))["threads"][0]["off_cpu"].get("sleep", 0) // 1000000)')" 261 579 \
	"a wait for events of no descriptor is a sleep"
cat >nap.py <<'EOF'
import time
def nap():
    time.sleep(0.01)
open("ready", "w").close()
while True:
    nap()
EOF
python3 nap.py &
reap $!
wait_for 10 test -e ready
"$BPFPERF" why -p $! --duration 300ms >out 2>err
kill $!
wait $! 2>/dev/null
like "$(cat out)" 'slept in nap\(\)' "a program of an interpreter: its functions are named"
"$BPFPERF" why -o why.html -- "$WORKLOADS/culprit" convoy >said.txt 2>err
like "$(cat why.html)" '"verdict":\[".*convoy_critical_section' "html: the verdict is in the page"
nok "html: the page loads nothing" grep -qE 'src=|href="http' why.html
done_testing
