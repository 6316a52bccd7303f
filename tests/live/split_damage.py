#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""split_damage.py FILE OUT KIND [NR]: a copy of a .dwo file or a package that is damaged in one way."""
import random
import struct
import sys
import zlib

data = bytearray(open(sys.argv[1], "rb").read())
out, kind = sys.argv[2], sys.argv[3]


def section(name):
    """Offset and size of a section of an ELF file of 64 bits."""
    (shoff,) = struct.unpack_from("<Q", data, 0x28)
    cnt, names_nr = struct.unpack_from("<HH", data, 0x3C)
    heads = [struct.unpack_from("<IIQQQQ", data, shoff + 64 * i) for i in range(cnt)]
    names = heads[names_nr][4]
    for head in heads:
        at = names + head[0]
        if data[at : data.index(0, at)].decode() == name:
            return head[4], head[5]
    sys.exit(f"there is no {name}")


def fill(name, value):
    off, sz = section(name)
    data[off : off + sz] = value * sz


def bits(names, nr):
    """Changes some bytes, but leaves the header of a unit, so that it is still the one that is looked for."""
    rand = random.Random(nr)
    for name in names:
        off, sz = section(name)
        for _ in range(rand.randrange(1, 9)):
            data[off + rand.randrange(min(24, sz - 1), sz)] = rand.randrange(256)


if kind == "bits":
    bits([".debug_info.dwo", ".debug_abbrev.dwo", ".debug_str_offsets.dwo"], int(sys.argv[4]))
elif kind == "packed":
    bits([".debug_info", ".debug_line", ".debug_loclists" if b".debug_loclists\0" in data else ".debug_loc"], int(sys.argv[4]))
elif kind == "vast":
    # A section that is 300 MB when it is inflated.
    off, sz = section(".debug_line.dwo")
    (shoff,) = struct.unpack_from("<Q", data, 0x28)
    (cnt,) = struct.unpack_from("<H", data, 0x3C)
    packed = struct.pack("<IIQQ", 1, 0, 300 << 20, 1) + zlib.compress(bytes(300 << 20), 1)
    for i in range(cnt):
        at = shoff + 64 * i
        if struct.unpack_from("<Q", data, at + 24)[0] == off and struct.unpack_from("<Q", data, at + 32)[0] == sz:
            struct.pack_into("<QQQQ", data, at + 8, 1 << 11, 0, len(data), len(packed))
    data += packed
elif kind == "cut":
    del data[len(data) // 3 :]
elif kind == "sparse":
    data = data[:64]
    struct.pack_into("<Q", data, 0x28, 4 << 30)
elif kind == "abbrevs":
    fill(".debug_abbrev.dwo", b"\x80")
elif kind == "offsets":
    fill(".debug_str_offsets.dwo", b"\xff")
elif kind == "texts":
    fill(".debug_str.dwo", b"a")
elif kind in ("slots", "type_slots"):
    struct.pack_into("<I", data, section(".debug_cu_index" if kind == "slots" else ".debug_tu_index")[0] + 12, 1 << 31)
elif kind == "full":
    # No slot is free, and none has the id: the search goes round.
    off, _ = section(".debug_cu_index")
    _, _, _, slots = struct.unpack_from("<IIII", data, off)
    data[off + 16 : off + 16 + 8 * slots] = b"\x5a" * (8 * slots)
    data[off + 16 + 8 * slots : off + 16 + 12 * slots] = struct.pack("<I", 1) * slots
elif kind in ("rows", "type_rows"):
    off, sz = section(".debug_cu_index" if kind == "rows" else ".debug_tu_index")
    data[off + 16 : off + sz] = b"\xff" * (sz - 16)
elif kind == "types":
    fill(".debug_types.dwo", b"\xff")
else:
    sys.exit(f"there is no kind {kind}")
with open(out, "wb") as f:
    f.write(data)
    if kind == "sparse":
        f.truncate(5 << 30)
