#!/bin/busybox sh
# shellcheck shell=dash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# vm: --cpus 1 --icount 3
# The predictions of explain for 100 random sets of events and groups, and the counts of this kernel: on the
# project's own PMU (docs/testpmu.md), and on arm64's. The clock is that of instructions: turns are as
# long as they should be, however busy the host.
# shellcheck source=lib.sh
. /vm/lib.sh

if [ -e /vm/plan/skip ]; then
	skip_test "explain beside testpmu" "$(cat /vm/plan/skip)"
else
	ok "the module testpmu loads" insmod /vm/plan/testpmu.ko
	run_tap_as "testpmu: " plan_measure testpmu
	ok "the module testpmu is removed" rmmod testpmu
fi

# This machine's own model: the number of its counters is found out by a group that is made and left.
if [ "$(uname -m)" = aarch64 ]; then
	run_tap_as "arm: " plan_measure arm
	exits 0 "explain of the machine's own PMU: exit 0" bpfperf explain -e cycles,r1,r2,r3,r4,r5,r6
	is "$(sed -n '2s/;.*//p' out)" "counters CNT0-5,CYC" "explain of the machine's own PMU: counters are known"
	is "$(grep -c ' counted  *100.00%' out)" 7 "explain of the machine's own PMU: enough for the events"

	# The kernel shows those of the common events that the PMU's registers PMCEID announce.
	listed=''
	for file in /sys/bus/event_source/devices/armv8*/events/*; do
		code=$(sed -n 's/^event=//p' "$file")
		listed="$listed $((code)) "
	done
	# CHAIN, 0x1e, is left out: kernels from 6.3 on refuse it.
	all='' quiet='' i=0
	while [ $i -lt 64 ]; do
		[ $i -ne 30 ] || i=31
		all=$all${all:+,}r$(printf %x $i)
		case $listed in
		*" $i "*) ;;
		*) quiet="$quiet r$(printf %x $i)" ;;
		esac
		i=$((i + 1))
	done
	ok "PMCEID: some common events are not announced" test -n "$quiet"
	bpfperf explain -e "$all" >out 2>err
	is "$(awk '/^r/ { event = $1 } /may read 0/ { printf " %s", event }' out)" "$quiet" \
		"explain says of the events that PMCEID does not announce, and of no others, that they may read 0"
	exits 0 "list --pmu host: exit 0" bpfperf list --pmu host
	cut=0 known=0
	while read -r name code _; do
		code=$((0x${code#r}))
		[ $code -lt 64 ] || continue
		known=$((known + 1))
		case $listed in
		*" $code "*) ;;
		*) cut=$((cut + 1)) && diag "$name is not announced" ;;
		esac
	done <out
	is $cut 0 "list --pmu host: each common event is announced"
	is "$((known > 2))$(grep -c '^cpu_cycles ' out)" 11 "list --pmu host: cycles and others are there"
elif [ ! -e /vm/plan/skip ] && kernel_is 6.1; then
	ok "the module testpmu loads as cpu" insmod /vm/plan/testpmu.ko as_cpu=1
	exits 0 "explain of testpmu as cpu: exit 0" bpfperf explain -e r0,r0,r0,r0,r0,r0 --nmi-watchdog off
	is "$(sed -n '2s/;.*//p' out)" "counters PMC0-3" "explain of testpmu as cpu: counters are known"
	is "$(grep -c ' takes turns  *66.67%' out)" 6 "explain of testpmu as cpu: too few for the events"
	ok "the module testpmu as cpu is removed" rmmod testpmu
else
	exits 1 "explain of a machine without PMU: exit 1" bpfperf explain -e cycles
	ok "explain of a machine without PMU: --pmu is the remedy" grep -q 'name a model' err
fi
done_testing
