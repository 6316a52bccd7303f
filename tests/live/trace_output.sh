#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# trace: what the lines look like.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
# shellcheck source=steady.bash
. "$TOP/tests/live/steady.bash"
need_cmd python3

loop=$WORKLOADS/syscall_loop
ev=syscalls:sys_enter_getppid

exits 0 "trace to stdout: exit 0" "$BPFPERF" trace $ev -- "$loop" 3
pid=$(grep -a ^pid= out | said pid)
is "$(grep -cE "^ *syscall_loop +$pid/$pid +\[[0-9]{3}\] +[0-9]+\.[0-9]{9}: +$ev: *\$" out)" 3 \
	"text: comm pid/tid [cpu] seconds.nanoseconds: event: fields"
is "$(grep -vcE '^pid=|sys_enter_getppid' out)" 0 "text: nothing but records on stdout"
ok "text: the summary is on stderr" grep -qE '^bpfperf: [0-9]+ records' err

exits 0 "trace --format json: exit 0" "$BPFPERF" trace --format json -o out.json \
	raw_syscalls:sys_enter,sched:sched_switch -- "$loop" 1003
ok "trace --format json: each line is an object with the documented fields" python3 - <<'END'
import json
for line in open("out.json"):
    r = json.loads(line)
    if "event" not in r:
        continue
    assert type(r["time"]) is int and type(r["cpu"]) is int, r
    assert type(r["pid"]) is int and type(r["tid"]) is int and type(r["comm"]) is str, r
    if r["event"] == "raw_syscalls:sys_enter":
        assert type(r["fields"]["id"]) is int and len(r["fields"]["args"]) == 6, r
    if r["event"] == "sched:sched_switch":
        assert type(r["fields"]["prev_comm"]) is str and type(r["fields"]["next_pid"]) is int, r
END
nr=$(said nr <out)
is "$(records count out.json "id=$nr")" 1003 "trace --format json: each call of the loop"
exits 0 "trace -o out.json: exit 0" "$BPFPERF" trace -o out2.json $ev -- "$loop" 3
is "$(records count out2.json event=$ev)" 3 "trace -o out.json: the calls of the loop"

# Two at once see the same: text and JSON say the same of it.
family_start
"$BPFPERF" trace -p $family_pid -m 8M -o both.json 'sched:*,raw_syscalls:*' 2>err.json &
json=$!
"$BPFPERF" trace -p $family_pid -m 8M -o both.txt 'sched:*,raw_syscalls:*' 2>err.txt &
text=$!
reap $json $text
family_seen both.json && family_seen both.txt
family_run "'$WORKLOADS/fork_tree' 5 101 >tree"
kill -INT $json $text
wait $json $text
family_end
is "$(cat err.json err.txt | grep -c ' 0 lost')" 2 "two outputs at once: exit 0, none lost"
is "$(grep -c . tree)" 11 "two outputs at once: eleven processes"
# shellcheck disable=SC2046 # one argument for each process
ok "two outputs at once: JSON has what text has" records json-text both.json both.txt $(tail -n +2 tree | said pid)

# Nanoseconds of each line.
times() {
	sed -nE 's/.*\] +([0-9]+)\.([0-9]{9}): .*/\1\2/p' out.txt | sed -E 's/^0+([0-9])/\1/'
}
start=$(now_ms)
exits 0 "trace --time=rel: exit 0" "$BPFPERF" trace --time=rel -o out.txt $ev -- "$loop" 3
between "$(times | tail -n 1)" 1 $((($(now_ms) - start + 1) * 1000000)) "trace --time=rel: times begin with the start"
exits 0 "trace --time=delta: exit 0" "$BPFPERF" trace --time=delta -o out.txt $ev -- "$loop" 1003
between "$(times | awk 'NR > 1 { n += $1 } END { printf "%d", n }')" 1002 "$(said ns <out)" \
	"trace --time=delta: times add up to no more than the loop took"
before=$(date +%s)
exits 0 "trace --time=real: exit 0" "$BPFPERF" trace --time=real -o out.txt $ev -- "$loop" 3
stamp=$(sed -nE '1s/.*\] +([0-9-]+T[0-9:]+)\.[0-9]{9}: .*/\1/p' out.txt)
between "$(date -d "$stamp" +%s)" "$before" "$(date +%s)" "trace --time=real: the time of day ($stamp)"
exits 0 "trace --time=mono: exit 0" "$BPFPERF" trace --time=mono -o out.txt $ev -- "$loop" 3
between "$(sed -nE '1s/.*\] +([0-9]+)\..*/\1/p' out.txt)" 0 "$(cut -d. -f1 /proc/uptime)" \
	"trace --time=mono: the time since boot"

exits 0 "names with control characters: exit 0" "$BPFPERF" trace -o out.txt \
	syscalls:sys_enter_getppid,task:task_rename -- "$WORKLOADS/renamer" 101
ok "names with control characters: they are escaped" test "$(LC_ALL=C grep -caP '[\x00-\x08\x0b-\x1f\x7f]' out.txt)" = 0
is "$(grep -c sys_enter_getppid out.txt)" 101 "names with control characters: no line is broken"
exits 0 "names with control characters in JSON: exit 0" "$BPFPERF" trace -o out.json $ev -- "$WORKLOADS/renamer" 101
is "$(records count out.json $'comm=new\nline')" 10 "names with control characters in JSON: names are decoded as they were"
start_bg out.txt trace -a --include-self --duration 0.5 'raw_syscalls:*'
wait "$bg"
isnt "$(records count out.txt "pid=$bg")" 0 "trace --include-self: bpfperf's own calls"
start_bg out.txt trace -a --duration 0.5 'raw_syscalls:*'
wait "$bg"
is "$(records count out.txt "pid=$bg")" 0 "trace without --include-self: no calls of bpfperf"
done_testing
