#!/bin/busybox sh
# shellcheck shell=dash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# A kernel whose BTF is not to be had: what needs none works, the rest says so in one sentence.
[ "${1:-}" = hidden ] || { cp /sys/kernel/btf/vmlinux types && exec unshare -m sh "$0" hidden; }
# shellcheck source=lib.sh
. /vm/lib.sh

mkdir empty
mount --bind empty /sys/kernel/btf || exit 1

# An idle machine has nothing to show.
(while sleep 0.1; do syscall_loop 1003 >/dev/null; done) &
idle=$!

N=10007
exits 0 "trace of all CPUs" bpfperf -v trace -a -m 8M -o out.txt raw_syscalls:sys_enter,sched:sched_switch \
	--duration 2
says err '0 events by raw tracepoints, 2 by classic ones' "takes the classic path"
ok "system calls are there" grep -q raw_syscalls:sys_enter out.txt
ok "switches too" grep -q 'sched:sched_switch: prev_comm=' out.txt
# A switch inside a system call's program is skipped by the kernel, and counted as missed.
is "$(grep -c 'ring full' err)" 0 "none is lost to a full ring"

start_bg out.txt -a -m 8M syscalls:sys_enter_getppid
syscall_loop $N >loop.txt
sleep 0.3
stop_bg
is $? 0 "trace until SIGINT"
pid=$(said pid <loop.txt)
lines=$(grep -c " $pid/" out.txt) lost=$(summary lost)
ok "has no call more than the loop made ($lines)" test "$lines" -le $N
ok "and none less that is not counted ($lost)" test $((lines + lost)) -ge $N

bpfperf trace -o out.txt sched:sched_switch -- true >out 2>err
rc=$?
if [ $rc -eq 0 ]; then
	ok "trace of CMD works" grep -q sched_switch out.txt
else
	is $rc 1 "trace of CMD fails"
	is "$(grep -c . err)" 1 "with one sentence"
	says err 'BTF' "that says why"
	says err '(use -a|--btf)' "and what to do"
fi
exits 0 "with --btf FILE it works" bpfperf --btf types trace -o out.txt syscalls:sys_enter_getppid \
	-- sh -c "syscall_loop $N; :"
is "$(grep -c " $(said pid <out)/" out.txt)" $N "and CMD's child is followed"
is "$(summary lost)" 0 "none of it is lost"
exits 0 "stack of CMD too" bpfperf --btf types stack -F 99 -o f.folded -- spin
exits 0 "doctor says that both can run" bpfperf doctor
ok "and what is missing" grep -q '^BTF  *limited' out
exits 0 "stack of all CPUs" bpfperf stack -a -F 99 --duration 1 -o f.folded
ok "has samples" test "$(summary samples)" -gt 0
kill $idle
done_testing
