#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# Hardware breakpoints (mem:ADDR/LEN:rwx): each access is counted and sampled, as perf does; and the end at a number of samples.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd perf

"$WORKLOADS/pt_loop" --ips 1 >ips.txt || skip_all "the loop is of x86-64"
# The function that each round calls.
leaf=0x$(sed -n 3p ips.txt)
stat_of() { # EVENT CMD…
	local event=$1

	shift
	"$BPFPERF" stat -x, -e "$event" -- "$@" 2>&1 | sed -nE 's/^([0-9]+),.*/\1/p'
}
perf stat -e "mem:$leaf:x:u" true >perf.out 2>&1
! grep -qE 'not supported|not counted|Invalid|No space' perf.out || skip_all "this machine has no breakpoints: $(grep mem: perf.out)"
# A hypervisor may take them without a word.
if perf stat -x, -e "mem:$leaf:x:u" "$WORKLOADS/pt_loop" --rounds 11 2>&1 | grep -q '^0,'; then
	for run in "stat" "record -o bp.data" "stack -o bp.folded"; do
		# shellcheck disable=SC2086 # words
		"$BPFPERF" $run -e "mem:$leaf:x:u" -- "$WORKLOADS/pt_loop" --rounds 11 >out 2>err
		like "$(cat err)" 'breakpoints never fire on this machine' "${run%% *} -e mem:ADDR:x: that nothing counts is said"
	done
	done_testing
	exit
fi

"$BPFPERF" stat -e "mem:$leaf:x:u" -- true >out 2>err
unlike "$(cat err)" 'never fire' "stat -e mem:ADDR:x: no warning where breakpoints fire"
is "$(stat_of "mem:$leaf:x:u" "$WORKLOADS/pt_loop" --rounds 1234)" 1234 "stat -e mem:ADDR:x: each call is counted"
is "$(stat_of "{mem:$leaf/8:x:u,mem:$leaf:rw:u}" "$WORKLOADS/pt_loop" --rounds 321 | paste -sd,)" 321,0 "stat -e of a group: reads are none"
exits 0 "record -e mem:ADDR:x: exit 0" "$BPFPERF" record -q -e "mem:$leaf:x:u" -o bp.data -- "$WORKLOADS/pt_loop" --rounds 555
is "$("$BPFPERF" script -i bp.data -F ip | tr -d ' ' | sort | uniq -c | tr -s ' ')" " 555 ${leaf#0x}" "record -e mem:ADDR:x: a sample of each call"
is "$(perf script -i bp.data -F ip 2>/dev/null | wc -l)" 555 "record -e mem:ADDR:x: perf script has the samples"
perf record -q -e "mem:$leaf:x:u" -o perf.data -- "$WORKLOADS/pt_loop" --rounds 10 2>perf.err
attr() { # FILE
	perf evlist -v -i "$1" 2>/dev/null | grep '^mem:' | grep -oE '\<(type|bp_type|sample_freq \}|exclude_[a-z]+|config[12] \}): [^,]*'
}
is "$(attr bp.data)" "$(attr perf.data)" "record -e mem:ADDR:x: the attr is perf's"
exits 0 "record -c of a breakpoint: exit 0" "$BPFPERF" record -q -c 5 -e "mem:$leaf:x:u" -o bp.data -- "$WORKLOADS/pt_loop" --rounds 555
is "$("$BPFPERF" script -i bp.data -F ip | wc -l)" 111 "record -c of a breakpoint: one in five"
if "$BPFPERF" stack -e "mem:$leaf:x:u" --format folded -o bp.folded -- "$WORKLOADS/pt_loop" --rounds 777 2>err; then
	is "$(awk '/pt_loop_leaf/ { n += $NF } END { print n + 0 }' bp.folded)" 777 "stack -e mem:ADDR:x: a stack of each call"
else
	skip_test "stack -e mem:ADDR:x" "$(head -n 1 err)"
fi
like "$("$BPFPERF" list breakpoint)" '^mem:ADDR.*breakpoint +count sample$' "list breakpoint: how they are written"
exits 2 "trace of a breakpoint: exit 2" "$BPFPERF" trace "mem:$leaf:x"
like "$(cat err)" 'bpfperf stack -e mem:' "trace of a breakpoint: stack samples it"

# One in N of a tracepoint, and no more than so many samples.
exits 0 "record -c of a tracepoint: exit 0" "$BPFPERF" record -q -c 7 -e syscalls:sys_enter_getppid -o tp.data -- "$WORKLOADS/syscall_loop" 1000
is "$("$BPFPERF" script -i tp.data -F ip | wc -l)" 142 "record -c of a tracepoint: one in seven"
exits 0 "record --max-events: exit 0" "$BPFPERF" record -e syscalls:sys_enter_getppid --max-events 77 -o tp.data -- "$WORKLOADS/syscall_loop" 100000
is "$("$BPFPERF" script -i tp.data -F ip | wc -l)" 77 "record --max-events: so many samples"
done_testing
