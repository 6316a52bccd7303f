#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# report --total-cycles: blocks of code by their cycles, as perf report prints them; beside a sum of the records' own branches, since
# perf 6.1 ends by SIGSEGV here: it drops references to mappings that it has not taken.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=perf_report.bash
. "$TOP/tests/live/perf_report.bash"
need_root
need_built
need_cmd perf python3 cc nm

make_lines
ok "a program without lines is compiled" cc -O1 -o bare lines.c
for name in lines bare; do
	ok "branches of $name are made" python3 "$TOP/tests/live/made_data.py" branches $name.data ./$name plain
	"$BPFPERF" report --total-cycles -i $name.data >$name.raw 2>err || fail "report --total-cycles of $name: exit 0" "$(cat err)"
	grep -v '^#' $name.raw >$name.txt
done

cat >sums.py <<'PY'
import collections, struct, subprocess, sys

BASE = 0x555555554000
rows = [r.split() for r in subprocess.run(["nm", "bare"], capture_output=True, text=True).stdout.splitlines()]
syms = sorted((int(r[0], 16) + BASE, r[2]) for r in rows if len(r) == 3 and r[1] in "tT")
data = open("bare.data", "rb").read()
at, size = struct.unpack_from("<QQ", data, 40)
end, total, ends, targets = at + size, 0, {}, collections.defaultdict(set)


def where(addr):
    return max(s for s in syms if s[0] <= addr)


while at < end:
    kind, _, length = struct.unpack_from("<IHH", data, at)
    cnt = struct.unpack_from("<Q", data, at + 8 + 40)[0] if kind == 9 else 0
    stack = [struct.unpack_from("<QQQ", data, at + 56 + 24 * i) for i in range(cnt)]
    has_cycles = bool(stack) and stack[0][2] >> 4 & 0xffff
    before = None
    for source, target, flags in reversed(stack):
        cycles, sym = flags >> 4 & 0xffff, where(source)
        targets[where(target)].add((sym, where(target), cycles))
        if has_cycles and cycles:
            block = ends.setdefault(source, [0, 0, None])
            block[0] += cycles
            block[1] += 1
            if before is not None and where(before) == sym and before < source:
                block[2] = min(before - sym[0], source if block[2] is None else block[2])
        total += cycles if has_cycles else 0
        before = target
    at += length
weight = sum(len(targets[where(e)]) * (b[0] // b[1]) for e, b in ends.items())
out = []
for e, (cycles, cnt, start) in ends.items():
    sym, mean = where(e), cycles // cnt
    key = -int(cycles / total * 100000.0), [-ord(c) for c in sym[1]] + [1], start or 0, e
    text = "%.1fK" % (cycles / 1000) if cycles >= 1000 else str(cycles)
    span = "[%s+%d -> %s+%d]" % (sym[1], start or 0, sym[1], e - sym[0])
    if targets[sym]:
        out.append((key, "  %14.2f%%  %14s  %10.2f%%  %10d  %70s  %20s" % (
            100.0 * (cycles / total), text, 100.0 * (mean / weight), mean, span, "bare")))
print("\n".join(line for _, line in sorted(out)))
PY
python3 sums.py >sums.txt
between "$(wc -l <sums.txt)" 11 1000 "report --total-cycles: the made branches end several blocks"
same bare.txt sums.txt "report --total-cycles: the blocks, their cycles and their order"
# A perf that does not crash prints the numbers, in the same order.
if { perf report -b --stdio --total-cycles -i lines.data >perf.raw </dev/null; } 2>perf.err; then
	blocks() {
		grep -E '^ +[0-9.]+%.*\]' "$1" | sed -E 's/ *\[.*\] +/ /'
	}
	between "$(blocks perf.raw | wc -l)" 11 1000 "perf report --total-cycles prints blocks"
	same <(blocks lines.raw) <(blocks perf.raw) "report --total-cycles: the cycles of blocks that perf prints"
else
	pass "perf report --total-cycles crashes: the sum stands alone"
fi
is "$(grep -c '' lines.txt)" "$(grep -c '' bare.txt)" "report --total-cycles: as many blocks with lines as without"
like "$(cat lines.txt)" ' \[lines\.c:5 -> lines\.c:6\] +lines' "report --total-cycles: a block is printed by its lines"
like "$(grep '^# Sampled' lines.raw)" '^# Sampled Cycles%  Sampled Cycles  Avg Cycles%  Avg Cycles +\[Program Block Range\] +Shared Object' \
	"report --total-cycles: the columns have perf's headings"
"$BPFPERF" report --total-cycles -q -b -i bare.data --percent-limit 5 2>err >limit.txt
between "$(grep -c % limit.txt)" 1 $(($(wc -l <bare.txt) - 1)) "report --total-cycles --percent-limit: small blocks are omitted"
nok "report --total-cycles --percent-limit: no line is another one" grep -vxFf bare.txt limit.txt
python3 - bare.data none.data <<'PY'
import struct, sys

data = bytearray(open(sys.argv[1], "rb").read())
at, size = struct.unpack_from("<QQ", data, 40)
end = at + size
while at < end:
    kind, _, length = struct.unpack_from("<IHH", data, at)
    for row in range(at + 56 + 16, at + length, 24) if kind == 9 else ():
        struct.pack_into("<Q", data, row, 2)
    at += length
open(sys.argv[2], "wb").write(data)
PY
exits 0 "report --total-cycles without cycles: exit 0" "$BPFPERF" report --total-cycles -i none.data
like "$(cat err)" 'the branches have no cycles, which not all processors record; -b sums up the branches$' \
	"report --total-cycles without cycles: the warning names the other report"
is "$(grep -vc '^#' out)" 0 "report --total-cycles without cycles: no block is printed"
ok "perf records no branches" perf_record -q -e cpu-clock:u -o flat.data true
exits 2 "report --total-cycles without branches: exit 2" "$BPFPERF" report --total-cycles -i flat.data
like "$(cat err)" '--total-cycles needs branch stacks, and flat.data has none; record with -b$' \
	"report --total-cycles without branches: the remedy is named"
done_testing
