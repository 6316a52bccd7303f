#!/bin/busybox sh
# shellcheck shell=dash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# trace --overwrite: rings that overwrite, dumps at the end and on a trigger.
# shellcheck source=lib.sh
. /vm/lib.sh

N=20011
# A number of the summary: "bpfperf: 10 records, 0 lost, …", "bpfperf: 5 records were overwritten …".
told() { # WORDS
	grep -oE "[0-9]+ $1" err | head -1 | cut -d' ' -f1
}

exits 0 "a storm in a flight recorder: exit 0" bpfperf trace --overwrite -m 64K --format json -o f.json \
	syscalls:sys_enter_getppid -- syscall_loop $N
is "$(grep -c '"event"' f.json)" "$(told records)" "a storm in a flight recorder: each record of the dump is printed"
is $(($(told records) + $(told lost) + $(told 'records were overwritten'))) $N \
	"a storm in a flight recorder: dumped + lost + overwritten is what was made"
is "$(grep -c '"dump":1,"why":"end"' f.json)" 1 "a storm in a flight recorder: one dump, at the end"

exits 0 "a trigger in a flight recorder: exit 0" bpfperf trace --overwrite -o f.txt sched:sched_process_exec \
	--trigger 'sched:sched_process_exit:comm == "busybox"' -- sh -c '/bin/busybox true; exec /bin/busybox true'
# Two processes end, and the second does not wait for the dump of the first. Only the first's id has one exec.
first=$(sed -nE 's/.* sched:sched_process_exec: .* pid=([0-9]+) .*/\1/p' f.txt | sort | uniq -u)
is "$(sed -n '/^# dump 1: trigger/,/^# dump 2/p' f.txt | grep -c "sched_process_exit: comm=busybox pid=$first ")" 1 \
	"a trigger in a flight recorder: its record is in its dump"
is "$(grep -c 'sched_process_exec: ' f.txt) $(grep -c 'sched_process_exit: ' f.txt) $(grep ' sched:' f.txt | sort | uniq -d)" \
	"3 2 " "a trigger in a flight recorder: all dumps together have each record, once"

exits 0 "a trigger that the event's filter omits: exit 0" bpfperf trace --overwrite -o f.txt sched:sched_process_exit \
	--filter 'comm == "nobody"' --trigger 'sched:sched_process_exit:comm == "busybox"' -- sh -c '/bin/busybox true; :'
is "$(grep -c 'sched_process_exit: comm=busybox ' f.txt) $(grep -c 'sched_process_exit: ' f.txt)" "1 1" "a trigger that the event's filter omits: its record is in a dump, alone"

done_testing
