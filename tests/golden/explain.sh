#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# What `bpfperf explain` prints, for models that are not this machine's.
. "$(dirname "$0")/../lib.sh"
need_built

explain() { # ARG…
	"$BPFPERF" explain --kernel 5.3 "$@"
}

exits 0 "two events for one counter" explain --pmu hsw --ht off \
	-e l1d_pend_miss.pending,cycle_activity.stalls_l1d_pending
cat >want <<'EOF'
Haswell, kernel 5.3, hyper-threading off, NMI watchdog on
counters PMC0-7,FIX0-2; turns every 4 ms

event                              counters      expected
NMI watchdog                       PMC0-7,FIX1   counted          100.00%
    always has FIX1
l1d_pend_miss.pending              PMC2          takes turns       50.00%
    only PMC2 can count it, and cycle_activity.stalls_l1d_pending wants it too: they take turns
cycle_activity.stalls_l1d_pending  PMC2          takes turns       50.00%
    only PMC2 can count it, and l1d_pend_miss.pending wants it too: they take turns

who is on which counter, from that millisecond on (. waits, * needs none)
ms                                 0     4     8     12    16    20    24    28
NMI watchdog                       FIX1  FIX1  FIX1  FIX1  FIX1  FIX1  FIX1  FIX1
l1d_pend_miss.pending              2     .     2     .     2     .     2     .
cycle_activity.stalls_l1d_pending  .     2     .     2     .     2     .     2

without turns: 2 runs
  -e 'l1d_pend_miss.pending'
  -e 'cycle_activity.stalls_l1d_pending'
EOF
grep -v '^note: ' out | sed -e '$ { /^$/d; }' >got
same got want "is explained whole"

exits 0 "a task that sleeps" explain --pmu skl --busy 10 -e cycles
like "$(cat out)" ', ~ task sleeps\)' "is told in the legend"
exits 2 "--burst-ms of a task that never sleeps" explain --pmu skl --burst-ms 5 -e cycles
like "$(cat err)" 'give --busy' "is a mistake"

exits 0 "a group that is too large" explain --pmu skl --ht on --nmi-watchdog off \
	-e '{r1b0,r2b0,r4b0,r8b0,r10b0,r20b0}'
is "$(grep -c '<not counted>$' out)" 4 "four are not counted"
is "$(grep -c '<not supported>$' out)" 2 "two are refused"
is "$(grep -c "^  -e '" out)" 2 "and two runs would do"
is "$(grep -c "^  -e '{" out)" 0 "outside of a group"
exits 0 "its modifiers" explain --pmu skl --ht on --nmi-watchdog off -e '{r1b0,r2b0,r4b0,r8b0,r10b0}:u'
like "$(cat out)" "-e 'r1b0:u,r2b0:u,r4b0:u,r8b0:u'" "stay when it is taken apart"
exits 0 "modifiers of a member beside them" explain --pmu skl --ht on --nmi-watchdog off \
	-e '{r1b0:k,cpu/event=0xb0,umask=2/,cpu/event=0xb0,umask=4/k,r8b0:pu,r10b0}:upW'
like "$(cat out)" "-e 'r1b0:kup,cpu/event=0xb0,umask=2/up,cpu/event=0xb0,umask=4/kup,r8b0:pup'" \
	"stay, too, but for that of groups"
exits 0 "a group that is led by a PMU's event" explain --pmu skl --ht on --nmi-watchdog off \
	-e '{cpu/event=0xb0,umask=1/,r2b0,r4b0}:kI,{r8b0:u,r10b0}:S'
like "$(cat out)" "-e '\\{cpu/event=0xb0,umask=1/,r2b0,r4b0\\}:kI'" "keeps its modifiers"
like "$(cat out)" "-e '\\{r8b0:u,r10b0\\}:S'" "which are not its leader's"
exits 0 "a group beside others" explain --pmu skl --ht on -e '{r1b0,r2b0,r4b0}:D,{r8b0,r10b0}'
like "$(cat out)" "-e '\\{r1b0,r2b0,r4b0\\}:D'" "stays whole"

exits 0 "all at once" explain --pmu skl -e cycles,instructions,faults
is "$(grep -c 'counted  *100.00%' out)" 4 "is counted all the time"
like "$(cat out)" "nothing takes turns" "and said so"
unlike "$(cat out)" "without turns" "no better grouping is offered"

exits 0 "a sleeper" explain --pmu icl --busy 0 --run-ms 1000 -e instructions,r148,r151,r108,r249,r185
is "$(grep -c '<not counted>  *0.00%' out)" 1 "its last event is never counted"
like "$(cat out)" "no turn came while the task was on the CPU" "because it slept"
exits 0 "a short run" explain --pmu icl --run-ms 2 -e r148,r151,r108,r249,r185
is "$(grep -c '<not counted>  *0.00%' out)" 1 "likewise"

exits 0 "JSON" explain --pmu skl --ht on --json \
	-e '{l1d_pend_miss.pending,faults}' -e mem_inst_retired.all_loads:D,cycles,r1b0,r2b0,r3b0,r4b0
python3 - out >got <<'EOF'
import json, sys
text = open(sys.argv[1]).read()
assert text.count("\n") == 1
o = json.loads(text)
for e in o["events"]:
    assert set(e) == {"event", "group", "pinned", "hardware", "watchdog", "counters", "used", "state",
                      "percent", "reads_zero", "reason"}, e
    print(e["event"], ",".join(e["counters"]) or "-", e["state"], e["percent"])
shares = [sum(s["counters"][i] is not None for s in o["timeline"]) for i in range(len(o["events"]))]
for e, share in zip(o["events"], shares):
    assert abs(100 * share / len(o["timeline"]) - e["percent"]) < 0.01, (e, share)
assert o["ht"] is True and o["kernel"] == "5.3" and o["pmu"] == "skl" and o["turn_ms"] == 4
assert len(o["runs"]) == 2 and o["never"] == []
EOF
cat >want <<'EOF'
NMI watchdog PMC0,PMC1,PMC2,PMC3,FIX1 counted 100.0
l1d_pend_miss.pending PMC0,PMC1,PMC2,PMC3 multiplexed 50.0
faults - multiplexed 50.0
mem_inst_retired.all_loads:D PMC0,PMC1,PMC2,PMC3 counted 100.0
cycles PMC0,PMC1,PMC2,PMC3,FIX1 multiplexed 50.0
r1b0 PMC0,PMC1,PMC2,PMC3 multiplexed 50.0
r2b0 PMC0,PMC1,PMC2,PMC3 multiplexed 50.0
r3b0 PMC0,PMC1,PMC2,PMC3 multiplexed 50.0
r4b0 PMC0,PMC1,PMC2,PMC3 multiplexed 50.0
EOF
same got want "says the same, and its timeline adds up"

exits 0 "arm64" explain --pmu armv8:6 -e cycles,r1,r2,r3,r4,r5,r6
is "$(grep -c 'counted  *100.00%' out)" 7 "six counters and the cycle counter"
exits 0 "one more" explain --pmu armv8:6 -e cycles,r1,r2,r3,r4,r5,r6,r7
is "$(grep -c 'takes turns  ' out)" 8 "all take turns"
exits 0 "its names" explain --pmu armv8:1 -e CPU_CYCLES,cycles,inst_retired
is "$(grep -cE '^[a-zA-Z_]+ +CNT0(,CYC)? +takes turns' out)" 3 "are known on any machine"
is "$(grep -cE '^[a-zA-Z_]+ +CNT0,CYC +takes turns' out)" 2 "and cycles by two of them"
exits 2 "a name that nearly is one" explain --pmu armv8:1 -e inst_retird
like "$(cat err)" "did you mean inst_retired" "is corrected"
exits 0 "kernel 4.1-rc3" explain --kernel 4.1-rc3 --pmu ivb --ht on -e 'r81d0,r82d0'
like "$(cat out)" "with hyper-threading this kernel uses 2 counters at once" "has its own limit"
exits 0 "kernel 3.10 on Ivy Bridge" explain --kernel 3.10 --pmu ivb -e r81d0
like "$(cat out)" "refuse the events of the HT erratum" "refuses an event"
exits 0 "the watchdog in the way" explain --pmu snb --nmi-watchdog PMC2 -e l1d_pend_miss.pending
like "$(cat out)" "only PMC2 can count it, and NMI watchdog is there all the time" "is named"
exits 0 "the other thread in the way" explain --pmu snb --ht on --sibling 2 -e l1d_pend_miss.pending
like "$(cat out)" "the core's other thread counts events of the HT erratum on PMC2" "is named"

exits 0 "registers beside the counters" explain --pmu skl -e LLC-loads,LLC-stores,LLC-load-misses
like "$(cat out)" "needs a register that others of its kind hold" "are named"
exits 0 "what counts inside of transactions" explain --pmu hsw --ht on -e r10000003c,r20000003c
is "$(grep -E '^r' out | head -n 2 | tr -s ' ' | cut -d ' ' -f 1,2 | tr '\n' ';')" "r10000003c PMC0-3;r20000003c PMC2;" \
	"goes on no fixed counter, and checkpointed only on PMC2"
exits 0 "an exclusive event" explain --pmu skl -e r1b0:e,r2b0
like "$(cat out)" "it is exclusive" "is told"

exits 2 "no events" explain --pmu skl
like "$(cat err)" "which events\\?" "is said"
exits 2 "no such model" explain --pmu p4 -e cycles
like "$(cat err)" "choose host, snb, ivb, hsw, bdw, skl, icl or armv8:N" "models are named"
for n in 0 32 x 6x ''; do
	exits 2 "armv8:$n" explain --pmu "armv8:$n" -e cycles
done
exits 2 "no such event there" explain --pmu icl -e cycle_activity.stalls_l1d_pending
like "$(cat err)" "did you mean" "the nearest is named"
for opt in "--ht maybe" "--nmi-watchdog PMC9" "--nmi-watchdog x" "--kernel six" "--busy 101" "--busy -1" \
	"--tfa 1" "--run-ms 0" "--sibling 9" "--sibling 1,"; do
	# shellcheck disable=SC2086 # two words
	exits 2 "$opt" explain --pmu skl -e cycles $opt
	is "$(wc -l <err)" 1 "is told in one sentence"
done
exits 2 "a counter that hyper-threading takes" explain --pmu skl --ht on --nmi-watchdog PMC5 -e cycles
like "$(cat err)" "only 4 general counters" "is said"
exits 2 "too many events" explain --pmu skl -e "$(seq -s, -f 'r%g' 100 240)"
like "$(cat err)" "more than 127 events" "is said"
explain --pmu skl -e cycles >/dev/full 2>err
is $? 1 "a full disk is a failure"

if compgen -G '/sys/bus/event_source/devices/cpu*' >/dev/null || compgen -G '/sys/bus/event_source/devices/arm*' >/dev/null; then
	exits 0 "this machine" "$BPFPERF" explain -e cycles
else
	exits 1 "this machine has no PMU" "$BPFPERF" explain -e cycles
	like "$(cat err)" "name a model: --pmu snb, ivb" "the remedy is named"
fi
done_testing
