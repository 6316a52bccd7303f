#!/bin/busybox sh
# shellcheck shell=dash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# vm: --userland
# trace and stack write recordings: this suite's perf script prints of them what bpfperf script does.
# shellcheck source=lib.sh
. /vm/lib.sh

# Without names: of a thread that has ended newer perf knows none.
fields=pid,tid,cpu,time,event

# How wide a column is differs from perf to perf, and whether a user address is that of the memory or
# of the file: within its page it is the same.
one_way() {
	sed 's/[ \t]\+/ /g; s/^ //; s/ $//; s/^[0-9a-f]\{1,12\}\([0-9a-f]\{3\}\)$/\1/'
}

# Prints FILE.data by perf, and by bpfperf.
both() { # FILE MORE-FIELDS
	perf script --ns -F $fields,"$2" -i "$1.data" 2>perf.err | one_way >perf.txt
	bpfperf script --ns -F $fields,"$2" -i "$1.data" 2>ours.err | one_way >ours.txt
	diff perf.txt ours.txt >difference
	tap_result $? "$1: lines of perf script" && return 0
	diag "$(head -n 10 difference; tail -n 3 perf.err)"
	return 1
}

diag "$(perf --version)"
exits 0 "trace -o FILE.data: exit 0" bpfperf trace -o tp.data 'sched:sched_process_*' syscalls:sys_enter_getppid -- threads 3 1009 getppid
both tp trace
is "$(grep -c 'sys_enter_getppid:' ours.txt)" 3027 "trace -o FILE.data: each call is in the file"
bpfperf script -i tp.data >named.txt
is "$(grep -c 'worker-[0-2] .*sys_enter_getppid:' named.txt)" 3027 "trace -o FILE.data: calls have their thread's name"

exits 0 "trace -g -o FILE.data: exit 0" bpfperf trace -g -o chain.data syscalls:sys_enter_getppid -- syscall_loop 1009
both chain ip
is "$(grep -c 'sys_enter_getppid:' ours.txt)" 1009 "chain: each call is there"
ok "chain: perf report reads it" perf report --stdio -i chain.data

# perf reads packed recordings where it was built with zstd.
exits 0 "trace -z -o FILE.data: exit 0" bpfperf trace -z -o packed.data syscalls:sys_enter_getppid -- syscall_loop 20011
bpfperf script -i packed.data >ours.txt
is "$(grep -c 'sys_enter_getppid:' ours.txt)" 20011 "packed: each call is there"
! perf version --build-options | grep -q 'zstd: .*on' || both packed trace

bpfperf trace --format perf -o - syscalls:sys_enter_getppid -- syscall_loop 1009 2>err >pipe.data
perf script -i - -F event <pipe.data >perf.txt 2>perf.err
is "$(grep -c 'sys_enter_getppid:' perf.txt)" 1009 "a pipe: perf reads each call"

exits 0 "stack -o FILE.data: exit 0" bpfperf stack -e cpu-clock -F 499 -o cpu.data -- spin 1
both cpu ip
between "$(grep -c 'cpu-clock:' ours.txt)" 100 1000 "stack -o FILE.data: there are samples"

perf script --header-only -i tp.data >header 2>&1
says header "hostname : ." "the header has the host's name"
says header 'cmdline : .*bpfperf trace -o tp.data' "the header has the command line"
says header 'clockid: monotonic' "the header has the clock"
done_testing
