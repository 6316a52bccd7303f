#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# list of f:GLOB: functions of this kernel have the arguments, by name and type, that bpftool reads of its BTF.
. "$(dirname "$0")/../lib.sh"
need_root
need_tracefs
need_built
need_cmd bpftool python3

[ -r /sys/kernel/btf/vmlinux ] || skip_all "the kernel has no BTF"
bpftool -j btf dump file /sys/kernel/btf/vmlinux >types.json || fail "bpftool dumps the kernel's types"
exits 0 "list of all functions: exit 0" "$BPFPERF" list 'f:*'
like "$(python3 "$TOP/tests/live/probe_kernel_types.py" types.json out 2>differ)" '^[0-9]{5} functions, [0-9]{5} arguments, 0 differ$' \
	"list of all functions: arguments are those of the kernel's types"
[ ! -s differ ] || diag "$(cat differ)"
done_testing
