#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# record's options: each changes the events' attrs as perf record's does, by perf evlist -v of both recordings; what the
# options without an attr do; each option of perf record is there, or its absence has a reason.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd perf python3

cat >work.sh <<'END'
i=0
while [ $i -lt 100 ]; do i=$((i + 1)); /bin/true; done
END
# The attrs are in the header: any command will do.
attrs() { # OUT, then a recorder and its options
	local out=$1

	shift
	# Again where it does not survive what others bring about.
	[ "$1" != perf ] || set -- perf_record "${@:3}"
	"$@" -q -o attrs.data -- true >record.out 2>&1 || diag "$*: $(head -n 3 record.out)"
	perf evlist -v -i attrs.data >"$out" 2>/dev/null
}
# The attrs of options to which others are added, recorded once: the file plain. The kernel may lower the frequency that it
# allows meanwhile.
declare -A bases=()
attrs_of_base() { # a recorder and its options
	local key base

	key="$* $(</proc/sys/kernel/perf_event_max_sample_rate)"
	base=${bases[$key]:-}
	if [ -z "$base" ]; then
		base=base.${#bases[@]}
		attrs "$base" "$@"
		bases[$key]=$base
	fi
	cp "$base" plain
}
# Compares what OPTION… adds to BASE…
same_attrs() { # BASE -- OPTION…
	local base=() options

	while [ "$1" != -- ]; do
		base+=("$1")
		shift
	done
	shift
	options=("$@")
	attrs_of_base perf record -B -N "${base[@]}"
	attrs with perf record -B -N "${base[@]}" "${options[@]}"
	python3 "$TOP/tests/live/attr_changes.py" plain with >perf.txt
	attrs_of_base "$BPFPERF" record -B "${base[@]}"
	attrs with "$BPFPERF" record -B "${base[@]}" "${options[@]}"
	python3 "$TOP/tests/live/attr_changes.py" plain with >ours.txt
	same ours.txt perf.txt "record ${options[*]}: the attrs change as perf's"
}

clock=(-e cpu-clock:u)
for option in -I --intr-regs=ip,sp,ax --user-regs=r8,ip -R -s -d -W --phys-data --transaction -P --sample-cpu --data-page-size \
	--code-page-size "-k mono" --no-bpf-event --all-cgroups --namespaces --switch-events "-c 100003" "-F 997"; do
	# shellcheck disable=SC2086
	same_attrs "${clock[@]}" -- $option
	case $option in
	-I | --intr-regs* | --user-regs* | -R | -s | -d | -W | --phys* | --sample-cpu | --data* | --code* | "-k mono" | --switch*)
		ok "record $option: there is a change" test -s ours.txt
		;;
	esac
done
same_attrs -g "${clock[@]}" -- --user-callchains
ok "record --user-callchains: there is a change" test -s ours.txt
same_attrs -g --call-graph fp -e cpu-clock -- --kernel-callchains
ok "record --kernel-callchains: there is a change" test -s ours.txt
same_attrs -e '{cpu-clock,page-faults}:S' -- --running-time
same_attrs -e cpu-clock:u,page-faults:u -- --group
ok "record --group: there is a change" test -s ours.txt

# Terms of an event, beside the event without them.
same_terms() { # EVENT TERMS OPTION…
	local event=$1 terms=$2 tool out

	shift 2
	for tool in perf "$BPFPERF"; do
		attrs_of_base "$tool" record -B "$@" -e "$event"
		attrs with "$tool" record -B "$@" -e "$event/$terms/"
		# The dummy has the records of processes, which are of no event's term.
		sed -i '/^dummy/ { s/sample_type: [^,]*, //; s/inherit: 1, // }' plain with
		out=perf.txt
		[ "$tool" = perf ] || out=ours.txt
		python3 "$TOP/tests/live/attr_changes.py" plain with >"$out"
	done
	same ours.txt perf.txt "record ${*:+$* }-e $event/$terms/: the attrs change as perf's"
	ok "record ${*:+$* }-e $event/$terms/: there is a change" test -s ours.txt
}
for terms in call-graph=fp call-graph=dwarf call-graph=dwarf,stack-size=1019 max-stack=3 call-graph=fp,max-stack=7 time=0 no-inherit; do
	same_terms cpu-clock name=cpu-clock,$terms
done
same_terms cpu-clock name=cpu-clock,call-graph=no --call-graph fp
same_terms cpu-clock name=cpu-clock,inherit -i
same_terms sched:sched_process_exit call-graph=fp,max-stack=5,no-inherit

same_attrs "${clock[@]}" -- --call-graph dwarf,65528
ok "record --call-graph dwarf,65528: there is a change" test -s ours.txt

for run in stat trace stack; do
	"$BPFPERF" $run -o terms.txt -e sched:sched_process_exit/max-stack=3/ -- true >out 2>err
	like "$(cat err)" 'sched_process_exit.*: the terms .*max-stack.* in record only' \
		"$run of an event with max-stack: that it has no effect is said"
	"$BPFPERF" $run -o terms.txt -e sched:sched_process_exit/period=3/ -- true >out 2>err
	unlike "$(cat err)" 'in record only' "$run of an event with a period: no warning"
done
"$BPFPERF" record -q -g -o terms.data -e cpu-clock/name=bare,call-graph=no/ -e cpu-clock/name=deep,call-graph=dwarf,stack-size=16384/ \
	-e cpu-clock/name=flat,max-stack=2,time=0/ -- "$WORKLOADS/spin" 0.2 >/dev/null
for tool in perf "$BPFPERF"; do
	"$tool" script -i terms.data -F event,ip,sym,dso 2>/dev/null | sed -E 's/^ +//; s/ +$//' >"graphs.${tool##*/}"
done
python3 "$TOP/tests/live/ended_early.py" graphs.perf graphs.bpfperf >early.txt
for tool in perf bpfperf; do
	awk '/^(bare|deep|flat):/ { name = $1; next } NF { depth[name]++ } END { for (n in depth) print n, depth[n] }' "graphs.$tool" |
		sort >"depth.$tool"
done
same depth.bpfperf depth.perf "record -g with three events of other call graphs: perf finds the frames that bpfperf finds"

# Options that ask for what is done anyway, or for the placement of perf's threads.
for option in -N --no-buildid-cache --sample-identifier --exclude-perf --buildid-all --buildid-mmap --timestamp-boundary \
	--tail-synthesize --threads --aio=2 "--affinity cpu" "--mmap-flush 64K" "--num-thread-synthesize 2" \
	"--proc-map-timeout 500" --debuginfod "--vmlinux none"; do
	# shellcheck disable=SC2086
	exits 0 "record $option: exit 0" "$BPFPERF" record -q $option -e cpu-clock:u -o some.data -- true
	isnt "$("$BPFPERF" script -i some.data -D | grep -c 'PERF_RECORD_COMM .*comm=true')" 0 "record $option: a recording"
done

# Groups whose counts are read are not inherited, which is told.
"$BPFPERF" record -e '{cpu-clock,page-faults}:S' -o some.data -- true 2>err
is "$(grep -c 'groups with :S are sampled in the threads that exist at the start alone' err)" 1 "record of a group with :S: children are not followed, which is told"

# The counts of each thread, with and without samples.
"$BPFPERF" record -q -s -n -e page-faults -o counts.data -- sh work.sh 2>err
is "$("$BPFPERF" script -i counts.data | wc -l)" 0 "record -s -n: no samples"
between "$("$BPFPERF" script -D -i counts.data | grep -c 'PERF_RECORD_READ')" 100 1000 "record -s -n: counts of each thread"
# Each as perf script -D has it: the count, the times and the losses of each thread and event.
"$BPFPERF" record -q -s -e page-faults,context-switches -o counts.data -- sh work.sh 2>err
"$BPFPERF" script -D -i counts.data | sed -nE 's/.*PERF_RECORD_READ .*pid=([0-9]+) .*value=([0-9]+) time_enabled=([0-9]+) time_running=([0-9]+) id=([0-9]+) lost=([0-9]+) .*/\1 \2 \3 \4 \5 \6/p' |
	sort >ours.txt
perf script -D -i counts.data 2>/dev/null | awk '/PERF_RECORD_READ: / { sub(/.*PERF_RECORD_READ: /, ""); pid = $1; val = $NF; n = 0 }
	/^\.\.\. time enabled/ { on = $NF } /^\.\.\. time running/ { run = $NF } /^\.\.\. id  / { id = $NF }
	/^\.\.\. lost  / { print pid, val, on, run, id, $NF }' | sort >theirs.txt
between "$(wc -l <theirs.txt)" 100 10000 "record -s: perf script -D has the counts of each thread"
same ours.txt theirs.txt "script -D: counts of threads as perf script -D has them"
"$BPFPERF" record -q --switch-events -e cpu-clock -o switches.data -- sh work.sh 2>err
between "$("$BPFPERF" script -D -i switches.data | grep -c 'PERF_RECORD_SWITCH')" 100 1000000 "record --switch-events: switches"
"$BPFPERF" record -q -e cpu-clock -o none.data -- sh work.sh 2>err
is "$("$BPFPERF" script -D -i none.data | grep -c 'PERF_RECORD_SWITCH')" 0 "record without --switch-events: no switches"
"$BPFPERF" record -q --user-regs=ip,sp -e cpu-clock:u -F 997 -o regs.data -- "$WORKLOADS/spin" 0.3 2>err
perf script -i regs.data -F ip,uregs >theirs.txt 2>/dev/null
"$BPFPERF" script -i regs.data -F ip,uregs >ours.txt 2>err
same ours.txt theirs.txt "record --user-regs: registers as perf script prints them"
like "$(head -n 1 ours.txt)" 'SP:0x' "record --user-regs: the stack pointer"
exits 2 "record --user-regs of no register: exit 2" "$BPFPERF" record --user-regs=ip,nothing -- true
like "$(cat err)" 'there is no register nothing' "record --user-regs of no register: it is named"

# Control groups: those that exist, and that of each sample.
if grep -q ' - cgroup2 ' /proc/self/mountinfo; then
	"$BPFPERF" record -q --all-cgroups -e cpu-clock:u -o groups.data -- sh work.sh 2>err
	"$BPFPERF" script -D -i groups.data >dump.txt
	isnt "$(grep -c 'PERF_RECORD_CGROUP' dump.txt)" 0 "record --all-cgroups: groups that exist"
	mine=$(sed -n 's/^0:://p' /proc/self/cgroup)
	id=$(sed -nE "s|.*PERF_RECORD_CGROUP .*id=([0-9]+) path=$mine .*|\1|p" dump.txt | head -n 1)
	like "$id" '^[0-9]+$' "record --all-cgroups: ours is among them"
	isnt "$(grep -c "PERF_RECORD_SAMPLE.* cgroup=$id" dump.txt)" 0 "record --all-cgroups: samples are of it"
	is "$(grep 'PERF_RECORD_SAMPLE' dump.txt | grep -vc " cgroup=$id")" 0 "record --all-cgroups: all samples are of it"
fi

# A record at a time, which a pipe's reader has before the recorder ends.
exits 0 "record --dry-run: exit 0" "$BPFPERF" record --dry-run -o dry.data -- touch touched
ok "record --dry-run: nothing is run, and no file is written" test ! -e touched -a ! -e dry.data
exits 2 "record --strict-freq: exit 2" "$BPFPERF" record --strict-freq -F 99999999 -- true
like "$(cat err)" 'more than this kernel allows' "record --strict-freq: the limit is told"
exits 0 "record -r: exit 0" "$BPFPERF" record -q -r 7 -e cpu-clock -o rt.data -- sh -c 'chrt -p $$ >policy'
like "$(cat policy)" 'SCHED_OTHER' "record -r: the command has the usual policy"

# Files by time, and the newest alone.
"$BPFPERF" record -q --timestamp-filename -e cpu-clock -o timed.data -- true
ok "record --timestamp-filename: no file has the plain name" test ! -e timed.data
is "$(find . -name 'timed.data.*' | grep -cE '/timed\.data\.[0-9]{16}$')" 1 "record --timestamp-filename: the file's name has the time"
"$BPFPERF" record -q --switch-output=100K --switch-max-files 3 -e cpu-clock -F 20000 -o many.data -- "$WORKLOADS/spin" 3 2>err
is "$(find . -name 'many.data.*' | wc -l)" 3 "record --switch-max-files: the newest are left"
# The last one may have been begun at the end.
many=$(for f in many.data.*; do echo "$("$BPFPERF" script -i "$f" -F ip 2>&1 | grep -cE '^ *[0-9a-f]+$') samples in $(stat -c %s "$f") bytes"; done)
between "$(awk '$1 > 10' <<<"$many" | wc -l)" 2 3 "record --switch-max-files: those that are left have samples" || diag "$many" "$(cat err)"

# Another file at each event that asks for one: the first five forks are a hundredth of a second apart or more.
# shellcheck disable=SC2016 # the inner shell's
"$BPFPERF" record -q --switch-output-event=sched:sched_process_fork -e page-faults -o forks.data -- \
	sh -c 'for i in 1 2 3 4 5; do "$0" 0.1; done' "$WORKLOADS/spin" 2>err
is "$(find . -name 'forks.data.*' | wc -l)" 6 "record --switch-output-event: a file is begun at each"
is "$(for f in forks.data.*; do "$BPFPERF" script -i "$f" -F event; done | sort -u | tr -d ' :')" page-faults "record --switch-output-event: it is not recorded"

# Tasks that run already.
"$BPFPERF" record -q -a --synth no -e cpu-clock -o synth.data -- true
is "$("$BPFPERF" script -i synth.data -D | grep -c "PERF_RECORD_COMM .*pid=$$ tid=$$ ")" 0 "record --synth no: no task that ran before"
"$BPFPERF" record -q -a -e cpu-clock -o synth.data -- true
is "$("$BPFPERF" script -i synth.data -D | grep -c "PERF_RECORD_COMM .*pid=$$ tid=$$ ")" 1 "record: tasks that ran before"

# Commands, each answered: only what lies between enable and disable is recorded.
mkfifo control answers
"$BPFPERF" record -e cpu-clock:u -F 997 -k mono -D -1 --control fifo:control,answers -o controlled.data -p $$ 2>err &
recorder=$!
reap $recorder
exec 3<>control 4<>answers
tell() { # COMMAND
	local answer=

	echo "$1" >&3
	read -r -t 20 answer <&4
	is "$answer" ack "record --control: $1 is answered"
}
mono() {
	python3 -c 'import time; print(time.monotonic())'
}
busy() {
	local i

	for ((i = 0; i < 300000; i++)); do :; done
}
tell ping
busy
from=$(mono)
tell enable
busy
tell disable
to=$(mono)
busy
echo nonsense >&3
tell stop
wait $recorder
is $? 0 "record --control: stop ends it"
like "$(cat err)" 'there is no command nonsense' "record --control: an unknown command is told"
"$BPFPERF" script -i controlled.data -F time >times.txt
between "$(wc -l <times.txt)" 10 100000 "record --control: samples between enable and disable"
is "$(awk -v from="$from" -v to="$to" '$1 + 0 < from - 0.02 || $1 + 0 > to + 0.02' times.txt | wc -l)" 0 "record --control: no sample before or after"
exec 3>&- 4>&-
# Ranges of time: a sample each millisecond of CPU time, in 200 and 100 of 1200 ms.
"$BPFPERF" record -q -D 200-400,600-700 -k mono -e cpu-clock:u -c 1000000 -o ranges.data -- "$WORKLOADS/spin" 1.2 2>err
"$BPFPERF" script -i ranges.data -F time >times.txt
# Nothing is recorded between them, whenever the loop comes to run.
is "$(awk 'NR > 1 && $1 - last > gap { gap = $1 - last } { last = $1 + 0 } END { print (gap > 0.15 ? "yes" : gap) }' times.txt)" yes "record -D of two ranges: no sample between them"
between "$(wc -l <times.txt)" 2 340 "record -D of two ranges: samples are in them"
for ranges in 10-5 20-30,25-40 0-10 10- '10-20,' 10-20x 10--20; do
	exits 2 "record -D $ranges: exit 2" "$BPFPERF" record -D "$ranges" -- true
done

exits 2 "record --control of no pipe: exit 2" "$BPFPERF" record --control fifo:times.txt -- true
like "$(cat err)" 'give a named pipe' "record --control of no pipe: a sentence"
exits 2 "record --control of a closed descriptor: exit 2" "$BPFPERF" record --control fd:77 -- true

# Each option of perf record: works, or is refused with a reason.
perf record -h 2>&1 | sed -nE 's/^ +(-[A-Za-z], )?--([a-z-]+).*/\2/p' | sort -u >theirs.txt
"$BPFPERF" record --help | sed -nE 's/^ +(-[A-Za-z], )?--([a-z-]+).*/\2/p' | sort -u >ours.txt
total=$(wc -l <theirs.txt)
absent=$(comm -23 theirs.txt ours.txt)
between "$total" 60 200 "perf record has options to compare with"
for option in $absent; do
	exits 2 "record --$option: exit 2" "$BPFPERF" record "--$option" -- true
	like "$(cat err)" "record has no --$option: .{20}" "record --$option: the reason is told"
done
between "$(($(wc -w <<<"$absent") * 100))" 0 $((total * 5)) "record has 95 of 100 options of perf record"
done_testing
