#!/bin/busybox sh
# shellcheck shell=dash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# vm: --pmu adl --icount 4 --cpus 2 --append nmi_watchdog=0
# vm-only: x86_64
# The predictions of explain for 60 random sets of events and groups, and what this kernel's own code for
# Alder Lake's P cores does with them, on an emulated PMU (docs/vm.md).
# shellcheck source=lib.sh
. /vm/lib.sh

case $(uname -r) in
5.10.*) skip_all "this kernel does not know the CPU" ;;
esac
run_tap plan_measure x86 60
done_testing
