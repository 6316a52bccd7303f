#!/bin/busybox sh
# shellcheck shell=dash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# vm: --pmu k10 --icount 4 --cpus 2 --append nmi_watchdog=0
# vm-only: x86_64
# The predictions of explain for 60 random sets of events and groups, and what 6.1's own code for
# AMD's family 10h does with them, on an emulated PMU (docs/vm.md).
# shellcheck source=lib.sh
. /vm/lib.sh

case $(uname -r) in
6.1.*) ;;
*) skip_all "held to 6.1's code for this CPU only" ;;
esac
run_tap plan_measure x86 60
done_testing
