#!/bin/busybox sh
# shellcheck shell=dash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Each fallback for this kernel is used where a feature is missing, and only there: seen, not assumed.
# shellcheck source=lib.sh
. /vm/lib.sh

events=$(find $TRACEFS/events/kmem -mindepth 1 -maxdepth 1 -type d | grep -c .)

# How many tracepoint programs bpfperf holds while it traces kmem:*.
programs() {
	start_bg out.txt -a -m 1M 'kmem:*'
	cat /proc/"$bg"/fdinfo/* 2>/dev/null | awk '/^prog_type:/ { t = $2 } /^prog_id:/ && t == 5 { print $2 }' |
		sort -u | grep -c .
	stop_bg
}

got=$(programs)
if kernel_is 5.15; then
	is "$got" 1 "attach cookies: one program serves kmem:*"
	BPFPERF_WITHOUT=attach_cookie
	export BPFPERF_WITHOUT
	got=$(programs)
	unset BPFPERF_WITHOUT
fi
between "$got" "$events" $((events + 1)) "without attach cookies: $got programs serve $events events"
says err 'each by a program of its own' "without attach cookies: -v reports it"
ok "without attach cookies: records are printed" sh -c 'grep -q " kmem:" out.txt'

# Events without a program for this kernel's record.
bpfperf -v trace -a -m 4M -o out.txt 'sched:*,raw_syscalls:*' -- sched_pingpong 11 >out 2>err
is $? 0 "sched:* and raw_syscalls:*: trace, exit 0"
diag "$(grep -E 'no program|by classic ones' err)"
classic() { # EVENT
	grep -q "^bpfperf: $1: no program for the record" err
}
format() { # EVENT
	cat "$TRACEFS/events/sched/$1/format"
}
path_of() { # EVENT IS_CLASSIC NAME
	local got=no

	! classic "sched:$1" || got=yes
	is "$got" "$2" "$3"
	ok "sched:$1: its record is printed" grep -q "sched:$1: " out.txt
}

is "$(format sched_wakeup | grep -c 'field:int success;')" "$(kernel_is 5.14 && echo 0 || echo 1)" \
	"sched_wakeup has the field success before 5.14"
path_of sched_wakeup "$(kernel_is 5.14 && echo no || echo yes)" "sched_wakeup with the field success is classic"
is "$(format sched_stat_runtime | grep -c 'field:u64 vruntime')" "$(kernel_is 6.8 && echo 0 || echo 1)" \
	"sched_stat_runtime has the field vruntime before 6.8"
path_of sched_stat_runtime "$(kernel_is 6.8 && echo no || echo yes)" \
	"sched_stat_runtime with the field vruntime is classic"
is "$(format sched_process_exit | grep -c 'field:bool group_dead')" "$(kernel_is 6.16 && echo 1 || echo 0)" \
	"sched_process_exit has the field group_dead from 6.16 on"
path_of sched_process_exit no "sched_process_exit has a program for both"
path_of sched_switch no "sched_switch has a program"
ok "raw_syscalls have their programs" sh -c '! grep -q "raw_syscalls.*no program" err'

# The renamed field: the kernel's types say which it is, the records what was read.
is "$(tr '\0' '\n' </sys/kernel/btf/vmlinux | grep -cx __state)" "$(kernel_is 5.14 && echo 1 || echo 0)" \
	"task_struct.state is called __state from 5.14 on"
ok "the state of a task is read under either name" grep -q 'sched_switch: prev_comm=sched_pingpong .* prev_state=S ==>' out.txt
done_testing
