#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Several recorders at once: of a BPF program's function the kernel tells the second in a record that is larger
# than what it writes, and the third in a larger one. Their times are right all the same, to perf, too.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd perf

mkfifo control answer
bgs=()
"$WORKLOADS/spin" 60 >/dev/null &
reap $!
for i in 1 2 3 4; do
	case $i in
	4) perf record -q -a -e cpu-clock -F 49 -o 4.data --control fifo:control,answer >/dev/null 2>&1 & ;;
	3) "$BPFPERF" record -a -g -e cpu-clock -F 49 -o 3.data 2>3.err & ;;
	*) "$BPFPERF" record -a -e cpu-clock -F 49 -o $i.data 2>$i.err & ;;
	esac
	bgs+=($!)
	reap $!
done
begun() {
	"$BPFPERF" script -i "$1" -F tid 2>/dev/null | grep -q .
}
for i in 1 2 3; do
	wait_for 20 begun $i.data
done
# perf writes when its rings are half full; it answers when it records.
echo ping >control
read -rt 60 said <answer
is "$said" ack "perf records while programs are loaded"
for i in 1 2 3; do
	"$BPFPERF" stack -e cpu-clock -o x.folded -- true 2>/dev/null
done
kill -INT "${bgs[@]}"
wait "${bgs[@]}"
for i in 1 2 3 4; do
	"$BPFPERF" script -D -i $i.data >$i.dump 2>script.err || fail "$i: script -D, exit 0" "$(cat script.err)"
	read -r from to < <("$BPFPERF" script -i $i.data -F time 2>/dev/null | tr -d ' :' | sort -n |
		sed -n '1p;$p' | tr '\n' ' ')
	# Synthesized records have the time 0.
	sed -nE 's/.*PERF_RECORD_KSYMBOL .*time=([0-9]+)$/\1/p' $i.dump | awk -v from="$from" -v to="$to" '
		$1 { n++; if ($1 / 1e9 < from - 60 || $1 / 1e9 > to + 60) bad++ }
		END { print n + 0, bad + 0 }' >counts
	read -r cnt bad <counts
	between "$cnt" 9 1000000 "$i: functions of programs loaded meanwhile ($cnt)"
	is "$bad" 0 "$i: all such functions are named"
done
for i in 1 2 3; do
	perf script -i $i.data --show-bpf-events >perf.txt 2>perf.err </dev/null
	unlike "$(cat perf.err)" 'failed to process' "$i: perf reads all of it"
	between "$(grep -c PERF_RECORD_KSYMBOL perf.txt)" 9 1000000 "$i: perf finds the functions"
	unlike "$(cat $i.err)" 'out of order' "$i: no record is out of order"
done
done_testing
