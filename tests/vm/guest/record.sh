#!/bin/busybox sh
# shellcheck shell=dash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# record on this kernel: each mode of the rings to the sample, losses, dumps, a recorder that is killed.
# shellcheck source=lib.sh
. /vm/lib.sh

N=20011
EVENT=syscalls:sys_enter_getppid

calls() { # FILE
	bpfperf script -i "$1" -F comm 2>/dev/null | grep -c syscall_loop
}

# By mono: perf's own clock is not the same on all CPUs of an emulated machine, and what a thread is called goes
# by times.
for mode in "" --per-thread -i -a -z "-C 0,1"; do
	# shellcheck disable=SC2086 # options
	exits 0 "mode ${mode:-default}" bpfperf record -k mono $mode -m 4M -e $EVENT -o m.data -- syscall_loop $N
	is "$(calls m.data), $(summary lost) lost" "$N, 0 lost" "each of $N calls"
done
exits 0 "a child's calls" bpfperf record -k mono -m 4M -e $EVENT -o m.data -- sh -c "syscall_loop $N; true"
is "$(calls m.data)" $N "are there"
exits 0 "several events" bpfperf record -e '{page-faults,context-switches},cpu-clock' -c 101 -g -o m.data -- \
	syscall_loop $N
is "$(bpfperf script -i m.data -F event | grep -c :)" "$(summary samples)" "all samples can be read"
exits 0 "user stacks" bpfperf record --call-graph dwarf -e cpu-clock -F 500 -o m.data -- spin 1
between "$(bpfperf script -i m.data -F comm -G 2>/dev/null | grep -c spin)" 100 600 "are recorded"

exits 0 "rings that are too small" bpfperf record -k mono -m 1 -e $EVENT -o m.data -- syscall_loop 200003
produced=$(($(summary samples) + $(summary lost)))
if kernel_is 6.0; then
	is $produced 200003 "recorded + lost is what was produced"
else
	between $produced 100000 200003 "what the last LOST does not tell is not known before 6.0 ($produced)"
fi
is "$(calls m.data)" "$(summary samples)" "what was recorded is in the file"

bpfperf -v record -k mono --overwrite -m 16 -e $EVENT -o o.data -- sh -c "syscall_loop $N; touch ready; sleep 30" 2>err &
recorder=$!
wait_for 60 test -e ready
kill -USR2 $recorder
wait_for 60 grep -q '^bpfperf: dump: ' err
kill -INT $recorder
wait $recorder
is $? 0 "a flight recorder"
dump=$(sed -n 's/^bpfperf: dump: //p' err)
between "$(calls "$dump")" 100 $((N - 1)) "its dump holds the newest"
exits 0 "what came after is a recording" bpfperf script -i o.data
is "$(calls o.data)" 0 "and what is dumped is not dumped again"

bpfperf record -a -e sched:sched_switch -o k.data 2>err &
recorder=$!
has_data() {
	bpfperf script -i k.data -F tid 2>/dev/null | grep -q .
}
wait_for 60 has_data
kill -KILL $recorder
wait $recorder 2>/dev/null
exits 0 "of a recorder that was killed" bpfperf script -i k.data
between "$(wc -l <out)" 1 100000000 "the complete rounds are there"
done_testing
