#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# record -g by unwind tables, which comes by other rings: all that record promises holds there, too.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd perf python3

SPIN=$WORKLOADS/spin
cpu=$(taskset -pc $$ | sed -E 's/.*[^0-9]([0-9]+)$/\1/')

# Samples of a recording by a thread's name, as perf script sees them.
of_comm() { # FILE COMM
	perf script -i "$1" -F comm 2>/dev/null </dev/null | grep -cE "^ *$2 *$"
}

record() { # NAME OPTION…
	local name=$1

	shift
	exits 0 "record $*: exit 0" "$BPFPERF" record -o "$name.data" "$@"
	like "$(cat err)" 'unwind tables: ' "record $*: stacks by tables"
}

# The file: as perf's.
umask 022
record twice -g -F 997 -- "$SPIN" 0.2
cp twice.data first
is "$(stat -c %a twice.data)" 600 "record -g: only the owner may read the file"
like "$(cat err)" "bpfperf: [0-9.]+ MB in twice\.data" "record -g: the summary has the size"
record twice -g -F 997 -- "$SPIN" 0.2
same twice.data.old first "record -g: the recording before stays as .old"
cp twice.data second
exits 1 "record -g of no program: exit 1" "$BPFPERF" record -g -o twice.data -- ./nosuch
same twice.data second "record -g of no program: the old file is unchanged"
exits 1 "record -g of no program to a new file: exit 1" "$BPFPERF" record -g -o new.data -- ./nosuch
nok "record -g of no program to a new file: none is made" test -e new.data
for format in folded json html txt data; do
	exits 1 "stack of no program to $format: exit 1" "$BPFPERF" stack -o "new.$format" -- ./nosuch
	nok "stack of no program to $format: no file is made" test -e "new.$format"
done
exits 1 "trace of no program: exit 1" "$BPFPERF" trace -e sched:sched_switch -o new.json -- ./nosuch
nok "trace of no program: no file is made" test -e new.json

# Targets: beside other targets CMD sets the duration.
"$SPIN" 3000 >/dev/null &
spin=$!
reap $spin
taskset -pc "$cpu" $spin >/dev/null
# A program that ends when $spin has had 300 ms of a CPU, which others want, too.
cat >until.sh <<'END'
ticks() {
	sed 's/.*) //' "/proc/$1/stat" | cut -d ' ' -f 12
}
from=$(ticks "$1")
while [ "$(ticks "$1")" -lt $((from + 30)) ]; do :; done
END
record pid -g -F 997 -p $spin -- sh until.sh $spin
between "$(of_comm pid.data spin)" 20 100000 "record -g -p: samples of the process"
is "$(of_comm pid.data sh)" 0 "record -g -p: no samples of CMD"
record oncpu -g -F 997 -C "$cpu" -- sh until.sh $spin
between "$(of_comm oncpu.data spin)" 20 100000 "record -g -C: all processes on that CPU"
exits 7 "record -g -p: exit status of CMD" "$BPFPERF" record -g -q -o x.data -p $spin -- sh -c 'exit 7'
is "$(cat err)" "" "record -g -q: no summary"

# -t: that thread, and nothing that it starts; -p: that, too. By tables or not.
for how in "-g" "-g --call-graph=fp" ""; do
	for by in -p -t; do
		rm -f go
		mkfifo go
		sh -c "read -r x <go; '$SPIN' 0.3; true" >/dev/null &
		parent=$!
		reap $parent
		rm -f err
		# shellcheck disable=SC2086 # options
		"$BPFPERF" -v record $how -F 997 $by $parent -o by.data 2>err &
		bg=$!
		reap $bg
		wait_for 20 grep -q 'recording into' err
		echo >go
		wait $bg
		cnt=$(of_comm by.data spin)
		case $by in
		-p) between "$cnt" 50 100000 "record $how -p: what it starts" ;;
		-t) is "$cnt" 0 "record $how -t: not what it starts" ;;
		esac
	done
done

# Other programs are not in the recording; programs that CMD starts are.
sh -c 'while :; do /bin/true; done' &
others=$!
reap $others
# shellcheck disable=SC2016 # the inner shell's
record alone -g -F 997 -- sh -c 'i=0; while [ $i -lt 37 ]; do i=$((i + 1)); "$1" 0.01; done' sh "$SPIN"
kill $others
wait $others 2>/dev/null
"$BPFPERF" script -D -i alone.data >dump.txt
is "$(grep -c 'PERF_RECORD_COMM misc=0x2000 .*comm=spin ' dump.txt)" 37 "a command's recording: programs that it started"
is "$(grep -c 'PERF_RECORD_COMM .*comm=true ' dump.txt)" 0 "a command's recording: no program that others started"
unlike "$(grep PERF_RECORD_MMAP2 dump.txt)" '/true' "a command's recording: no mappings of others"
kill $spin
wait $spin 2>/dev/null

# How often, and what.
record mixed --unwind=auto -e cpu-clock,sched:sched_process_exec -- "$SPIN" 0.5
between "$(perf script -i mixed.data -F event 2>/dev/null </dev/null | grep -c cpu-clock)" 700 2200 \
	"record -g -F 4000 beside a tracepoint: samples"
record user -g --all-user -F 1997 -- "$WORKLOADS/syscall_loop" 3000017
perf script -i user.data -F ip,sym,dso 2>/dev/null </dev/null >user.txt
unlike "$(cat user.txt)" 'kernel.kallsyms' "--all-user: no address of the kernel"
record whole -g -F 1997 -- "$WORKLOADS/syscall_loop" 3000017
between "$("$BPFPERF" script -i user.data -F tid 2>/dev/null | grep -c .)" 1 \
	$(($("$BPFPERF" script -i whole.data -F tid 2>/dev/null | grep -c .) * 2 / 3)) \
	"--all-user: no sample for time in the kernel"
exits 2 "record --unwind=auto with --filter: exit 2" "$BPFPERF" record --unwind=auto -o x.data -e sched:sched_switch --filter 'prev_pid == 1' true
like "$(cat err)" '--filter needs the kernel' "record --unwind=auto with --filter: the option is refused"
exits 2 "record --unwind=auto with a group: exit 2" "$BPFPERF" record --unwind=auto -o x.data -e '{cpu-clock,page-faults}:S' true
like "$(cat err)" 'group of events needs the kernel' "record --unwind=auto with a group: the group is refused"

# Signals.
"$SPIN" 3000 >/dev/null &
spin=$!
reap $spin
begun() { # FILE
	"$BPFPERF" script -i "$1" -F tid 2>/dev/null | grep -q .
}
rm -f sig.data
"$BPFPERF" record -g -F 997 -p $spin -o sig.data 2>err &
bg=$!
reap $bg
ok "record -g: samples are in the file while it is written" wait_for 20 begun sig.data
kill -USR2 $bg
before=$("$BPFPERF" script -i sig.data -F tid 2>/dev/null | grep -c .)
more() {
	[ "$("$BPFPERF" script -i sig.data -F tid 2>/dev/null | grep -c .)" -gt "$before" ]
}
ok "record -g: SIGUSR2 is ignored" wait_for 20 more
stop_bg INT
is "$bg_rc" 0 "record -g: Ctrl-C ends it"
is "$(perf script -i sig.data -F tid 2>/dev/null </dev/null | grep -c .)" "$(summary samples)" \
	"record -g: perf has all samples that were counted"
rm -f kill.data
"$BPFPERF" record -g -F 997 -p $spin -o kill.data 2>err &
bg=$!
reap $bg
wait_for 20 begun kill.data
kill -KILL $bg
wait $bg 2>/dev/null
exits 0 "a killed record -g: report, exit 0" "$BPFPERF" report -i kill.data
unlike "$(cat err)" 'no names' "a killed record -g: names of events are known"
like "$(cat out)" "of event '(cpu-clock|cycles)'" "a killed record -g: report shows its samples"
kill $spin
wait $spin 2>/dev/null

# A full disk. Where / is no mount point, as in a chroot, there is no mount namespace to be had for it.
mkdir small
if unshare -m true 2>/dev/null; then
	# shellcheck disable=SC2016 # the inner shell's
	exits 1 "record -g to a full disk: exit 1" unshare -m sh -c 'mount -t tmpfs -o size=1m none small &&
		"$1" record -g -c 50000 -e cpu-clock -o small/full.data -- "$2" 3; rc=$?
		cp small/full.data full.data; exit $rc' sh "$BPFPERF" "$SPIN"
	like "$(cat err)" 'cannot write small/full.data: No space left on device; it can be read up to' "record -g to a full disk: the error is reported"
	between "$("$BPFPERF" script -i full.data -F tid 2>/dev/null | grep -c .)" 100 100000 "record -g to a full disk: complete records can be read"
else
	skip_test "record -g to a full disk" "unshare -m is not permitted"
fi
done_testing
