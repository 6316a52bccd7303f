#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# trace --filter: the same records as the kernel's own filters let pass, on both attach paths.
. "$(dirname "$0")/../lib.sh"
. "$TOP/tests/live/live.bash"
need_cmd python3

calls() { # FILTER
	"$BPFPERF" trace -o out.txt raw_syscalls:sys_enter --filter "$1" -- \
		"$WORKLOADS/syscall_loop" 10007 getppid >out 2>err
}

getppid=$(ausyscall getppid 2>/dev/null || case $(uname -m) in x86_64) echo 110 ;; *) echo 173 ;; esac)
calls "id == $getppid"
is "$(records count out.txt)" 10007 "raw tracepoint: the calls that are asked for, all of them, nothing else"
is "$(summary records) $(summary lost)" "10007 0" "raw tracepoint: counts of the summary, and none lost"
calls "common_pid == 1 || id < 0"
is "$(records count out.txt)" 0 "a filter that no record passes: exit 0"
calls "id >= 0 && COMM == \"syscall_loop\" && CPU >= 0 && !(CPU & CPUS{500-600})"
is "$(records count out.txt comm=syscall_loop)" "$(records count out.txt)" "a filter by COMM alone: exit 0"
between "$(records count out.txt)" 10007 10200 "a filter by COMM alone: all calls of that name"

# The target is tested after a filter that does not test it, and before one that does.
for filter in "id == $getppid" "id == $getppid && common_pid >= 0"; do
	exits 0 "all CPUs: $filter" "$BPFPERF" trace -a -o out.txt raw_syscalls:sys_enter --filter "$filter" -- \
		"$WORKLOADS/syscall_loop" 10007 getppid
	is "$(records count out.txt "pid=$(sed -n 's/^pid=\([0-9]*\) .*/\1/p' out)")" 10007 "all CPUs, $filter: each record is the workload's"
	for self in "" --include-self; do
		# shellcheck disable=SC2086 # an option or none
		start_bg out.txt trace -a --duration 0.3 $self raw_syscalls:sys_enter --filter "${filter/== $getppid/>= 0}"
		wait "$bg"
		is "$(($(records count out.txt "pid=$bg") > 0))" $((${#self} > 0)) "all CPUs: records of bpfperf itself: ${self:-none}"
	done
done

exits 0 "a filter on a classic tracepoint: exit 0" "$BPFPERF" trace -o out.txt task:task_rename \
	--filter 'newcomm ~ "re*r" && oldcomm != "x"' -- "$WORKLOADS/renamer"
isnt "$(records count out.txt)" 0 "a filter on a classic tracepoint: records that pass"
is "$(records count out.txt 'text~newcomm=re\S*r ')" "$(records count out.txt)" "a filter on a classic tracepoint: no other records"

printf x >"$TMP/seventeen"
exits 0 "a filter by a text in the memory of the process: exit 0" "$BPFPERF" trace -o out.txt syscalls:sys_enter_openat \
	--filter 'filename.ustring ~ "*/seventeen"' -- sh -c "cat $TMP/seventeen /etc/passwd >/dev/null"
is "$(records count out.txt)" 1 "a filter by a text in the memory of the process: the one file that was named"

exits 0 "a filter for each event: exit 0" "$BPFPERF" trace -o out.txt \
	raw_syscalls:sys_enter --filter 'id == -2' sched:sched_process_exec \
	raw_syscalls:sys_exit --filter 'ret == -2 && id == -2' -- true
is "$(records count out.txt) $(records count out.txt event=sched:sched_process_exec)" "1 1" \
	"a filter for each event: an event without one passes"
exits 0 "two filters of one event: exit 0" "$BPFPERF" trace -o out.txt raw_syscalls:sys_enter --filter 'id > 0' \
	--filter 'id < 0' -- true
is "$(records count out.txt)" 0 "two filters of one event: both must pass"
exits 0 "a filter of a glob: exit 0" "$BPFPERF" trace -o out.txt 'sched:sched_process_*' --filter 'prio < 0' -- true
like "$(cat err)" 'sched:sched_process_exec( |$)' "a filter of a glob: events without the field are named"
is "$(records count out.txt event=sched:sched_process_exit)" 0 "a filter of a glob: events with the field are filtered"
is "$(records count out.txt event=sched:sched_process_exec)" 1 "a filter of a glob: events without the field do not pass"

exits 2 "a filter without an event before it: exit 2" "$BPFPERF" trace --filter 'a == 1' sched:sched_switch
like "$(cat err)" 'no tracepoint precedes it' "a filter without an event before it: the missing event is reported"
exits 2 "a filter by an unknown field: exit 2" "$BPFPERF" trace sched:sched_switch --filter 'prev_pid == 1 && nxt_pid == 2'
like "$(cat err)" "no field 'nxt_pid'; did you mean next_pid.*Its fields: prev_comm" "a filter by an unknown field: known fields are named"
is "$(tail -n 1 err | tr -d '\n' | wc -c)" $((2 + 17 + 1)) "a filter by an unknown field: a caret points to it"
exits 2 "a filter with a text for a number: exit 2" "$BPFPERF" trace sched:sched_switch --filter 'prev_pid == "x"'
like "$(cat err)" 'prev_pid is a number' "a filter with a text for a number: the type is named"
large=$(seq -f 'prev_pid != %.0f' -s ' && ' 307)
exits 0 "a large filter: exit 0" "$BPFPERF" trace -o out.txt sched:sched_switch --filter "$large" -- true
exits 2 "two filters that are too large together: exit 2" "$BPFPERF" trace sched:sched_switch --filter "$large" --filter "$large"
like "$(head -n 1 err)" 'a filter has [0-9]+ comparisons at most' "two filters that are too large together: the limit is reported"
exits 0 "a filter by a text that the kernel cannot read: exit 0" "$BPFPERF" trace -o out.txt 'syscalls:sys_*_openat*' \
	--filter 'filename ~ "/etc/*"' -- cat /etc/passwd
is "$(records count out.txt event~enter_openat)" 0 "a filter by a text that the kernel cannot read: no record passes"
is "$(grep -c 'filename.ustring' err)" 1 "a filter by a text that the kernel cannot read: the warning is printed once"

# 200 filters through tracefs and through bpfperf at the same time.
diff_of() { # NAME WITHOUT ARGS COUNT SEED
	local out

	out=$(BPFPERF_WITHOUT=$2 python3 "$TOP/tests/live/filter_diff.py" "$BPFPERF $3" \
		"$WORKLOADS/fork_tree" "$4" "$5" 2>&1)
	like "$(tail -n 1 <<<"$out")" "^filters=$4 rounds=[0-9]+ passed=[1-9][0-9]+ different=0\$" "$1"
	[ "$(wc -l <<<"$out")" -eq 1 ] || diag "$out"
}
diff_of "200 filters let the same records pass as tracefs" "" "" 200 20
diff_of "40 more, all on classic tracepoints" btf "--btf /sys/kernel/btf/vmlinux" 40 21
diff_of "40 more, each by a program of its own" btf,attach_cookie "--btf /sys/kernel/btf/vmlinux" 40 22
done_testing
