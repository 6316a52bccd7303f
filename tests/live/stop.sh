#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# script, report and stack -i that are stopped while they read: what was read is printed; in a pipe, whose
# writer Ctrl-C ends as well, that is all of it.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd python3 setsid pgrep

# The recorder's workload must not end before it is stopped.
"$WORKLOADS/sched_pingpong" 1000000007 >/dev/null &
reap $!

# A recorder and its reader as a terminal has them, in one group: $group; $recorder and $bg. What the recorder
# has written but for a pipe's content (1 MiB at most) has been read. In the background SIGINT would be ignored.
pipeline() { # COMMAND OPTION…
	rm -f rc out
	# shellcheck disable=SC2016 # the inner shell's
	setsid env --default-signal=INT bash -c 'trap : INT; "$BPFPERF" record -o - -m 8M -a -e sched:sched_switch 2>err |
		"$BPFPERF" "$@" -i - >out 2>reader.err; echo "${PIPESTATUS[*]}" >rc' - "$@" &
	group=$!
	reap $group
	wait_for 120 has_begun "$1" && reap "$recorder" "$bg"
}
has_begun() { # COMMAND
	recorder=$(pgrep -g "$group" -f "^[^ ]* record ") && bg=$(pgrep -g "$group" -f "^[^ ]* $1 ") &&
		has_written 8000000
}
written() {
	sed -n 's/^wchar: //p' "/proc/$recorder/io"
}
has_written() { # BYTES
	[ "$(written)" -gt "$1" ]
}
ended() { # NAME
	wait $group
	is "$(cat rc)" "0 0" "$1: both end as if nothing were" || diag "$(cat err reader.err)"
}
# Nothing has to be waited for.
all_came() { # NAME CNT
	is "$2" "$(summary samples)" "$1: all that was recorded came"
	unlike "$(cat reader.err)" 'stopped|damaged' "$1: nothing is missing"
}

pipeline script
kill -INT -- -$group
ended "record | script, Ctrl-C"
all_came "record | script, Ctrl-C" "$(grep -c . out)"
pipeline script -D
kill -INT -- -$group
ended "record | script -D, Ctrl-C"
all_came "record | script -D, Ctrl-C" "$(grep -c PERF_RECORD_SAMPLE out)"
pipeline report --format folded
kill -INT -- -$group
ended "record | report, Ctrl-C"
all_came "record | report, Ctrl-C" "$(awk '{ n += $NF } END { print n }' out)"

# The reader alone is sent it: first it waits for the recorder, which goes on, then no longer.
delivered() {
	grep -q '^ShdPnd:[[:space:]]*0*$' "/proc/$bg/status"
}
pipeline script
kill -INT "$bg"
ok "SIGINT for script alone: script runs" wait_for 60 delivered
sz=$(written)
ok "SIGINT for script alone: reading continues" wait_for 120 has_written $((sz + 4000000))
kill -INT "$bg"
ended "SIGINT twice for script"
like "$(cat reader.err)" 'stopped after [0-9.]+ MB of stdin, before its end: the records after that are not shown' "SIGINT for script alone: the stop is reported"
is "$(tail -c 1 out | od -An -tu1 | tr -d ' ')" 10 "SIGINT for script alone: output ends with a whole line"
pipeline report
kill -TERM "$bg"
ended "SIGTERM for report alone"
like "$(cat reader.err)" 'stopped after [0-9.]+ MB of stdin, before its end: the records after that are not summed up' "SIGINT for report alone: the stop is reported"
like "$(cat out)" 'Samples: .* of event .sched:sched_switch' "SIGINT for report alone: earlier samples are summed up"

# A file in whose midst all readers are when they are stopped.
exits 0 "record -o - of 20011 calls: exit 0" sh -c "'$BPFPERF' record -o - -m 8M --per-thread -e raw_syscalls:sys_enter -- \
	'$WORKLOADS/syscall_loop' 20011 >whole.data"
between "$("$BPFPERF" script -i whole.data | wc -l)" 20011 30000 "record -o - of 20011 calls: all samples"
hole=$(python3 "$TOP/tests/live/hole.py" whole.data 15013)
in_hole() {
	local fd

	for fd in /proc/"$bg"/fd/*; do
		[ "$(readlink "$fd")" = "$TMP/hole.data" ] &&
			[ "$(sed -n 's/^pos:[[:space:]]*//p' "/proc/$bg/fdinfo/${fd##*/}")" -gt $((hole + 4000000)) ] &&
			return 0
	done
	return 1
}
stopped() { # SIGNAL ARG…: status in $bg_rc
	local sig=$1

	shift
	"$BPFPERF" "$@" >out 2>err &
	bg=$!
	reap $bg
	wait_for 60 in_hole || fail "$*: the reader is in the hole" "$(cat err)"
	stop_bg "$sig"
}
told='stopped after [0-9.]+ of [0-9.]+ MB of hole.data: the records after that are not'
for cmd in script "script -D" report "report --format folded"; do
	# shellcheck disable=SC2086 # words
	"$BPFPERF" $cmd -i first.data >first.txt
	for sig in INT TERM; do
		# shellcheck disable=SC2086
		stopped $sig $cmd -i hole.data
		is "$bg_rc" 0 "$cmd, SIG$sig: exit 0"
		like "$(cat err)" "$told" "$cmd, SIG$sig: the position is reported"
		unlike "$(cat err)" 'damaged' "$cmd, SIG$sig: nothing is called damaged"
		[ "$cmd" != "script -D" ] || sed -i '/AUXTRACE/d' out
		same out first.txt "$cmd, SIG$sig: records that were read are printed, nothing else"
	done
done
# Its threads' names stand in a ring of their own, which may be behind the hole.
"$BPFPERF" script -F tid,cpu,time,event,trace -i whole.data | head -n 15013 >whole.txt
stopped TERM script -F tid,cpu,time,event,trace -i hole.data
same out whole.txt "stopped script -F: output is a beginning of the whole print"
"$BPFPERF" report -i first.data -o first.folded --format folded
stopped TERM report -i hole.data -o part.folded
same part.folded first.folded "stopped report -o FILE: output of stdout"

# Its output is not read.
mkfifo unread
exec 3<>unread
"$BPFPERF" script -i hole.data >unread 2>err &
bg=$!
reap $bg
ok "script into a pipe without reader: SIGTERM is sent" wait_for 60 in_hole
stop_bg TERM
is "$bg_rc" 1 "script into a pipe without reader: exit 1"
like "$(cat err)" 'the reader of stdout does not read' "script into a pipe without reader: the missing reader is reported"
exec 3>&-

# Nothing to read yet: a named pipe without a writer, and one whose writer is silent.
waits() {
	[ "$(cat "/proc/$bg/comm")" = bpfperf ] && grep -q '^State:.S' "/proc/$bg/status" &&
		[ $((0x$(sed -n 's/^SigCgt:[[:space:]]*//p' "/proc/$bg/status") & 2)) -ne 0 ]
}
mkfifo silent
nothing() { # SIGNAL ARG…
	local sig=$1

	shift
	"$BPFPERF" "$@" 2>err &
	bg=$!
	reap $bg
	ok "$*: waiting for a writer" wait_for 60 waits
	stop_bg "$sig"
	is "$bg_rc" 1 "$*: stopped with exit 1"
	like "$(cat err)" 'stopped before .* was read' "$*: the stop before reading is reported"
}
nothing INT script -i silent
nothing TERM report -i silent -o new.txt
nok "report -o new.txt of a pipe without writer: stopped, no file is made" test -e new.txt
exec 3<>silent
nothing TERM report -i silent -o new.txt
nok "report -o new.txt of a silent pipe: stopped, no file is made" test -e new.txt
echo 'a;b 3' >old.folded
nothing INT stack -i silent -o new.folded
nok "stack -o new.folded of a silent pipe: stopped, no file is made" test -e new.folded
nothing INT stack -i silent -o old.folded
is "$(cat old.folded)" 'a;b 3' "stack -o old.folded of a silent pipe: stopped, the old file is unchanged"

# A shell's job in the background begins with SIGINT ignored, and the kernel drops what comes before main(). From
# there on the signal ends it, at any moment of its start.
heeds() { # PID
	local key val name='' ignored=2

	while read -r key val; do
		case $key in
		Name:) name=$val ;;
		SigIgn:) ignored=$((0x$val & 2)) ;;
		esac
	done <"/proc/$1/status"
	[ "$name" = bpfperf ] && [ "$ignored" -eq 0 ]
}
gone() { # PID
	[ ! -e "/proc/$1/exe" ]
}
deaf=0
for i in {0..20}; do
	"$BPFPERF" trace -a -o early.txt sched:sched_switch 2>/dev/null &
	reap $!
	wait_for 60 heeds "$!" || deaf=$((deaf + 1))
	sleep "$(printf '0.%03d' $((i * 2)))"
	kill -INT $!
	wait_for 60 gone $! || deaf=$((deaf + 1))
done
is "$deaf" 0 "21 starts in the background: SIGINT ends each from main() on"
done_testing
