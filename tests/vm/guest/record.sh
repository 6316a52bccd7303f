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
	exits 0 "record in mode ${mode:-default}: exit 0" bpfperf record -k mono $mode -m 4M -e $EVENT -o m.data -- syscall_loop $N
	is "$(calls m.data), $(summary lost) lost" "$N, 0 lost" "record in mode ${mode:-default}: each of $N calls"
done
exits 0 "record of a child's calls: exit 0" bpfperf record -k mono -m 4M -e $EVENT -o m.data -- sh -c "syscall_loop $N; true"
is "$(calls m.data)" $N "record of a child's calls: each of them"
exits 0 "record of several events: exit 0" bpfperf record -e '{page-faults,context-switches},cpu-clock' -c 101 -g -o m.data -- \
	syscall_loop $N
is "$(bpfperf script -i m.data -F event | grep -c :)" "$(summary samples)" "record of several events: all samples can be read"
exits 0 "record --call-graph dwarf: exit 0" bpfperf record --call-graph dwarf -e cpu-clock -F 500 -o m.data -- spin 1
between "$(bpfperf script -i m.data -F comm -G 2>/dev/null | grep -c spin)" 100 600 "record --call-graph dwarf: samples have user stacks"

exits 0 "rings that are too small: exit 0" bpfperf record -k mono -m 1 -e $EVENT -o m.data -- syscall_loop 200003
produced=$(($(summary samples) + $(summary lost)))
if kernel_is 6.0; then
	is $produced 200003 "rings that are too small: recorded + lost is what was produced"
else
	between $produced 100000 200003 "rings that are too small: losses after the last LOST are unknown before 6.0 ($produced)"
fi
is "$(calls m.data)" "$(summary samples)" "rings that are too small: recorded samples are in the file"

bpfperf -v record -k mono --overwrite -m 16 -e $EVENT -o o.data -- sh -c "syscall_loop $N; touch ready; sleep 30" 2>err &
recorder=$!
wait_for 60 test -e ready
kill -USR2 $recorder
wait_for 60 grep -q '^bpfperf: dump: ' err
kill -INT $recorder
wait $recorder
is $? 0 "record --overwrite: exit 0"
dump=$(sed -n 's/^bpfperf: dump: //p' err)
between "$(calls "$dump")" 100 $((N - 1)) "record --overwrite: the dump holds the newest"
exits 0 "record --overwrite: later records are in the second dump" bpfperf script -i o.data
is "$(calls o.data)" 0 "record --overwrite: no record is dumped twice"

bpfperf record -a -e sched:sched_switch -o k.data 2>err &
recorder=$!
has_data() {
	bpfperf script -i k.data -F tid 2>/dev/null | grep -q .
}
wait_for 60 has_data
kill -KILL $recorder
wait $recorder 2>/dev/null
exits 0 "a killed recorder: script, exit 0" bpfperf script -i k.data
between "$(wc -l <out)" 1 100000000 "a killed recorder: the complete rounds are in the file"
done_testing
