#!/bin/busybox sh
# shellcheck shell=dash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# vm: --icount 2 --cpus 1 --cpu cortex-a76,midr=0x611f0230,pmu=off --append nmi_watchdog=0
# vm-only: arm64
# The predictions of explain for 31 random sets of events and groups, and what the kernel's own driver for Apple's M1
# does with them, on memory in place of its registers (docs/testpmu.md).
# shellcheck source=lib.sh
. /vm/lib.sh

[ ! -e /vm/apple/skip ] || skip_all "$(cat /vm/apple/skip)"
pmu=/sys/bus/event_source/devices/apple_firestorm_pmu
ok "the driver of Apple's PMUs loads" insmod /vm/apple/applepmu.ko core=firestorm
echo 1 >$pmu/perf_event_mux_interval_ms
exits 0 "explain on an Apple M1: exit 0" bpfperf explain -e cycles,instructions,r8c,r97
is "$(sed -n '1s/,.*//p' out)" "Apple M1: P and E cores" "explain on an Apple M1: the core is known"
is "$(awk '/^r97/ { print $2; exit }' out)" CNT7 "explain on an Apple M1: the counter of r97"
run_tap plan_measure arm 31
exits 0 "stat on an Apple M1: exit 0" bpfperf stat -e cycles,instructions,r97 -- spin 0.1
is "$(grep -c 'not supported' out err)" "out:0
err:0" "stat on an Apple M1: no event is refused"
run_tap arm_apple "$(cat $pmu/type)"
done_testing
