#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# trace --count, --sum, --hist, --by: counted in the kernel, to the record.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd python3 perf bpftrace taskset
cpu=$(allowed_cpus | head -n 1)

# Not a wrapper of the name python3, which makes system calls of its own.
python=$(python3 -c 'import sys; print(sys.executable)')

agg() { # ARG… -> out.json and err
	rm -f out.json stat.txt
	"$BPFPERF" trace -o out.json "$@" >said.txt 2>err || fail "trace $*" "$(cat err)"
}
field() { # KEY [FILE]: of each row
	python3 -c 'import json, sys
for line in open(sys.argv[2]):
    row = json.loads(line)
    if "event" in row:
        print(row[sys.argv[1]])' "$1" "${2:-out.json}"
}

agg --count syscalls:sys_enter_getppid -- "$WORKLOADS/syscall_loop" 1000003 getppid
is "$(field count)" 1000003 "trace --count: each of 1000003 records"
is "$(summary records) $(summary lost)" "1000003 0" "trace --count: no record is lost"
agg --by comm,tid syscalls:sys_enter_getppid syscalls:sys_exit_getppid -- \
	"$WORKLOADS/fork_tree" 3 1009 getppid
is "$(field count | sort -u) $(field count | wc -l)" "1009 12" "--by tid: 1009 of each of six threads, at entry and exit"
is "$(python3 -c 'import json
print(sorted({json.loads(l)["by"]["comm"] for l in open("out.json")}))')" "['exe']" "--by tid: each thread's name"
agg --count --per-thread syscalls:sys_enter_getppid syscalls:sys_exit_getppid -- "$WORKLOADS/threads" 6 1009 getppid
is "$(field count | sort -u) $(field count | wc -l)" "1009 12" "--per-thread: equal to --by tid"
"$BPFPERF" trace -o out.txt --by common_pid,ret syscalls:sys_exit_getppid -- \
	"$WORKLOADS/syscall_loop" 1009 getppid >said.txt 2>err
like "$(cat out.txt)" " 1009  syscalls:sys_exit_getppid  $(said pid <said.txt) +[0-9]+\$" \
	"--by as text: a line with the keys"
ppid=$(awk 'NR == 2 { print $4 }' out.txt)
ok "--by as text: the value that the call returned" test "$ppid" -gt 1
"$BPFPERF" trace -o out.csv --sum ret --by cpu syscalls:sys_exit_getppid -- taskset -c "$cpu" \
	"$WORKLOADS/syscall_loop" 1009 getppid >said.txt 2>err
sum=$(sed -n "s/^syscalls:sys_exit_getppid,$cpu,1009,\([0-9]*\)\$/\1/p" out.csv)
is "$(head -n 1 out.csv) $((sum % 1009))" "event,cpu,count,sum 0" "--by as csv: 1009 times one value"

# Sizes of system calls, beside bpftrace's count of the same calls.
cat >sizes.py <<'END'
import os
os.dup2(os.open("/dev/null", os.O_WRONLY), 99)
for size, times in ((0, 5), (1, 17), (2, 11), (3, 13), (1000, 101), (65536, 7)):
    for _ in range(times):
        os.write(99, b"x" * size)
END
agg --hist count --sum count syscalls:sys_enter_write --filter 'fd == 99' -- "$python" sizes.py
is "$(field hist)" "[{'from': 0, 'count': 5}, {'from': 1, 'count': 17}, {'from': 2, 'count': 24}, {'from': 512, 'count': 101}, {'from': 65536, 'count': 7}]" \
	"--hist: each size in its bucket"
is "$(field count) $(field sum)" "154 $((17 + 22 + 39 + 101000 + 7 * 65536))" "--hist: count and sum"
valid() { # NAME: out.json
	ok "$1: valid by the schema" python3 "$TOP/tests/formats.py" schema "$TOP/docs/trace.schema.json" out.json
}
valid "with field and buckets"
exits 2 "--filter before --count: only what passes is counted" "$BPFPERF" trace --count --filter 'ret < 0' syscalls:sys_exit_write -- true
like "$(cat err)" 'no tracepoint precedes it' "--filter before its event: refused"
agg --hist ret syscalls:sys_exit_close --filter 'ret < 0' -- \
	"$python" -c 'import os
for _ in range(23):
    try: os.close(777)
    except OSError: pass'
is "$(field hist)" "[{'from': None, 'count': 23}]" "--hist of negative values: one bucket below 0"
valid "below 0"
# The workload has a name that no other task of the machine has.
cat >write99.py <<'END'
import os
open("/proc/self/comm", "w").write("writer17")
os.dup2(os.open("/dev/null", os.O_WRONLY), 99)
for size in range(307):
    os.write(99, b"x" * size)
END
agg --hist count syscalls:sys_enter_write --filter 'fd == 99 && COMM == "writer17"' -a -- \
	bpftrace -q -e 'tracepoint:syscalls:sys_enter_write /args->fd == 99 && comm == "writer17"/ { @n = count(); @s = sum(args->count); }' \
	-c "$python write99.py"
is "$(field count)" "$(sed -n 's/^@n: //p' said.txt)" "--by, --hist: counts are bpftrace's of the same run"
is "$(field count)" 307 "--by, --hist: no record is lost"

# Against the records of the same run: on one CPU, where no other CPU adds up a thread's time for it, and up to
# its work's end, as a thread's last moments may come after the inner one has left. So long that each is interrupted.
agg --hist runtime --sum runtime --by pid sched:sched_stat_runtime --filter 'comm != "over17"' -- taskset -c "$cpu" \
	"$BPFPERF" trace -m 4M -o rec.json sched:sched_stat_runtime --filter 'comm != "over17"' -- \
	"$WORKLOADS/fork_tree" 5 200017 getppid over17
mapfile -t pids < <(sed -n 's/.*\bpid=\([0-9]*\) .*depth=[12].*/\1/p' said.txt)
is "$(python3 "$TOP/tests/live/agg_check.py" out.json rec.json pid runtime "${pids[@]}")" "same=10" \
	"sched_stat_runtime: count, sum and histogram of each thread, beside its records"
cp "$(command -v dd)" dd17
agg -a --hist bytes --by comm block:block_rq_issue --filter 'comm == "dd17"' -- "$BPFPERF" trace -a -o rec.txt \
	block:block_rq_issue --filter 'comm == "dd17"' -- \
	./dd17 if=/dev/zero of=block.dat bs=8k count=33 oflag=direct
if grep -q . rec.txt; then
	is "$(field count)" "$(records count rec.txt)" "block: as many as there are records"
else
	skip_test "block: as many as there are records" "$TMP is on no block device"
fi
agg --by comm raw_syscalls:sys_enter -- perf stat -x, -o stat.txt -e raw_syscalls:sys_enter \
	"$WORKLOADS/sched_pingpong" 5003
is "$(python3 -c 'import json
print(*[r["count"] for r in map(json.loads, open("out.json")) if r["by"]["comm"] == "sched_pingpong"])')" \
	"$(sed -n 's/^\([0-9]*\),.*sys_enter.*/\1/p' stat.txt)" "--count: counts are perf stat's of the same run"

# The weight of each record, as perf counts it, whichever side sums it up; the workload has a name of its own until it is
# removed.
cp "$WORKLOADS/sched_pingpong" weigh17
agg -a --include-self --count sched:sched_stat_runtime --filter 'comm == "weigh17"' -- perf stat -a -x, -o stat.txt \
	-e sched:sched_stat_runtime --filter 'comm == "weigh17"' ./weigh17 1009 "$cpu" over17
is "$(field sum)" "$(sed -n 's/^\([0-9]*\),.*stat_runtime.*/\1/p' stat.txt)" \
	"--count of sched_stat_runtime: the nanoseconds that perf stat counts"
exits 0 "trace -c 7: exit 0" "$BPFPERF" trace -o out.txt -c 7 syscalls:sys_enter_getppid -- taskset -c "$cpu" \
	"$WORKLOADS/syscall_loop" 10009 getppid
is "$(records count out.txt) $(summary records) $(summary lost)" "1429 1429 0" "trace -c 7: one record in seven"
cp weigh17 weigh18
"$BPFPERF" trace -o all.json sched:sched_stat_runtime -- taskset -c "$cpu" \
	"$BPFPERF" trace -o out.json -c 1000003 sched:sched_stat_runtime --filter 'comm == "weigh18"' -- \
	./weigh18 1009 "$cpu" over18 >said.txt 2>err
is "$(python3 -c 'import json
left = cnt = 0
for r in map(json.loads, open("all.json")):
    if r.get("event") == "sched:sched_stat_runtime" and r["fields"]["comm"] == "weigh18":
        left += r["fields"]["runtime"]
        cnt += left >= 1000003
        left %= 1000003
print(cnt)')" "$(grep -c stat_runtime out.json)" "-c of an event that counts nanoseconds: a record for each 1000003"

# More keys than there is room for.
exits 2 "--sum with --by of an array: exit 2" "$BPFPERF" trace --sum id --by args raw_syscalls:sys_enter -- true
like "$(cat err)" 'args is of type' "--sum with --by of an array: the field is named"
cat >closes.py <<'END'
import ctypes
close = ctypes.CDLL(None).close
for fd in range(1000, 1000 + 20011): close(fd)
END
full() { # ARG…: of 20011 keys
	exits "$@" --filter 'fd >= 1000 && fd < 21011' -- "$python" closes.py
	lost=$(sed -n 's/.*warning: \([0-9]*\) records are in no row.*/\1/p' err)
	is "$(($(field count out.json | paste -sd+) + lost))" 20011 "a full table: each record is in a row, or among the others"
}
full 0 "more keys than there is room for: exit 0" "$BPFPERF" trace -o out.json --by fd syscalls:sys_enter_close
like "$(cat err)" '[0-9]+ records are in no row: there are more than 16384 different keys; ' "a full table: the summary reports it"
full 3 "more keys than there is room for, --lost-exit: exit 3" "$BPFPERF" trace -o out.json --lost-exit --hist fd --by fd syscalls:sys_enter_close
like "$(cat err)" 'different keys, and each bucket of a histogram is one; ' "a full table: its keys are named"
is "$(tail -n 1 out.json)" "{\"not_counted\":$lost}" "a full table as JSON: the last object has the others' count"
valid "a full table"
exits 0 "a full table as CSV: counts are those of JSON" "$BPFPERF" trace -o out.csv --sum fd --hist fd --by fd syscalls:sys_enter_close \
	--filter 'fd >= 1000 && fd < 21011' -- "$python" closes.py
lost=$(sed -n 's/.*warning: \([0-9]*\) records are in no row.*/\1/p' err)
is "$(tail -n 1 out.csv)" "[not counted],,$lost,," "a full table as CSV: the last row has the others' count"
is "$(awk -F, 'NR > 1 { n += $3 } END { print n }' out.csv)" 20011 "a full table as CSV: the column adds up to all"

exits 2 "--by of an unknown field: exit 2" "$BPFPERF" trace --by nosuch sched:sched_switch
like "$(cat err)" "sched_switch has no field 'nosuch'" "--by of an unknown field: the field is named"
exits 2 "--hist of a text: exit 2" "$BPFPERF" trace --hist prev_comm sched:sched_switch
exits 2 "--hist and --sum of two fields: exit 2" "$BPFPERF" trace --hist prev_pid --sum next_pid sched:sched_switch
exits 2 "--count with --max-events: exit 2" "$BPFPERF" trace --count --max-events 5 sched:sched_switch
exits 2 "--count with --counters: exit 2" "$BPFPERF" trace --count --counters page-faults sched:sched_switch
exits 2 "--count with -c: exit 2" "$BPFPERF" trace --count -c 5 sched:sched_switch
exits 2 "--count as perfetto: exit 2" "$BPFPERF" trace --count --format perfetto sched:sched_switch
exits 2 "--by of a text in one event and a number in another: exit 2" "$BPFPERF" trace --by name \
	module:module_free net:net_dev_queue task:task_rename
exits 0 "--by COMM,comm of wakeups: exit 0" "$BPFPERF" trace -a --by COMM,comm sched:sched_wakeup -- sleep 0.1
like "$(head -n 1 out)" 'EVENT +COMM +comm$' "--by COMM,comm of wakeups: the task that wakes, and the task that is woken"
done_testing
