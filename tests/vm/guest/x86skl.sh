#!/bin/busybox sh
# shellcheck shell=dash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# vm: --pmu skl --icount 3 --cpus 2 --append nmi_watchdog=0
# vm-only: x86_64
# The predictions of explain for 100 random sets of events and groups, and what this kernel's own code for
# Skylake does with them, on an emulated PMU (docs/vm.md).
# shellcheck source=lib.sh
. /vm/lib.sh

run_tap plan_measure x86 100
done_testing
