#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Options that do not go together: each pair is refused, in its sentence, before anything is done.
. "$(dirname "$0")/../lib.sh"
need_built

tested=()
refused() { # SENTENCE ARG…
	local sentence=$1

	shift
	tested+=("$sentence")
	exits 2 "bpfperf $*: exit 2" "$BPFPERF" "$@" </dev/null
	is "$(cat out err)" "bpfperf: error: $sentence" "bpfperf $*: $sentence"
}

# A file's own trace is decoded, not its records.
refused '-D prints the records of a recording, --itrace makes samples of its trace; omit one of them' script -D --itrace=b

refused '--binary is for --format autofdo and bolt; --dsos selects samples for the others' script --binary true
refused '--call-trace, the other options of traces and --itrace choose what is made of a trace; give one of them' script --call-trace --itrace=b
refused '--call-ret-trace, the other options of traces and --itrace choose what is made of a trace; give one of them' \
	script --insn-trace --call-ret-trace
for field in ipc metric disasm brstackdisasm; do
	exits 2 "script -F $field of perf: exit 2" "$BPFPERF" script -F "ip,$field"
	like "$(cat err)" "^bpfperf: error: -F $field: not printed: .*[a-z]$" "script -F $field of perf: the message says where the same is found"
done
refused '--full-source-path is for -F srcline; add it, or omit --full-source-path' script --full-source-path -F ip
refused '--stop-bt is for --format text; --format json has all fields' script --stop-bt main --format json
refused '--per-event-dump is for --format text; --format json has all fields' script --per-event-dump --format json
refused '--per-event-dump writes the samples of each event to a file of its own; omit -o' script --per-event-dump -o x.txt
refused '--per-event-dump writes the samples of each event to a file of its own; omit -D' script --per-event-dump -D
refused '--graph-function is for --call-trace and --call-ret-trace; add one' script --graph-function main
refused '--graph-function is for --call-trace and --call-ret-trace; add one' script --graph-function main --insn-trace
refused '--show-kernel-path is for --format text; --format json has all fields' script --show-kernel-path --format json
refused '--max-blocks is for -F brstackinsn; add it, or omit --max-blocks' script --max-blocks 3
refused '-F srcline,ip,-ip: give a list of fields, or fields with + or - before each to change the default' script -F srcline,ip,-ip
refused '-F +srcline,-ip: srcline is the line of ip; add ip' script -F +srcline,-ip

# If several rules are violated, the first one is reported.
often='-F and -c both set how often samples are taken; give one'
refused "$often" record -F 99 -c 7 -- true
refused "$often" record -F 99 -c 7 -a -p 1 -- true
all='-a is all tasks, and -p, -t and -u choose some of them; give one'
refused "$all" record -a -p 1
refused "$all" record -a -t 1
refused "$all" record -a -u 0
users='-u is all tasks of a user, and -p and -t choose single ones; give one'
refused "$users" record -u 0 -p 1
refused "$users" record -u 0 -t 1
cgroups='-G is for whole control groups; omit -p, -t, -u and --per-thread'
refused "$cgroups" record -G / -p 1
refused "$cgroups" record -G / -t 1
refused "$cgroups" record -G / -u 0
refused "$cgroups" record -G / --per-thread -- true
threads='--per-thread needs threads: -p, -t, -u or CMD, without -a'
refused "$threads" record --per-thread
refused "$threads" record --per-thread -a -- true
files='--overwrite, --switch-output and --timestamp-filename write files; give -o FILE'
refused "$files" record --overwrite -o - -- true
refused "$files" record --switch-output=1s -o - -- true
renamed='--overwrite and --switch-output rename the files that they write, and -o names a device or a pipe; give -o FILE'
refused "$renamed" record --overwrite -o /dev/null -- true
refused "$renamed" record --switch-output=1s -o /dev/null -- true
refused "$files" record --timestamp-filename -o - -- true
refused "$files" record --switch-output-event=cs -o - -- true
refused '--switch-max-files limits the files of --switch-output; give both' record --switch-max-files 3 -- true
refused '--user-callchains and --kernel-callchains choose among callchains; give -g' record --user-callchains -- true
refused '--user-callchains and --kernel-callchains exclude each other; give one' \
	record -g --user-callchains --kernel-callchains -- true
refused '-D -1 begins when --control says enable; give --control' record -D -1 -- true
refused '--all-user and --all-kernel exclude each other; give one' record --all-user --all-kernel -- true
refused '-S is for AUX areas, --overwrite for rings; give one' record -S --overwrite -- true
refused '--aux-sample takes the newest bytes at each sample, -S on SIGUSR2; give one' record --aux-sample -S -- true
refused 'aux-sample-size=N of an event is for --aux-sample; give it, too' record -e cpu-clock/aux-sample-size=8192/ -- true
refused 'stack-size=N of an event is for copies of stacks; give it call-graph=dwarf, too' record -e cpu-clock/stack-size=8192/ -- true
refused 'stack-size=N of an event is for copies of stacks; give it call-graph=dwarf, too' record --call-graph dwarf -e cpu-clock/call-graph=fp,stack-size=8192/ -- true
refused '--per-thread is for threads without their children; omit inherit of the event' record --per-thread -p 1 -e cpu-clock/inherit/
refused '--group makes one group of all events, and some are in braces; omit either' record --group -e '{cpu-clock,cs}' -- true
refused '-S asks for more than the AUX area holds; raise -m ,PAGES' record -S1048576 -m ,1 -- true
binary='-o - writes binary data, and stdout is a terminal; give a pipe'
tested+=("$binary")
if command -v script >/dev/null; then
	exits 2 "record -o - to a terminal: exit 2" script -qec "'$BPFPERF' record -o - -- true" typed
	like "$(cat out)" "$binary" "record -o - to a terminal: the message names a pipe"
else
	skip_test "record -o - to a terminal" "script is not installed"
fi

refused '-j and -x are two formats; give one' stat -j -x , -- true
refused '--group makes one group of the events of -e; give -e' stat --group -- true
refused '--group makes one group of all events, and some are in braces; omit either' stat --group -e '{cpu-clock,cs}' -- true
refused '--summary adds up the intervals of -I; give -I' stat --summary -- true
refused '--no-csv-summary changes --summary; give --summary' stat -I 100 --no-csv-summary -- true
refused '-r runs a command again; give CMD' stat -r 3
refused '-r and -I cannot be combined; -r shows the mean of whole runs' stat -r 3 -I 100 -- true
refused '--interval-count counts the intervals of -I; give -I' stat --interval-count 3 -- true
refused '--per-thread shows threads that exist at the start; add -p, -t, -u or -a' stat --per-thread -- true
twice='-A, --per-thread, --per-socket, --per-die, --per-cluster, --per-core, --per-cache and --per-node split a count in different ways; give one'
refused "$twice" stat -a -A --per-core -- true
refused "$twice" stat -a --per-thread --per-node -- true
cpus='-A splits counts by CPU, and counts of tasks are not by CPU; add -a or -C'
refused "$cpus" stat -A -- true
refused "$cpus" stat -A -p 1
refused "$cpus" stat -A -u 0
for place in socket die cluster core cache node; do
	refused 'sockets, dies, clusters, cores, caches and nodes split counts of CPUs, not of tasks; add -a or -C' stat --per-$place -- true
done
all='-a is all tasks, and -p, -t and -u choose some of them; give one'
refused "$all" stat -a -p 1
refused "$all" stat -a -t 1
refused "$all" stat -a -u 0
users='-u is all tasks of a user, and -p and -t choose single ones; give one'
refused "$users" stat -u 0 -p 1
refused "$users" stat -u 0 -t 1
cgroups='-G is for whole control groups; omit -p, -t, -u and --per-thread'
refused "$cgroups" stat -G / -p 1
refused "$cgroups" stat -G / -t 1
refused "$cgroups" stat -G / -u 0
refused "$cgroups" stat -G / --per-thread
refused '--append adds to the file of -o; give -o' stat --append -- true
refused '--log-fd and -o are two places to write to; give one' stat --log-fd 2 -o x -- true
fit='--fit runs a command again for each set of events; give CMD, and no -I'
refused "$fit" stat --fit
refused "$fit" stat --fit -I 100 -- true
refused '--metric-only shows metrics of counts, and -n counts nothing; omit one' stat --metric-only -n -- true
refused '--td-level limits --topdown; give --topdown, too' stat --td-level 1 -- true
refused '--metric-file has metrics for -M; give -M with their names' stat --metric-file x.json -- true
refused '-M and --topdown need counts, and -n counts nothing; omit one' stat -M x -n -- true
refused '-M and --topdown need counts, and -n counts nothing; omit one' stat --topdown -n -- true
refused '--to sends counts, not metrics of -M and --topdown; send their events, by -e' stat -M x -I 100 --to http://localhost:1
refused '--table shows the runs of -r; give -r N' stat --table -- true
refused '--table is text; omit it, or -j and -x' stat --table -r 3 -j -- true
refused '-D -1 begins when --control says enable; give --control' stat -D -1 -- true
refused '--all-user and --all-kernel exclude each other; give one' stat --all-user --all-kernel -- true
refused '-r runs a command again; give CMD' stat -r 0
refused '-r and -I cannot be combined; -r shows the mean of whole runs' stat -r 0 -I 100 -- true
refused '--for-each-cgroup names the control groups of all events; omit -G' stat --for-each-cgroup a -G b -- true
groups='a list of control groups cannot be combined with --fit, --metric-only and --to; give one group with -G'
refused "$groups" stat --for-each-cgroup a,b --fit -- true
refused "$groups" stat -G a,b --metric-only -- true
refused "$groups" stat -G a,b -I 100 --to http://localhost:1
refused '--timeout is --duration in milliseconds; give one' stat --timeout 5 --duration 5 -- true

user='--as-user chooses the user that CMD runs as; give CMD after --'
for command in stack stat record; do
	refused "$user" "$command" --as-user=root
done
refused '-s and -F both choose the columns; give one' report -s comm -F comm
shown='-w, --show-cpu-utilization, --group-sort-idx, --no-skip-empty, --symbol-filter, --ignore-callees, -T and -v are for the lines of perf report; omit --format, or give --stdio'
for option in '-w 3' --show-cpu-utilization '--group-sort-idx 1' --no-skip-empty '--symbol-filter x' -T '--ignore-callees x' -v; do
	# shellcheck disable=SC2086
	refused "$shown" report $option --format tree
done
levels='--hierarchy has a level for each key, as wide as its names; omit -w, --symbol-filter and numbers among the keys'
refused "$levels" report -H -w 3
refused "$levels" report -H --symbol-filter x
refused "$levels" report -H -s comm,sample
refused '--symbol-filter chooses lines by their functions; give -s sym, too' report --symbol-filter x -s comm
exits 2 "report --branch-history of perf: exit 2" "$BPFPERF" report --branch-history
like "$(cat err)" "^bpfperf: error: --branch-history: [a-z-][^:]*[a-z]$" "report --branch-history of perf: the message says where it is found"
refused '--total-cycles is for the lines of perf report; omit --format, or give --stdio' report --total-cycles --format tree
blocks='--total-cycles has columns of its own, of blocks of code; omit options of keys, columns and callchains'
for option in '-s comm' '-F sample' '-t,' -n -v '-w 3' -H --group --mem-mode '-p x' -U -g --children --max-stack=3 --inline; do
	# shellcheck disable=SC2086
	refused "$blocks" report --total-cycles $option
done
refused '--skip-empty omits events without samples, --no-skip-empty prints them; give one' report --skip-empty --no-skip-empty
refused '--mem-mode sums up accesses of memory, -b branches; give one of them' report -b --mem-mode
own='--hierarchy and --mem-mode have the share of each function itself, as in perf; omit --children'
refused "$own" report --mem-mode --children
lines='--hierarchy, --mem-mode, --group, --no-group, -U, -p, -t and --time-quantum are for the lines of perf report; omit --format, or give --stdio'
refused "$lines" report --mem-mode --format tree
refused '-x is for -p, which tells what a parent is; give both' report -x
for option in -b --mem-mode; do
	refused '-v has the addresses of samples, not of branches and data; script prints those; omit -v' report --verbose $option
done
refused '-U is for samples, and -b sums up branches; omit one of them' report -U -b
refused "$lines" report -U --format tree
refused '--header is for --format text; --format json has all fields' script --header --format json
refused '--header-only is for --format text; --format json has all fields' script --header-only --format json
for key in branch srcline; do
	refused '-g: callchains are told apart by their functions, or by address; omit branch and srcline, and give -g address for lines, -b for branches' \
		report -g graph,0.5,caller,$key,percent
done
refused '-g 0: a second number is how many branches of a function are printed, 1 or more' report -g 0.5,0
refused '-g x: choose from graph, fractal, flat, folded or none, caller or callee, percent, period or count, function or address, and give the smallest percentage' \
	report -g x
facts='--stats, --tasks, --mmaps and --header-only print something else each; give one'
refused '--hierarchy has a level for each key of -s; give -s KEYS in place of -F' report --hierarchy -F comm
refused "$own" report -H --children
refused "$lines" report -H -o x.html
refused '-I is for the head of a report; give --header or --header-only, too' report -I
refused '-I is for the head of the text; give --header or --header-only, too' script --show-info
alone='--stats, --tasks, --mmaps and --header-only print no samples, and -T prints counts behind these; omit one of them'
refused "$alone" report -T --stats
refused "$alone" report --threads --header-only
refused "$facts" report --stats --tasks
refused "$facts" report --mmaps --stats
refused "$facts" report --tasks --header-only
refused "$facts" report --mmaps --header-only
refused '-b is for the lines of perf report; omit --format, or give --stdio; script --format autofdo has branches, too' \
	report -b --format tree
refused '-b sums up branches, and callchains are those of samples; omit options of callchains' report -b -g caller
refused '-b sums up branches, and callchains are those of samples; omit options of callchains' report -b --children
refused '-b sums up branches, and callchains are those of samples; omit options of callchains' report -b --ignore-callees x
refused '--group puts events side by side, --no-group one after the other; give one' report --group --no-group
refused "$lines" report --group --format tree
refused "$lines" report --no-group -o x.json
refused "$lines" report -p main --format tree
refused "$lines" report -t , -o x.json
refused "$lines" report --time-quantum 5ms --format folded
refused '--raw-dump prints names alone; omit -j and --pmu' list --raw-dump -j
for command in doctor explain list report script; do
	refused "$command runs no command; omit -- before true" $command -- true
done

refused "--annotate prints one function; options of the report's lines and of its formats are of no use to it: omit them" \
	report --annotate f -s sym
refused "--annotate prints one function; options of the report's lines and of its formats are of no use to it: omit them" \
	report --annotate f --mmaps
refused "--annotate prints one function; options of the report's lines and of its formats are of no use to it: omit them" \
	report --annotate f -T
refused "--annotate prints one function; options of the report's lines and of its formats are of no use to it: omit them" \
	report --annotate f -H
refused "--annotate prints one function; options of the report's lines and of its formats are of no use to it: omit them" \
	report --annotate f -p main
refused "--annotate prints one function; options of the report's lines and of its formats are of no use to it: omit them" \
	report --annotate f --by thread
refused '--annotate prints text, or goes into the page of a flame graph; omit --format, or give -o FILE.html' \
	report --annotate f -o x.json

refused '--from EVENT needs --to EVENT, with which the time ends' latency --from sched:sched_switch
refused '--to EVENT needs --from EVENT, with which the time begins' latency --to sched:sched_switch
refused '--key joins the events of --from and --to; give them' latency syscalls --key fd
refused '-g adds stacks to durations as records; give --each or --min-us, too' latency syscalls -g
for option in -a '-C 0' '--comm x' '-u 0' '-G /' --include-self '--duration 1' '--interval 1' --each '--min-us 1' \
	'--each -g' '-m 8'; do
	# shellcheck disable=SC2086 # words
	refused '-i measures in a recording; of the options of a run -p, -t, --from, --to, --key, --filter, --by, --hist, -o and --format apply' \
		latency -i x.data syscalls $option
done
refused '--spool is for --to; give --to URL' latency syscalls --spool dir
refused '--spool is for a store; give --to URL' latency --from sched:sched_wakeup --to sched:sched_switch --spool dir
refused '--to http://a takes the place of the output; omit -o, --format and --hist' latency syscalls --to http://a --hist
refused '--to pprof+http://a: Pyroscope has profiles alone; give http://HOST:4318 (OTLP) or clickhouse+http://HOST:8123' \
	latency syscalls --to pprof+http://a
refused '--to http://a: single durations are rows of a table; give clickhouse+http://HOST:8123, or omit --each and --min-us' \
	latency syscalls --min-us 5 --to http://a
refused '--to http://a: a stack is no attribute; omit -g, and stack of --by' latency syscalls --by stack --to http://a
refused '--to URL is given twice; one run measures one pair of them' latency syscalls --to http://a --to http://b
refused '--to http://a takes the intervals of a live run; omit -i' latency -i x.data syscalls --to http://a

refused '-a opens all events for CPUs; give them with -e, without --cpu-event' explain --pmu skl -a --cpu-event cycles -e cycles
refused '--sibling-busy is how long the other thread counts what --sibling, --sibling-other and --sibling-offcore say; give one of them' \
	explain --pmu skl --sibling-busy 50 -e cycles
refused '--burst-ms is the time that a sleeping task runs at once; give --busy, too' explain --pmu skl --burst-ms 5 -e cycles

refused '-c counts without lines, and -C prints both; omit one' strace -c -C -- true
refused '-z prints calls that succeed, and -Z those that fail; omit both to print all' strace -z -Z -- true
refused '-S sorts the table of -c; add -c' strace -S name -- true
refused '-U chooses columns of -c; add -c' strace -U name -- true

terminal='--top needs a terminal as stdout; elsewhere give -o FILE and no --top'
refused "$terminal" stack --top
refused '--top --weight adds up the counts of one event, and several events count different things; give one -e, or no --weight' \
	stack --top --weight -e cpu-clock,page-faults
refused '--top --latency adds up the weights of one event, and several events count different things; give one -e' \
	stack --top --latency -e cpu-clock,page-faults
refused '--by: the split of stacks was fixed when the profile was recorded; give -i without it' \
	stack -i x.json --by cpu
refused '--per-thread: the split of stacks was fixed when the profile was recorded; give -i without it' \
	stack -i x.json --per-thread
refused '--per-thread is --by thread; give one of the two' stack --per-thread --by cpu -- true
saved='-i shows the content of a saved profile; it cannot be combined with events, -F, -c, --off-cpu, --latency or CMD'
refused "$saved" stack -i x.json -F 99
refused "$saved" stack -i x.json -e cpu-clock
refused "$saved" stack -i x.json --off-cpu
refused "$saved" stack -i x.json -- true
refused "$saved" stack -i x.json -F 99 -c 7
chosen='-i shows a saved profile as it was recorded: targets (-p, -C, --comm), duration and stacks (--user, --max-depth, --no-inline) are chosen when sampling; give -i without these options'
for choice in '--min-us 5' '--max-us 5' -a '-C 0' '-p 1' '-t 1' '--comm x' '-u 0' '-G /' --include-self '--duration 1' --user --kernel \
	'--max-depth 7' '--unwind fp' --no-inline --no-demangle; do
	# shellcheck disable=SC2086 # a word or two
	refused "$chosen" stack -i x.json $choice
done
refused '--top shows live samples on stdout; it cannot be combined with -i, or with --format without -o FILE' stack --top -i x.json
refused '--flat is --format flat; give one of the two' stack --flat --format tree -- true
refused 'give either -F or -c, not both' stack -F 99 -c 7 -- true
refused '--min-us and --max-us restrict time off the CPU; give --off-cpu, too' stack --min-us 5 -- true
for other in --off-cpu --wakers; do
	refused '--latency divides time on the CPU among the threads that run, and time off the CPU is divided among none; give --latency or --off-cpu' \
		stack --latency $other -- true
done
refused '--latency counts the weights of samples as --weight does; omit --weight' stack --latency --weight -- true
refused "$saved" stack -i x.json --latency

if [ -r "$TRACEFS/events" ]; then
	event=sched:sched_switch
	for opts in '--max-events 7' '--counters page-faults' '--overwrite' '-c 7' '--budget 200K'; do
		# shellcheck disable=SC2086 # words
		refused "${opts%% *} applies to records, and --count, --sum, --hist and --by send no records; omit one" \
			trace $opts --count $event
	done
	refused '-g applies to records, and --count, --sum, --hist and --by send no records; omit -g, or count --by stack' \
		trace -g --by cpu $event
	refused "$user" trace --as-user=root $event
	refused '--trigger is for a flight recorder; add --overwrite' trace --trigger $event $event
	refused '-c drops records before a trigger sees them; omit -c or --trigger' \
		trace -c 7 --overwrite --trigger $event $event
	refused '--per-thread counts by tid; add tid to the list of --by, and omit --per-thread' \
		trace --per-thread --by comm $event
	refused '--counters-by needs --counters EVENT,..., such as --counters page-faults' trace --counters-by task $event
	refused '--counter-interval needs --counters EVENT,..., such as --counters page-faults' \
		trace --counter-interval 100 $event
else
	skip_test "contradictions of trace: refused in one sentence" "tracefs cannot be read"
fi
# Prints the sentences of the rules in the commands' tables.
sentences() {
	for file in "$TOP"/src/cmd/*_opts.c; do
		gcc -E -P -D_GNU_SOURCE -I"$TOP/src" -I"$TOP" -I"$O/gen" "$file"
	done | python3 -c '
import re, sys
for table in re.findall(r"struct opt_rule \w+\[\] = \{(.*?)\n?\};", sys.stdin.read(), re.S):
    text = r"(\"(?:\\\\.|[^\"])*\"\s*)+"
    for rule in re.finditer(r"\{\s*" + text + r",\s*(?:" + text + r"|[^,\"]*),\s*(?P<sentence>" + text + r")\}", table):
        print("".join(re.findall(r"\"((?:\\\\.|[^\"])*)\"", rule.group("sentence"))))'
}

# Stores.
url=http://127.0.0.1:1
interval='--diff compares one profile; give it without --every and --to'
refused "$interval" stack --diff x.folded --every 1s -o p-%t.folded
refused "$interval" stack --diff x.folded --to $url
refused '--metrics shows the state of a run that goes on; give --every or --to' stack --metrics m
refused '--spool is for --to; give --to URL' stat --spool x -- true
spool='--spool, --spool-size and --symbols are for --to; give --to URL'
refused "$spool" stack --spool x
refused "$spool" stack --spool-size 1
refused "$spool" stack --symbols none
counts='--to sends counts in place of printing them; give it without a format and a file'
refused "$counts" stat -I 100 --to $url -x ,
refused "$counts" stat -I 100 --to $url -o x
refused '--to sends the counts of each interval; give -I MS, too' stat --to $url -- true
refused '--top shows one profile, --to sends intervals; give one of the two' stack --top --to $url
refused '--top shows one profile, --every makes many; give one of the two' stack --top --every 1s
refused '--top shows functions of all kinds; omit --kinds, or --top' stack --top --kinds python
refused '--kinds chooses functions of a profile, and --format perf is a recording with all of them; give --kinds to the stack -i or report that shows it' \
	stack --kinds python -o x.data
profiles='--by and --kinds are for profiles, and --format stdio has the lines of perf report; give --format tree, flat or another, too'
refused "$profiles" report --kinds python
refused "$profiles" report --by process --stdio
refused "$profiles" report --kinds python -o x.txt
refused "--kinds: 'php' is no kind of functions; choose from: native inlined jit python ruby kernel" stack --kinds python,php
messages="--to sends the messages of its store; give files by another run: -o 'p-%t.pb.gz' --every 10s"
refused "$messages" stack --every 1s --to $url -o x
refused "$messages" stack --to $url --flat
saved='-i shows a saved profile, which has no intervals'
refused "$saved" stack -i x --every 1s
refused "$saved" stack -i x --to $url

# A rule that is added to a table has its sentence above.
if [ ! -r "$TRACEFS/events" ] || ! command -v gcc python3 >/dev/null; then
	skip_test "each rule of the tables has a test" "tracefs, gcc or python3 is missing"
else
	mapfile -t rules < <(sentences | sort -u)
	between ${#rules[@]} 20 200 "the tables of the commands have rules"
	is "$(printf '%s\n' "${tested[@]}" | sort -u | comm -13 - <(printf '%s\n' "${rules[@]}"))" "" \
		"each rule of the tables has a test"
fi
is "$(find . -type f ! -name out ! -name err ! -name typed)" "" "nothing was written"
done_testing
