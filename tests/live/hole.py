#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""hole.py PIPE.DATA CNT: of a recording as `record -o -` writes it, first.data has the part up to its CNT-th
sample. hole.data has it whole, but there AUX data stands between: a hole of 1 TiB, so that whoever reads it
is in it for minutes. Prints where the hole begins."""
import struct
import sys

SAMPLE, TRACING_DATA, AUXTRACE = 9, 66, 71
HOLE = 1 << 40

data, cnt = open(sys.argv[1], "rb").read(), int(sys.argv[2])
at = 16
while cnt:
    kind, size = struct.unpack_from("=I2xH", data, at)
    if kind == TRACING_DATA:
        size += (struct.unpack_from("=I", data, at + 8)[0] + 7) & ~7
    cnt -= kind == SAMPLE
    at += size

with open("first.data", "wb") as f:
    f.write(data[:at])
with open("hole.data", "wb") as f:
    f.write(data[:at])
    f.write(struct.pack("=IHHQ32x", AUXTRACE, 0, 48, HOLE))
    f.seek(HOLE, 1)
    f.write(data[at:])
print(at + 48)
