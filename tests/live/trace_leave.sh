#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# trace: however it ends, at once, and nothing stays behind.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
# shellcheck source=steady.bash
. "$TOP/tests/live/steady.bash"
need_cmd bpftool flock

# Generous beside the goal (100 ms, 150 ms): the machine of a test may be slow.
slack=${SLACK:-3}

# The programs that processes have loaded, by id, which the kernel gives but once; others may trace meanwhile.
loaded_by() { # PID…
	local p

	for p; do
		sed -n 's/^prog_id:[[:space:]]*//p' "/proc/$p/fdinfo"/* 2>/dev/null
	done | sort -u
}
unloaded() { # FILE: of these ids none is there
	! bpftool prog show | sed -nE 's/^([0-9]+): .*/\1/p' | sort | comm -12 - "$1" | grep -q .
}

# Starts bpfperf, and leaves in `programs` what it has loaded, in family its children.
starts() { # EVENTS
	ok "$1 starts" start_bg "$TMP/out.txt" trace -a -m 1M "$1"
	mapfile -t family < <(pgrep -P "$bg")
	loaded_by "$bg" "${family[@]}" >programs
	isnt "$(wc -l <programs)" 0 "$1: its programs are loaded"
}

no_process() { # PID…
	local p

	for p; do
		[ ! -e "/proc/$p" ] || return 1
	done
}
# bpftool loads a program at each look: it waits until the processes that held the programs have ended.
released() {
	no_process "${family[@]}" && unloaded programs
}
# Classic tracepoints are let go one grace period after the other, off the user's clock:
# all of the machine's take minutes, and the kernel's lock makes the next to attach wait.
gone() { # NAME
	ok "$1: nothing stays attached" wait_for 400 released
}

leaves() { # EVENTS SIGNAL
	starts "$1"
	sleep 0.3
	stop_bg "$2"
	is "$bg_rc" 0 "$1, SIG$2: exits 0"
	within "$bg_ms" $((100 * slack + 200)) "$1, SIG$2: at once ($bg_ms ms)"
	ok "$1, SIG$2: the last line is whole" test "$(tail -c 1 out.txt | od -An -c | tr -d ' ')" = '\n'
	ok "$1, SIG$2: with a summary" grep -qE '^bpfperf: [0-9]+ records' err
	gone "$1, SIG$2"
}

# sched:* is served by raw tracepoints, kmem:* by classic ones.
for events in 'sched:*' 'kmem:*'; do
	leaves "$events" INT
	leaves "$events" TERM
	starts "$events"
	kill -KILL "$bg"
	wait "$bg" 2>/dev/null
	gone "$events, kill -9"
	ok "$events, kill -9: no process stays" wait_for 60 no_process "${family[@]}"
done
leaves '*:*' INT

start=$(now_ms)
exits 0 "trace sched:* of true: exit 0" "$BPFPERF" trace 'sched:*' -- true
ms=$(($(now_ms) - start))
within $ms $((150 * slack)) "trace sched:* of true: attaching and detaching is quick ($ms ms)"
# Both kinds of tracepoints. All of the machine's are attached once, above: the kernel takes more than a minute to let go of
# them.
start=$(now_ms)
exits 0 "trace of raw and classic tracepoints of true: exit 0" "$BPFPERF" trace -o "$TMP/all.txt" 'sched:*' 'kmem:*' 'timer:*' 'irq:*' \
	-- true
ms=$(($(now_ms) - start))
within $ms $((1000 * slack)) "trace of raw and classic tracepoints of true: attaching and detaching is quick ($ms ms)"

start=$(now_ms)
exits 0 "trace --duration 0.5: exit 0" "$BPFPERF" trace -a --duration 0.5 -o out.txt 'sched:*'
ms=$(($(now_ms) - start))
between $ms 500 100000 "trace --duration 0.5: half a second at least"
within $ms $((650 * slack)) "trace --duration 0.5: not much longer ($ms ms)"

# The reader of stdout leaves.
"$BPFPERF" trace -a raw_syscalls:sys_enter 2>err | head -n 5 >out.txt
is "${PIPESTATUS[0]} $(grep -c . out.txt)" "0 5" "a reader that closes the pipe: exit 0"
is "$(grep -ci error err)" 0 "a reader that closes the pipe: no error is reported"

# A disk that is full.
mkdir small && mount -t tmpfs -o size=256k tmpfs small
exits 1 "trace to a full disk: exit 1" "$BPFPERF" trace -a --duration 20 -o small/out.txt \
	raw_syscalls:sys_enter -- "$WORKLOADS/syscall_loop" 300007
like "$(cat err)" 'small/out.txt.*No space left' "trace to a full disk: the file is named"
is "$(grep -c 'No space' err)" 1 "trace to a full disk: one error"
is "$(tail -c 1 small/out.txt | od -An -c | tr -d ' ')" '\n' "trace to a full disk: output ends with a whole line"
isnt "$(grep -c . small/out.txt)" 0 "trace to a full disk: lines were written"
rm small/out.txt
# Earlier content of the file, and lines of other processes in it, are not cut.
seq -f 'line %g of others' 1 5003 >small/log
# shellcheck disable=SC2016 # that shell's
exits 1 "appending to a full disk: exit 1" sh -c 'exec "$0" "$@" >>small/log' "$BPFPERF" trace -a --duration 20 \
	raw_syscalls:sys_enter -- sh -c "exec '$WORKLOADS/syscall_loop' 300007 >/dev/null"
is "$(grep -c 'line [0-9]* of others' small/log)" 5003 "appending to a full disk: earlier lines stay"
is "$(tail -c 1 small/log | od -An -c | tr -d ' ')" '\n' "appending to a full disk: the file ends with a whole line"
ok "appending to a full disk: the room is used" test "$(stat -c %s small/log)" -gt $((256 * 1024 - 8192))
umount small

# The exit of CMD is not bpfperf's, its signals neither.
exits 0 "trace of a CMD that fails: exit 0" "$BPFPERF" trace -o out.txt sched:sched_switch -- false
# The detach helper of the bpfperf that writes FILE, whose arguments all of its processes have.
helper_of() { # FILE
	local pid

	for pid in $(pgrep -f "$1"); do
		[ "$(cat "/proc/$pid/comm")" != bpfperf-detach ] || echo "$pid"
	done
}
# The detach helper keeps no directory busy. It waits while another bpfperf starts, as this test pretends to.
exec 9<"$TRACEFS"
flock -s 9
exits 0 "trace of classic tracepoints: exit 0" "$BPFPERF" trace 'timer:*' -o "$TMP/warden_cwd.txt" -- true
pid=$(helper_of "$TMP/warden_cwd.txt")
is "$(readlink "/proc/$pid/cwd")" / "trace of classic tracepoints: the detach helper's directory is /"
loaded_by "$pid" >programs
exec 9<&-
# A detach helper that is killed takes the tracepoints with it.
ok "trace of classic tracepoints starts" start_bg "$TMP/killed.txt" trace -a -m 1M 'timer:*'
kill -KILL "$(helper_of "$TMP/killed.txt")"
ends() { ! kill -0 "$bg" 2>/dev/null; }
ok "trace whose detach helper is killed: it ends" wait_for 20 ends
wait "$bg"
is "$?" 1 "trace whose detach helper is killed: exit 1"
like "$(cat err)" 'bpfperf-detach was killed, so the tracepoints are detached' "trace whose detach helper is killed: the reason is reported"
# Hits up to the end are lost where an event had none before.
is "$(summary records)" "$(grep -vc ': lost ' killed.txt)" "trace whose detach helper is killed: the records before are kept"

# A detach helper has the arguments of its bpfperf.
nothing_left() {
	! pgrep -f "$TMP/"
}
ok "after all traces: no process stays" wait_for 400 nothing_left
gone "in the end"
done_testing
