#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# The eight commands of the article on perf's event scheduling algorithm, by the command line alone: on four families, with
# and without hyper-threading, for kernels at both sides of each border. What differs from the article is said in the rows.
. "$(dirname "$0")/../lib.sh"
need_built

old1=l1d_pend_miss.pending,cycle_activity.stalls_l1d_pending
new1=l1d_pend_miss.pending,cycle_activity.stalls_l1d_miss
old3='{l1d_pend_miss.pending,faults},cycle_activity.stalls_l1d_pending:D,mem_uops_retired.all_loads'
new3='{l1d_pend_miss.pending,faults},cycle_activity.stalls_l1d_miss:D,mem_inst_retired.all_loads'
old4=mem_load_uops_retired.l1_hit,mem_load_uops_retired.l1_miss,mem_load_uops_retired.l2_hit
new4=${old4//uops_/}
old5=mem_load_uops_retired.l1_hit,mem_load_uops_retired.l1_miss,mem_load_uops_retired.hit_lfb,mem_load_uops_retired.l2_hit,mem_load_uops_retired.l3_hit
new5=mem_load_retired.l1_hit,mem_load_retired.l1_miss,mem_load_retired.fb_hit,mem_load_retired.l2_hit,mem_load_retired.l3_hit
walks=dtlb_load_misses.walk_completed,dtlb_load_misses.walk_completed_4k,dtlb_store_misses.walk_completed
walks=$walks,dtlb_store_misses.walk_completed_4k,itlb_misses.walk_completed,itlb_misses.walk_completed_4k

# Percentages as perf stat prints them; - is <not counted> without one, ns is <not supported>. The watchdog's line is omitted.
results() {
	awk '/^event / { on = 1; next } /^$/ { if (on) exit }
		!on || /^    / || /^NMI watchdog/ { next }
		/<not supported>/ { printf "%sns", sep; sep = " "; next }
		/%$/ { sub("%", "", $NF); printf "%s%g", sep, $NF; sep = " "; next }
		/<not counted>/ { printf "%s-", sep; sep = " " }' out
}

command_() { # NUMBER 'PMU…' 'HT…' 'KERNEL…' WANT EVENTS [OPTION…]
	local number=$1 pmus=$2 hts=$3 kernels=$4 want=$5 events=$6 pmu ht kernel

	shift 6
	for pmu in $pmus; do
		for ht in $hts; do
			for kernel in $kernels; do
				"$BPFPERF" explain --pmu "$pmu" --ht "$ht" --kernel "$kernel" -e "$events" "$@" >out 2>err
				is "$(results)$(cat err)" "$want" "command $number: $pmu, HT $ht, $kernel $*"
			done
		done
	done
}

# 1: one counter for two events. The kernel's versions do not differ, and each output has its cause.
command_ 1 'snb hsw' 'on off' '3.10 4.0 4.1-rc1 4.1-rc7 5.3 7.2' '50 50' $old1
command_ 1 'snb hsw' 'on off' '4.0 5.3 7.2' '0 0' $old1 --nmi-watchdog PMC2
command_ 1 'snb hsw' on '4.1-rc1 4.1-rc7 5.3 7.2' '0 0' $old1 --sibling 2
command_ 1 'snb hsw' on '3.10 4.0' '50 50' $old1 --sibling 2
command_ 1 'snb hsw' off '5.3 7.2' '50 50' $old1 --sibling 2
command_ 1 'snb hsw' on '5.3 7.2' '50 50' $old1 --sibling-other 2
command_ 1 'skl icl' 'on off' '4.4 5.3 7.2' '100 100' $new1
command_ 1 skl 'on off' '5.1-rc1 5.3 7.2' '100 100' $new1 --tfa on --nmi-watchdog PMC0
for kernel in 4.1-rc7 5.3 7.2; do
	"$BPFPERF" explain --pmu snb --ht on --kernel $kernel -e $old1 --sibling 2 --sibling-busy 50 >out
	read -r a b < <(results)
	is "$(awk -v a="$a" -v b="$b" 'BEGIN { print (a > 0 && b > 0 && a + b < 60) }')" 1 \
		"command 1: a sibling that changes, $kernel: $a and $b do not add up to 100%"
done

# 2: the second one is pinned.
command_ 2 'snb hsw' 'on off' '4.0 4.1-rc1 4.1-rc7 5.3 7.2' '0 100' $old1:D
command_ 2 'skl icl' 'on off' '4.4 5.3 7.2' '100 100' $new1:D

# 3: a group behind it, and an event of the HT erratum.
command_ 3 'snb hsw' 'on off' '3.9 3.10 4.0 4.1-rc7 5.3 7.2' '0 0 100 50' "$old3"
command_ 3 ivb 'on off' '3.9 4.1-rc7 5.3 7.2' '0 0 100 50' "$old3"
command_ 3 ivb 'on off' '3.10-rc1 3.10 4.0' '0 0 100 ns' "$old3"
command_ 3 'snb ivb hsw' on '4.1-rc1 4.1-rc6' '0 0 100 0' "$old3"
command_ 3 'snb ivb hsw' on '4.1-rc1 4.1-rc6' '0 0 100 50' "$old3" --nmi-watchdog off
command_ 3 'snb ivb hsw' off '4.1-rc1 4.1-rc6' '0 0 100 50' "$old3"
command_ 3 'snb hsw' on '4.1-rc7 5.3 7.2' '0 0 - 50' "$old3" --sibling 2
command_ 3 'skl icl' 'on off' '4.4 5.3 7.2' '100 100 100 100' "$new3"

# 4: three of them. Kernels 4.1-rc1 to -rc6 count the watchdog among the two counters that they use.
command_ 4 'snb hsw' on '4.1-rc7 5.3 7.2' '66.67 66.67 66.67' $old4
command_ 4 'snb hsw' on '4.1-rc1 4.1-rc6' '33.33 33.33 33.33' $old4
command_ 4 'snb hsw' on '4.1-rc1 4.1-rc6' '66.67 66.67 66.67' $old4 --nmi-watchdog off
command_ 4 'snb hsw' on 4.0 '100 100 100' $old4
command_ 4 'snb hsw' off '4.0 4.1-rc1 4.1-rc7 5.3 7.2' '100 100 100' $old4
command_ 4 'skl icl' 'on off' '4.4 5.3 7.2' '100 100 100' "$new4"
command_ 4 hsw off '4.4 5.3 7.2' '100 100 100 100' "{$old4,l1d_pend_miss.pending}"
command_ 4 hsw off 2.6.33 '- - - ns' "{$old4,l1d_pend_miss.pending}"

# 5: five of them. Before 4.7-rc7 Skylake's fifth is put on a counter that does not count it.
command_ 5 'snb hsw' on '4.1-rc7 5.3 7.2' '40 40 40 40 40' $old5
command_ 5 'snb hsw' off '4.1-rc7 5.3 7.2' '80 80 80 80 80' $old5
command_ 5 'skl icl' 'on off' '4.7-rc7 5.0 5.3 7.2' '80 80 80 80 80' $new5
command_ 5 skl on '4.4 4.6 4.7-rc6' '80 80 80 80 80' $new5
command_ 5 skl off '4.4 4.6 4.7-rc6' '100 100 100 100 100' $new5
is "$(grep -c 'it reads 0' out)" 1 "command 5: skl, HT off, before 4.7-rc7: the last one reads 0"
command_ 5 skl 'on off' '5.1-rc1 5.3 7.2' '60 60 60 60 60' $new5 --tfa on
command_ 5 skl 'on off' 5.0 '80 80 80 80 80' $new5 --tfa on

# 6, 7: six events of page walks, singly and as a group. The article says that on all families two of the group are refused
# if hyper-threading is off, and that there are four counters: which is so if it is on, or on Sunny Cove.
six='100 100 100 100 100 100'
command_ 6 'hsw skl' off '4.4 5.3 7.2' "$six" $walks
command_ 6 'hsw skl' on '4.4 5.3 7.2' "${six//100/66.67}" $walks
command_ 6 icl 'on off' '5.3 7.2' "${six//100/66.67}" $walks
command_ 7 'hsw skl' on '4.4 5.3 7.2' '- - - - ns ns' "{$walks}"
command_ 7 'hsw skl' off '4.4 5.3 7.2' "$six" "{$walks}"
command_ 7 icl 'on off' '5.3 7.2' '- - - - ns ns' "{$walks}"

# 8: sleep 1.
command_ 8 'hsw skl' on '4.4 5.3 7.2' '100 100 100 100 100 0 0' instructions,$walks --busy 0 --run-ms 1000
command_ 8 icl 'on off' '5.3 7.2' '100 100 100 100 100 0 0' instructions,$walks --busy 0 --run-ms 1000
command_ 8 'hsw skl' off '4.4 5.3 7.2' "100 $six" instructions,$walks --busy 0 --run-ms 1000
done_testing
