#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# stat on this kernel: exact counts, the same as perf stat's, in each of its shapes.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
# shellcheck source=steady.bash
. "$TOP/tests/live/steady.bash"
need_cmd perf python3

loop="$WORKLOADS/syscall_loop 10007 getppid"
enter=syscalls:sys_enter_getppid
cpus=$(getconf _NPROCESSORS_ONLN)

# Values of an event in CSV, one a line.
value() { # FILE EVENT
	awk -F , -v e="$2" '{ for (i = 2; i <= NF; i++) if ($i == e) print $(i - 2) }' "$1"
}

# Adds up numbers, one a line.
sum() {
	awk '{ n += $1 } END { printf "%d\n", n }'
}

# Has this bpfperf opened its counters, so that it waits?
is_counting() { # PID
	# shellcheck disable=SC2010 # what a descriptor is of
	ls -l "/proc/$1/fd" | grep -q signalfd
}

# Runs both tools on the same, into ours and theirs.
both() { # ARG…
	rm -f ours theirs
	"$BPFPERF" stat -x , -o ours "$@" >said 2>err && perf stat -x , -o theirs "$@" >said 2>&1
	[ -s ours ] || fail "stat $*: exit 0" "$(cat err)"
	[ -s theirs ] || fail "perf stat $*: exit 0" "$(cat said)"
	sed -i '/^#/d;/^$/d' theirs
}

# A locale with a separator of thousands.
printf '%s\n' 'comment_char %' 'escape_char /' LC_NUMERIC 'decimal_point "<U002E>"' 'thousands_sep "<U002C>"' \
	'grouping 3;3' 'END LC_NUMERIC' >grouped.src
if localedef -c -i ./grouped.src ./grouped >said 2>&1 || [ -e grouped/LC_NUMERIC ]; then
	for number in "-B 10,007" "--no-big-num 10007"; do
		# shellcheck disable=SC2086 # words
		exits 0 "stat ${number% *}: exit 0" env LOCPATH="$PWD" LC_ALL=grouped \
			"$BPFPERF" stat "${number% *}" -e "$enter" -- $loop
		like "$(cat out)" "(^|[^0-9,])${number#* } +$enter" "stat ${number% *}: thousands as ${number#* }"
	done
else
	skip_test "stat --no-big-num: thousands" "localedef makes no locale here"
fi

# Column by column: place (CPU, thread), unit and event, and how many columns there are.
shape() { # FILE FIRST…
	awk -F , -v cols="$2" '{ n = split(cols, c, " "); s = NF
		for (i = 1; i <= n; i++) s = s "," $c[i]
		print s }' "$1"
}

# For each row of cpu-clock as text: what stands before its value, and the column where that ends, however long it is.
aligned() { # FILE
	awk '/cpu-clock/ { match($0, / *[0-9.,]+ msec/); print substr($0, 1, RSTART - 1) "|" RSTART + RLENGTH }' "$1"
}

# shellcheck disable=SC2086 # words
{
	both -e "$enter,raw_syscalls:sys_exit,dummy" -- $loop
	is "$(value ours "$enter")" 10007 "stat of a command: each of its system calls"
	is "$(value ours raw_syscalls:sys_exit)" "$(value theirs raw_syscalls:sys_exit)" \
		"stat of a command: calls are those of perf stat"
	is "$(shape ours '2 3 5')" "$(shape theirs '2 3 5')" "stat of a command: columns are perf's"

	both -e "{$enter,page-faults},task-clock,context-switches,$enter:u,msr/tsc/" -- $loop
	is "$(value ours "$enter" | head -n 1)" 10007 "stat of a group: exact counts"
	is "$(value ours "$enter")" "$(value theirs "$enter")" "stat of a group and a modifier: counts of perf stat"
	is "$(shape ours '2 3')" "$(shape theirs '2 3')" "stat of a group and units: columns are perf's"
	f=$(value ours page-faults)
	between "$(value theirs page-faults)" $((f - 20)) $((f + 20)) "stat of page faults: perf's count or about"

	both -e "$enter" -- "$WORKLOADS/fork_tree" 7 1003
	is "$(value ours "$enter")" $((7 * 2 * 1003)) "stat of a command: children and theirs count with it"
	is "$(value theirs "$enter")" $((7 * 2 * 1003)) "stat of a command with children: counts of perf stat"
	both -i -e "$enter" -- "$WORKLOADS/fork_tree" 7 1003
	is "$(value ours "$enter")" 0 "stat -i: only the command itself"
	is "$(value theirs "$enter")" 0 "stat -i: counts of perf stat"
	both -e "$enter" -- "$WORKLOADS/threads" 5 1009
	is "$(value ours "$enter")" 5045 "stat of a command: threads count with their process"

	# write(2) of 7 bytes: a filter decides.
	both -e syscalls:sys_enter_write --filter 'count == 7' -e "$enter" -- \
		sh -c "for i in 1 2 3 4 5; do echo sixsix; done; echo more than six; $loop"
	is "$(value ours syscalls:sys_enter_write)" 5 "stat --filter: calls that match"
	between "$(value ours "$enter")" 10007 10020 "stat --filter: only the event before it is filtered"
	is "$(value theirs syscalls:sys_enter_write)" 5 "stat --filter: counts of perf stat"
	both -e "syscalls:sys_enter_write,syscalls:sys_exit_write,$enter" --filter 'common_pid == 1' -- \
		sh -c "echo sixsix; $loop"
	is "$(cut -d , -f 1 ours | tr '\n' ' ')" "0 0 0 " "stat --filter: all tracepoints of the -e before it"
	is "$(cut -d , -f 1 theirs | tr '\n' ' ')" "0 0 0 " "stat --filter of several tracepoints: counts of perf stat"
	exits 2 "stat --filter of a field that is not there: exit 2" "$BPFPERF" stat -e "$enter" --filter 'cout == 7' true
	like "$(cat err)" "has no field 'cout'" "stat --filter of a field that is not there: the field is named"
	both -r 5 -e "$enter,task-clock" -- $loop
	is "$(value ours 0.00% | tail -n 1)" "" "stat -r 5: a spread is no event"
	is "$(awk -F , -v e="$enter" '$3 == e { print $1, $4 }' ours)" "10007 0.00%" "stat -r 5: the mean, no spread"
	is "$(shape ours '2 3')" "$(shape theirs '2 3')" "stat -r 5: columns are perf's"
	exits 0 "stat -r 5 as text: exit 0" "$BPFPERF" stat -r 5 -e "$enter,task-clock" -- $loop
	like "$(cat out)" "\\(5 runs\\):.*10007 .*$enter.*task-clock.*\\( \\+- *[0-9.]+% \\).*\\+- [0-9.]+ seconds time elapsed" \
		"stat -r 5 as text: the spread is shown"

	# Other bpfperfs may run here; this one's system calls are counted by CPU.
	both -a -A -e cpu-clock,"$enter" -- $loop
	is "$(grep -c ,cpu-clock, ours)" "$cpus" "stat -A: a row for each CPU"
	is "$(shape ours '1 3 4')" "$(shape theirs '1 3 4')" "stat -A: columns are perf's"
	between "$(value ours "$enter" | sum)" 10007 1000000000000 "stat -A: rows add up to the calls"
	both -C 0 -A -e "cpu-clock" sleep 0.05
	is "$(shape ours '1 3 4')" "$(shape theirs '1 3 4')" "stat -C: that CPU's row"
	here=$(own_cpus | head -n 1) elsewhere=$(own_cpus | sed -n 2p)
	if [ -n "$elsewhere" ]; then
		exits 0 "stat -C with CMD: exit 0" "$BPFPERF" stat -C "$here" -x , -e "$enter" -- taskset -c "$elsewhere" $loop
		# taskset may begin there, before it moves itself.
		like "$(value out "$enter")" '^(0|<not counted>)$' "stat -C with CMD: calls of CMD on that CPU alone"
	else
		skip_test "stat -C with CMD" "there is one CPU for this test"
	fi

	for place in socket die core node; do
		both -a --per-$place -e "cpu-clock,$enter" -- $loop
		is "$(shape ours '1 2 4 5')" "$(shape theirs '1 2 4 5')" "stat --per-$place: names and columns are perf's"
		between "$(value ours "$enter" | sum)" 10007 1000000000000 "stat --per-$place: rows add up to the calls"
		is "$(cut -d , -f 2 ours | sum)" $((2 * cpus)) "stat --per-$place: each CPU is in one row, for each event"
		perf stat -a --per-$place -o theirs.txt -e cpu-clock true
		exits 0 "stat --per-$place as text: exit 0" "$BPFPERF" stat -a --per-$place -e cpu-clock true
		is "$(aligned out)" "$(aligned theirs.txt)" "stat --per-$place as text: widths are perf's"
		perf stat -a --per-$place -j -o theirs.json -e cpu-clock true
		exits 0 "stat --per-$place as JSON: exit 0" "$BPFPERF" stat -a --per-$place -j -e cpu-clock true
		is "$(cut -d : -f -3 out | cut -d , -f -2)" "$(grep '^{' theirs.json | cut -d : -f -3 | cut -d , -f -2)" \
			"stat --per-$place as JSON: keys are perf's"
	done
	# perf has these from 6.4 and 6.9 on.
	for part in cluster cache cache=l1; do
		name=${part%=*}
		label=$([ "$name" = cluster ] && echo 'S[0-9]+-D[0-9]+-CLS[0-9]+' || echo 'S[0-9]+-D[0-9]+-L[0-9]-ID[0-9]+')
		[ "$part" != cache=l1 ] || label='S[0-9]+-D[0-9]+-L1-ID[0-9]+'
		if [ "$name" = cache ] && [ ! -e /sys/devices/system/cpu/cpu0/cache/index0/level ]; then
			skip_test "stat --per-$part" "the kernel lists no caches"
			continue
		fi
		exits 0 "stat --per-$part: exit 0" "$BPFPERF" stat -a --per-$part -x , -o ours -e "cpu-clock,$enter" -- $loop
		between "$(value ours "$enter" | sum)" 10007 1000000000000 "stat --per-$part: rows add up to the calls"
		is "$(cut -d , -f 2 ours | sum)" $((2 * cpus)) "stat --per-$part: each CPU is in one row, for each event"
		is "$(cut -d , -f 1 ours | grep -cvE "^$label$")" 0 "stat --per-$part: names are perf's"
		exits 0 "stat --per-$part as JSON: exit 0" "$BPFPERF" stat -a --per-$part -j -e cpu-clock true
		like "$(cat out)" "\"$name\" : \"$label\"" "stat --per-$part as JSON: the key is perf's"
		exits 0 "stat --per-$part as text: exit 0" "$BPFPERF" stat -a --per-$part -e cpu-clock true
		like "$(cat out)" "$label +[0-9]+ +[0-9.]+ msec" "stat --per-$part as text: place and CPUs"
	done
	exits 2 "stat --per-cache of a level that is none: exit 2" "$BPFPERF" stat -a --per-cache=x3 true
	like "$(cat err)" "level such as l2" "stat --per-cache of a level that is none: the sentence"
	exits 0 "stat -A of a time beside CPUs: exit 0" "$BPFPERF" stat -a -A -x , -e cpu-clock,duration_time true
	is "$(awk -F , '{ print NF }' out | sort -u | wc -l)" 1 "stat -A of a time beside CPUs: all rows have equal columns"

	# Away from the CPUs of -C it is not counted, nor is what was counted taken to be a part of that. The shell
	# stays away: it asks for its parent, too.
	if [ -n "$elsewhere" ]; then
		exits 0 "stat -C with CMD on two CPUs in turn: exit 0" "$BPFPERF" stat -C "$here" \
			-e "$enter,{task-clock,page-faults}" -- \
			taskset -c "$elsewhere" sh -c "taskset -c $here $loop; $loop; $loop"
		like "$(cat out)" " 10007 +$enter" "stat -C with CMD on two CPUs in turn: calls on that CPU"
		unlike "$(cat out)" "%\)|\^" "stat -C with CMD on two CPUs in turn: nothing more, no share of the time, no reason"
		exits 0 "stat -C with CMD elsewhere: exit 0" "$BPFPERF" stat -C "$here" -e "$enter" -- \
			taskset -c "$elsewhere" $loop
		unlike "$(cat out)" "another user of perf" "stat -C with CMD elsewhere: other counters are not the reason"
	fi

	# A shell may make calls of its own.
	"$BPFPERF" stat -x , -o ours -e "$enter" -- sh -c true
	of_sh=$(value ours "$enter")
	exits 0 "stat -I: exit 0" timeout 200 "$BPFPERF" stat -I 50 -x , -o intervals -e "$enter,duration_time" -- sh -c \
		"for i in 1 2 3 4; do
			$loop; until [ \$(grep -c ,$enter, intervals) -ge \$i ]; do sleep 0.02; done
		done"
	is "$(awk -F , -v e="$enter" '$4 == e { n += $2 } END { print n }' intervals)" $((40028 + of_sh)) \
		"stat -I: intervals add up to all"
	between "$(grep -c ",$enter," intervals)" 4 100000 "stat -I: each is printed when it is over"
	is "$(awk -F , '/duration_time/ { if ($1 <= last) bad++; last = $1 } END { print bad + 0 }' intervals)" 0 \
		"stat -I: times increase"
	exits 0 "stat --interval-count 3: exit 0" "$BPFPERF" stat -a -I 20 --interval-count 3 -x , -e dummy
	is "$(grep -c dummy out)" 3 "stat --interval-count 3: three intervals, no more"
}

# A process that is there, its threads apart.
cat >until_run <<'END'
# STAT…: until each of these threads has been charged for two ticks on a CPU.
ticks() {
	cut -d ' ' -f 14,15 "$1" | tr ' ' +
}
for stat; do
	enough=$(($(ticks "$stat") + 2))
	until [ $(($(ticks "$stat"))) -ge $enough ]; do sleep 0.02; done
done
END
"$WORKLOADS/threads" 3 100000000000 sched_yield >/dev/null &
pid=$!
reap $pid
wait_for 20 sh -c "[ \$(cat /proc/$pid/task/*/comm | grep -c worker) = 3 ]"
mapfile -t workers < <(grep -l '(worker' /proc/$pid/task/*/stat)
exits 0 "stat --per-thread: exit 0" "$BPFPERF" stat --per-thread -p $pid -x , -e task-clock,raw_syscalls:sys_enter \
	sh until_run "${workers[@]}"
is "$(grep -oE 'worker-[0-2]-[0-9]+,[0-9.]+,msec,task-clock' out | wc -l)" 3 "stat --per-thread: a row for each thread, by name"
is "$(cut -d , -f 1 out | sort -u | wc -l)" 4 "stat --per-thread: a row for the main thread"
exits 0 "stat -t of threads that are named twice: exit 0" "$BPFPERF" stat --per-thread -p $pid,$pid -t "$(cut -d ' ' -f 1 "${workers[0]}")" \
	-x , -e task-clock sh until_run "${workers[@]}"
is "$(wc -l <out)" 4 "stat -t of threads that are named twice: each is counted once"
exits 0 "stat of a pinned event beside another: exit 0" "$BPFPERF" stat --per-thread -p $pid -e dummy,task-clock:D \
	sh until_run "${workers[@]}"
like "$(cat out)" "<not counted> msec task-clock:D" "stat of a pinned event beside another: not counted for a thread that sleeps"
unlike "$(cat out)" "gave it up" "stat of a pinned event beside another: sleep does not mark it as given up"
tid=$(find /proc/$pid/task -mindepth 1 -maxdepth 1 -printf '%f\n' | sort -n | tail -n 1)
exits 0 "stat -t of one thread: exit 0" "$BPFPERF" stat -t "$tid" -j -e task-clock sh until_run "/proc/$tid/stat"
ok "stat -t of one thread: its time, as long as it ran" python3 -c '
import json, sys
row = json.loads(open("out").read())
ms = float(row["counter-value"])
sys.exit(not (ms > 0 and abs(ms * 1e6 - row["event-runtime"]) < 1e6))'
"$BPFPERF" stat -p $pid -e task-clock >out 2>err &
bg=$!
reap $bg
wait_for 20 is_counting $bg
kill $pid
wait $bg
is $? 0 "stat -p until the process ends: exit 0"
like "$(cat out)" "process id '$pid'.*msec task-clock.*seconds time elapsed" "stat -p until the process ends: counts are printed"

# A pinned event of a command that sleeps.
mkfifo wake
exec 9<>wake
"$BPFPERF" stat -I 50 -o pinned -e task-clock:D -- sh -c 'read -r line <wake' 2>err &
bg=$!
reap $bg
has_idled() {
	awk '/task-clock/ { if (!/not counted/) ran = 1; else if (ran) idle = 1 } END { exit !idle }' pinned
}
wait_for 60 has_idled
echo >&9
wait $bg
is $? 0 "stat -I of a pinned event: exit 0"
like "$(cat pinned)" "<not counted> msec task-clock:D" "stat -I of a pinned event: some intervals have no count"
unlike "$(cat pinned)" "gave it up" "stat -I of a pinned event: none is marked as given up"

# Processor time of a process that ends before it can be asked for the last time.
looks() { # PID
	awk '/^voluntary_ctxt_switches/ { print $2 }' "/proc/$1/status"
}
has_looked() { # PID SINCE
	[ "$(looks "$1")" -ge $(($2 + 20)) ]
}
used() { # FILE
	awk -F , '{ for (i = 3; i <= NF; i++) if ($i == "user_time" || $i == "system_time") n += $(i - 2) }
		END { printf "%.0f\n", n }' "$1"
}
"$WORKLOADS/spin" 1000 >/dev/null &
pid=$!
reap $pid
"$BPFPERF" stat -x , -o used -e user_time,system_time -p $pid 2>err &
bg=$!
reap $bg
wait_for 20 is_counting $bg
sh until_run /proc/$pid/stat
wait_for 60 has_looked $bg "$(looks $bg)"
kill $pid
wait $bg
is $? 0 "user_time and system_time of a process: exit 0"
between "$(used used)" 20000000 1000000000000 "user_time and system_time of a process: the time that it used"
"$WORKLOADS/spin" 1000 >/dev/null &
pid=$!
reap $pid
"$BPFPERF" stat -I 20 -x , -o used.each -e user_time,system_time -p $pid 2>err &
bg=$!
reap $bg
has_used() {
	[ -e used.each ] && [ "$(used used.each)" -gt 0 ]
}
wait_for 60 has_used
kill $pid
wait $bg
is $? 0 "user_time and system_time with -I: exit 0"
between "$(used used.each)" 10000000 1000000000000 "user_time and system_time with -I: intervals add up to the time used"

# Both CPUs are busy, one is asked for.
cpu_ticks() { # CPU
	awk -v cpu="cpu$1" '$1 == cpu { print $2 + $3 + $4 }' /proc/stat
}
if [ -n "$elsewhere" ]; then
	before=$(cpu_ticks "$here")
	exits 0 "user_time of a CPU: time of the spinning program" "$BPFPERF" stat -x , -a -C "$here" -e user_time,system_time -- \
		sh -c "$WORKLOADS/spin 1 $here & $WORKLOADS/spin 1 $elsewhere; wait"
	between "$(used out)" 10000000 $((($(cpu_ticks "$here") - before) * 1000000000 / $(getconf CLK_TCK))) \
		"system_time of a CPU: time of that CPU alone"
else
	skip_test "user_time of a CPU" "there is one CPU for this test"
fi
v2=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/self/mounts)
group=$v2/bpfperf-stat-$$
if [ -n "$v2" ] && mkdir "$group" 2>/dev/null; then
	exits 0 "user_time of a cgroup: time of the spinning program" "$BPFPERF" stat -x , -G "$group" -e user_time,system_time -- \
		sh -c "$WORKLOADS/spin 1.5 & echo \$\$ >$group/cgroup.procs; $WORKLOADS/spin 0.5; wait"
	between "$(used out)" 450000000 1400000000 "system_time of a cgroup: time of its tasks"
	wait_for 20 rmdir "$group"
else
	skip_test "user_time of a cgroup" "no group of v2 can be made"
fi

# Runs end with their targets; a run without targets does not count all tasks.
ends_with() { # ARG…
	"$WORKLOADS/spin" 1000 "$here" >/dev/null &
	pid=$!
	reap $pid
	exits 0 "stat -r $*, of a process that ends: exit 0" "$BPFPERF" stat -r 3 "$@" -p $pid -e task-clock -- \
		sh until_gone $pid
	like "$(cat out)" "\\(1 of 3 runs\\).*[1-9][0-9.]* msec task-clock" "stat -r $*, of a process that ends: its end is the end"
}
cat >until_gone <<'END'
# PID: ends it.
sh until_run "/proc/$1/stat"
kill "$1"
while [ -e "/proc/$1" ]; do sleep 0.02; done
END
ends_with
ends_with -C "$here"

# One row as CSV and as JSON, of counts that are equal in both runs.
# shellcheck disable=SC2086 # words
"$BPFPERF" stat -x , -e "$enter,{dummy,$enter},iTLB-prefetch-misses" -- $loop >csv 2>err
# shellcheck disable=SC2086 # words
"$BPFPERF" stat -j -e "$enter,{dummy,$enter},iTLB-prefetch-misses" -- $loop >json 2>>err
ok "CSV and JSON parse to equal values" python3 -c '
import csv, json, sys
a = [(r[0], r[1], r[2], r[4]) for r in csv.reader(open("csv")) if len(r) >= 7]
b = []
for line in open("json"):
    if line.startswith("{"):
        r = json.loads(line)
        v = r["counter-value"]
        b.append((v if v[0] == "<" else "%g" % float(v), r["unit"], r["event"], "%.2f" % r["pcnt-running"]))
print(a, b)
sys.exit(a != b or len(a) != 4)'

perf stat -j -o pjson -e task-clock,dummy true
"$BPFPERF" stat -j -o json -e task-clock,dummy true
ok "JSON has perf's keys, in perf's order" python3 -c '
import json, sys
def keys(f):
    return [list(json.loads(l)) for l in open(f) if l.startswith("{")]
print(keys("json"), keys("pjson"))
sys.exit(keys("json") != keys("pjson") or len(keys("json")) != 2)'

# Refused events, with the reason.
exits 0 "a cache event that this machine does not have: exit 0" "$BPFPERF" stat -e LLC-prefetch-misses,dummy true
if grep -q 'not supported' out; then
	why=.
	[ -e /sys/bus/event_source/devices/cpu ] || why='no PMU here'
	like "$(cat out)" "<not supported> +LLC-prefetch-misses[^^]*\\^ $why" "a refused event: the reason is printed under it"
fi
exits 0 "a group with a refused event: exit 0" "$BPFPERF" stat -e '{dummy,iTLB-prefetch-misses,faults}' true
like "$(cat out)" '<not counted> +dummy[^^]*\^ a group counts.*iTLB-prefetch.*<not supported> +iTLB.*<not counted> +faults' \
	"a group with a refused event: not counted, and the member is named"
exits 0 "stat -d: exit 0" "$BPFPERF" stat -d -x , true
is "$(wc -l <out)" 12 "stat -d: four events more than without -e"
exits 0 "stat --detail thrice: exit 0" "$BPFPERF" stat -ddd -x , true
is "$(wc -l <out)" 20 "stat --detail thrice: eight events more"
exits 0 "stat -n: exit 0" "$BPFPERF" stat -n true
like "$(cat out)" "^[[:space:]]*Performance counter stats for 'true':[[:space:]]+[0-9.]+ seconds time elapsed" "stat -n: only the time"

# The status is CMD's.
exits 7 "stat -- CMD: exit status of CMD" "$BPFPERF" stat -e dummy -- sh -c 'exit 7'
# shellcheck disable=SC2016 # the inner shell's
exits 137 "stat -- CMD: 128 and the signal that killed CMD" "$BPFPERF" stat -e dummy -- sh -c 'kill -9 $$'
exits 1 "stat of a CMD that is not there: exit 1" "$BPFPERF" stat -e dummy -- ./no-such-command
is "$(wc -l <err)" 1 "stat of a CMD that is not there: one sentence"
exits 3 "stat CMD without --: exit status of CMD" "$BPFPERF" stat -e dummy sh -c 'exit 3'

# Leaving takes no time, whatever was attached.
start=$(now_ms)
exits 0 "stat of all sched tracepoints: exit 0" "$BPFPERF" stat -o out.all -e 'sched:*' true
within $(($(now_ms) - start)) 1500 "stat of all sched tracepoints: opens and closes at once"
"$BPFPERF" stat -e dummy >int.out 2>int.err &
bg=$!
reap $bg
wait_for 20 is_counting $bg
stop_bg INT
# shellcheck disable=SC2154 # by stop_bg
is "$bg_rc" 0 "stat with Ctrl-C: exit 0"
like "$(cat int.out)" 'dummy.*seconds time elapsed' "stat with Ctrl-C: counts are printed"

"$BPFPERF" stat -r 3 -e dummy -- sleep 60 >int.out 2>int.err &
bg=$!
reap $bg
wait_for 20 is_counting $bg
runs_sleep() {
	pgrep -P "$bg" -x sleep
}
wait_for 20 runs_sleep
cmd=$(pgrep -P $bg)
reap "$cmd"
stop_bg INT
like "$(cat int.out)" "'sleep 60' \(1 of 3 runs\):.*[0-9] seconds time elapsed" "stat -r 3 with Ctrl-C: one run is counted"
unlike "$(cat int.out)" '\+-' "stat -r 3 with Ctrl-C: no spread"

exits 0 "stat -o with --append: exit 0" sh -c "$BPFPERF stat -x , -o f -e dummy true && $BPFPERF stat -x , -o f --append -e dummy true"
is "$(grep -c dummy f)" 2 "stat -o with --append: the file has both"
exits 0 "stat --log-fd 2: exit 0" "$BPFPERF" stat --log-fd 2 -x , -e dummy true
is "$(grep -c dummy err)" 1 "stat --log-fd 2: output is on stderr"
exits 0 "stat -x '\\t': exit 0" "$BPFPERF" stat -x '\t' -e dummy true
like "$(cat out)" $'^0\t\tdummy\t' "stat -x '\\t': a tab separates"
of_self() { # ARG…
	# shellcheck disable=SC2016 # the inner shell's
	sh -c 'echo $$ >pid; exec "$@"' sh "$BPFPERF" stat "$@" --per-thread -x , -e task-clock \
		"$WORKLOADS/spin" 0.05 >out 2>err
	grep -q ,task-clock, out && grep -c -- "-$(cat pid),.*task-clock" out
}
is "$(of_self -u root)" 0 "stat -u: bpfperf itself is not counted"
is "$(of_self -a)" 0 "stat -u --per-thread: bpfperf itself is not counted"
is "$(of_self -u root --include-self)" 1 "stat -u --include-self: bpfperf is counted"
is "$(of_self -a --include-self)" 1 "stat -u --include-self --per-thread: bpfperf is counted"
exits 0 "stat --user-read of a software event: exit 0" "$BPFPERF" stat --user-read -a -e page-faults true
like "$(cat err)" "0 reads in user space, [0-9]+ by read\(2\): only counters of the CPU's own PMU" \
	"stat --user-read of a software event: no setting is named as a remedy"
exits 0 "stat -D longer than the run: exit 0" "$BPFPERF" stat -D 60000 -e task-clock true
like "$(cat out)" '<not counted> msec task-clock[^^]*\^ counting had not begun' "stat -D longer than the run: the reason is reported"
# From the first interval on that was counted in. The first loop is over long before the delay, on a busy machine, too.
exits 0 "stat -D 4000: exit 0" timeout 200 "$BPFPERF" stat -D 4000 -I 50 -x , -o delayed -e "$enter" -- sh -c \
	"$loop; until grep -qE ',[0-9]+,,$enter,' delayed; do sleep 0.02; done; $loop"
is "$(value delayed "$enter" | grep -v '<' | sum)" 10007 "stat -D 4000: only calls after the delay"
# A shell that forks while its events are enabled: 2 of 100 such runs lost it, and all that it started. A shell that itself begins
# behind the delay, on a busy machine, has made one call more.
lost_forks=0 lost_counts=''
for _ in $(seq 61); do
	: >delayed
	timeout 200 "$BPFPERF" stat -D 61 -I 20 -x , -o delayed -e "$enter" -- sh -c \
		"until grep -qE ',[0-9]+,,$enter,' delayed; do :; done; exec $loop" >said 2>&1
	counted=$(value delayed "$enter" | grep -v '<' | sum)
	[[ $counted =~ ^1000[78]$ ]] || { lost_forks=$((lost_forks + 1)) && lost_counts+=" $counted"; }
done
[ $lost_forks = 0 ] || diag "counted in these runs:$lost_counts"
is $lost_forks 0 "stat -D of a shell that forks: its calls are counted in each of 61 runs"

start=$(now_ms)
exits 0 "stat -D of the time: exit 0" "$BPFPERF" stat -D 1000 -x , -e duration_time -- sleep 3
took=$(($(now_ms) - start))
between $(($(value out duration_time) / 1000000)) 0 $((took - 1000)) "stat -D of the time: duration_time is without the delay"
exits 0 "stat -D with --timeout: exit 0" "$BPFPERF" stat -a -D 1000 --timeout 100 -x , -e cpu-clock
unlike "$(cat out)" "not counted" "stat -D with --timeout: the timeout begins after the delay"

if [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -le 2 ]; then
	chmod 755 .
	exits 1 "stat -p of another user's process: exit 1" setpriv --reuid 65534 --clear-groups "$BPFPERF" stat -p 1 -e task-clock sleep 0.1
	like "$(cat err)" "a process of another user" "stat -p of another user's process: perf_event_paranoid is not the reason"
fi
exits 0 "stat -I of an event that is never counted: exit 0" "$BPFPERF" stat -D 60000 -I 20 --interval-count 3 -e task-clock sleep 9
is "$(grep -c 'not counted' out) $(grep -c had.not.begun out)" "3 1" "stat -I of an event that is never counted: the reason is printed once"

refuses() { # REGEX ARG…
	local regex=$1

	shift
	exits 2 "stat $*: exit 2" "$BPFPERF" stat "$@" || return
	is "$(grep -c . err)" 1 "stat $*: one sentence" || diag "$(cat err)"
	like "$(cat err)" "$regex" "stat $*: stderr matches $regex"
}
refuses 'give CMD' -r 3 -e dummy
refuses 'nearest|did you mean' -e page-fault true
refuses 'add -a' -A -e dummy true
refuses 'add -a' --per-core -e dummy true
refuses 'different ways' -a --per-core --per-socket true
refuses 'no metric' --metric-only -e page-faults true
refuses 'two formats' -x , -j true
refuses 'no such open file' --log-fd 77 true
refuses 'no such user' -u no-such-user true
refuses 'such as -x' -x '' true
refuses 'no such cgroup' -G no/such/cgroup true
refuses 'give -I' --interval-count 3 true
refuses '-d' -dx true
done_testing
