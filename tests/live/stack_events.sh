#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Stacks of any event: tracepoints to the record, weights, several events at once, modifiers, throttling.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
# shellcheck source=steady.bash
. "$TOP/tests/live/steady.bash"
need_cmd perf python3

SPIN=$WORKLOADS/spin
LOOP=$WORKLOADS/syscall_loop

# Values in a folded file: all, or of the lines that match.
sum_of() { # FILE [REGEX]
	grep -aE "${2:-.}" "$1" | awk '{ n += $NF } END { print n + 0 }'
}

# A number of an event in a profile in JSON.
of_event() { # FILE EVENT KEY
	head -n 1 "$1" | python3 -c '
import json, sys
print([e for e in json.loads(sys.stdin.readline())["events"] if e["name"] == sys.argv[1]][0][sys.argv[2]])' "$2" "$3"
}

# A tracepoint: each one is a sample, in the function that it happened in.
exits 0 "stack -e of a tracepoint: exit 0" "$BPFPERF" stack -m 32M -e syscalls:sys_enter_getppid --format json -o tp.json -- "$LOOP" 30011
is "$(summary lost)" 0 "stack -e of a tracepoint: no sample is lost"
exits 0 "stack -e of a tracepoint: folded, exit 0" "$BPFPERF" stack -i tp.json --format folded -o tp.folded
is "$(sum_of tp.folded '^syscall_loop;.*entry_SYSCALL|el0t?_')" 30011 "stack -e of a tracepoint: each system call is a sample"
is "$(grep -c '__traceiter\|bpf_prog_\|perf_trace_' tp.folded)" 0 "stack -e of a tracepoint: no function of tracing is in a stack"
is "$(of_event tp.json syscalls:sys_enter_getppid samples)" "$(sum_of tp.folded)" "stack -e of a tracepoint: samples add up"
cpu=$(own_cpus | tail -n 1)
exits 0 "stack -c 1003 of a tracepoint: exit 0" "$BPFPERF" stack -e raw_syscalls:sys_enter -c 1003 --format json -o every.json \
	-- taskset -c "$cpu" "$LOOP" 300011
calls=$(of_event every.json raw_syscalls:sys_enter weight)
between "$calls" $((300011 - 1003)) 301003 "stack -c 1003 of a tracepoint: calls are accounted for but a part of a period"
is "$calls" $((1003 * $(of_event every.json raw_syscalls:sys_enter samples))) "stack -c 1003 of a tracepoint: each sample is its period"
exits 0 "stack -F 99 of a tracepoint: exit 0" "$BPFPERF" stack -e raw_syscalls:sys_enter -F 99 --format json -o freq.json \
	-- taskset -c "$cpu" "$LOOP" 1000003
calls=$(of_event freq.json raw_syscalls:sys_enter weight)
all=$(of_event freq.json raw_syscalls:sys_enter samples)
between "$all" 10 $((300 + 99 * 10)) "stack -F 99 of a tracepoint: few samples"
between "$calls" $((1000003 - 3 * calls / all)) 1001000 "stack -F 99 of a tracepoint: weights are the calls but a part of a period"

# A tracepoint whose occurrences weigh: nanoseconds.
exits 0 "stack -e sched_stat_runtime: exit 0" "$BPFPERF" stack -e sched:sched_stat_runtime --format json -o runtime.json \
	-- "$SPIN" 1
cpu_ms=$(said cpu_s <out | awk '{ printf "%d", $1 * 1000 }')
between $(($(of_event runtime.json sched:sched_stat_runtime weight) / 1000000)) $((cpu_ms * 97 / 100)) \
	$((cpu_ms * 103 / 100 + 20)) "stack -e sched_stat_runtime: weights add up to the CPU time"

# Software events: one in N is a sample, and stands for N.
exits 0 "stack -e page-faults -c 100: exit 0" "$BPFPERF" stack -e page-faults -c 100 --format json -o hundredth.json \
	-- taskset -c "$cpu" "$WORKLOADS/faults" 5003 1
faults=$(of_event hundredth.json page-faults weight)
between "$faults" 3500 6500 "stack -e page-faults -c 100: faults are accounted for, beside those of others on the CPU"
is "$faults" $((100 * $(of_event hundredth.json page-faults samples))) "stack -e page-faults -c 100: each sample is its period"

# Software events, beside perf's count of the same program.
exits 0 "stack -e page-faults -c 1: exit 0" "$BPFPERF" stack -e page-faults -c 1 -o faults.folded -- \
	perf stat -x, -e page-faults -o faults -- "$SPIN" 0.01
want=$(awk -F, '$3 ~ /page-faults/ { print $1 }' faults)
between "$want" 20 2000 "stack -e page-faults -c 1: there are page faults"
between "$(sum_of faults.folded '^spin;')" $((want - 2)) $((want + 2)) \
	"stack -e page-faults -c 1: as many as perf counts"

# Several at once, each with its own values.
exits 0 "stack of three events: exit 0" "$BPFPERF" stack -e page-faults,syscalls:sys_enter_getppid -e context-switches -c 1 \
	--format json -o three.json -- taskset -c "$cpu" "$LOOP" 1013
all=$(summary samples)
exits 0 "stack of three events: folded, exit 0" "$BPFPERF" stack -i three.json --format folded -o three.folded
is "$(sum_of three.folded '^syscalls:sys_enter_getppid;syscall_loop;')" 1013 "stack of three events: each call is a sample"
is "$(sum_of three.folded '^page-faults;')" "$(of_event three.json page-faults samples)" "stack of three events: page faults apart"
between "$(of_event three.json page-faults samples)" 20 2000 "stack of three events: there are page faults"
is "$all" "$(sum_of three.folded)" "stack of three events: the sum is what was recorded"

# Modifiers.
before=$(stolen)
exits 0 "stack -e cpu-clock:u: exit 0" "$BPFPERF" stack -e cpu-clock:u -c 1000000 -o u.folded -- "$SPIN" 1
is "$(sum_of u.folded 'entry_SYSCALL|asm_sysvec|el0t?_')" 0 "stack -e cpu-clock:u: no function of the kernel"
sampled "$(sum_of u.folded ';spin_(inner|outer)')" 1000 1 "$before" "stack -e cpu-clock:u: a second in user code"
exits 0 "stack -e cpu-clock:k: exit 0" "$BPFPERF" stack -e cpu-clock:k -c 1000000 -o k.folded -- "$LOOP" 1000003
is "$(sum_of k.folded '(^|;)(main|syscall) [0-9]+$')" 0 "stack -e cpu-clock:k: no sample in user code"
exits 2 "stack -e TRACEPOINT:u: exit 2" "$BPFPERF" stack -e sched:sched_switch:u
like "$(cat err)" 'give --user' "stack -e TRACEPOINT:u: --user is the remedy"
exits 2 "stack -e of an event that cannot be sampled: exit 2" "$BPFPERF" stack -e duration_time
like "$(cat err)" 'bpfperf stat -e duration_time' "stack -e of an event that cannot be sampled: stat is the remedy"

# In frequency mode a sample stands for the time since the last one.
exits 0 "stack --weight -F 500: exit 0" "$BPFPERF" stack -e cpu-clock -F 500 --format json -o period.json -- "$SPIN" 1
between $(($(of_event period.json cpu-clock weight) / $(of_event period.json cpu-clock samples))) \
	1990000 2100000 "stack --weight -F 500: 2 ms each"

# More samples than the kernel allows: it holds the event back, and that is told.
limit=/proc/sys/kernel/perf_event_max_sample_rate
rate=$(cat $limit)
put_back() {
	echo "$rate" >"$limit"
	tap_cleanup
}
if echo 20000 2>/dev/null >$limit; then
	trap put_back EXIT
	exits 0 "sampling that is throttled: exit 0" "$BPFPERF" stack -e cpu-clock -c 10000 -m 16M --format json -o throttled.json -- "$SPIN" 0.3
	echo "$rate" >"$limit"
	like "$(cat err)" 'throttled sampling [1-9][0-9]* times, [0-9.]* s' "sampling that is throttled: throttling is reported"
	like "$(head -n 1 throttled.json)" '"throttled":[1-9]' "sampling that is throttled: the profile has it too"
	exits 0 "sampling that is throttled: the profile is read again" "$BPFPERF" stack -i throttled.json --format tree
	like "$(cat out)" ', throttled [1-9][0-9]* times' "sampling that is throttled: the profile's tree reports it"
fi
# When the kernel skips a program because another one runs, the clock counts the missing samples.
taskset -c "$cpu" "$WORKLOADS/syscall_loop" 2000000003 >/dev/null &
loop=$!
reap $loop
BPFPERF_WITHOUT=btf "$BPFPERF" trace -C "$cpu" -g -m 64K -o busy.txt 'raw_syscalls:*' 2>/dev/null &
busy=$!
reap $busy
wait_for 20 test -s busy.txt
exits 0 "beside programs that take most of a CPU: exit 0" "$BPFPERF" stack -C "$cpu" -m 8M -F 4999 --unwind=fp --duration 2 -o x.folded
kill -INT $busy
kill $loop
wait $busy
unseen=$(sed -nE 's/.*: ([0-9]+) of [0-9]+ ticks of the clock produced no sample.*/\1/p' err)
ticks=$(sed -nE 's/.* of ([0-9]+) ticks of the clock produced no sample.*/\1/p' err)
between "${unseen:-0}" 503 "${ticks:-0}" "beside programs that take most of a CPU: ticks without a sample are reported"
# Samples of bpfperf's own run are excluded.
between "$(($(summary samples) + $(summary lost) + ${unseen:-0}))" $((${ticks:-0} * 90 / 100)) "${ticks:-0}" \
	"beside programs that take most of a CPU: samples and reported ticks are all ticks"
between "${ticks:-0}" $((4999 * 2 * 97 / 100)) 30000 "beside programs that take most of a CPU: ticks of the time that passed"

# Stacks that are deeper than what is taken by default.
depth=/proc/sys/kernel/perf_event_max_stack
kept=$(cat $depth)
exits 0 "a stack deeper than the kernel takes: exit 0" "$BPFPERF" stack --unwind=fp -e syscalls:sys_enter_getppid --format json -o deep.json -- \
	"$WORKLOADS/stacks" 101 200
is "$(of_event deep.json syscalls:sys_enter_getppid truncated)" 101 "a stack deeper than the kernel takes: cut stacks are counted"
like "$(cat deep.json)" '"truncated":true|\[truncated\]|"truncated":1' "a stack deeper than the kernel takes: the profile marks them"
if [ "$kept" -lt 300 ]; then
	exits 2 "stack --max-depth beyond the sysctl: exit 2" "$BPFPERF" stack --max-depth 300
	like "$(cat err)" "sysctl kernel.perf_event_max_stack=300" "stack --max-depth beyond the sysctl: the sysctl is named"
fi
# It can be set only while no stacks are taken.
if [ "$kept" -ge 300 ] || echo 300 2>/dev/null >$depth; then
	exits 0 "stack --max-depth 300: exit 0" "$BPFPERF" stack -e syscalls:sys_enter_getppid --max-depth 300 \
		--no-inline -o deep.folded -- "$WORKLOADS/stacks" 101 200
	is "$(grep -cE '(;(zero|one)){200}' deep.folded)" 101 "stack --max-depth 300: each stack is whole"
	for ((try = 0; try < 50; try++)); do
		[ "$kept" -lt 300 ] || break
		echo "$kept" 2>/dev/null >$depth && break
		sleep 0.1
	done
fi
done_testing
