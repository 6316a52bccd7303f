#!/bin/busybox sh
# shellcheck shell=dash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# vm: --cpus 2 --icount 3
# vm-only: arm64
# Kernels 5.10 and 6.1 of x86_64 say nothing for ten minutes with such a clock.
# stack: samples are CPU time × rate, by the CPU time that the program says it had. The clock is that
# of instructions: no timer is late, however busy the host. What a migration of the program costs remains.
# shellcheck source=lib.sh
. /vm/lib.sh

# CPU time that spin said in out, in periods.
periods() { # PERIOD_NS
	said cpu_s <out | awk -v period="$1" '{ printf "%d", $1 * 1000000000 / period }'
}

# Passes where GOT is N to within PERCENT, and one more at either end.
near() { # GOT N PERCENT NAME
	between "$1" $(($2 - $2 * $3 / 100 - 1)) $(($2 + $2 * $3 / 100 + 1)) "$4 ($1 of $2)"
}

rate() { # PERIOD_NS OPTION…
	local period=$1 want

	shift
	exits 0 "stack $*: exit 0" bpfperf stack "$@" -o f.folded -- spin 2.003
	want=$(periods "$period")
	near "$(summary samples)" "$want" 5 "  a sample each $period ns of CPU time"
	is "$(samples f.folded)" "$(summary samples)" "stack $*: all samples are printed"
	is "$(summary lost)" 0 "stack $*: none is lost"
	near "$(samples f.folded '^spin;.*;main;spin_(outer|inner)')" "$want" 8 "  in the functions that take the time"
}

rate 10101010 -e cpu-clock -F 99
rate 2004008 -e cpu-clock -F 499
rate 5003009 -e cpu-clock -c 5003009
rate 3000017 -e task-clock -c 3000017

exits 0 "stack --off-cpu -F: exit 0" bpfperf stack --off-cpu -e cpu-clock -F 199 --format json -o f.json -- spin 1.009
near "$(grep '^{"group".*"spin_[io]' f.json | grep -v '\[[a-z ]*\]"\]' | sed 's/,"paths":.*//; s/.*"samples":\([0-9]*\).*/\1/' |
	awk '{ n += $1 } END { print n + 0 }')" "$(periods 5025125)" 8 "  time on the CPU beside the time off it"

exits 0 "stack -a -F: exit 0" bpfperf stack -a -e cpu-clock -F 499 -o f.folded -- spin 2.003
near "$(samples f.folded '^spin;')" "$(periods 2004008)" 5 "  of which the program's is CPU time x rate"
done_testing
