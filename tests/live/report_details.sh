#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# report: counts of threads (-T), addresses, callchains without callees and by address, the parts of the machine, as perf report --stdio prints them.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=perf_report.bash
. "$TOP/tests/live/perf_report.bash"
need_root
need_built
need_cmd perf gcc python3

make_work
ok "perf records two events with counts of threads" perf_record -q -B --no-bpf-event -s -e cpu-clock,page-faults -F 1997 -o counts.data sh work.sh
ok "perf records without counts" perf_record -q -N --no-bpf-event -e cpu-clock -F 1997 -o plain.data sh work.sh
ok "bpfperf records counts of threads" "$BPFPERF" record -q -s -e page-faults,context-switches -c 7 -o own.data sh work.sh
table() {
	sed -n '/^# *PID  /,$p' "$1" | sed '/^#*$/d'
}
for name in counts own; do
	for option in -T --threads; do
		perf report --stdio -i $name.data -s comm $option 2>perf.err </dev/null >perf.raw
		"$BPFPERF" report -i $name.data -s comm $option >ours.raw 2>ours.err || fail "$name: report $option exits 0" "$(cat ours.err)"
		table perf.raw >perf.txt
		table ours.raw >ours.txt
		between "$(wc -l <perf.txt)" 38 1000 "$name: perf report has a line for each thread $option"
		same ours.txt perf.txt "$name: report $option: the counts of perf's table"
	done
done
like "$("$BPFPERF" report -i counts.data -q -T -s comm 2>&1)" '# *PID  *TID  *cpu-clock  *page-faults' "report -q -T: the table stands behind the lines"
exits 2 "report -T without counts: exit 2" "$BPFPERF" report -i plain.data -T
like "$(cat err)" '^bpfperf: error: -T needs counts of threads, and plain\.data has none; record with -s$' "report -T without counts: the remedy is named"

# Callees of functions: those of a and b are leaf and a.
make_places
ok "perf records its callchains" perf_record -q -B --no-bpf-event -g -e cpu-clock:u -F 1997 -o places.data ./places
for how in --no-children "-s sym" "--no-children -G" "-g none" "-s comm" "--no-children -p ^main$ -s sym" "--no-children -U -s sym,dso"; do
	for regex in '^[ab]$' '^c$' nothing; do
		# shellcheck disable=SC2086
		both places $how --percent-limit 1 --ignore-callees="$regex"
	done
done
"$BPFPERF" report -i places.data --no-children -q -s sym --percent-limit 1 --ignore-callees='^[abc]$' >ours.txt 2>ours.err
# A start of the program that takes long has samples in functions of the loader.
is "$(awk '/%  \[/ && $3 ~ /^([abc]|leaf)$/ { print $3 }' ours.txt | sort | xargs)" "c leaf" "report --ignore-callees: samples in callees count in the function that has none"
exits 2 "report --ignore-callees of no expression: exit 2" "$BPFPERF" report -i places.data --ignore-callees='['
like "$(cat err)" '^bpfperf: error: --ignore-callees \[: this is no regular expression; see regex\(7\)$' "report --ignore-callees of no expression: the message says so"

# Branches of chains by address. perf names the source of the C library's own frame by its unit, and may take a rest for
# inlined.
by_address() { # OPTION…
	perf report --stdio -i places.data --percent-limit 4 "$@" 2>perf.err </dev/null | plain >perf.raw
	"$BPFPERF" report -i places.data --percent-limit 4 "$@" 2>ours.err | plain >ours.raw
	for side in perf ours; do
		sed 's/\(__libc_start_call_main\) [^ ;]*/\1/; s/\[\.\.\.\] (inlined)/[...]/' $side.raw >$side.txt
	done
	between "$(grep -c 'places\.c:[0-9]' perf.txt)" 3 1000 "perf report prints lines of addresses $*"
	same ours.txt perf.txt "report by address: as perf report prints it $*"
}
for words in graph,5,callee,address caller,address,5 fractal,callee,address,count folded,2,caller,address flat,3,address,callee; do
	by_address --no-children -s sym -g "$words"
	by_address -s sym,dso -g "$words"
done
by_address -s comm -g address --ignore-callees='^b$' --no-children
both places --no-children -g address,function --percent-limit 4
ok "a program without lines is built" gcc -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -o bare places.c
ok "perf records callchains without lines" perf_record -q -B --no-bpf-event -g -e cpu-clock:u -F 1997 -o bare.data ./bare
like "$("$BPFPERF" report -i bare.data --no-children -g address -s sym 2>&1)" '--main \?\?:0' "report -g address: an address without a line is in perf's form"
perf script -i places.data 2>/dev/null </dev/null >places.txt
exits 2 "report -g address of a text: exit 2" "$BPFPERF" report -i places.txt -g address
like "$(cat err)" '^bpfperf: error: -g address: the text of perf script does not say it reliably; give the recording$' "report -g address of a text: the remedy is named"

# perf crashes now and then, mostly with groups, and with some recordings each time. A cache without files has nothing of
# what others have recorded.
perf_prints() { # NAME OPTION…
	local name=$1

	shift
	for _ in 1 2 3; do
		PERF_BUILDID_DIR=$PWD/none timeout 60 perf report --stdio -i "$name.data" -v "$@" 2>perf.err </dev/null >perf.out && return
	done
	return 1
}
# Addresses before functions. Names of a program are its own, also where perf has a copy of it (B), or of its debug file (D, l).
addresses() { # NAME OPTION…
	local name=$1

	shift
	perf_prints "$name" "$@" || :
	plain <perf.out |
		sed -E 's/((^|[ ,])0(x[0-9a-f]+)? *)[BK] \[/\1d [/; s/((^|[ ,])0(x[0-9a-f]+)? *)[Dl] \[/\1b [/' >perf.raw
	"$BPFPERF" report -i "$name.data" -v "$@" 2>ours.err | plain >ours.raw
	# Functions of the PLT have other names, and so another place among equal shares.
	for side in perf ours; do
		grep -v '@plt' $side.raw | sed 's/  *$//; s/^# \.\..*//; s/\(__libc_start_call_main\) [^ ;]*/\1/' >$side.txt
	done
	between "$(grep -c '0x[0-9a-f]* *[a-z] \[' perf.txt)" 1 100000 "$name: perf report prints addresses -v $*"
	same ours.txt perf.txt "$name: as perf report prints it -v $*"
}
ok "perf records programs and the kernel" perf_record -q -B --no-bpf-event -e cpu-clock,page-faults -F 1997 -o plain2.data sh work.sh
without_others plain2.data
group() {
	perf_record -q -B --no-bpf-event -e '{cpu-clock:u,page-faults:u}' -F 1997 -o group.data sh work.sh && perf_prints group -s sym
}
for _ in 1 2 3 4 5; do
	group && break
done
ok "perf records a group, and can print it" test -s group.data -a -s perf.out
for how in "" "-s sym" "-s sym,comm -n" "-s dso,sym -t ," "-F sample,sym" "--percent-limit 2 -s comm,sym"; do
	# shellcheck disable=SC2086
	addresses plain2 $how
done
for how in "-g none" "-g none -s sym,dso" "--no-children -s sym" "--no-children -g address -s dso,sym --percent-limit 7" "-s sym -g caller --percent-limit 7"; do
	# shellcheck disable=SC2086
	addresses places $how --percent-limit 1
done
addresses group -s sym
both plain2 -v -s dso
like "$(cat ours.raw)" '% +/[^ ]+/libc' "report -v -s dso: files have their paths"

# Parts of the machine: of this one, and of a larger one, whose sections stand in a recording in place of this one's.
head_of() { # COMMAND…: the lines that bpfperf has, too
	"$@" --header-only -I 2>/dev/null </dev/null | sed '/^# header version/d; /^# [a-z]* *offset/d; /^# data size/d; /^# event : /d
		/^# pmu mappings/d; /^# missing features/d; /^# bpf_/d; /^# btf /d'
}
parts() { # FILE LINES WHAT
	head_of perf report --stdio -i "$1" >perf.txt
	head_of "$BPFPERF" report -i "$1" | sed '/^# event : /d' >ours.txt
	between "$(grep -c -e '^# sibling' -e '^# CPU' -e '^# *node' -e '^#  *[0-9]' -e '^#  L' -e 'cpu list' perf.txt)" "$2" 100000 \
		"perf report -I: lines of parts $3"
	same ours.txt perf.txt "report -I: the head of perf's report $3"
	head_of "$BPFPERF" script -i "$1" | sed '/^# event : /d' >ours.txt
	same ours.txt perf.txt "script -I: the head of perf's report $3"
}
parts plain.data 5 "of this machine"
python3 - plain.data large.data <<'END'
import struct, sys

def text(s):
    raw = s.encode() + b"\0"
    raw += b"\0" * (-len(raw) % 64)
    return struct.pack("<I", len(raw)) + raw

def texts(*all):
    return struct.pack("<I", len(all)) + b"".join(map(text, all))

def bitmap(bits):
    words = [0] * ((max(bits) + 64) // 64)
    for b in bits:
        words[b // 64] |= 1 << b % 64
    return struct.pack("<Q", max(bits) + 1) + struct.pack("<%dQ" % len(words), *words)

data = bytearray(open(sys.argv[1], "rb").read())
cpus = 6
ids = b"".join(struct.pack("<II", i // 2, i // 3) for i in range(cpus))
sections = {
    7: struct.pack("<II", cpus, cpus - 1),
    13: texts("0-2", "3-5") + texts("0-1", "2,5", "3-4") + ids + texts("0-1,3", "2", "4-5") +
        struct.pack("<6I", 0, 0, 1, 0, 2, 2),
    14: struct.pack("<I", 2) + struct.pack("<IQQ", 0, 1234567, 4321) + text("0-2") + struct.pack("<IQQ", 3, 77, 5) + text("3-5"),
    20: struct.pack("<II", 1, 3) + b"".join(struct.pack("<4I", n, 64, 64, 8) + text(t) + text(sz) + text(m) for n, t, sz, m in
        ((1, "Data", "32K", "0-1"), (1, "Instruction", "48K", "2,5"), (3, "Unified", "131072K", "0-5"))),
    22: struct.pack("<QQQ", 1, 1 << 27, 3) +
        b"".join(struct.pack("<QQ", node, n) + bitmap(bits) for node, n, bits in
        ((0, 9, (0, 1, 2, 5, 63, 64, 65, 128, 200)), (1, 80, range(1, 240, 3)), (3, 1, (7,)))),
    30: struct.pack("<I", 2) + text("cpu_core") + text("0-3") + text("cpu_atom") + text("4-5"),
}
at, size = struct.unpack_from("<QQ", data, 40)
table = at + size
bits = struct.unpack_from("<4Q", data, 72)[0]
last = (bits & (1 << 30) - 1).bit_length() - 1
assert last > 22 and not bits >> 30 & 1
bits = bits & ~(1 << last) | 1 << 30
struct.pack_into("<Q", data, 72, bits)
for bit in range(64):
    if bits >> bit & 1:
        if bit in sections:
            struct.pack_into("<QQ", data, table, len(data), len(sections[bit]))
            data += sections.pop(bit)
        table += 16
assert not sections, sections.keys()
open(sys.argv[2], "wb").write(data)
END
parts large.data 23 "of a larger machine"
for what in --header-only --stats --tasks; do
	like "$("$BPFPERF" report -i plain.data $what --header -I 2>&1)" '# sibling threads : 0' "report -I $what: the head has the parts of the machine"
done
done_testing
