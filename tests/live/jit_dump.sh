#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# JIT compilers that write jit-PID.dump: it is read while they run, and for recordings, beside perf inject --jit.
. "$(dirname "$0")/../lib.sh"
need_root
need_tracefs
need_built
need_cmd perf

seq -f 'line %g' 20 >app.js
perf_record -q --no-bpf-event -k mono -e cpu-clock:u -c 500000 -o plain.data -- "$WORKLOADS/jitter" "$TMP" >out 2>err ||
	fail "perf record -k mono" "$(cat err)"
perf inject --jit -i plain.data -o injected.data >/dev/null 2>&1
pid=$(sed -n 's/^pid=//p' out)

# perf makes a file of each function.
rows() {
	sed -E '/^#|^$/d; s/ +/ /g; s/jitted-[0-9]+-[0-9]+\.so/DUMP/; s/jit-[0-9]+\.dump/DUMP/; s/ $//' | grep DUMP
}
perf report -i injected.data --stdio -s sym,dso -n 2>/dev/null | rows >want.txt
"$BPFPERF" report -i plain.data -s sym,dso -n 2>err | rows >got.txt
cp got.txt reported.txt
is "$(wc -l <want.txt)" 3 "jitdump: perf has three functions"
same got.txt want.txt "jitdump: samples of each function as perf inject --jit and perf report have them"
is "$(grep -c first_one got.txt) $(grep -c second_one got.txt)" "1 1" "jitdump: two functions at one address, by time"

counts() {
	awk '$2 == ":" && $3 ~ /^[0-9a-f]+:$/ { print $1 }'
}
perf annotate -i injected.data --stdio -n "third one of app.js:7" 2>/dev/null </dev/null | counts >want.txt
"$BPFPERF" report -i plain.data --annotate "third one of app.js:7" -n 2>err >annotated.txt
counts <annotated.txt >got.txt
ok "jitdump --annotate: there are instructions" test -s got.txt
[ ! -s want.txt ] || same got.txt want.txt "jitdump --annotate: counts by instruction as perf's"
is "$(awk '{ n += $1 } END { print n }' got.txt)" "$(sed -nE 's/.*\(([0-9]+) samples,.*/\1/p' annotated.txt)" \
	"jitdump --annotate: all samples stand at instructions"
ok "jitdump --annotate: the first line of the source" grep -q ': 7 *line 7$' annotated.txt
ok "jitdump --annotate: the next line of the source" grep -q ': 8 *line 8$' annotated.txt

# script reads the same samples, and looks up the same address again and again.
sed -nE 's/^ *[0-9.]+% +([0-9]+) .*\[\.\] (first_one|second_one) .*/\1 \2/p' reported.txt | sort -k 2 >want.txt
"$BPFPERF" script -i plain.data -F ip,sym 2>err | awk '$2 ~ /^(first|second)_one$/ { n[$2]++ } END { for (f in n) print n[f], f }' | sort -k 2 >got.txt
is "$(wc -l <want.txt)" 2 "jitdump: report has samples of both functions at one address"
same got.txt want.txt "jitdump: script names as many samples of each as report"

# Stacks of registers and memory go through a function that has unwinding information.
perf_record -q --no-bpf-event -k mono -e cpu-clock:u -c 1000000 --call-graph dwarf,1024 -o dwarf.data -- "$WORKLOADS/jitter" "$TMP" 100000000 >out 2>err
perf inject --jit -i dwarf.data -o unwound.data >/dev/null 2>&1
chains() { # the two innermost functions of each stack with the third
	awk 'BEGIN { RS = ""; FS = "\n" } /third one/ { for (i = 1; i <= 2; i++) sub(/^[ \t]*[0-9a-f]+ /, "", $i); n[$1 ";" $2]++ }
		END { for (s in n) print n[s], s }' | sort
}
perf script -i unwound.data -F ip,sym 2>/dev/null | chains >want.txt
"$BPFPERF" script -i dwarf.data -F ip,sym 2>err | chains >got.txt
# When a function is moved perf forgets its information: then it has other callers.
like "$(cat want.txt)" 'third one of app.js:7;run' "jitdump: perf inject --jit and perf script have the caller"
is "$(cat got.txt)" "$(awk '{ n += $1 } END { print n }' want.txt) third one of app.js:7;run" \
	"jitdump: all stacks through a function with unwinding information have its caller"

# By another clock the youngest function of an address is named.
perf_record -q --no-bpf-event -e cpu-clock:u -c 500000 -o other.data -- "$WORKLOADS/jitter" "$TMP" >out 2>err
"$BPFPERF" report -i other.data -s sym 2>err >got.txt
is "$(grep -c first_one got.txt) $(grep -c second_one got.txt)" "0 1" "jitdump without -k mono: the last function at an address"

perf record -q --no-bpf-event -k mono -e cpu-clock:u -c 500000 -o - -- "$WORKLOADS/jitter" "$TMP" 2>err | "$BPFPERF" report -i - -s sym >got.txt 2>err
is "$(grep -cE 'first_one|second_one|third one' got.txt)" 3 "jitdump of a recording in a pipe"

# A dump that is cut, and one that somebody else has put in its place.
cp "jit-$pid.dump" whole.dump
truncate -s 200 "jit-$pid.dump"
"$BPFPERF" report -i plain.data -s sym >got.txt 2>err
is "$(grep -c first_one got.txt) $(grep -cE 'third' got.txt)" "1 0" "jitdump that is cut: its whole records"
mv whole.dump "jit-$pid.dump"
exits 0 "jitdump of another inode is not read" "$BPFPERF" report -i plain.data -s sym
nok "jitdump of another inode: no names" grep -qE 'first_one|second_one|third' "$TMP/out"

# While the process runs, and shortly after: an address has one name, that of the last function there.
exits 0 "stack of a jitdump: exit 0" "$BPFPERF" stack -e cpu-clock -F 499 --user --format pprof -o live.pb -- "$WORKLOADS/jitter" "$TMP"
python3 "$TOP/tests/golden/pprof_text.py" live.pb >live.txt
is "$(grep -oE 'second_one|third one of app.js:7' live.txt | sort -u | wc -l)" 2 "stack of a jitdump: functions have names"
unlike "$(cat live.txt)" "first_one|0x[0-9a-f]+ \[anon\]" "stack of a jitdump: the last function at an address"
ok "stack of a jitdump: a line of the source" grep -qF "$TMP/app.js" live.txt
exits 0 "trace -g of a jitdump: exit 0" "$BPFPERF" trace -g=user -e timer:hrtimer_expire_entry -o live.txt -- "$WORKLOADS/jitter" "$TMP"
between "$(grep -cE ' (first_one|third one of app\.js:7)\+0x' live.txt)" 10 100000 "trace -g of a jitdump: functions have names"
done_testing
