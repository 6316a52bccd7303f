#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# trace: the text of an event is what perf script prints of the same event.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd perf python3

# Packets of the loopback are received in soft interrupts of the sending task.
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

# Waits until our threads that have ended have been switched away from for the last time, which they may be after
# their parents know of their end, and until FILE tells of it.
left_for_good() { # FILE TID…
	local file=$1 tid

	shift
	for tid; do
		grep -qE "/$tid +\[.* sched:sched_switch: .* prev_state=[XZ] " "$file" || return 1
	done
}

lost_by_one() {
	grep -i lost perf.err
	grep 'ring full' err
	grep -qi lost perf.err || grep -q 'ring full' err
}

# Records EVENTS by both at once while work runs; what comes from what it ran is in tids. 1: one of them had no
# room in its rings, as others' events come there too, or perf died; then there is nothing to be compared.
record_both() { # MEBIBYTES EVENTS…
	local mib=$1 spec

	shift
	rm -f perf.data perf.txt out.txt ctl ack
	spec=$(IFS=, && echo "$*")
	mkfifo ctl ack
	perf record -q -a --no-bpf-event -m "${mib}M" -D -1 --control fifo:ctl,ack -e "$spec" -o perf.data 2>perf.err &
	local perf=$!
	reap $perf
	exec 7<>ctl 8<>ack
	echo enable >&7
	read -r -t 60 _ <&8 || { fail "perf record of $spec starts" "$(cat perf.err)" && return; }
	rm -f out.txt
	"$BPFPERF" trace -a -m "$((2 * mib))M" -o out.txt "$@" 2>err &
	bg=$!
	reap $bg
	# Few events may not come by themselves.
	wait_for 20 happens
	work >said
	# Threads that were born and died while both were watching.
	mapfile -t tids < <(grep -oE '\b(pid|tid|partner)=[0-9]+' said | cut -d= -f2 | sort -u)
	if [[ $spec == sched:* ]]; then
		wait_for 60 left_for_good out.txt "${tids[@]}"
	else
		sleep 0.2
	fi
	stop_bg INT
	kill -INT $perf
	wait $perf
	perf_rc=$?
	exec 7>&- 8>&-
	perf script -i perf.data --ns -F comm,pid,tid,cpu,time,event,trace >perf.txt 2>perf.err
	# perf ends by the signal that it is told to end with; of BPF programs that others unload meanwhile it dies.
	[ $perf_rc -eq 0 ] || [ $perf_rc -eq 130 ] || return 1
	! lost_by_one >/dev/null
}

# Compares the records of the threads of its programs.
both() { # EVENTS…
	local spec events=() tids mib perf_rc

	for spec; do
		compgen -G "$TRACEFS/events/${spec/://}" >/dev/null || continue
		events+=("$spec")
	done
	[ ${#events[@]} -gt 0 ] || { skip_test "$*" "this kernel has no such event" && return; }
	for mib in 4 16 64; do
		record_both $mib "${events[@]}" && break
		diag "$*: rings of $mib MiB, perf ended with $perf_rc: $(lost_by_one)"
	done
	ok "$*" records same out.txt perf.txt "${tids[@]}"
	is "$(grep -c 'ring full' err)" 0 "$*: none lost for a full ring"
}

# Has one of the events been recorded? Brings about some of each kind.
happens() {
	test -s out.txt || {
		"$WORKLOADS/renamer" 3 && echo x >file && sync file && kill -CONT "$BASHPID"
		test -s out.txt
	}
}

both 'sched:*'
both 'raw_syscalls:*'
both 'syscalls:*'
both 'irq:*'
both 'timer:*'
if [ "$(stat -f -c %T .)" = ext2/ext3 ]; then
	both 'block:*' 'ext4:*'
else
	skip_test 'fields of block:* and ext4:*' "files of this test are on $(stat -f -c %T .)"
fi
both 'task:*' 'signal:*'
both 'kmem:*' 'exceptions:*' 'writeback:*'
done_testing
