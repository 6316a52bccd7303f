#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# The output of `bpfperf explain` for models of other machines.
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

the counter of each event, from that millisecond on (. waits, * needs none)
ms                                 0     4     8     12    16    20    24    28    32    36
NMI watchdog                       FIX1  FIX1  FIX1  FIX1  FIX1  FIX1  FIX1  FIX1  FIX1  FIX1
l1d_pend_miss.pending              2     .     2     .     2     .     2     .     2     .
cycle_activity.stalls_l1d_pending  .     2     .     2     .     2     .     2     .     2

without turns: 2 runs
  -e 'l1d_pend_miss.pending'
  -e 'cycle_activity.stalls_l1d_pending'
EOF
grep -v '^note: ' out | sed -e '$ { /^$/d; }' >got
same got want "explain of two events for one counter: the whole answer"

exits 0 "a task that sleeps: exit 0" explain --pmu skl --busy 10 -e cycles
like "$(cat out)" ', ~ task sleeps\)' "a task that sleeps: the legend tells of sleep"
exits 2 "--burst-ms of a task that never sleeps: exit 2" explain --pmu skl --burst-ms 5 -e cycles
like "$(cat err)" 'give --busy' "--burst-ms of a task that never sleeps: the mistake is reported"

exits 0 "a group that is too large: exit 0" explain --pmu skl --ht on --nmi-watchdog off \
	-e '{r1b0,r2b0,r4b0,r8b0,r10b0,r20b0}'
is "$(grep -c '<not counted>$' out)" 4 "a group that is too large: four events are not counted"
is "$(grep -c '<not supported>$' out)" 2 "a group that is too large: two events are refused"
is "$(grep -c "^  -e '" out)" 2 "a group that is too large: two runs would count all"
is "$(grep -c "^  -e '{" out)" 0 "a group that is too large: outside of a group two runs would count all"
exits 0 "modifiers of a group: exit 0" explain --pmu skl --ht on --nmi-watchdog off -e '{r1b0,r2b0,r4b0,r8b0,r10b0}:u'
like "$(cat out)" "-e 'r1b0:u,r2b0:u,r4b0:u,r8b0:u'" "modifiers of a group: they stay when the group is taken apart"
exits 0 "modifiers of a member beside those of the group: exit 0" explain --record --pmu skl --ht on --nmi-watchdog off \
	-e '{r1b0:k,cpu/event=0xb0,umask=2/,cpu/event=0xb0,umask=4/k,r8b0:pu,r10b0}:upW'
like "$(cat out)" "-e 'r1b0:kup,cpu/event=0xb0,umask=2/up,cpu/event=0xb0,umask=4/kup,r8b0:pup'" \
	"modifiers of a member beside those of the group: they stay without those of groups"
exits 0 "a group that is led by a PMU's event: exit 0" explain --pmu skl --ht on --nmi-watchdog off \
	-e '{cpu/event=0xb0,umask=1/,r2b0,r4b0}:kI,{r8b0:u,r10b0}:S'
like "$(cat out)" "-e '\\{cpu/event=0xb0,umask=1/,r2b0,r4b0\\}:kI'" "a group that is led by a PMU's event: members keep their own modifiers"
like "$(cat out)" "-e '\\{r8b0:u,r10b0\\}:S'" "a group that is led by a PMU's event: members do not take the leader's modifiers"
exits 0 "a group beside others: exit 0" explain --pmu skl --ht on -e '{r1b0,r2b0,r4b0}:D,{r8b0,r10b0}'
like "$(cat out)" "-e '\\{r1b0,r2b0,r4b0\\}:D'" "a group beside others: the group stays whole"

exits 0 "as many events as counters: exit 0" explain --pmu skl -e cycles,instructions,faults
is "$(grep -c 'counted  *100.00%' out)" 4 "as many events as counters: each event is counted all the time"
like "$(cat out)" "no event takes turns" "as many events as counters: nothing takes turns"
unlike "$(cat out)" "without turns" "as many events as counters: no better grouping is offered"

exits 0 "a sleeper's events in one round: exit 0" explain --pmu icl --busy 0 --run-ms 1000 -e instructions,r148,r151,r108,r249,r185
is "$(grep -c '<not counted>  *0.00%' out)" 1 "a sleeper's events in one round: the last event is never counted"
like "$(cat out)" "no turn came while the task was on the CPU" "a sleeper's events in one round: sleep is the reason"
exits 0 "a short run: exit 0" explain --pmu icl --run-ms 2 -e r148,r151,r108,r249,r185
is "$(grep -c '<not counted>  *0.00%' out)" 1 "a short run: the last event is never counted"

exits 0 "explain --json: exit 0" explain --pmu skl --ht on --json \
	-e '{l1d_pend_miss.pending,faults}' -e mem_inst_retired.all_loads:D,cycles,r1b0,r2b0,r3b0,r4b0
python3 - out >got <<'EOF'
import json, sys
text = open(sys.argv[1]).read()
assert text.count("\n") == 1
o = json.loads(text)
for e in o["events"]:
    assert set(e) == {"event", "group", "context", "pinned", "hardware", "watchdog", "counters", "used", "state",
                      "percent", "enabled_ms", "running_ms", "reads_zero", "reason"}, e
    assert abs(100 * e["running_ms"] / e["enabled_ms"] - e["percent"]) < 0.01 and e["context"] in ("cpu", "task"), e
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
same got want "explain --json: equal to the text, and the timeline adds up"

exits 0 "armv8 with six counters, seven events: exit 0" explain --pmu armv8:6 -e cycles,r1,r2,r3,r4,r5,r6
is "$(grep -c 'counted  *100.00%' out)" 7 "armv8 with six counters, seven events: the cycle counter takes the seventh event"
exits 0 "armv8 with six counters, eight events: exit 0" explain --pmu armv8:6 -e cycles,r1,r2,r3,r4,r5,r6,r7
is "$(grep -c 'takes turns  ' out)" 8 "armv8 with six counters, eight events: all take turns"
exits 0 "armv8 names of events: exit 0" explain --pmu armv8:1 -e CPU_CYCLES,cycles,inst_retired
is "$(grep -cE '^[a-zA-Z_]+ +CNT0(,CYC)? +takes turns' out)" 3 "armv8 names of events: known on any machine"
is "$(grep -cE '^[a-zA-Z_]+ +CNT0,CYC +takes turns' out)" 2 "armv8 names of events: two events for cycles take turns"
exits 2 "a misspelt armv8 event: exit 2" explain --pmu armv8:1 -e inst_retird
like "$(cat err)" "did you mean inst_retired" "a misspelt armv8 event: the nearest name is proposed"
exits 0 "--kernel 4.1-rc3 on Ivy Bridge: exit 0" explain --kernel 4.1-rc3 --pmu ivb --ht on -e 'r81d0,r82d0'
like "$(cat out)" "with hyper-threading this kernel uses 2 counters at once" "--kernel 4.1-rc3 on Ivy Bridge: the limit of that kernel applies"
# Faults of turns are noted only where an event takes turns.
exits 0 "--kernel 4.5, all fit: exit 0" explain --kernel 4.5 --pmu skl --ht on -e r1b0,r2b0
is "$(grep -c '^note: ' out)" 0 "--kernel 4.5, all fit: no note about turns"
exits 0 "--kernel 4.5, turns: exit 0" explain --kernel 4.5 --pmu skl --ht on -e r1b0,r2b0,r3b0,r4b0,r5b0,r6b0
is "$(grep -c '^note: .* an event that takes turns' out)" 1 "--kernel 4.5, turns: the kernel's fault is noted"

exits 0 "--kernel 3.10 on Ivy Bridge: exit 0" explain --kernel 3.10 --pmu ivb -e r81d0
like "$(cat out)" "refuse the events of the HT erratum" "--kernel 3.10 on Ivy Bridge: an event is refused"
exits 0 "the NMI watchdog in the way: exit 0" explain --pmu snb --nmi-watchdog PMC2 -e l1d_pend_miss.pending
like "$(cat out)" "only PMC2 can count it, and NMI watchdog is always placed first" "the NMI watchdog in the way: the watchdog is named as the holder"
exits 0 "the other hyper-thread in the way: exit 0" explain --pmu snb --ht on --sibling 2 -e l1d_pend_miss.pending
like "$(cat out)" "the core's other thread counts events of the HT erratum on PMC2" "the other hyper-thread in the way: the thread is named as the holder"

exits 0 "registers beside the counters: exit 0" explain --pmu skl -e LLC-loads,LLC-stores,LLC-load-misses
like "$(cat out)" "needs a register for off-core responses, of which there are 2" "registers beside the counters: events that want a held register are named"
exits 0 "events that count inside of transactions: exit 0" explain --pmu hsw --ht on -e r10000003c,r20000003c
is "$(grep -E '^r' out | head -n 2 | tr -s ' ' | cut -d ' ' -f 1,2 | tr '\n' ';')" "r10000003c PMC0-3;r20000003c PMC2;" \
	"events that count inside of transactions: no fixed counter, and checkpointed ones only on PMC2"
exits 0 "an exclusive event: exit 0" explain --pmu skl -e r1b0:e,r2b0
like "$(cat out)" "it is exclusive" "an exclusive event: the verdict is exclusive"

# Every model, and the names that people type.
exits 0 "--pmu list: exit 0" "$BPFPERF" explain --pmu list
# The first table is of cores, the second of PMUs beside them.
like "$(cat out)" "zen4_l3 +CTR0-5 " "--pmu list: PMUs beside the cores' are listed"
sed -i "/^$/,\$d" out
models=$(awk 'NR > 1 { print $1 }' out)
is "$(awk '{ print index($0, $2) }' out | sort -u | wc -l)" 1 "--pmu list: counters are in one column"
is "$(sed 1d out | grep -cE '^[a-z0-9_]+ +(PMC|CNT)0-')" "$(wc -w <<<"$models")" "--pmu list: each model has counters"
for model in $models; do
	"$BPFPERF" explain --pmu "$model" --nmi-watchdog off -e cycles,instructions >one 2>err
	is "$? $(grep -cE '^(cycles|instructions) .* counted +100.00%' one)" "0 2" "--pmu $model: cycles and instructions fit"
done
while read -r alias title; do
	"$BPFPERF" explain --pmu "$alias" -e cycles >one 2>err
	like "$(head -n 1 one)" "^$title" "--pmu $alias: $title"
done <<-EOF
	icx Ice Lake server
	clx Cascade Lake
	CascadeLake Cascade Lake
	skylake-avx512 Skylake server
	whiskeylake Skylake
	golden_cove Sapphire Rapids
	lioncove Arrow Lake
	Zen-4 AMD Zen 4
	EPYC-Milan AMD Zen 3
	bdver2 AMD family 15h
	Broadwell-DE Broadwell
	spr Sapphire Rapids
	Sapphire-Rapids Sapphire Rapids
	emr Sapphire Rapids, Emerald Rapids
	gnr Granite Rapids
	rpl Alder Lake, Raptor Lake: P
	adl-e Alder Lake, Raptor Lake: E
	lnl Lunar Lake
	diamondrapids Diamond Rapids
	novalake Nova Lake: P
	graviton2 Neoverse N1
	GRAVITON3 Neoverse V1
	graviton4 Neoverse V2
	neoverse-n1 Neoverse N1
	altra Neoverse N1
	zen AMD Zen
	zen2 AMD Zen 2
	milan AMD Zen 3
	m1 Apple M1
EOF

exits 0 "topdown metrics: exit 0" explain --pmu spr --kernel 7.2 --nmi-watchdog off \
	-e '{slots,topdown-retiring,topdown-mem-bound}' -e cpu/cycles/,cpu/mem-loads/,topdown-bad-spec
is "$(grep -cE '^ *(slots|topdown-retiring|topdown-mem-bound) +(FIX3|TD0|TD7) +counted +100.00%$' out)" 3 "topdown metrics: slots and two of its metrics"
is "$(grep -cE '^cpu/(cycles|mem-loads)/ +(PMC0-7,FIX1|PMC1-7) ' out)" 2 "topdown metrics: the kernel's own names in the PMU's terms"
like "$(grep -A1 '^topdown-bad-spec' out)" "not supported.*only in a group that slots leads" "topdown metrics: a metric alone is refused"
# Precise events: PEBS has constraints of its own, and only samples.
counters_of() { # EVENT
	grep -A1 "^ *$1 .*%\|^ *$1 .*<" out | sed -E "s/^ *//; s/  +/ /g; s|^$1 ||" | xargs
}
exits 0 "precise events that are counted: exit 0" explain --pmu hsw --kernel 6.1 -e cycles:pp
like "$(counters_of cycles:pp)" "PMC0-3 <not.*sampled, not counted.*--record" "precise events that are counted: refused from 4.10 on"
exits 0 "precise events, 4.9: exit 0" explain --pmu hsw --kernel 4.9 -e cycles:pp
like "$(counters_of cycles:pp)" "PMC0-3 counted" "precise events, 4.9: counted, by a general counter"
while read -r model event want; do
	"$BPFPERF" explain --pmu "$model" --record --nmi-watchdog off -e "$event" >out 2>err
	like "$(counters_of "$event")" "^$want" "precise events, $model: $event: $want"
done <<-EOF
	hsw cycles:pp PMC0-3 counted
	hsw cycles:ppp PMC1 counted
	snb cycles:ppp PMC0-3 <not supported>.*at most 2 p
	nhm cache-misses:p none <not supported>.*cannot sample it
	nhm branches:p PMC0-3 counted
	spr instructions:pp PMC1-7 counted
	spr instructions:ppp FIX0 counted
	spr cycles:ppp PMC0 counted
	slm branches:p PMC0 counted
	zen4 cycles:pp - counted.*another PMU
	zen4 instructions:p PMC0-5 <not supported>.*IBS
	skl cycles:P PMC1 counted
	spr slots FIX3 counted
	hsw cpu/event=0xc4,in_tx=1/p none <not supported>.*in_tx and in_tx_cp together with :p
EOF
exits 0 "a topdown metric that is sampled: exit 0" explain --pmu spr --record -e '{slots,topdown-retiring}'
like "$(counters_of topdown-retiring)" "TD0 <not supported>.*cannot be sampled" "a topdown metric that is sampled: refused"

# Off-core registers: as many as the model has, and those of the core's other thread.
rsp() { # CODE VALUE
	echo "cpu/event=$1,umask=1,offcore_rsp=$2/"
}
exits 0 "off-core registers: exit 0" explain --pmu nhm --nmi-watchdog off -e "$(rsp 0xb7 1),$(rsp 0xb7 2)"
like "$(cat out)" "of which there is 1, with another value" "off-core registers: Nehalem has one"
exits 0 "off-core registers of two threads: exit 0" explain --pmu wsm --nmi-watchdog off \
	--sibling-offcore 9 -e "$(rsp 0xb7 1),$(rsp 0xb7 2)"
like "$(cat out)" "of which there are 2, with other values in them; the core's other thread uses the same" \
	"off-core registers of two threads: said"
exits 0 "four off-core registers: exit 0" explain --pmu dmr --nmi-watchdog off \
	-e "$(rsp 0x2a 1),$(rsp 0x2a 2),$(rsp 0x2a 3),$(rsp 0x2a 4)"
is "$(grep -c 'counted  *100.00%' out)" 4 "four off-core registers: Diamond Rapids"
exits 0 "five values for four registers: exit 0" explain --pmu dmr --kernel 7.3 --nmi-watchdog off \
	-e "$(rsp 0x4f 1),$(rsp 0x4f 2),$(rsp 0x4f 3),$(rsp 0x4f 4),$(rsp 0x4f 5)"
is "$(grep -c 'takes turns  *80.00%' out)" 5 "five values for four registers, of an event that another one stands before"
exits 0 "a register that says which counter: exit 0" explain --pmu nvl-e --nmi-watchdog off -e "$(rsp 0xb7 1),$(rsp 0xb7 2)"
is "$(grep -c 'always has PMC[01]' out)" 2 "a register that says which counter: the second event is on its own"
exits 0 "the watchdog on PMC9: exit 0" explain --pmu arl --nmi-watchdog PMC9 -e cycles
like "$(cat out)" "NMI watchdog +PMC9 +counted" "the watchdog on PMC9: of ten counters"
exits 2 "the watchdog on PMC9 of four: exit 2" explain --pmu skl --nmi-watchdog PMC9 -e cycles
exits 2 "the watchdog on PMC: exit 2" explain --pmu skl --nmi-watchdog PMCx -e cycles

exits 0 "an E core: exit 0" explain --pmu adl-e -e cpu_atom/cycles/,topdown-retiring,cpu/event=0x3c/
is "$(grep -c 'counted  *100.00%' out)" 4 "an E core: its PMU by name, its topdown events are on general counters"
exits 0 "a metric alone: exit 0" explain --pmu spr -e slots,topdown-retiring,cycles
is "$(sed -n '/^without turns/,$p' out | sed 's/^ *//' | xargs)" "without turns: 1 run -e slots,cycles never: topdown-retiring" \
	"a metric alone: no run counts it"
exits 0 "AMD's overlap: exit 0" explain --pmu fam15h -e r2e,r03,r2d
is "$(grep -E '^r' out | head -n 3 | awk '{ print $1, $2 }' | xargs)" "r2e PMC0,PMC3 r03 PMC3 r2d PMC3" "AMD's overlap: counters 0 and 3"
exits 0 "family 15h without constraints: exit 0" explain --pmu fam15h --kernel 6.1 --amd-brs off --nmi-watchdog off -e r2e,r03,r2d
is "$(grep -c 'PMC0-5 .* counted  *100.00%' out) $(grep -c 'this kernel does not use its constraints' out)" "3 1" \
	"family 15h without constraints: each event is on any counter, and a note says why"
# Westmere's registers hold 16 bits; those of cache events are not known, but are two.
exits 0 "two values of cache events: exit 0" explain --pmu wsm --kernel 6.12 --nmi-watchdog off -e node-load-misses,LLC-load-misses
is "$(grep -c 'counted  *100.00%' out)" 2 "two values of cache events: each has a register"
exits 0 "a value like a cache event's: exit 0" explain --pmu wsm --kernel 6.12 --nmi-watchdog off \
	-e LLC-loads,cpu/event=0xb7,umask=1,offcore_rsp=3/,cpu/event=0xbb,umask=1,offcore_rsp=4/
is "$(grep -c 'counted  *100.00%' out)" 0 "a value like a cache event's: three values on two registers"
exits 0 "names of a relative: exit 0" explain --pmu gnr -e mem_load_retired.l1_hit
like "$(cat err)" "libpfm4 has no event names of Granite Rapids.*those of Sapphire Rapids are taken" "names of a relative: a note says so"

# libpfm4 has names of some PMUs beside the cores'; which of them depends on its age.
for pmu in snb_ep_cbox skx_pcu icx_m3upi spr_upi dmr_cbo zen5_umc; do
	"$BPFPERF" list --pmu $pmu >out 2>err
	is "$(head -1 out | grep -c 'CTR0')$(grep -c 'libpfm4 has no event names of .*/event=0x1/' err)" "$([ -s out ] && echo 10 || echo 01)" \
		"list --pmu $pmu: names, or how events are written"
done
exits 0 "no name of a relative: exit 0" explain --pmu gnr -e cycles,slots
is "$(cat err)" "" "no name of a relative: no note"
# The last counters of events: where all fit them, they stay, and no limit is looked at.
rest=mem_load_uops_retired.l1_hit,mem_load_uops_retired.l1_miss,l1d_pend_miss.pending
exits 0 "events that come to rest: exit 0" explain --pmu hsw --ht on --nmi-watchdog off -e $rest
is "$(grep -c 'counted  *100.00%' out)" 3 "events that come to rest: each is counted all the time in the long run"
is "$(grep -c 'has PMC[012] from 16 ms on: .* looks at no limit' out)" 3 "events that come to rest: since when, and on which counters"
like "$(cat out)" "no event takes turns from 16 ms on" "events that come to rest: one run counts them"
exits 0 "events that come to rest, 12 ms: exit 0" explain --pmu hsw --ht on --nmi-watchdog off --run-ms 12 -e $rest
is "$(grep -c 'takes turns  *66.67%' out)" 3 "events that come to rest, 12 ms: until then they take turns"
exits 0 "events that come to rest, before 4.1-rc7: exit 0" explain --pmu hsw --ht on --nmi-watchdog off --kernel 4.1-rc6 -e $rest
is "$(grep -c 'takes turns  *66.67%' out)" 3 "events that come to rest, before 4.1-rc7: that limit applies all the same"

# A PMU of one's own.
abcd='{A/counters=0x9,overlap/,B/counters=0x3,overlap/,C/counters=0x7/,D/counters=0x7/}'
exits 0 "A B C D on six counters: exit 0" explain --pmu counters:6 -e "$abcd"
is "$(grep -o 'always has PMC.' out | tr '\n' ' ')" "always has PMC3 always has PMC0 always has PMC1 always has PMC2 " \
	"A B C D on six counters: A is placed again"
exits 0 "A B C D without overlap: exit 0" explain --pmu counters:6 -e "${abcd//,overlap/}"
is "$(grep -c '<not counted>' out) $(grep -c '<not supported>' out)" "3 1" "A B C D without overlap: D is refused"
exits 0 "A B C D, one by one, without overlap: exit 0" explain --pmu counters:6 \
	-e A/counters=0x9/,B/counters=0x3/,C/counters=0x7/,D/counters=0x7/
is "$(grep -c 'counted  *100.00%' out)" 4 "A B C D, one by one, without overlap: the second turn's order fits"
like "$(cat out)" "has PMC2 from 4 ms on: in the order of that turn all events fit" "A B C D, one by one, without overlap: the reason"
exits 0 "A B C D before 3.3: exit 0" explain --pmu counters:6 --kernel 3.2 -e "$abcd"
is "$(grep -c '<not supported>' out)" 1 "A B C D before 3.3: there is no way back"
exits 0 "A B C D on four counters, before 4.1-rc7: exit 0" explain --pmu counters:4 --kernel 4.1-rc6 -e "$abcd"
is "$(grep -c 'counted  *100.00%' out)" 4 "A B C D on four counters, before 4.1-rc7: all fit"
exits 0 "A B C D on four counters, from 4.1-rc7 on: exit 0" explain --pmu counters:4 --kernel 4.1-rc7 -e "$abcd"
is "$(grep -c '<not supported>' out)" 1 "A B C D on four counters, from 4.1-rc7 on: the kernel counts those it took back"
exits 0 "fixed counters of one's own: exit 0" explain --pmu counters:1+2 -e A/counters=0x100000001/,B/counters=0x100000001/,C/counters=0x200000000/
is "$(grep -c 'counted  *100.00%' out)" 3 "fixed counters of one's own: the fixed one goes first"
exits 0 "pairs of counters: exit 0" explain --pmu counters:6 -e 'P/counters=0x15,pair/,Q/counters=0x15,pair/,R//,S//'
is "$(grep -c 'counted  *100.00%' out)" 4 "pairs of counters: each takes the next one as well"
exits 0 "a corrupting event of one's own: exit 0" explain --pmu counters:4 --ht on --sibling-other 0 -e A/counters=1,corrupting/:D,B/counters=1/
is "$(grep -c '<not counted>' out) $(grep -c 'counted  *100.00%' out)" "1 1" \
	"a corrupting event of one's own: it does not go beside another event, which goes there"
like "$(cat out)" "counts events on PMC0, and those of the HT erratum go only where it counts none" \
	"a corrupting event of one's own: the other thread's event is the reason"
exits 2 "an unknown term of one's own PMU: exit 2" explain --pmu counters:4 -e A/mask=1/
like "$(cat err)" "terms: counters, corrupting, overlap, northbridge, pair" "an unknown term of one's own PMU: the terms are named"
for n in 0 32 4+16 4+ +1 x; do
	exits 2 "--pmu counters:$n: exit 2" explain --pmu "counters:$n" -e A//
done

# Others on the machine.
exits 0 "events of the CPU beside the task's: exit 0" explain --pmu counters:2 --cpu-event X/counters=1/,Y/counters=1/ -e A/counters=1/,B/counters=2/
is "$(grep -E '^[XYAB]/.*%' out | tr -s ' ' | cut -d ' ' -f 3- | sed 's/takes turns/turns/;s/<not counted>/none/' | tr '\n' ';')" \
	"turns 50.00%;turns 50.00%;none 0.00%;turns 50.00%;" "events of the CPU beside the task's: the CPU's go first"
exits 0 "a pinned event of the task: exit 0" explain --pmu counters:1 --cpu-event X// -e A//D
is "$(grep -E '^[XA]/.*%' out | tr -s ' ' | cut -d ' ' -f 3- | tr '\n' ';')" "<not counted> 0.00%;counted 100.00%;" \
	"a pinned event of the task: it goes before the CPU's others"
exits 0 "a disabled member: exit 0" explain --pmu counters:2 --disabled B -e '{A//,B//,C//}'
is "$(grep -c 'counted  *100.00%' out) $(grep -c 'it is opened disabled' out)" "2 1" "a disabled member: the group's check leaves it out"
exits 0 "a disabled leader: exit 0" explain --pmu counters:2 --disabled A -e '{A//,B//},C//'
is "$(grep -c 'is opened disabled' out)" 2 "a disabled leader: none of its group is on"
exits 0 "all disabled: exit 0" explain --pmu counters:2 --disabled A,B -e A//,B//
exits 2 "disabled, but not there: exit 2" explain --pmu counters:2 --disabled Z -e A//,B//
like "$(cat err)" "there is no such event" "disabled, but not there: the name is reported"
exits 0 "the sibling changes: exit 0" explain --pmu snb --ht on --sibling 2 --sibling-busy 50 --nmi-watchdog off --json \
	-e l1d_pend_miss.pending,cycle_activity.stalls_l1d_pending
is "$(python3 -c 'import json; p = [e["percent"] for e in json.load(open("out"))["events"]]
print(all(20 < x < 30 for x in p) and p[0] != p[1])')" True "the sibling changes: each is counted a quarter of the time, and not equally"
exits 0 "the sibling never counts: exit 0" explain --pmu snb --ht on --sibling 2 --sibling-busy 0 -e l1d_pend_miss.pending
like "$(cat out)" "pending +PMC2 +counted +100.00%" "the sibling never counts: the counter is free"
exits 0 "--mux-interval: exit 0" explain --pmu skl --ht on --mux-interval 1 -e r1b0,r2b0,r3b0,r4b0,r5b0
like "$(cat out)" "turns every 1 ms" "--mux-interval: the timer is the given one"
is "$(grep '^ms' out | cut -c -30 | tr -s ' ')" "ms 0 1 2 " "--mux-interval: turns are taken at it"
exits 0 "northbridge events: exit 0" explain --pmu counters:2 --northbridge 0 -e N/counters=3,northbridge/,M/counters=3,northbridge/,A//
is "$(grep -c 'always has PMC1' out) $(grep -c 'takes turns' out)" "0 3" "northbridge events: what other cores have is taken"
exits 0 "northbridge events, no counter: exit 0" explain --pmu counters:2 --northbridge 0,1 -e N/counters=3,northbridge/,A//
like "$(cat out)" "it counts for the whole package, and other cores have PMC0-1" "northbridge events, no counter: the reason"
exits 2 "--northbridge without such events: exit 2" explain --pmu skl --northbridge 0 -e cycles
exits 2 "--sibling-offcore without shared registers: exit 2" explain --pmu skl --sibling-offcore 0x10001 -e cycles
like "$(cat err)" "off-core registers of its own" "--sibling-offcore without shared registers: the reason"

# A client's off-core register lacks bits that a server's has; x86_pmu_extra_regs() refuses them.
explain --pmu snb -e LLC-loads,LLC-load-misses,node-loads >out
is "$(grep -cE '^(LLC-load-misses|node-loads) .*not supported' out) $(grep -c '^LLC-loads .*counted' out)" "2 1" \
	"snb: caches of other sockets are refused"
explain --pmu snb-ep -e LLC-loads,LLC-load-misses,node-loads >out
is "$(grep -cE '^(LLC|node).*not supported' out)" 0 "snb-ep: they are not"
explain --pmu skl -e cpu/event=0xb7,umask=1,offcore_rsp=0x7000/ >out
like "$(cat out)" "not supported" "bits that the register lacks: refused"
like "$(cat out)" "has not all of these bits" "bits that the register lacks: the reason"
# The bits for transactions are dropped where the CPU has none.
is "$(explain --pmu skl -e r20000003c | awk '/^r2.*%/ { print $2 }') $(explain --pmu skl --tsx off -e r20000003c | awk '/^r2.*%/ { print $2 }')" \
	"PMC2 PMC0-3,FIX1" "in_tx_cp: one counter, and any with --tsx off"
is "$(explain --pmu snb -e r10000003c | awk '/^r1.*%/ { print $2 }')" "PMC0-3,FIX1" "in_tx of a CPU without transactions: ignored"
exits 2 "explain without events: exit 2" explain --pmu skl
like "$(cat err)" "no event is given" "explain without events: the message asks for events"
exits 2 "a PMU model that does not exist: exit 2" explain --pmu p4 -e cycles
like "$(cat err)" "explain --pmu list. prints all" "a PMU model that does not exist: the list is the remedy"
is "$(wc -l <err)" 1 "a PMU model that does not exist: one sentence"
exits 2 "a misspelt PMU model: exit 2" explain --pmu sapphirerapid -e cycles
like "$(cat err)" "did you mean sapphirerapids" "a misspelt PMU model: the nearest name is proposed"
for n in 0 32 x 6x ''; do
	exits 2 "--pmu armv8:$n: exit 2" explain --pmu "armv8:$n" -e cycles
done
# PMUs beside the cores': for CPUs only, in all modes, without samples; filters of a box are shared.
like "$("$BPFPERF" explain --pmu zen4_l3 -e amd_l3/event=4,umask=0xff/)" "not for a task: the kernel refuses it; give -a" \
	"an event of an L3 cache for a task is refused"
like "$("$BPFPERF" explain --pmu zen4_l3 -a -e amd_l3/event=4/u)" "counts in all modes" "an event of an L3 cache with u is refused"
like "$("$BPFPERF" explain --pmu zen4_l3 -a --record -e amd_l3/event=4/)" "has no interrupt" "an event of an L3 cache does not sample"
like "$("$BPFPERF" explain --pmu zen4_l3 -a -e cycles)" "has no such event" "an L3 cache does not count cycles"
like "$("$BPFPERF" explain --pmu snb_ep_imc -a -e imc/event=0xff/)" "always has CLK" "the clock of a memory controller has a counter of its own"
l3=$(seq -s, -f 'amd_l3/event=%g/' 1 7)
like "$("$BPFPERF" explain --pmu zen4_l3 -a -e "{$l3}")" "beside the 6 before it no counter of CTR0-5 is left" \
	"a group of seven on the six counters of an L3 cache is refused"
filters='cbox/event=0x35,umask=1,filter_opc=0x180/,uncore_cbox_3/event=0x35,umask=3,filter_opc=0x181/'
like "$("$BPFPERF" explain --pmu snb_ep_cbox -a -e "$filters")" "needs the filter of the box, of which there is 1" \
	"two filters of one box take turns"
like "$("$BPFPERF" explain --pmu snb_ep_cbox -a -e "${filters/181/180}")" "no event takes turns" "equal filters of one box do not"
like "$("$BPFPERF" explain --pmu snb_ep_cbox -a -e "$filters")" "with another value in it; CTR0-1 can count it" \
	"two filters of one box: the counters are a sentence of their own"
one='uncore_cha_0/event=0x36,umask=0x1ff00001/'
for name in srf_cha cwf-cha GNR_CHA; do
	like "$("$BPFPERF" explain --pmu "$name" -a -e "$one")" 'Granite Rapids, cache agent.*umask=0x1ff00001/ +CTR0 +counted' \
		"--pmu $name is the box of Granite Rapids"
done
like "$("$BPFPERF" explain --pmu emr_cha -a -e "$one")" "Sapphire Rapids, cache agent" "the box of a family by another name of its cores"
like "$("$BPFPERF" explain --pmu arl_imc -a -e imc/event=1,chmask=3/)" "Alder to Arrow Lake, memory controller" \
	"the box of another family of cores"
like "$("$BPFPERF" explain --pmu lnl_hbo -a -e uncore_hbo_1/event=1,threshold=0xff/)" "CTR0-3 +counted" "Lunar Lake: its own boxes"
like "$("$BPFPERF" explain --pmu wsm_uncore -a -e uncore/event=0xff/)" "CLK +counted" "a PMU that is called uncore alone"
like "$("$BPFPERF" explain --pmu nhmex_bbox -a -e bbox/event=2,counter=2/,bbox/event=4,counter=2/)" "only CTR2 can count it" \
	"an event whose code names its counter"
like "$("$BPFPERF" list --pmu mtl_cbox 2>&1)" "no event names of Meteor.*uncore_cbox/event=0x1/" "a PMU without names: the form of its events"
exits 2 "a term that the box does not have: exit 2" explain --pmu snb_ep_imc -a -e imc/event=4,filter_opc=1/
exits 2 "an event that the model does not have: exit 2" explain --pmu icl -e cycle_activity.stalls_l1d_pending
like "$(cat err)" "did you mean" "an event that the model does not have: the nearest event is named"
for opt in "--ht maybe" "--nmi-watchdog PMC9" "--nmi-watchdog x" "--kernel six" "--busy 101" "--busy -1" \
	"--tfa 1" "--amd-brs 1" "--tsx 1" "--run-ms 0" "--sibling 9" "--sibling 1," "--sibling-other x" "--sibling-busy 101 --sibling 1" \
	"--northbridge 40" "--sibling-offcore x" "--mux-interval 0"; do
	# shellcheck disable=SC2086 # two words
	exits 2 "explain $opt: exit 2" explain --pmu skl -e cycles $opt
	is "$(wc -l <err)" 1 "explain $opt: the mistake is reported in one sentence"
done
# An option about another thread is refused where nothing that the thread does could matter.
refused() { # SENTENCE ARG…
	local want=$1

	shift
	exits 2 "explain $*: exit 2" explain "$@"
	like "$(cat err)" "$want" "explain $*: the sentence"
}
refused "--nmi-watchdog PMC8: there are only 8 general counters, PMC0 to PMC7" --pmu skl --ht off --nmi-watchdog PMC8 -e cycles
like "$("$BPFPERF" explain --pmu arl --nmi-watchdog PMC9 -e cycles)" "NMI watchdog +PMC9 +counted" "the watchdog on the last of ten counters"
like "$("$BPFPERF" explain --pmu nhm --sibling-offcore 0x1,0x22 -e cycles)" "counts the off-core responses 0x1 and 0x22" \
	"off-core responses of the other thread: their values"

# Disabled leaders and members, each with its own reason.
exits 0 "a disabled leader beside others: exit 0" explain --pmu skl -e '{cycles,instructions},r1b0' --disabled cycles,r1b0
like "$(cat out)" "on no counter, and no member of its group is" "a disabled leader: what becomes of its group"
like "$(cat out)" "cycles leads its group and is opened disabled" "a member of a disabled leader: the leader is named"
like "$(cat out)" "and no other event waits for it" "a disabled event alone: nothing waits"
like "$("$BPFPERF" explain --pmu skl -e '{r1b0,r2b0}' --disabled r2b0)" "no check of its group counts it" "a disabled member: no check counts it"

# Names that people type; answers to a wrong one.
refused "PMU of --pmu is called 'cpu_core', and 'cpu_atom' is none here" --pmu mtl -e cpu_atom/cycles/
refused "See: bpfperf list --pmu MODEL" --pmu skl -e INST_RETIRED.ANY
refused "did you mean [a-z, ]*cycles.* bpfperf list --pmu MODEL" --pmu skl -e cpu/cyles/
refused "those of this PMU are written NAME/counters=MASK/" --pmu counters:4+2 -e A
for name in znver4 Genoa amdfam19h emr 'CascadeLake' graviton3 Neoverse-V2 alderlake-e; do
	exits 0 "--pmu $name: exit 0" explain --pmu "$name" -e cycles,instructions,branch-misses
done
like "$("$BPFPERF" explain --pmu graviton3 -e armv8_pmuv3/cpu_cycles/)" "armv8_pmuv3/cpu_cycles/ +CNT0-5,CYC +counted" \
	"a PMU of arm64 without its number"
is "$("$BPFPERF" list --pmu a53 2>/dev/null | grep -cE '^(cpu_cycles|inst_retired|l2d_tlb|br_return_retired) ')" 2 \
	"Cortex-A53: its list has what PMCEID announces"
is "$("$BPFPERF" explain --pmu a53 -e l2d_tlb,cpu_cycles,r8,rc0 | grep -c 'may read 0')" 1 "Cortex-A53: one of four events may read 0"
for model in spr zen4 graviton3 adl_atom snb; do
	names=$("$BPFPERF" list --pmu "$model" 2>/dev/null | awk '{ print $1 }' | shuf -n 61 --random-source=<(yes) | paste -sd,)
	exits 0 "--pmu $model: 61 names of its list, exit 0" explain --pmu "$model" --run-ms 4 -e "$names"
	is "$(grep -v '^ *topdown-' out | grep -c '^[^ ].* none .*<not supported>')" 0 "--pmu $model: 61 names of its list are its events"
done
exits 2 "a counter that hyper-threading takes: exit 2" explain --pmu skl --ht on --nmi-watchdog PMC5 -e cycles
like "$(cat err)" "only 4 general counters" "a counter that hyper-threading takes: the 4 general counters are reported"
exits 2 "more events than explain takes: exit 2" explain --pmu skl -e "$(seq -s, -f 'r%g' 100 240)"
like "$(cat err)" "more than 127 events" "more events than explain takes: the limit of 127 is reported"
explain --pmu skl -e cycles >/dev/full 2>err
is $? 1 "explain to a full disk: exit 1"

if compgen -G '/sys/bus/event_source/devices/cpu*' >/dev/null || compgen -G '/sys/bus/event_source/devices/arm*' >/dev/null; then
	exits 0 "explain on this machine: exit 0" "$BPFPERF" explain -e cycles
else
	exits 1 "explain on this machine: no PMU, exit 2" "$BPFPERF" explain -e cycles
	like "$(cat err)" "name a model, such as --pmu spr" "explain on this machine without PMU: --pmu is the remedy"
fi
done_testing
