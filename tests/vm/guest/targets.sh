#!/bin/busybox sh
# shellcheck shell=dash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Targets: names through forks, renames and exec; users; control groups of both kinds.
# shellcheck source=lib.sh
. /vm/lib.sh

N=503
ev=syscalls:sys_enter_getppid

# "count tid comm" of what family said, and of what was traced.
said_calls() {
	sed -nE "s/^pid=[0-9]+ tid=([0-9]+) comm=(.*) count=([0-9]+)$/\3 \1 \2/p" out | sort
}
traced_calls() {
	sed -nE 's/.*"tid":([0-9]+),"comm":"([^"]*)".*/\1 \2/p' f.json | sort | uniq -c |
		sed -E 's/^ +//' | sort
}

exits 0 "a family that forks, clones, renames, execs: exit 0" bpfperf trace -o f.json $ev -- family $N
said_calls >want
traced_calls >got
is "$(cat got)" "$(cat want)" "a family that forks, clones, renames, execs: each call, under the thread's name of that moment"
is "$(wc -l <got)" 10 "a family that forks, clones, renames, execs: ten names and ids"
exits 0 "trace --comm PATTERN: exit 0" bpfperf trace -a --comm 'fam-[fn]*' -o f.json $ev -- family $N
said_calls | grep -E ' fam-[fn]' >want
traced_calls >got
is "$(cat got)" "$(cat want)" "trace --comm PATTERN: records of matching names, and all of them"
exits 0 "trace --comm of an idle task: exit 0" bpfperf trace -a --comm 'swapper/1' -o f.json sched:sched_switch -- taskset 2 sleeper 101 1009
ok "trace --comm of an idle task: there are records" test -s f.json
is "$(grep -cv '"cpu":1,"pid":0,"tid":0,' f.json)" 0 "trace --comm of an idle task: records of that CPU alone"
exits 0 "trace -u 0: exit 0" bpfperf trace -a -u 0 -o f.json $ev -- family $N
is "$(grep -c . f.json)" $((10 * N)) "trace -u 0: calls of root"
exits 0 "trace -u 65534: exit 0" bpfperf trace -a -u 65534 -o f.json $ev -- family $N
is "$(grep -c . f.json)" 0 "trace -u 65534: no calls of root"

try_cgroup() { # DIR KIND
	mkdir -p "$1/test/sub/deeper"
	exits 0 "-G of $2: exit 0" bpfperf trace -a -G "$1/test" -o f.json $ev -- sh -c \
		"syscall_loop 101; echo \$\$ >$1/test/sub/deeper/cgroup.procs && exec family $N"
	is "$(grep -c . f.json)" $((10 * N)) "-G of $2: records of tasks in it and below it"
	exits 0 "-G of $2, the one below: exit 0" bpfperf trace -a -G "$1/test/sub" -o f.json $ev -- sh -c \
		"echo \$\$ >$1/test/cgroup.procs && exec syscall_loop 101"
	is "$(grep -c . f.json)" 0 "-G of $2, the one below: no records of the one above"
}
mkdir -p /tmp/v1 /tmp/v2
if mount -t cgroup2 none /tmp/v2 2>/dev/null; then
	try_cgroup /tmp/v2 v2
else
	skip_test "-G of v2" "this kernel has none"
fi
if mount -t cgroup -o pids none /tmp/v1 2>/dev/null; then
	try_cgroup /tmp/v1 v1
else
	skip_test "-G of v1" "this kernel has none"
fi
done_testing
