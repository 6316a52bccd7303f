#!/bin/busybox sh
# shellcheck shell=dash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# vm: --userland
# bpfperf stat beside this kernel's perf stat, on the project's own PMU (docs/testpmu.md): the same
# states, and why.
# shellcheck source=lib.sh
. /vm/lib.sh

e=testpmu/ns/
first=testpmu/first/
tick=/sys/bus/event_source/devices/testpmu/tick

# Runs CMD's stat with EVENTS, in columns between which ; stands, into FILE; its talk in err.
stat_of() { # TOOL FILE EVENTS [ARG…]
	local tool=$1 file=$2 events=$3

	shift 3
	"$tool" stat -x ';' -o "$file" -e "$events" "$@" spin 0.5 >said 2>err
}

# The state of each event of FILE, one a line: a word, or the percentage it ran.
states() { # FILE
	awk -F ';' '/testpmu|page-faults/ {
		if (substr($1, 1, 1) == "<") print $1
		else if ($5 >= 99) print "all"
		else print "part"
	}' "$1"
}

# Events in ours that ran for a percentage from LOW to HIGH.
ran() { # LOW HIGH
	awk -F ';' -v low="$1" -v high="$2" '/testpmu/ && $1 + 0 && $5 + 0 >= low && $5 + 0 <= high { n++ }
		END { print n + 0 }' ours
}

# Both tools say the same of EVENTS.
agree() { # EVENTS
	stat_of perf theirs "$1"
	stat_of bpfperf ours "$1"
	is "$(states ours | tr '\n' ' ')" "$(states theirs | tr '\n' ' ')" "as perf stat: $1" ||
		diag "$(cat ours theirs err)"
}

[ ! -e /vm/stat/skip ] || skip_all "$(cat /vm/stat/skip)"
ok "the module testpmu loads" insmod /vm/stat/testpmu.ko

agree "$e,$e,$e,$e"
is "$(ran 99 100)" 4 "four events count all the time"
is "$(cat err)" "" "four events count all the time: nothing on stderr"
agree "$e,$e,$e,$e,$e,$e"
is "$(ran 45 85)" 6 "six events take turns" || diag "$(cat ours err)"
says err 'shares the counters of testpmu with 5 other events' "six events take turns: the reason is reported"
awk -F ';' '/testpmu/ { n++; if ($1 < 300000000 || $1 > 700000000) bad++ } END { exit n != 6 || bad > 0 }' ours
tap_result $? "six events take turns: each is extrapolated to half a second of ns" || diag "$(cat ours)"
stat_of bpfperf ours "$e,$e,$e,$e,$e,$e" --no-scale
awk -F ';' '/testpmu/ && $1 > 460000000 { bad++ } END { exit bad > 0 }' ours
tap_result $? "six events take turns: --no-scale does not extrapolate" || diag "$(cat ours)"
bpfperf stat -x ';' -o ours -C 0 -e "task-clock,$e,$e,$e,$e,$e,$e" -- \
	sh -c 'taskset 1 spin 0.3; taskset 2 spin 0.5' >said 2>err
awk -F ';' '/testpmu/ { pct += $5 } END { exit !(pct > 360 && pct < 420) }' ours
tap_result $? "six events of a CPU that the command is on for a part: four counters' turns while it is there" ||
	diag "$(cat ours err)"
awk -F ';' '/task-clock/ { ms = $1 } /testpmu/ { n++; if ($1 < 800000 * ms || $1 > 1200000 * ms) bad++ }
	END { exit n != 6 || bad > 0 }' ours
tap_result $? "six events of a CPU that the command is on for a part: extrapolated to that part alone" || diag "$(cat ours)"
agree "{$e,$e,$e,$e},$first"
says err 'its group of 4 shares' "a group that takes turns: the reason is reported"
agree "{$e,$e,$e,$e,$e}"
is "$(states ours | tr '\n' ' ')" "<not counted> <not counted> <not counted> <not counted> <not supported> " \
	"a group of five: four are not counted, one is not supported"
says err 'as member 5 of its group the PMU of testpmu has no counter left' "a group of five: the member is named"
agree "{$e,$e,$e,$e,$e,page-faults}"
agree "${first}D,$first"
says err 'never found a counter' "a counter that a pinned event holds: the others take turns"
agree "${first}D,${first}D"
says err 'pinned, but no counter was free' "two pinned events of one counter: the second does not count"
stat_of bpfperf ours "{$e,$e,$e,$e,$e}:W"
is "$(states ours | sort | uniq -c | tr -s ' ' | tr '\n' ';')" " 5 part;" "a weak group is split"

stat_of bpfperf ours "$e,$e,$e,$e,$e,$e" --fit
is "$(ran 99 100)" 6 "--fit: six events count all the time" || diag "$(cat ours err)"
says err '6 events in 2 runs' "--fit of six events: two runs"
stat_of bpfperf ours "{$e,$e,$e},$first,{$e,$e},$e,$first" --fit
is "$(ran 99 100)" 8 "--fit: groups stay together" || diag "$(cat ours err)"
says err '8 events in 2 runs' "--fit of groups: two runs, the two of one counter apart" || diag "$(cat err)"
stat_of bpfperf ours "{$e,$e,$e,$e,$e}:W,$e" --fit
is "$(ran 99 100)" 6 "--fit: a weak group that is too large is split" || diag "$(cat ours err)"
says err '6 events in 2 runs' "--fit of a weak group that is too large: two runs"
stat_of bpfperf ours "$e,$e,${e}e" --fit
is "$(ran 99 100)" 3 "--fit: what is exclusive counts all the time" || diag "$(cat ours err)"
says err '3 events in 2 runs' "--fit of an exclusive event: a run of its own"
stat_of bpfperf ours "{page-faults,$e,$e,$e},{$e,$e}"
is "$(states ours | tr '\n' ' ')" "part part part part part part " "groups with software take turns" || diag "$(cat ours)"
says err 'page-faults: its group of 4 shares the counters of testpmu with 2 other events' "groups with software events wait with their PMU"

# A tick is exact: on whichever CPU it is written, all CPUs together have it.
exits 0 "stat -a of ticks: exit 0" bpfperf stat -x ';' -a -e testpmu/tick/ -- sh -c "echo 1009 >$tick; echo 8 >$tick"
is "$(cut -d ';' -f 1,3 out)" "1017;testpmu/tick/" "stat -a of ticks: each is counted" || diag "$(cat out err)"
exits 0 "stat -a -A of ticks: exit 0" bpfperf stat -x ';' -a -A -e testpmu/tick/ -- taskset 2 sh -c "echo 2003 >$tick"
is "$(grep '^CPU1' out | cut -d ';' -f 2)" 2003 "stat -a -A of ticks: each on its CPU" || diag "$(cat out err)"
exits 0 "missing counts as text: the reasons are reported" bpfperf stat -e "$e,$e,$e,$e,$e" -- spin 0.2
is "$(grep -c '^ *^ it shares the counters of testpmu' out)" 5 "missing counts as text: a line under each event" || diag "$(cat out)"
exits 0 "stat --user-read of CPUs: exit 0" bpfperf stat --user-read -a -x ';' -e "$e" -- spin 0.2
says err '^bpfperf: 0 reads in user space, [0-9]+ by read\(2\): ' "stat --user-read of CPUs: the way of reading is reported"
ok "the module testpmu is removed" rmmod testpmu

# On a machine without a PMU of its own the test PMU takes the part: an instruction each half nanosecond.
if [ "$(uname -m)" = x86_64 ] && kernel_is 6.1; then
	ok "the module testpmu loads as cpu" insmod /vm/stat/testpmu.ko as_cpu=1
	exits 0 "stat of cycles and instructions: exit 0" bpfperf stat -x ';' -e '{cycles,instructions},task-clock' -- spin 0.5
	between "$(awk -F ';' '/instructions/ && $7 == "insn per cycle" { printf "%d", $6 * 1000 }' out)" \
		1999 2001 "stat of cycles and instructions: two instructions a cycle" || diag "$(cat out)"
	between "$(awk -F ';' '/cycles/ && $7 == "GHz" { printf "%d", $6 * 1000 }' out)" 900 1100 "stat of cycles and instructions: at 1 GHz" ||
		diag "$(cat out)"
	exits 0 "stat without -e: exit 0" bpfperf stat -x ';' -- spin 0.1
	is "$(cut -d ';' -f 3 out | grep -v = | tr '\n' ' ')" \
		"task-clock context-switches cpu-migrations page-faults cycles instructions branches branch-misses " \
		"stat without -e: events are perf's"
	ok "the module testpmu as cpu is removed" rmmod testpmu
fi

# When its CPU goes offline, the kernel removes the members of a group one by one.
cpu1=/sys/devices/system/cpu/cpu1/online
calls=syscalls:sys_enter_getsid
if [ -w $cpu1 ]; then
	echo "taskset 2 syscall_loop 503 getsid && echo 0 >$cpu1 && taskset 1 syscall_loop 10007 getsid &&
		echo 1 >$cpu1" >hotplug
	exits 0 "a CPU that goes offline and comes back: exit 0" bpfperf stat -a -A -x ';' -e "{$calls,page-faults}" -- sh hotplug
	is "$(grep $calls out | cut -d ';' -f 1,2 | tr '\n' ' ')" "CPU0;10007 CPU1;503 " \
		"a CPU that goes offline and comes back: its group keeps its counts, and the others continue" || diag "$(cat out err)"
	is "$(cat err)" "" "a CPU that goes offline and comes back: nothing on stderr"
	exits 0 "a CPU that goes offline and comes back, with -I: exit 0" bpfperf stat -a -I 50 -x ';' -e "{$calls,page-faults}" -- sh hotplug
	is "$(awk -F ';' -v e=$calls '$4 == e { n += $2 } END { print n }' out)" 10510 "a CPU that goes offline and comes back, with -I: nothing is counted twice" ||
		diag "$(cat out err)"
else
	skip_test "a CPU that goes offline" "this machine's stay"
fi

# A cgroup with the groups below it, and no other task.
mkdir -p /sys/fs/cgroup
mount -t cgroup2 none /sys/fs/cgroup 2>/dev/null
if mkdir -p /sys/fs/cgroup/a/b; then
	exits 1 "-G before any controller is active: exit 1" bpfperf stat -G a -e cs true
	says err 'subtree_control' "-G before any controller is active: the remedy is named"
	echo +pids >/sys/fs/cgroup/cgroup.subtree_control
	exits 0 "stat -G of a cgroup: exit 0" bpfperf stat -x ';' -G a -e syscalls:sys_enter_getsid -- sh -c '
		syscall_loop 503 getsid
		echo $$ >/sys/fs/cgroup/a/b/cgroup.procs
		syscall_loop 10007 getsid
		echo $$ >/sys/fs/cgroup/cgroup.procs
		syscall_loop 503 getsid'
	is "$(grep getsid out | grep -v = | cut -d ';' -f 1)" 10007 "stat -G of a cgroup: tasks in it and below it, no others" ||
		diag "$(cat out err)"
else
	skip_test "stat -G of a cgroup" "this kernel has no cgroups"
fi
ok "the kernel log has no complaint" sh -c '! dmesg | grep -E "WARNING|BUG|Call Trace"'
done_testing
