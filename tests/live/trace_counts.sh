#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# trace: not one record too many, not one too few.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
# shellcheck source=steady.bash
. "$TOP/tests/live/steady.bash"
need_cmd python3 perf

N=1000003

# The bar: one million and three. On a machine that is busy otherwise the reader may not get
# its CPU in time and lose some; they are counted then, and the run is made anew, at last with
# rings that hold all of them, however late the reader is.
for try in 1 2 3 4; do
	rings=() place=()
	if [ "$try" -eq 4 ]; then
		cpu=$(own_cpus | tail -n 1)
		rings=(-m 256M -C "$cpu") place=(taskset -c "$cpu")
	fi
	exits 0 "a loop of $N system calls, traced on all CPUs (run $try)" \
		"$BPFPERF" trace -a "${rings[@]}" -o out.txt raw_syscalls:sys_enter -- \
		"${place[@]}" "$WORKLOADS/syscall_loop" $N
	pid=$(said pid <out) nr=$(said nr <out)
	lines=$(grep -cE " $pid/$pid .*sys_enter: NR $nr " out.txt)
	lost=$(summary lost)
	between $((lines + lost)) $N $((N + lost)) "no line is missing that is not counted as lost"
	[ "$lost" -ne 0 ] || break
done
is "$lines" $N "the loop: $N lines"
is "$lost" 0 "the loop: no record is lost"
ok "the loop: lines are in the order of time" records order out.txt
is "$(summary records)" "$(records count out.txt)" "the loop: the summary counts the lines that were written"
rm -f out.txt

# A ring that is too small for the burst: what is missing is counted.
exits 0 "a ring of one page: exit 0" \
	"$BPFPERF" trace -m 1 -o out.txt syscalls:sys_enter_getppid -- "$WORKLOADS/syscall_loop" $N
lines=$(records count out.txt event=syscalls:sys_enter_getppid)
lost=$(summary lost)
isnt "$lost" 0 "a ring of one page: records are lost"
is $((lines + lost)) $N "a ring of one page: delivered ($lines) + lost ($lost) = happened"
is "$(summary records)" "$lines" "a ring of one page: the summary has the lines as delivered"
ok "a ring of one page: losses are reported in their place among the records" grep -qi lost out.txt
ok "a ring of one page: in the order of time" records order out.txt
exits 3 "trace --lost-exit: exit 3" \
	"$BPFPERF" trace -m 1 --lost-exit -o out.txt syscalls:sys_enter_getppid -- \
	"$WORKLOADS/syscall_loop" $N

# The reader does not wait behind the tasks that it watches. CMD starts a moment before the reader is urgent.
# shellcheck disable=SC2016 # the inner shell's
exits 0 "trace: the reader's priority: exit 0" "$BPFPERF" trace -o out.txt sched:sched_process_exit -- sh -c '
	for _ in $(seq 1000); do
		reader=$(ps -o ni= -p $PPID)
		[ "$reader" -ne -20 ] || break
	done
	echo $reader $(ps -o ni= -p $$)'
is "$(cat out)" "-20 $(ps -o ni= -p $$ | tr -d ' ')" "trace: the reader runs before others, CMD as bpfperf was started"

# The targets are traced, and no other task.
exits 0 "trace of CMD with its children: exit 0" "$BPFPERF" trace -m 8M -o out.txt syscalls:sys_enter_getppid -- \
	"$WORKLOADS/fork_tree" 9 1003
bad=0
while read -r line; do
	want=$(said count <<<"$line") p=$(said pid <<<"$line")
	[ "$(grep -c " $p/$p " out.txt)" = "$want" ] || bad=$((bad + 1))
done <out
is "$(wc -l <out) $bad" "19 0" "trace of CMD with its children: each of 19 processes has as many records as it made calls"
is "$(grep -c . out.txt)" $((18 * 1003)) "trace of CMD with its children: no records of other processes"

exits 0 "trace of CMD with its threads: exit 0" "$BPFPERF" trace -m 8M -o out.txt syscalls:sys_enter_getppid -- \
	"$WORKLOADS/threads" 5 10007
bad=0
while read -r line; do
	t=$(said tid <<<"$line") p=$(said pid <<<"$line") c=$(said comm <<<"$line")
	[ "$(records count out.txt "tid=$t" "pid=$p" "comm=$c")" = 10007 ] || bad=$((bad + 1))
done <out
is $bad 0 "trace of CMD with its threads: each thread has its records, under its process and its name"

exits 0 "trace of CMD: from its first instruction" "$BPFPERF" trace -o out.txt \
	syscalls:sys_enter_execve,syscalls:sys_exit_execve,syscalls:sys_enter_brk -- "$WORKLOADS/syscall_loop" 1
like "$(head -n 1 out.txt)" 'sys_exit_execve: 0x0$' "trace of CMD: the return of its exec is the first record"

cpu=$(own_cpus | head -n 1)
taskset -c "$cpu" "$WORKLOADS/syscall_loop" 100000000000 &
loop=$!
reap $loop
"$WORKLOADS/syscall_loop" 100000000000 &
other=$!
reap $other
exits 0 "trace -p for half a second: exit 0" "$BPFPERF" trace -p $loop --duration 0.5 -m 4M -o out.txt \
	syscalls:sys_enter_getppid
isnt "$(records count out.txt "pid=$loop")" 0 "trace -p for half a second: records of the process"
is "$(records count out.txt "pid=$other")" 0 "trace -p for half a second: no records of another"
exits 0 "trace -t with --max-events: exit 0" "$BPFPERF" trace -t $other --max-events 1234 -o out.txt \
	raw_syscalls:sys_exit
is "$(grep -c . out.txt)" 1234 "trace -t with --max-events: just as many records"
is "$(records count out.txt "tid=$other")" 1234 "trace -t with --max-events: records of that thread"
# The loop runs there, and is charged its time.
exits 0 "trace -C $cpu: exit 0" "$BPFPERF" trace -C "$cpu" --duration 0.5 -m 4M -o out.txt 'sched:*'
isnt "$(records count out.txt)" 0 "trace -C $cpu: records of that CPU"
is "$(records count out.txt "cpu=$cpu")" "$(records count out.txt)" "trace -C $cpu: no records of other CPUs"
kill $loop $other

# Against the kernel's own counter of the same tracepoints.
exits 0 "trace beside perf stat: exit 0" "$BPFPERF" trace -m 8M -o out.txt raw_syscalls:sys_enter,sched:sched_switch -- \
	perf stat -x, -o stat.txt -e raw_syscalls:sys_enter,sched:sched_switch \
	"$WORKLOADS/sched_pingpong" 5003
stat() { # EVENT
	sed -n "s/^\([0-9]*\),.*$1.*/\1/p" stat.txt
}
got=$(records count out.txt comm=sched_pingpong event=raw_syscalls:sys_enter)
is "$got" "$(stat raw_syscalls:sys_enter)" "raw_syscalls:sys_enter: as many as perf stat counts"
# perf closes a thread's counters some time before its last switch: in between it may be preempted.
got=$(grep ' sched:sched_switch: ' out.txt | grep '^ *sched_pingpong' | grep -cvE 'prev_state=[XZ]')
at_end=$(python3 - <<'END'
import re
late = {}
for line in open("out.txt", encoding="utf-8"):
    m = re.match(r"^ *sched_pingpong +\d+/(\d+) .* (sched:sched_switch|raw_syscalls:sys_enter): (.*)", line)
    if m and m[2] == "raw_syscalls:sys_enter":
        late[m[1]] = 0
    elif m and not re.search("prev_state=[XZ]", m[3]):
        late[m[1]] = late.get(m[1], 0) + 1
print(sum(late.values()))
END
)
want=$(stat sched:sched_switch)
between "$want" $((got - at_end)) "$got" "sched:sched_switch: as many as perf stat counts, but for $at_end at threads' ends"
is "$(summary lost)" 0 "trace beside perf stat: no record is lost"
done_testing
