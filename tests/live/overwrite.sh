#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# trace --overwrite: a storm is recorded in rings that overwrite; dumps have the newest records, whole
# and in order, whatever asks for them.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"

need_cmd taskset
mapfile -t cpus < <(allowed_cpus | sed -n '1p;$p' | uniq)
# The workload has a name of its own: storms of other tasks on these CPUs are not counted.
cp "$WORKLOADS/sequence" "seq$$"
dumps() { # FILE: how many have begun
	grep -ac '"dump":' "$1"
}
has_dumps() { # COUNT FILE
	[ "$(dumps "$2")" -ge "$1" ]
}
# The number of the workload's last finished call on CPU.
last_call() { # CPU
	od -An -N8 -tu8 "seq.$1" | tr -d ' '
}

# 1. SIGUSR2 ten times in a storm on two CPUs.
pids=()
for c in "${cpus[@]}"; do
	"./seq$$" "$c" "seq.$c" >"said.$c" &
	pids+=($!)
	reap $!
	wait_for 20 test -s "seq.$c"
done
"$BPFPERF" trace --overwrite -m 256K --format json -o storm.json \
	syscalls:sys_enter_lseek --filter "fd == 0xffffffff && COMM == \"seq$$\"" 2>err &
bg=$!
reap $bg
# Attached and active: what is dumped first holds something.
first=0
dump_until_full() {
	first=$((first + 1))
	kill -USR2 "$bg" && wait_for 20 has_dumps "$first" storm.json && grep -aq sys_enter_lseek storm.json
}
wait_for 20 grep -q SigBlk "/proc/$bg/status"
usr2_is_blocked() {
	local mask

	mask=$(awk '/^SigBlk/ {print $2}' "/proc/$bg/status")
	[ $((0x$mask >> 11 & 1)) -eq 1 ]
}
ok "SIGUSR2: bpfperf waits for it" wait_for 20 usr2_is_blocked
ok "SIGUSR2: the first dump has records" wait_for 20 dump_until_full
declare -A base # calls before this may have been made before tracing began
for c in "${cpus[@]}"; do
	base[$c]=$(last_call "$c")
done
: >asked
for i in $(seq $((first + 1)) $((first + 10))); do
	line="$i"
	for c in "${cpus[@]}"; do
		at=$(last_call "$c")
		[ "$at" -le "${base[$c]}" ] || line+=" $c=$at"
	done
	echo "$line" >>asked
	kill -USR2 "$bg"
	wait_for 20 has_dumps "$i" storm.json
done
stop_bg INT
is "$bg_rc" 0 "ten signals: exit 0 at the end"
kill -TERM "${pids[@]}"
wait "${pids[@]}"
is "$(dumps storm.json)" "$((first + 11))" "ten signals: ten dumps, and one at the end"

cat >check.py <<'END'
import collections, json, sys

dumps, dump = {}, None
for line in open(sys.argv[1]):
    r = json.loads(line)
    if "dump" in r:
        dump = dumps[r["dump"]] = []
        assert r["why"] in ("SIGUSR2", "end"), r
    else:
        dump.append(r)
for nr, recs in sorted(dumps.items()):
    prev_time = 0
    lost, gaps, seq = collections.Counter(), collections.Counter(), {}
    cnt = collections.Counter()
    for r in recs:
        assert r["time"] >= prev_time, (nr, "time goes back", r)
        prev_time = r["time"]
        if "lost" in r:
            lost[r["cpu"]] += r["lost"]
            continue
        cpu, at = r["cpu"], r["fields"]["offset"]
        cnt[cpu] += 1
        if cpu in seq:
            assert at > seq[cpu], (nr, "sequence goes back", r)
            gaps[cpu] += at - seq[cpu] - 1
        seq[cpu] = at
    for cpu, n in gaps.items():
        assert n <= lost[cpu], (nr, cpu, "records are missing", n, lost[cpu])
    dumps[nr] = (seq, cnt)
for line in open(sys.argv[2]):
    nr, *asked = line.split()
    for a in asked:
        cpu, at = map(int, a.split("="))
        # A workload that has not run since is in an earlier dump.
        last = max(dumps[n][0].get(cpu, 0) for n in range(1, int(nr) + 1))
        assert last >= at, (nr, cpu, "the newest is not there", last, at)
print(min(sum(c.values()) for s, c in list(dumps.values())[:-1]))
END
ok "the workloads ran between dumps" grep -q = asked
ok "each dump parses, is in order, has no gap that is not told, and the newest records" \
	python3 check.py storm.json asked
check_sum() { # FILE: what was made is what was dumped, overwritten or lost
	python3 - "$1" err said.* <<-'END'
		import json, re, sys
		text = open(sys.argv[2]).read()
		shown, lost = map(int, re.search(r"(\d+) records, (\d+) lost", text).groups())
		over = int(re.search(r"(\d+) records were overwritten", text).group(1))
		lines = [json.loads(l) for l in open(sys.argv[1])]
		assert shown == sum("event" in l for l in lines), shown
		made = sum(int(re.search(r"count=(\d+)", open(f).read()).group(1)) for f in sys.argv[3:])
		assert 0 < shown + over + lost <= made, (shown, over, lost, made)
	END
}
ok "ten signals: dumped, overwritten and lost are no more than were made" check_sum storm.json
is "$(grep -c unaccounted err)" 0 "ten signals: no record is unaccounted for"

# 2. To the record: a command alone.
"$BPFPERF" trace --overwrite -m 64K --format json -o cmd.json raw_syscalls:sys_enter \
	--filter "id == $(awk '/__NR_getppid/ {print $3; exit}' /usr/include/*/asm/unistd_64.h)" -- \
	"$WORKLOADS/syscall_loop" 200003 >said 2>err
shown=$(grep -ac '"event"' cmd.json)
over=$(grep -oE '[0-9]+ records were overwritten' err | cut -d' ' -f1)
lost=$(summary lost)
is "$((shown + over + lost))" 200003 "one thread's calls: dumped + overwritten + lost is what was made"
ok "one thread's calls: the last dump has what a ring holds" test "$shown" -gt 500
is "$(dumps cmd.json)" 1 "one thread's calls: one dump, at the end"

# 3. Triggers: one that is traced besides, one that is not, with a filter.
"$BPFPERF" trace --overwrite -o both.txt sched:sched_process_exec sched:sched_process_exit \
	--trigger sched:sched_process_exit -- sh -c '/bin/true; /bin/true; exit 0' 2>err
ok "--trigger: each trigger is in a dump that was triggered, none of which is empty" \
	python3 - both.txt <<-'END'
		import re, sys
		parts = re.split(r"^# dump \d+: ", open(sys.argv[1]).read(), flags=re.M)[1:]
		fired = [p for p in parts if p.startswith("trigger")]
		in_fired = sum(p.count("sched_process_exit") for p in fired)
		assert in_fired == sum(p.count("sched_process_exit") for p in parts) == 3, parts
		assert all(p.count("\n") > 1 for p in fired), parts
	END
like "$(cat err)" 'bpfperf: 3 records triggered' "--trigger: triggers are counted"
"$BPFPERF" trace --overwrite -o only.txt sched:sched_process_exec \
	--trigger 'sched:sched_process_exit:comm == "true"' -- sh -c '/bin/cat </dev/null; /bin/true; :' 2>err
is "$(grep -c '^# dump [0-9]*: trigger' only.txt)" 1 "--trigger with a filter: one dump"
is "$(grep -c 'sched_process_exit' only.txt)" 1 "--trigger of an untraced event: only triggers are records"
is "$(grep -c 'sched_process_exec' only.txt)" 3 "--trigger of an untraced event: the traced event is there all the time"
"$BPFPERF" trace --overwrite -o only.txt sched:sched_process_exec --trigger 'sched:sched_process_exit:comm == "cat"' \
	--trigger 'sched:sched_process_exit:comm == "true"' -- sh -c '/bin/cat </dev/null; /bin/true; /bin/ls >ls; :' 2>err
is "$(awk '/sched_process_exit/ { print $1 }' only.txt | paste -sd' ')" "cat true" "two triggers of one event: records of either"
like "$(cat err)" 'bpfperf: 2 records triggered' "two triggers of one event: both are counted"
"$BPFPERF" trace --overwrite -o only.txt sched:sched_process_exec --trigger 'sched:sched_process_exit:comm == "cat"' \
	--trigger 'sched:sched_process_e*it' -- sh -c '/bin/cat </dev/null; /bin/true; :' 2>err
like "$(cat err)" 'bpfperf: 3 records triggered' "two triggers of one event, one without a filter: all trigger"
# Times of a text go back in no dump.
in_order() { # FILE
	awk '/^# dump/ { last = 0; next } $4 + 0 < last { exit 1 } { last = $4 + 0 }' "$1"
}
# The triggering record is in the dump, whatever the event's own filter is; on both attach paths.
triggered() { # NAMES COUNT ARG…: the tasks with records in all dumps together; how many records triggered
	local names=$1 cnt=$2

	shift 2
	"$BPFPERF" trace --overwrite -o own.txt "$@" -- sh -c '/bin/cat </dev/null; /bin/true; /bin/ls >ls; :' 2>err
	is "$(sed -n 's/.* newcomm=\([a-z]*\) .*/\1/p; s/^ *\([a-z]*\) .* sched:sched_process_exit: .*/\1/p' own.txt |
		sort | paste -sd' ')" "$names" "a filter and triggers: of $names"
	ok "a filter and triggers of $names: in the order of time" in_order own.txt || diag "$(cat own.txt)"
	like "$(cat err)" "bpfperf: $cnt records triggered" "a filter and triggers of $names: $cnt triggered"
}
exit=sched:sched_process_exit rename=task:task_rename
triggered "cat true" 1 $exit --filter 'comm == "cat"' --trigger "$exit:comm == \"true\""
triggered "cat true" 1 $rename --filter 'newcomm == "cat"' --trigger "$rename:newcomm == \"true\""
triggered "cat" 1 $exit --filter 'comm == "cat"' --trigger "$exit:comm ~ \"c*\" && prio >= 0"
triggered "cat ls true" 2 $exit --filter 'comm == "cat"' --trigger "$exit:comm == \"true\"" \
	--trigger "$exit:comm == \"ls\""
triggered "ls true" 1 $exit --filter 'COMM ~ "tr*"' --trigger "$exit:COMM == \"ls\""
triggered "cat ls sh true" 4 $exit --filter 'comm == "cat"' --trigger $exit

# 4. What is wrong is told.
refused() { # NAME PATTERN ARG…
	local name=$1 pattern=$2

	shift 2
	"$BPFPERF" trace "$@" >out 2>err
	is $? 2 "$name: exit 2"
	ok "$name: the mistake is reported" grep -qE "$pattern" err
}
refused "a trigger without a recorder" 'add --overwrite' --trigger sched:sched_switch sched:sched_switch
refused "a trigger that is no tracepoint" 'only a tracepoint' --overwrite --trigger cpu-clock sched:sched_switch
refused "a filter of no field" "no field 'foo'" --overwrite --trigger sched:sched_switch:foo==1 sched:sched_switch

# 5. Formats: between two dumps the running task and its calls are unknown.
mkfifo gate
cat >waiting.sh <<'END'
echo $$ >waiting.pid
/bin/true
read -r line <gate
END
"$BPFPERF" trace --overwrite -m 64K -o gaps.perfetto.json 'sched:sched_switch' 'syscalls:sys_*_read' -- \
	sh waiting.sh 2>err &
bg=$!
reap $bg
marks() {
	grep -ac '"name":"dump ' gaps.perfetto.json
}
marked() { # COUNT
	[ "$(marks)" -ge "$1" ]
}
is_in() { # CALL: does CMD wait in it?
	[ -s waiting.pid ] && [ "$(cut -d' ' -f1 "/proc/$(cat waiting.pid)/syscall")" = \
		"$(awk -v name="__NR_$1" '$2 == name {print $3; exit}' /usr/include/*/asm/unistd_64.h)" ]
}
ok "perfetto: CMD waits in its first call" wait_for 20 is_in openat
exec 8>gate
ok "perfetto: CMD waits in a read" wait_for 20 is_in read
kill -USR2 $bg
ok "perfetto: a dump meanwhile" wait_for 20 marked 1
exec 8>&-
wait $bg
ok "perfetto: no slice extends beyond a dump" python3 - gaps.perfetto.json <<'END'
import json
import sys
events = json.load(open(sys.argv[1]))["traceEvents"]
dumps = [e["ts"] for e in events if e["name"].startswith("dump ")]
slices = [e for e in events if e["ph"] == "X"]
assert len(dumps) == 2, dumps
assert any(e["name"] == "read" for e in slices), "no read"
for e in slices:
    for ts in dumps:
        # In whole ns: sums of fractions are not exact.
        begin, at, end = (round(x * 1000) for x in (e["ts"], ts, e["ts"] + e["dur"]))
        assert not begin < at < end, (e, ts)
END
# If switches are recorded only where they trigger, the next task of a CPU is unknown.
cp "$WORKLOADS/sleeper" nap17
exits 0 "switches to one thread: exit 0" "$BPFPERF" trace -a --overwrite -o naps.perfetto.json \
	sched:sched_process_exec --filter 'pid == 1' --trigger 'sched:sched_switch:next_comm == "nap17" && prev_comm != "nap17"' -- ./nap17 11 1009
grep -o '"dump [0-9]*: [^"]*"' naps.perfetto.json >naps.dumps
ok "switches to one thread: triggers are there" grep -q trigger naps.dumps || diag "$(cat naps.dumps err)"
is "$(grep -c '"name":"nap17","cat":"running"' naps.perfetto.json)" 0 "switches to one thread: no slice is drawn from them on"
exits 0 "--overwrite as CSV with stacks: exit 0" "$BPFPERF" trace --overwrite -g -m 64K -o gaps.csv syscalls:sys_enter_getppid -- \
	"$WORKLOADS/syscall_loop" 17 getppid
is "$(python3 -c 'import csv, sys; print(*{len(row) for row in csv.reader(open(sys.argv[1]))})' gaps.csv | wc -w)" 1 \
	"--overwrite as CSV with stacks: all rows have as many cells, those of dumps too"

# 6. Stacks: what their ids stand for is not overwritten with the records.
cat >spelled.py <<'END'
import json
import sys
depth = int(sys.argv[2])
for line in open(sys.argv[1]):
    r = json.loads(line)
    if "stack" not in r:
        continue
    bits = [f["name"] for f in r["stack"] or [] if f.get("name") in ("zero", "one")]
    print(sum((name == "one") << i for i, name in enumerate(bits)) if len(bits) == depth else "cut")
END
# On one CPU: each ring has the newest of its own.
exits 0 "--overwrite -g: exit 0" "$BPFPERF" trace --overwrite -g -m 64K --format json -o g.json syscalls:sys_enter_getppid -- \
	taskset -c "${cpus[0]}" "$WORKLOADS/stacks" 5003 14
python3 spelled.py g.json 14 >spelled
cnt=$(grep -c . spelled)
between "$cnt" 100 5002 "--overwrite -g: the newest of 5003 records"
seq $((5003 - cnt)) 5002 >wanted
same spelled wanted "--overwrite -g: each record has its own stack"
is "$cnt" "$(summary records)" "--overwrite -g: as many records as the summary counts"
# Ten stacks whose definitions came long before, and a dump on the way. A trigger that comes while a
# dump is made, or at the end, is in that one: each of these waits for its own.
cat >twice.sh <<'END'
dumped() {
	until [ "$(grep -ac '"dump":' h.json)" -ge "$1" ]; do :; done
}
"$1" 100003 3
dumped 1
"$1" 1009 3
dumped 2
END
"$BPFPERF" trace --overwrite -g=user -m 16K --format json -o h.json --trigger 'sched:sched_process_exit:comm == "stacks"' \
	syscalls:sys_enter_getppid -- timeout 60 sh twice.sh "$WORKLOADS/stacks" >said.txt 2>err
is "$(grep -c '"dump"' h.json)" 3 "--overwrite -g with dumps: one at the end of each round, and one at the last"
is "$(python3 spelled.py h.json 3 | grep -v cut | sort -u | paste -sd' ')" "0 1 2 3 4 5 6 7" \
	"--overwrite -g with dumps: old stacks keep their meaning (the shell has others)"

# 7. What is between the records belongs to the dump, too: rows of counters, which there are before any record.
cat >rows.sh <<'END'
/bin/true
until grep -aq '"dump":1' rows.json; do :; done
END
exits 0 "--overwrite --counters: exit 0" "$BPFPERF" trace --overwrite -m 64K --counters cpu-clock --counter-interval 7 -o rows.json \
	--trigger 'sched:sched_process_exit:comm == "true"' sched:sched_process_exec -- timeout 60 sh rows.sh
like "$(grep -am1 -E '"dump"|"counters"' rows.json)" '"dump":1,"why":"trigger"' "--overwrite --counters: rows follow the head of a triggered dump"
isnt "$(sed -n '/"dump":1/,/"dump":2/p' rows.json | grep -c '"counters"')" 0 "--overwrite --counters: rows are written"

# 8. A task that ends makes room, though its records wait for a dump: these are more processes than there is room for at a
# time (8192), each of which has the unwind tables of its parent.
# shellcheck disable=SC2016 # CMD's
exits 0 "--overwrite -g with many processes: exit 0" "$BPFPERF" -v trace --overwrite -g=user -m 64K -o many.txt syscalls:sys_enter_getppid -- \
	sh -c 'i=0; while [ $i -lt 9001 ]; do (:); i=$((i + 1)); done; "$1" 1009 3' sh "$WORKLOADS/stacks"
is "$(grep -c 'dropped for lack of room' err)" 0 "--overwrite -g with many processes: the last one has its stacks"

done_testing
