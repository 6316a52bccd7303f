#!/bin/busybox sh
# shellcheck shell=dash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Disturbances of the machine while bpfperf runs: CPUs that go and come, steps of the clock, suspending, frozen control groups, the end
# of memory, ids of processes that come again. Each call is a record or is counted as lost, and nothing is left attached.
# vm: --memory 640
# vm-only: x86_64
# shellcheck source=lib.sh
. /vm/lib.sh

ev=syscalls:sys_enter_getppid
cpu1=/sys/devices/system/cpu/cpu1/online

# Starts bpfperf with stderr in err, and waits until it has written records of a call to FILE.
start() { # FILE ARG…
	local file=$1 i=0

	shift
	rm -f "$file"
	bpfperf "$@" -o "$file" >bg.out 2>err &
	bg=$!
	while [ ! -s "$file" ] && [ $i -lt 300 ]; do
		syscall_loop 1 >/dev/null
		sleep 0.1
		i=$((i + 1))
	done
}
# Ends it by SIGINT; its exit status is in rc. No longer than 20 s.
finish() {
	kill -INT $bg
	(sleep 20 && kill -9 $bg) 2>/dev/null &
	wait $bg
	rc=$?
	kill $! 2>/dev/null
}
# Records of syscall_loop.
calls() { # FILE
	grep -c '"comm":"syscall_loop"' "$1"
}
starts() { # FILE: records of start()
	sed -n 's/.*"tid":\([0-9]*\),"comm":"syscall_loop".*/\1/p' "$1" | uniq -c | awk '$1 == 1' | wc -l
}

if [ -w $cpu1 ]; then
	start f.json trace -a $ev
	echo 0 >$cpu1
	syscall_loop 2003 >/dev/null
	echo 1 >$cpu1
	taskset 2 syscall_loop 3001 >/dev/null
	taskset 1 syscall_loop 4001 >/dev/null
	finish
	is $rc 0 "trace -a, a CPU that goes and comes: exit 0"
	lost=$(summary lost)
	is $(($(calls f.json) - $(starts f.json) + lost)) 9005 "trace -a, a CPU that goes and comes: each call is a record or counted as lost"
	diag "$lost lost"
	# The kernel does not put the events of the CPU back when it comes again.
	bpfperf stack -a -F 99 --format folded --duration 4 -o f.folded >bg.out 2>err &
	bg=$!
	sleep 2
	echo 0 >$cpu1
	sleep 1
	echo 1 >$cpu1
	wait $bg
	is $? 0 "stack -a, a CPU that goes and comes: exit 0"
	between "$(summary samples)" 1 1000 "stack -a, a CPU that goes and comes: there are samples"
	says err "warning: CPU 1 went offline: its last [0-9.]+ s are missing" "stack -a, a CPU that goes and comes: its absence is said"
	bpfperf record -a -F 99 -e cpu-clock -o r.data --duration 3 >bg.out 2>err &
	bg=$!
	sleep 1
	echo 0 >$cpu1
	sleep 1
	echo 1 >$cpu1
	wait $bg
	is $? 0 "record -a, a CPU that goes and comes: exit 0"
	says err "warning: CPU 1 went offline" "record -a, a CPU that goes and comes: its absence is said"
	bpfperf stat -a -e $ev,context-switches -I 500 --duration 3 -o s.txt >bg.out 2>err &
	bg=$!
	sleep 1
	echo 0 >$cpu1
	syscall_loop 2003 >/dev/null
	sleep 1
	echo 1 >$cpu1
	wait $bg
	is $? 0 "stat -a -I, a CPU that goes and comes: exit 0"
	says err "warning: CPU 1 went offline" "stat -a -I, a CPU that goes and comes: its absence is said"
	is "$(awk -v e=$ev 'index($0, e) { gsub(",", "", $2); s += $2 } END { print (s >= 2003) }' s.txt)" 1 \
		"stat -a -I, a CPU that goes and comes: the calls on the other CPU are counted"
else
	skip_test "trace -a, a CPU that goes and comes" "this machine has one CPU"
fi

# The wall clock, an hour on and a day back.
now=$(date +%s)
start f.json trace -a $ev --duration 5
date -s "@$((now + 3600))" >/dev/null
syscall_loop 2003 >/dev/null
date -s "@$((now - 86400))" >/dev/null
syscall_loop 2003 >/dev/null
up=$(cut -d. -f1 /proc/uptime)
wait $bg
is $? 0 "trace --duration, steps of the clock: exit 0"
between $(($(cut -d. -f1 /proc/uptime) - up)) 0 12 "trace --duration, steps of the clock: it ends in time"
is $(($(calls f.json) - $(starts f.json) + $(summary lost))) 4006 "trace --duration, steps of the clock: each call is a record or counted as lost"
is "$(sed -n 's/^{"time":\([0-9.]*\),.*/\1/p' f.json | sort -n -c 2>&1)" "" "trace --duration, steps of the clock: times do not go back"
date -s "@$((now + 30))" >/dev/null

# Suspending, up to the freezer; the machine goes on after five seconds.
if grep -q freezer /sys/power/pm_test 2>/dev/null; then
	start f.json trace -a $ev
	echo freezer >/sys/power/pm_test
	syscall_loop 2003 >/dev/null
	ok "the machine suspends up to the freezer" sh -c 'echo freeze >/sys/power/state'
	syscall_loop 2003 >/dev/null
	echo none >/sys/power/pm_test
	finish
	is $rc 0 "trace -a, suspended: exit 0"
	is $(($(calls f.json) - $(starts f.json) + $(summary lost))) 4006 "trace -a, suspended: each call is a record or counted as lost"
else
	skip_test "trace -a, suspended" "this kernel cannot try it"
fi

mkdir -p /tmp/v2
if mount -t cgroup2 none /tmp/v2 2>/dev/null; then
	mkdir -p /tmp/v2/one
	# bpfperf itself is frozen, while more calls are made than its ring holds.
	start f.json trace -a -m 64K $ev
	echo $bg >/tmp/v2/one/cgroup.procs
	echo 1 >/tmp/v2/one/cgroup.freeze
	syscall_loop 20011 >/dev/null
	echo 0 >/tmp/v2/one/cgroup.freeze
	syscall_loop 2003 >/dev/null
	finish
	is $rc 0 "trace -a, frozen itself: exit 0"
	is $(($(calls f.json) - $(starts f.json) + $(summary lost))) 22014 "trace -a, frozen itself: each call is a record or counted as lost"
	between "$(summary lost)" 1 20011 "trace -a, frozen itself: what found no room is counted"

	echo +memory >/tmp/v2/cgroup.subtree_control 2>/dev/null
	if [ -e /tmp/v2/one/memory.max ]; then
		# CMD ends by the end of its memory.
		mkdir -p /tmp/v2/small
		echo 4M >/tmp/v2/small/memory.max
		exits 0 "trace, memory of CMD ends: exit 0" bpfperf trace $ev -o f.json -- sh -c \
			'syscall_loop 2003; echo $$ >/tmp/v2/small/cgroup.procs; exec dd bs=64M count=1 if=/dev/zero of=/dev/null'
		ok "trace, memory of CMD ends: CMD was killed" grep -q "^oom_kill [1-9]" /tmp/v2/small/memory.events
		is $(($(calls f.json) + $(summary lost))) 2003 "trace, memory of CMD ends: each call is a record or counted as lost"
		# Its own memory ends: whatever it has attached is gone.
		echo 1M >/tmp/v2/one/memory.max
		(
			echo 0 >/tmp/v2/one/cgroup.procs
			exec bpfperf trace -a $ev -o f.json
		) >bg.out 2>&1 &
		bg=$!
		(sleep 60 && kill -9 $bg) 2>/dev/null &
		wait $bg
		between $? 1 137 "trace -a, its own memory ends: it does not go on"
		kill $! 2>/dev/null
		exits 0 "trace after that: exit 0" bpfperf trace -o f.json $ev -- syscall_loop 2003
		is "$(calls f.json)" 2003 "trace after that: each call is a record"
	else
		skip_test "trace, memory of CMD ends" "this kernel has no such control groups"
	fi
else
	skip_test "trace -a, frozen itself" "this kernel has no such control groups"
fi

# Ids of processes come again after some 100.
pid_max=$(cat /proc/sys/kernel/pid_max)
echo 400 >/proc/sys/kernel/pid_max
cat >forks.sh <<'END'
i=0
while [ $i -lt 301 ]; do
	syscall_loop 3 >/dev/null
	i=$((i + 1))
done
END
exits 0 "trace, ids come again: exit 0" bpfperf trace -o f.json $ev -- sh forks.sh
is $(($(calls f.json) + $(summary lost))) 903 "trace, ids come again: each call is a record of its program"
between "$(sed -n 's/.*"tid":\([0-9]*\),.*/\1/p' f.json | sort -u | wc -l)" 1 300 "trace, ids come again: there are fewer ids than processes"
exits 0 "stack, ids come again: exit 0" bpfperf stack -e $ev -c 1 -o f.folded -- sh forks.sh
is "$(samples f.folded '^syscall_loop;')" 903 "stack, ids come again: each call is a sample of its program"
echo "$pid_max" >/proc/sys/kernel/pid_max
done_testing
