#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# Programs with one cause of slowness each: their lines of truth, and that they leave nothing behind. On a busy machine
# the cause need not be most of their time.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd nm timeout
culprit=$WORKLOADS/culprit

nm "$culprit" | awk '$2 == "T" { print $3 }' | sort >symbols
is_place() { # FUNCTION
	grep -qx "$1" symbols
}
swaps() {
	grep -c /culprit-swap. /proc/swaps
}
groups() {
	find /sys/fs/cgroup -maxdepth 6 -type d -name 'culprit-*' 2>/dev/null | wc -l
}

"$culprit" --list >names
is "$(sort -u names | wc -l)" 24 "--list: twenty-two programs and two chains"
while read -r name; do
	timeout 60 "$culprit" "$name" 0.3 >truth 2>err
	rc=$?
	if [ $rc = 77 ]; then
		skip_test "$name: its cause is a part of its time" "$(cat err)"
		continue
	fi
	like "$rc $(cat truth)" '^0 wall_ms=[0-9.]+ cause_ms=[0-9.]+ cause=[a-z-]+ place=[a-z_]+ thread=[a-z0-9-]+' \
		"$name: one line of truth" || diag "$(cat err)"
	ok "$name: its cause is a part of its time" \
		awk "BEGIN { c = $(said cause_ms <truth); exit !(c > 0 && c <= $(said wall_ms <truth) + 0.1) }"
	for key in place victim_place holder_place peer_place; do
		place=$(said $key <truth)
		[ -z "$place" ] || ok "$name: $key is a symbol" is_place "$place"
	done
	! grep -q '^chain' <<<"$name" || cp truth "$name"
done <names

# The order's parts are work_ms of chain.c; the path is all of them, one after the other.
for name in chain chain-decoy; do
	is "$(said order <"$name" | tr , '\n' | cut -d: -f1 | tr '\n' ' ')" \
		"chain-0-futex chain-1-pipe chain-2-eventfd chain-3-socket chain-4-futex chain-5-pipe chain-6-eventfd chain-7-socket chain-8-futex chain-9-pipe " \
		"$name: ten members in order"
	between "$(said path_cpu_ms <"$name" | cut -d. -f1)" 900 908 "$name: 900 ms of work on the path"
	ok "$name: the path is as long as its work, or longer" \
		awk "BEGIN { exit !($(said path_ms <"$name") >= $(said path_cpu_ms <"$name")) }"
done

# The faults are those that the kernel counted for the thread. 110 ms of CPU time at 20 ms a period need five more
# periods after the first one, of which the last four begin 100 ms apart.
if timeout 60 "$culprit" swap 0.3 >truth 2>err; then
	between "$(said major_faults <truth)" 100 100000000 "swap: pages came from the file"
fi
if timeout 60 "$culprit" throttle 0.5 >truth 2>err; then
	ok "throttle: the group was throttled, for four periods at least" \
		awk "BEGIN { exit !($(said throttled_ms <truth) > 0 && $(said cause_ms <truth) >= 300) }"
fi

# A signal ends a program that has a group and a swap file; both are gone.
"$culprit" swap 60 >truth 2>err &
pid=$!
reap $pid
swaps_or_ended() {
	[ "$(swaps)" = 1 ] || ! kill -0 "$pid" 2>/dev/null
}
wait_for 20 swaps_or_ended
if [ "$(swaps)" = 1 ]; then
	kill -TERM $pid
	wait $pid
	is "$?" 143 "SIGTERM: the program ends"
	is "$(swaps) $(groups)" "0 0" "SIGTERM: neither swap file nor group is left"
fi
is "$(swaps) $(groups)" "0 0" "neither swap file nor group is left"

exits 2 "a program that does not exist is refused" "$culprit" nonsense
like "$(cat err)" '--list' "a program that does not exist: the remedy is named"
exits 2 "seconds that are no number are refused" "$culprit" sleep x
done_testing
