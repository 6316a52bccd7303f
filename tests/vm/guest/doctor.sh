#!/bin/busybox sh
# shellcheck shell=dash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# What bpfperf doctor finds on this kernel: the verdicts are known for each.
# shellcheck source=lib.sh
. /vm/lib.sh

# ok from VERSION on, limited before.
since() { # VERSION
	if kernel_is "$1"; then echo ok; else echo limited; fi
}

if [ "$(uname -m)" = aarch64 ]; then
	counters=ok
else
	counters=limited
fi
# The watchdog of arm64 takes a counter where the kernel is built with one (6.12's is).
watchdog=ok
[ "$(cat /proc/sys/kernel/nmi_watchdog 2>/dev/null || echo 0)" = 0 ] || watchdog=limited

cat >want <<-END
	kernel: ok
	privileges: ok
	lockdown: ok
	BTF: ok
	tracefs: ok
	attach cookies: $(since 5.15)
	raw tracepoints: ok
	recursion misses: $(since 5.12)
	BPF JIT: ok
	BPF statistics: ok
	memlock: ok
	kernel symbols: ok
	sampling: ok
	counters: $counters
	PMUs: ok
	perf_event_paranoid: ok
	NMI watchdog: $watchdog
	user-space reads: limited
	trace: ok
	stack: ok
END
exits 0 "doctor" bpfperf doctor
cp out text
diag "$(cat text)"
grep -v '^ ' text | sed -nE 's/^(.{20})  ([a-z]+) .*/\1:\2/p' | sed -E 's/ *:/: /' >got
ok "the verdicts are this kernel's" diff want got
# All of it, but for what changes with each version of a package.
sed -E "s/$(uname -r | sed 's/[.+]/\\&/g')/RELEASE/; s/, [0-9]+ KiB/, N KiB/" text >golden
if [ -s /vm/doctor/want ]; then
	ok "every word is that of tests/vm/golden" diff /vm/doctor/want golden
else
	skip_test "golden" "tests/vm/golden has nothing for this kernel yet"
	diag "$(sed 's/^/golden: /' golden)"
fi
ok "the kernel is named" grep -qF " $(uname -r) " text

# A group of seven cycles fits on cortex-a76, one of eight does not.
[ $counters = limited ] || says text '^counters .*: 7 counters for cycles' "seven counters"
if [ -e /proc/sys/kernel/perf_user_access ]; then
	echo 1 >/proc/sys/kernel/perf_user_access
	bpfperf doctor >out
	says out '^user-space reads +ok ' "the remedy for user-space reads is one"
	echo 0 >/proc/sys/kernel/perf_user_access
fi
# In a user namespace of its own even root has no right to anything outside.
exits 1 "doctor without privileges" unshare -U bpfperf doctor
if [ $counters = ok ]; then
	says out '^counters +unknown +needs the right to open perf events' "does not know of counters"
	is "$(grep -A1 '^counters ' out | sed -n 's/^ *-> //p')" "run as root, or with CAP_PERFMON" "and says who does"
fi
# CPU 0 is the first of the PMU's list. x86 does not let go of it.
if [ -w /sys/devices/system/cpu/cpu0/online ]; then
	echo 0 >/sys/devices/system/cpu/cpu0/online
	is "$(cat /sys/devices/system/cpu/online)" 1 "CPU 0 is offline"
	exits 0 "doctor without it" bpfperf doctor
	grep -E '^(sampling|counters) ' out >got
	is "$(cat got)" "$(grep -E '^(sampling|counters) ' text)" "finds what it found"
	exits 0 "stack without it" bpfperf stack --format json -o f.json -- spin 0.1
	says f.json '"events":\[\{"name":"cycles"' "samples cycles"
	echo 1 >/sys/devices/system/cpu/cpu0/online
	is "$(cat /sys/devices/system/cpu/online)" 0-1 "CPU 0 is back"
fi
echo 1 >/proc/sys/kernel/bpf_stats_enabled
bpfperf doctor >out
says out '^BPF statistics +limited +on: ' "statistics that are on are found"
says out ' -> sysctl kernel.bpf_stats_enabled=0' "with the remedy"
echo 0 >/proc/sys/kernel/bpf_stats_enabled
# Lazily: an earlier ring's tracepoints may still be being let go of.
umount -l $TRACEFS
exits 1 "without tracefs trace cannot run" bpfperf doctor
says out '^tracefs +missing' "which is said"
says out ' -> .*mount -t tracefs' "with the remedy"
says out '^trace +missing .*see tracefs' "and what follows"
says out '^stack +ok' "stack can run"
mount -t tracefs tracefs $TRACEFS
ulimit -l 64
ok "a low limit of locked memory is raised by root" sh -c 'bpfperf doctor | grep -q "^memlock *ok"'
done_testing
