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

# Of numbers, one a line.
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
	[ -s ours ] || fail "counts: $*" "$(cat err)"
	[ -s theirs ] || fail "perf counts: $*" "$(cat said)"
	sed -i '/^#/d;/^$/d' theirs
}

# Column by column: place (CPU, thread), unit and event, and how many columns there are.
shape() { # FILE FIRST…
	awk -F , -v cols="$2" '{ n = split(cols, c, " "); s = NF
		for (i = 1; i <= n; i++) s = s "," $c[i]
		print s }' "$1"
}

# shellcheck disable=SC2086 # words
{
	both -e "$enter,raw_syscalls:sys_exit,dummy" -- $loop
	is "$(value ours "$enter")" 10007 "a command's system calls, to the last"
	is "$(value ours raw_syscalls:sys_exit)" "$(value theirs raw_syscalls:sys_exit)" \
		"all of its system calls: as perf stat"
	is "$(shape ours '2 3 5')" "$(shape theirs '2 3 5')" "the columns are perf's"

	both -e "{$enter,page-faults},task-clock,context-switches,$enter:u,msr/tsc/" -- $loop
	is "$(value ours "$enter" | head -n 1)" 10007 "in a group"
	is "$(value ours "$enter")" "$(value theirs "$enter")" "and with a modifier: as perf stat"
	is "$(shape ours '2 3')" "$(shape theirs '2 3')" "columns with a group and units"
	f=$(value ours page-faults)
	between "$(value theirs page-faults)" $((f - 20)) $((f + 20)) "page faults are perf's or about"

	both -e "$enter" -- "$WORKLOADS/fork_tree" 7 1003
	is "$(value ours "$enter")" $((7 * 2 * 1003)) "children and theirs count with their parent"
	is "$(value theirs "$enter")" $((7 * 2 * 1003)) "as with perf stat"
	both -i -e "$enter" -- "$WORKLOADS/fork_tree" 7 1003
	is "$(value ours "$enter")" 0 "-i: only the command itself"
	is "$(value theirs "$enter")" 0 "as with perf stat"
	both -e "$enter" -- "$WORKLOADS/threads" 5 1009
	is "$(value ours "$enter")" 5045 "and threads with their process"

	# write(2) of 7 bytes: a filter decides.
	both -e syscalls:sys_enter_write --filter 'count == 7' -e "$enter" -- \
		sh -c "for i in 1 2 3 4 5; do echo sixsix; done; echo more than six; $loop"
	is "$(value ours syscalls:sys_enter_write)" 5 "--filter"
	between "$(value ours "$enter")" 10007 10020 "of the event before it"
	is "$(value theirs syscalls:sys_enter_write)" 5 "as with perf stat"
	both -e "syscalls:sys_enter_write,syscalls:sys_exit_write,$enter" --filter 'common_pid == 1' -- \
		sh -c "echo sixsix; $loop"
	is "$(cut -d , -f 1 ours | tr '\n' ' ')" "0 0 0 " "--filter is for all tracepoints of the -e before it"
	is "$(cut -d , -f 1 theirs | tr '\n' ' ')" "0 0 0 " "as with perf stat"
	exits 2 "--filter of a field that is not there" "$BPFPERF" stat -e "$enter" --filter 'cout == 7' true
	like "$(cat err)" "has no field 'cout'" "names the field"
	both -r 5 -e "$enter,task-clock" -- $loop
	is "$(value ours 0.00% | tail -n 1)" "" "a spread is no event"
	is "$(awk -F , -v e="$enter" '$3 == e { print $1, $4 }' ours)" "10007 0.00%" "five runs: the mean, no spread"
	is "$(shape ours '2 3')" "$(shape theirs '2 3')" "columns of several runs"
	exits 0 "five runs as text" "$BPFPERF" stat -r 5 -e "$enter,task-clock" -- $loop
	like "$(cat out)" "\\(5 runs\\):.*10007 .*$enter.*task-clock.*\\( \\+- *[0-9.]+% \\).*\\+- [0-9.]+ seconds time elapsed" \
		"shows the spread"

	# Other bpfperfs may run here; this one's system calls are counted by CPU.
	both -a -A -e cpu-clock,"$enter" -- $loop
	is "$(grep -c ,cpu-clock, ours)" "$cpus" "-A: a row for each CPU"
	is "$(shape ours '1 3 4')" "$(shape theirs '1 3 4')" "columns of CPUs"
	between "$(value ours "$enter" | sum)" 10007 1000000000000 "together they have the calls"
	both -C 0 -A -e "cpu-clock" sleep 0.05
	is "$(shape ours '1 3 4')" "$(shape theirs '1 3 4')" "-C: that CPU's row"
	here=$(own_cpus | head -n 1) elsewhere=$(own_cpus | sed -n 2p)
	if [ -n "$elsewhere" ]; then
		exits 0 "-C with CMD" "$BPFPERF" stat -C "$here" -x , -e "$enter" -- taskset -c "$elsewhere" $loop
		# taskset may begin there, before it moves itself.
		like "$(value out "$enter")" '^(0|<not counted>)$' "counts CMD there alone: not where it was not"
	else
		skip_test "-C with CMD" "there is one CPU for this test"
	fi

	for place in socket die core node; do
		both -a --per-$place -e "cpu-clock,$enter" -- $loop
		is "$(shape ours '1 2 4 5')" "$(shape theirs '1 2 4 5')" "--per-$place: its names and columns are perf's"
		between "$(value ours "$enter" | sum)" 10007 1000000000000 "together they have the calls"
		is "$(cut -d , -f 2 ours | sum)" $((2 * cpus)) "and each CPU is in one, for each event"
		perf stat -a --per-$place -o theirs.txt -e cpu-clock true
		exits 0 "as text" "$BPFPERF" stat -a --per-$place -e cpu-clock true
		is "$(grep cpu-clock out | cut -c -22 | sed 's/ [0-9.]*$//')" \
			"$(grep cpu-clock theirs.txt | cut -c -22 | sed 's/ [0-9.]*$//')" "with perf's widths"
		perf stat -a --per-$place -j -o theirs.json -e cpu-clock true
		exits 0 "as JSON" "$BPFPERF" stat -a --per-$place -j -e cpu-clock true
		is "$(cut -d : -f -3 out | cut -d , -f -2)" "$(grep '^{' theirs.json | cut -d : -f -3 | cut -d , -f -2)" \
			"with perf's keys"
	done
	exits 0 "a time beside CPUs" "$BPFPERF" stat -a -A -x , -e cpu-clock,duration_time true
	is "$(awk -F , '{ print NF }' out | sort -u | wc -l)" 1 "all rows have the same columns"

	# Away from the CPUs of -C it is not counted, nor is what was counted taken to be a part of that. The shell
	# stays away: it asks for its parent, too.
	if [ -n "$elsewhere" ]; then
		exits 0 "-C with CMD on two CPUs in turn" "$BPFPERF" stat -C "$here" \
			-e "$enter,{task-clock,page-faults}" -- \
			taskset -c "$elsewhere" sh -c "taskset -c $here $loop; $loop; $loop"
		like "$(cat out)" " 10007 +$enter" "counts what it did there"
		unlike "$(cat out)" "%\)|\^" "and nothing more: no share of the time, no reason"
		exits 0 "-C with CMD elsewhere" "$BPFPERF" stat -C "$here" -e "$enter" -- \
			taskset -c "$elsewhere" $loop
		unlike "$(cat out)" "another user of perf" "is not for others' counters"
	fi

	# A shell may make calls of its own.
	"$BPFPERF" stat -x , -o ours -e "$enter" -- sh -c true
	of_sh=$(value ours "$enter")
	exits 0 "-I" timeout 200 "$BPFPERF" stat -I 50 -x , -o intervals -e "$enter,duration_time" -- sh -c \
		"for i in 1 2 3 4; do
			$loop; until [ \$(grep -c ,$enter, intervals) -ge \$i ]; do sleep 0.02; done
		done"
	is "$(awk -F , -v e="$enter" '$4 == e { n += $2 } END { print n }' intervals)" $((40028 + of_sh)) \
		"intervals add up to all"
	between "$(grep -c ",$enter," intervals)" 4 100000 "each is printed when it is over"
	is "$(awk -F , '/duration_time/ { if ($1 <= last) bad++; last = $1 } END { print bad + 0 }' intervals)" 0 \
		"their times go up"
	exits 0 "--interval-count" "$BPFPERF" stat -a -I 20 --interval-count 3 -x , -e dummy
	is "$(grep -c dummy out)" 3 "three intervals, no more"
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
exits 0 "--per-thread" "$BPFPERF" stat --per-thread -p $pid -x , -e task-clock,raw_syscalls:sys_enter \
	sh until_run "${workers[@]}"
is "$(grep -oE 'worker-[0-2]-[0-9]+,[0-9.]+,msec,task-clock' out | wc -l)" 3 "a row for each thread, by name"
is "$(cut -d , -f 1 out | sort -u | wc -l)" 4 "and of their main thread"
exits 0 "threads that are named twice" "$BPFPERF" stat --per-thread -p $pid,$pid -t "$(cut -d ' ' -f 1 "${workers[0]}")" \
	-x , -e task-clock sh until_run "${workers[@]}"
is "$(wc -l <out)" 4 "are counted once"
exits 0 "a pinned event beside another" "$BPFPERF" stat --per-thread -p $pid -e dummy,task-clock:D \
	sh until_run "${workers[@]}"
like "$(cat out)" "<not counted> msec task-clock:D" "is not counted for a thread that sleeps"
unlike "$(cat out)" "gave it up" "which is no reason to call it given up"
tid=$(find /proc/$pid/task -mindepth 1 -maxdepth 1 -printf '%f\n' | sort -n | tail -n 1)
exits 0 "-t" "$BPFPERF" stat -t "$tid" -j -e task-clock sh until_run "/proc/$tid/stat"
ok "is that thread's time, as long as it ran" python3 -c '
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
is $? 0 "-p until it ends"
like "$(cat out)" "process id '$pid'.*msec task-clock.*seconds time elapsed" "then shows what there was"

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
is $? 0 "intervals of a pinned event"
like "$(cat pinned)" "<not counted> msec task-clock:D" "in some nothing ran"
unlike "$(cat pinned)" "gave it up" "and it was not given up for that"

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
is $? 0 "user_time and system_time of a process until it ends"
between "$(used used)" 20000000 1000000000000 "are what it had used"
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
is $? 0 "in intervals"
between "$(used used.each)" 10000000 1000000000000 "they add up to that"

# Both CPUs are busy, one is asked for.
cpu_ticks() { # CPU
	awk -v cpu="cpu$1" '$1 == cpu { print $2 + $3 + $4 }' /proc/stat
}
if [ -n "$elsewhere" ]; then
	before=$(cpu_ticks "$here")
	exits 0 "user_time of a CPU" "$BPFPERF" stat -x , -a -C "$here" -e user_time,system_time -- \
		sh -c "$WORKLOADS/spin 1 $here & $WORKLOADS/spin 1 $elsewhere; wait"
	between "$(used out)" 10000000 $((($(cpu_ticks "$here") - before) * 1000000000 / $(getconf CLK_TCK))) \
		"and system_time are of that CPU alone"
else
	skip_test "user_time of a CPU" "there is one CPU for this test"
fi
v2=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/self/mounts)
group=$v2/bpfperf-stat-$$
if [ -n "$v2" ] && mkdir "$group" 2>/dev/null; then
	exits 0 "user_time of a cgroup" "$BPFPERF" stat -x , -G "$group" -e user_time,system_time -- \
		sh -c "$WORKLOADS/spin 1.5 & echo \$\$ >$group/cgroup.procs; $WORKLOADS/spin 0.5; wait"
	between "$(used out)" 450000000 1400000000 "and system_time are of what ran in it"
	wait_for 20 rmdir "$group"
else
	skip_test "user_time of a cgroup" "no group of v2 can be made"
fi

# Runs end with those who are counted; nobody left is not everybody.
ends_with() { # ARG…
	"$WORKLOADS/spin" 1000 "$here" >/dev/null &
	pid=$!
	reap $pid
	exits 0 "-r $*, of a process that ends" "$BPFPERF" stat -r 3 "$@" -p $pid -e task-clock -- \
		sh until_gone $pid
	like "$(cat out)" "\\(1 of 3 runs\\).*[1-9][0-9.]* msec task-clock" "ends with it"
}
cat >until_gone <<'END'
# PID: ends it.
sh until_run "/proc/$1/stat"
kill "$1"
while [ -e "/proc/$1" ]; do sleep 0.02; done
END
ends_with
ends_with -C "$here"

# The same row as CSV and as JSON, of what is the same in both runs.
# shellcheck disable=SC2086 # words
"$BPFPERF" stat -x , -e "$enter,{dummy,$enter},iTLB-prefetch-misses" -- $loop >csv 2>err
# shellcheck disable=SC2086 # words
"$BPFPERF" stat -j -e "$enter,{dummy,$enter},iTLB-prefetch-misses" -- $loop >json 2>>err
ok "CSV and JSON parse to the same" python3 -c '
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
ok "JSON has perf's keys, in its order" python3 -c '
import json, sys
def keys(f):
    return [list(json.loads(l)) for l in open(f) if l.startswith("{")]
print(keys("json"), keys("pjson"))
sys.exit(keys("json") != keys("pjson") or len(keys("json")) != 2)'

# What is refused, and why.
exits 0 "a cache event" "$BPFPERF" stat -e LLC-prefetch-misses,dummy true
if grep -q 'not supported' out; then
	why=.
	[ -e /sys/bus/event_source/devices/cpu ] || why='no PMU here'
	like "$(cat out)" "<not supported> +LLC-prefetch-misses[^^]*\\^ $why" "refused, and why under it"
fi
exits 0 "a group with one that is refused" "$BPFPERF" stat -e '{dummy,iTLB-prefetch-misses,faults}' true
like "$(cat out)" '<not counted> +dummy[^^]*\^ a group counts.*iTLB-prefetch.*<not supported> +iTLB.*<not counted> +faults' \
	"does not count, and the member is named"
exits 0 "-d" "$BPFPERF" stat -d -x , true
is "$(wc -l <out)" 12 "adds four to the eight of no -e"
exits 0 "--detail thrice" "$BPFPERF" stat -ddd -x , true
is "$(wc -l <out)" 20 "and eight more"
exits 0 "-n" "$BPFPERF" stat -n true
like "$(cat out)" "^[[:space:]]*Performance counter stats for 'true':[[:space:]]+[0-9.]+ seconds time elapsed" "only the time"

# The status is CMD's.
exits 7 "CMD's status" "$BPFPERF" stat -e dummy -- sh -c 'exit 7'
# shellcheck disable=SC2016 # the inner shell's
exits 137 "128 and the signal that killed it" "$BPFPERF" stat -e dummy -- sh -c 'kill -9 $$'
exits 1 "CMD that is not there" "$BPFPERF" stat -e dummy -- ./no-such-command
is "$(wc -l <err)" 1 "is one sentence"
exits 3 "without --" "$BPFPERF" stat -e dummy sh -c 'exit 3'

# Leaving takes no time, whatever was attached.
start=$(now_ms)
exits 0 "all of sched" "$BPFPERF" stat -o out.all -e 'sched:*' true
within $(($(now_ms) - start)) 1500 "opens and leaves at once"
"$BPFPERF" stat -e dummy >int.out 2>int.err &
bg=$!
reap $bg
wait_for 20 is_counting $bg
stop_bg INT
# shellcheck disable=SC2154 # by stop_bg
is "$bg_rc" 0 "Ctrl-C ends it"
like "$(cat int.out)" 'dummy.*seconds time elapsed' "with what there is"

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
like "$(cat int.out)" "'sleep 60' \(1 of 3 runs\):.*[0-9] seconds time elapsed" "of three runs there was one"
unlike "$(cat int.out)" '\+-' "which has no spread"

exits 0 "-o and --append" sh -c "$BPFPERF stat -x , -o f -e dummy true && $BPFPERF stat -x , -o f --append -e dummy true"
is "$(grep -c dummy f)" 2 "has both"
exits 0 "--log-fd 2" "$BPFPERF" stat --log-fd 2 -x , -e dummy true
is "$(grep -c dummy err)" 1 "is stderr"
exits 0 "-x '\\t'" "$BPFPERF" stat -x '\t' -e dummy true
like "$(cat out)" $'^0\t\tdummy\t' "is a tab"
of_self() { # ARG…
	# shellcheck disable=SC2016 # the inner shell's
	sh -c 'echo $$ >pid; exec "$@"' sh "$BPFPERF" stat "$@" --per-thread -x , -e task-clock \
		"$WORKLOADS/spin" 0.05 >out 2>err
	grep -q ,task-clock, out && grep -c -- "-$(cat pid),.*task-clock" out
}
is "$(of_self -u root)" 0 "-u: bpfperf itself is not counted"
is "$(of_self -a)" 0 "nor with all threads"
is "$(of_self -u root --include-self)" 1 "with --include-self it is"
is "$(of_self -a --include-self)" 1 "with all threads, too"
exits 0 "-D that does not come" "$BPFPERF" stat -D 60000 -e task-clock true
like "$(cat out)" '<not counted> msec task-clock[^^]*\^ counting had not begun' "is told"
# From the first interval on that was counted in.
exits 0 "-D" timeout 200 "$BPFPERF" stat -D 2000 -I 50 -x , -o delayed -e "$enter" -- sh -c \
	"$loop; until grep -qE ',[0-9]+,,$enter,' delayed; do sleep 0.02; done; $loop"
is "$(value delayed "$enter" | grep -v '<' | sum)" 10007 "counts only what comes after the delay"

start=$(now_ms)
exits 0 "-D and the time" "$BPFPERF" stat -D 2000 -x , -e duration_time -- sleep 2.5
took=$(($(now_ms) - start))
between $(($(value out duration_time) / 1000000)) 0 $((took - 2000)) "that has elapsed is without it"
exits 0 "-D and --timeout" "$BPFPERF" stat -a -D 1000 --timeout 100 -x , -e cpu-clock
unlike "$(cat out)" "not counted" "which begins when it is over"

if [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -le 2 ]; then
	chmod 755 .
	exits 1 "another user's process" setpriv --reuid 65534 --clear-groups "$BPFPERF" stat -p 1 -e task-clock sleep 0.1
	like "$(cat err)" "another user's processes" "is not a matter of perf_event_paranoid"
fi
exits 0 "intervals tell a reason once" "$BPFPERF" stat -D 60000 -I 20 --interval-count 3 -e task-clock sleep 9
is "$(grep -c 'not counted' out) $(grep -c had.not.begun out)" "3 1" "not in each"

refuses() { # REGEX ARG…
	local regex=$1

	shift
	exits 2 "exit 2: stat $*" "$BPFPERF" stat "$@" || return
	is "$(grep -c . err)" 1 "  one sentence" || diag "$(cat err)"
	like "$(cat err)" "$regex" "  $regex"
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
