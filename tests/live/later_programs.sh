#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# A recording names BPF programs by its own records: what is loaded at these addresses later is another program.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd perf python3

perf_record -q -e task-clock -c 1000000 -o base.data -- "$WORKLOADS/syscall_loop" 400009 >/dev/null 2>err ||
	fail "perf records a loop of calls" "$(cat err)"
cat >put.py <<'END'
"""put.py ADDR: of base.data, later.data has all kernel samples at ADDR, unsaid.data also events that ask for no programs."""
import struct
import sys
KSYMBOL, BPF_EVENT = 1 << 29, 1 << 30
data = bytearray(open("base.data", "rb").read())
attrs, attrs_sz, at, size = struct.unpack_from("<QQQQ", data, 24)
attr_sz, = struct.unpack_from("<Q", data, 16)
end, cnt = at + size, 0
while at < end:
    kind, misc, length = struct.unpack_from("<IHH", data, at)
    if kind == 9 and misc & 7 == 1:
        struct.pack_into("<Q", data, at + 8, int(sys.argv[1], 16) + 9)
        cnt += 1
    at += length
open("later.data", "wb").write(data)
for attr in range(attrs, attrs + attrs_sz, attr_sz):
    flags, = struct.unpack_from("<Q", data, attr + 40)
    assert flags & KSYMBOL and flags & BPF_EVENT
    struct.pack_into("<Q", data, attr + 40, flags & ~BPF_EVENT)
open("unsaid.data", "wb").write(data)
print(f"samples={cnt}")
END
# Programs that the recording does not know: they are loaded by the trace that this runs in.
cat >later.sh <<'END'
"$1" script -i base.data --show-bpf-events | sed -nE 's/.*PERF_RECORD_KSYMBOL addr ([0-9a-f]+) len ([0-9]+) .*/\1 \2/p' >known.txt
python3 - >address <<'PY'
known = [(int(a, 16), int(n)) for a, n in map(str.split, open("known.txt"))]
for line in open("/proc/kallsyms"):
    words = line.split()
    at = int(words[0], 16)
    if words[3:] == ["[bpf]"] and words[2].startswith("bpf_prog_") and not any(a <= at < a + n for a, n in known):
        print(words[0], words[2])
        break
PY
read -r addr name <address && python3 put.py "$addr" >put.txt
for data in later unsaid; do
	"$1" script -i $data.data -F ip,sym >$data.txt
	perf script -i $data.data -F ip,sym >$data.perf </dev/null
done
END
exits 0 "a program is loaded later: exit 0" "$BPFPERF" trace -o trace.json syscalls:sys_enter_getppid -- sh later.sh "$BPFPERF"
read -r addr name <address
cnt=$(said samples <put.txt)
between "$cnt" 5 100000 "a program is loaded later: samples are where it is ($name)"
at=$(printf '%x' $((0x$addr + 9)))
is "$(grep -c "$at \[unknown\]" later.txt)" "$cnt" "a recording that knows its programs: the later one names none of its samples"
is "$(grep -c "$at \[unknown\]" later.perf)" "$cnt" "a recording that knows its programs: perf names none of them, too"
is "$(grep -c "$at $name" unsaid.txt)" "$cnt" "a recording without programs: today's are all that is known"
done_testing
