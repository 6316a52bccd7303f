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
exits 0 "sched:* of true" "$BPFPERF" trace 'sched:*' -- true
ms=$(($(now_ms) - start))
within $ms $((150 * slack)) "takes no time ($ms ms)"
start=$(now_ms)
exits 0 "*:* of true" "$BPFPERF" trace -o "$TMP/all.txt" '*:*' -- true
ms=$(($(now_ms) - start))
within $ms $((2000 * slack)) "takes little ($ms ms)"

start=$(now_ms)
exits 0 "--duration 0.5" "$BPFPERF" trace -a --duration 0.5 -o out.txt 'sched:*'
ms=$(($(now_ms) - start))
between $ms 500 100000 "lasts as long"
within $ms $((650 * slack)) "and not much longer ($ms ms)"

# The reader of stdout leaves.
"$BPFPERF" trace -a raw_syscalls:sys_enter 2>err | head -n 5 >out.txt
is "${PIPESTATUS[0]} $(grep -c . out.txt)" "0 5" "a closed pipe ends it quietly"
is "$(grep -ci error err)" 0 "without a word of error"

# A disk that is full.
mkdir small && mount -t tmpfs -o size=256k tmpfs small
exits 1 "a full disk is a failure" "$BPFPERF" trace -a --duration 20 -o small/out.txt \
	raw_syscalls:sys_enter -- "$WORKLOADS/syscall_loop" 300007
like "$(cat err)" 'small/out.txt.*No space left' "which is said with the file's name"
is "$(grep -c 'No space' err)" 1 "once"
is "$(tail -c 1 small/out.txt | od -An -c | tr -d ' ')" '\n' "what was written ends with a whole line"
isnt "$(grep -c . small/out.txt)" 0 "and is there"
rm small/out.txt
# What was in the file before, and others' lines in it, are not ours to cut.
seq -f 'line %g of others' 1 5003 >small/log
# shellcheck disable=SC2016 # that shell's
exits 1 "a full disk, appended to" sh -c 'exec "$0" "$@" >>small/log' "$BPFPERF" trace -a --duration 20 \
	raw_syscalls:sys_enter -- sh -c "exec '$WORKLOADS/syscall_loop' 300007 >/dev/null"
is "$(grep -c 'line [0-9]* of others' small/log)" 5003 "what was there before stays"
is "$(tail -c 1 small/log | od -An -c | tr -d ' ')" '\n' "the file ends with a whole line"
ok "of all that there was room for" test "$(stat -c %s small/log)" -gt $((256 * 1024 - 8192))
umount small

# The exit of CMD is not bpfperf's, its signals neither.
exits 0 "CMD that fails" "$BPFPERF" trace -o out.txt sched:sched_switch -- false
# What lets go afterwards keeps no directory busy. It waits while somebody starts, as this test pretends to.
exec 9<"$TRACEFS"
flock -s 9
exits 0 "classic tracepoints" "$BPFPERF" trace 'timer:*' -o "$TMP/warden_cwd.txt" -- true
pid=$(pgrep -nf "$TMP/warden_cwd.txt")
is "$(readlink "/proc/$pid/cwd")" / "its warden stands in /"
loaded_by "$pid" >programs
exec 9<&-
# A warden's arguments are those of the bpfperf that it is of.
nothing_left() {
	! pgrep -f "$TMP/"
}
ok "no process stays" wait_for 400 nothing_left
gone "in the end"
done_testing
