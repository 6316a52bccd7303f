#!/bin/busybox sh
# shellcheck shell=dash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# The findings of bpfperf doctor on this kernel: the verdicts are known for each.
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

exits 0 "doctor as root: exit 0" bpfperf doctor
cp out text
diag "$(cat text)"
# From 6.18 on kernels of x86-64 make a call of a nop of five bytes, until the later ones that leave the red zone alone.
probes=ok
if kernel_is 6.18 && grep -q 'writes below the stack pointer' text; then probes=limited; fi

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
	probes: $probes
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
grep -v '^ ' text | sed -nE 's/^(.{20})  ([a-z]+) .*/\1:\2/p' | sed -E 's/ *:/: /' >got
ok "doctor as root: the verdicts are this kernel's" diff want got
# All of it, but for what changes with each version of a package.
sed -E "s/$(uname -r | sed 's/[.+]/\\&/g')/RELEASE/; s/, [0-9]+ KiB/, N KiB/; s/( costs|,) [0-9.]+( us)? at/\\1 N\\2 at/g; s/ costs [0-9.]+ us$/ costs N us/" text >golden
if [ -s /vm/doctor/want ]; then
	ok "doctor as root: every word is that of tests/vm/golden" diff /vm/doctor/want golden
else
	skip_test "doctor as root: every word is that of tests/vm/golden" "tests/vm/golden has nothing for this kernel yet"
	diag "$(sed 's/^/golden: /' golden)"
fi
ok "doctor as root: the kernel is named" grep -qF " $(uname -r) " text

# A group of seven cycles fits on cortex-a76, one of eight does not.
[ $counters = limited ] || says text '^counters .*: 7 counters for cycles' "doctor as root: the 7 counters for cycles"
if [ -e /proc/sys/kernel/perf_user_access ]; then
	echo 1 >/proc/sys/kernel/perf_user_access
	bpfperf doctor >out
	says out '^user-space reads +ok ' "doctor as root: the remedy for user-space reads works"
	echo 0 >/proc/sys/kernel/perf_user_access
fi
# In a user namespace of its own even root has no right to anything outside.
exits 1 "doctor without privileges: exit 1" unshare -U bpfperf doctor
if [ $counters = ok ]; then
	says out '^counters +unknown +needs the right to open perf events' "doctor without privileges: counters are unknown"
	is "$(grep -A1 '^counters ' out | sed -n 's/^ *-> //p')" "run as root, or with CAP_PERFMON" "doctor without privileges: root is the remedy"
fi
# CPU 0 is the first of the PMU's list. x86 does not let go of it.
if [ -w /sys/devices/system/cpu/cpu0/online ]; then
	echo 0 >/sys/devices/system/cpu/cpu0/online
	is "$(cat /sys/devices/system/cpu/online)" 1 "CPU 0 is taken offline"
	exits 0 "doctor without CPU 0: exit 0" bpfperf doctor
	grep -E '^(sampling|counters) ' out >got
	is "$(cat got)" "$(grep -E '^(sampling|counters) ' text)" "doctor without CPU 0: findings are those with it"
	exits 0 "stack without CPU 0: exit 0" bpfperf stack --format json -o f.json -- spin 0.1
	says f.json '"events":\[\{"name":"cycles"' "stack without CPU 0: cycles are sampled"
	echo 1 >/sys/devices/system/cpu/cpu0/online
	is "$(cat /sys/devices/system/cpu/online)" 0-1 "CPU 0 is brought back"
fi
echo 1 >/proc/sys/kernel/bpf_stats_enabled
bpfperf doctor >out
says out '^BPF statistics +limited +on: ' "doctor with BPF statistics on: they are found"
says out ' -> sysctl kernel.bpf_stats_enabled=0' "doctor with BPF statistics on: the remedy is named"
echo 0 >/proc/sys/kernel/bpf_stats_enabled
# Lazily: an earlier ring's tracepoints may still be being let go of.
umount -l $TRACEFS
exits 1 "doctor without tracefs: trace cannot run" bpfperf doctor
says out '^tracefs +missing' "doctor without tracefs: the missing mount is reported"
says out ' -> .*mount -t tracefs' "doctor without tracefs: the mount is the remedy"
says out '^trace +missing .*see tracefs' "doctor without tracefs: the consequence is reported"
says out '^stack +ok' "doctor without tracefs: stack can run"
mount -t tracefs tracefs $TRACEFS
ulimit -l 64
ok "a low limit of locked memory is raised by root" sh -c 'bpfperf doctor | grep -q "^memlock *ok"'
done_testing
