#!/bin/busybox sh
# shellcheck shell=dash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# vm: --userland
# The output of this kernel's perf stat for the project's own PMU (docs/testpmu.md).
# shellcheck source=lib.sh
. /vm/lib.sh

e=testpmu/ns/

# Runs perf stat with EVENTS; its lines are in out, with ; between their columns.
stat_of() { # EVENTS
	perf stat -x ';' -o out -e "$1" spin 0.5 >said 2>err
}

# Events in out that ran for a percentage from LOW to HIGH.
ran() { # LOW HIGH
	awk -F ';' -v low="$1" -v high="$2" '/testpmu/ && $1 + 0 && $5 + 0 >= low && $5 + 0 <= high { n++ }
		END { print n + 0 }' out
}

diag "$(perf --version)"
[ ! -e /vm/perfstat/skip ] || skip_all "$(cat /vm/perfstat/skip)"
ok "the module loads" insmod /vm/perfstat/testpmu.ko
stat_of "$e,$e,$e,$e"
is "$(ran 99 100)" 4 "four events count all the time" || diag "$(cat out err)"
stat_of "$e,$e,$e,$e,$e,$e"
is "$(ran 45 85)" 6 "six events take turns" || diag "$(cat out err)"
stat_of "{$e,$e,$e,$e},testpmu/first/"
is "$(ran 30 70)" 5 "a group of four and one beside it take turns" || diag "$(cat out err)"
stat_of "{$e,$e,$e,$e,$e}"
is "$(grep -c '^<not counted>' out)" 4 "of a group of five nothing is counted" || diag "$(cat out err)"
is "$(grep -c '^<not supported>' out)" 1 "of a group of five the fifth is refused"
ok "the module goes" rmmod testpmu
done_testing
