#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# The output of `bpfperf list`. The use of an event differs from machine to
# machine, so it is names, kinds and the shape of lines that are compared.
. "$(dirname "$0")/../lib.sh"
need_built

names() {
	awk '{ print $1 }' "$@"
}

# Lines of out that are not of the form NAME KIND CAN.
misshapen() {
	grep -vE '^[^ ]+ +(tracepoint|software|hardware|cache|raw|tool|pmu|breakpoint) +(-|(trace ?)?(count ?)?(sample)?)$' out
}

exits 0 "list software: exit 0" "$BPFPERF" list software
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
same got want "list software: every event by each of its names"
is "$(grep -c '^cpu-clock  *software  *count sample$' out)" 1 "list software: the clock can be counted and sampled"
is "$(grep -c '^dummy  *software  *-$' out)" 1 "list software: the dummy can be neither counted nor sampled"
is "$(misshapen)" "" "list software: lines have three columns"
"$BPFPERF" list sw | cmp -s - out
is $? 0 "sw is short for software"

exits 0 "list hw cache raw: exit 0" "$BPFPERF" list hw cache raw
is "$(wc -l <out)" 47 "list hw cache raw: 14 hardware events, 32 cache events, rNNN"
is "$(misshapen)" "" "list hw cache raw: lines have three columns"
like "$(names out | tr '\n' ' ')" ' cpu-cycles cycles instructions .* LLC-load-misses .* rNNN ' "list hw cache raw: known names are among them"

exits 0 "list cycles: exit 0" "$BPFPERF" list cycles
is "$(names out | head -n 3 | tr '\n' ' ')" "bus-cycles cpu-cycles cycles " "list cycles: a word matches within names"
exits 0 "list 'cpu-c*': exit 0" "$BPFPERF" list 'cpu-c*'
is "$(names out | tr '\n' ' ')" "cpu-cycles cpu-clock " "list 'cpu-c*': a pattern matches whole names"
exits 0 "list metrics metricgroup: exit 0" "$BPFPERF" list metrics metricgroup
is "$(awk '{ print $2 }' out | sort -u | tr '\n' ' ')" "metric metricgroup " "list metrics metricgroup: nothing else"
"$BPFPERF" list 'm*' tri >out 2>err
is "$(awk '$2 ~ /^metric/' out)" "" "list 'm*' tri: metrics are listed by their own words only"
exits 2 "list 'metri*': exit 2" "$BPFPERF" list 'metri*'
exits 0 "list cs faults: exit 0" "$BPFPERF" list 'c[s]' 'fault?'
is "$(names out | tr '\n' ' ')" "cs faults " "list cs faults: both words are looked up"

for pmu in /sys/bus/event_source/devices/*/events; do
	[ -d "$pmu" ] || continue
	(cd "$pmu" && ls) | grep -vE '\.(scale|unit|per-pkg|snapshot)$' |
		sed "s|.*|$(basename "$(dirname "$pmu")")/&/|"
done | sort >want
if [ -s want ]; then
	exits 0 "list pmu: exit 0" "$BPFPERF" list pmu
	names out | sort >got
	same got want "list pmu: events of sysfs"
else
	skip_test "events of sysfs' PMUs" "no PMU names its events here"
fi

# Other CPUs' events, off those machines: every name is one that explain takes.
for model in spr zen4 graviton3 skl icx m1 adl-e; do
	exits 0 "list --pmu $model: exit 0" "$BPFPERF" list --pmu "$model"
	is "$(grep -vcE '^[a-z0-9_.:-]+ +r[0-9a-f]+ +((PMC|CNT|FIX|TD|CYC)[0-9,-]*)+$' out)" 0 "list --pmu $model: name, code and counters"
	ok "list --pmu $model: there are many" test "$(wc -l <out)" -gt 50
	is "$(names out | sort -u | wc -l)" "$(wc -l <out)" "list --pmu $model: each name once"
	refused=
	: >got
	while read -r some; do
		"$BPFPERF" explain --pmu "$model" -e "$some" >explained 2>err || refused+=" $(cat err)"
		awk '/^the counter of each/ { exit } /^[a-z0-9_.:-]+ +(PMC|CNT|FIX|TD|CYC)[^ ;]* / { print $1, $2 }' explained >>got
	done < <(names out | xargs -n 100 | tr ' ' ,)
	is "$refused" "" "list --pmu $model: explain takes each name"
	awk '{ print $1, $3 }' out >want
	same got want "list --pmu $model: explain has the same counters"
done
exits 0 "list --pmu zen4 'ls_dispatch*': exit 0" "$BPFPERF" list --pmu ZEN4 'ls_dispatch*'
like "$(head -n 1 out)" '^ls_dispatch' "list --pmu zen4 'ls_dispatch*': patterns select"
exits 0 "list --pmu rpl-e: exit 0" "$BPFPERF" list --pmu rpl-e topdown
is "$(grep -c 'names of .*Gracemont.*: those of Tremont are taken' err)" 1 "list --pmu rpl-e: names of a relative are noted, once"
exits 0 "list --pmu spr --json: exit 0" "$BPFPERF" list --pmu spr --json slots
is "$(grep '"slots"' out)" '{"name":"slots","kind":"pmu","code":"0x400","counters":"FIX3"}' "list --pmu spr --json: code and counters"
exits 2 "list --pmu of a model that does not exist: exit 2" "$BPFPERF" list --pmu zen9
like "$(cat err)" "did you mean zen" "list --pmu of a model that does not exist: the nearest name is proposed"
exits 2 "list --pmu spr of an unknown name: exit 2" "$BPFPERF" list --pmu spr mem_load_retird.l1_hit
like "$(cat err)" "did you mean MEM_LOAD_RETIRED.L1_HIT" "list --pmu spr of an unknown name: the nearest name is proposed"

exits 0 "list --json sw hw: exit 0" "$BPFPERF" list --json sw hw
"$BPFPERF" list sw hw >text
python3 - out >got <<'EOF'
import json, sys
for line in open(sys.argv[1]):
    o = json.loads(line)
    assert list(o) == ["name", "kind", "can"], o
    print(o["name"], o["kind"], " ".join(o["can"]) or "-")
EOF
tr -s ' ' <text >want
same got want "list --json sw hw: equal to the text"

exits 2 "list of an unknown name: exit 2" "$BPFPERF" list cycels
is "$(cat out)" "" "list of an unknown name: nothing is listed"
like "$(cat err)" "no event is called 'cycels'; did you mean cycles\\?" "list of an unknown name: the nearest name is proposed"
exits 2 "list of a known and an unknown name: exit 2" "$BPFPERF" list cs nosuchevent
is "$(names out | head -n 1)" "cs" "list of a known and an unknown name: the known one is listed"
exits 2 "list with an unknown option: exit 2" "$BPFPERF" list --nonsense
"$BPFPERF" list sw >/dev/full 2>err
is $? 1 "list to a full disk: exit 1"
like "$(cat err)" "No space left" "list to a full disk: the error is reported"
"$BPFPERF" list sw hw cache 2>err | head -n 1 >out
is "${PIPESTATUS[0]}" 0 "list to a closed pipe: exit 0"
is "$(cat err)" "" "list to a closed pipe: no error is reported"
"$BPFPERF" list sw >&- 2>err
is "$? $(grep -c '' err)" "1 1" "list with a closed stdout: one sentence"

if command -v script >/dev/null; then
	script -qc "'$BPFPERF' list sw hw" /dev/null | tr -d '\r' >typed
	is "$(grep ':$' typed | tr '\n' '|')" "Hardware events:|Software events:|" "list on a terminal: there are headings"
	"$BPFPERF" list sw hw >out
	is "$(grep -c ':$' out)" 0 "list to a file: there are no headings"
else
	skip_test "headings on a terminal" "script is not installed"
fi

if [ -r "$TRACEFS/events" ]; then
	exits 0 "list 'sched:*': exit 0" "$BPFPERF" list 'sched:*'
	find "$TRACEFS/events/sched" -mindepth 1 -maxdepth 1 -type d -printf 'sched:%f\n' | sort >want
	names out >got
	same got want "list 'sched:*': the tracepoints of sched"
	is "$(misshapen)" "" "list 'sched:*': lines have three columns"
	exits 2 "list 'shed:*': exit 2" "$BPFPERF" list 'shed:*'
	like "$(cat err)" "did you mean sched:\\*\\?" "list 'shed:*': the nearest system is named"
	exits 0 "list tracepoint: exit 0" "$BPFPERF" list tracepoint
	# The two of ftrace that have an id are for record, stat and perf.
	{ cat "$TRACEFS/available_events" && find "$TRACEFS"/events/ftrace/{function,print} -name id | sed -E 's|.*/(.*)/id|ftrace:\1|'; } | sort >want
	names out | sort >got
	same got want "list tracepoint: all tracepoints of tracefs"
	"$BPFPERF" list >out 2>err
	is $? 0 "list of all kinds: exit 0"
	is "$(wc -l <out)" $(($(wc -l <got) + $("$BPFPERF" list sw hw cache raw tool breakpoint | wc -l) + \
		$("$BPFPERF" list pmu 2>/dev/null | wc -l))) "list of all kinds: the sum of its kinds"
	is "$(cat err)" "" "list of all kinds: nothing on stderr"
else
	skip_test "list of tracepoints" "tracefs cannot be read"
fi

# Runs as an ordinary user if this is root.
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null && [ "$(stat -c %a "$TRACEFS" 2>/dev/null)" = 700 ]; then
	chmod 755 "$TMP"
	cp "$BPFPERF" copy
	plain_user=(setpriv --reuid=65534 --regid=65534 --clear-groups ./copy)
	exits 0 "list without rights: exit 0" "${plain_user[@]}" list
	is "$(grep -c tracepoints err)" 1 "list without rights: tracepoints are reported missing, once"
	is "$(names out | grep -cx 'cpu-clock')" 1 "list without rights: the clock is listed"
	exits 1 "list tracepoint without rights: exit 1" "${plain_user[@]}" list 'sched:*'
	like "$(cat err)" "need root" "list tracepoint without rights: root is the remedy"
	exits 0 "list of kinds that need no tracefs, without rights: exit 0" "${plain_user[@]}" list hw sw
	is "$(cat err)" "" "list of kinds that need no tracefs, without rights: nothing is reported missing"
else
	skip_test "list without rights" "needs root, setpriv and a tracefs that is root's alone"
fi
done_testing
