#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# What is read and written where a file is not what it ought to be: cut between records, a pipe, a
# directory, the same as the other, without an end, full.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"

exits 0 "a recording" "$BPFPERF" record -e raw_syscalls:sys_enter -o whole.data -- "$WORKLOADS/syscall_loop" 1009
"$BPFPERF" script -D -i whole.data >dump.txt
is "$(grep -c 'PERF_RECORD_SAMPLE' dump.txt)" "$("$BPFPERF" script -i whole.data | wc -l)" "has its samples"

# The last sample but 100 begins there: a record ends, no other one is torn.
at=$(grep PERF_RECORD_SAMPLE dump.txt | tail -n 101 | head -n 1 | sed -E 's/^(0x[0-9a-f]+) .*/\1/')
head -c $((at)) whole.data >cut.data
for cmd in "script" "script -D" "report"; do
	# shellcheck disable=SC2086 # two words
	exits 1 "cut between two records: $cmd" "$BPFPERF" $cmd -i cut.data
	like "$(cat err)" 'cut.data is damaged: it ends before all of its records' "  says so"
	ok "  and shows those before" test -s out
done

# Only what stands behind the records is gone.
head -c $(($(od -An -j40 -N8 -tu8 whole.data) + $(od -An -j48 -N8 -tu8 whole.data))) whole.data >cut.data
exits 1 "cut behind its records: script -D" "$BPFPERF" script -D -i cut.data
like "$(cat err)" 'cut.data is damaged behind its records' "  says so"
is "$(grep -c PERF_RECORD_SAMPLE out)" "$(grep -c PERF_RECORD_SAMPLE dump.txt)" "  and shows all of them"

# All records twice, two rounds apart: the second time they are late.
python3 - <<'END'
import struct
data = open("whole.data", "rb").read()
off, sz = struct.unpack("<QQ", data[40:56])
rounds = 2 * struct.pack("<IHH", 68, 0, 8)
# Its features stand elsewhere now: it has none.
head = data[:48] + struct.pack("<Q", 2 * sz + len(rounds)) + data[56:72] + bytes(32) + data[104:off]
open("twice.data", "wb").write(head + data[off:off + sz] + rounds + data[off:off + sz])
END
for cmd in script report; do
	exits 0 "records out of order: $cmd" "$BPFPERF" $cmd -i twice.data
	like "$(cat err)" '[0-9]+ records are out of order: the recording marks no rounds' "  says so"
done

exits 0 "a file as stdin" "$BPFPERF" script -i - <whole.data
# shellcheck disable=SC2002 # a pipe it is to be
exits 1 "the same by a pipe" sh -c "cat whole.data | '$BPFPERF' script -i -"
like "$(cat err)" 'stdin is a pipe.*give -i FILE' "  says what is wrong"
exits 1 "a directory" "$BPFPERF" script -i .
like "$(cat err)" 'is a directory.*/data' "  says which file in it"
# A terminal that is gone ends bpfperf as Ctrl-C does; not so where that is ignored (nohup).
start_bg hup.txt trace sched:sched_switch
stop_bg HUP
is "$bg_rc" 0 "SIGHUP ends trace"
like "$(cat err)" '[0-9]+ records, 0 lost' "  with a summary"
"$BPFPERF" stat -I 50 -a -e context-switches -o hup.stat &
bg=$!
reap $bg
ok "stat counts" wait_for 20 test -s hup.stat
stop_bg HUP
is "$bg_rc" 0 "  and SIGHUP ends it"
(trap '' HUP && exec "$BPFPERF" trace -o nohup.txt sched:sched_switch 2>nohup.err) &
bg=$!
reap $bg
ok "trace where it is ignored" wait_for 20 test -s nohup.txt
kill -HUP $bg
seen=$(wc -c <nohup.txt)
grown() { [ "$(wc -c <nohup.txt)" -gt $((seen + 65536)) ]; }
ok "  goes on" wait_for 60 grown
stop_bg INT
is "$bg_rc" 0 "  until SIGINT"

mkdir threads && cp whole.data threads/data && cp whole.data threads/data.0
exits 1 "a directory with a file for each thread" "$BPFPERF" script -i threads
like "$(cat err)" 'record without --threads' "  says what to do"
exits 1 "one of its files, without records" "$BPFPERF" report -i threads/data
like "$(cat err)" 'record without --threads' "  says so, too"
exits 1 "what never ends" timeout 60 "$BPFPERF" stack -i /dev/zero
like "$(cat err)" '/dev/zero: File too large' "  is not read until there is no memory left"

cp whole.data same.txt
exits 2 "report -o of the recording itself" "$BPFPERF" report -i same.txt -o ./same.txt
like "$(cat err)" 'same.txt is the recording itself; give another' "  is refused"
same same.txt whole.data "  and it stays whole"

exits 1 "as large as a file may be" sh -c "ulimit -f 64; exec '$BPFPERF' trace -o big.txt \
	raw_syscalls:sys_enter -- '$WORKLOADS/syscall_loop' 50021"
like "$(cat err)" 'cannot write big.txt: File too large' "  says so"
is "$(tail -c 1 big.txt | od -An -tu1 | tr -d ' ')" 10 "  and ends with a whole line"
done_testing
