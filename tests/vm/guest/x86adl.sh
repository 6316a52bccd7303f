#!/bin/busybox sh
# shellcheck shell=dash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# vm: --pmu adl --icount 4 --cpus 2 --append nmi_watchdog=0
# vm-only: x86_64
# The predictions of explain for 60 random sets of events and groups, and what this kernel's own code for
# Alder Lake's P cores does with them, on an emulated PMU (docs/vm.md). The machine has no E core, but their PMU.
# shellcheck source=lib.sh
. /vm/lib.sh

case $(uname -r) in
5.10.*) skip_all "this kernel does not know the CPU" ;;
esac
run_tap plan_measure x86 60
exits 0 "stat beside E cores without a CPU: exit 0" bpfperf stat -x ';' -o counts -e L1-icache-load-misses spin 0.01
ok "stat beside E cores without a CPU: the P cores count" grep -q '^[1-9][0-9]*;.*cpu_core/L1-icache-load-misses/' counts
ok "stat beside E cores without a CPU: theirs is not supported" \
	grep -q '^<not supported>;.*cpu_atom/L1-icache-load-misses/' counts
says err 'its PMU counts on none of the requested CPUs' "stat beside E cores without a CPU: the reason is told"
done_testing
