#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# trace: however it ends, at once, and nothing stays behind.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
# shellcheck source=steady.bash
. "$TOP/tests/live/steady.bash"
need_cmd bpftool flock

# Generous beside the goal (100 ms, 150 ms, 2 s): the machine of a test may be slow.
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

# Classic tracepoints are let go one grace period after the other, off the user's clock:
# all of the machine's take minutes, and the kernel's lock makes the next to attach wait.
gone() { # NAME
	ok "$1: nothing stays attached" wait_for 400 unloaded programs
}

no_process() { # PID…
	local p

	for p; do
		[ ! -e "/proc/$p" ] || return 1
	done
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
start=$(now_ms)
exits 0 "trace *:* of true: exit 0" "$BPFPERF" trace -o "$TMP/all.txt" '*:*' -- true
ms=$(($(now_ms) - start))
within $ms $((2000 * slack)) "trace *:* of true: attaching and detaching is quick ($ms ms)"

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
# What was in the file before, and others' lines in it, are not ours to cut.
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
# What lets go afterwards keeps no directory busy. It waits while somebody starts, as this test pretends to.
exec 9<"$TRACEFS"
flock -s 9
exits 0 "trace of classic tracepoints: exit 0" "$BPFPERF" trace 'timer:*' -o "$TMP/warden_cwd.txt" -- true
pid=$(pgrep -nf "$TMP/warden_cwd.txt")
is "$(readlink "/proc/$pid/cwd")" / "trace of classic tracepoints: the warden's directory is /"
loaded_by "$pid" >programs
exec 9<&-
# A warden's arguments are those of the bpfperf that it is of.
nothing_left() {
	! pgrep -f "$TMP/"
}
ok "after all traces: no process stays" wait_for 400 nothing_left
gone "in the end"
done_testing
