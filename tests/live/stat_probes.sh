#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# stat of functions: exact counts over threads, forks and execs, by BPF and by perf events.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd gcc

gcc -w -g -O1 -pthread -o tree "$TOP/tests/workloads/probe/tree.c" || fail "the program tree compiles"
stat() { # ARG… -> out, err, exit status
	"$BPFPERF" stat -x , -o out "$@" 2>err
}
counts() { # -> "one=N two=N", as the rows have them
	awk -F, '/u:tree:/ { sub("u:tree:", "", $3); printf "%s%s=%s", sep, $3, $1; sep = " " }' out
}
both=u:./tree:one,u:./tree:two

stat -e $both -- ./tree 101
is "$? $(counts)" "0 one=303 two=606" "CMD: its threads, children and their execs"
is "$(cut -d, -f 5 out | sort -u | paste -sd' ' -)" 100.00 "CMD: probes ran all the time"
stat -e "u:./tree:one(\$ret),u:./tree:two(x),page-faults" -- ./tree 101
is "$? $(counts) $(grep -c 'page-faults' out)" "0 one=303 two=606 1" \
	"arguments and results count calls, beside events of perf"
stat -r 3 -e $both -- ./tree 101
is "$? $(counts)" "0 one=303 two=606" "-r: the mean of runs"
stat -a -e $both -- ./tree 101
is "$? $(counts)" "0 one=303 two=606" "-a: whole CPUs"
stat -a -A -e $both -- taskset -c 0 ./tree 101
is "$? $(grep -c '^CPU0,303,,u:tree:one,' out) $(grep -c '^CPU0,606,,u:tree:two,' out)" "0 1 1" "-A: a row for each CPU"
stat -C 0 -e $both -- taskset -c 0 ./tree 101
is "$? $(counts)" "0 one=303 two=606" "-C: CMD on its CPU"
stat -I 10 -e $both -- ./tree 1001
is "$? $(awk -F, '/u:tree:one/ { a += $2 } /u:tree:two/ { b += $2 } END { print a, b }' out)" "0 3003 6006" \
	"-I: the sum of the intervals"
# The program starts when an interval has been counted in, however late the delay is over.
rm -f out
stat -D 1 -I 10 -e $both -- sh -c 'until grep -qE ",[0-9]+,,u:tree:two," out; do sleep 0.01; done; exec ./tree 101'
is "$? $(awk -F, '/u:tree:one/ { a += $2 } /u:tree:two/ { b += $2 } END { print a, b }' out)" "0 303 606" "-D: counted from then on"

mkfifo gate
sh -c 'read _ <gate; ./tree 101; exec ./tree 101' &
pid=$!
mkfifo ctl ack
stat --control fifo:ctl,ack -D -1 -p $pid -e $both &
stat=$!
exec 8>ctl 9<>ack
echo enable >&8
read -r _ <&9
echo >gate
wait $pid $stat
is "$? $(counts)" "0 one=606 two=1212" "-p: the process, its children, and its own exec"

# A perf event of a probe is not inherited: the kernel would fail the fork.
BPFPERF_WITHOUT=uprobe_multi stat -e $both -- ./tree 11
is "$? $(counts)" "0 one=33 two=66" "before 6.6: the program is attached by perf events"
BPFPERF_WITHOUT=attach_cookie stat -e $both -- ./tree 11
is "$? $(counts) $(grep -c 'counted in the threads that exist at the start alone' err)" "0 one=11 two=0 1" \
	"before 5.15: the first thread is counted, which is said; forks do not fail"
stat -i -e $both -- ./tree 11
is "$? $(counts) $(cat err)" "0 one=11 two=0 " "--no-inherit: the first thread alone"
stat -i -e '{u:./tree:one,page-faults}' -- ./tree 11
is "$? $(counts)" "0 one=11" "a group with --no-inherit counts a path with slashes"
stat -e '{u:./tree:one,page-faults}' -- ./tree 11
is "$? $(grep -c 'count it outside of {…}, or give --no-inherit or -a' err)" "2 1" "a group that children would inherit: refused"
exits 0 "record: exit 0" "$BPFPERF" record -q -o r.data -e u:./tree:one -- ./tree 11

seq 251 | awk '{ print "__attribute__((noinline)) void f" $1 "(void) { __asm__ volatile(\"\"); }"; calls = calls "f" $1 "();" }
	END { print "int main(void) { for (int i = 0; i < 3; i++) {" calls "} return 0; }" }' >many.c
gcc -O1 -o many many.c || fail "a program of 251 functions compiles"
stat -e 'u:./many:f[0-9]*' -- ./many
is "$? $(grep -c '^3,,u:many:f' out)" "0 251" "251 functions: each is counted"
stat -i -e 'u:./many:f[0-9]*' -- ./many
is "$? $(grep -c 'with --no-inherit, of which the kernel needs 0.2 s to release each: name 200 at most' err)" "2 1" \
	"251 functions by perf events: refused, with what to use"
done_testing
