#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# trace --budget: the worst event is stopped and named, others go on, nothing goes uncounted.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd python3

# A system call that none of the programs here makes but the storm itself.
N=1000003
ev=syscalls:sys_enter_getsid
# A storm that goes on until it was stopped, however fast this machine is; a line of each round.
cat >storm.sh <<'END'
until grep -q 'it is stopped' err; do
	"$1" "$2" getsid
done
END
# How many calls that were: of each round it says so.
calls() {
	awk -v RS=' ' -F= '$1 == "count" { n += $2 } END { print n + 0 }' out
}
skipped() {
	sed -nE "s/^bpfperf: skipped ([0-9]+) of $1: .*/\1/p" err
}

exits 0 "a storm over the budget" "$BPFPERF" trace --budget 10K -o out.txt \
	$ev,syscalls:sys_enter_exit_group -- sh storm.sh "$WORKLOADS/syscall_loop" $N
like "$(cat err)" "$ev makes [0-9]+ of [0-9]+ records a second.*budget of 10000:.*others go on" \
	"is stopped, named, with its rate"
shown=$(grep -cE "\] +[0-9.]+: $ev: " out.txt)
over=$(skipped $ev)
isnt "$over" "" "what it would have sent is counted"
is $((shown + $(summary lost))) "$(calls)" "shown ($shown) + stopped ($over) + lost = happened"
is "$(sed -nE "s/.*: lost ([0-9]+) records of $ev: over the budget/\1/p" out.txt)" "$over" \
	"and stands in the output"
rounds=$(grep -c count= out)
is "$(grep -c sys_enter_exit_group out.txt)" $((2 * rounds + 2)) "the other event went on"
is "$(grep -c unaccounted err)" 0 "nothing is unaccounted for"

exits 3 "--lost-exit" "$BPFPERF" trace --budget 10K --lost-exit -o out.json $ev -- \
	sh storm.sh "$WORKLOADS/syscall_loop" $N
like "$(cat err)" 'there are no others' "the only event may be stopped, too"
is "$(sed -nE 's/.*"lost":([0-9]+),"cause":"over the budget","lost_event":"([^"]*)".*/\1 \2/p' out.json)" \
	"$(skipped $ev) $ev" "JSON has it"
exits 0 "with a filter" "$BPFPERF" trace --budget 10K -o out.txt raw_syscalls:sys_enter \
	--filter "id == $(said nr <out | head -n 1)" -- sh storm.sh "$WORKLOADS/syscall_loop" $N
isnt "$(skipped raw_syscalls:sys_enter)" "" "is stopped, too"
is $(($(grep -cE "\] +[0-9.]+: raw_syscalls:sys_enter: " out.txt) + $(summary lost))) "$(calls)" \
	"only what passes counts"
exits 0 "--budget 0" "$BPFPERF" trace --budget 0 -m 1 -o /dev/null $ev -- "$WORKLOADS/syscall_loop" 10000019 getsid
is "$(grep -c stopped err)" 0 "stops nothing"
exits 0 "the default" "$BPFPERF" trace -o /dev/null $ev -- "$WORKLOADS/syscall_loop" 3000017 getsid
is "$(grep -c stopped err)" 0 "leaves one thread alone"

# Who made much long ago, and is still being printed, is not who makes too much now: their reader takes 512 KiB each
# half second until one of them is stopped.
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
exits 0 "a storm behind a backlog" "$BPFPERF" trace --budget 150K -m 16M -o pipe $other $ev -- \
	sh after.sh "$WORKLOADS/syscall_loop" $N
wait $reader
like "$(cat err)" "$ev makes [0-9]+ of [0-9]+ records" "the storm is what is stopped"
is "$(grep -c 'it is stopped' err) $(skipped $other)" "1 " "and not what came before"
is "$(grep -cE "\] +[0-9.]+: $other: " out.txt)" 100003 "of which nothing is missing"
is $(($(grep -cE "\] +[0-9.]+: syscalls:" out.txt) + $(summary lost))) "$(calls)" \
	"shown + stopped + lost = happened"

# A flight recorder shows nothing until its dump, and has a budget all the same where one is given.
cat >before.sh <<'END'
sh storm.sh "$@"
exec "$1" 7 getpgid
END
exits 0 "--overwrite --budget" "$BPFPERF" trace --overwrite --trigger $other --budget 10K -o out.txt $ev -- \
	sh before.sh "$WORKLOADS/syscall_loop" $N
like "$(cat err)" "$ev makes [0-9]+ of [0-9]+ records.*it is stopped" "stops the storm, too"
isnt "$(skipped $ev)" "" "  whose rest is counted"
like "$(cat err)" ' 7 records triggered' "  and not what triggers"
is "$(grep -c unaccounted err)" 0 "  nothing is unaccounted for"
for bad in x -5 5X '' 1e6; do
	exits 2 "--budget '$bad'" "$BPFPERF" trace --budget "$bad" $ev
done
done_testing
