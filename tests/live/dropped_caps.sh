#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# The capabilities that bpfperf and bpfperf-detach keep after attaching: those that docs/security.md names, in each thread.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"

declare -A bit=([CAP_CHOWN]=0 [CAP_DAC_OVERRIDE]=1 [CAP_DAC_READ_SEARCH]=2 [CAP_FOWNER]=3 [CAP_SYS_PTRACE]=19 [CAP_SYS_ADMIN]=21
	[CAP_SYSLOG]=34 [CAP_PERFMON]=38 [CAP_BPF]=39 [CAP_CHECKPOINT_RESTORE]=40)
[ "$(cat /proc/sys/kernel/cap_last_cap)" -ge 40 ] || skip_all "this kernel has no CAP_BPF, so that CAP_SYS_ADMIN is kept"
# Prints the mask of capabilities that docs/security.md names for a kind of process.
named() { # KIND
	local mask=0 cap

	while read -r cap; do
		mask=$((mask | 1 << bit[$cap]))
	done < <(sed -n "/^| $1 |/p" "$TOP/docs/security.md" | grep -oE 'CAP_[A-Z_]+')
	printf '%016x\n' $mask
}

# Prints the capabilities of all threads of a process, each mask once.
masks() { # PID
	sed -nE 's/^Cap(Prm|Eff):\s*//p' /proc/"$1"/task/*/status | sort -u | xargs
}
has_masks() { # PID MASK
	[ "$(masks "$1")" = "$2" ]
}

mkfifo go
# shellcheck disable=SC2016 # of that shell
cmd='sed -n "s/^CapEff:\s*//p" /proc/self/status >cmd.caps; : >started; read -r line <go'
full=$(sed -n 's/^CapEff:\s*//p' /proc/self/status)
for way in "trace:trace kmem:kfree" "trace -g:trace -g kmem:kfree" "stack:stack -F 99 --format folded" "stat:stat -e page-faults" \
	"stat of tracepoints:stat -e kmem:kfree" "record:record -q -e cpu-clock" "record -g:record -q -g -e cpu-clock" \
	"record that switches:record -q --switch-output -e cpu-clock"; do
	name=${way%%:*}
	read -ra args <<<"${way#*:}"
	kind=${args[0]}
	[[ $name != "record -g" ]] || kind=stack
	[[ $name != "record that switches" ]] || kind="record --switch-output"
	want=$(named "$kind")
	isnt "$want" 0000000000000000 "$name: docs/security.md names its capabilities"
	rm -f started cmd.caps
	"$BPFPERF" "${args[@]}" -o "$TMP/kept.out" -- sh -c "$cmd" 2>err &
	bg=$!
	reap $bg
	ok "$name: CMD is started" wait_for 100 test -e started
	ok "$name: each thread of bpfperf keeps what docs/security.md names: $want" wait_for 50 has_masks $bg "$want"
	is "$(cat cmd.caps)" "$full" "$name: CMD has all capabilities of root"
	for pid in $(pgrep -x bpfperf-detach); do
		grep -qa "$TMP/kept.out" "/proc/$pid/cmdline" || continue
		is "$(masks "$pid")" "$(named bpfperf-detach)" "$name: bpfperf-detach keeps what docs/security.md names"
	done
	echo >go
	wait $bg
	is $? 0 "$name: exit 0"
done

exits 0 "stat -r 3: exit 0" "$BPFPERF" stat -r 3 -e page-faults -o runs.out -- sh -c 'sed -n "s/^CapEff:\s*//p" /proc/self/status'
is "$(sort -u out)" "$full" "stat -r 3: CMD has all capabilities of root in each run"
done_testing
