#!/bin/busybox sh
# shellcheck shell=dash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# trace: what bpfperf prints of an event is what this kernel prints of it, record by record.
# shellcheck source=lib.sh
. /vm/lib.sh

mkdir $TRACEFS/instances/text
T=$TRACEFS/instances/text
echo 8192 >$T/buffer_size_kb

# TID EVENT: TEXT of the threads in the file tids, in their order for each thread and event (an
# interrupt between the two observers of one event turns the order of two around).
of_bpfperf() { # FILE
	sed -nE 's|^.* [0-9]+/([0-9]+) +\[[0-9]+\] +[0-9.]+: [a-z_]+:([a-z_0-9]+): ?(.*)$|\1 \2: \3|p' "$1" |
		of_threads
}
of_kernel() { # FILE
	sed -nE 's|^.*-([0-9]+) +\[[0-9]+\] [^ ]+ +[0-9.]+: ([a-z_0-9]+): ?(.*)$|\1 \2: \3|p' "$1" |
		of_threads
}
# Z becomes X when the parent reaps: between the two observers, now and then.
of_threads() {
	awk 'NR == FNR { want[$1]; next } $1 in want' tids - |
		sed 's/ *$//; s/ prev_state=Z / prev_state=X /' | sort -s -k 1,2
}

work() {
	fork_tree 5 31
	sched_pingpong 101
	short_lived 3 2
	threads 3 11
}

# Prints the difference. Fails for a record that the kernel does not have, or where more are absent than bpfperf says
# that the kernel has skipped (an interrupt may come while a program runs).
compare() {
	diff -U 0 b a >differ && return
	cat differ
	grep '^bpfperf: ' err
	! grep -q '^+[0-9]' differ && [ "$(grep -c '^-[0-9]' differ)" -le "$(missed)" ]
}

# Both watch while work runs: bpfperf in the background, the kernel into its own buffer.
both() { # NAME EVENT…
	local name=$1 ev

	shift
	echo >$T/trace
	for ev; do
		echo "$ev" >>$T/set_event
	done
	start_bg out.txt -a -m 4M "$@"
	work >said
	sleep 0.3
	stop_bg
	echo >$T/set_event
	cp $T/trace kernel.txt
	grep -oE '(pid|tid|partner)=[0-9]+' said | cut -d= -f2 | grep -vx 0 | sort -u >tids
	of_bpfperf out.txt >a
	of_kernel kernel.txt >b
	ok "$name: $(grep -c . a) records of $(cut -d' ' -f2 a | sort -u | grep -c .) events are the kernel's" \
		compare
	between "$(grep -c . a)" 30 1000000 "$name: there are some"
	is "$(lost_but_missed)" 0 "$name: none is lost"
}

both "sched" 'sched:*'
ok "sched_switch has states that are read from the task" \
	sh -c 'grep -q "prev_state=S ==>" a && grep -q "prev_state=X ==>" a'
both "raw_syscalls" 'raw_syscalls:*'
both "task, signal" 'task:*' 'signal:*'
# Classic tracepoints of their own, and of what has programs of its own.
both "kmem" 'kmem:rss_stat'
BPFPERF_WITHOUT=btf
export BPFPERF_WITHOUT
both "sched_process, classic" 'sched:sched_process_fork' 'sched:sched_process_exec' \
	'sched:sched_process_exit' 'sched:sched_process_wait'
both "sched_switch, classic" 'sched:sched_switch'
both "raw_syscalls, classic" 'raw_syscalls:*'
done_testing
