#!/bin/busybox sh
# shellcheck shell=dash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Generated code: this kernel's verifier accepts it in every program, and it does here what it should.
# shellcheck source=lib.sh
. /vm/lib.sh

run_tap load-filter

exits 0 "a filter on a raw tracepoint: exit 0" bpfperf trace -o out.txt raw_syscalls:sys_exit \
	--filter "ret == -9 && COMM ~ \"*ca[l]l*\"" raw_syscalls:sys_enter --filter "id < 0" -- syscall_loop 1009 close
is "$(summary lost)" 0 "a filter on a raw tracepoint: none is lost"
exits 0 "a filter on a classic tracepoint: exit 0" bpfperf trace -o out.txt task:task_rename \
	--filter 'newcomm ~ "*e*r*"' -- renamer 13
is "$(grep -c task_rename out.txt) $(grep -c 'newcomm=renamer ' out.txt)" "3 1" "a filter on a classic tracepoint: three of 14 names"
echo x >seventeen
exits 0 "a filter by a text of the process: exit 0" bpfperf trace -o out.txt syscalls:sys_enter_openat \
	--filter 'filename.ustring ~ "*teen"' -- cat seventeen
is "$(grep -c sys_enter_openat out.txt)" 1 "a filter by a text of the process: the file that was opened"
exits 0 "trace -c 7: exit 0" bpfperf trace -o out.txt -c 7 syscalls:sys_enter_getppid -- taskset 1 syscall_loop 1009 getppid
is "$(grep -c sys_enter_getppid out.txt)" 144 "trace -c 7: one record in seven"
exits 0 "trace --count: exit 0" bpfperf trace --count -o out.csv syscalls:sys_enter_getppid -- syscall_loop 20011 getppid
is "$(tail -n 1 out.csv)" "syscalls:sys_enter_getppid,20011" "trace --count: the count is exact"
exits 0 "trace --hist --sum --by: exit 0" bpfperf trace --hist ret --sum ret --by COMM,tid -o out.csv syscalls:sys_exit_getppid -- \
	syscall_loop 1009 getppid
is "$(tail -n 1 out.csv | cut -d, -f 2,4)" "syscall_loop,1009" "trace --hist --sum --by: the count is exact"
exits 0 "trace --by stack: exit 0" bpfperf trace --unwind fp --by stack -g=user -o out.csv syscalls:sys_enter_getppid -- stacks 1009 2
is "$(sed -n 's/.*;main;//p' out.csv | sort | paste -sd' ' -)" \
	"one;one;syscall,252 one;zero;syscall,252 zero;one;syscall,252 zero;zero;syscall,253" "trace --by stack: each of four stacks"
exits 0 "trace --by on a classic tracepoint: exit 0" bpfperf trace --unwind fp --by stack -o out.csv task:task_rename -- renamer 13
is "$(awk -F, 'NR > 1 { sum += $NF } END { print sum }' out.csv)" 14 "trace --by on a classic tracepoint: all 14 names are counted"
says out.csv '__set_task_comm' "trace --by on a classic tracepoint: names are those of the process"
done_testing
