#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# A kernel whose BTF is not there: what works all the same, what --btf FILE adds.
. "$(dirname "$0")/../lib.sh"
need_built
need_root
need_tracefs
[ -r /sys/kernel/btf/vmlinux ] || skip_all "this kernel has no BTF to take for the file"

# Each fork of CMD's child is seen only where forks are followed.
cat >tree.sh <<'END'
for i in 1 2 3 4 5; do
	(sh -c '/bin/true; :')
done
:
END

export BPFPERF_WITHOUT=btf
exits 1 "without BTF, trace of CMD: exit 1" "$BPFPERF" trace -o out.txt sched:sched_process_exec -- sh tree.sh
is "$(grep -c . err)" 1 "without BTF, trace of CMD: one sentence"
like "$(cat err)" "BTF.*use -a, or .*--btf FILE" "without BTF, trace of CMD: the reason and the remedy are reported"
exits 0 "without BTF, trace -a: exit 0" "$BPFPERF" trace -a -o out.txt sched:sched_process_exec -- sh tree.sh
ok "without BTF, trace -a: there are records" grep -q filename=/bin/true out.txt

try() { # WHICH FILE
	exits 0 "$1: CMD can be watched" "$BPFPERF" -v --btf "$2" trace -o out.txt \
		sched:sched_process_exec -- sh tree.sh
	like "$(cat err)" "0 events by raw tracepoints, 1 by classic" "$1: by classic tracepoints"
	is "$(grep -c filename=/bin/true out.txt)" 5 "$1: grandchildren are followed"
	exits 0 "$1: stack of CMD" "$BPFPERF" --btf="$2" stack --format folded -o folded -- "$WORKLOADS/spin" 0.3
	is "$(grep -v '^\[recording\]' folded | cut -d';' -f1 | sort -u)" spin "$1: of CMD alone"
}

# The place of a task's v1 group is looked up by name in the types.
v1=$(awk '$3 == "cgroup" && $4 ~ /(^|,)(cpu|pids|memory)(,|$)/ { print $2; exit }' /proc/self/mounts)
try_v1() { # WHICH FILE
	local dir=$v1/bpfperf-test-$$

	if [ -z "$v1" ] || ! mkdir "$dir" 2>/dev/null; then
		skip_test "$1: -G of v1" "no group of it can be made"
		return
	fi
	exits 0 "$1: -G of v1" "$BPFPERF" --btf "$2" trace -a -G "$dir" -o out.txt sched:sched_process_exec -- sh -c \
		"/bin/true; echo \$\$ >$dir/cgroup.procs && exec sh tree.sh"
	is "$(grep -c filename=/bin/true out.txt)" 5 "$1: shows what is in the group"
	rmdir "$dir"
}

try "the whole kernel's" /sys/kernel/btf/vmlinux
try_v1 "the whole kernel's" /sys/kernel/btf/vmlinux
if command -v bpftool >/dev/null && [ -r "$O/bpf/trace.linked.o" ]; then
	ok "the least BTF is made" bpftool gen min_core_btf /sys/kernel/btf/vmlinux min.btf \
		"$O/bpf/trace.linked.o" "$O/bpf/stack.linked.o" "$O/bpf/types.bpf.o"
	between "$(stat -c %s min.btf)" 100 65536 "the least BTF is small"
	try "the least" min.btf
	try_v1 "the least" min.btf
	ok "less than that is made" bpftool gen min_core_btf /sys/kernel/btf/vmlinux less.btf "$O/bpf/trace.linked.o"
	if [ -n "$v1" ]; then
		exits 2 "--btf without types of control groups, -G of v1: exit 2" "$BPFPERF" --btf less.btf trace -a -G "$v1" sched:sched_process_exec
		like "$(cat err)" "less.btf has no types of control groups" "--btf without types of control groups, -G of v1: the missing types are reported"
	fi
else
	skip_test "the least BTF" "bpftool or $O/bpf is not there"
fi
exits 0 "doctor --btf: exit 0" "$BPFPERF" --btf /sys/kernel/btf/vmlinux doctor
like "$(grep '^BTF' out)" "limited .*/sys/kernel/btf/vmlinux" "doctor --btf: the file is reported in place of the kernel's own"

unset BPFPERF_WITHOUT
exits 0 "--btf on a kernel with BTF: exit 0" "$BPFPERF" -v --btf /sys/kernel/btf/vmlinux \
	trace -o out.txt sched:sched_process_exec -- sh tree.sh
like "$(cat err)" "1 events by raw tracepoints" "--btf on a kernel with BTF: raw tracepoints are used"
# Another run needs the same types of the kernel: they are kept, and what they are not is looked up.
if command -v strace >/dev/null; then
	for run in first second; do
		ok "the $run run with types: exit 0" strace -f -qq -o "$run.calls" -e trace=openat \
			"$BPFPERF" trace -o "$run.txt" sched:sched_process_exec -- sh tree.sh
		is "$(grep -c filename=/bin/true "$run.txt")" 5 "the $run run with types: its records"
	done
	is "$(grep -c btf/vmlinux second.calls)" 0 "the second run does not open the kernel's types"
	for file in /run/bpfperf/answer.*; do
		printf x | dd of="$file" bs=1 seek=9 conv=notrunc status=none
	done
	exits 0 "with damaged types: exit 0" "$BPFPERF" trace -o out.txt sched:sched_process_exec -- sh tree.sh
	is "$(grep -c filename=/bin/true out.txt)" 5 "with damaged types: they are looked up again"
fi
exits 2 "--btf of a file that is no BTF: exit 2" "$BPFPERF" --btf /etc/passwd trace sched:sched_switch
like "$(cat err)" "no kernel types" "--btf of a file that is no BTF: the message names the kernel types"
exits 2 "--btf of a file that is not there: exit 2" "$BPFPERF" --btf nowhere trace sched:sched_switch
exits 2 "--btf without a file: exit 2" "$BPFPERF" --btf
done_testing
