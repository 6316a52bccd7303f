#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# System calls through the classic raw_syscalls tracepoints, as on kernels that could skip the
# raw ones' programs: the same records, not one too many or too few, in the same bytes.
. "$(dirname "$0")/../lib.sh"
need_root
need_tracefs
need_built

WITHOUT=(env BPFPERF_WITHOUT=syscall_guard)

exits 0 "system calls by classic tracepoints: exit 0" "${WITHOUT[@]}" "$BPFPERF" -v trace -m 16M -o out.txt \
	'syscalls:sys_enter_getppid,syscalls:sys_exit_getppid,raw_syscalls:*' \
	-- "$WORKLOADS/fork_tree" 5 2003
like "$(cat err)" '0 events by raw tracepoints, 4 by classic ones' "system calls by classic tracepoints: all events are classic"
for ev in syscalls:sys_enter_getppid syscalls:sys_exit_getppid 'raw_syscalls:sys_enter: NR 110' \
	'raw_syscalls:sys_exit: NR 110'; do
	[ "$(uname -m)" = x86_64 ] || ev=${ev/110/173}
	is "$(grep -c " $ev" out.txt)" 20030 "every call makes one record of $ev"
done
is "$(grep -c 'unaccounted' err)" 0 "nothing is unaccounted for"

"${WITHOUT[@]}" "$O/live/attach_paths" >paths.tap 2>&1
is $? 0 "the bytes are those of the other path" || diag "$(grep "^not ok" paths.tap)"
done_testing
