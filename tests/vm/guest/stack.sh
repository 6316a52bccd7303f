#!/bin/busybox sh
# shellcheck shell=dash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# stack: samples, their number, their names.
# shellcheck source=lib.sh
. /vm/lib.sh

# Before anybody takes stacks.
exits 0 "deep stacks are allowed" sh -c 'echo 300 >/proc/sys/kernel/perf_event_max_stack'

exits 0 "stack -F 99 of two seconds: exit 0" bpfperf stack -F 99 -o f.folded -- spin 2
n=$(summary samples)
# An emulated clock may stand still while its host is busy; how many there are is asked by the ring rate.
between "$n" 1 $(($(said cpu_s <out | awk '{ printf "%d", $1 * 99 }') + 5)) "stack -F 99 of two seconds: $n samples, no more than its CPU time has"
is "$(samples f.folded)" "$n" "stack -F 99 of two seconds: all samples are printed"
is "$(summary lost)" 0 "stack -F 99 of two seconds: none is lost"
# Starting the program takes an emulator long.
between "$(samples f.folded '^spin;.*;main;spin_(outer|inner)')" $((n * 6 / 10)) "$n" \
	"stack -F 99 of two seconds: samples are in the busy functions"

exits 0 "stack -a: exit 0" bpfperf stack -a -F 99 --duration 1 -o f.folded
is "$(samples f.folded)" "$(summary samples)" "stack -a: all samples are printed"
exits 0 "stack --kernel: exit 0" bpfperf stack --kernel -F 499 -o f.folded -- syscall_loop 300007
is "$(samples f.folded ';main')" 0 "stack --kernel: no user frame"
ok "stack --kernel: kernel frames have names" grep -qE 'do_syscall_64|el0_svc' f.folded

# Samples of the stacks of a JSON profile that match.
stacks_of() { # FILE REGEX
	grep '^{"group"' "$1" | grep -E "$2" | sed 's/,"paths":.*//; s/.*"samples":\([0-9]*\).*/\1/' |
		awk '{ n += $1 } END { print n + 0 }'
}

exits 0 "stack -e of tracepoints: exit 0" bpfperf stack -e syscalls:sys_enter_getppid,page-faults -c 1 -o f.folded -- syscall_loop 3011
is "$(samples f.folded '^syscalls:sys_enter_getppid;syscall_loop;')" 3011 "stack -e of tracepoints: each call is a sample, beside another event"
exits 0 "stack --max-depth 300: exit 0" bpfperf stack -e syscalls:sys_enter_getppid --max-depth 300 --no-inline -o f.folded -- stacks 11 200
is "$(grep -cE '(;(zero|one)){200}' f.folded)" 11 "stack --max-depth 300: each stack is whole"

exits 0 "stack --off-cpu --wakers: exit 0" bpfperf stack --wakers --format json -o f.json -- sleeper 53 20000
between "$(stacks_of f.json 'nanosleep.*\[sleeping\]')" 52 53 "stack --off-cpu --wakers: each sleep is a sample"
between "$(stacks_of f.json 'nanosleep.*\[sleeping\].*\[woken by\]')" 52 53 "stack --off-cpu --wakers: each sleep has its waker"
is "$(summary lost)" 0 "stack --off-cpu --wakers: none is lost"
exits 0 "stack --off-cpu -F: exit 0" bpfperf stack --off-cpu -F 199 --format json -o f.json -- spin 1
ok "stack --off-cpu -F: time on the CPU beside it" test "$(stacks_of f.json '"spin_(inner|outer)"')" -gt 0

# Sums of a JSON profile: its first number of the name.
first_of() { # FILE KEY
	head -n 1 "$1" | sed "s/.*\"$2\":\([0-9]*\).*/\1/"
}
exits 0 "stack --latency of one thread: exit 0" bpfperf stack --latency -e cpu-clock -c 10000000 --format json -o f.json -- phases 1000 0 0
between "$(first_of f.json samples)" 1 1000 "stack --latency of one thread: there are samples"
is "$(first_of f.json weight)" "$(($(first_of f.json samples) * 10000000))" "stack --latency of one thread: each sample weighs its period"
exits 0 "stack --latency of two threads: exit 0" bpfperf stack --latency -e cpu-clock -c 10000000 --format json -o f.json -- phases 0 2000 2
between "$(first_of f.json weight)" 1 "$(($(first_of f.json samples) * 9000000))" "stack --latency of two threads: they share the time"
done_testing
