#!/bin/busybox sh
# shellcheck shell=dash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# vm: --icount 1 --cpus 2
# vm-only: arm64
# libbpfperf on a real PMU: reads in user space beside read(2), multiplexed and migrating.
# shellcheck source=lib.sh
. /vm/lib.sh

run_tap pmu_selfmon
# A minute of the guest's clock.
run_tap selfmon 60
done_testing
