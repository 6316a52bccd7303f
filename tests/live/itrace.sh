#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# script --itrace: Intel PT without the hardware. pt_make runs a program instruction by instruction, and writes its
# packets by libipt's encoder; decoded, they are these instructions, and what perf decodes.
. "$(dirname "$0")/../lib.sh"
need_built
need_cmd perf
MAKE=$O/itrace/pt_make
if [ ! -x "$MAKE" ] || [ ! -x "${BPFPERF%/*}/bpfperf-itrace" ]; then
	skip_all "libipt-dev is not installed"
fi
BUSY=$WORKLOADS/pt_busy
# More of them by hand: the bar is 10,000,000.
MAX=${PT_MAX:-60000}

by_thread() { # FILE: "TID IP" lines, in order in each thread
	awk '$1 != "trace" { print $1, $2 }' "$1" | sort -s -k1,1
}

# Decodes NAME.data by both, and compares with the steps.
compare() { # NAME WHAT
	"$BPFPERF" script -i "$1.data" --itrace=i1i -F tid,ip >"$1.ours" 2>"$1.err"
	perf script -i "$1.data" --itrace=i1i -F tid,ip >"$1.perf" 2>/dev/null
	by_thread "$1.steps" >steps
	by_thread "$1.ours" >ours
	by_thread "$1.perf" >theirs
	same ours steps "$2: --itrace=i1i prints the instructions that ran"
	same ours theirs "$2: --itrace=i1i prints perf's instructions"
	"$BPFPERF" script -i "$1.data" --itrace=b -F tid,ip,addr 2>/dev/null | sort -s -k1,1 >ours
	perf script -i "$1.data" --itrace=b -F comm,tid,ip,sym,event,flags,insn,insnlen,dso >theirs 2>/dev/null
	between "$(wc -l <ours)" 1000 $((MAX * 2)) "$2: --itrace=b prints branches"
}

ok "pt_make: threads are single-stepped" "$MAKE" threads.data threads.steps "$MAX" 1 "$BUSY" 3
compare threads threads
is "$(grep -c 'trace' threads.err)" 0 "threads: no gap is reported"
exits 0 "threads: --itrace=e has nothing to print: exit 0" "$BPFPERF" script -i threads.data --itrace=e -o none.txt
branches() { # LINES: as "TID KIND IP"
	sed -E 's/ ilen:.*//; s/ +$//' | awk '{ print $1, $0 }' | sort -s -k1,1
}
"$BPFPERF" script -i threads.data --itrace=b -F tid,event,flags,ip 2>/dev/null | branches >ours
perf script -i threads.data --itrace=b -F tid,event,flags,ip 2>/dev/null | branches >theirs
same ours theirs "--itrace=b -F flags: perf's branches and their kinds"
"$BPFPERF" script -i threads.data --itrace=cr -F tid,event,flags,ip 2>/dev/null | branches >ours
perf script -i threads.data --itrace=cr -F tid,event,flags,ip 2>/dev/null | branches >theirs
same ours theirs "--itrace=cr: perf's calls and returns"
"$BPFPERF" script -i threads.data --itrace=i1i -F tid,ip,insn,insnlen 2>/dev/null | sort -s -k1,1 >ours
perf script -i threads.data --itrace=i1i -F tid,ip,insn,insnlen 2>/dev/null | sed 's/ *$//' | sort -s -k1,1 >theirs
sed -i 's/ *$//' ours
same ours theirs "-F insn,insnlen: the bytes of each instruction"
# Calls by their depth; perf prints packets among them, which are no calls.
calls() {
	grep -Ev 'psb offs:|cbr:' | sed -E 's/ *$//; s/ [0-9]+\.[0-9]+:/ TIME/'
}
while read -ra options; do
	"$BPFPERF" script -i threads.data "${options[@]}" 2>/dev/null | calls >ours
	perf script -i threads.data "${options[@]}" 2>/dev/null | calls >theirs
	between "$(wc -l <theirs)" 101 $((MAX * 2)) "perf prints calls by ${options[*]}"
	same ours theirs "perf's lines of ${options[*]}"
done <<-'END'
	--itrace=cre -F tid,flags,callindent,ip,sym
	--itrace=cr -F comm,tid,flags,callindent,sym,dso
	--itrace=ce -F tid,callindent
	--call-trace
	--call-ret-trace
	--insn-trace
	--insn-trace -F +tid,+insnlen
END
# Functions with their callees, of a program that names its own, and those of the C library: a static one. perf names
# some of them by their section, so addresses are compared; a packet that it prints within a function itself ends that
# one, and qsort calls others all the time.
ok "a static program is compiled" cc -g -O1 -static -o static "$TOP/tests/workloads/pt_busy.c"
ok "pt_make: the static program is single-stepped" "$MAKE" static.data static.steps "$MAX" 3 ./static 3
for functions in qsort work,qsort main; do
	for kind in --call-trace --call-ret-trace; do
		options=("$kind" --graph-function "$functions" -F "tid,event,flags,ip")
		"$BPFPERF" script -i static.data "${options[@]}" 2>/dev/null | calls >ours
		perf script -i static.data "${options[@]}" 2>/dev/null | grep -Ev ' (psb|cbr):' | calls >theirs
		between "$(wc -l <theirs)" "$([ "$functions" = main ] && echo 1 || echo 101)" $((MAX * 2)) \
			"perf prints calls by $kind --graph-function $functions"
		same ours theirs "perf's lines of $kind --graph-function $functions"
	done
done
is "$("$BPFPERF" script -i threads.data --call-trace --graph-function no_such_function 2>/dev/null | wc -l)" 0 \
	"--graph-function of a function that was not called: no line"
for period in 1000i 100us 2000t; do
	"$BPFPERF" script -i threads.data --itrace=i$period -F tid,period,ip >ours 2>/dev/null
	between "$(awk '{ n += $2 } END { print n + 0 }' ours)" $((MAX / 2)) "$(wc -l <threads.steps)" \
		"--itrace=i$period: the periods add up to the instructions"
done

"$BPFPERF" script -i threads.data --itrace=i10000000i -F tid,period >ours 2>/dev/null
is "$(awk '{ print $2 }' ours)" "$(wc -l <threads.steps)" \
	"--itrace=i10000000i: a trace of fewer instructions is one sample of all"

# Packets. PT_DATA: further recordings, such as google/perf_data_converter's src/quipper/testdata/perf.data.intel_pt-4.14
# (its 86,631 lines are perf's; it is not copied here).
packets() {
	grep -aE '^\.  [0-9a-f]{8}:' | sed 's/\x1b\[[0-9;]*m//g; s/ *$//'
}
read -ra more <<<"${PT_DATA:-}"
for file in threads.data "${more[@]}"; do
	"$BPFPERF" script -i "$file" -D 2>/dev/null | packets >ours
	perf script -i "$file" -D 2>/dev/null | packets >theirs
	between "$(wc -l <ours)" 1000 100000000 "script -D ${file##*/}: prints the packets"
	same ours theirs "script -D ${file##*/}: perf's packets"
done

# Profiles, callchains, slices.
"$BPFPERF" report -i threads.data --itrace=i100i --stdio 2>/dev/null | grep '%' >ours
perf report -i threads.data --itrace=i100i --stdio 2>/dev/null | grep '%' >theirs
same <(sort ours) <(sort theirs) "report --itrace=i100i: perf's profile by instructions"
chains() { # samples' addresses, a line each
	awk '/^\t/ || /^ *[0-9a-f]+ / { printf " %s", $1; next } NF == 0 { print "" }'
}
"$BPFPERF" script -i threads.data --itrace=i500ig -F tid,ip 2>/dev/null | chains | sort >ours
perf script -i threads.data --itrace=i500ig -F tid,ip 2>/dev/null | chains | sort >theirs
same ours theirs "--itrace=i500ig: perf's callchains"
last() { # lines of branches before a sample
	sed 's/ *$//; s/  */ /g' | sort -s -k1,1
}
"$BPFPERF" script -i threads.data --itrace=i500il16s7 -F tid,ip,brstack 2>/dev/null | last >ours
perf script -i threads.data --itrace=i500il16s7 -F tid,ip,brstack 2>/dev/null | last >theirs
same ours theirs "--itrace=i500il16s7: perf's branches before each sample, but for the first seven"
# Branches that the decoder makes are summed up as recorded ones are.
of_branches() {
	sed '/^# Branch Statistics/,$d' | awk '!/^#/ && NF { $1 = $1; print }' | sort
}
"$BPFPERF" report -b -i threads.data --itrace=i500il16 2>/dev/null | of_branches >ours
perf report --stdio -i threads.data --itrace=i500il16 2>/dev/null </dev/null | of_branches >theirs
between "$(wc -l <theirs)" 33 100000 "report -b --itrace=i500il16: perf sums branches up"
same ours theirs "report -b --itrace=i500il16: branches as perf report sums them up"
ok "--format perfetto: slices are made" "$BPFPERF" script -i threads.data --itrace -o calls.perfetto.json
is "$(python3 - calls.perfetto.json <<-'END'
	import json, sys
	depth, bad, most, last = {}, 0, 0, {}
	for e in json.load(open(sys.argv[1]))["traceEvents"]:
	    if e["ph"] in "BE":
	        t = e["tid"]
	        depth[t] = depth.get(t, 0) + (1 if e["ph"] == "B" else -1)
	        bad += depth[t] < 0 or e["ts"] < last.get(t, 0)
	        most, last[t] = max(most, depth[t]), e["ts"]
	print(bad, sum(depth.values()), most > 5)
END
)" "0 0 True" "--format perfetto: the slices of each thread nest, and all end"

ok "pt_make -c: an AUX area for each CPU" "$MAKE" cpus.data cpus.steps "$MAX" 2 -c "$BUSY" 3
compare cpus "two CPUs"
ok "pt_make -c -o: overflows" "$MAKE" lost.data lost.steps "$MAX" 3 -c -o "$BUSY" 3
compare lost overflows
"$BPFPERF" script -i lost.data --itrace=ie --format json 2>/dev/null >lost.json
like "$(cat lost.json)" '"cause":"trace overflow"' "overflows: --format json has them in place"
like "$(cat lost.err)" 'the processor dropped packets of its trace [0-9]+ times' "overflows: they are counted"
ok "pt_make -s: records end inside packets" "$MAKE" split.data split.steps "$MAX" 4 -s "$BUSY" 3
"$BPFPERF" script -i split.data --itrace=i1i -F tid,ip >split.ours 2>split.err
by_thread split.steps >steps
by_thread split.ours >ours
same ours steps "records that end inside packets: the instructions that ran"

# perf takes such a trace for a damaged one.
ok "pt_make -d: addresses of indirect branches are deferred" "$MAKE" late.data late.steps "$MAX" 6 -d "$BUSY" 3
"$BPFPERF" script -i late.data --itrace=i1ie -F tid,ip >late.ours 2>late.err
by_thread late.steps >steps
by_thread late.ours >ours
same ours steps "deferred addresses: the instructions that ran"
between "$("$BPFPERF" script -i late.data -D | awk '/ TIP 0x/ && before == "TIP" { n++ } / (TIP|TNT|FUP) / { before = $0 ~ / TIP 0x/ ? "TIP" : "" } END { print n + 0 }')" \
	7 100000 "deferred addresses: some stand one behind another"

# Wherever the first one ends: also in the packets behind a PSB.
for max in $((MAX - 5011)) $((MAX - 3001)) $((MAX - 1009)) $((MAX - 503)) "$MAX"; do
	ok "pt_make -t: two snapshots of $max instructions with bytes in common" "$MAKE" twice.data twice.steps "$max" 1 -t "$BUSY" 3
	"$BPFPERF" -v script -i twice.data --itrace=i1i -F tid,ip >twice.ours 2>twice.err
	by_thread twice.steps >steps
	by_thread twice.ours >ours
	same ours steps "snapshots of $max instructions: common bytes are decoded once"
	like "$(cat twice.err)" "trace: ([0-9]+) bytes captured, \1 decoded, 0 skipped" \
		"snapshots of $max instructions: common bytes are captured once"
done

# Bytes that were lost while recording: the kernel says so, or the position jumps.
lost_lines() { # EXPRESSION: numbers of the lines with gaps
	grep -nE "trace gap: .*: trace lost while recording$1\$" gone.txt | cut -d: -f1
}
for how in "" -c; do
	# shellcheck disable=SC2086
	ok "pt_make -l $how: bytes are lost" "$MAKE" gone.data gone.steps "$MAX" 5 -l $how "$BUSY" 3
	exits 0 "lost bytes $how: exit 0" "$BPFPERF" -v script -i gone.data --itrace=i1i -F tid,time,ip -o gone.txt
	like "$(cat err)" "bytes of the trace were lost 2 times while it was recorded" "lost bytes $how: they are counted"
	like "$(cat err)" "trace: ([0-9]+) bytes captured, \1 decoded, 0 skipped" "lost bytes $how: they are none that was captured"
	between "$(lost_lines "")" $((MAX / 10)) $((MAX - MAX / 10)) "lost bytes $how: what the kernel says is in place"
	between "$(lost_lines ", 4096 bytes are missing")" $((MAX / 10)) $((MAX - 10)) "lost bytes $how: a jump is in place"
	# No byte is missing behind the jump: what runs up to the next branch is decoded twice.
	between "$(grep -vc "trace gap" gone.txt)" "$(wc -l <gone.steps)" $(($(wc -l <gone.steps) + 100)) \
		"lost bytes $how: the instructions before and after are decoded"
done

"$BPFPERF" script -i gone.data --itrace --format perfetto -o gone.perfetto.json 2>/dev/null
is "$(python3 - gone.perfetto.json <<-'END'
	import json, sys
	depth, gaps = {}, []
	for e in json.load(open(sys.argv[1]))["traceEvents"]:
	    if e["ph"] in "BE":
	        depth[e["tid"]] = depth.get(e["tid"], 0) + (1 if e["ph"] == "B" else -1)
	    elif e.get("cat") == "lost":
	        gaps.append(sum(depth.values()))
	print(gaps, sum(depth.values()))
END
)" "[0, 0] 0" "lost bytes, --format perfetto: slices end where it is not known which thread's are missing"

# Code that is not there: the second half of the dynamic linker's is mapped by no file.
python3 - threads.data >part.data <<-'END'
	import struct, sys
	data = bytearray(open(sys.argv[1], "rb").read())
	at = data.rindex(b"/", 0, data.index(b"/ld-linux") + 1)
	while data[at - 1]:
	    at -= 1
	size = struct.unpack_from("<Q", data, at - 48)[0]
	struct.pack_into("<Q", data, at - 48, size // 2 & ~4095)
	sys.stdout.buffer.write(data)
END
"$BPFPERF" -v script -i part.data --itrace=i1ie -F tid,ip >part.txt 2>part.err
is "$(sed -nE 's/.*trace: ([0-9]+) bytes captured, ([0-9]+) decoded, ([0-9]+) skipped/\1 \2 \3/p' part.err |
	awk '{ print $1 - $2 - $3 }')" 0 "unknown code: decoded and skipped bytes are those captured"
between "$(grep -c 'trace gap.*no code for the trace' part.txt)" 10 "$MAX" "unknown code: each stay in it is a gap"
# All that is printed ran, in this order; behind a gap it goes on where known code is entered, before the next PSB.
by_thread part.txt >ours
by_thread threads.steps >steps
in_order() { # STEPS OURS -> the number of lines of OURS, or 0: they are not lines of STEPS in their order
	python3 - "$@" <<-'END'
		import sys
		steps, seen = iter(open(sys.argv[1])), open(sys.argv[2]).readlines()
		print(len(seen) if all(line in steps for line in seen) else 0)
	END
}
between "$(in_order steps ours)" $((MAX / 3)) "$MAX" "unknown code: what is printed ran, in this order"

# Damage: bytes flipped, cut off.
for seed in 1 2 3 4 5 6 7 8; do
	python3 - threads.data "$seed" >hurt.data <<-'END'
		import random, sys
		data = bytearray(open(sys.argv[1], "rb").read())
		random.seed(int(sys.argv[2]))
		at = data.index(b"\x02\x82" * 8)
		for _ in range(12):
		    data[random.randrange(at, at + 1500)] ^= 1 << random.randrange(8)
		sys.stdout.buffer.write(data)
	END
	exits 0 "damage $seed: exit 0" "$BPFPERF" -v script -i hurt.data --itrace=bi1ie -o hurt.txt
	is "$(sed -nE 's/.*trace: ([0-9]+) bytes captured, ([0-9]+) decoded, ([0-9]+) skipped/\1 \2 \3/p' err |
		awk '{ print $1 - $2 - $3 }')" 0 \
		"damage $seed: decoded and skipped bytes are those captured"
	is "$(sed -nE 's/.* ([0-9]+) of the trace.s .*/\1/p' err)" \
		"$(sed -nE 's/.* ([0-9]+) bytes skipped$/\1/p' hurt.txt | awk '$1 { n += $1 } END { if (n) print n }')" \
		"damage $seed: the gaps add up to the bytes that were skipped"
done

# An image that is not what ran: all its code jumps to itself.
ld=$(grep -aom1 '/[!-~]*/ld-linux[!-~]*' threads.data)
mkdir -p "symfs${ld%/*}"
python3 - "$ld" >"symfs$ld" <<-'END'
	import struct, sys
	data = bytearray(open(sys.argv[1], "rb").read())
	off, sz, cnt = (struct.unpack_from("<Q", data, 32)[0], *struct.unpack_from("<HH", data, 54))
	for at in range(off, off + sz * cnt, sz):
	    kind, flags, start, _, _, size = struct.unpack_from("<IIQQQQ", data, at)
	    if kind == 1 and flags & 1:
	        data[start:start + size] = (b"\xeb\xfe" * size)[:size]
	sys.stdout.buffer.write(data)
END
for letters in e bi1ie; do
	exits 0 "code that jumps to itself, --itrace=$letters: exit 0" \
		timeout 60 "$BPFPERF" -v script -i threads.data --symfs symfs --itrace=$letters -o stale.txt
	is "$(sed -nE 's/.*trace: ([0-9]+) bytes captured, ([0-9]+) decoded, ([0-9]+) skipped/\1 \2 \3/p' err |
		awk '{ print $1 - $2 - $3 }')" 0 "code that jumps to itself, --itrace=$letters: all bytes are counted"
	unlike "$(cat stale.txt)" "decoder ended" "code that jumps to itself, --itrace=$letters: the decoder goes on"
done

# A program that does not run, is of another build, or cannot start.
mkdir other
cp "$BPFPERF" other/bpfperf
# A reader of recordings has no privileges, and starts the program as another user.
chmod 755 "$TMP"
helper() { # LINES of a script
	printf '#!/bin/sh\n%s\n' "$1" >other/bpfperf-itrace
	chmod +x other/bpfperf-itrace
}
helper 'echo "libipt.so.2: not found" >&2; exit 127'
exits 1 "a bpfperf-itrace that does not run: exit 1" other/bpfperf script -i threads.data --itrace
like "$(cat err)" "itrace does not run: libipt.so.2: not found; install" "a bpfperf-itrace that does not run: says why"
helper 'echo "bpfperf-itrace 0.0.1, libipt 2.0.5"'
exits 1 "a bpfperf-itrace of another version: exit 1" other/bpfperf script -i threads.data --itrace
like "$(cat err)" "not of bpfperf .*0[.]0[.]1.*install that of this version" "a bpfperf-itrace of another version: says so"
for status in 3 127; do
	helper "[ \$1 != --version ] || exec '${BPFPERF%/*}/bpfperf-itrace' --version; exit $status"
	exits 1 "bpfperf-itrace exits $status at once: exit 1" other/bpfperf script -i threads.data --itrace
	is "$(grep -c 'bpfperf-itrace cannot start' err) $(grep -c damaged err)" "1 0" \
		"bpfperf-itrace exits $status at once: says so once, and nothing of damage"
done
helper "[ \$1 != --version ] || exec '${BPFPERF%/*}/bpfperf-itrace' --version; kill -SEGV \$\$"
exits 0 "bpfperf-itrace crashes: exit 0" other/bpfperf script -i threads.data --itrace
is "$(grep -c 'bpfperf-itrace ended [0-9]* times' err) $(grep -c damaged err)" "1 0" \
	"bpfperf-itrace crashes: says so, and nothing of damage"

# A copy that ends inside the bytes of its last AUX record.
middle=$("$BPFPERF" script -D -i threads.data 2>/dev/null |
	sed -nE 's/^(0x[0-9a-f]+) \[(0x[0-9a-f]+)\]: PERF_RECORD_AUXTRACE .* size=(0x[0-9a-f]+) .*/\1 + \2 + \3 \/ 2/p' | tail -1)
head -c $((middle)) threads.data >short.data
exits 1 "a recording cut in its trace: exit 1" "$BPFPERF" -v script -i short.data --itrace=i1i -F tid,ip -o short.txt
is "$(grep -c 'is damaged: it ends inside the data after a record' err)" 1 "a recording cut in its trace: says so, once"
is "$(sed -nE 's/.*trace: ([0-9]+) bytes captured, ([0-9]+) decoded, ([0-9]+) skipped/\1 \2 \3/p' err |
	awk '{ print $1 - $2 - $3, ($1 > 0) }')" "0 1" "a recording cut in its trace: its bytes are decoded or skipped"
lines=$(wc -l <short.txt)
between "$lines" $((MAX / 4)) "$(wc -l <threads.steps)" "a recording cut in its trace: what is before is decoded"
by_thread threads.steps | sort >steps
is "$(by_thread short.txt | sort | comm -13 steps - | wc -l)" 0 "a recording cut in its trace: its instructions are those that ran"

# Ctrl-C while a process that decodes has nothing to say.
mkfifo lines
exec 9<>lines
"$BPFPERF" script -i threads.data --itrace=i1i -F tid,ip >lines 2>stop.err 9>&- &
script=$!
reap $script
# The pipe is full long before the end, and so the decoder is not done.
has_decoder() {
	decoder=$(pgrep -P "$script" -x bpfperf-itrace | head -1)
	[ -n "$decoder" ] && IFS= read -r -t 10 first <&9
}
gone() { # PID
	[ ! -e "/proc/$1/exe" ]
}
ok "Ctrl-C: lines come while the trace is decoded" wait_for 20 has_decoder
kill -STOP "$decoder"
cat <&9 >stop.txt &
reap $!
kill -INT $script
ok "Ctrl-C: script --itrace ends" wait_for 10 gone $script
wait $script
is $? 0 "Ctrl-C: exit 0"
exec 9>&-
like "$(cat stop.err)" "stopped (before|after) .* not shown" "Ctrl-C: says that the rest is missing"
isnt "$first" "" "Ctrl-C: the lines before it are kept"

exits 0 "ulimit -n 34: exit 0" prlimit --nofile=34 "$BPFPERF" script -i threads.data --itrace=i1i -o few.txt
like "$(cat err)" '[0-9]+ files with code cannot be opened.*ulimit -n' "ulimit -n 34: says that code is left out"

exits 2 "--itrace=io: a letter of perf's that is not taken is refused" "$BPFPERF" script -i threads.data --itrace=io
like "$(cat err)" "'o' is not taken: events that write into the trace" "--itrace=io: says why"
exits 2 "--itrace=z: an unknown letter is refused" "$BPFPERF" script -i threads.data --itrace=z
like "$(cat err)" "itrace=z: give letters" "--itrace=z: the letters are named"
perf record -q -o none.data -e cpu-clock true >/dev/null 2>&1
exits 1 "--itrace without a trace: exit 1" "$BPFPERF" script -i none.data --itrace
like "$(cat err)" "has no trace of a processor" "--itrace without a trace: says so"
insert() { # WHAT NAME: adds packets to NAME.data
	PYTHONDONTWRITEBYTECODE=1 python3 "$TOP/tests/itrace/pt_insert.py" "$1" "$2.data" "$1.data" >"$1.txt"
	between "$(wc -l <"$1.txt")" 11 100000 "pt_insert $1: there are such packets"
}

# Transactions: where they begin, end, and are aborted.
insert tsx threads
for letters in x bx; do
	"$BPFPERF" script -i tsx.data --itrace=$letters -F tid,event,ip,flags 2>/dev/null | sed 's/ *$//' | sort -s -k1,1 >ours
	perf script -i tsx.data --itrace=$letters -F tid,event,ip,flags 2>/dev/null | sed 's/ *$//' | sort -s -k1,1 >theirs
	same ours theirs "transactions: --itrace=$letters is perf's"
done
is "$(grep -c 'transactions:' ours)" "$(wc -l <tsx.txt)" "transactions: each begin, end and abort is a sample"
is "$(grep -c 'transactions: .*tx abrt' ours)" "$(grep -c abort tsx.txt)" "transactions: those that are aborted say so"

# Sleep, ratios of the core to the bus, and synchronization points. Between packets of time, libipt and perf do not
# estimate alike; and perf takes what is told without a place for where its decoder is.
insert power threads
"$BPFPERF" script -i power.data --itrace=p 2>err >ours.all
perf script -i power.data --itrace=p 2>/dev/null >theirs.all
for kind in mwait exstop psb pwre pwrx cbr; do
	case $kind in
	pwre | pwrx | cbr) columns=82 ;;
	*) columns=1000 ;;
	esac
	for side in ours theirs; do
		grep " $kind:" $side.all | sed -E 's/ [0-9.]+: / /' | cut -c1-$columns | sort -s -k2,2 >$side
	done
	between "$(wc -l <theirs)" 3 100000 "power: perf script prints events of $kind"
	same ours theirs "power: $kind is perf's"
done
is "$(wc -l <ours.all) $(sort -cs -k3,3 ours.all 2>&1)" "$(wc -l <theirs.all) " "power: --itrace=p has as many as perf, in the order of time"
for tool in "$BPFPERF" perf; do
	"$tool" script -i power.data --itrace=p -F synth:tid,event,synth 2>/dev/null | sort >"${tool##*/}.synth"
done
same bpfperf.synth perf.synth "power: -F synth is perf's"

# Packets of event and trigger tracing, which libipt does not know.
insert event threads
"$BPFPERF" -v script -i event.data --itrace=i1i -F tid,ip >event.ours 2>err
by_thread event.ours >ours
by_thread threads.steps >steps
same ours steps "events: --itrace=i1i prints the instructions that ran"
like "$(cat err)" "captured, [0-9]+ decoded, 0 skipped" "events: no byte is skipped"
insert event lost
"$BPFPERF" -v script -i event.data --itrace=i1i -F tid,ip 2>err | by_thread /dev/stdin >ours
"$BPFPERF" script -i lost.data --itrace=i1i -F tid,ip 2>/dev/null | by_thread /dev/stdin >before
same ours before "events beside overflows: the instructions as without them"
like "$(cat err)" "captured, [0-9]+ decoded, 0 skipped" "events beside overflows: no byte is skipped"
# Transactions are libipt's.
insert flow tsx
"$BPFPERF" -v script -i flow.data --itrace=i1i -F tid,ip 2>err | by_thread /dev/stdin >ours
"$BPFPERF" script -i tsx.data --itrace=i1i -F tid,ip 2>/dev/null | by_thread /dev/stdin >before
same ours before "events, by libipt: the instructions as without them"
like "$(cat err)" "captured, [0-9]+ decoded, 0 skipped" "events, by libipt: no byte is skipped"
insert event tsx
exits 0 "events that libipt cannot do without: exit 0" "$BPFPERF" -v script -i event.data --itrace=i1ie -F tid,ip -o event.out
like "$(cat err)" "event or trigger tracing that libipt does not know at [0-9]+ places" "events that libipt cannot do without: says so"
is "$(grep -c damaged event.out err)" "event.out:0
err:0" "events that libipt cannot do without: they are no damage"
is "$(sed -nE 's/.* ([0-9]+) of the trace.s .*/\1/p' err)" \
	"$(sed -nE 's/.*unknown packet in the trace, ([0-9]+) bytes skipped$/\1/p' event.out | awk '{ n += $1 } END { print n }')" \
	"events that libipt cannot do without: the gaps have the bytes that were skipped"
by_thread event.out >ours
# A PSB's own part is followed again: the gap ends there.
between "$(wc -l <ours)" 1001 "$(($(wc -l <before) - 1))" "events that libipt cannot do without: it goes on at the next PSB"
is "$(in_order before ours)" "$(wc -l <ours)" "events that libipt cannot do without: what is printed ran, in this order"
"$BPFPERF" script -D -i event.data 2>/dev/null >event.dump
is "$(grep -c 'Bad packet' event.dump)" 0 "events: script -D knows their packets"
is "$(grep -c 'TRIG IP:' event.dump)" "$(grep -c TRIG event.txt)" "events: script -D prints the triggers"

# The code of a JIT compiler is in its dump.
ok "pt_make: a JIT compiler is single-stepped" "$MAKE" jit.data jit.steps 400000 1 "$WORKLOADS/jitter" . 50
code=$("$BPFPERF" script -i jit.data -D 2>/dev/null | sed -nE 's/.* addr=0x([0-9a-f]+)000 .*filename=\/\/anon .*/\1/p' | tail -1)
"$BPFPERF" script -i jit.data --itrace=i1i -F tid,ip 2>/dev/null | awk '{ print $2 }' | grep "^$code" >ours
awk '{ print $2 }' jit.steps | grep "^$code" >steps
is "$(wc -l <steps)" 404 "a JIT compiler: its code runs"
same ours steps "a JIT compiler: --itrace=i1i prints the instructions of its dump"
done_testing
