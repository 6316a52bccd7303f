#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# A tracepoint that is hit although its program never runs: trace says so, and counts its records as
# lost. The process that holds the attachments is killed for that, unwatched.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"

# A system call that none of the programs here makes but the loop itself.
N=1009
ev=syscalls:sys_enter_getpgid

# Numbers of the BPF programs that a process holds.
programs_of() { # PID
	sed -n 's/^prog_id:[[:space:]]*//p' /proc/"$1"/fdinfo/* 2>/dev/null
}

# The process that holds the attachments of bpfperf PID: of all of that name, the one with its program.
helper_of() { # PID
	local pid

	for pid in $(pgrep -x bpfperf-detach); do
		! programs_of "$pid" | grep -qxFf <(programs_of "$1") || echo "$pid"
	done
}

gone() { # PID
	[ ! -e "/proc/$1/exe" ]
}

# Starts trace of $ev; kills the helper, where asked to; makes the calls.
trace_calls() { # FORMAT KILL
	BPFPERF_WITHOUT=btf,detach_watch "$BPFPERF" -v trace -a --lost-exit --format "$1" -o out.txt $ev 2>err &
	bg=$!
	reap $bg
	# Its loop waits: the programs run, and signals are heeded.
	wait_for 20 grep -qE 'ep_poll|epoll' "/proc/$bg/wchan"
	wait_for 20 grep -q '1 by classic ones' err
	helper=$(helper_of $bg)
	[ "$2" = no ] || kill -KILL "$helper"
	[ "$2" = no ] || wait_for 20 gone "$helper"
	"$WORKLOADS/syscall_loop" $N getpgid >/dev/null
	stop_bg INT
}

trace_calls text yes
isnt "$helper" "" "program that never runs: the holder of its attachment is found"
like "$(cat err)" "warning: $ev: the kernel counted $N hits and ran the program for none of them" \
	"program that never runs: one sentence has the hits"
is "$(grep -c "$ev: the kernel counted" err)" 1 "program that never runs: it is said once"
is "$(summary records) $(summary lost)" "0 $N" "program that never runs: the hits are lost records"
is $bg_rc 3 "program that never runs: --lost-exit"
is "$(sed -nE "s/.*: lost ([0-9]+) records of $ev: program never run/\1/p" out.txt)" $N \
	"program that never runs: the output has the loss"

trace_calls json yes
is "$(sed -nE 's/.*"lost":([0-9]+),"cause":"program never run","lost_event":"([^"]*)".*/\1 \2/p' out.txt)" "$N $ev" \
	"program that never runs: JSON has the loss"

trace_calls text no
is "$(summary records) $(summary lost)" "$N 0" "program that runs: each hit is a record"
is "$(grep -c 'the kernel counted' err)" 0 "program that runs: no warning"
is $bg_rc 0 "program that runs: exit 0"
done_testing
