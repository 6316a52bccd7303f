#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# trace: records that are gathered by CPU. Interrupts nest in them, what is gathered comes out in
# time, and nothing stays behind at the end, whichever way it comes.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd python3 taskset

loop=$WORKLOADS/syscall_loop
mapfile -t cpus < <(allowed_cpus | head -n 13)

# The scheduler's events come by interrupts, into a loop of system calls at full speed, on whose CPU
# another program's timer goes off every 100 us. A ring holds all that the loop makes, however late its reader.
N=70001
taskset -c "${cpus[0]}" "$WORKLOADS/sleeper" 1000000000 50 >/dev/null &
sleeper=$!
reap $sleeper
exits 0 "$N calls with the interrupts' events in their midst" \
	"$BPFPERF" -v trace -a -m 16M -o nest.json 'raw_syscalls:*,sched:*' -- taskset -c "${cpus[0]}" "$loop" $N
kill $sleeper
nested=$(sed -nE 's/.* ([0-9]+) records interrupted another.*/\1/p' err)
isnt "$nested" 0 "some are made in the midst of another ($nested)"
pid=$(said pid <out) nr=$(said nr <out)
ok "each record is whole, in order, and calls are entered and left in turn" \
	python3 - "$pid" "$nr" $N <<'END'
import json
import sys
pid, nr, n = map(int, sys.argv[1:])
last, inside, calls = 0, False, 0
for line in open("nest.json"):
    r = json.loads(line)
    if "event" not in r:
        continue
    assert r["time"] >= last, (last, r)
    last = r["time"]
    if r["tid"] == pid and r["event"].startswith("raw_syscalls:") and r["fields"]["id"] == nr:
        enter = r["event"].endswith("enter")
        assert enter != inside, r
        inside = enter
        calls += enter
assert calls == n, calls
END
is "$(grep -c unaccounted err)" 0 "a storm of nested records: none is unaccounted for"

exits 0 "nested records on classic tracepoints: exit 0" env BPFPERF_WITHOUT=btf \
	"$BPFPERF" -v trace -a -m 16M -o nest.txt 'raw_syscalls:sys_enter,sched:*,timer:*,irq:*' -- "$loop" 100003
# Kernels from 6.7 on count the records that they skip there.
between "$(grep -c " $(said pid <out)/.*sys_enter: NR $(said nr <out) " nest.txt)" \
	$((100003 - $(summary lost))) 100003 "nested records on classic tracepoints: no call is missed that is not counted"
ok "nested records on classic tracepoints: in order" records order nest.txt
is "$(grep -c unaccounted err)" 0 "nested records on classic tracepoints: none is unaccounted for"

# A handful on each CPU: far less than a batch, on a ring of one page too.
for size in 1 4M; do
	sum=0 i=0
	# shellcheck disable=SC2016 # for another shell
	exits 0 "-m $size, a few calls on each CPU" "$BPFPERF" trace -m $size -o few.txt syscalls:sys_enter_getppid -- \
		bash -c 'n=7; for c in "${@:2}"; do taskset -c $c "$1" $n; n=$((n + 2)); done' - "$loop" "${cpus[@]}"
	for c in "${cpus[@]}"; do
		n=$((2 * i + 7)) i=$((i + 1))
		sum=$((sum + n))
		is "$(records count few.txt "cpu=$c" comm=syscall_loop)" $n "-m, a few calls on each CPU: CPU $c has its $n"
	done
	is "$(records count few.txt comm=syscall_loop) $(summary lost)" "$sum 0" "-m, a few calls on each CPU: nothing else is printed"
done

# One event is shown while tracing goes on, with nothing behind it to push it out. Of a name of its own: others
# may call it, too.
cp "$loop" single17
"$BPFPERF" trace -a -o one.txt syscalls:sys_enter_getsid --filter 'COMM == "single17"' 2>err &
bg=$!
reap $bg
begun() {
	./single17 1 getsid >one
	wait_for 1 test -s one.txt
}
ok "events of an idle tracer: tracing begins" wait_for 20 begun
# Late records of earlier events have been printed when the last one is.
ok "events of an idle tracer: the last is printed" wait_for 20 grep -q " $(said pid <one)/" one.txt
first=$(grep -c . one.txt)
for i in 1 2 3; do
	./single17 1 getsid >one
	ok "events of an idle tracer: event $i comes by itself" wait_for 20 grep -q " $(said pid <one)/" one.txt
	is "$(grep -c . one.txt)" $((first + i)) "events of an idle tracer: nothing else is printed"
done
stop_bg INT
is "$(summary records) $bg_rc" "$((first + 3)) 0" "events of an idle tracer: the summary counts them"

# Records that are still gathered when CMD is killed, or bpfperf is told to stop.
# shellcheck disable=SC2016 # for another shell
exits 0 "CMD that kills itself: exit 0" "$BPFPERF" trace -o kill.txt syscalls:sys_enter_getppid,syscalls:sys_enter_kill -- \
	bash -c '"$1" 13 >one; kill -KILL $$' - "$loop"
is "$(records count kill.txt comm=syscall_loop event=syscalls:sys_enter_getppid)" 13 "CMD that kills itself: all of its calls"
is "$(tail -n 1 kill.txt | grep -c sys_enter_kill)" 1 "CMD that kills itself: the kill is the last record"
exits 0 "--max-events less than a batch: exit 0" "$BPFPERF" trace --max-events 3 -o max.txt \
	syscalls:sys_enter_getppid -- "$loop" 17
is "$(grep -c . max.txt)" 3 "--max-events less than a batch: 3 lines are printed"

# With -a, CMD's process is bpfperf's until it calls exec.
exits 0 "trace -a -- CMD: exit 0" "$BPFPERF" trace -a -o all.txt raw_syscalls:sys_enter -- "$loop" 11
is "$(grep -c " $(said pid <out)/.*bpfperf" all.txt)" 0 "trace -a -- CMD: nothing that bpfperf did in the place of CMD"
isnt "$(grep -c " $(said pid <out)/" all.txt)" 0 "trace -a -- CMD: the calls of CMD"
done_testing
