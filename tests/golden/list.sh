#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# What `bpfperf list` prints. What can be done with an event differs from machine to
# machine, so it is names, kinds and the shape of lines that are compared.
. "$(dirname "$0")/../lib.sh"
need_built

names() {
	awk '{ print $1 }' "$@"
}

# Lines of out that are not of the form NAME KIND CAN.
misshapen() {
	grep -vE '^[^ ]+ +(tracepoint|software|hardware|cache|raw|tool|pmu) +(-|(trace ?)?(count ?)?(sample)?)$' out
}

exits 0 "list software" "$BPFPERF" list software
cat >want <<'EOF'
alignment-faults
bpf-output
cgroup-switches
context-switches
cs
cpu-clock
cpu-migrations
migrations
dummy
emulation-faults
major-faults
minor-faults
page-faults
faults
task-clock
EOF
names out >got
same got want "has every software event by each of its names"
is "$(grep -c '^cpu-clock  *software  *count sample$' out)" 1 "the clock can be counted and sampled"
is "$(grep -c '^dummy  *software  *-$' out)" 1 "the dummy is good for nothing"
is "$(misshapen)" "" "lines have three columns"
"$BPFPERF" list sw | cmp -s - out
is $? 0 "sw is short for software"

exits 0 "list hw cache raw" "$BPFPERF" list hw cache raw
is "$(wc -l <out)" 47 "14 names of hardware events, 32 of cache events, rNNN"
is "$(misshapen)" "" "lines have three columns"
like "$(names out | tr '\n' ' ')" ' cpu-cycles cycles instructions .* LLC-load-misses .* rNNN ' "among them"

exits 0 "list cycles" "$BPFPERF" list cycles
is "$(names out | head -n 3 | tr '\n' ' ')" "bus-cycles cpu-cycles cycles " "a word is a part of the name"
exits 0 "list 'cpu-c*'" "$BPFPERF" list 'cpu-c*'
is "$(names out | tr '\n' ' ')" "cpu-cycles cpu-clock " "a pattern is the whole name"
exits 0 "list cs faults" "$BPFPERF" list 'c[s]' 'fault?'
is "$(names out | tr '\n' ' ')" "cs faults " "several"

for pmu in /sys/bus/event_source/devices/*/events; do
	[ -d "$pmu" ] || continue
	(cd "$pmu" && ls) | grep -vE '\.(scale|unit|per-pkg|snapshot)$' |
		sed "s|.*|$(basename "$(dirname "$pmu")")/&/|"
done | sort >want
if [ -s want ]; then
	exits 0 "list pmu" "$BPFPERF" list pmu
	names out | sort >got
	same got want "has the events of sysfs"
else
	skip_test "list pmu" "no PMU names its events here"
fi

exits 0 "list --json sw hw" "$BPFPERF" list --json sw hw
"$BPFPERF" list sw hw >text
python3 - out >got <<'EOF'
import json, sys
for line in open(sys.argv[1]):
    o = json.loads(line)
    assert list(o) == ["name", "kind", "can"], o
    print(o["name"], o["kind"], " ".join(o["can"]) or "-")
EOF
tr -s ' ' <text >want
same got want "says the same as the text"

exits 2 "what is not there is a mistake of usage" "$BPFPERF" list cycels
is "$(cat out)" "" "nothing is listed"
like "$(cat err)" "no event is called 'cycels'; did you mean cycles\\?" "the nearest is named"
exits 2 "one of two is not there" "$BPFPERF" list cs nosuchevent
is "$(names out | head -n 1)" "cs" "the other is listed"
exits 2 "an option that is not there" "$BPFPERF" list --nonsense
"$BPFPERF" list sw >/dev/full 2>err
is $? 1 "a full disk is a failure"
like "$(cat err)" "No space left" "and told"
"$BPFPERF" list sw hw cache 2>err | head -n 1 >out
is "${PIPESTATUS[0]}" 0 "a closed pipe is none"
is "$(cat err)" "" "and not told"
"$BPFPERF" list sw >&- 2>err
is "$? $(grep -c '' err)" "1 1" "a stdout that was closed is one, told in a sentence"

if command -v script >/dev/null; then
	script -qc "'$BPFPERF' list sw hw" /dev/null | tr -d '\r' >typed
	is "$(grep ':$' typed | tr '\n' '|')" "Hardware events:|Software events:|" "headings on a terminal"
	"$BPFPERF" list sw hw >out
	is "$(grep -c ':$' out)" 0 "and nowhere else"
else
	skip_test "headings on a terminal" "script is not installed"
fi

if [ -r "$TRACEFS/events" ]; then
	exits 0 "list 'sched:*'" "$BPFPERF" list 'sched:*'
	find "$TRACEFS/events/sched" -mindepth 1 -maxdepth 1 -type d -printf 'sched:%f\n' | sort >want
	names out >got
	same got want "has the tracepoints of sched"
	is "$(misshapen)" "" "lines have three columns"
	exits 2 "list 'shed:*'" "$BPFPERF" list 'shed:*'
	like "$(cat err)" "did you mean sched:\\*\\?" "the nearest system is named"
	exits 0 "list tracepoint" "$BPFPERF" list tracepoint
	sort "$TRACEFS/available_events" >want
	names out | sort >got
	same got want "has all tracepoints"
	"$BPFPERF" list >out 2>err
	is $? 0 "all of it"
	is "$(wc -l <out)" $(($(wc -l <got) + $("$BPFPERF" list sw hw cache raw tool | wc -l) + \
		$("$BPFPERF" list pmu 2>/dev/null | wc -l))) "is the sum of its kinds"
	is "$(cat err)" "" "without a word"
else
	skip_test "tracepoints" "tracefs cannot be read"
fi

# As nobody, where this is root; else as whoever this is.
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null && [ "$(stat -c %a "$TRACEFS" 2>/dev/null)" = 700 ]; then
	chmod 755 "$TMP"
	cp "$BPFPERF" nobodys
	nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups ./nobodys)
	exits 0 "without rights, what can be listed is" "${nobody[@]}" list
	is "$(grep -c tracepoints err)" 1 "the tracepoints are said to be missing, once"
	is "$(names out | grep -cx 'cpu-clock')" 1 "the clock is there"
	exits 1 "asked for tracepoints, it cannot answer" "${nobody[@]}" list 'sched:*'
	like "$(cat err)" "need root" "and says why"
	exits 0 "kinds that need no tracefs" "${nobody[@]}" list hw sw
	is "$(cat err)" "" "are listed without a word"
else
	skip_test "without rights" "needs root, setpriv and a tracefs that is root's alone"
fi
done_testing
