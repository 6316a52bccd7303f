#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
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
is "$(summary records) $(summary lost)" "10007 0" "counted so, and none lost"
calls "common_pid == 1 || id < 0"
is "$(records count out.txt)" 0 "a filter that nothing passes"
calls "id >= 0 && COMM == \"syscall_loop\" && CPU >= 0 && !(CPU & CPUS{500-600})"
is "$(records count out.txt comm=syscall_loop)" "$(records count out.txt)" "COMM: by name alone"
between "$(records count out.txt)" 10007 10200 "all the calls of that name"

# Whose a call is, is asked behind a filter that does not ask itself; before it, of one that does.
for filter in "id == $getppid" "id == $getppid && common_pid >= 0"; do
	exits 0 "all CPUs: $filter" "$BPFPERF" trace -a -o out.txt raw_syscalls:sys_enter --filter "$filter" -- \
		"$WORKLOADS/syscall_loop" 10007 getppid
	is "$(records count out.txt "pid=$(sed -n 's/^pid=\([0-9]*\) .*/\1/p' out)")" 10007 "each is known to be the workload's"
	for self in "" --include-self; do
		# shellcheck disable=SC2086 # an option or none
		start_bg out.txt trace -a --duration 0.3 $self raw_syscalls:sys_enter --filter "${filter/== $getppid/>= 0}"
		wait "$bg"
		is "$(($(records count out.txt "pid=$bg") > 0))" $((${#self} > 0)) "bpfperf's own: ${self:-none}"
	done
done

exits 0 "a classic tracepoint" "$BPFPERF" trace -o out.txt task:task_rename \
	--filter 'newcomm ~ "re*r" && oldcomm != "x"' -- "$WORKLOADS/renamer"
isnt "$(records count out.txt)" 0 "shows what passes"
is "$(records count out.txt 'text~newcomm=re\S*r ')" "$(records count out.txt)" "and nothing else"

printf x >"$TMP/seventeen"
exits 0 "a text in the memory of the process" "$BPFPERF" trace -o out.txt syscalls:sys_enter_openat \
	--filter 'filename.ustring ~ "*/seventeen"' -- sh -c "cat $TMP/seventeen /etc/passwd >/dev/null"
is "$(records count out.txt)" 1 "the one file that was named"

exits 0 "each event has its own" "$BPFPERF" trace -o out.txt \
	raw_syscalls:sys_enter --filter 'id == -2' sched:sched_process_exec \
	raw_syscalls:sys_exit --filter 'ret == -2 && id == -2' -- true
is "$(records count out.txt) $(records count out.txt event=sched:sched_process_exec)" "1 1" \
	"an event without one passes"
exits 0 "two of one event" "$BPFPERF" trace -o out.txt raw_syscalls:sys_enter --filter 'id > 0' \
	--filter 'id < 0' -- true
is "$(records count out.txt)" 0 "must both pass"
exits 0 "of a glob" "$BPFPERF" trace -o out.txt 'sched:sched_process_*' --filter 'prio < 0' -- true
like "$(cat err)" 'sched:sched_process_exec( |$)' "who has no such field is named"
is "$(records count out.txt event=sched:sched_process_exit)" 0 "who has it is filtered"
is "$(records count out.txt event=sched:sched_process_exec)" 1 "who has not passes"

exits 2 "no event before it" "$BPFPERF" trace --filter 'a == 1' sched:sched_switch
like "$(cat err)" 'no tracepoint is before it' "says so"
exits 2 "an unknown field" "$BPFPERF" trace sched:sched_switch --filter 'prev_pid == 1 && nxt_pid == 2'
like "$(cat err)" "no field 'nxt_pid'; did you mean next_pid.*Its fields: prev_comm" "names those there are"
is "$(tail -n 1 err | tr -d '\n' | wc -c)" $((2 + 17 + 1)) "with a caret under it"
exits 2 "a text for a number" "$BPFPERF" trace sched:sched_switch --filter 'prev_pid == "x"'
like "$(cat err)" 'prev_pid is a number' "says what it takes"
large=$(seq -f 'prev_pid != %.0f' -s ' && ' 307)
exits 0 "a large one" "$BPFPERF" trace -o out.txt sched:sched_switch --filter "$large" -- true
exits 2 "two that are too large together" "$BPFPERF" trace sched:sched_switch --filter "$large" --filter "$large"
like "$(head -n 1 err)" 'a filter has [0-9]+ comparisons at most' "says so"
exits 0 "a text that the kernel does not read" "$BPFPERF" trace -o out.txt 'syscalls:sys_*_openat*' \
	--filter 'filename ~ "/etc/*"' -- cat /etc/passwd
is "$(records count out.txt event~enter_openat)" 0 "passes none"
is "$(grep -c 'filename.ustring' err)" 1 "and is told, once"

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
