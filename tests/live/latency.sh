#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# latency: durations are those that programs measure of themselves, and each start and end is accounted for.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd python3 bpftrace taskset
cpu=$(allowed_cpus | head -n 1)

latency() { # ARG… -> out.json, said.txt and err
	rm -f out.json
	"$BPFPERF" latency -o out.json "$@" >said.txt 2>err || fail "latency $*" "$(cat err)"
}
py() { # WHAT ARG…
	local what=$1

	shift
	python3 "$TOP/tests/live/latency.py" "$what" out.json "$@"
}
tid() {
	said tid <said.txt
}

# The program's own durations: the call, and about half a microsecond around it.
latency syscalls:nanosleep --by tid -- "$WORKLOADS/durations" nanosleep 1009
is "$(py beside said.txt tid="$(tid)")" equal "syscalls:NAME: 1009 sleeps as the program timed them"
is "$(py account syscalls:nanosleep)" 1009 "syscalls:NAME: each entry has its return"
latency syscalls --by tid,id -- "$WORKLOADS/durations" pipe 401
readv=$(awk '$1 == "#define" && $2 == "__NR_readv" { print $3 }' <(echo '#include <sys/syscall.h>' | gcc -E -dM -))
is "$(py beside said.txt tid="$(tid)" id="$readv")" equal "syscalls --by tid,id: 401 answers through a pipe"
latency syscalls -- "$WORKLOADS/durations" fsync 401 "$TMP/synced"
is "$(py beside said.txt name=syscalls:fsync)" equal "syscalls: a row for each call, by its name"
like "$(py account syscalls)" '^[0-9]+$' "syscalls: starts and ends of all calls are accounted for"
like "$(cat err)" 'syscalls: [0-9]+ starts: [0-9]+ ended, 0 were repeated, 1 had no end; [0-9]+ ends' \
	"summary: the starts and ends of a pair"

# Two events by their names; exit_group never ends, and the exec that begins CMD was not seen to begin.
latency --from raw_syscalls:sys_enter --to raw_syscalls:sys_exit --by from.id -- "$WORKLOADS/syscall_loop" 100003 getppid
is "$(py count from.id="$(said nr <said.txt)")" 100003 "--from --to: each of 100003 calls"
is "$(py account 'raw_syscalls:sys_enter -> raw_syscalls:sys_exit')" "$(py count)" "--from --to: all starts and ends are accounted for"
latency --from syscalls:sys_enter_getppid --to syscalls:sys_exit_getppid --by tid -- "$WORKLOADS/threads" 6 1009 getppid
is "$(py count) $(grep -c '"count"' out.json)" "6054 6" "--by tid: 1009 of each of six threads"
latency --from syscalls:sys_enter_getpgid --filter 'pid == 1009' --to syscalls:sys_exit_getpgid -- \
	"$WORKLOADS/syscall_loop" 503 getpgid
is "$(py count) $(py account 'syscalls:sys_enter_getpgid -> syscalls:sys_exit_getpgid')" "0 0" \
	"--filter of --from: no start passes"
like "$(tail -n 1 out.json)" '"no_start":503,' "--filter of --from: 503 ends have no start"

# A start that another one follows: entries alone, of one thread.
latency --from syscalls:sys_enter_getppid --to syscalls:sys_exit_getuid -- "$WORKLOADS/syscall_loop" 1009 getppid
like "$(tail -n 1 out.json)" '"starts":1009,"ends":0,"matched":0,"repeated":1008,"no_end":1,' \
	"a start with the key of one that waits: repeated"

# Run queue: two processes that wake each other on one CPU; each waits for the CPU once a turn.
latency runq --by comm,pid -- taskset -c "$cpu" "$WORKLOADS/sched_pingpong" 5003
like "$(py account runq)" '^[0-9]{5,}$' "runq: all starts and ends are accounted for"
between "$(py count comm=sched_pingpong)" 10006 11000 "runq: each turn of two processes is one wait"
latency runq --by tid -a -- taskset -c "$cpu" "$WORKLOADS/sched_pingpong" 5003
is "$(tail -n 1 out.json | grep -c '"no_room":0')" 1 "runq -a: no start is refused"
like "$(py account runq)" '^[0-9]{5,}$' "runq -a: all starts and ends are accounted for"

# shellcheck disable=SC2016 # bpftrace's variables
# bpftrace's idiom of two maps, in the same seconds: of the call of one thread.
latency syscalls:nanosleep -a --by tid -- bpftrace -q -e '
tracepoint:syscalls:sys_enter_nanosleep { @start[tid] = nsecs; }
tracepoint:syscalls:sys_exit_nanosleep /@start[tid]/ { $d = nsecs - @start[tid]; delete(@start[tid]);
	@cnt[tid] = count(); @sum[tid] = sum($d); @max[tid] = max($d); }
END { clear(@start); }' -c "$WORKLOADS/durations nanosleep 1009"
is "$(py beside <(grep '^tid=' said.txt) tid="$(grep '^tid=' said.txt | said tid)")" equal \
	"-a beside bpftrace: 1009 sleeps as the program timed them"
t=$(grep '^tid=' said.txt | said tid)
peer=$(sed -n "s/^@cnt\[$t\]: //p" said.txt)
is "$peer" "$(py count tid="$t")" "bpftrace with two maps counts as many"
sum=$(sed -n "s/^@sum\[$t\]: //p" said.txt)
ours=$(grep "\"tid\":$t}" out.json | sed 's/.*"total":\([0-9]*\).*/\1/')
between "$((sum * 1000 / ours))" 990 1010 "bpftrace with two maps sums up as much, to 1 %"

# The other pairs: what they count is the kernel's own, so their accounts are what can be exact.
for pair in irq softirq:wait softirq:run workqueue:wait workqueue:run timer:wheel timer:hr block:queue block:device; do
	[ -e "$TRACEFS/events/${pair%%:*}" ] || continue
	latency "$pair" -a -- "$WORKLOADS/durations" fsync 23 "$TMP/synced"
	like "$(py account "$pair")" '^[0-9]+$' "$pair: starts and ends are accounted for"
done
latency softirq --by vec,cpu -a -- "$WORKLOADS/durations" nanosleep 101
is "$(grep -c '"starts"' out.json)" 2 "softirq: both pairs of this name"
latency workqueue timer:hr -a -- "$WORKLOADS/durations" nanosleep 101
like "$(cat out.json)" '"name":"timer:hr:hrtimer_wakeup"' "timer:hr: a row for each function, by its name"
latency timer:hr --by function -a -- "$WORKLOADS/durations" nanosleep 101
like "$(cat out.json)" '"by":\{"function":"hrtimer_wakeup"\}' "--by function: by its name"
latency futex --by tid -- "$WORKLOADS/durations" futex 401
is "$(py beside said.txt tid="$(tid)")" equal "futex: 401 waits as the program timed them"
[ ! -e "$TRACEFS/events/lock/contention_begin" ] || {
	latency lock -a -- "$WORKLOADS/threads" 6 1009 getppid
	like "$(py account lock:contention)" '^[0-9]+$' "lock:contention: starts and ends are accounted for"
}

# The durations themselves, with both events.
cat >each.py <<'END'
import json
rows = [json.loads(line) for line in open("out.json")]
each = [r for r in rows if "duration" in r]
table = [r for r in rows if "count" in r]
print(len(each), sum(r["duration"] for r in each) == table[0]["total"], max(r["duration"] for r in each) == table[0]["max"],
      sorted({(r["from"]["event"], r["from"]["fields"].get("rqtp", 0) != 0, r["to"]["event"], r["to"]["fields"]["ret"]) for r in each}),
      len({r["tid"] for r in each}))
END
latency syscalls:nanosleep --each -- "$WORKLOADS/durations" nanosleep 1009
is "$(python3 each.py)" "1009 True True [('syscalls:sys_enter_nanosleep', True, 'syscalls:sys_exit_nanosleep', 0)] 1" \
	"--each: 1009 records with both events' fields, whose durations are those of the table"
is "$(summary records) $(summary lost)" "1009 0" "--each: no record is lost"
is "$(py beside said.txt pair=syscalls:nanosleep)" equal "--each: the table is as without it"
latency syscalls runq --min-us 300 -- "$WORKLOADS/durations" nanosleep 1009
long=$(python3 -c 'import json
rows = [json.loads(line) for line in open("out.json")]
each = [r for r in rows if "duration" in r and r["pair"] == "syscalls"]
print(len(each), min(r["duration"] for r in each) >= 300000, len({r["tid"] for r in each}))')
like "$long" '^[89][0-9]{2} True 1$|^10[0-9]{2} True 1$' "--min-us 300: only longer ones, of two pairs at once"
"$BPFPERF" latency syscalls:getppid --each -o out.txt -- "$WORKLOADS/syscall_loop" 503 getppid >said.txt 2>err
is "$(grep -cE '^ +syscall_loop +[0-9]+/[0-9]+ +\[[0-9]{3}\] [0-9.]+: syscalls:getppid [0-9.]+[num]s: syscalls:sys_enter_getppid: .* => syscalls:sys_exit_getppid: ' out.txt)" 503 \
	"--each as text: 503 lines"
long=$PWD/$(printf 'd%.0s' {1..200})/$(printf 'd%.0s' {1..200})
mkdir -p "$long"
cp "$(type -P true)" "$long/t"
latency --from sched:sched_process_exec --to sched:sched_process_exit --each -- "$long/t"
like "$(cat out.json)" "\"filename\":\"$PWD/d{150}" "--each: a text of a start that is longer than its record is cut"
# Headers name all events that there may be, of each start and end: too many are refused before anything is done.
for format in csv perf perfetto; do
	exits 2 "--each --format $format: thousands of events are refused" "$BPFPERF" latency --each --format "$format" \
		-o many.out --from 'syscalls:sys_enter_[a-r]*' --to 'syscalls:sys_exit_[a-r]*' -- true
	like "$(cat out err)" 'at most 500, and these are [0-9]+; name fewer events, or give --format json$' \
		"--each --format $format: the remedy"
done

# In the formats of trace each duration is a record of an event that is made up.
for f in csv perfetto.json data; do
	"$BPFPERF" latency syscalls:nanosleep --each -g -o "each.$f" -- "$WORKLOADS/durations" nanosleep 101 >said.txt 2>err
	is "$(summary records) $(summary lost)" "101 0" "--each, $f: no record is lost"
done
ns=$(python3 -c 'import csv
rows = list(csv.DictReader(open("each.csv")))
print(len(rows), {r["event"] for r in rows}, all(int(r["duration"]) > 100000 and r["to_ret"] == "0" and ";main;" in r["stack"] for r in rows))')
is "$ns" "101 {'latency:syscalls:nanosleep'} True" "--each, csv: a row for each, with fields of both events and the end's stack"
ns=$(python3 -c 'import json
slices = [e for e in json.load(open("each.perfetto.json"))["traceEvents"] if e["ph"] == "X"]
print(len(slices), all(round(e["dur"] * 1000) == e["args"]["fields"]["duration"] and "main" in str(e["args"]["stack"]) for e in slices))')
is "$ns" "101 True" "--each, perfetto: a slice for each, as long as it"
"$BPFPERF" latency runq --each -o runq.perfetto.json -- "$WORKLOADS/durations" nanosleep 101 >said.txt 2>err
ns=$(python3 -c 'import json
slices = [e for e in json.load(open("runq.perfetto.json"))["traceEvents"] if e["ph"] == "X"]
print(len(slices) > 50, all(e["tid"] == e["args"]["fields"]["to_next_pid"] for e in slices))')
is "$ns" "True True" "runq --each, perfetto: slices are of the threads that waited"
"$BPFPERF" script -i each.data -F event,period,ip,sym >script.txt 2>err
is "$(grep -c 'latency:syscalls_nanosleep:' script.txt) $(grep -cw main script.txt)" "101 101" \
	"--each, perf: a sample for each, with its stack"
if command -v perf >/dev/null; then
	perf script -i each.data -F event,trace >perf.txt 2>perf.err
	is "$(grep -c 'syscalls_nanosleep: *duration=[0-9]* from___syscall_nr=[0-9]* from_rqtp=0x[0-9a-f]* .* to_ret=0' perf.txt)" 101 \
		"--each, perf: perf script prints the fields of both events"
fi
latency syscalls:nanosleep --each -g -- "$WORKLOADS/durations" nanosleep 101
stacks=$(python3 -c 'import json
each = [r for r in map(json.loads, open("out.json")) if "duration" in r]
print(len(each), all("main" in r["from"]["stack"] and "main" in r["to"]["stack"] for r in each),
      all(r["from"]["stack"] != r["to"]["stack"] for r in each))')
is "$stacks" "101 True True" "--each -g: the stacks of both ends"

# Functions, packets, page faults.
latency u:libc:syscall -- "$WORKLOADS/syscall_loop" 1009 getppid
like "$(py count) $(py account u:libc:syscall)" '^1[0-9]{3} 1[0-9]{3}$' "u:PATH:FUNC: each call of a function"
latency net -a --by comm -- python3 -c '
import socket, threading
listening = socket.create_server(("127.0.0.1", 0))
def serve():
    s = listening.accept()[0]
    for _ in range(200):
        s.sendall(s.recv(100))
thread = threading.Thread(target=serve)
thread.start()
s = socket.create_connection(listening.getsockname())
for _ in range(200):
    s.sendall(b"question")
    s.recv(100)
thread.join()'
between "$(py count comm=python3)" 400 410 "net: each packet of 200 questions and answers, of the task that reads"
like "$(py account net)" '^[0-9]+$' "net: starts and ends are accounted for"
if [ -e "$TRACEFS/kprobe_events" ]; then
	latency page-fault --by tid -- "$WORKLOADS/culprit" fault-storm 0.1
	like "$(py account page-fault)" '^[0-9]{3,}$' "page-fault: starts and ends are accounted for"
else
	exits 1 "page-fault, no kprobes: exit 1" "$BPFPERF" latency page-fault -- true
	like "$(cat err)" 'functions of the kernel cannot be probed here' "page-fault, no kprobes: the reason"
fi

# A recording of the same seconds: the same calls, by the same fields.
"$BPFPERF" trace -a --include-self -m 8M -o beside.data --format perf 'syscalls:sys_*_nanosleep' sched:sched_wakeup \
	sched:sched_wakeup_new sched:sched_switch -- \
	"$BPFPERF" latency syscalls:nanosleep runq --by comm -o out.json -- "$WORKLOADS/durations" nanosleep 1009 >said.txt 2>err
live=$(py count pair=syscalls:nanosleep comm=durations)
live_runq=$(py count pair=runq comm=durations)
live_ns=$(sed -n 's/^{"pair":"syscalls:nanosleep".*"total":\([0-9]*\).*/\1/p' out.json)
exits 0 "-i: a recording is measured" "$BPFPERF" latency -i beside.data syscalls:nanosleep runq --by comm -o out.json
is "$(py count pair=syscalls:nanosleep comm=durations) $(py account syscalls:nanosleep | grep -c '^[0-9]*$')" "$live 1" \
	"-i: as many as live, all accounted for"
is "$(py count pair=runq comm=durations)" "$live_runq" "-i: as many waits for a CPU as live"
ns=$(grep '"pair":"syscalls:nanosleep".*"durations"' out.json | sed 's/.*"total":\([0-9]*\).*/\1/')
between "$((ns * 1000 / live_ns))" 985 1015 "-i: they take as long"
exits 0 "-i --from --to: with a filter and a key" "$BPFPERF" latency -i beside.data --from sched:sched_wakeup \
	--filter 'comm == "durations" && prio > 0' --to sched:sched_switch --key pid=next_pid --by from.comm -o out.json
is "$(grep -c '"count"' out.json)" 1 "-i --filter: rows of one thread alone"
# A thread that is woken on its way to sleep does not wait.
between "$(py count from.comm=durations)" $((live_runq * 98 / 100)) "$live_runq" "-i --filter: its code decides as in the kernel"
exits 2 "-i: an event that is not there: exit 2" "$BPFPERF" latency -i beside.data irq
like "$(cat err)" 'irq: the recording has no irq:irq_handler_entry; record it, too' "-i: an event that is not there: the remedy"
exits 0 "-i, html: exit 0" "$BPFPERF" latency -i beside.data syscalls:nanosleep -o out.html

# A page with a heat map: its cells are the durations.
"$BPFPERF" latency syscalls:nanosleep -o out.html -- "$WORKLOADS/durations" nanosleep 1009 >said.txt 2>err
heat=$(python3 -c 'import json, re
data = json.loads(re.search(r"<script type=.application/json. id=.data.>(.*?)</script>", open("out.html").read(), re.S).group(1))
row = data["rows"][0]
print(row["count"], sum(row["heat"][2::3]), max(row["heat"][0::3]) < data["slices"], data["slices"] > 3)')
is "$heat" "1009 1009 True True" "html: the heat map has all durations"
nok "html: the page loads nothing" grep -qE 'src=|href="http' out.html
exits 2 "html --by stack: exit 2" "$BPFPERF" latency runq --by stack --format html

# A stack per row: that of the start.
latency syscalls:sched_yield --by stack -- "$WORKLOADS/syscall_loop" 1009 sched_yield
is "$(py count) $(grep -c '"count"' out.json)" "1009 1" "--by stack: one stack, of all calls"
like "$(head -n 1 out.json)" '"stack":\[.*"main"' "--by stack: the functions, by name"
"$BPFPERF" latency syscalls:sched_yield --by stack -o out.txt -- "$WORKLOADS/syscall_loop" 1009 sched_yield >said.txt 2>err
ok "--by stack as text: functions below the row" grep -qx "$(printf '\t')main" out.txt
"$BPFPERF" latency syscalls:sched_yield --by stack -o out.csv -- "$WORKLOADS/syscall_loop" 1009 sched_yield >said.txt 2>err
like "$(sed -n 2p out.csv)" ';main;.*,1009,' "--by stack as csv: outermost function first"
exits 2 "--by stack --interval: exit 2" "$BPFPERF" latency runq --by stack --interval 1

# Formats and intervals have all durations.
latency syscalls:getppid --hist -- "$WORKLOADS/syscall_loop" 10007 getppid
is "$(python3 -c 'import json
row = json.loads(open("out.json").readline())
print(sum(b["count"] for b in row["hist"]), all(b["from"] <= row["max"] for b in row["hist"]))')" "10007 True" \
	"--hist as json: the buckets have all durations"
"$BPFPERF" latency syscalls:getppid -o out.prom -- "$WORKLOADS/syscall_loop" 10007 getppid >said.txt 2>err
is "$(sed -n 's/^bpfperf_latency_seconds_bucket{pair="syscalls:getppid",le="+Inf"} //p' out.prom)" 10007 \
	"--format prometheus: the last bucket has all durations"
"$BPFPERF" latency syscalls:getppid --by comm -o out.csv -- "$WORKLOADS/syscall_loop" 10007 getppid >said.txt 2>err
is "$(cut -d, -f1-3 out.csv | xargs)" "pair,comm,count syscalls:getppid,syscall_loop,10007" "--format csv: columns and a row"
"$BPFPERF" latency syscalls:getppid --hist -o out.txt -- "$WORKLOADS/syscall_loop" 10007 getppid >said.txt 2>err
ok "--hist as text: bars" grep -q '|@@' out.txt
like "$(sed -n 2p out.txt)" '^ +10007 .*100\.0%  syscalls:getppid$' "--format text: a row"
latency syscalls:nanosleep --interval 0.1 -- "$WORKLOADS/durations" nanosleep 1009
is "$(py count) $(py account syscalls:nanosleep)" "1009 1009" "--interval: the tables have all durations once"
ok "--interval: more than one table" test "$(grep -c '"time"' out.json)" -gt 2
exits 2 "--interval --format prometheus: exit 2" "$BPFPERF" latency runq --interval 1 --format prometheus

# Mistakes are said, with the remedy.
exits 2 "a pair that is not known: exit 2" "$BPFPERF" latency runqq
like "$(cat err)" 'runqq is no pair of events that has a name; did you mean runq' "a pair that is not known: the nearest"
exits 2 "no pair: exit 2" "$BPFPERF" latency
exits 2 "--from without --to: exit 2" "$BPFPERF" latency --from sched:sched_switch
like "$(cat err)" '--from EVENT needs --to EVENT' "--from without --to: the remedy"
exits 2 "--key of unequal numbers: exit 2" "$BPFPERF" latency --from sched:sched_waking --to sched:sched_wakeup --key nope
like "$(cat err)" "sched:sched_waking has no field 'nope'" "--key: a field that is missing"
exits 2 "--key of a text: exit 2" "$BPFPERF" latency --from sched:sched_waking --to sched:sched_wakeup --key comm
like "$(cat err)" 'comm is a text in sched:sched_waking; events are joined by numbers' "--key of a text: the remedy"
exits 2 "--by of a missing field: exit 2" "$BPFPERF" latency syscalls --by nope
exits 2 "runq -u: exit 2" "$BPFPERF" latency runq -u 0
exits 2 "one event in two pairs: exit 2" "$BPFPERF" latency syscalls --from raw_syscalls:sys_enter --to raw_syscalls:sys_exit
like "$(cat err)" 'raw_syscalls:sys_enter starts both syscalls and raw_syscalls:sys_enter' "one event in two pairs: which"
done_testing
