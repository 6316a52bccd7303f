#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Time off the CPU: how often and how long threads slept, to the sleep; who woke them; with time on the CPU.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd python3 perf

SLEEPER=$WORKLOADS/sleeper

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

# Beside perf's record of every switch.
exits 0 "--off-cpu" perf record -q -e sched:sched_switch -o switches "$BPFPERF" stack --off-cpu --format json -o off.json -- "$SLEEPER" 107 5000
slept=$(said ns <out)
is "$(summary lost)" 0 "none was lost"
switches=$(perf script -i switches -F event,trace 2>/dev/null |
	grep -c 'prev_comm=sleeper .*prev_state=S')
is "$(of_stacks off.json samples sleeper '[sleeping]')" "$switches" "a sample for each switch to sleep that perf saw"
# Where a busy CPU takes it away on its way into the sleep, the time may be over before it sleeps.
between "$(of_stacks off.json samples nanosleep '[sleeping]')" 105 107 "each sleep is a sample"
asleep=$(of_stacks off.json weight nanosleep '[sleeping]')
between "$asleep" $((105 * 4990000)) "$slept" "asleep as long as was asked for"
off=$(of_stacks off.json weight sleeper)
between $((asleep + $(of_stacks off.json weight nanosleep '[runnable]'))) $((slept * 90 / 100)) "$slept" \
	"  and with the wait for a CPU, as long as the sleeper saw"
between "$off" "$asleep" $((slept * 2)) "in all no more than there was time"
like "$(head -n 1 off.json)" '"name":"asleep","unit":"ns","kind":"off-cpu"' "asleep is an event of its own"
like "$(head -n 1 off.json)" '"name":"runnable","unit":"ns","kind":"off-cpu"' "  runnable too"
is "$(summary samples)" "$(of_stacks off.json samples)" "the sum is what was recorded"

# How long at least, at most.
exits 0 "--min-us" "$BPFPERF" stack --min-us 4000 --off-cpu --format json -o min.json -- "$SLEEPER" 53 5000
is "$(of_stacks min.json samples nanosleep '[sleeping]')" 53 "--min-us 4000: all of 5 ms"
exits 0 "--max-us" "$BPFPERF" stack --max-us 4000 --off-cpu --format json -o max.json -- "$SLEEPER" 53 5000
is "$(of_stacks max.json samples nanosleep)" 0 "--max-us 4000: none of them"

# Who has not come back at the end was away until then.
exits 0 "still asleep" "$BPFPERF" stack --off-cpu --duration 1.5 --format json -o still.json -- \
	"$SLEEPER" 1 60000000
is "$(of_stacks still.json samples sleeper nanosleep '[sleeping]')" 1 "one sleep that did not end"
between "$(of_stacks still.json weight sleeper nanosleep '[sleeping]')" 500000000 \
	"$(head -n 1 still.json | sed -E 's/.*"duration_ns":([0-9]+).*/\1/')" "  until the end"

cpu=$(taskset -pc $$ | sed -E 's/.*[^0-9]([0-9]+)$/\1/')
exits 0 "  with --by cpu" taskset -c "$cpu" "$BPFPERF" stack --off-cpu --by cpu --duration 0.5 --format json -o still.json -- \
	"$SLEEPER" 1 60000000
is "$(of_stacks still.json samples "$(printf 'CPU %03d' "$cpu")" nanosleep '[sleeping]')" 1 "  is of the CPU that it left"

# On and off the CPU together: no time is missing.
# shellcheck disable=SC2016 # the inner shell's
exits 0 "--off-cpu -F" "$BPFPERF" stack --off-cpu -F 999 --format json -o both.json -- \
	sh -c '"$1" 53 5000 && exec "$2" 0.5' sh "$SLEEPER" "$WORKLOADS/spin"
on=$(of_stacks both.json weight spin_)
between "$on" 450000000 5000000000 "on the CPU: what spins"
like "$(head -n 1 both.json)" '"name":"cpu-clock","unit":"ns","kind":"on-cpu"' "  by the clock"
off=$(of_stacks both.json weight sleeper '[sleeping]')
between "$off" $((51 * 4990000)) 5000000000 "off the CPU: what sleeps"
exits 0 "tree" "$BPFPERF" stack -i both.json --format tree
like "$(cat out)" 'off CPU +time' "one table of time"

# Who woke: a byte that goes to and fro through pipes.
exits 0 "--wakers" "$BPFPERF" stack --wakers --format json -o wake.json -- "$WORKLOADS/sched_pingpong" 1003
# A thread that is woken may take the CPU from the other before that one sleeps.
all=$(of_stacks wake.json samples pipe_read '[sleeping]')
between "$all" 1000 2010 "--wakers: threads sleep in between"
between "$(of_stacks wake.json samples pipe_read '[woken by]' pipe_write)" $((all - 2)) "$all" "  each has its waker"
between $((all + $(of_stacks wake.json samples sched_pingpong '[preempted]'))) 2000 2300 "  every hand-over is there"
exits 0 "  folded" "$BPFPERF" stack -i wake.json --format folded
like "$(cat out)" 'pipe_read;.*__schedule;\[sleeping\];\[woken by\];.*pipe_write;.*;sched_pingpong' \
	"  the sleeper's stack, then the waker's"

# Stacks that are deeper than what is taken by default.
exits 0 "a deep sleep" "$BPFPERF" stack --off-cpu --unwind=fp --format json -o deep.json -- "$SLEEPER" 53 5000 203
between "$(head -n 1 deep.json | python3 -c '
import json, sys
print(sum(e.get("truncated", 0) for e in json.loads(sys.stdin.read())["events"] if e["name"] == "asleep"))')" \
	51 53 "what is cut is counted"
depth=/proc/sys/kernel/perf_event_max_stack
kept=$(cat $depth)
# It can be set while nobody takes stacks only.
if [ "$kept" -ge 512 ] || echo 512 2>/dev/null >$depth; then
	exits 0 "--max-depth 512" "$BPFPERF" stack --wakers --unwind=fp --max-depth 512 --no-inline --format json -o deep.json -- \
		"$SLEEPER" 53 5000 403
	is "$(python3 -c '
import json
stacks = [o for o in map(json.loads, open("deep.json")) if "stack" in o and {"deeper", "[sleeping]"} <= set(o["stack"])]
print(sum(o["samples"] for o in stacks if o["stack"].count("deeper") != 403))')" 0 "none is cut"
	between "$(of_stacks deep.json samples main deeper '[sleeping]')" 51 53 "  each sleep is there, whole"
	for ((try = 0; try < 50; try++)); do
		[ "$kept" -lt 512 ] || break
		echo "$kept" 2>/dev/null >$depth && break
		sleep 0.1
	done
fi

exits 2 "--min-us alone" "$BPFPERF" stack --min-us 5
like "$(cat err)" 'give --off-cpu' "  says what it goes with"
exits 2 "--max-us below --min-us" "$BPFPERF" stack --off-cpu --min-us 5 --max-us 4
exits 2 "-i and --off-cpu" "$BPFPERF" stack -i off.json --off-cpu
done_testing
