#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# script -F TYPE:FIELDS, and --switch-on and --switch-off of script and report: as perf has them, of events of two types.
. "$(dirname "$0")/../lib.sh"
need_root
need_built
need_cmd perf

both() { # LINES OPTION…: at least so many lines
	local least=$1

	shift
	perf script -i events.data "$@" 2>perf.err </dev/null | without_stubs >perf.txt
	"$BPFPERF" script -i events.data "$@" 2>ours.err >ours.raw || fail "script $* exits 0" "$(cat ours.err)"
	without_stubs ours.raw >ours.txt
	between "$(wc -l <perf.txt)" "$least" 1000000 "perf script prints lines of $*"
	same ours.txt perf.txt "script: as perf prints it $*"
}

cat >work.sh <<'SH'
i=0
while [ $i -lt 37 ]; do i=$((i + 1)); /bin/true; done
i=0
while [ $i -lt 60001 ]; do i=$((i + 1)); done
SH
exec=sched:sched_process_exec exit=sched:sched_process_exit
ok "perf records events of two types" perf_record -q --no-bpf-event -e "cpu-clock:u,$exec,$exit,page-faults" -F 1997 -o events.data sh work.sh

both 101 -F sw:comm,tid,ip
both 101 -F trace:comm,time,trace
both 37 -F sw:
both 101 -F trace: -F sw:comm,ip
both 101 -F sw:-cpu,-period
both 101 -F trace:+pid
both 101 -F sw:comm -F comm,tid,ip
both 101 -F comm,tid -F trace:
both 101 -F comm,tid -F sw:+time,-tid
both 101 -F sw:+pid -F -time
both 101 -F hw:comm
is "$("$BPFPERF" script -i events.data -F trace: -F sw: 2>/dev/null)" "" "script -F trace: -F sw: prints no event"
exits 2 "script -F x:comm: exit 2" "$BPFPERF" script -i events.data -F x:comm
like "$(cat err)" 'there is no such type of events; choose from hw, sw, trace, raw, break and synth$' "script -F x:comm: the types are named"
exits 2 "script -F sw:trace: exit 2" "$BPFPERF" script -i events.data -F sw:trace
like "$(cat err)" 'trace is the record of a tracepoint; give it with trace: or without a type$' "script -F sw:trace: the remedy is named"

# The program's own exec is the first event.
for how in "--switch-on $exit" "--switch-on $exit --show-on-off-events" "--switch-on $exit --switch-off $exec" \
	"--switch-on $exit --switch-off $exec --show-on-off-events" "--switch-on page-faults --switch-off $exit"; do
	# shellcheck disable=SC2086
	both 37 -F comm,tid,time,event $how
	# shellcheck disable=SC2086
	perf report --stdio -i events.data -s comm $how 2>perf.err </dev/null | grep '^ .*%' | sed 's/ *$//' >perf.txt
	# shellcheck disable=SC2086
	"$BPFPERF" report -i events.data -s comm $how 2>ours.err | grep '^ .*%' | sed 's/ *$//' >ours.txt
	between "$(wc -l <perf.txt)" 2 1000 "perf report prints rows of $how"
	same ours.txt perf.txt "report: as perf prints it $how"
done
# perf goes on behind --switch-off alone, and says that it stops.
perf script -i events.data -F comm,tid,time,event 2>perf.err </dev/null | sed "/ $exit/,\$d" >perf.txt
"$BPFPERF" script -i events.data -F comm,tid,time,event --switch-off $exit 2>ours.err >ours.txt
between "$(wc -l <perf.txt)" 3 1000000 "perf script prints lines before the first end of a program"
same ours.txt perf.txt "script --switch-off alone: the lines before its event"
for command in script report; do
	exits 2 "$command --switch-on of no event: exit 2" "$BPFPERF" $command -i events.data --switch-on nope
	like "$(cat err)" '^bpfperf: error: --switch-on nope: events\.data has no such event; report --stats prints the names of its events$' \
		"$command --switch-on of no event: the remedy is named"
	exits 2 "$command --show-on-off-events alone: exit 2" "$BPFPERF" $command -i events.data --show-on-off-events
	like "$(cat err)" '^bpfperf: error: --show-on-off-events is for --switch-on and --switch-off; give one of them, or omit it$' \
		"$command --show-on-off-events alone: the remedy is named"
done
done_testing
