#!/bin/busybox sh
# shellcheck shell=dash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# vm: --pmu hsw --icount 0 --cpus 2
# vm-only: x86_64
# libbpfperf and stat --user-read on an emulated PMU of x86: RDPMC beside read(2), multiplexed and
# migrating.
# shellcheck source=lib.sh
. /vm/lib.sh

run_tap pmu_selfmon
# A minute of the guest's clock.
run_tap selfmon 60

echo 2 >/sys/bus/event_source/devices/cpu/rdpmc
exits 0 "stat --user-read: exit 0" bpfperf stat --user-read -a -I 50 -x ";" -o counts -e cycles,instructions spin 0.3
says err ' [1-9][0-9]* reads in user space' "stat --user-read: counters are read in user space"
awk -F ";" '$2 + 0 > 0 { n++ } END { exit n < 2 }' counts
tap_result $? "stat --user-read: both events count" || diag "$(cat counts err)"
exits 0 "stat: exit 0" bpfperf stat -x ';' -o counts -e instructions:u,cycles:u spin 0.3
awk -F ';' '$3 ~ /instructions/ { i = $1 } $3 ~ /cycles/ { c = $1 } END { exit !(i && c == 3 * i) }' counts
tap_result $? "stat: the emulated cycles are three times the instructions" || diag "$(cat counts err)"
done_testing
