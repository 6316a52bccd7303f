#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# record: perf script prints of its files what bpfperf script does; counts are exact; what is lost is counted.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
# shellcheck source=perf_text.bash
. "$TOP/tests/live/perf_text.bash"

N=20011

record() { # NAME OPTION…
	local name=$1

	shift
	"$BPFPERF" record -o "$name.data" "$@" >out 2>err || fail "record $*: exit 0" "$(cat err)"
}

# Samples by the summary are those of the file, and nothing is lost.
told_all() { # NAME
	local cnt

	cnt=$("$BPFPERF" script -i "$1.data" -F tid 2>/dev/null | grep -c .)
	is "$(summary samples) samples, $(summary lost) lost" "$cnt samples, 0 lost" "$1: the summary counts them"
}

# perf reads it, too.
reported() { # NAME
	perf report --stdio -i "$1.data" >report.txt 2>report.err </dev/null
	like "$(cat report.txt)" 'Samples: [0-9]' "$1: perf report reads it"
}

record tp -e sched:sched_process_exec,sched:sched_process_exit,sched:sched_process_fork -- sh work.sh
told_all tp
both tp
both tp -F comm,pid,tid,cpu,time,event,trace
is "$(grep -c 'sched_process_exec: filename=/bin/true' <("$BPFPERF" script -i tp.data))" 37 \
	"record -a: each of 37 programs is in the file"
is "$(grep -c 'sched_process_fork: comm=sh' <("$BPFPERF" script -i tp.data))" 37 "record -a: each program has its fork"
reported tp

record chain -g -e cpu-clock -F 1997 -- sh work.sh
told_all chain
both chain
both chain -F comm,period,event,ip,sym,dso
reported chain

sh=$(readlink -f /bin/sh)
want=$(readelf -n "$sh" | sed -n 's/.*Build ID: //p')
is "$(perf buildid-list -i chain.data | awk -v sh="$sh" '$2 == sh || $2 ~ /kernel/ { print $1 }' | tr '\n' ' ')" \
	"$(perf buildid-list -k) $want " "build-ids of the kernel and of sh are in the file"
# If only the rings of samples fit into the locked memory, process records are in these rings.
as_user() { # CMD…
	prlimit --memlock=0:0 setpriv --reuid 47113 --regid 47113 --clear-groups --inh-caps +perfmon,+dac_read_search \
		--ambient-caps +perfmon,+dac_read_search "$@"
}
if [ "$(cat /proc/sys/kernel/perf_event_mlock_kb)" = 516 ] && [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -ge 0 ] &&
	as_user true 2>/dev/null; then
	chmod 777 .
	exits 0 "little memory to lock: exit 0" as_user "$BPFPERF" record -o little.data -e cpu-clock -F 1997 -- sh work.sh
	isnt "$(summary samples)" 0 "little memory to lock: samples are in the file"
	is "$(perf buildid-list -f -i little.data | awk -v sh="$sh" '$2 == sh { print $1 }')" "$want" "little memory to lock: the build-id of sh is in the file"
	chmod 755 .
else
	skip_test "little memory to lock" "there is another limit here, or none"
fi
# hotspot's importer: what is told of processes is in order, and samples have their files.
parser=$(find /usr/lib /usr/libexec -name hotspot-perfparser 2>/dev/null | head -n 1)
if [ -n "$parser" ]; then
	exits 0 "hotspot reads the recording" "$parser" --input chain.data --output hotspot.out
	unlike "$(cat err)" 'not fully parsed|TimeOrderViolation' "hotspot does not complain about records"
	ok "hotspot finds the thread sh" grep -qa "$(basename "$sh")" hotspot.out
else
	skip_test "hotspot reads the recording" "hotspot is not installed"
fi

record packed -z -g -e cpu-clock -F 1997 -- sh work.sh
like "$(perf script --header-only -i packed.data 2>/dev/null)" 'compressed : Zstd' "record -z: the file is compressed"
both packed

record one --per-thread -e cpu-clock -F 1997 -- sh work.sh
both one

record tpchain -g -m 16M -e sched:sched_switch,page-faults -c 1 -- sh work.sh
told_all tpchain
both tpchain

# No clock: with a period of 101 ns it interrupts so often that a busy machine makes no progress.
record group -e '{page-faults,context-switches},minor-faults' -c 11 -- sh work.sh
both group

record stack --call-graph dwarf,4096 -e cpu-clock -F 1997 -- sh work.sh
both stack -F comm,tid,time,event -G
is "$("$BPFPERF" script -D -i stack.data | grep -c 'PERF_RECORD_SAMPLE.*stack')" "$(summary samples)" \
	"dwarf: each sample has its user stack"
perf script -i stack.data >unwound.txt 2>/dev/null </dev/null
ok "dwarf: perf unwinds it" grep -q __libc_start unwound.txt

"$BPFPERF" record -o - -e cpu-clock,sched:sched_process_exit -F 1997 -- sh work.sh 2>err >pipe.data
both pipe
"$BPFPERF" record -o - -e sched:sched_process_exec -- sh work.sh 2>err | perf script -i - 2>/dev/null >through.txt
is "$(grep -c 'sched_process_exec: filename=/bin/true' through.txt)" 37 "record -o - through a pipe: perf script reads it"

# Three forks, each of which has namespaces, and a change of them; groups that are made meanwhile.
mkdir cg && mount -t cgroup2 none cg 2>/dev/null || mount -t cgroup -o perf_event none cg 2>/dev/null || rmdir cg
record fields -a -m 16M -e page-faults -c 1 --sample-cpu --phys-data --namespaces --all-cgroups -- \
	sh -c '/bin/true; /bin/true; unshare -u /bin/true; [ ! -d cg ] || { mkdir cg/bpfperf-named; rmdir cg/bpfperf-named; }'
attrs=$(perf evlist -v -i fields.data)
like "$attrs" 'sample_type: [A-Z|_]*[|]CPU[|,]' "record --sample-cpu: samples have their CPU"
like "$attrs" 'sample_type: [A-Z|_]*[|]PHYS_ADDR[|,]' "record --phys-data: samples have physical addresses"
like "$attrs" 'namespaces: 1' "record --namespaces: the kernel is asked for namespaces"
like "$attrs" 'cgroup: 1' "record --all-cgroups: the kernel is asked for control groups"
"$BPFPERF" script -D -i fields.data >dump.txt
between "$(grep -c PERF_RECORD_NAMESPACES dump.txt)" 4 100000 "record --namespaces: each fork has its record, and each change"
if [ -d cg ] && mkdir cg/bpfperf-probe 2>/dev/null; then
	rmdir cg/bpfperf-probe
	is "$(grep PERF_RECORD_CGROUP dump.txt | grep -c bpfperf-named)" 1 "record --all-cgroups: a new group has its record"
else
	skip_test "record --all-cgroups: a new group has its record" "no control group can be made here"
fi
[ ! -d cg ] || { umount cg && rmdir cg; }
record bare -e page-faults -c 1 -- /bin/true
unlike "$(perf evlist -v -i bare.data)" 'CPU[|,]|PHYS_ADDR|namespaces|cgroup' "record without these options: none of it is recorded"

record wide -a -m 16M -e sched:sched_switch -- sh work.sh
told_all wide
both wide
"$BPFPERF" script -i wide.data -F time --ns >times.txt
ok "record -o -: times never decrease" sort -c -n times.txt
"$BPFPERF" record -o - -a -e sched:sched_switch --duration 60 2>err | head -c 1000 >head.data
is "${PIPESTATUS[0]}" 0 "record -o -: a reader that closes the pipe ends it"
# Others may run it, too: this one, by its process id.
of_self() { # OPTION…
	rm -f self.data
	sh -c 'echo $$ >pid; exec "$@"' sh "$BPFPERF" record -o self.data "$@" -e raw_syscalls:sys_enter \
		-e cpu-clock "${rate[@]}" --duration 0.5 2>err
	"$BPFPERF" script -i self.data -F pid,event >self.txt
	grep -qE "^ *$other +$EVENT" self.txt || echo "of no other task either:"
	grep -cE "^ *$(cat pid) +$EVENT" self.txt
}
"$WORKLOADS/syscall_loop" 1000000000 getppid >said 2>&1 &
other=$!
reap $other
for EVENT in raw_syscalls cpu-clock; do
	rate=()
	[ $EVENT = raw_syscalls ] || rate=(-c 100000)
	is "$(of_self -a)" 0 "record -a: bpfperf itself is not recorded ($EVENT)"
	is "$(of_self -u root)" 0 "record -u: bpfperf itself is not recorded ($EVENT)"
done
EVENT=raw_syscalls rate=()
isnt "$(of_self -a --include-self)" 0 "record --include-self: bpfperf is recorded ($EVENT)"
kill $other

# Each mode, exactly: N system calls are N samples.
# By a name of its own: shells everywhere on the machine make the same call when they begin. Rings hold all of it.
cp "$WORKLOADS/syscall_loop" loop17
calls() { # NAME: of the tracepoint, with getppid's number
	"$BPFPERF" script -i "$1.data" | grep -E '^ *loop17 ' | grep -cE 'sys_enter: NR 110 \(|sys_getppid'
}
GETPPID=raw_syscalls:sys_enter
for mode in "" "--per-thread" "-i" "-a" "-z"; do
	# shellcheck disable=SC2086 # options
	record mode $mode -m 8M -e $GETPPID --filter 'id == 110' -- ./loop17 $N
	is "$(calls mode), $(summary lost) lost" "$N, 0 lost" "record in mode ${mode:-default}: each of $N calls"
	# shellcheck disable=SC2086 # options
	record period $mode -c 1000 -e $GETPPID --filter 'id == 110' -- taskset -c "$(allowed_cpus | head -n 1)" ./loop17 $N
	# With -a the kernel counts calls of other tasks on a CPU, too, one of which may be the thousandth.
	is "$("$BPFPERF" script -i period.data | grep -c 'sys_enter: NR 110 ('), $(summary lost) lost" "$((N / 1000)), 0 lost" \
		"record -c 1000 in mode ${mode:-default}: one in 1000 of $N calls"
done
cpu=$(taskset -pc $$ | grep -oE '[0-9]+$')
record mode -C "$cpu" -m 8M -e $GETPPID --filter 'id == 110' -- taskset -c "$cpu" ./loop17 $N
is "$(calls mode)" $N "record -C $cpu: each of $N calls on it"
record mode -i -e $GETPPID --filter 'id == 110' -- sh -c "./loop17 $N; true"
is "$(calls mode)" 0 "record -i: no sample of the child"
record mode -m 8M -e $GETPPID --filter 'id == 110' -- sh -c "./loop17 $N; true"
is "$(calls mode)" $N "record without -i: samples of the child"

# A ring for each of many threads: together they take no more memory than a few.
rm -f err
mkfifo rest
exec 3<>rest
python3 -c 'import threading, sys
end = threading.Event()
for i in range(66):
    threading.Thread(target=end.wait).start()
sys.stdin.readline()
end.set()' <rest 3>&- &
target=$!
reap $target
has_threads() {
	[ "$(sed -n 's/^Threads:[[:space:]]*//p' "/proc/$target/status")" = 67 ]
}
wait_for 20 has_threads
rm -f err
"$BPFPERF" -v record --per-thread -p $target -o many.data -e cpu-clock 2>err 3>&- &
recorder=$!
reap $recorder
wait_for 20 grep -q 'recording into' err
read -r cnt kib < <(awk '/anon_inode:.perf_event/ { split($1, at, "-"); print "0x" at[1], "0x" at[2] }' /proc/$recorder/maps |
	while read -r from to; do echo $(((to - from) >> 10)); done | awk '{ kib += $1 } END { print NR, kib }')
is "$cnt" $((2 * 67)) "record --per-thread: 67 threads have two rings each"
between "$kib" $((64 << 10)) $((192 << 10)) "record --per-thread: rings of $kib KiB together"
echo >&3
wait $target
wait $recorder
is $? 0 "record --per-thread: the end of the threads ends it"
rm rest
exec 3>&-

# --filter: of all that is before it in its -e, and all of them.
record both -m 8M -e raw_syscalls:sys_enter,raw_syscalls:sys_exit --filter 'id == 110' -- ./loop17 $N
is "$("$BPFPERF" script -i both.data -F event | tr -d " " | sort | uniq -c | awk '{ print $1, $2 }' | tr '\n' ' ')" \
	"$N raw_syscalls:sys_enter: $N raw_syscalls:sys_exit: " "record --filter behind two events: both are filtered"
record both -m 8M -e sched:sched_process_exit -e $GETPPID --filter 'id >= 110' --filter 'id <= 110' -- ./loop17 $N
is "$("$BPFPERF" script -i both.data -F event | tr -d " " | sort | uniq -c | awk '{ print $1, $2 }' | tr '\n' ' ')" \
	"$N raw_syscalls:sys_enter: 1 sched:sched_process_exit: " "record --filter twice: both match, for the last -e alone"
exits 2 "record --filter of an event that is no tracepoint: exit 2" "$BPFPERF" record -o x.data -e cpu-clock,$GETPPID --filter 'id == 110' true
like "$(cat err)" 'cpu-clock is neither; give it a -e of its own' "record --filter of an event that is no tracepoint: the event is named"

# A process and a thread that run already.
mkfifo go
sh -c "read -r x <go; exec ./loop17 $N" &
target=$!
reap $target
for by in -p -t; do
	rm -f err
	"$BPFPERF" -v record -m 8M -o by.data $by $target -e $GETPPID --filter 'id == 110' 2>err &
	recorder=$!
	reap $recorder
	wait_for 20 grep -q 'recording into' err
	if [ $by = -t ]; then
		echo >go
		wait $target
		wait $recorder
		is "$?" 0 "record $by: the end of the target ends it"
		is "$(calls by), $(summary lost) lost" "$N, 0 lost" "record $by: each of $N calls"
	else
		kill -INT $recorder
		wait $recorder
		is "$?" 0 "record $by: Ctrl-C ends it"
		rm -f by.data
	fi
done

# Too small a ring: what is produced is what is recorded and what is lost.
record lossy -m 1 -e $GETPPID --filter 'id == 110' -- "$WORKLOADS/syscall_loop" 200003
is $(($(summary samples) + $(summary lost))) 200003 "record -m of one page: recorded + lost is what was produced"
isnt "$(summary lost)" 0 "record -m of one page: there is some loss ($(summary lost))"
is "$("$BPFPERF" script -i lossy.data -F tid 2>/dev/null | grep -c .)" "$(summary samples)" "record -m of one page: the rest is in the file"
lost=$("$BPFPERF" script -D -i lossy.data | sed -nE 's/.*PERF_RECORD_LOST(_SAMPLES)? .* lost=([0-9]+).*/\2/p' |
	awk '{ n += $1 } END { print n + 0 }')
is "$lost" "$(summary lost)" "record -m of one page: losses are in the file"

# Exit status, and what goes wrong.
exits 7 "record -q: exit status of the command" "$BPFPERF" record -q -o x.data -e cpu-clock sh -c 'exit 7'
is "$(cat err)" "" "record -q: no summary"
exits 7 "record -q -g: exit status of the command" "$BPFPERF" record -q -g -o x.data -e cpu-clock sh -c 'exit 7'
is "$(cat err)" "" "record -q -g: no summary"
# shellcheck disable=SC2016 # the inner shell's
exits 143 "record of a command that is killed: exit 143" "$BPFPERF" record -q -o x.data -e cpu-clock -- sh -c 'kill $$'
exits 1 "record of a command that is not there: exit 1" "$BPFPERF" record -o x.data nosuchcommand
exits 2 "record of an unknown event: exit 2" "$BPFPERF" record -o x.data -e nosuch:event true
exits 2 "record with -F and -c: exit 2" "$BPFPERF" record -o x.data -F 99 -c 7 true
like "$(cat err)" 'give one' "record with -F and -c: the message asks for one"
exits 1 "record -o of a path that cannot be written: exit 1" "$BPFPERF" record -o /nonexistent/x -e cpu-clock true
like "$(cat err)" 'cannot write /nonexistent/x' "record -o of a path that cannot be written: the path is named"
mkfifo unread
"$BPFPERF" record -o unread -e cpu-clock -a 2>err &
recorder=$!
reap $recorder
has_events() {
	readlink "/proc/$recorder/fd/"* | grep -q perf_event
}
wait_for 20 has_events
kill -INT $recorder
is_over() {
	! kill -0 "$recorder" 2>/dev/null
}
ok "record -o of a named pipe without reader: Ctrl-C ends it" wait_for 20 is_over
is "$(cat err)" "bpfperf: error: no process has opened the named pipe unread for reading" "record -o of a named pipe without reader: the message names the pipe"
exits 2 "record -S without an AUX event: exit 2" "$BPFPERF" record -S -o x.data -e cpu-clock true
like "$(cat err)" 'none of these events has one' "record -S without an AUX event: the missing event is reported"
exits 2 "record with a filter that the kernel refuses: exit 2" "$BPFPERF" record -o x.data -e $GETPPID --filter 'nosuch == 1' true
like "$(cat err)" "nosuch == 1.*the kernel refuses it" "record with a filter that the kernel refuses: the filter is named"
rm -f x.data*
exits 0 "record -o of a new file: exit 0" "$BPFPERF" record -q -o x.data -e cpu-clock true
kept=$(stat -c %i x.data)
exits 2 "record with a refused filter to an old file: exit 2" "$BPFPERF" record -o x.data -e $GETPPID --filter 'nosuch == 1' true
is "$(stat -c %i x.data), $(ls x.data*)" "$kept, x.data" "record with a refused filter to an old file: the old recording is unchanged"
exits 2 "record -k of a clock that a tracepoint cannot read: exit 2" "$BPFPERF" record -k real -o x.data -e $GETPPID true
like "$(cat err)" 'choose mono or mono_raw' "record -k of a clock that a tracepoint cannot read: usable clocks are named"
exits 0 "record -k mono: exit 0" "$BPFPERF" record -k mono -o x.data -e sched:sched_process_exec true
between "$("$BPFPERF" script -i x.data -F time | tr -d ' ' | cut -d. -f1)" 1 "$(cut -d. -f1 /proc/uptime)" "record -k mono: times are that clock's"
rm -f x.data*
exits 0 "record of a command that is not there: the old file stays" "$BPFPERF" record -q -o x.data -e cpu-clock true
exits 0 "record -o of an old file: exit 0" "$BPFPERF" record -q -o x.data -e cpu-clock true
ok "record -o of an old file: the old one is FILE.old" test -s x.data.old
"$WORKLOADS/syscall_loop" 1000000007 >/dev/null &
reap $!
exits 0 "record --max-size: exit 0" "$BPFPERF" record -a -o max.data --max-size 300K -e raw_syscalls:sys_enter,raw_syscalls:sys_exit \
	--duration 60
kill -KILL $!
wait $! 2>/dev/null
like "$(cat err)" 'max-size is reached' "record --max-size: the end is reported"

# Without frame pointers: by unwind tables, in the kernel. Only the first samples can be before the tables.
record cfi --unwind=cfi -e cpu-clock -F 997 -- "$WORKLOADS/unwind_c" sort 1
told_all cfi
# How many stacks reach _start, and of how many from the first of these on.
whole_stacks() { # FILE
	perf script -i "$1" -F ip,sym 2>/dev/null </dev/null |
		awk -v RS= '/ _start(\n|$)/ { n++ } n { of++ } END { print n + 0, of + 0 }'
}
read -r whole of < <(whole_stacks cfi.data)
between "$of" 100 "$(summary samples)" "record --unwind=cfi: tables are loaded soon"
between "$whole" $((of * 9 / 10)) "$of" "record --unwind=cfi: stacks of perf script reach _start"
record fp --call-graph fp -e cpu-clock -F 997 -- "$WORKLOADS/unwind_c" sort 1
read -r whole of < <(whole_stacks fp.data)
between "$whole" 0 $(($(summary samples) / 2)) "record --unwind=fp: few stacks reach _start"
record auto -g -e cpu-clock -F 997 -- "$WORKLOADS/unwind_c" sort 1
read -r whole of < <(whole_stacks auto.data)
between "$of" 100 "$(summary samples)" "record -g: tables are loaded soon"
between "$whole" $((of * 9 / 10)) "$of" "record -g: stacks of perf script reach _start"
for how in --per-thread "-e page-faults,sched:sched_switch" --all-kernel; do
	# shellcheck disable=SC2086 # words
	exits 0 "record -g $how: exit 0" "$BPFPERF" -v record -g $how -o x.data -- true
	like "$(cat err)" "by frame pointer, in perf's own rings" "record -g $how: frame pointers in perf's own rings"
done
# Whatever the machine has of branches.
like "$("$BPFPERF" -v record -g -b -o x.data -- true 2>&1)" "in perf's own rings: -b" "record -g -b: in perf's own rings"
exits 2 "record --unwind with what only rings carry: exit 2" "$BPFPERF" record --unwind=auto --per-thread -o x.data true
like "$(cat err)" '--per-thread needs' "record --unwind with what only rings carry: the option is named"

# A delay: nothing before, all after.
cat >late.sh <<'END'
# Its start, in hundredths since the machine's.
sed 's/.*) //' /proc/$$/stat | cut -d ' ' -f 20
until [ -e seen ]; do /bin/true; done
/bin/echo over
END
"$BPFPERF" record -D 300 -k mono -o late.data -e sched:sched_process_exec -- sh late.sh >out 2>err &
recorder=$!
reap $recorder
has_true() {
	"$BPFPERF" script -i late.data 2>/dev/null | grep -q filename=/bin/true
}
ok "record -D: later samples" wait_for 20 has_true
touch seen
wait $recorder
is $? 0 "record -D: exit 0"
is "$("$BPFPERF" script -i late.data | tail -n 1 | grep -c filename=/bin/echo)" 1 "record -D: samples up to the end"
# The delay begins after the command's process was made; the clock in /proc goes on while a machine sleeps.
first=$("$BPFPERF" script -i late.data -F time --ns | head -n 1 | tr -d ' :.')
suspended=$(python3 -c 'from time import *
print(int(100 * (clock_gettime(CLOCK_BOOTTIME) - clock_gettime(CLOCK_MONOTONIC)) + 0.5))')
ok "record -D: no samples before" test $((first / 10000000 + suspended)) -ge $(($(head -n 1 out) + 30))

exits 0 "record -D with --duration: exit 0" "$BPFPERF" record -D 1000 --duration 0.3 -a -o late.data -e cpu-clock
isnt "$(summary samples)" 0 "record -D with --duration: the duration begins after the delay"

# Killed: what was complete is there.
"$BPFPERF" record -o killed.data -a -e sched:sched_switch 2>/dev/null &
recorder=$!
reap $recorder
has_data() {
	"$BPFPERF" script -i killed.data -F tid 2>/dev/null | grep -q .
}
wait_for 20 has_data
kill -KILL $recorder
wait $recorder 2>/dev/null
both killed

# Killed when there had been nothing more to record: all is there.
mkfifo rest
exec 3<>rest
"$BPFPERF" record -m 8M -o quiet.data -e $GETPPID --filter 'id == 110' -- sh -c "./loop17 $N; read -r x <rest" \
	>out 2>err 3>&- &
recorder=$!
reap $recorder
has_calls() {
	[ "$(calls quiet)" -eq "$N" ]
}
ok "a recorder with nothing to do: each of $N calls is in the file" wait_for 60 has_calls
kill -KILL $recorder
wait $recorder 2>/dev/null
exec 3>&-
is "$(calls quiet)" $N "a recorder with nothing to do: killed, each of $N calls is in the file"
done_testing
