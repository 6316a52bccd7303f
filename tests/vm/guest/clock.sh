#!/bin/busybox sh
# shellcheck shell=dash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# vm: --cpus 1 --append tsc=reliable
# vm-only: x86_64
# libbpfperf's clock on x86-64, for a minute: TSC → perf's time beside perf's own timestamps.
# shellcheck source=lib.sh
. /vm/lib.sh

run_tap selfmon 60
diag "clock source: $(cat /sys/devices/system/clocksource/clocksource0/current_clocksource)"
done_testing
