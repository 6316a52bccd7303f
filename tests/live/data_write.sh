#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# trace and stack write recordings: perf, bpfperf and hotspot read the same of them, and all that happened.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
# shellcheck source=perf_text.bash
. "$TOP/tests/live/perf_text.bash"
need_cmd perf python3 unshare readelf

# Shares by symbol, of one event; without the procedure linkage table of `spin`, which perf takes for the end of _init.
shares() { # TOOL FILE
	"$@" --no-children -gnone -s comm,dso,sym 2>/dev/null </dev/null |
		sed -n 's/^ *\([0-9.]*%\)/\1/p' | sed -E 's/ +/ /g; s/ $//' |
		sed -E '/ spin \[\.\] (_init|[^ ]*@plt|0x[0-9a-f]+)$/d' | sort
}

sum_lost() { # FILE
	perf script -i "$1" -F comm,time,event --show-lost-events 2>/dev/null |
		awk '/PERF_RECORD_LOST/ { n += $NF } END { print n + 0 }'
}

# The numbers that the `sequence` of this process counted up to in a recording: how many, and the last; FAILED
# where they are out of order, or more are missing in between than the file says were lost.
sequence_of() { # FILE PID
	perf script -i "$1" -F pid,trace 2>/dev/null | python3 -c '
import re, sys
pid, lost = map(int, sys.argv[1:])
text = sys.stdin.read()
got = [int(n, 16) for n in re.findall(rf"^ *{pid} +fd: 0xffffffff, offset: 0x([0-9a-f]+)", text, re.M)]
ok = got and all(a < b for a, b in zip(got, got[1:])) and got[-1] - got[0] + 1 - len(got) <= lost
print(len(got) if ok else "FAILED", got[-1] if ok else 0)' "$2" "$(sum_lost "$1")"
}

# --- Every event, in its order, with its text.
exits 0 "trace -o FILE.data of 7 threads: exit 0" "$BPFPERF" trace -o tp.data 'sched:sched_process_*' syscalls:sys_enter_getppid \
	syscalls:sys_exit_getppid -- "$WORKLOADS/threads" 7 1009 getppid
is "$(summary lost)" 0 "trace -o FILE.data of 7 threads: no record is lost"
both tp
both tp -F comm,pid,tid,cpu,time,event,trace --ns
is "$(grep -c 'sys_enter_getppid:' ours.raw)" $((7 * 1009)) "trace -o FILE.data of 7 threads: each call is in the file"
is "$(wc -l <ours.raw)" "$(summary records)" "trace -o FILE.data of 7 threads: as many records as the summary counts"
is "$(grep -c 'worker-[0-6] .*sys_enter_getppid' ours.raw)" $((7 * 1009)) "trace -o FILE.data of 7 threads: by the names of the threads"
is "$(perf script -i tp.data --show-task-events 2>/dev/null | grep -c 'PERF_RECORD_COMM: worker-[0-6]:')" 7 \
	"trace -o FILE.data of 7 threads: threads that named themselves"

# Two tracers follow one task, one writing text: the outputs are equal but for the clock, which each reads.
cat >late.sh <<'END2'
exec 3<>poke
while read -r line <&3 && [ "$line" != go ]; do kill -0 $$; done
exec "$WORKLOADS/renamer" 1009
END2
mkfifo poke
sh late.sh >/dev/null &
pid=$!
reap $pid
events=(syscalls:sys_enter_kill syscalls:sys_enter_prctl syscalls:sys_exit_getppid 'sched:sched_process_ex*')
"$BPFPERF" trace -p $pid -o live.txt "${events[@]}" 2>err.text &
text=$!
"$BPFPERF" trace -p $pid -o live.data "${events[@]}" 2>err &
data=$!
reap $text $data
sees() { # what it does when it is poked
	echo now >poke
	grep -q sys_enter_kill live.txt && perf script -i live.data 2>/dev/null | grep -q sys_enter_kill
}
ok "two recordings at once: both have each call" wait_for 20 sees
echo go >poke
wait $text $data
one_way() {
	sed -E 's/^ *//; s/ +([0-9]+\/[0-9]+) +/ \1 /; s/: +/: /; /sys_enter_kill/d'
}
sed -E 's/ +\[[0-9]+\] +[0-9.]+: / /' live.txt | one_way >live.want
"$BPFPERF" script -i live.data -F comm,pid,tid,event,trace | one_way >live.got
is "$(grep -c sys_exit_getppid live.want)" 1009 "tasks as text: exit 0"
same live.got live.want "tasks from the recording: equal to the text, hostile names too"

# --- Stacks.
exits 0 "trace -g -o FILE.data: exit 0" "$BPFPERF" trace -g -o stacks.data syscalls:sys_enter_getppid sched:sched_process_exit -- \
	"$WORKLOADS/stacks" 307
both stacks
is "$(grep -c 'do_syscall_64' ours.raw)" "$(grep -c 'entry_SYSCALL' ours.raw)" "trace -g -o FILE.data: kernel functions are named"
ok "trace -g -o FILE.data: perf report reads it" perf report --stdio -i stacks.data

# --- All tasks, for a while: the records made are in the file.
exits 0 "trace -a -o FILE.data: exit 0" "$BPFPERF" trace -a -o all.data 'sched:*' -- sh -c 'sleep 0.5'
both all
is "$(wc -l <ours.raw)" "$(summary records)" "trace -a -o FILE.data: all records are in the file"
is "$(sum_lost all.data)" "$(summary lost)" "trace -a -o FILE.data: losses are in the file"

# --- Rings that are too small: what is not there is told, exactly.
exits 0 "a ring of a page: exit 0" "$BPFPERF" trace -m 1 --budget 0 -o lost.data syscalls:sys_enter_getppid \
	syscalls:sys_exit_getppid -- "$WORKLOADS/syscall_loop" 300007
got=$(perf script -i lost.data -F event 2>/dev/null | grep -c getppid)
isnt "$(summary lost)" 0 "a ring of a page: records are lost"
is $((got + $(sum_lost lost.data))) 600014 "a ring of a page: delivered and lost are what was produced"
is "$got" "$(summary records)" "a ring of a page: as many records as the summary counts"

# --- Packed, and as a pipe.
exits 0 "trace -z -o FILE.data: exit 0" "$BPFPERF" trace -z -g -o packed.data syscalls:sys_enter_getppid -- "$WORKLOADS/syscall_loop" 20011
both packed
is "$(grep -c 'sys_enter_getppid' ours.raw)" 20011 "trace -z -o FILE.data: each call is in the file"
like "$(perf script --header-only -i packed.data 2>/dev/null)" 'compressed : Zstd, level = 1' "trace -z -o FILE.data: the file is compressed"
exits 0 "trace -o FILE.data without -z: exit 0" "$BPFPERF" trace -g -o plain.data syscalls:sys_enter_getppid -- "$WORKLOADS/syscall_loop" 20011
between "$(stat -c %s packed.data)" 1000 $(($(stat -c %s plain.data) / 4)) "trace -z -o FILE.data: a quarter of the size at most"
"$BPFPERF" trace --format perf -z=9 -o - syscalls:sys_enter_getppid -- "$WORKLOADS/syscall_loop" 20011 \
	2>err | cat >pipe.data
both pipe
is "$(grep -c sys_enter_getppid ours.raw)" 20011 "a pipe: each call"
perf script -i - <pipe.data 2>/dev/null >stdin.txt
plain stdin.txt >stdin.plain
same stdin.plain perf.txt "a pipe on perf's stdin"

"$BPFPERF" stack -e syscalls:sys_enter_getppid -c 1 --format perf -o - -- "$WORKLOADS/syscall_loop" 1009 2>err |
	perf script -i - -F event >stdin.txt 2>/dev/null
is "$(grep -c sys_enter_getppid stdin.txt)" 1009 "stack: each call"

# A reader that sleeps does not hold up bpfperf: what comes meanwhile, more than a ring takes, waits in memory.
mkfifo slow
{
	head -c 65536
	# CMD did all its work while the output was not read.
	wait_for 60 test -e over
	touch reading
	cat
} <slow >slow.data &
cat >bursts.sh <<'END2'
# How often bpfperf has waited for something to do: between two times it has looked at all rings.
waits() {
	sed -n 's/^voluntary_ctxt_switches:[[:space:]]*//p' /proc/$PPID/status
}
for i in 1 2 3 4 5 6 7 8 9 10 11; do
	"$WORKLOADS/syscall_loop" 5003
	before=$(waits)
	until [ "$(waits)" -gt $((before + 2)) ]; do sleep 0.02; done
done
touch over
until [ -e reading ]; do sleep 0.02; done
END2
"$BPFPERF" trace -m 1M --format perf -o - syscalls:sys_enter_getppid syscalls:sys_exit_getppid -- \
	sh bursts.sh 2>err >slow
rc=$?
wait $!
is $rc 0 "a reader that sleeps: exit 0"
is "$(summary lost)" 0 "a reader that sleeps: no record is lost meanwhile"
is "$("$BPFPERF" script -i slow.data -F comm,event | grep -c 'syscall_loop .*getppid')" 110066 "a reader that sleeps: each call is in the file"

# --- The header describes the recording.
perf script --header-only -i stacks.data >header.txt 2>&1
for what in "hostname : $(hostname)" "os release : $(uname -r)" "arch : $(uname -m)" 'nrcpus online : [0-9]' \
	'cpudesc : .' 'total memory : [0-9]+ kB' 'cmdline : .*bpfperf trace -g -o stacks.data' \
	'event : name = syscalls:sys_enter_getppid, .*CALLCHAIN' 'CPU_TOPOLOGY info' 'time of last sample : [0-9]' \
	'clockid: monotonic' 'reference time: 20' 'pmu mappings: .*tracepoint = 2'; do
	like "$(grep -E "${what%% : *}" header.txt)" "$what" "header: ${what%%:*}"
done
libc=$(ldd "$WORKLOADS/stacks" | sed -n 's/.*=> \(.*libc\.so\.6\).*/\1/p')
if [ -n "$libc" ]; then
	id=$(readelf -n "$libc" | sed -n 's/.*Build ID: //p')
	like "$(perf buildid-list -i stacks.data 2>/dev/null)" "$id .*libc" "build-ids: the C library's"
fi
like "$(perf buildid-list -i stacks.data 2>/dev/null)" '[0-9a-f]{40} \[kernel' "build-ids: the kernel's"

# --- Samples by stack.
exits 0 "stack -o FILE.data: exit 0" "$BPFPERF" stack -F 1999 -o cpu.data -- "$WORKLOADS/spin" 0.7
both cpu
is "$(grep -c 'cpu-clock:' ours.raw)" "$(summary samples)" "stack -o FILE.data: all samples are in the file"
shares perf report --stdio -i cpu.data >shares.perf
shares "$BPFPERF" report -i cpu.data >shares.ours
ok "stack -o FILE.data: perf report has shares" test -s shares.perf
same shares.ours shares.perf "stack -o FILE.data: shares are perf report's"
exits 0 "stack -e TRACEPOINT -o FILE.data: exit 0" "$BPFPERF" stack -e syscalls:sys_enter_getppid -c 1 -o tps.data -- \
	"$WORKLOADS/syscall_loop" 4001
both tps
is "$(grep -c 'sys_enter_getppid:' ours.raw)" 4001 "stack -e TRACEPOINT -o FILE.data: each call is in the file"
start=$(now_ms)
exits 0 "stack --off-cpu -o FILE.data: exit 0" "$BPFPERF" stack --off-cpu -a -o off.data -- "$WORKLOADS/sleeper" 107 2000
took=$(($(now_ms) - start))
# Functions of the C library have several names, and every program is in here: by their addresses.
both off -F comm,pid,tid,cpu,time,event,period,ip
ok "stack --off-cpu -o FILE.data: weights are nanoseconds of this run" sh -c "perf script -i off.data -F period,event 2>/dev/null |
	awk '\$2 ~ /asleep|runnable/ { n++ } \$1 > $took * 1e6 { bad++ } END { exit !(n > 100 && !bad) }'"

# --- Killed in the midst: whole rounds up to some time before.
"$BPFPERF" trace -a --budget 0 -o killed.data syscalls:sys_enter_lseek 2>err &
bg=$!
reap $bg
last_cpu=$(allowed_cpus | tail -n 1)
"$WORKLOADS/sequence" "$last_cpu" counter >/dev/null &
work=$!
reap $work
is_larger() { # BYTES
	[ "$(stat -c %s killed.data)" -gt "$1" ]
}
wait_for 20 is_larger 8000000
# Records of earlier calls reach the file without a signal.
kill -STOP $work
before=$(od -An -tu8 -N8 counter | tr -d ' ')
has_before() {
	read -r _ last < <(sequence_of killed.data "$work") && [ "$last" -ge "$before" ]
}
ok "-o FILE.data to be killed: each call is in the file soon" wait_for 20 has_before
kill -CONT $work
wait_for 20 is_larger $(($(stat -c %s killed.data) + 4000000))
kill -KILL $bg
wait $bg 2>/dev/null
kill $work
read -r got last < <(sequence_of killed.data "$work")
like "$got" '^[0-9]+$' "a killed trace: perf finds the numbers without an unreported gap"
ok "a killed trace: later calls are in the file" test "$last" -gt "$before"
both killed
like "$(cat ours.err)" 'was not ended' "a killed trace: script reports the damage"
like "$(perf script --header-only -i killed.data 2>/dev/null)" 'hostname : ' "a killed trace: the header describes the machine"

# --- A full disk.
mkdir small
cat >full.sh <<'END2'
mount -t tmpfs -o size=3M none small || exit 77
"$BPFPERF" trace -a --budget 0 --duration 20 -o small/full.data syscalls:sys_enter_lseek 2>full.err
echo $? >full.rc
cp small/full.data full.data
END2
"$WORKLOADS/sequence" "$last_cpu" counter >/dev/null &
work=$!
reap $work
if unshare -m sh full.sh; then
	is "$(cat full.rc)" 1 "a full disk: exit 1"
	is "$(grep -c 'bpfperf: error' full.err)" 1 "a full disk: one sentence"
	like "$(cat full.err)" 'No space left on device.*free some space' "a full disk: the remedy is named"
	like "$(sequence_of full.data "$work")" '^[0-9]{4,} ' "a full disk: perf finds the numbers without an unreported gap"
	both full
	between "$(stat -c %s full.data)" 2000000 3145728 "a full disk: nearly all of it is used"
else
	skip_test "a full disk" "no tmpfs here"
fi
kill $work

# --- Other readers.
parser=$(echo /usr/lib/*/libexec/hotspot-perfparser)
if [ -x "$parser" ]; then
	for f in stacks cpu; do
		exits 0 "hotspot's importer reads $f.data" "$parser" --input $f.data --output $f.hotspot
		perf script -i $f.data -F event 2>/dev/null | grep -c . >want
		got=$(python3 - $f.hotspot <<'END2'
import struct, sys
d = open(sys.argv[1], "rb").read()
at, cnt = len(b"QPERFSTREAM\0") + 4, 0
assert d.startswith(b"QPERFSTREAM\0")
while at < len(d):
    # The kinds 13 and 14 are samples, of events and of tracepoints.
    cnt += d[at + 4] in (13, 14)
    at += 4 + struct.unpack_from("<I", d, at)[0]
print(cnt)
END2
		)
		is "$got" "$(cat want)" "all samples of $f.data"
	done
else
	skip_test "hotspot's importer on recordings" "hotspot is not installed"
fi

# --- The period of a record is its weight, as in perf's recordings, or the number given by -c.
exits 0 "events that count more than one: exit 0" "$BPFPERF" trace -o weight.data sched:sched_stat_runtime -- \
	"$WORKLOADS/threads" 7 1009 getppid
perf script -i weight.data -F period,trace 2>/dev/null | sed -E 's/^ *([0-9]+) .* runtime=([0-9]+).*/\1 \2/' >weights
# shellcheck disable=SC2016 # awk's
ok "events that count more than one: periods are what the event counts" awk '$1 != $2 || NF != 2 { bad++ } END { exit bad || NR < 7 }' weights || diag "$(head weights)"
exits 0 "trace -c 7 -o FILE.data: exit 0" "$BPFPERF" trace -c 7 -o seventh.data syscalls:sys_enter_getppid -- taskset -c "$(allowed_cpus | head -n 1)" \
	"$WORKLOADS/syscall_loop" 1009 getppid
is "$(perf script -i seventh.data -F period 2>/dev/null | sort | uniq -c | xargs)" "144 7" "trace -c 7 -o FILE.data: each of 144 stands for seven"

# --- Options without effect on a recording are refused.
exits 2 "trace --counters -o FILE.data: exit 2" "$BPFPERF" trace --counters page-faults -o x.data sched:sched_switch -- true
like "$(cat err)" 'no place for' "trace --counters -o FILE.data: the option is refused by name"
exits 2 "trace -z of text: exit 2" "$BPFPERF" trace -z -o x.txt sched:sched_switch -- true
exits 2 "trace -z with an unknown level: exit 2" "$BPFPERF" trace -z=23 -o x.data sched:sched_switch -- true
exits 1 "-o in an unknown directory: exit 1" "$BPFPERF" stack -o not/there.data -- true
like "$(cat err)" 'cannot write not/there.data' "-o in an unknown directory: the path is named"
ok "-o that is refused: nothing was written" test ! -e x.data
done_testing
