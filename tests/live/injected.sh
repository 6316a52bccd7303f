#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# Commands of which one system call fails (tests/workloads/inject.c), also of the processes that read files for them: each ends
# with the right output, or says what is missing or why it ends; none crashes, hangs, or leaves a process or a program. Of each
# kind of call one fails, which a hash of the names chooses; all of them, one after the other, with --all-kernels.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd bpftool
[ -x "$WORKLOADS/inject" ] || skip_all "system calls are not failed on this architecture"

# A program that root alone may read: a reader of the recording needs the right to that.
cp "$WORKLOADS/spin" mine && chmod 700 . mine
"$BPFPERF" record -q -g -F 999 -o in.data -- ./mine 0.2 2>/dev/null
declare -A commands=(
	[script]="script -i in.data"
	[report]="report -i in.data"
	[trace]="trace -g raw_syscalls:sys_enter -o out -- $WORKLOADS/syscall_loop 11"
	[stack]="stack -F 997 --format folded -o out -- $WORKLOADS/spin 0.05"
	[stat]="stat -e page-faults,raw_syscalls:sys_enter -o out -- $WORKLOADS/syscall_loop 11"
	[record]="record -g -F 997 -o out -- $WORKLOADS/spin 0.05"
	[why]="why -o out -- $WORKLOADS/spin 0.05"
	[latency]="latency syscalls -o out -- $WORKLOADS/syscall_loop 11"
	[strace]="strace -o out -- $WORKLOADS/syscall_loop 11"
	[list]="list"
	[classic]="trace timer:hrtimer_start -o out -- $WORKLOADS/spin 0.01"
)
# The number of each error, by the name of the call.
declare -A errors=([openat]=24 [read]=5 [write]=28 [mmap]=12 [clone]=11 [socketpair]=24 [sendmsg]=32 [recvmsg]=104 [fcntl]=24
	[perf_event_open]=24 [bpf]=12 [poll]=12 [ppoll]=12 [epoll_ctl]=12 [epoll_wait]=4 [eventfd2]=24 [prlimit64]=1 [pidfd_open]=24
	[pread64]=5 [pwrite64]=28 [newfstatat]=13 [statx]=13 [fstatfs]=5 [openat2]=13 [getdents64]=5 [lseek]=29 [ftruncate]=5 [flock]=4
	[ioctl]=22 [mprotect]=12 [mremap]=12 [madvise]=22 [memfd_create]=24 [epoll_create1]=24 [timerfd_create]=24 [signalfd4]=24
	[pipe2]=24 [clone3]=11 [wait4]=10 [sched_setaffinity]=22 [setpriority]=13 [capset]=1 [readlink]=13 [readlinkat]=13
	[rename]=13 [renameat2]=13)

# Runs a command with its Nth CALL failed, and sets injected, hang, crash, left and exit. CALL all: none fails.
run() { # COMMAND CALL N
	rm -f out result
	# shellcheck disable=SC2086 # words
	"$WORKLOADS/inject" "$2" "${errors[$2]:-0}" "$3" result "$BPFPERF" ${commands[$1]} >stdout 2>stderr </dev/null
	injected=0 hang=1 crash=0 left=0 exit=-1
	# shellcheck disable=SC1090 # KEY=N for these
	[ ! -e result ] || . <(head -n 1 result | tr ' ' '\n')
}

# Prints what is wrong with the last run of a command; the output without faults is in want.
verdict() { # COMMAND
	[ "$hang" -eq 0 ] || echo "hangs"
	[ "$crash" -eq 0 ] || echo "crashes by signal $crash"
	[ "$left" -eq 0 ] || echo "leaves a process"
	[ "$exit" -ge 0 ] || return
	if [ "$exit" -eq 0 ]; then
		grep -qE '(warning|error): ' stderr && return
		case $1 in
		script | report | list) cmp -s stdout want || echo "another output, and no message" ;;
		# There may be no event of the kernel's own.
		classic) [ -s out ] || grep -qE '^bpfperf: 0 records, 0 lost' stderr || echo "no output, and no message" ;;
		*) [ -s out ] || echo "no output, and no message" ;;
		esac
	elif [ ! -s stderr ] && [ "$2" != write ]; then
		echo "exit $exit, and no message"
	fi
}

# Prints the numbers of calls that are failed, of COUNT: FAULTS, if that is set, spread over the run.
sample() { # COMMAND CALL COUNT
	local hash i

	if [ "${VM_MATRIX:-}" = all ]; then
		seq "$3"
		return
	fi
	hash=$(cksum <<<"$1 $2")
	for ((i = 0; i < ${FAULTS:-1}; i++)); do
		echo $(((${hash%% *} % $3 + i * $3 / ${FAULTS:-1}) % $3 + 1))
	done
}

loaded() {
	bpftool prog show | sed -nE 's/^([0-9]+): (tracepoint|raw_tracepoint|tracing|perf_event).*/\1/p' | sort
}
# Others may trace meanwhile: prints the programs that they hold. The commands have the mark in their environment.
export INJECTED_BY=$$
loaded_by_others() {
	local dirs

	mapfile -t dirs < <(grep -sLaz "^INJECTED_BY=$$\$" /proc/[0-9]*/environ | sed 's/environ$/fdinfo/')
	grep -rhs '^prog_id:' "${dirs[@]}" | awk '{ print $2 }' | sort -u
}
# Removes from the file left what is not loaded, or held by others: programs that are between load and end at one look.
none_left() {
	loaded | comm -12 - left >now
	loaded_by_others | comm -23 now - >left
	[ ! -s left ]
}

loaded >before
for command in ${COMMANDS:-script report trace stack stat record why latency strace classic list}; do
	run "$command" all 0
	is "$exit $hang $crash $left" "0 0 0 0" "$command without a fault: exit 0"
	cp stdout want
	cp result counts
	for call in ${CALLS:-${!errors[*]}}; do
		total=$(sed -n "s/^$call=//p" counts)
		[ "${total:-0}" -gt 0 ] || continue
		bad=
		for n in $(sample "$command" "$call" "$total"); do
			run "$command" "$call" "$n"
			# There may be fewer of the calls that depend on time.
			[ "$injected" -eq 1 ] || continue
			why=$(verdict "$command" "$call" | paste -sd, -)
			[ -z "$why" ] || bad+="call $n of $total: $why; "
		done
		is "$bad" "" "$command, of which $call fails: the output is right, or there is a message"
	done
done
loaded | comm -23 - before >left
ok "commands with faults: no program is left in the kernel" wait_for 100 none_left || diag "$(bpftool prog show)"
done_testing
