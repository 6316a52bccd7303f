#!/bin/busybox sh
# shellcheck shell=dash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# vm-only: x86_64
# vm: --userland --cpu vendor=GenuineIntel --append tsc=reliable
# record of Intel PT: the test PMU plays its part and a stream of packets (docs/testpmu.md). perf record and bpfperf record
# give recordings that perf decodes to the same instructions, those of the program.
# shellcheck source=lib.sh
. /vm/lib.sh

[ ! -e /vm/pt/skip ] || skip_all "$(cat /vm/pt/skip)"
dmesg -c >/dev/null
ok "the module testpmu loads as intel_pt" insmod /vm/pt/testpmu.ko as_intel_pt=1
pmu=/sys/bus/event_source/devices/intel_pt
rounds=1000
pt_loop --stream "$PWD/stream" $rounds
pt_loop --ips $rounds >want.txt
pt_loop=$(command -v pt_loop)
is "$(grep -c . want.txt)" $((rounds * 5)) "the instructions of the program are known"

# The stream is played once, while the program runs.
play() {
	echo "$PWD/stream" >$pmu/stream
}
played() { # NAME
	is "$(cat $pmu/stream)" "$(wc -c <stream) of $(wc -c <stream)" "$1: the whole stream was played"
}
ips() { # FILE OUT
	perf script -i "$1" --itrace=i1i --ns -F ip,event 2>perf.err </dev/null | sed -nE 's/^ *instructions[^ ]* +([0-9a-f]+).*/\1/p' >"$2"
	[ -s "$2" ] || diag "$(head -n 3 perf.err)" >&2
}
# The header as perf script -D shows it.
info() { # FILE
	perf script -D -i "$1" 2>/dev/null </dev/null | awk '/PERF_RECORD_AUXTRACE_INFO/ { on = 1; next } on && /^  / { print; next } on { exit }'
}
decodes() { # FILE NAME
	ips "$1" got.txt
	is "$(grep -c . got.txt)" $((rounds * 5)) "$2: perf decodes the instructions"
	ok "$2: they are the program's" cmp -s got.txt want.txt
}

# Both recorders with these options.
both() { # NAME SWITCHES OPTION…
	local name=$1 switches=$2

	shift 2
	play
	perf record -o p.data "$@" -- taskset 1 pt_loop 0.5 >perf.out 2>&1
	is $? 0 "perf record $name: exit 0"
	played "perf record $name"
	play
	exits 0 "record $name: exit 0" bpfperf record -o b.data "$@" -- taskset 1 pt_loop 0.5
	played "record $name"
	decodes p.data "perf record $name"
	decodes b.data "record $name"
	info p.data >p.info
	info b.data >b.info
	between "$(grep -c . p.info)" 15 30 "perf record $name: the header has parameters"
	is "$(sed -nE 's/^ *Have sched_switch *//p' b.info)" "$switches" "record $name: the header says how switches are recorded"
	# For root, perf before 7 also records the switches of other tasks in a recording of some.
	sed -i '/Have sched_switch/d' b.info p.info
	ok "record $name: the rest of the header is perf's" diff b.info p.info
	rm -f p.data b.data
}

both "of a command" 2 -e intel_pt//u
both "--per-thread" 0 --per-thread -e intel_pt//u
both "-a" 3 -a -e intel_pt//u
both "with another event first" 2 -e cpu-clock:u,intel_pt/noretcomp=0/u
both "with an address filter" 2 -e intel_pt//u --filter "filter 0x1000/0x10000@$pt_loop"

# The newest bytes, of which nothing is overwritten: what is played is less than the area.
pt_snapshot() { # NAME OPTION…
	local name=$1

	shift
	play
	exits 0 "record -S $name: exit 0" bpfperf record -S -o b.data "$@" -- taskset 1 pt_loop 0.5
	played "record -S $name"
	decodes b.data "record -S $name"
}
pt_snapshot "of a command" -e intel_pt//u
pt_snapshot "--per-thread" --per-thread -e intel_pt//u

# A program that runs already, which SIGUSR2 takes a snapshot of.
taskset 1 pt_loop 600 &
loop=$!
rm -f err
bpfperf -v record -S -o b.data -e intel_pt//u -p $loop 2>err &
recorder=$!
wait_for 20 grep -q 'recording into' err
play
wait_for 20 sh -c "[ \"\$(cat $pmu/stream)\" = \"$(wc -c <stream) of $(wc -c <stream)\" ]"
kill -USR2 $recorder
wait_for 20 grep -q '^bpfperf: snapshot: ' err
kill -INT $recorder
wait $recorder
kill $loop
is "$(sed -nE 's/^bpfperf: snapshot: ([0-9]+) bytes.*/\1/p' err | head -n 1)" "$(wc -c <stream)" "record -S -p: SIGUSR2 takes what was played"
decodes b.data "record -S -p"

# Bytes of the area in the samples of another event: each of them has those of the stream.
pt_loop --stream "$PWD/stream" 100
pt_loop --ips 100 | sort -u >want.ips
samples_decode() { # FILE NAME
	ips "$1" got.txt
	sort -u got.txt >got.ips
	between "$(grep -c . got.txt)" 500 100000000 "$2: perf decodes samples"
	ok "$2: they have the program's instructions" cmp -s got.ips want.ips
}
play
exits 0 "record --aux-sample: exit 0" bpfperf record -o b.data --aux-sample=4096 -e '{intel_pt//u,cpu-clock:u}' -c 20000000 -- taskset 1 pt_loop 0.5
play
perf record -o p.data --aux-sample=4096 -e '{intel_pt//u,cpu-clock:u}' -c 20000000 -- taskset 1 pt_loop 0.5 >perf.out 2>&1
samples_decode p.data "perf record --aux-sample"
samples_decode b.data "record --aux-sample"

# An event that begins paused, and one that ends the pause.
if kernel_is 6.13; then
	pt_loop --stream "$PWD/stream" $rounds
	play
	exits 0 "record of an event that begins paused: exit 0" bpfperf record -o b.data -e intel_pt/aux-action=start-paused/u -- taskset 1 pt_loop 0.5
	is "$(cat $pmu/stream)" "0 of $(wc -c <stream)" "record of an event that begins paused: nothing was played"
	exits 0 "record of an event that ends the pause: exit 0" bpfperf record -o b.data -e '{intel_pt/aux-action=start-paused/u,cpu-clock/aux-action=resume/u}' -c 100000000 -- taskset 1 pt_loop 0.5
	played "record of an event that ends the pause"
	decodes b.data "record of an event that ends the pause"
else
	skip_test "aux-action before 6.13" "the kernel cannot pause a trace unit"
fi

# The children of a command, one after the other, of which the second is played.
pt_loop --stream "$PWD/stream" $rounds
play
exits 0 "record of children: exit 0" bpfperf record -o b.data -e intel_pt//u -- sh -c 'taskset 1 spin 2; taskset 1 pt_loop 1; taskset 2 spin 0.1'
played "record of children"
decodes b.data "record of children"

exits 2 "record -k of Intel PT: exit 2" bpfperf record -k mono -o x.data -e intel_pt//u -- true
says err 'are translated to perf.s own clock; omit -k' "record -k of Intel PT: the reason"
exits 2 "record --aux-sample without a group: exit 2" bpfperf record --aux-sample -o x.data -e intel_pt//u -- true
says err "give one that begins with an AUX event" "record --aux-sample without a group: the remedy"
ok "the module testpmu is removed" rmmod testpmu
ok "the kernel log has no complaint" sh -c '! dmesg | grep -E "WARNING|BUG|Call Trace"'
done_testing
