#!/bin/busybox sh
# shellcheck shell=dash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# A kernel without BTF: commands that need none work, the others report it in one sentence.
[ "${1:-}" = hidden ] || { cp /sys/kernel/btf/vmlinux types && exec unshare -m sh "$0" hidden; }
# shellcheck source=lib.sh
. /vm/lib.sh

mkdir empty
mount --bind empty /sys/kernel/btf || exit 1

# An idle machine has nothing to show.
(while sleep 0.1; do syscall_loop 1003 >/dev/null; done) &
idle=$!

N=10007
exits 0 "trace -a without BTF: exit 0" bpfperf -v trace -a -m 8M -o out.txt raw_syscalls:sys_enter,sched:sched_switch \
	--duration 2
says err '0 events by raw tracepoints, 2 by classic ones' "trace -a without BTF: the classic path"
ok "trace -a without BTF: system calls are printed" grep -q raw_syscalls:sys_enter out.txt
ok "trace -a without BTF: switches are printed" grep -q 'sched:sched_switch: prev_comm=' out.txt
# A switch inside a system call's program is skipped by the kernel, and counted as missed.
is "$(grep -c 'ring full' err)" 0 "trace -a without BTF: none is lost to a full ring"

start_bg out.txt -a -m 8M syscalls:sys_enter_getppid
syscall_loop $N >loop.txt
sleep 0.3
stop_bg
is $? 0 "trace until SIGINT: exit 0"
pid=$(said pid <loop.txt)
lines=$(grep -c " $pid/" out.txt) lost=$(summary lost)
ok "trace until SIGINT: no call more than the loop made ($lines)" test "$lines" -le $N
ok "trace until SIGINT: no call less that is not counted ($lost)" test $((lines + lost)) -ge $N

# Calls whose record has a file name take a way of their own in each kernel from 6.19 on.
start_bg out.txt -a -m 8M syscalls:sys_enter_openat
sh -c 'echo $$ >pid; i=0; while [ $i -lt 107 ]; do : <pid; i=$((i + 1)); done'
sleep 0.3
stop_bg
is $? 0 "trace of openat without BTF: exit 0"
is "$(summary lost)" 0 "trace of openat without BTF: none is lost"
is "$(grep " $(cat pid)/" out.txt | grep -vcE 'O_CREAT|flags: 0x[0-9a-f]*4[0-9a-f],')" 107 "trace of openat without BTF: each call has a record"

bpfperf trace -o out.txt sched:sched_switch -- true >out 2>err
rc=$?
if [ $rc -eq 0 ]; then
	ok "trace of CMD without BTF: exit 0" grep -q sched_switch out.txt
else
	is $rc 1 "trace of CMD without BTF: exit 1"
	is "$(grep -c . err)" 1 "trace of CMD without BTF: one sentence"
	says err 'BTF' "trace of CMD without BTF: the reason is reported"
	says err '(use -a|--btf)' "trace of CMD without BTF: --btf is the remedy"
fi
exits 0 "trace --btf FILE: exit 0" bpfperf --btf types trace -o out.txt syscalls:sys_enter_getppid \
	-- sh -c "syscall_loop $N; :"
is "$(grep -c " $(said pid <out)/" out.txt)" $N "trace --btf FILE: the child of CMD is followed"
is "$(summary lost)" 0 "trace --btf FILE: none is lost"
exits 0 "stack --btf FILE of CMD: exit 0" bpfperf --btf types stack -F 99 -o f.folded -- spin
exits 0 "doctor without BTF: trace and stack can run" bpfperf doctor
ok "doctor without BTF: BTF is missed" grep -q '^BTF  *limited' out
exits 0 "stack -a without BTF: exit 0" bpfperf stack -a -F 99 --duration 1 -o f.folded
ok "stack -a without BTF: there are samples" test "$(summary samples)" -gt 0
kill $idle
done_testing
