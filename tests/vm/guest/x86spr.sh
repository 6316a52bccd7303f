#!/bin/busybox sh
# shellcheck shell=dash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# vm: --pmu spr --icount 4 --cpus 2 --append nmi_watchdog=0
# vm-only: x86_64
# The predictions of explain for 60 random sets of events and groups, and what this kernel's own code for
# Sapphire Rapids does with them, on an emulated PMU (docs/vm.md).
# shellcheck source=lib.sh
. /vm/lib.sh

case $(uname -r) in
5.10.*) skip_all "this kernel does not know the CPU" ;;
esac
run_tap plan_measure x86 60

exits 0 "--topdown: exit 0" bpfperf stat --topdown -x ';' -o counts -- spin 1
is "$(grep -c ';cpu/.*;100.00;' counts)" 9 "--topdown: slots and eight metrics count all the time"
exits 0 "a metric without slots: exit 0" bpfperf stat -o counts -e slots,topdown-retiring -- spin 1
says counts '<not supported> +topdown-retiring' "a metric without slots: the kernel refuses it"
says counts 'only in a group that slots leads' "a metric without slots: the reason is the kernel's"
done_testing
