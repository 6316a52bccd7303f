#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# trace --counters: what grew from record to record, by CPU and by task; rows between.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd python3 taskset bpftool

counter=msr/tsc/
"$BPFPERF" list 'msr/tsc/' >/dev/null 2>&1 || counter=cpu-clock

# Every CPU switches all the time: two processes on each that yield to each other.
for c in $(allowed_cpus); do
	for _ in 1 2; do
		taskset -c "$c" "$WORKLOADS/syscall_loop" 1000000000 sched_yield >/dev/null &
		reap $!
	done
done
exits 0 "sched_switch with $counter" "$BPFPERF" trace -a -m 16M --counters $counter,page-faults \
	--counter-interval 100 --duration 1.5 -o cpu.json sched:sched_switch
kill "${tap_pids[@]}" 2>/dev/null
is "$(grep -c unaccounted err)" 0 "sched_switch with counters: no record is unaccounted for"
# Records that are lost lose no growth: it is the next one's.
ok "sched_switch with counters: growth over each CPU's records is the counter's" python3 - $counter <<'END'
import collections
import json
import os
import sys
counter = sys.argv[1]
rows, sums, times = collections.defaultdict(list), collections.Counter(), collections.Counter()
first, last = {}, {}
faults, fault_rows = collections.Counter(), collections.defaultdict(list)
for line in open("cpu.json"):
    r = json.loads(line)
    if "counters" not in r:
        continue
    c = r["counters"][counter]
    assert c["running"] == c["enabled"], r
    if "event" not in r:
        rows[r["cpu"]].append((c["enabled"], c["value"]))
        fault_rows[r["cpu"]].append(r["counters"]["page-faults"]["value"])
        continue
    if not rows[r["cpu"]]:
        continue
    last[r["cpu"]] = r["time"]
    # The first record's growth began just before the first row.
    if r["cpu"] not in first:
        first[r["cpu"]] = r["time"]
        continue
    sums[r["cpu"]] += c["value"]
    times[r["cpu"]] += c["enabled"]
    faults[r["cpu"]] += r["counters"]["page-faults"]["value"]
assert len(rows) > 0
for cpu, seen in rows.items():
    (t0, v0), (t1, v1) = seen[0], seen[-1]
    assert len(seen) > 3 and v1 > v0, seen
    # From the first record to the last no time is missing, by their own clock, and the counter goes at one pace:
    # what it grew by in that time follows from the rows, whose counters are read with their time.
    missing = abs(times[cpu] - (last[cpu] - first[cpu])) / (t1 - t0)
    grown = (v1 - v0) * times[cpu] / (t1 - t0)
    off = abs(sums[cpu] - grown) / (v1 - v0)
    print(f"CPU {cpu}: {sums[cpu]} of {grown:.0f}, off by {off * 100:.4f} %, in time by {missing * 100:.4f} %")
    assert off < 0.001 and missing < 0.001
    # On the CPU of this test, records come all the time.
    assert cpu not in os.sched_getaffinity(0) or times[cpu] > (t1 - t0) / 2, cpu
    assert faults[cpu] <= fault_rows[cpu][-1] - fault_rows[cpu][0], cpu
END

untraced() { # the switches to tasks that the kernel did not trace, as the note counts them
	sed -nE 's/.* did not trace ([0-9]+) switches to tasks.*/\1/p' err | grep . || echo 0
}

# The page faults of each round, from standard input, are "$1 $1 ...", not one more. A switch to the task that the kernel did
# not trace gives the faults of the task before to one round.
of_rounds() { # WANTED NAME
	local got
	got=$(paste -sd' ')
	if [ "$got" != "$1" ] && [ "$(untraced)" -gt 0 ]; then
		echo "# with faults of other tasks: $got"
		got=$(paste -d' ' <(tr ' ' '\n' <<<"$got") <(tr ' ' '\n' <<<"$1") |
			awk -v left="$(untraced)" '{ print ($1 > $2 && left-- > 0) ? $2 : $1 }' | paste -sd' ')
	fi
	is "$got" "$1" "$2" || diag "of task ${pid:-without a number}" "$(cat err)" "$(wc -l ./*.json)"
}

# By task, wherever it runs: so many faults from one call to the next.
exits 0 "--counters-by=task of page faults: exit 0" "$BPFPERF" trace -a --counters page-faults,cpu-clock --counters-by=task \
	-o task.json syscalls:sys_enter_getppid -- "$WORKLOADS/faults" 1009 7
pid=$(said pid <out)
grown() { # FILE: of each record of $pid its page faults
	python3 -c 'import json, sys
for line in open(sys.argv[1]):
    r = json.loads(line)
    if r.get("tid") == int(sys.argv[2]):
        print(r["counters"]["page-faults"]["value"])' "$1" "$pid"
}
of_rounds "1009 1009 1009 1009 1009 1009 1009" \
	"--counters-by=task of page faults: each round has its 1009, across CPUs" < <(grown task.json | awk 'NR % 2 == 0')
between "$(grown task.json | awk 'NR % 2 && NR > 1' | sort -n | head -n "-$(untraced)" | awk '{ n += $1 } END { print n + 0 }')" 0 6 \
	"--counters-by=task of page faults: between rounds next to none"
exits 0 "--counters with CMD alone: exit 0" "$BPFPERF" trace --counters page-faults --counters-by=task -o cmd.json \
	syscalls:sys_enter_getppid -- "$WORKLOADS/faults" 503 5
pid=$(said pid <out)
of_rounds "503 503 503 503 503" "--counters with CMD alone: 503 page faults a round" < <(grown cmd.json | awk 'NR % 2 == 0')
exits 0 "--counters on classic tracepoints: exit 0" env BPFPERF_WITHOUT=syscall_guard "$BPFPERF" trace --counters page-faults \
	--counters-by=task -g -o classic.json syscalls:sys_enter_getppid -- "$WORKLOADS/faults" 503 5
pid=$(said pid <out)
of_rounds "503 503 503 503 503" "--counters on classic tracepoints, with -g: exit 0" < <(grown classic.json | awk 'NR % 2 == 0')
is "$(grep -c '"stack":\[{' classic.json)" 10 "--counters on classic tracepoints, with -g: values of each record"

cp "$WORKLOADS/faults" "named$$"
exits 0 "--counters with CMD and --comm: exit 0" "$BPFPERF" trace --comm "named$$" --counters page-faults --counters-by=task \
	-o named.json syscalls:sys_enter_getppid -- "./named$$" 503 5
pid=$(said pid <out)
of_rounds "503 503 503 503 503" "--counters with CMD and --comm: 503 page faults a round" < <(grown named.json | awk 'NR % 2 == 0')

# Counts of a task are kept while it lives: the CMD below, which has seen 307 tasks end, reads from bpfperf's table
# how many entries it has.
cat >lives.sh <<'END'
for i in $(seq 307); do "$1"; done
for fd in /proc/$PPID/fdinfo/*; do
	! grep -qE '^map_type:[[:space:]]*9$' $fd || id=$(sed -n 's/^map_id:[[:space:]]*//p' $fd)
done
bpftool -j map dump id $id | python3 -c 'import json, sys; print("kept=%d" % len(json.load(sys.stdin)))'
END
exits 0 "--counters of 307 tasks that end: exit 0" "$BPFPERF" trace --counters cpu-clock --counters-by=task -o lives.json \
	syscalls:sys_enter_getppid -- sh lives.sh "$(type -P true)"
between "$(said kept <out)" 1 53 "--counters of 307 tasks that end: few counters are kept"
is "$(grep -c 'started anew' err)" 0 "--counters of 307 tasks that end: no count begins anew"

# A task's time, counted as its CPU's clock ticks, from its first record on: what perf counts of the same program.
exits 0 "--counters-by=task of the clock: exit 0" "$BPFPERF" trace --counters cpu-clock --counters-by=task -o spin.json \
	sched:sched_process_exec,sched:sched_switch,sched:sched_process_exit -- \
	perf stat -x, -o stat.txt -e cpu-clock "$WORKLOADS/spin" 0.3
pid=$(said pid <out)
ns=$(python3 -c 'import json, sys
print(sum(r["counters"]["cpu-clock"]["value"] for r in map(json.loads, open("spin.json"))
          if "event" in r and r["tid"] == int(sys.argv[1])))' "$pid")
theirs=$(sed -nE 's/^([0-9.]+),msec,cpu-clock,.*/\1/p' stat.txt | awk '{ printf "%.0f", $1 * 1000000 }')
between "$ns" $((theirs * 97 / 100)) $((theirs * 103 / 100)) "--counters-by=task of the clock: 0.3 s of CPU time are what perf counts ($ns ns)"
between "$ns" 290000000 100000000000 "--counters-by=task of the clock: at least 0.3 s"

exits 0 "--counters as text: exit 0" "$BPFPERF" trace --counters $counter,page-faults -o t.txt syscalls:sys_enter_getppid -- \
	"$WORKLOADS/syscall_loop" 3
is "$(grep -cE "sys_enter_getppid: +\{$counter=[0-9]+ page-faults=[0-9]+\}$" t.txt)" 3 "--counters as text: values follow the fields"
ok "--counters as JSON: valid by the schema" python3 "$TOP/tests/formats.py" schema "$TOP/docs/trace.schema.json" cpu.json

for format in csv perfetto perf; do
	exits 2 "--counters in $format: exit 2" "$BPFPERF" trace --counters cs --format $format -o none sched:sched_switch -- true
	like "$(cat err)" "--counters: the format $format has no place for counters" "--counters in $format: the format is named"
done
ok "--counters in a format without them: nothing was written" test ! -e none
exits 2 "--counters-by without --counters: exit 2" "$BPFPERF" trace --counters-by=task sched:sched_switch
like "$(cat err)" 'needs --counters' "--counters-by without --counters: the missing option is named"
exits 2 "--counters-by=core: exit 2" "$BPFPERF" trace --counters cs --counters-by=core sched:sched_switch
like "$(cat err)" 'choose from: cpu task' "--counters-by=core: the choices are listed"
exits 2 "--counters duration_time: exit 2" "$BPFPERF" trace --counters duration_time sched:sched_switch
like "$(cat err)" 'bpfperf stat' "--counters duration_time: stat is the remedy"
exits 0 "--counters of a group of software events: exit 0" "$BPFPERF" trace --counters '{page-faults,task-clock}' -o group.json \
	syscalls:sys_enter_getppid -- "$WORKLOADS/syscall_loop" 1009 getppid
is "$(grep -c '"task-clock"' group.json) $(grep -c '"scaled"' group.json)" "1009 0" "--counters of a group of software events: values from the first record on"
exits 2 "--counters with nine events: exit 2" "$BPFPERF" trace --counters cs,cs,cs,cs,cs,cs,cs,cs,cs sched:sched_switch
like "$(cat err)" 'at most 8' "--counters with nine events: the limit is reported"
exits 1 "--counters of an event that this machine does not have: exit 1" "$BPFPERF" trace --counters iTLB-prefetch-misses sched:sched_switch
like "$(cat err)" 'iTLB-prefetch-misses cannot be counted on this machine' "--counters of an event that this machine does not have: the event is named"
done_testing
