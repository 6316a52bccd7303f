#!/bin/busybox sh
# shellcheck shell=dash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# vm: --cpus 1 --icount 3
# What explain foretells of 100 random sets of events and groups, and what this kernel does: on the
# project's own PMU (docs/testpmu.md), and on arm64's. The clock is that of instructions: turns are as
# long as they should be, however busy the host.
# shellcheck source=lib.sh
. /vm/lib.sh

check() { # PMU
	local line rc

	plan_measure "$1" >check.out 2>&1
	rc=$?
	while read -r line; do
		case $line in
		"ok "*) tap_result 0 "$1: ${line#* - }" ;;
		"not ok "*) tap_result 1 "$1: ${line#* - }" ;;
		1..*) ;;
		*) echo "# ${line#\# }" ;;
		esac
	done <check.out
	[ $rc -le 1 ] && grep -q '^1\.\.[1-9]' check.out
	tap_result $? "$1 is measured to the end" || diag "exit $rc"
}

if [ -e /vm/plan/skip ]; then
	skip_test "testpmu" "$(cat /vm/plan/skip)"
else
	ok "the module loads" insmod /vm/plan/testpmu.ko
	check testpmu
	ok "the module goes" rmmod testpmu
fi
[ "$(uname -m)" != aarch64 ] || check arm
done_testing
