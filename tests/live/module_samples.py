# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""module_samples.py IN OUT MODULE: makes the samples of the kernel in a recording those of a module's code.

IN has no callchains. Its first mapping with a name that is long enough becomes that of the module, whose path is MODULE.
"""
import struct
import sys

CODE, SIZE = 0xFFFFFFFFC0400000, 0x10000
SAMPLE_IP = 8  # the first field, behind the header


def main():
    with open(sys.argv[1], "rb") as f:
        data = bytearray(f.read())
    at, size = struct.unpack_from("<QQ", data, 40)
    end, has_map, samples = at + size, False, 0
    name = sys.argv[3].encode()
    while at < end:
        kind, misc, length = struct.unpack_from("<IHH", data, at)
        # The rest of the record, up to its trailer of process and time, is the name's.
        room = length - 16 - 40
        if kind == 10 and not has_map and room > len(name):
            struct.pack_into("<IHHiIQQQ", data, at, 1, 1, length, -1, 0, CODE, SIZE, 0)
            data[at + 40:at + 40 + room] = name.ljust(room, b"\0")
            has_map = True
        elif kind == 9 and misc & 7 == 1:
            struct.pack_into("<Q", data, at + SAMPLE_IP, CODE + 0x123 + 16 * (samples % 97))
            samples += 1
        at += length
    assert has_map and samples > 11
    with open(sys.argv[2], "wb") as f:
        f.write(data)


main()
