#!/bin/busybox sh
# shellcheck shell=dash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# vm: --pmu bdz --icount 4 --cpus 2 --append nmi_watchdog=0
# vm-only: x86_64
# The predictions of explain for 60 random sets of events and groups, and what this kernel's own code for
# AMD's family 15h does with them, on an emulated PMU (docs/vm.md): 5.10 uses its constraints, later ones do not.
# shellcheck source=lib.sh
. /vm/lib.sh

run_tap plan_measure x86 60
bpfperf explain -e r0b >out 2>err
case $(uname -r) in
5.10.*) has='0 1' ;;
*) has='1 0' ;;
esac
is "$(grep -c 'does not use its constraints' out) $(grep -c '^r0b  *PMC3 ' out)" "$has" \
	"family 15h: explain says whether this kernel uses its constraints"
done_testing
