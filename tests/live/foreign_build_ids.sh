#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Another recorder that asks for build ids of mappings: the kernel marks bpfperf's MMAP2 records as if they had some.
# Names are as without it, and the recordings are true, whichever of the two was first.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd perf

perf record --buildid-mmap -q --no-bpf-event -e dummy -o try.data true 2>/dev/null || skip_all "perf or the kernel knows no --buildid-mmap"
spin=$WORKLOADS/spin
stacks=$WORKLOADS/stacks
getppid=syscalls:sys_enter_getppid

# Runs CMD beside perf, which has its rings before CMD begins and is ended after it.
cat >beside.sh <<'END'
perf record --buildid-mmap -q --no-bpf-event -a -e dummy -o foreign.data &
perf=$!
for try in $(seq 500); do
	grep -q 'anon_inode:\[perf_event\]' /proc/$perf/maps && break
	sleep 0.02
done
"$@"
rc=$?
kill -INT $perf
wait $perf
exit $rc
END
first() { # OPTIONS OF BPFPERF… -- CMD…
	bash beside.sh "$BPFPERF" "$@"
}
second() {
	local opts=()

	while [ "$1" != -- ]; do
		opts+=("$1")
		shift
	done
	shift
	"$BPFPERF" "${opts[@]}" -- bash beside.sh "$@"
}

# Prints how many records of mappings of the workload have a build id, and how many an inode, by perf. Others may run
# programs of its name.
maps_of() { # FILE
	local pid

	pid=$(said pid <out)
	perf script -i "$1" --show-mmap-events 2>/dev/null |
		grep -aE "PERF_RECORD_MMAP2 ${pid:-none}/.*/(spin|stacks|libc)" >maps
	printf '%s %s\n' "$(grep -cE '<[0-9a-f]{16,}>' maps)" "$(grep -cE '@ *0?x?[0-9a-f]* [0-9a-f]+:[0-9a-f]+ [1-9]' maps)"
}

for order in first second; do
	exits 0 "stack, perf is $order: exit 0" $order stack -a -F 499 --unwind=fp -o s.folded -- "$spin" 0.5
	grep -a '^spin;' s.folded >spun
	all=$(awk '{ n += $NF } END { print n + 0 }' spun)
	named=$(awk '/;main;.*spin_(outer|inner)/ { n += $NF } END { print n + 0 }' spun)
	between "$all" 100 1000 "stack, perf is $order: there are samples"
	between "$named" $((95 * all / 100)) "$all" "stack, perf is $order: they are named" || diag "$(head -n 5 spun)"

	exits 0 "trace -g, perf is $order: exit 0" $order trace -a -g=user -o t.json "$getppid" --comm stacks -- "$stacks" 11 5
	is "$(grep -c '"name":"main"' t.json) $(grep -cE '"name":"(zero|one)"' t.json)" "11 11" \
		"trace -g, perf is $order: all stacks are named"

	exits 0 "record -B, perf is $order: exit 0" $order record -q -a -B -e cpu-clock -o r.data -- "$spin" 0.2
	read -r ids inodes < <(maps_of r.data)
	is "$ids" 0 "record -B, perf is $order: no mapping claims a build id"
	between "$inodes" 2 9 "record -B, perf is $order: mappings have their inodes" || diag "$(cat maps)"

	exits 0 "record, perf is $order: exit 0" $order record -q -a -e cpu-clock -o r.data -- "$spin" 0.2
	read -r ids inodes < <(maps_of r.data)
	between "$ids" 2 9 "record, perf is $order: mappings have their build ids" || diag "$(cat maps)"

	exits 0 "trace -g -o perf.data, perf is $order: exit 0" $order trace -a -g=user --format perf -o t.data \
		"$getppid" --comm stacks -- "$stacks" 11 5
	read -r ids inodes < <(maps_of t.data)
	is "$ids" 0 "trace -g -o perf.data, perf is $order: no mapping claims a build id"
	between "$inodes" 2 9 "trace -g -o perf.data, perf is $order: mappings have their inodes" || diag "$(cat maps)"
done
done_testing
