#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Commands that run for long, all at once: their memory, descriptors and mappings, and their maps in the kernel, are in the end
# what they were after the first third; every call of the load was counted; and where processes start and end as fast as they can,
# stacks have their tables. For SOAK_S seconds (30), an hour with --all-kernels.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=../live/live.bash
. "$TOP/tests/live/live.bash"

SOAK_S=${SOAK_S:-30}
[ "${VM_MATRIX:-}" != all ] || SOAK_S=3600
GETSID=syscalls:sys_enter_getsid

# Each load begins when the file `go` is there, and ends at its time.
cat >calls.sh <<'END'
until [ -e go ]; do sleep 0.05; done
until [ -e stop ]; do
	"$1/syscall_loop" 2011 getsid >>made
	"$1/short_lived" 31 0 >>forked
	sleep 0.1
done
END
cat >forks.sh <<'END'
until [ -e go ]; do sleep 0.05; done
until [ -e stop ]; do "$1/short_lived" 1009 0 >>forked; done
END
bash calls.sh "$WORKLOADS" &
calls=$!
bash forks.sh "$WORKLOADS" &
forks=$!
reap $calls
reap $forks

declare -A pid before after
start() { # NAME ARG…
	local name=$1

	shift
	"$BPFPERF" -v "$@" >"$name.out" 2>"$name.err" &
	pid[$name]=$!
	reap $!
}
start trace trace -p $calls -e $GETSID -o /dev/null
start stat stat -I 1000 -p $calls -e $GETSID -o stat.txt
start latency latency -p $calls syscalls:getsid -o latency.txt
start strace strace -c -p $calls -e getsid -o strace.txt
start flight record --overwrite -m 64K -p $calls -e $GETSID -o flight.data
start stack stack -p $calls,$forks -F 997 --format folded -o stack.folded

# Readers of a command that are alive now.
readers() { # NAME
	local p

	sed -n 's/.* process \([0-9]*\) reads files .*/\1/p' "$1.err" | while read -r p; do
		[ "$(cat "/proc/$p/comm" 2>/dev/null)" != bpfperf-reader ] || echo "$p"
	done
}
# Prints KiB of memory that is a command's own, with that of its readers; descriptors; mappings; maps in the kernel.
sizes() { # NAME
	local p=${pid[$1]} kib=0 one

	for one in $p $(readers "$1"); do
		kib=$((kib + $(awk '/^Rss(Anon|Shmem)/ { s += $2 } END { print s + 0 }' "/proc/$one/status" 2>/dev/null)))
	done
	echo "$kib $(find "/proc/$p/fd" -mindepth 1 2>/dev/null | wc -l) $(wc -l <"/proc/$p/maps")" \
		"$(grep -l '^map_id' "/proc/$p/fdinfo/"* 2>/dev/null | wc -l)"
}
is_attached() { # NAME: it has dropped the capability to load programs that change the kernel's state
	[ $((0x$(awk '/^CapEff/ { print $2 }' "/proc/${pid[$1]}/status") >> 12 & 1)) -eq 0 ]
}

programs=(trace stat latency strace flight stack)
for name in "${programs[@]}"; do
	ok "$name: it is attached" wait_for 60 is_attached "$name"
done
: >go
sleep $((SOAK_S / 3))
for name in "${programs[@]}"; do
	before[$name]=$(sizes "$name")
done
sleep $((SOAK_S - SOAK_S / 3))
for name in "${programs[@]}"; do
	after[$name]=$(sizes "$name")
done
: >stop
wait $calls $forks
for name in "${programs[@]}"; do
	# Each ends with the processes that it watches.
	wait "${pid[$name]}"
	is $? 0 "$name: exit 0 after $SOAK_S s"
	diag "$name: KiB, descriptors, mappings, maps: ${before[$name]}; in the end ${after[$name]}"
	read -r kib fds areas maps <<<"${before[$name]}"
	read -r kib_end fds_end areas_end maps_end <<<"${after[$name]}"
	# A thousand processes that have ended are remembered, and the first third may be too short for so many.
	between "$kib_end" 1 $((kib + kib / 10 + 4096)) "$name: its memory is flat"
	between "$fds_end" 1 $((fds + 8)) "$name: its descriptors are flat"
	between "$areas_end" 1 $((areas + 24)) "$name: its mappings are flat"
	between "$maps_end" 0 $((maps + 4)) "$name: its maps in the kernel are flat"
done

made=$(sed -n 's/.* count=\([0-9]*\) .*/\1/p' made | paste -sd+ | bc)
forked=$(sed -n 's/.* children=\([0-9]*\) .*/\1/p' forked | paste -sd+ | bc)
diag "$made calls, $forked processes in $SOAK_S s"
between "$made" 2011 1000000000000 "the load made calls"
counted() { # NAME of the summary's word for what was delivered
	sed -nE "s/^bpfperf: ([0-9]+) $2, ([0-9]+) lost.*/\1+\2/p" "$1.err" | bc
}
is "$(counted trace records)" "$made" "trace: delivered and lost records are what was made"
is "$(counted latency durations)" "$made" "latency: durations are the calls that were made"
is "$(awk -v e=$GETSID 'index($0, e) { gsub(",", "", $2); s += $2 } END { print s + 0 }' stat.txt)" "$made" \
	"stat -I: the intervals' counts are the calls that were made"
is "$(awk '$NF == "getsid" { print $4 }' strace.txt)" "$made" "strace -c: its count is the calls that were made"

share() { # NUMBER before TEXT, among the stacks that are not complete
	sed -nE "s/^bpfperf: [0-9]+ of [0-9]+ user stacks are not complete:.* ([0-9]+) $1.*/\1/p" stack.err
}
# Without the cause the share is 0: so what is looked for has to be what bpfperf says.
like "$(cat stack.err)" 'bpfperf: unwind tables: [0-9]+ files' "stack: it sums up its tables"
for words in 'user stacks are not complete:' 'a table that was not built yet'; do
	ok "stack: its words are \"$words\"" grep -qaF "$words" "$BPFPERF"
done
stacks=$(sed -nE 's/^bpfperf: ([0-9]+) samples, .*/\1/p' stack.err)
between "$stacks" $((SOAK_S * 10)) 1000000000 "stack: there are samples"
between $((1000 * $(share 'a table that was not built yet' | grep . || echo 0) / stacks)) 0 30 \
	"stack: at least 97 % of user stacks have their tables, with $((forked / SOAK_S)) new processes a second"
unlike "$(cat stack.err)" "sets of mappings" "stack: there is room for the mappings of all processes"
done_testing
