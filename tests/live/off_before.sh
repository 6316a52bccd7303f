#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Time off the CPU of threads that left it before the measurement began: all of it, or up to their wakeup.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd python3

# Over the stacks of a profile in JSON that have all of these words in frames (=WORD: as their group): samples, weights.
of_stacks() { # FILE samples|weight WORD…
	python3 -c '
import json, sys
key, words, total = sys.argv[2], sys.argv[3:], 0
for line in open(sys.argv[1]):
    o = json.loads(line)
    if "stack" in o and all(w[1:] in o["group"] if w[0] == "=" else any(w in f for f in o["stack"]) for w in words):
        total += o[key]
print(total)' "$@"
}

duration() { # FILE: of its recording, in ns
	head -n 1 "$1" | sed -E 's/.*"duration_ns":([0-9]+).*/\1/'
}

cpu_ns() { # PID: CPU time of its first thread
	cut -d ' ' -f 1 "/proc/$1/task/$1/schedstat"
}

# A process of 23 threads that never wake, and its first one.
python3 -c '
import threading
never = threading.Event()
for i in range(23):
    threading.Thread(target=never.wait, daemon=True).start()
print("ready", flush=True)
threading.Event().wait()' >ready 2>/dev/null &
waiters=$!
reap $waiters
"$WORKLOADS/sleeper" 1 600000000 7 >/dev/null &
sleeper=$!
reap $sleeper
mkfifo fifo
cat <>fifo >got &
cat=$!
reap $cat
is_asleep() { # PID SYMBOL
	grep -q "$2" "/proc/$1/wchan"
}
wait_for 20 test -s ready
wait_for 20 is_asleep $waiters futex
wait_for 20 is_asleep $sleeper nanosleep
wait_for 20 is_asleep $cat pipe_read

exits 0 "off the CPU all the time: exit 0" "$BPFPERF" stack --off-cpu --duration 0.503 --format json -o all.json -p $sleeper
ns=$(duration all.json)
is "$(of_stacks all.json samples)" 1 "off the CPU all the time: one absence"
is "$(of_stacks all.json weight '[sleeping since before]')" "$ns" "off the CPU all the time: as long as the measurement"
is "$(of_stacks all.json weight nanosleep)" "$ns" "off the CPU all the time: with its kernel stack"
is "$(python3 -c '
import json
print(*{o["stack"].count("deeper") for o in map(json.loads, open("all.json")) if "stack" in o and "main" in o["stack"]})')" 7 \
	"off the CPU all the time: with its whole user stack"
like "$(cat err)" '1 threads were off the CPU at the end, 1 of them all the time|1 samples, 0 lost' "off the CPU all the time: nothing is lost"

exits 0 "--unwind=fp of a sleeping thread: exit 0" "$BPFPERF" stack --off-cpu --unwind=fp --duration 0.1 --format json -o fp.json -p $sleeper
is "$(of_stacks fp.json samples deeper main '[sleeping since before]')" 1 "--unwind=fp of a sleeping thread: the user stack along frame pointers"
exits 0 "--kernel of a sleeping thread: exit 0" "$BPFPERF" stack --off-cpu --kernel --duration 0.1 --format json -o kernel.json -p $sleeper
is "$(of_stacks kernel.json samples nanosleep)" 1 "--kernel of a sleeping thread: the kernel stack"
is "$(of_stacks kernel.json samples deeper)" 0 "--kernel of a sleeping thread: no user stack"
exits 0 "--user of a sleeping thread: exit 0" "$BPFPERF" stack --off-cpu --user --duration 0.1 --format json -o user.json -p $sleeper
is "$(of_stacks user.json samples deeper)" 1 "--user of a sleeping thread: the user stack"
is "$(of_stacks user.json samples do_nanosleep)" 0 "--user of a sleeping thread: no kernel stack"

# Each thread of a process.
exits 0 "24 threads that sleep: exit 0" "$BPFPERF" stack --off-cpu --duration 0.307 --format json -o threads.json -p $waiters
ns=$(duration threads.json)
is "$(of_stacks threads.json samples futex '[sleeping since before]')" 24 "24 threads that sleep: each is one absence"
is "$(of_stacks threads.json weight futex)" $((24 * ns)) "24 threads that sleep: each as long as the measurement"
exits 0 "-t of a thread that sleeps: exit 0" "$BPFPERF" stack --off-cpu --duration 0.1 --format json -o thread.json -t $waiters
is "$(of_stacks thread.json samples)" 1 "-t of a thread that sleeps: this thread alone"

# Up to the wakeup, which the command makes once the measurement is under way.
before=$(cpu_ns $cat)
# shellcheck disable=SC2016 # the inner shell's
exits 0 "a thread that is woken: exit 0" "$BPFPERF" stack --wakers --format json -o woken.json -p $cat -- \
	sh -c 'sleep 0.2; echo 1009 >fifo; sleep 0.2'
on=$(($(cpu_ns $cat) - before))
is "$(cat got)" 1009 "a thread that is woken: it ran"
ns=$(duration woken.json)
is "$(of_stacks woken.json samples =cat '[sleeping since before]')" 1 "a thread that is woken: one absence since before"
between "$(of_stacks woken.json weight =cat '[sleeping since before]')" 200000000 $((ns - 200000000)) \
	"a thread that is woken: up to its wakeup"
is "$(of_stacks woken.json samples =cat pipe_read '[woken by]')" 1 "a thread that is woken: its waker is seen"
between "$(of_stacks woken.json weight =cat '[sleeping]')" 200000000 $((ns - 200000000)) \
	"a thread that is woken: its next sleep is its own"
# Taking a stack is time neither on nor off: 5 ms for those of three absences.
between "$(of_stacks woken.json weight =cat)" $((ns - on - 5000000)) "$ns" \
	"a thread that is woken: off the CPU for the time that it was not on it"

# Other ways to choose.
exits 0 "--comm of a sleeping thread: exit 0" "$BPFPERF" stack --off-cpu --comm sleeper --duration 0.1 --format json -o comm.json
is "$(of_stacks comm.json samples deeper)" 1 "--comm of a sleeping thread: it is seen"
is "$(of_stacks comm.json samples futex)" 0 "--comm of a sleeping thread: no other"
exits 0 "-u of a sleeping thread: exit 0" "$BPFPERF" stack --off-cpu -u 61009 --duration 0.1 --format json -o uid.json
is "$(of_stacks uid.json samples)" 0 "-u of a sleeping thread: no thread of another user"
like "$(cat err)" 'no time off the CPU was seen' "--off-cpu of none: it is said"
unlike "$(cat err)" '-F' "--off-cpu of none: the remedy is none of sampling"
exits 0 "-u 0 of a sleeping thread: exit 0" "$BPFPERF" stack --off-cpu -u 0 --duration 0.1 --format json -o root.json
is "$(of_stacks root.json samples deeper)" 1 "-u 0 of a sleeping thread: root's are seen"
exits 0 "--off-cpu -a of a sleeping thread: exit 0" "$BPFPERF" stack --off-cpu -a --duration 0.1 --format json -o a.json
is "$(of_stacks a.json samples deeper)" 1 "--off-cpu -a of a sleeping thread: it is seen"
between "$(of_stacks a.json samples '[idle since before]')" 1 100000 "--off-cpu -a of a sleeping thread: kernel threads are seen"
exits 0 "--min-us of a sleeping thread: exit 0" "$BPFPERF" stack --off-cpu --min-us 1000000 --duration 0.1 --format json -o min.json -p $sleeper
is "$(of_stacks min.json samples)" 0 "--min-us of a sleeping thread: the measured part counts"

v2=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/self/mounts)
group=$v2/bpfperf-before.$$
if [ -n "$v2" ] && mkdir "$group" 2>/dev/null && echo $sleeper 2>/dev/null >"$group/cgroup.procs"; then
	exits 0 "-G of a sleeping thread: exit 0" "$BPFPERF" stack --off-cpu -G "$group" --duration 0.1 --format json -o g.json
	is "$(of_stacks g.json samples)" 1 "-G of a sleeping thread: its threads alone"
	is "$(of_stacks g.json samples deeper)" 1 "-G of a sleeping thread: it is seen"
	kill -KILL $sleeper
	wait $sleeper 2>/dev/null
else
	skip_test "-G of who sleeps" "groups of cgroup v2 cannot be made here"
fi
rmdir "$group" 2>/dev/null

exits 0 "without an iterator of tasks: exit 0" env BPFPERF_WITHOUT=task_iter "$BPFPERF" stack --off-cpu --duration 0.1 --format json \
	-o without.json -p $waiters
is "$(of_stacks without.json samples)" 0 "without an iterator of tasks: sleepers are not seen"
done_testing
