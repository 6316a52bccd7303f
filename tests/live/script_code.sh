#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# script -F brstackinsn, brstackinsnlen: the instructions between the branches of a program that ran instruction by
# instruction (pt_make), of stacks that `perf inject` makes of its trace, as perf script prints them.
. "$(dirname "$0")/../lib.sh"
need_built
need_cmd perf python3
MAKE=$O/itrace/pt_make
[ -x "$MAKE" ] || skip_all "libipt-dev is not installed"

ok "pt_make: a program is single-stepped" "$MAKE" pt.data pt.steps 60001 3 "$WORKLOADS/pt_busy" 3
ok "perf inject --itrace=l: branch stacks are made" perf inject -i pt.data --itrace=i500il32 --strip -o inject.data
ok "branch stacks get flags and cycles" python3 "$TOP/tests/live/made_data.py" taken inject.data taken.data

both() { # LINES OPTION…: at least so many lines
	local least=$1

	shift
	perf script -i taken.data "$@" 2>perf.err </dev/null >perf.txt
	"$BPFPERF" script -i taken.data "$@" 2>ours.err >ours.txt || fail "script $* exits 0" "$(cat ours.err)"
	between "$(wc -l <perf.txt)" "$least" 1000000 "perf script prints lines of $*"
	same ours.txt perf.txt "script prints perf's lines of $*"
}

both 30001 -F ip,sym,brstackinsn
is "$(grep -c '^	.*mismatch of LBR data and executable' ours.txt | sed 's/[1-9].*/some/')" some \
	"-F brstackinsn: branches that do not fit the code are said"
is "$(grep -c '^	\.\.\. not reaching sample \.\.\.' ours.txt | sed 's/[1-9].*/some/')" some \
	"-F brstackinsn: a branch that is missing before the sample ends the code"
ok "-F brstackinsn: flags, cycles and instructions per cycle of a branch" \
	grep -Eq '^	[0-9a-f]{16}	insn: ([0-9a-f]{2} )+ *	# PRED INTX 17 cycles \[[0-9]+\] [0-9]+\.[0-9]{2} IPC$' ours.txt
both 30001 -F ip,sym,dso,brstackinsnlen
both 30001 -F brstackinsn,brstackinsnlen
both 30001 -F tid,time,ip,brstack,brstackinsn
both 30001 -F +brstackinsn
for blocks in 1 7; do
	both 1001 -F ip,brstackinsn --max-blocks $blocks
done

# Below each instruction the text of its line: of a program with lines, whose start is short.
ok "a static program with lines is compiled" cc -g -O1 -static -o busy "$TOP/tests/workloads/pt_busy.c"
ok "pt_make: the program with lines is single-stepped" "$MAKE" lines.data lines.steps 60001 3 ./busy 3
ok "perf inject --itrace=l: branch stacks of lines are made" perf inject -i lines.data --itrace=i500il32 --strip -o inject_lines.data
ok "branch stacks of lines get flags" python3 "$TOP/tests/live/made_data.py" taken inject_lines.data taken_lines.data
# A static program has functions that perf names by the section.
for fields in ip,brstackinsn,srccode ip,brstackinsnlen,srccode; do
	perf script -i taken_lines.data -F $fields 2>perf.err </dev/null | grep -v ':$' >perf.txt
	"$BPFPERF" script -i taken_lines.data -F $fields 2>ours.err | grep -v ':$' >ours.txt
	between "$(grep -c '^|[0-9]' perf.txt)" 301 1000000 "perf script prints texts of $fields"
	same ours.txt perf.txt "script prints perf's texts of $fields"
done

# Addresses of the instructions between two branches are those that ran, in their order.
"$BPFPERF" script -i inject.data -F brstackinsn 2>/dev/null | sed -nE 's/^	0*([0-9a-f]+)	insn.*/\1/p' >ours.txt
python3 - ours.txt pt.steps >order <<'E2'
import sys

ours = [int(line, 16) for line in open(sys.argv[1])]
ran = {}
last = None
for line in open(sys.argv[2]):
    ip = int(line.split()[1], 16)
    ran.setdefault(last, set()).add(ip)
    last = ip
bad = sum(b not in ran.get(a, ()) for a, b in zip(ours, ours[1:]))
print(len(ours) > 10001, bad < len(ours) // 100, bad)
E2
like "$(cat order)" '^True True' "-F brstackinsn: each instruction is one that ran behind the line before"

# Without all branches the code between two of them is not known.
python3 - taken.data calls.data <<'E2'
import struct, sys
data = bytearray(open(sys.argv[1], "rb").read())
size, attrs, attrs_sz = struct.unpack_from("<QQQ", data, 16)
for a in range(attrs, attrs + attrs_sz, size):
    if struct.unpack_from("<Q", data, a + 24)[0] & 2048:
        struct.pack_into("<Q", data, a + 72, 16 | 1)
open(sys.argv[2], "wb").write(data)
E2
exits 2 "-F brstackinsn of calls alone: exit 2" "$BPFPERF" script -i calls.data -F ip,brstackinsn
like "$(grep error: err)" '^bpfperf: error: -F brstackinsn: calls.data has branches of some kinds alone, .*; record with -b, or -j any$' \
	"-F brstackinsn of calls alone: the remedy is named"
exits 2 "--max-blocks without brstackinsn: exit 2" "$BPFPERF" script -i taken.data --max-blocks 3
done_testing
