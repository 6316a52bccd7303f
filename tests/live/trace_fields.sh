#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# trace: the text of an event is what perf script prints of the same event.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd perf python3

# What goes over the loopback is received in soft interrupts of who sends it.
packets() {
	local i

	echo "pid=$BASHPID"
	for ((i = 0; i < 31; i++)); do
		echo "$i" 2>/dev/null >/dev/udp/127.0.0.1/9
	done
}

# Things that happen: processes, files, timers, signals, names, soft interrupts.
work() {
	(packets)
	"$WORKLOADS/fork_tree" 5 31
	"$WORKLOADS/renamer" 31
	"$WORKLOADS/sched_pingpong" 101
	"$WORKLOADS/short_lived" 5 2
	"$WORKLOADS/threads" 3 11
}

# Records EVENTS by both at once while work runs, and compares the threads of its programs.
both() { # EVENTS…
	local spec tids events=()

	rm -f perf.data perf.txt out.txt ctl ack
	for spec; do
		compgen -G "$TRACEFS/events/${spec/://}" >/dev/null || continue
		events+=("$spec")
	done
	[ ${#events[@]} -gt 0 ] || { skip_test "$*" "this kernel has no such event" && return; }
	spec=$(IFS=, && echo "${events[*]}")
	mkfifo ctl ack
	perf record -q -a -m 4M -D -1 --control fifo:ctl,ack -e "$spec" -o perf.data 2>perf.err &
	local perf=$!
	reap $perf
	exec 7<>ctl 8<>ack
	echo enable >&7
	read -r -t 60 _ <&8 || { fail "perf record of $spec starts" "$(cat perf.err)" && return; }
	start_bg out.txt trace -a -m 8M "${events[@]}" || : # few events may not come by themselves
	work >said
	sleep 0.2
	stop_bg INT
	kill -INT $perf
	wait $perf
	exec 7>&- 8>&-
	perf script -i perf.data --ns -F comm,pid,tid,cpu,time,event,trace >perf.txt 2>/dev/null
	# Threads that were born and died while both were watching.
	tids=$(grep -oE '\b(pid|tid|partner)=[0-9]+' said | cut -d= -f2 | sort -u)
	# shellcheck disable=SC2086 # one argument for each thread
	ok "$*" records same out.txt perf.txt $tids
	is "$(grep -c 'ring full' err)" 0 "  with none lost for a full ring"
}

both 'sched:*'
both 'raw_syscalls:*'
both 'syscalls:*'
both 'irq:*'
both 'timer:*'
both 'block:*' 'ext4:*'
both 'task:*' 'signal:*'
both 'kmem:*' 'exceptions:*' 'writeback:*'
done_testing
