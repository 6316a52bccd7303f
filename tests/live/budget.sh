#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# trace --budget: the worst event is stopped and named, others go on, nothing goes uncounted.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd python3

# A system call that none of the programs here makes but the storm itself.
N=200003
ev=syscalls:sys_enter_getsid
# A storm that goes on until it was stopped, however fast this machine is, and for a round more; a line of each round.
cat >storm.sh <<'END'
until grep -q 'it is stopped' err; do
	"$1" "$2" getsid
done
"$1" "$2" getsid
END
# How many calls that were: of each round it says so.
calls() {
	awk -v RS=' ' -F= '$1 == "count" { n += $2 } END { print n + 0 }' out
}
skipped() {
	sed -nE "s/^bpfperf: skipped ([0-9]+) of $1: .*/\1/p" err
}

exits 0 "a storm over --budget: exit 0" "$BPFPERF" trace --budget 10K -o out.txt \
	$ev,syscalls:sys_enter_exit_group -- sh storm.sh "$WORKLOADS/syscall_loop" $N
like "$(cat err)" "$ev makes [0-9]+ of [0-9]+ records a second.*budget of 10000:.*other events continue" \
	"a storm over --budget: the event is stopped, named with its rate"
shown=$(grep -cE "\] +[0-9.]+: $ev: " out.txt)
over=$(skipped $ev)
isnt "$over" "" "a storm over --budget: records that were not sent are counted"
is $((shown + $(summary lost))) "$(calls)" "a storm over --budget: shown ($shown) + stopped ($over) + lost = happened"
is "$(sed -nE "s/.*: lost ([0-9]+) records of $ev: over the budget/\1/p" out.txt)" "$over" \
	"a storm over --budget: the stop is in the output"
rounds=$(grep -c count= out)
is "$(grep -c sys_enter_exit_group out.txt)" $((2 * rounds + 1)) "a storm over --budget: the other event continues"
is "$(grep -c unaccounted err)" 0 "a storm over --budget: no record is unaccounted for"

exits 3 "--budget with --lost-exit: exit 3" "$BPFPERF" trace --budget 10K --lost-exit -o out.json $ev -- \
	sh storm.sh "$WORKLOADS/syscall_loop" $N
like "$(cat err)" 'there is no other event' "--budget with --lost-exit: the only event is stopped, too"
is "$(sed -nE 's/.*"lost":([0-9]+),"cause":"over the budget","lost_event":"([^"]*)".*/\1 \2/p' out.json)" \
	"$(skipped $ev) $ev" "--budget with JSON: the stop is an object"
exits 0 "--budget with --filter: exit 0" "$BPFPERF" trace --budget 10K -o out.txt raw_syscalls:sys_enter \
	--filter "id == $(said nr <out | head -n 1)" -- sh storm.sh "$WORKLOADS/syscall_loop" $N
isnt "$(skipped raw_syscalls:sys_enter)" "" "--budget with --filter: the event is stopped"
is $(($(grep -cE "\] +[0-9.]+: raw_syscalls:sys_enter: " out.txt) + $(summary lost))) "$(calls)" \
	"--budget with --filter: only records that pass are counted"
# A budget is judged each second: a storm of four of them at least.
cat >seconds.sh <<'END'
begin=$(date +%s)
until [ $(($(date +%s) - begin)) -ge 5 ]; do
	"$1" "$2" getsid
done
END
exits 0 "--budget 0: exit 0" "$BPFPERF" trace --budget 0 -m 1 -o /dev/null $ev -- sh seconds.sh "$WORKLOADS/syscall_loop" $N
is "$(grep -c stopped err)" 0 "--budget 0: no event is stopped"
exits 0 "the default budget: exit 0" "$BPFPERF" trace -o /dev/null $ev -- sh seconds.sh "$WORKLOADS/syscall_loop" $N
is "$(grep -c stopped err)" 0 "the default budget: one busy thread is not stopped"

# An event that made many records long ago, and is still being printed, is not over the budget now: the reader takes
# 512 KiB each half second until one of them is stopped.
cat >reader.py <<'END'
import sys
import time
out = open("out.txt", "wb")
while block := sys.stdin.buffer.read(1 << 19):
    out.write(block)
    if b"it is stopped" not in open("err", "rb").read():
        time.sleep(0.5)
END
other=syscalls:sys_enter_getpgid
mkfifo pipe
python3 reader.py <pipe &
reader=$!
reap $reader
cat >after.sh <<'END'
"$1" 100003 getpgid
exec sh storm.sh "$@"
END
exits 0 "a storm behind a backlog: exit 0" "$BPFPERF" trace --budget 150K -m 16M -o pipe $other $ev -- \
	sh after.sh "$WORKLOADS/syscall_loop" $N
wait $reader
like "$(cat err)" "$ev makes [0-9]+ of [0-9]+ records" "a storm behind a backlog: the storm is stopped"
is "$(grep -c 'it is stopped' err) $(skipped $other)" "1 " "a storm behind a backlog: earlier events are not stopped"
is "$(grep -cE "\] +[0-9.]+: $other: " out.txt)" 100003 "a storm behind a backlog: no earlier record is missing"
is $(($(grep -cE "\] +[0-9.]+: syscalls:" out.txt) + $(summary lost))) "$(calls)" \
	"a storm behind a backlog: shown + stopped + lost = happened"

# A flight recorder shows nothing until its dump, and has a budget all the same where one is given.
cat >before.sh <<'END'
sh storm.sh "$@"
exec "$1" 7 getpgid
END
exits 0 "--overwrite --budget: exit 0" "$BPFPERF" trace --overwrite --trigger $other --budget 10K -o out.txt $ev -- \
	sh before.sh "$WORKLOADS/syscall_loop" $N
like "$(cat err)" "$ev makes [0-9]+ of [0-9]+ records.*it is stopped" "--overwrite --budget: the storm is stopped"
isnt "$(skipped $ev)" "" "--overwrite --budget: stopped records are counted"
like "$(cat err)" ' 7 records triggered' "--overwrite --budget: the trigger is not stopped"
is "$(grep -c unaccounted err)" 0 "--overwrite --budget: no record is unaccounted for"
for bad in x -5 5X '' 1e6; do
	exits 2 "--budget '$bad': exit 2" "$BPFPERF" trace --budget "$bad" $ev
done
done_testing
