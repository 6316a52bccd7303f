#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Who lets go of classic tracepoints waits for those who start, and for nobody else.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"

# CMD, which writes how many locks its bpfperf holds: that of the gate is the only one it ever has.
# shellcheck disable=SC2016 # that shell's
locks='grep -c "FLOCK .* $PPID " /proc/locks >locks; true'

for cmd in 'stat -e sched:sched_switch' 'stat -r 3 -e sched:sched_switch' 'record -e sched:sched_switch' \
	'record --unwind=auto -e sched:sched_switch' 'stack sched:sched_switch' 'trace kmem:kfree' \
	'trace sched:sched_switch --format perf'; do
	for out in "$TMP/some.out" -; do
		rm -f locks
		# shellcheck disable=SC2086 # words
		"$BPFPERF" $cmd -o "$out" -- sh -c "$locks" >piped 2>err
		is $? 0 "$cmd -o ${out##*/}: exit 0"
		is "$(cat locks)" 0 "$cmd -o ${out##*/}: other commands may detach while it runs"
	done
done

# The formats in a file are read when it ends, and recording goes on.
cat >dump.sh <<'END'
kill -USR2 $PPID
until ls switched.data.* || [ $((tries += 1)) -gt 3000 ]; do
	sleep 0.02
done
END
exits 0 "record --switch-output: exit 0" "$BPFPERF" record --switch-output -e sched:sched_switch -o switched.data -- \
	sh -c ". ./dump.sh; $locks"
ok "record --switch-output: another file is begun" ls switched.data.*
is "$(cat locks)" 0 "record --switch-output: other commands may detach after the first file, too"

# A warden's arguments are those of the bpfperf that it is of.
no_process_of() { # FILE
	! pgrep -f "$TMP/$1"
}
mkfifo go
"$BPFPERF" stat -a -e sched:sched_switch -o stat.txt -- sh -c ': >counts; read -r line <go' 2>err &
bg=$!
reap $bg
ok "stat -a beside a classic tracepoint: stat counts" wait_for 100 test -e counts
exits 0 "stat -a beside a classic tracepoint: trace, exit 0" "$BPFPERF" trace kmem:kfree -o "$TMP/classic.txt" -- true
ok "stat -a beside a classic tracepoint: the tracepoint is released meanwhile" wait_for 400 no_process_of classic.txt
echo >go
wait $bg
is $? 0 "stat -a beside a classic tracepoint: stat, exit 0"

# Between the runs of -r nothing is let go of, so that there is nobody who waits to do so.
cat >wardens.sh <<'END'
cnt=0
for pid in $(pgrep -x bpfperf-detach); do
	! grep -qa "$1" "/proc/$pid/cmdline" || cnt=$((cnt + 1))
done
echo $cnt >>wardens
END
exits 0 "stat -r 33: exit 0" "$BPFPERF" stat -r 33 -e sched:sched_switch,sched:sched_wakeup,task-clock -o "$TMP/runs.txt" -- \
	sh wardens.sh "$TMP/runs.txt"
is "$(sort wardens | uniq -c | xargs)" "33 0" "stat -r 33: no run has a warden"
ok "stat -r 33: no process stays" wait_for 400 no_process_of runs.txt
done_testing
