#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# Samples by function, beside perf record of the same process, all its life: the same within sampling error. Recordings
# for perf, of what it does not take.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd perf python3

# Both sample what bpfperf runs, from its exec to its end, whatever else the CPUs are given to meanwhile.
exits 0 "stack beside perf record: exit 0" perf record -q --no-bpf-event -e cpu-clock -F 499 -g -o perf.data -- \
	"$BPFPERF" stack --unwind=fp -e cpu-clock -F 499 --no-inline -o ours.folded -- "$WORKLOADS/spin" 5
perf script -i perf.data --no-inline --comms spin -F ip,sym >theirs.txt 2>/dev/null

python3 - <<'END' >compared
import math, re

def shares(stacks):
    """Of all samples, by function: those taken in it, and those with it on the stack."""
    n, self_cnt, total = 0, {}, {}
    for frames, cnt in stacks:
        n += cnt
        self_cnt[frames[0]] = self_cnt.get(frames[0], 0) + cnt
        for f in set(frames):
            total[f] = total.get(f, 0) + cnt
    return n, self_cnt, total

ours = []
for line in open("ours.folded"):
    if line.startswith("spin;"):
        stack, cnt = line.rsplit(" ", 1)
        ours.append((stack.split(";")[:0:-1], int(cnt)))
theirs = []
for block in open("theirs.txt").read().split("\n\n"):
    frames = [re.sub(r"\+0x[0-9a-f]+$", "", l.split(None, 1)[1]) for l in block.splitlines() if len(l.split(None, 1)) > 1]
    if frames:
        theirs.append((frames, 1))
(n1, self1, total1), (n2, self2, total2) = shares(ours), shares(theirs)
worst, compared = 0, 0
for a, b in ((self1, self2), (total1, total2)):
    for f in ("spin_inner", "spin_outer", "main"):
        if a.get(f, 0) + b.get(f, 0) < 40:
            continue
        p = (a.get(f, 0) + b.get(f, 0)) / (n1 + n2)
        err = math.sqrt(max(p * (1 - p), 1e-4) * (1 / n1 + 1 / n2))
        worst = max(worst, abs(a.get(f, 0) / n1 - b.get(f, 0) / n2) / err)
        compared += 1
print(f"ours={n1} theirs={n2} functions={compared} worst={worst * 100:.0f}")
END
diag "$(cat compared)"
value() {
	tr ' ' '\n' <compared | sed -n "s/^$1=//p"
}
between "$(value ours)" 100 2600 "stack beside perf record: there are samples"
between "$(value ours)" $(($(value theirs) * 95 / 100)) $(($(value theirs) * 105 / 100)) "stack beside perf record: as many as perf's"
between "$(value functions)" 4 6 "stack beside perf record: functions that both have"
between "$(value worst)" 0 500 "stack beside perf record: equal shares, within five standard errors"

# Deeper than perf's readers take: told, as the format has no mark for it.
max=$(cat /proc/sys/kernel/perf_event_max_stack)
exits 0 "record -g of deep stacks: exit 0" "$BPFPERF" stack -e cpu-clock:u -F 499 -o deep.data -- "$WORKLOADS/unwind_c" deep 1 $((max + 76))
cut=$(sed -nE 's/^bpfperf: warning: ([0-9]+) of [0-9]+ stacks lack their outermost functions: .*/\1/p' err)
between "${cut:-0}" $(($(summary samples) / 2)) "$(summary samples)" "record -g of deep stacks: cut ones are counted"
exits 0 "record -g of shallow stacks: exit 0" "$BPFPERF" stack -e cpu-clock:u -F 499 -o shallow.data -- "$WORKLOADS/spin" 0.1
is "$(grep -c 'outermost functions' err)" 0 "record -g of shallow stacks: no cut is reported"
done_testing
