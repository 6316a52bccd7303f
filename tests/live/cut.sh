#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# script and report of recordings that are damaged: a sentence, exit 1, and what could be read before.
. "$(dirname "$0")/../lib.sh"
need_root
need_built
need_cmd perf python3 taskset

# On one CPU, so that what names a thread stands before its samples wherever it is cut.
# shellcheck disable=SC2016 # the inner shell's
(
	taskset -pc "$(taskset -pc $$ | sed -E 's/.*[^0-9]([0-9]+)$/\1/')" "$BASHPID"
	perf_record -q --no-bpf-event -g -e cpu-clock -F 997 -o whole.data -- sh -c 'for i in 1 2 3 4 5 6 7; do
		"$1" 0.1; done' - "$WORKLOADS/spin"
) >/dev/null 2>record.err || fail "perf record of the workload" "$(cat record.err)"
fields=comm,pid,tid,cpu,time,ip
"$BPFPERF" script -i whole.data -F $fields >whole.txt
blocks() { # FILE: a sample with its stack a line
	awk -v RS= '{ gsub(/\n/, "|"); print }' "$1" | sort
}
blocks whole.txt >whole.blocks
read -r begin end < <(python3 -c 'import struct
off, sz = struct.unpack("<QQ", open("whole.data", "rb").read()[40:56])
print(off, off + sz)')
samples=$(grep -c '^[^[:space:]]' whole.txt)
between "$samples" 50 100000 "a recording of $samples samples: exit 0"
# Samples that stand whole before CUT.
before() { # CUT
	python3 -c 'import struct, sys
data, at, cnt = open("whole.data", "rb").read(), int(sys.argv[1]), 0
while at < int(sys.argv[2]):
    kind, sz = struct.unpack("<I2xH", data[at:at + 8])
    cnt += kind == 9 and at + sz <= int(sys.argv[3])
    at += sz
print(cnt)' "$begin" "$end" "$1"
}
is "$(before "$end")" "$samples" "script: all samples of the recording"

# At most a sentence of what is damaged, and one of what is missing for it.
told() { # NAME REGEX
	between "$(grep -c . err)" 1 2 "$1: exit 1"
	like "$(cat err)" "$2" "$1: the damage is reported"
}

for percent in 90 50 10; do
	cut=$((begin + (end - begin) * percent / 100))
	head -c $cut whole.data >cut.data
	exits 1 "cut at $percent %: script" "$BPFPERF" script -i cut.data -F $fields
	cp out cut.txt
	told "cut at $percent %" '(cut off|damaged|ends|short)'
	blocks cut.txt >cut.blocks
	is "$(comm -13 whole.blocks cut.blocks)" "" "cut at $percent %: what is printed is in the whole recording"
	cut_samples=$(wc -l <cut.blocks)
	is "$cut_samples" "$(before $cut)" "cut at $percent %: all that stood whole before"
	exits 1 "cut at $percent %: report" "$BPFPERF" report -i cut.data
	is "$(sed -n 's/^# Samples: \([0-9]*\) .*/\1/p' out)" "$cut_samples" \
		"cut at $percent %: it sums up as many"
done
head -c $((begin / 2)) whole.data >cut.data
exits 1 "cut in its header: script" "$BPFPERF" script -i cut.data
told "cut in its header" 'cut'
exits 1 "cut in its header: report" "$BPFPERF" report -i cut.data
: >empty.data
exits 1 "script of an empty file: exit 1" "$BPFPERF" script -i empty.data
told "empty" 'empty'
exits 1 "script of a text file: exit 1" "$BPFPERF" script -i whole.txt
told "no recording" 'not a recording'

# A bit in each of 211 places: whatever comes out, it ends by itself and says no nonsense.
cat >flip.py <<'END'
import subprocess
import sys
data = bytearray(open("whole.data", "rb").read())
begin, end = int(sys.argv[2]), int(sys.argv[3])
odd = 0
for i in range(211):
    at = i * 2 if i < 70 else begin + (end - begin) * (i - 70) // 141
    data[at] ^= 1 << i % 8
    open("flipped.data", "wb").write(data)
    data[at] ^= 1 << i % 8
    for cmd in ("script", "report"):
        r = subprocess.run([sys.argv[1], cmd, "-i", "flipped.data"], stdout=subprocess.DEVNULL,
                           stderr=subprocess.PIPE, timeout=60)
        if r.returncode not in (0, 1) or (r.returncode and not r.stderr.strip()):
            odd += 1
            print(cmd, at, r.returncode, r.stderr[-200:])
print("odd", odd)
END
is "$(python3 flip.py "$BPFPERF" "$begin" "$end" | tail -n 5)" "odd 0" "report and script of a flipped bit: exit 0, or 1 with a sentence"

# A recorder that was killed: no names, but its records.
perf record -q --no-bpf-event -e cpu-clock -F 20000 -m 1 -o killed.data -- "$WORKLOADS/spin" 20 >spin.out 2>&1 &
pid=$!
reap $pid
# perf knows of modules, too, which it writes before the first sample.
written() { [ "$("$BPFPERF" script -i killed.data -F tid 2>/dev/null | grep -c .)" -ge 3 ]; }
ok "a recording to be killed begins" wait_for 20 written
spin=$(pgrep -P $pid)
kill -KILL $pid "$spin"
wait $pid 2>/dev/null
"$BPFPERF" script -i killed.data >out 2>err
like "$(cat err)" 'was not ended' "a killed recording: script reports the damage"
between "$(grep -c . out)" 3 100000 "a killed recording: script prints its records"
done_testing
