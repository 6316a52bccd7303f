#!/bin/busybox sh
# shellcheck shell=dash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# vm: --icount 1 --cpus 1
# vm-only: arm64
# bpfperf stat on the emulated PMU of arm64: seven counters, of which one is for cycles alone.
# shellcheck source=lib.sh
. /vm/lib.sh

# N times r08, instructions, with commas between.
r08() { # N
	local n=$1 all=r08

	while [ $((n -= 1)) -gt 0 ]; do
		all=$all,r08
	done
	echo $all
}

stat_of() { # EVENTS [ARG…]
	local events=$1

	shift
	bpfperf stat -x ';' -o out -e "$events" "$@" spin 0.5 >said 2>err
}

# Events that ran for a percentage from LOW to HIGH.
ran() { # LOW HIGH
	awk -F ';' -v low="$1" -v high="$2" '$1 + 0 && $5 + 0 >= low && $5 + 0 <= high { n++ } END { print n + 0 }' out
}

word() { # WORD
	grep -c "^<$1>" out
}

stat_of cycles,instructions,task-clock
is "$(ran 99 100)" 3 "stat: cycles, instructions and time count" || diag "$(cat out err)"
awk -F ';' '/instructions/ && $7 == "insn per cycle" && $6 > 0 { good = 1 } END { exit !good }' out
tap_result $? "stat: instructions a cycle" || diag "$(cat out)"
awk -F ';' '/cycles/ && $7 == "GHz" && $6 > 0.1 { good = 1 } END { exit !good }' out
tap_result $? "stat: cycles in GHz" || diag "$(cat out)"
exits 0 "stat --metric-only: exit 0" bpfperf stat --metric-only -o only -x ';' -e task-clock,cycles,instructions spin 0.5
is "$(sed -n 1p only)" "GHz;insn per cycle;" "stat --metric-only: columns are metrics" || diag "$(cat only)"
awk -F ';' 'NR == 2 && $1 > 0.1 && $2 > 0 { good = 1 } END { exit !(good && NR == 2) }' only
tap_result $? "stat --metric-only: one row and nothing else" || diag "$(cat only)"
stat_of "$(r08 6)"
is "$(ran 99 100)" 6 "six events count all the time on six counters" || diag "$(cat out)"
stat_of "$(r08 9),cycles"
is "$(ran 55 78)" 10 "nine events share six counters, and each runs about two thirds of the time, cycles in their company" || diag "$(cat out)"
says err 'CNT0-5 can count it, and .* want them too: they take turns; with --fit' "nine events share six counters: the reason is reported" || diag "$(cat err)"
stat_of "$(r08 9),cycles" -C 0
is "$(ran 55 78)" 10 "nine events on the one CPU of -C" || diag "$(cat out err)"
stat_of "{$(r08 6),cycles}"
is "$(ran 99 100)" 7 "a group of seven counts" || diag "$(cat out err)"
stat_of "{$(r08 7),cycles}"
is "$(word 'not supported')/$(word 'not counted')" 1/7 "a group of eight: one event is refused" || diag "$(cat out err)"
says err 'as member 7 of its group' "a group of eight: the seventh member is named"
stat_of "{$(r08 6)},{$(r08 6)}"
is "$(ran 42 58)" 12 "two groups of six take turns" || diag "$(cat out)"
stat_of "{$(r08 6)}:D,{$(r08 2)}:D"
is "$(ran 99 100)/$(word 'not counted')" 6/2 "two pinned groups: the second does not count" || diag "$(cat out err)"
says err 'pinned' "two pinned groups: the pinned one is the reason"
bpfperf stat -x ';' -o out -e "$(r08 9)" sleep 0.3 2>err
ok "events of a command that sleeps: the last are not counted" test "$(word 'not counted')" -ge 1 || diag "$(cat out err)"
says err 'its turn never came: turns change every 4 ms' "events of a command that sleeps: sleep is the reason"
stat_of "$(r08 13),cycles" --fit
is "$(ran 99 100)" 14 "stat --fit: all count all the time" || diag "$(cat out err)"
says err '14 events in 3 runs' "stat --fit: three runs"
stat_of "instructions:u,instructions:k,instructions"
awk -F ';' '/instructions:u/ { u = $1 } /instructions:k/ { k = $1 } /instructions;/ { all = $1 }
	END { exit !(u > 0 && k > 0 && u + k > all * 0.999 && u + k < all * 1.001) }' out
tap_result $? "instructions of user and kernel add up" || diag "$(cat out)"
exits 0 "stat -r 3 of user instructions: exit 0" bpfperf stat -r 3 -x ';' -e instructions:u -- syscall_loop 10007
awk -F ';' '{ exit !($1 > 10007 && $4 + 0 < 0.1) }' out
tap_result $? "stat -r 3 of user instructions: three runs count equally" || diag "$(cat out)"

# Metrics: perf's formula over the counts that are printed, to the last digit.
exits 0 "stat -M: exit 0" bpfperf stat -x ';' -o out -M insn_per_cycle,'kinst=r08*1e3/instructions' spin 0.5
awk -F ';' '$3 == "instructions" { i = $1 } $3 == "cycles" { c = $1 } $3 == "r08" { r = $1 }
	$7 == "insn_per_cycle" { a = $6 } $7 == "kinst" { b = $6 }
	END { exit !(c > 0 && sprintf("%.6f", i / c) == a && sprintf("%.6f", r * 1e3 / i) == b) }' out
tap_result $? "stat -M: all digits of two metrics" || diag "$(cat out)"
is "$(grep -c ';99\.[0-9]*;\|;100.00;' out)" 4 "stat -M: its groups count all the time" || diag "$(cat out)"
exits 2 "stat --topdown without stall_slot: exit 2" bpfperf stat --topdown true

# A metric that took turns beside rivals, of a program with phases: user, kernel, user, kernel. The
# clock of icount makes its counts alike in each run, so that a run without rivals has the truth.
# shellcheck disable=SC2016 # the inner shell's
phases='i=0; while [ $i -lt 6 ]; do spin 0.15; syscall_loop 60000 >/dev/null; i=$((i + 1)); done'
share='share=r08:k/r08'
bpfperf stat -x ';' -o out -M "$share" -- sh -c "$phases" 2>err
truth=$(awk -F ';' '$7 == "share" && NF == 7 { print $6 }' out)
ok "stat -M of phases without turns: no bounds" test -n "$truth" || diag "$(cat out err)"
bpfperf stat -x ';' -o out -M "$share" -e "{$(r08 6)},{$(r08 6)}" -- sh -c "$phases" 2>err
awk -F ';' -v t="$truth" '$7 == "share" { exit !(NF == 9 && $8 <= $6 && $6 <= $9 && $8 <= t && t <= $9 && $8 < $9) }' out
tap_result $? "stat -M of phases that took turns: the truth is within the bounds" || diag "$truth" "$(cat out err)"
diag "the share of the kernel: $truth; with turns $(grep ';share' out)"
done_testing
