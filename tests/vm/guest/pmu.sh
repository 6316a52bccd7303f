#!/bin/busybox sh
# shellcheck shell=dash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# vm: --icount 1 --cpus 1
# vm-only: arm64
# The emulated PMU of arm64: counts, overflows, reads from user space, stack -e cycles.
# shellcheck source=lib.sh
. /vm/lib.sh

# shellcheck disable=SC2016 # the inner shell's
ok "arm_pmu" sh -c 'arm_pmu >arm_pmu.tap 2>&1; rc=$?; cat arm_pmu.tap; exit $rc'
diag "$(cat arm_pmu.tap)"
exits 0 "list" bpfperf list
ok "shows cycles as something to count" grep -qE '(^| )cycles' out
exits 0 "stack -e cycles" bpfperf stack -e cycles -c 1000000 -o f.folded -- spin 0.503
n=$(summary samples)
# The emulated cycle counter runs at 1 GHz of the guest's clock: a sample each millisecond of CPU time.
ms=$(said cpu_s <out | awk '{ printf "%d", $1 * 1000 }')
between "$n" $((ms * 9 / 10)) $((ms * 11 / 10)) "gives a sample each million of $ms million cycles ($n)"
is "$(awk '{ n += $NF } END { print n + 0 }' f.folded)" "$n" "all of them printed"
between "$(grep -E '^spin;.*main;spin_(outer|inner)' f.folded | awk '{ n += $NF } END { print n + 0 }')" \
	$((n / 2)) "$n" "most of them where the time goes"
done_testing
