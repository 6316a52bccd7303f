#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Time off the CPU: how often and how long threads slept, to the sleep; the waking thread; with time on the CPU.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd python3 perf

SLEEPER=$WORKLOADS/sleeper
all_cpus=$(sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status)

# Over the stacks of a profile in JSON that have all of these words: samples, weights.
of_stacks() { # FILE samples|weight WORD…
	python3 -c '
import json, sys
key, words, total = sys.argv[2], sys.argv[3:], 0
for line in open(sys.argv[1]):
    o = json.loads(line)
    if "stack" in o and all(any(w in f for f in o["stack"] + o["group"]) for w in words):
        total += o[key]
print(total)' "$@"
}

duration() { # FILE: of its recording, in ns
	head -n 1 "$1" | sed -E 's/.*"duration_ns":([0-9]+).*/\1/'
}

# A time that a busy CPU takes away on the way into the sleep is none asleep, and may be all of it: then the thread
# was preempted in the call.
in_sleep() { # FILE samples|weight: in either way
	echo $(($(of_stacks "$1" "$2" nanosleep '[sleeping]') + $(of_stacks "$1" "$2" nanosleep '[preempted]')))
}

# Beside perf's record of every switch.
exits 0 "stack --off-cpu: exit 0" perf record -q -e sched:sched_switch -o switches "$BPFPERF" stack --off-cpu --format json -o off.json -- "$SLEEPER" 107 5000
slept=$(said ns <out)
is "$(summary lost)" 0 "stack --off-cpu: no switch is lost"
switches=$(perf script -i switches -F event,trace 2>/dev/null |
	grep -c 'prev_comm=sleeper .*prev_state=S')
is "$(of_stacks off.json samples sleeper '[sleeping]')" "$switches" "stack --off-cpu: a sample for each switch to sleep that perf saw"
between "$(of_stacks off.json samples nanosleep '[sleeping]')" 1 107 "stack --off-cpu: no sleep is two samples"
between "$(in_sleep off.json samples)" 105 100000 "stack --off-cpu: each sleep is a sample"
asleep=$(of_stacks off.json weight nanosleep '[sleeping]')
between "$(in_sleep off.json weight)" $((105 * 4990000)) "$slept" "stack --off-cpu: asleep as long as was asked for"
off=$(of_stacks off.json weight sleeper)
# If the CPU is taken on the way back from the call, its function is no longer on the stack, and its caller is.
between "$(of_stacks off.json weight sleep_us)" $((slept * 90 / 100)) "$slept" \
	"stack --off-cpu: with the wait for a CPU as long as the sleeper saw"
between "$off" "$asleep" "$(duration off.json)" "stack --off-cpu: in all no more than the time of the run"
like "$(head -n 1 off.json)" '"name":"asleep","unit":"ns","kind":"off-cpu"' "stack --off-cpu: sleep is an event of its own"
like "$(head -n 1 off.json)" '"name":"runnable","unit":"ns","kind":"off-cpu"' "stack --off-cpu: runnable is an event of its own"
is "$(summary samples)" "$(of_stacks off.json samples)" "stack --off-cpu: the sum is what was recorded"

# How long at least, at most.
exits 0 "--off-cpu --min-us: exit 0" "$BPFPERF" stack --min-us 4000 --off-cpu --format json -o min.json -- "$SLEEPER" 23 50000
is "$(of_stacks min.json samples nanosleep '[sleeping]')" 23 "--min-us 4000: all of 50 ms"
exits 0 "--off-cpu --max-us: exit 0" "$BPFPERF" stack --max-us 4000 --off-cpu --format json -o max.json -- "$SLEEPER" 23 50000
is "$(of_stacks max.json samples nanosleep '[sleeping]')" 0 "--max-us 4000: none of them"

# A thread that has not come back at the end was off the CPU until then. The end comes after a sleep was seen to continue for a while.
while_asleep() { # ARG… of stack; how long it certainly slept in $asleep_ms
	local pid start

	"$BPFPERF" stack --off-cpu --format json -o still.json "$@" -- "$SLEEPER" 1 600000000 >out 2>err &
	bg=$!
	reap $bg
	wait_for 20 pgrep -x -P $bg sleeper
	pid=$(pgrep -x -P $bg sleeper)
	reap "$pid"
	# Past the start of the program, whose waits are other ones.
	wait_for 20 grep -qE 'nanosleep' "/proc/$pid/wchan"
	start=$(now_ms)
	sleep 0.5
	asleep_ms=$(($(now_ms) - start))
	stop_bg INT
	kill -KILL "$pid" 2>/dev/null
	is "$bg_rc" 0 "a thread that is still asleep $*: exit 0"
}
while_asleep
is "$(of_stacks still.json samples sleeper nanosleep '[sleeping]')" 1 "a thread that is still asleep: one sleep that did not end"
between "$(of_stacks still.json weight sleeper nanosleep '[sleeping]')" $((asleep_ms * 990000)) "$(duration still.json)" \
	"a thread that is still asleep: time until the end"

cpu=$(allowed_cpus | tail -n 1)
taskset -pc "$cpu" $$ >/dev/null
while_asleep --by cpu
taskset -pc "$all_cpus" $$ >/dev/null
is "$(of_stacks still.json samples "$(printf 'CPU %03d' "$cpu")" nanosleep '[sleeping]')" 1 "a thread that is still asleep, --by cpu: the CPU that it left"

# On and off the CPU together: no time is missing.
# shellcheck disable=SC2016 # the inner shell's
exits 0 "--off-cpu -F: exit 0" "$BPFPERF" stack --off-cpu -F 999 --format json -o both.json -- \
	sh -c '"$1" 53 5000 && exec "$2" 0.5' sh "$SLEEPER" "$WORKLOADS/spin"
on=$(of_stacks both.json weight spin_)
# A machine that is itself put to sleep by its host has ticks that bring no sample: that is told.
unseen=$(sed -nE 's/^bpfperf: ([0-9]+) of [0-9]+ ticks of the clock produced no sample.*/\1/p' err)
between $((on + ${unseen:-0} * 1001001)) 450000000 5000000000 "--off-cpu -F: on the CPU, what spins"
like "$(head -n 1 both.json)" '"name":"cpu-clock","unit":"ns","kind":"on-cpu"' "--off-cpu -F: on the CPU by the clock"
off=$(in_sleep both.json weight)
between "$off" $((51 * 4990000)) "$(duration both.json)" "--off-cpu -F: off the CPU, what sleeps"
exits 0 "-i of on-CPU and off-CPU time as tree: exit 0" "$BPFPERF" stack -i both.json --format tree
like "$(cat out)" 'off CPU +time' "-i of on-CPU and off-CPU time as tree: one table of time"

# The waking thread: a byte travels to and fro through pipes.
exits 0 "--wakers on one CPU: exit 0" "$BPFPERF" stack --wakers --format json -o wake.json -- "$WORKLOADS/sched_pingpong" 1003
# A thread that is woken may take the CPU from the other before that one sleeps.
all=$(of_stacks wake.json samples pipe_read '[sleeping]')
between "$all" 1000 2010 "--wakers on one CPU: threads sleep in between"
between "$(of_stacks wake.json samples pipe_read '[woken by]' pipe_write)" $((all - 2)) "$all" "--wakers on one CPU: each sleep has its waker"
between $((all + $(of_stacks wake.json samples sched_pingpong '[preempted]'))) 2000 2300 "--wakers on one CPU: every hand-over is a sample"
exits 0 "--wakers on one CPU: folded, exit 0" "$BPFPERF" stack -i wake.json --format folded
like "$(cat out)" 'pipe_read;.*__schedule;\[sleeping\];\[woken by\];.*pipe_write;.*;sched_pingpong' \
	"--wakers on one CPU: the sleeper's stack, then the waker's"

# On two CPUs the wake may come while the other is still on its way out: then, too, it has its waker.
if [ "$(allowed_cpus | wc -l)" -ge 2 ]; then
	exits 0 "--wakers on two CPUs: exit 0" "$BPFPERF" stack --wakers --format json -o apart.json -- \
		"$WORKLOADS/sched_pingpong" 10007 apart
	all=$(of_stacks apart.json samples pipe_read '[sleeping]')
	between "$all" 1001 20014 "--wakers on two CPUs: threads sleep in between"
	between "$(of_stacks apart.json samples pipe_read '[woken by]' pipe_write)" $((all * 98 / 100)) "$all" \
		"--wakers on two CPUs: next to all sleeps have their waker"
else
	skip_test "--wakers on two CPUs" "there is one CPU"
fi

# Stacks that are deeper than what is taken by default.
exits 0 "a deep sleep: exit 0" "$BPFPERF" stack --off-cpu --unwind=fp --format json -o deep.json -- "$SLEEPER" 23 50000 203
between "$(head -n 1 deep.json | python3 -c '
import json, sys
print(sum(e.get("truncated", 0) for e in json.loads(sys.stdin.read())["events"] if e["name"] == "asleep"))')" \
	23 23 "a deep sleep: cut stacks are counted"
depth=/proc/sys/kernel/perf_event_max_stack
kept=$(cat $depth)
# It can be set only while no stacks are taken.
if [ "$kept" -ge 512 ] || echo 512 2>/dev/null >$depth; then
	exits 0 "--max-depth 512: exit 0" "$BPFPERF" stack --wakers --unwind=fp --max-depth 512 --no-inline --format json -o deep.json -- \
		"$SLEEPER" 23 50000 403
	is "$(python3 -c '
import json
stacks = [o for o in map(json.loads, open("deep.json")) if "stack" in o and {"deeper", "[sleeping]"} <= set(o["stack"])]
print(sum(o["samples"] for o in stacks if o["stack"].count("deeper") != 403))')" 0 "--max-depth 512: no stack is cut"
	between "$(of_stacks deep.json samples main deeper '[sleeping]')" 23 23 "--max-depth 512: each sleep has its whole stack"
	for ((try = 0; try < 50; try++)); do
		[ "$kept" -lt 512 ] || break
		echo "$kept" 2>/dev/null >$depth && break
		sleep 0.1
	done
fi

exits 2 "--min-us without --off-cpu: exit 2" "$BPFPERF" stack --min-us 5
like "$(cat err)" 'give --off-cpu' "--min-us without --off-cpu: the remedy is named"
exits 2 "--max-us below --min-us: exit 2" "$BPFPERF" stack --off-cpu --min-us 5 --max-us 4
exits 2 "-i with --off-cpu: exit 2" "$BPFPERF" stack -i off.json --off-cpu
done_testing
