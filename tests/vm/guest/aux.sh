#!/bin/busybox sh
# shellcheck shell=dash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# vm: --userland
# record of AUX areas: the pattern of testaux (docs/testpmu.md), in full and as snapshots, beside perf script.
# shellcheck source=lib.sh
. /vm/lib.sh

[ ! -e /vm/aux/skip ] || skip_all "$(cat /vm/aux/skip)"
dmesg -c >/dev/null
ok "the module testaux loads" insmod /vm/aux/testpmu.ko

# Bytes of AUX data by the summary.
aux_bytes() {
	sed -nE 's/^bpfperf: AUX: ([0-9]+) bytes.*/\1/p' err
}

# Records of a type that perf script -D sees.
perf_sees() { # FILE TYPE [OPTION…]
	local file=$1 type=$2

	shift 2
	perf script -D -i "$file" "$@" >perf.txt 2>perf.err </dev/null
	[ -s perf.txt ] || diag "$(head -n 3 perf.err)" >&2
	grep -c "PERF_RECORD_$type " perf.txt
}
we_see() { # FILE TYPE
	bpfperf script -D -i "$1" | grep -c "PERF_RECORD_$2 "
}

# 64 MiB of what 2 CPUs × 2000 words of 8 bytes a millisecond make of 5 s, however much is truncated for want of time.
exits 0 "record -a of an AUX event: exit 0" bpfperf record -a -e testaux/rate=2000/ -m 128,1024 -o a.data -- spin 5
run_tap aux_file trace a.data $((64 << 20))
# Without every byte of them, which takes perf minutes.
is "$(perf_sees a.data AUXTRACE --no-itrace)" "$(we_see a.data AUXTRACE)" "record -a of an AUX event: perf script -D finds each piece"
is "$(perf_sees a.data AUX --no-itrace)" "$(sed -nE 's/.* in ([0-9]+) pieces.*/\1/p' err)" "record -a of an AUX event: perf script -D finds the AUX records"

exits 0 "an AUX area that is too small: exit 0" bpfperf record -a -e testaux/rate=2000/ -m 128,4 -o s.data -- spin 1
run_tap aux_file trace s.data 100000
truncated=$(sed -nE 's/.*; ([0-9]+) truncated.*/\1/p' err)
between "$truncated" 3 100000 "an AUX area that is too small: $truncated truncated pieces are reported"
says err 'AUX data was truncated for lack of room: give a larger -m' "an AUX area that is too small: -m is the remedy"

exits 0 "an AUX event of one command: exit 0" bpfperf record -i -e testaux// -m 128,256 -o c.data -- spin 1
run_tap aux_file trace c.data 100000
is "$(perf_sees c.data AUXTRACE)" "$(we_see c.data AUXTRACE)" "an AUX event of one command: perf script -D shows the bytes of each piece"
exits 0 "an AUX event of one thread: exit 0" bpfperf record --per-thread -e testaux// -m 128,256 -o t.data -- spin 1
run_tap aux_file thread t.data 100000
exits 0 "an AUX event beside another event: exit 0" bpfperf record -a -e testaux//,sched:sched_switch -m 128,256 -o b.data -- spin 1
run_tap aux_file trace b.data 100000
n=$(bpfperf script -i b.data | grep -c sched_switch)
between "$n" 1 100000000 "an AUX event beside another event: its $n samples are in the file"
is "$(perf script -i b.data 2>perf.err | grep -c sched_switch)" "$n" "an AUX event beside another event: perf script shows its samples"

exits 0 "record -z of an AUX event: exit 0" bpfperf record -z -a -e testaux//,sched:sched_switch -m 128,256 -o z.data -- spin 1
is "$(we_see z.data AUXTRACE_INFO)" 1 "record -z of an AUX event: the AUX header is in the file"
between "$(we_see z.data AUXTRACE)" 2 1000000 "record -z of an AUX event: pieces are in the file"
between "$(aux_bytes)" 100000 1000000000 "record -z of an AUX event: pieces have bytes"
is "$(perf_sees z.data AUXTRACE --no-itrace)" "$(we_see z.data AUXTRACE)" "record -z of an AUX event: perf script -D finds each piece"
is "$(bpfperf script -i z.data | grep -c sched_switch)" "$(summary samples)" "record -z of an AUX event: samples of the other event are in the file"

# Snapshots: each goes round the 64 KiB several times before the next.
spin 120 &
spinner=$!
bpfperf record -a -S -e testaux// -m 128,16 -o n.data 2>err &
recorder=$!
wait_for 20 test -s n.data
i=0
while [ $i -lt 20 ]; do
	usleep 53000
	kill -USR2 $recorder
	i=$((i + 1))
	wait_for 20 sh -c "[ \$(grep -c '^bpfperf: snapshot: ' err) -ge $i ]"
done
usleep 53000
kill -INT $recorder
wait $recorder
is $? 0 "20 snapshots: exit 0"
kill $spinner
run_tap aux_file snapshots n.data 21 65536
is "$(perf_sees n.data AUXTRACE)" 42 "20 snapshots: perf script -D finds those of two CPUs, and the last ones"

spin 60 &
spinner=$!
bpfperf record -a -S4096 -e testaux// -m 128,16 -o p.data --duration 0.5 2>err
is "$(aux_bytes)" 8192 "-S4096: 4096 bytes of each CPU"
kill $spinner

# An area for all of it.
rm -f err
bpfperf -v record -a -S8388608 -e testaux// -o l.data 2>err &
recorder=$!
wait_for 20 grep -q 'recording into' err
grep perf_event /proc/$recorder/maps | cut -d ' ' -f 1 | while IFS=- read -r from to; do
	echo $(((0x$to - 0x$from) >> 20))
done >maps.txt
is "$(grep -c '^8$' maps.txt)" 2 "-S8388608: areas of 8 MiB"
kill -INT $recorder
wait $recorder

# An event that begins later is not started by a snapshot.
rm -f err
bpfperf -v record -a -S -D 3600000 -e testaux// -o d.data 2>err &
recorder=$!
wait_for 20 grep -q 'recording into' err
kill -USR2 $recorder
ok "a snapshot before -D is over: reported as empty" wait_for 20 grep -q '^bpfperf: snapshot: 0 bytes, because the delay of -D is not over' err
usleep 53000
kill -INT $recorder
wait $recorder
is "$(aux_bytes)" 0 "a snapshot before -D is over: nothing was recorded"

# Stopped for want of room in the area when there is none in the ring, either, to tell of it: it goes on.
taskset 1 spin 600 &
spinner=$!
rm -f err
bpfperf -v record -C 0 -e testaux//,cpu-clock -m 1,1024 -o f.data 2>err &
recorder=$!
wait_for 20 grep -q 'recording into' err
kill -STOP $recorder
# The ring of 4 KiB is full at once, but for less than a record of an AUX area needs; the area, of 4 MiB, a second later.
usleep 3000000
kill -CONT $recorder
usleep 3000000
kill -INT $recorder
wait $recorder
kill $spinner
between "$(aux_bytes)" $((6 << 20)) 1000000000 "an area and a ring that were full: the event continues"

ok "the module testaux is removed" rmmod testpmu
ok "the kernel log has no complaint" sh -c '! dmesg | grep -E "WARNING|BUG|Call Trace"'
done_testing
