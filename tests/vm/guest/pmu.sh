#!/bin/busybox sh
# shellcheck shell=dash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# vm: --icount 1 --cpus 1
# vm-only: arm64
# The emulated PMU of arm64: counts, overflows, reads from user space, stack -e cycles.
# shellcheck source=lib.sh
. /vm/lib.sh

# shellcheck disable=SC2016 # the inner shell's
ok "arm_pmu runs to its end" sh -c 'arm_pmu >arm_pmu.tap 2>&1; rc=$?; cat arm_pmu.tap; exit $rc'
diag "$(cat arm_pmu.tap)"
exits 0 "list on a machine with a PMU: exit 0" bpfperf list
ok "list on a machine with a PMU: cycles can be counted" grep -qE '(^| )cycles' out
exits 0 "stack -e cycles: exit 0" bpfperf stack -e cycles -c 1000000 -o f.folded -- spin 0.503
n=$(summary samples)
# The emulated cycle counter runs at 1 GHz of the guest's clock: a sample each millisecond of CPU time.
ms=$(said cpu_s <out | awk '{ printf "%d", $1 * 1000 }')
between "$n" $((ms * 9 / 10)) $((ms * 11 / 10)) "stack -e cycles: a sample each million of $ms million cycles ($n)"
is "$(awk '{ n += $NF } END { print n + 0 }' f.folded)" "$n" "stack -e cycles: all samples are printed"
between "$(grep -E '^spin;.*main;spin_(outer|inner)' f.folded | awk '{ n += $NF } END { print n + 0 }')" \
	$((n / 2)) "$n" "stack -e cycles: most samples are in the busy function"
done_testing
