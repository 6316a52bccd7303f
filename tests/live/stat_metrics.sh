#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# stat -M: metrics of software and msr events, against a second evaluation of perf's formulas.
# parallel: yes
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd python3

# Evaluates expressions with python over the counts of each place and time, and compares digits.
cat >check.py <<'EOF'
import json, sys
expressions = dict(a.split("=", 1) for a in sys.argv[2:])
rows, metrics, bad = {}, 0, []
places = lambda o: (o.get("interval"), o.get("cpu"), o.get("core"), o.get("socket"))
lines = [json.loads(line) for line in open(sys.argv[1])]
for o in lines:
    if "event" in o:
        v = float(o["counter-value"])
        rows[places(o), o["event"]] = v / 1e9 if o["event"] == "duration_time" else v
for o in lines:
    if "metric" not in o:
        continue
    metrics += 1
    names = {}
    for (place, event), v in rows.items():
        if place == places(o) or event == "duration_time" and place[0] == o.get("interval"):
            names[event.replace("-", "_").replace("/", "_")] = v
    names.update(min=min, max=max, d_ratio=lambda a, b: a / b if b else 0)
    want = eval(expressions[o["metric"]], names)
    if "%.6f" % want != "%.6f" % o["metric-value"]:
        bad.append("%s: %.6f, not %.6f" % (o["metric"], o["metric-value"], want))
print(metrics, *bad)
EOF

same() { # NAME WANTED-METRICS EXPRESSION… -- ARG…
	local name=$1 cnt=$2 list=() e

	shift 2
	while [ "$1" != -- ]; do
		list+=("$1")
		shift
	done
	shift
	exits 0 "$name: exit 0" "$BPFPERF" stat -j "$@"
	e=$(python3 check.py out "${list[@]}" 2>&1)
	is "$e" "$cnt" "$name: all digits are python's"
}

same "stat -M of clocks and faults" 3 'a=page_faults*1e3/task_clock' 'b=d_ratio(cs, 0)+1' \
	'c=max(page_faults, 3) if task_clock < 1e9 else 0' -- \
	-M 'a=page\-faults*1e3/task\-clock,b=d_ratio(cs,0)+1 + 0*cs,c=max(page\-faults,3) if task\-clock < 1e9 else 0' -- true
same "stat -M of msr/tsc/ by CPU" "$(getconf _NPROCESSORS_ONLN)" 'ghz=msr_tsc_/duration_time/1e9' -- \
	-a -A -M 'ghz=msr@tsc@/duration_time/1e9' sleep 0.1
same "stat -M with -I" 4 'f=page_faults-cs*2%3' -- \
	-I 50 --interval-count 4 -a -M 'f=page\-faults-cs*2%3'
same "stat -M by socket" 1 'f=-cpu_clock/(cs+1)' -- -a --per-socket -M 'f=-cpu\-clock/(cs+1)' -C 0 sleep 0.05

# Text has perf's digits: two, and one before a unit.
exits 0 "stat -M of a group: exit 0" "$BPFPERF" stat -M Software -- ls
like "$(cat out)" '# +[0-9]+\.[0-9] faults/sec  page_faults_per_second' "stat -M of a group: unit and name"
exits 0 "stat -M as text: exit 0" "$BPFPERF" stat -M 'two=cs*0+2' -- ls
like "$(cat out)" 'cs +# +2\.00 two' "stat -M as text: two digits"
exits 0 "stat -M -x: exit 0" "$BPFPERF" stat -x , -M 'two=cs*0+2' -- ls
is "$(tail -n 1 out)" ",,,,,2.000000,two" "stat -M -x: a line for the metric"
exits 0 "stat -M --metric-only: exit 0" "$BPFPERF" stat --metric-only -M 'two=cs*0+2,three=3+cs*0' -- ls
is "$(awk '/two/ { getline; print $1, $2 }' out)" "2.00 3.00" "stat -M --metric-only: columns"
exits 0 "stat -M of a division by 0: exit 0" "$BPFPERF" stat -j -M 'z=cs/(cs*0)' -- ls
like "$(cat out)" '"metric-value" : null, "why" : "division by 0: \(cs \* 0\) is 0"' "stat -M of a division by 0: no value"
like "$("$BPFPERF" stat -M 'z=cs/(cs*0)' -- ls)" '\^ division by 0: \(cs \* 0\) is 0' "stat -M of a division by 0: the reason as text"
for format in '-x,' --metric-only '--metric-only -x,' '--metric-only -j'; do
	# shellcheck disable=SC2086 # two options
	is "$("$BPFPERF" stat $format -I 20 --interval-count 3 -M 'z=cs/(cs*0)' 2>&1 >/dev/null)" \
		"bpfperf: z: division by 0: (cs * 0) is 0" "stat $format: the reason is logged once"
done

# A metric by the name of an event hides nothing.
exits 0 "stat -M NAME -e NAME: exit 0" "$BPFPERF" stat -j -M 'page-faults=page\-faults*0+7,next=page\-faults*0+9' -e page-faults -- ls
is "$(grep -c '"event" : "page-faults"' out)" 2 "stat -e NAME: the event has its row, and that of the metric has one"
like "$(cat out)" '"metric" : "page-faults", "metric-value" : 7.0' "stat -M NAME: the metric"
like "$(cat out)" '"metric" : "next", "metric-value" : 9.0' "stat -M of an event that is a metric, too: the event"

# A file of perf's.
cat >my.json <<'EOF'
[{"MetricName": "outer", "MetricExpr": "inner * 2", "ScaleUnit": "100%", "MetricGroup": "G;H"},
 {"MetricName": "inner", "MetricExpr": "page\\-faults / page\\-faults", "MetricGroup": "H"},
 {"EventName": "x", "Other": [1, {"a": null}]}]
EOF
exits 0 "stat --metric-file: exit 0" "$BPFPERF" stat --metric-file my.json -x , -M h -- ls
is "$(grep -c '200.000000,%  outer$' out)$(grep -c ',1.000000,inner$' out)" 11 "stat --metric-file: a metric in a metric, and a group"
exits 0 "stat -M list: exit 0" "$BPFPERF" stat -M list
like "$(cat out)" 'page_faults_per_second +Software' "stat -M list: names and groups"
echo '[{"MetricName": "x"' >bad.json
exits 2 "stat --metric-file that is cut off: exit 2" "$BPFPERF" stat --metric-file bad.json -M x true
like "$(cat err)" 'no JSON at byte' "stat --metric-file that is cut off: the place is named"

refused() { # SENTENCE ARG…
	local want=$1

	shift
	exits 2 "stat $*: exit 2" "$BPFPERF" stat "$@" true
	like "$(cat err)" "$want" "stat $*: the sentence"
}
refused 'there is no such metric or group; -M list' -M nonesuch_at_all
refused 'did you mean page_faults_per_second\?' -M page_fault_per_secnd
refused 'did you mean Software\?' -M softwre
refused 'page-faults: this is an event, not a metric; give it to -e' -M page-faults
refused 'the metric a is a part of itself' -M 'a=b,b=a'
refused 'page_faults_per_second: no event is in its expression' -M 'page_faults_per_second=1'
refused '-M needs names of metrics' -M ''
refused 'a name is missing' -M ,cs_per_second
refused 'an operation is missing here \(at character 4' -M 'x=cs cs'
refused 'it needs the event nonesuch, which this machine does not have' -M 'x=nonesuch/2'
refused '#nothing is not known on this machine' -M 'x=cs*#nothing'
if [ ! -e /sys/bus/event_source/devices/cpu ] && ! ls /sys/bus/event_source/devices/armv8* >/dev/null 2>&1; then
	refused 'it needs the event [a-z]+, which this machine does not have' -M insn_per_cycle
	refused "this machine's PMU has no events of top-down analysis" --topdown
fi
done_testing
