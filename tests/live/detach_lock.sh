#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# A bpfperf that detaches classic tracepoints waits for those that start, and for no others.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
# shellcheck source=steady.bash
. "$TOP/tests/live/steady.bash"

# CMD, which writes how many locks its bpfperf holds: the detach lock is the only one.
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

# A detach helper has the arguments of its bpfperf.
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

# Between the runs of -r nothing is detached, so that no detach helper waits.
cat >helpers.sh <<'END'
cnt=0
for pid in $(pgrep -x bpfperf-detach); do
	! grep -qa "$1" "/proc/$pid/cmdline" || cnt=$((cnt + 1))
done
echo $cnt >>helpers
END
exits 0 "stat -r 33: exit 0" "$BPFPERF" stat -r 33 -e sched:sched_switch,sched:sched_wakeup,task-clock -o "$TMP/runs.txt" -- \
	sh helpers.sh "$TMP/runs.txt"
is "$(sort helpers | uniq -c | xargs)" "33 0" "stat -r 33: no run has a detach helper"
ok "stat -r 33: no process stays" wait_for 400 no_process_of runs.txt

# Another process holds the lock for as long as it likes.
waits='waiting for another process, which detaches tracepoints or locks '
says_so() {
	grep -qsF "$waits$TRACEFS" err
}
flock -x "$TRACEFS" sh -c 'echo $$ >held; exec sleep 60' &
holder=$!
ok "the lock is held by another process" wait_for 20 test -s held
reap "$(cat held)"
for cmd in 'trace sched:sched_switch' 'stat -e sched:sched_switch' 'record -e sched:sched_switch' 'stack sched:sched_switch'; do
	rm -f err
	# shellcheck disable=SC2086 # words; INT is ignored in the background
	env --default-signal=INT "$BPFPERF" $cmd -o "$TMP/waits.out" -- true 2>err &
	bg=$!
	reap $bg
	ok "$cmd while the lock is held: a message names the directory" wait_for 40 says_so
	stop_bg INT
	is "$bg_rc" 130 "$cmd while the lock is held: Ctrl-C ends it"
	within "$bg_ms" 500 "$cmd while the lock is held: Ctrl-C ends it at once (ms)"
done
kill -KILL "$(cat held)"
wait $holder

# The lock is taken during the first run, when stop signals are blocked; Ctrl-C comes while stat waits for the lock, or in the run.
cat >taker.sh <<'END'
[ -s taken ] || { flock -x "$1" sh -c 'echo $$ >taken; exec sleep 60' & until [ -s taken ]; do sleep 0.02; done; }
END
for when in wait run; do
	rm -f taken err
	echo "[ $when = wait ] || { echo \$\$ >running; exec sleep 59; }" >rest.sh
	env --default-signal=INT "$BPFPERF" stat -r 3 -e sched:sched_switch -o "$TMP/waits.out" -- sh -c '. ./taker.sh; . ./rest.sh' sh "$TRACEFS" 2>err &
	bg=$!
	reap $bg
	if [ $when = wait ]; then
		ok "stat -r 3 while the lock is held: a message names the directory" wait_for 100 says_so
	else
		ok "stat -r 3: the lock is taken in its run" wait_for 100 test -s running
		# CMD goes on without its stat, and has this test's stdout.
		reap "$(cat running)"
	fi
	stop_bg INT
	is "$bg_rc" 0 "stat -r 3 while the lock is held, Ctrl-C in the $when: it prints"
	within "$bg_ms" 1000 "stat -r 3 while the lock is held, Ctrl-C in the $when: it ends at once (ms)"
	[ $when = run ] || is "$(grep -cF "$waits" err)" 1 "stat -r 3 while the lock is held: one message"
	kill -KILL "$(cat taken)"
done
done_testing
