#!/bin/busybox sh
# shellcheck shell=dash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# The project's own PMUs (docs/testpmu.md): their counters, their AUX area, and bpfperf on them.
# shellcheck source=lib.sh
. /vm/lib.sh

# Sum of the counts of the lines of FILE that match REGEX.
sampled() { # FILE REGEX
	grep -E "$2" "$1" | awk '{ n += $NF } END { print n + 0 }'
}

[ ! -e /vm/testpmu/skip ] || skip_all "$(cat /vm/testpmu/skip)"
dmesg -c >/dev/null
ok "the module testpmu loads" insmod /vm/testpmu/testpmu.ko
run_tap /vm/testpmu/counters_check
run_tap /vm/testpmu/aux_check

exits 0 "stack -e testpmu/ns/: exit 0" bpfperf stack -e testpmu/ns/ -c 10000000 -o f.folded -- spin 1
n=$(summary samples)
# On a busy host the timer comes late, for several periods at once.
between "$n" 40 120 "stack -e testpmu/ns/: a sample each 10 ms of a second ($n)"
between "$(sampled f.folded '^spin;.*main;spin_(outer|inner)')" $((n * 8 / 10)) "$n" \
	"stack -e testpmu/ns/: samples are in the busy functions"
ok "the module testpmu is removed" rmmod testpmu

# On a machine without a PMU of its own the test PMU takes the part.
if [ "$(uname -m)" != x86_64 ]; then
	skip_test "stack -e cycles of testpmu" "the machine has a PMU of its own"
elif ! kernel_is 6.1; then
	skip_test "stack -e cycles of testpmu before 6.1" "before 6.1 no module can be the PMU of cycles"
else
	ok "the module testpmu loads as cpu" insmod /vm/testpmu/testpmu.ko as_cpu=1
	exits 0 "stack -e cycles: exit 0" bpfperf stack -e cycles -c 10000000 -o f.folded -- spin 1
	n=$(summary samples)
	between "$n" 40 120 "stack -e cycles: a sample each 10 M of 1000 M cycles ($n)"
	ok "the module testpmu as cpu is removed" rmmod testpmu
fi
ok "the kernel log has no complaint" sh -c '! dmesg | grep -E "WARNING|BUG|Call Trace"'
done_testing
