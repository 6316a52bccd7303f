#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# bpfperf strace: names of threads, expressions on results and arguments, and slices for perfetto.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"

need_cmd python3

# Names behind ids: of the thread, of arguments, results and senders.
cat >names.sh <<'END'
kill -0 $$
sleep 0.01 &
wait
END
SET=getpid,getppid,kill,execve,exit_group,clone
exits 0 "strace -Y: exit 0" "$BPFPERF" strace -Y -e trace=$SET -o names.txt sh names.sh
like "$(cat names.txt)" '[0-9]+<sh> kill\([0-9]+<sh>, 0\) +=' "strace -Y: the names of a thread and of an argument"
like "$(cat names.txt)" 'getpid\(\) += [0-9]+<sh>' "strace -Y: the name of a result"
like "$(cat names.txt)" 'si_pid=[0-9]+<sleep>' "strace -Y: the name of a signal's sender"
like "$(cat names.txt)" '[0-9]+<sleep> \+\+\+ exited with 0' "strace -Y: the name of a thread that exits"
exits 0 "strace --decode-pids=comm --format json: exit 0" "$BPFPERF" strace --decode-pids=comm --format json -o names.json sh names.sh
like "$(grep '"call":"kill"' names.json)" '"comm":"sh","call":"kill","args":\["[0-9]+<sh>"' "strace --decode-pids=comm --format json: the name as a member"
exits 2 "strace --decode-pids=pidns: exit 2" "$BPFPERF" strace --decode-pids=pidns true
like "$(cat err)" "give comm" "strace --decode-pids=pidns: the remedy"

# Expressions, evaluated in the kernel: other calls make no record.
dd=(dd if=/dev/zero of=/dev/null bs=1 count=1009)
exits 0 "strace --filter: exit 0" "$BPFPERF" strace --filter 'arg0 == 1 && ret == 1' -o filter.txt "${dd[@]}"
is "$(grep -c '^[0-9]* *write(1, ".*", 1) *= 1$' filter.txt)" 1009 "strace --filter: the calls whose argument and result match"
is "$(grep -cvE 'write|[-+]{3}' filter.txt)" 0 "strace --filter: no other calls"
between "$(summary records)" 1009 1060 "strace --filter: the kernel drops the others"
exits 0 "strace --filter: a failure is a negative result" "$BPFPERF" strace --filter 'ret == -2 && COMM == "ls"' -o failed.txt ls /no/such/file
is "$(grep '(' failed.txt | grep -cv 'ENOENT')" 0 "strace --filter: only calls with this error"
like "$(cat failed.txt)" '/no/such/file' "strace --filter: the call with this error"
exits 2 "strace --filter, no such field: exit 2" "$BPFPERF" strace --filter 'fd == 1' true
like "$(cat err)" "its fields: ret arg0 arg1 arg2 arg3 arg4 arg5 CPU" "strace --filter, no such field: the fields"
exits 2 "strace -C --filter: exit 2" "$BPFPERF" strace -C --filter 'ret == 1' true

# A call whose records exceed the budget is stopped, counted exactly, and named; others go on.
cat >storm.sh <<'END'
until grep -q 'it is stopped' err; do
	"$1" 1000003 getsid
done
END
exits 0 "strace --budget: exit 0" "$BPFPERF" strace --budget 10K -e trace=getsid,exit_group -o budget.txt sh storm.sh "$WORKLOADS/syscall_loop"
made=$(awk -v RS=' ' -F= '$1 == "count" { n += $2 } END { print n + 0 }' out)
over=$(sed -nE 's/^bpfperf: skipped ([0-9]+) of getsid: .*/\1/p' err)
like "$(cat err)" "getsid makes [0-9]+ of [0-9]+ records a second.*budget of 10000: it is stopped.*-e trace=" "strace --budget: the call is stopped, named with its rate"
isnt "$over" "" "strace --budget: calls that were not sent are counted"
is $(($(grep -c ' getsid(' budget.txt) + $(summary lost))) "$made" "strace --budget: shown + stopped + lost = made"
is "$(sed -nE 's/^LOST ([0-9]+) records \(over the budget\)/\1/p' budget.txt)" "$over" "strace --budget: the stop is in the output"
is "$(grep -c ' exit_group(' budget.txt)" $((2 * $(grep -c count= out) + 2)) "strace --budget: other calls continue"
exits 2 "strace --budget -c: exit 2" "$BPFPERF" strace -c --budget 10K true

# Slices: each call of the text, with its duration, on the track of its thread.
cat >slices.py <<'END'
import json, sys
events = json.load(sys.stdin)["traceEvents"]
calls = [e for e in events if e.get("cat") == "call"]
slices = {}
for e in calls:
    if e["ph"] == "X":
        slices.setdefault(e["tid"], []).append((e["ts"], e["ts"] + e["dur"]))
for spans in slices.values():
    spans.sort()
    assert all(a[1] <= b[0] for a, b in zip(spans, spans[1:])), "slices of a thread overlap"
print("calls=%d reads=%d" % (len(calls), sum(e["name"] == "read" and e["ph"] == "X" for e in calls)))
print("threads", sorted({e["args"]["name"] for e in events if e["name"] == "thread_name"}))
print("ends", sorted(e["name"] for e in events if e.get("cat") in ("exit", "signal")))
print("lost=%d" % sum(e["args"]["count"] for e in events if e.get("cat") == "lost"))
END
exits 0 "strace --format perfetto: exit 0" "$BPFPERF" strace --format perfetto -o slices.json "${dd[@]}"
python3 slices.py <slices.json >slices.txt
is $? 0 "strace --format perfetto: JSON, in which slices of a thread do not overlap"
"$BPFPERF" strace -o text.txt "${dd[@]}" 2>err
is "$(head -1 slices.txt)" "calls=$(grep -cE '^[0-9]+ +[a-z0-9_]+\(' text.txt) reads=$(grep -cE '^[0-9]+ +read\(' text.txt)" \
	"strace --format perfetto: as many slices as calls"
exits 0 "strace --format perfetto, several processes: exit 0" "$BPFPERF" strace --format perfetto -o names.json sh -c 'sleep 0.01 & wait; kill -9 $$'
python3 slices.py <names.json >names.slices
like "$(cat names.slices)" "threads \['sh', 'sleep'\]" "strace --format perfetto: the names of the tracks"
like "$(cat names.slices)" "ends \['SIGCHLD', 'exited with 0', 'killed by SIGKILL'\]" "strace --format perfetto: signals and ends of processes"
"$BPFPERF" strace --format perfetto -m 4K -o full.json dd if=/dev/zero of=/dev/null bs=1 count=100003 2>err
isnt "$(summary lost)" 0 "strace --format perfetto, full ring: records are lost"
is "$(python3 slices.py <full.json | tail -1)" "lost=$(summary lost)" "strace --format perfetto, full ring: the file says how many were lost"

if ! command -v strace >/dev/null || ! strace -o x true 2>/dev/null; then
	skip_test "strace -Y: the lines equal strace's" "strace is not installed, or may not trace here"
	done_testing
	exit
fi
names() { # FILE
	sed -E 's/\) += /) = /; s/[0-9]+</N</g; s/0x[0-9a-f]{6,}/ADDR/g; s/<(bpfperf|strace)>/<TRACER>/g; s/^N<TRACER> exec/N<sh> exec/
		s/^N<sh> execve\("[^"]*", \["sleep"/N<sleep> &/; s/(N<sleep>) N<sh>/\1/; s/_[us]time=[0-9]+( \/\* [0-9.]+ s \*\/)?/_time=N/g; s/si_pid=[0-9]+,/si_pid=N,/' "$1" | sort
}
strace -f -Y -e trace=$SET -o theirs.txt sh names.sh 2>/dev/null
isnt "$(names theirs.txt | wc -l)" 0 "strace -Y: strace prints names here"
is "$(diff <(names theirs.txt) <(names names.txt))" "" "strace -Y: the lines equal strace's"
done_testing
