#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# trace --unwind fp --by stack: counted in the kernel by the stack, each of them whole and named, to the record.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd python3 readelf

libc=named
has_libc_debug || libc=nameless
stacks=$WORKLOADS/stacks
ev=syscalls:sys_enter_getppid

# spelled.py FILE DEPTH: the count of each number that the stacks of the workload spell, from 0 on, and what
# was in no stack; each number in one row.
cat >spelled.py <<'END'
import json
import sys
depth, counts, other = int(sys.argv[2]), {}, 0
# The caller of main() is a local function of the C library, which only its debug file names.
nameless = "-" if sys.argv[3] == "named" else "/libc.so.6"
for line in open(sys.argv[1]):
    r = json.loads(line)
    if "event" not in r:
        continue
    frames = r["by"]["stack"]
    bits = [f["name"] for f in frames or [] if f.get("name") in ("zero", "one")]
    names = [f.get("name") for f in frames or []]
    callers = frames[names.index("main") + 1:] if "main" in names else []
    whole = callers and all(f.get("name") or f.get("module", "").endswith(nameless) for f in callers)
    if len(bits) != depth or not whole:
        other += r["count"]
        continue
    number = sum((name == "one") << i for i, name in enumerate(bits))
    assert number not in counts, line
    counts[number] = r["count"]
print(*(counts.get(i, 0) for i in range(2 ** depth)), f"other {other}")
END
spelled() { # FILE DEPTH
	python3 spelled.py "$@" $libc
}
# Records 0 to CNT-1, number i in stack i modulo 2^DEPTH.
expected() { # CNT DEPTH [TIMES]
	python3 -c 'import sys
cnt, depth, times = map(int, sys.argv[1:])
print(*(times * len(range(i, cnt, 2 ** depth)) for i in range(2 ** depth)), "other 0")' "$1" "$2" "${3:-1}"
}

exits 0 "--by stack: exit 0" "$BPFPERF" trace --unwind fp --by stack -o a.json $ev -- "$stacks" 5003 6
is "$(spelled a.json 6)" "$(expected 5003 6)" "--by stack: each stack has its own count"
is "$(summary records) $(summary lost)" "5003 0" "--by stack: counts add up to 5003"
ok "--by stack: valid by the schema" python3 "$TOP/tests/formats.py" schema "$TOP/docs/trace.schema.json" a.json
like "$(cat a.json)" '"name":"(do_syscall_64|el0_svc|invoke_syscall)' "--by stack: stacks reach into the kernel"
unlike "$(cat a.json)" '"name":"(bpf_|__traceiter|trampoline)' "--by stack: no frame of the tracing itself"

exits 0 "--by stack on a classic tracepoint: exit 0" env BPFPERF_WITHOUT=syscall_guard "$BPFPERF" trace --unwind fp --by stack -o b.json $ev -- \
	"$stacks" 5003 6
is "$(spelled b.json 6)" "$(expected 5003 6)" "--by stack on a classic tracepoint: the counts of a raw one"

seq 7 >seven
# Other addresses each time, and gone when they are named.
exits 0 "--by stack of seven processes: exit 0" "$BPFPERF" trace --unwind fp -g=user --by stack -o c.json $ev -- \
	xargs -a seven -I_ "$stacks" 1009 4
is "$(spelled c.json 4)" "$(expected 1009 4 7)" "--by stack of seven processes: a function is one row in all"
unlike "$(cat c.json)" kernel.kallsyms "--by stack,pid -g=user: exit 0"
exits 0 "--by stack,pid -g=user: rows by process" "$BPFPERF" trace --unwind fp -g=user --by pid,stack -o d.json $ev -- \
	xargs -a seven -I_ "$stacks" 1009 1
is "$(python3 -c 'import json
rows = [json.loads(l) for l in open("d.json")]
print(len(rows), len({r["by"]["pid"] for r in rows}), sorted({r["count"] for r in rows}))')" "14 7 [504, 505]" \
	"--by stack,pid -g=user: a row for each stack and process"

exits 0 "--by stack -g=kernel with --hist and --sum: exit 0" "$BPFPERF" trace -g=kernel --by stack --hist count --sum count -o e.json \
	syscalls:sys_enter_write --filter 'count == 37' -- \
	python3 -c 'import os
fd = os.open("/dev/null", os.O_WRONLY)
for _ in range(307): os.write(fd, b"x" * 37)'
is "$(python3 -c 'import json
rows = [json.loads(l) for l in open("e.json")]
print(len(rows), sum(r["count"] for r in rows), sum(r["sum"] for r in rows), rows[0]["hist"])')" \
	"1 307 $((307 * 37)) [{'from': 32, 'count': 307}]" "--by stack -g=kernel with --hist and --sum: one stack, its bucket and its sum"

exits 0 "--by stack as text: exit 0" "$BPFPERF" trace --unwind fp -g=user --by stack,comm -o f.txt $ev -- "$stacks" 7 1
like "$(cat f.txt)" $'^ +COUNT  EVENT +comm\n +4  syscalls:sys_enter_getppid  stacks\n(\t.+\n)*\tzero\+0x[0-9a-f]+ \(.*/stacks\)\n\tmain\+' \
	"--by stack as text: functions are below the row"
exits 0 "--by stack as CSV: exit 0" "$BPFPERF" trace --unwind fp -g=user --by stack -o g.csv $ev -- "$stacks" 7 1
is "$(sed -n 's/^.*;\(zero\|one\);[^,]*,/\1 /p' g.csv | paste -sd' ')" "zero 4 one 3" "--by stack as CSV: functions are folded in one cell"

# More keys than there is room for: what is in no row is counted.
exits 0 "20011 different stacks: exit 0" "$BPFPERF" trace -m 8M --unwind fp -g=user --by stack -o h.json $ev -- "$stacks" 20011 15
read -r rows in_rows out < <(python3 -c 'import json
rows = [json.loads(l) for l in open("h.json")]
print(len(rows) - 1, sum(r.get("count", 0) for r in rows), rows[-1]["not_counted"])')
is "$rows $((in_rows + out))" "16384 20011" "20011 different stacks: 16384 have a row, and the others are counted"
like "$(cat err)" '3627 records are in no row: there are more than 16384 different keys' "20011 different stacks: the summary reports records in no row"

exits 2 "-g without --by stack: exit 2" "$BPFPERF" trace -g --by comm $ev
like "$(cat err)" 'count --by stack' "-g without --by stack: the remedy is named"
done_testing
