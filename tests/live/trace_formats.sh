#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# trace: every format says the same, and is what it claims to be.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
# shellcheck source=steady.bash
. "$TOP/tests/live/steady.bash"
need_cmd python3 perf taskset

N=1009
formats() {
	python3 "$TOP/tests/formats.py" "$@"
}

# All formats at once see the same processes.
events='sched:sched_process_*,sched:sched_switch,raw_syscalls:*,syscalls:sys_*_openat,syscalls:sys_*_getppid'
family_start
pids=()
before=$(date +%s%N)
for f in a.txt a.json a.csv a.perfetto.json; do
	"$BPFPERF" trace -p $family_pid -m 8M -o $f "$events" 2>err.$f &
	pids+=($!)
	reap $!
done
for f in a.txt a.json a.csv a.perfetto.json; do
	family_seen $f
done
family_run "'$WORKLOADS/fork_tree' 5 $N >tree"
family_run "'$WORKLOADS/renamer' 101 >renamer"
kill -INT "${pids[@]}"
wait "${pids[@]}"
family_end
mapfile -t tids < <(grep -v 'count=0' tree | said pid)
made=$((N * ${#tids[@]} + 101))
# Others may make the same call meanwhile.
family=$(printf '%s\n' "${tids[@]}" "$(said pid <renamer)" | paste -sd'|')
ours() { # REGEX FILE
	grep -E "\"tid\":($family)," "$2" | grep -cE "$1"
}
is "$(cat err.* | grep -c ' 0 lost')" 4 "four formats at once: exit 0, none lost"

ok "every line of JSON is valid by the schema" formats schema "$TOP/docs/trace.schema.json" a.json
ok "CSV has a header, and its columns in every row" formats csv a.csv
ok "CSV has what JSON has, field by field" formats csv-json a.csv a.json "${tids[@]}"
ok "the trace for viewers is balanced, ordered, and names its tracks" formats perfetto a.perfetto.json
for f in a.json a.csv a.perfetto.json; do
	between "$(formats start $f)" "$before" "$(date +%s%N)" "$f says when it was by the wall clock"
done
is "$(ours '"syscall":"getppid"' a.json)" $((4 * made)) \
	"viewers: calls are named, entered and left, raw and not"
is "$(ours '"event":"raw_syscalls:sys_enter","syscall":"getppid"' a.json)" \
	$made "viewers: each call is there as often as it was made"
is "$(ours '"ph":"X".*"name":"getppid","cat":"syscall"' a.perfetto.json)" \
	$made "viewers: each call is one slice of its thread's track"
ok "names with control characters come through" grep -q '"comm":"new\\u000aline"' a.json
is "$(sed -n '$=' a.csv)" "$(python3 -c 'import csv; print(len(list(csv.reader(open("a.csv", newline="")))))')" \
	"in CSV a row is a line, whatever a thread calls itself"

# The task on each CPU: a process that burns CPU has its time on the CPU tracks, as long as ftrace's records of the same run
# say (perf's lack switches from the idle task, see LIMITS). There are machines that hide the switches away from their
# own agents; time after such a switch is shown as the agent's until the next record of a running task, so calls are traced as
# well, and ftrace's records are added up by the same rule. What CMD did before its call of execve is bpfperf's.
cat >ran.py <<'END'
import re
import sys
ran, last, runs = 0.0, {}, {}
for line in sys.stdin:
    m = re.match(r".*-(\d+) +\[(\d+)\] \S+ +(\d+\.\d+): (\w+)[:(](?:.*next_pid=(\d+))?", line)
    if m:
        tid, cpu, sec, _, switched_to = m.groups()
        if tid == sys.argv[1] and re.search(r" sys_enter: NR (59|221) ", line):
            ran = 0.0
            continue
        if runs.get(cpu) == sys.argv[1]:
            ran += float(sec) - last[cpu]
        last[cpu], runs[cpu] = float(sec), switched_to or tid
print(round(ran * 1e6))
END
ftrace=$TRACEFS/instances/bpfperf-test-$$
trap 'rmdir "$ftrace" 2>/dev/null; tap_cleanup' EXIT
beside_ftrace() { # CMD…: its records are in ftrace.txt, how many were lost in ftrace.lost
	mkdir "$ftrace" && echo 65536 >"$ftrace/buffer_size_kb" && echo mono >"$ftrace/trace_clock" &&
		echo 'sched:sched_switch raw_syscalls:sys_enter' >"$ftrace/set_event" || return
	"$@"
	echo 0 >"$ftrace/tracing_on"
	cat "$ftrace/trace" >ftrace.txt
	cat "$ftrace"/per_cpu/cpu*/stats | awk '/^(overrun|dropped events):/ { n += $NF } END { print n }' >ftrace.lost
	rmdir "$ftrace"
}
exits 0 "sched_switch for a viewer, beside ftrace: exit 0" beside_ftrace \
	"$BPFPERF" trace -a -m 8M -o run.pftrace sched:sched_switch,raw_syscalls:sys_enter -- "$WORKLOADS/spin" 0.3
spin=$(said pid <out)
is "$(cat ftrace.lost) $(summary lost)" "0 0" "sched_switch for a viewer, beside ftrace: no record is lost"
ran_us=$(python3 ran.py "$spin" <ftrace.txt)
spin_us=$(formats perfetto-runs run.pftrace "$spin" | sed -n 's/ spin$//p')
diag "ftrace: $ran_us us, for a viewer: $spin_us us"
# The task's clock runs from its fork on: the time until its first record, milliseconds on some machines, is not in the slices.
ok "sched_switch for a viewer: the CPU time that a task asked for was spent" test "${spin_us:-0}" -ge 285000
between "${spin_us:-0}" $((ran_us * 99 / 100)) $((ran_us * 101 / 100 + 1000)) \
	"sched_switch for a viewer shows the CPU time that was spent, as ftrace's records do"
ok "sched_switch for a viewer: well-formed" formats perfetto run.pftrace
exits 0 "sched_switch for a viewer, CMD alone: exit 0" "$BPFPERF" trace -o cmd.pftrace sched:sched_switch,raw_syscalls:* -- \
	"$WORKLOADS/sched_pingpong" 503
ok "sched_switch for a viewer, CMD alone: well-formed" formats perfetto cmd.pftrace
is "$(formats perfetto-runs cmd.pftrace | grep -cv sched_pingpong)" 0 "sched_switch for a viewer, CMD alone: no slice of other tasks"

# An error has its name.
exits 0 "trace of a call that fails: exit 0" "$BPFPERF" trace -o err.json syscalls:sys_exit_openat -- \
	cat /nonexistent-file 2>/dev/null || true
ok "trace of a call that fails: the error has its name" grep -q '"syscall":"openat","error":"ENOENT"' err.json

# A call is a slice where its end is known.
python=$(python3 -c 'import sys; print(sys.executable)')
cat >calls.py <<'END'
import os
import sys
for _ in range(17):
    os.dup2(0, 99)
    os.close(99)
    try:
        os.close(777)
    except OSError:
        pass
for cpu in sys.argv[1:]:
    os.sched_setaffinity(0, {int(cpu)})
END
cat >slices.py <<'END'
import collections
import json
import sys
seen = collections.Counter()
for e in json.load(open(sys.argv[1]))["traceEvents"]:
    if e.get("cat") == "syscall":
        seen[e["ph"], "return" in e["args"], e["args"]["fields"].get(sys.argv[2])] += 1
for (ph, has_end, value), count in sorted(seen.items(), key=str):
    if len(sys.argv) == 3 or str(value) in sys.argv[3:]:
        print(ph, "ended" if has_end else "open", value, count)
END
exits 0 "viewers, ends that are filtered: exit 0" "$BPFPERF" trace -o end.pftrace 'syscalls:sys_*_close' --filter 'ret < 0' -- \
	"$python" calls.py
is "$(python3 slices.py end.pftrace fd 99 777 | paste -sd,)" "X ended 777 17,i open 99 17" \
	"viewers, ends that are filtered: calls with an end are slices, others are instants"
is "$(python3 slices.py end.pftrace fd | grep -c 'X open')" 0 "viewers, ends that are filtered: the last call of a thread is an instant, too"
exits 0 "viewers, beginnings that are filtered: exit 0" "$BPFPERF" trace -o begin.pftrace syscalls:sys_enter_close \
	--filter 'fd == 777' syscalls:sys_exit_close -- "$python" calls.py
is "$(python3 slices.py begin.pftrace fd | paste -sd,)" "X ended 777 17" "viewers, beginnings that are filtered: slices of the beginnings that are there"
exits 0 "viewers, both filtered: exit 0" "$BPFPERF" trace -o both.pftrace syscalls:sys_enter_close \
	--filter 'fd == 99' syscalls:sys_exit_close --filter 'ret < 0' -- "$python" calls.py
is "$(python3 slices.py both.pftrace fd | paste -sd,)" "i open 99 17" "viewers, both filtered: no end is another call's"
exits 0 "viewers, -c 3: exit 0" "$BPFPERF" trace -c 3 -o thin.pftrace 'syscalls:sys_*_getppid' -- \
	taskset -c "$(allowed_cpus | head -n 1)" "$WORKLOADS/syscall_loop" 1009 getppid
is "$(grep -c '"ph":"i".*"name":"getppid"' thin.pftrace) $(grep -c '"ph":"X"' thin.pftrace)" "336 0" \
	"viewers, -c 3: no slices, whose ends would be other calls'"
mapfile -t cpus < <(allowed_cpus | sed -n '1p;$p' | uniq)
if [ ${#cpus[@]} -eq 2 ]; then
	exits 0 "viewers, -C of one CPU: exit 0" "$BPFPERF" trace -C "${cpus[0]}" -o cpu.pftrace 'syscalls:sys_*_sched_setaffinity' -- \
		"$python" calls.py "${cpus[@]}"
	like "$(python3 slices.py cpu.pftrace len | paste -sd,)" '(^|,)i open [0-9]+ 1$' "viewers, -C of one CPU: a call that ends on another CPU has no slice"
	is "$(grep -c '"ph":"X"' cpu.pftrace)" "$(grep -c '"return":' cpu.pftrace)" "viewers, -C of one CPU: a call that ends on that CPU has a slice"
else
	skip_test "viewers, -C of one CPU" "there is only one"
fi

# Lost records are seen in each.
for f in lost.txt lost.json lost.csv lost.pftrace; do
	exits 0 "a ring of one page, $f: exit 0" "$BPFPERF" trace -m 1 -o $f syscalls:sys_enter_getppid -- \
		"$WORKLOADS/syscall_loop" 300007
	lost=$(summary lost)
	shown=$(summary records)
	is $((lost + shown)) 300007 "a ring of one page, $f: delivered ($shown) + lost ($lost) = happened"
	case $f in
	*.txt) sum=$(sed -nE 's/.*: lost ([0-9]+) records?: .*/\1/p' $f) ;;
	*.json) sum=$(sed -nE 's/.*"lost":([0-9]+).*/\1/p' $f) ;;
	*.csv) sum=$(awk -F, 'NR > 1 && $8 { print $8 }' $f) ;;
	*) sum=$(sed -nE 's/.*"args":\{"lost":([0-9]+).*/\1/p' $f) ;;
	esac
	is "$(awk '{ s += $1 } END { print s + 0 }' <<<"$sum")" "$lost" "a ring of one page, $f: each loss is in the file"
done
ok "a ring of one page: JSON is valid by the schema" formats schema "$TOP/docs/trace.schema.json" lost.json
ok "a ring of one page: CSV is a table" formats csv lost.csv
ok "a ring of one page: the trace for viewers is well-formed" formats perfetto lost.pftrace

# With stacks.
exits 0 "stacks in CSV: exit 0" "$BPFPERF" trace -g -o g.csv syscalls:sys_enter_getppid -- "$WORKLOADS/syscall_loop" 503
ok "stacks in CSV: a table" formats csv g.csv
is "$(python3 -c 'import csv
print(sum("syscall" in r["stack"].split(";") for r in csv.DictReader(open("g.csv", newline=""))))')" \
	503 "stacks in CSV: each row has its caller"
exits 0 "stacks for viewers: exit 0" "$BPFPERF" trace -g -o g.pftrace syscalls:sys_enter_getppid -- \
	"$WORKLOADS/syscall_loop" 503
ok "stacks for viewers: well-formed" formats perfetto g.pftrace
is "$(grep -c '"stack":\[.*"syscall"' g.pftrace)" 503 "stacks for viewers: each event has its caller"

# Many fields: one column of JSON.
exits 0 "hundreds of events in CSV: exit 0" "$BPFPERF" trace -o wide.csv 'syscalls:*' -- \
	"$WORKLOADS/syscall_loop" 1003
ok "hundreds of events in CSV: a table" formats csv wide.csv
like "$(head -n 1 wide.csv)" 'cause,syscall,error,fields$' "hundreds of events in CSV: fields as JSON in one column"
exits 0 "text with --header: exit 0" "$BPFPERF" trace --header -o head.txt sched:sched_switch -- true
like "$(head -n 1 head.txt)" '^# started: 20[0-9-]+T[0-9:]+\.[0-9]{9}, CLOCK_MONOTONIC +[0-9]+\.[0-9]{9}$' \
	"text with --header: the start by both clocks"
done_testing
