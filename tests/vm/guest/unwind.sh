#!/bin/busybox sh
# shellcheck shell=dash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# stack --unwind: whole stacks of programs without frame pointers, by tables, walked by this kernel's BPF.
# shellcheck source=lib.sh
. /vm/lib.sh

# The stacks of CMD, which takes two seconds of CPU time; INNER: what is on many of them.
whole_stacks() { # NAME INNER CMD…
	local name=$1 inner=$2 n l w

	shift 2
	exits 0 "$name: stack --unwind=auto" bpfperf -v stack -e cpu-clock:u -F 99 --unwind=auto --no-inline \
		-o f.folded -- "$@" 2
	n=$(samples f.folded) l=$(late_tables) w=$(samples f.folded '^[^;]*;(_start|_*clone3?|thread_start|start_thread)[; ]')
	# An emulated clock may stand still.
	between "$n" 50 330 "$name: samples ($n)"
	between "$w" $(((n - l) * 99 / 100)) "$n" "$name: 99 % of stacks are whole ($w; $l early)" ||
		diag "$(grep -vE '^[^;]*;(_start|_*clone)' f.folded | head -n 3; cat err)"
	between "$l" 0 $((n / 2)) "$name: tables are loaded soon"
	between "$(samples f.folded "$inner")" $((n / 5)) "$n" "$name: samples are in its functions"
	is "$(summary lost)" 0 "$name: none is lost"
}

whole_stacks C ';link_one;link_two;link_three;link_four;link_five;link_six;link_seven;link_eight;link_nine;last_link;burn ' \
	unwind_c calls
whole_stacks "qsort and memcpy" ';main;sort;' unwind_c sort
whole_stacks recursion '(;(recurse|aligned|variable)){200};burn ' unwind_c deep
whole_stacks "signal handler" ';burn;[^;]*;handler;recurse;' unwind_c signal
whole_stacks "signal stack" ';burn;[^;]*;handler;recurse;' unwind_c altstack
whole_stacks thread '(;(recurse|aligned|variable)){200};burn ' unwind_c thread
if [ -x /vm/workloads/unwind_cxx ]; then
	whole_stacks "C++" ';main;' unwind_cxx mixed
else
	skip_test "stacks of a C++ program" "there is no compiler of it for this architecture"
fi
whole_stacks JIT ';link_nine;last_link;burn ' unwind_c jit

# Samples in the kernel: from the registers with which it was entered.
exits 0 "stacks of a tracepoint: exit 0" bpfperf stack -e syscalls:sys_enter_getppid --unwind=auto --no-inline --user --duration 2 \
	-o f.folded -- unwind_c kernel 1
n=$(samples f.folded)
between "$(samples f.folded ';main;(kernel;)?call_kernel')" $((n / 2)) "$n" "stacks of a tracepoint: all are whole ($n)" ||
	diag "$(head -n 3 f.folded; cat err)"
done_testing
