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
exits 1 "without BTF CMD cannot be watched" "$BPFPERF" trace -o out.txt sched:sched_process_exec -- sh tree.sh
is "$(grep -c . err)" 1 "with one sentence"
like "$(cat err)" "BTF.*use -a, or .*--btf FILE" "that says why and what to do"
exits 0 "all CPUs can" "$BPFPERF" trace -a -o out.txt sched:sched_process_exec -- sh tree.sh
ok "and have the records" grep -q filename=/bin/true out.txt

try() { # WHICH FILE
	exits 0 "$1: CMD can be watched" "$BPFPERF" -v --btf "$2" trace -o out.txt \
		sched:sched_process_exec -- sh tree.sh
	like "$(cat err)" "0 events by raw tracepoints, 1 by classic" "$1: by classic tracepoints"
	is "$(grep -c filename=/bin/true out.txt)" 5 "$1: grandchildren are followed"
	exits 0 "$1: stack of CMD" "$BPFPERF" --btf="$2" stack --format folded -o folded -- "$WORKLOADS/spin" 0.3
	is "$(grep -v '^\[recording\]' folded | cut -d';' -f1 | sort -u)" spin "$1: of CMD alone"
}

# Where a task's v1 group stands is looked up by name in the types.
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
	between "$(stat -c %s min.btf)" 100 65536 "it is small"
	try "the least" min.btf
	try_v1 "the least" min.btf
	ok "less than that is made" bpftool gen min_core_btf /sys/kernel/btf/vmlinux less.btf "$O/bpf/trace.linked.o"
	if [ -n "$v1" ]; then
		exits 2 "it cannot serve -G of v1" "$BPFPERF" --btf less.btf trace -a -G "$v1" sched:sched_process_exec
		like "$(cat err)" "less.btf has no types of control groups" "which is said"
	fi
else
	skip_test "the least BTF" "bpftool or $O/bpf is not there"
fi
exits 0 "doctor names the file" "$BPFPERF" --btf /sys/kernel/btf/vmlinux doctor
like "$(grep '^BTF' out)" "limited .*/sys/kernel/btf/vmlinux" "as not the kernel's own"

unset BPFPERF_WITHOUT
exits 0 "where the kernel has its own, the file serves too" "$BPFPERF" -v --btf /sys/kernel/btf/vmlinux \
	trace -o out.txt sched:sched_process_exec -- sh tree.sh
like "$(cat err)" "1 events by raw tracepoints" "and raw tracepoints are used"
exits 2 "what is no BTF is a mistake of usage" "$BPFPERF" --btf /etc/passwd trace sched:sched_switch
like "$(cat err)" "no kernel types" "which is told"
exits 2 "what is not there too" "$BPFPERF" --btf nowhere trace sched:sched_switch
exits 2 "and no file" "$BPFPERF" --btf
done_testing
