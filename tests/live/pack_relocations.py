# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""pack_relocations.py FROM TO: a library whose section headers have packed relocations (SHT_RELR).

The addends stand in the slots, as linkers put them with -z pack-relative-relocs. The loader goes by
the dynamic section, which stays, so the library runs with any C library. Its build-id is another.
"""
import struct
import sys

data = bytearray(open(sys.argv[1], "rb").read())
phoff, shoff = struct.unpack_from("<QQ", data, 32)
phnum, _, shnum, shstrndx = struct.unpack_from("<HHHH", data, 56)
loads = [struct.unpack_from("<IIQQQQ", data, phoff + 56 * i) for i in range(phnum)]
loads = [ph for ph in loads if ph[0] == 1]


def offset(addr):
    return next(addr - ph[3] + ph[2] for ph in loads if ph[3] <= addr < ph[3] + ph[5])


def section(name):
    strings = struct.unpack_from("<Q", data, shoff + 64 * shstrndx + 24)[0]
    for at in range(shoff, shoff + 64 * shnum, 64):
        start = strings + struct.unpack_from("<I", data, at)[0]
        if data[start:data.index(0, start)] == name.encode():
            return at, *struct.unpack_from("<QQ", data, at + 24)
    sys.exit(f"no section {name}")


rela, at, size = section(".rela.dyn")
slots = []
while size and struct.unpack_from("<Q", data, at + 8)[0] == 8:  # R_X86_64_RELATIVE is first
    slot, _, addend = struct.unpack_from("<QQQ", data, at)
    struct.pack_into("<Q", data, offset(slot), addend)
    slots.append(slot)
    at, size = at + 24, size - 24
struct.pack_into("<QQ", data, rela + 24, at, size)

words, left = [], sorted(slots)
while left:
    words.append(left[0])
    base, left = left[0] + 8, left[1:]
    while left and left[0] < base + 63 * 8:
        taken = [s for s in left if s < base + 63 * 8]
        words.append(1 | sum(2 << (s - base) // 8 for s in taken))
        base, left = base + 63 * 8, left[len(taken):]

note, note_at, note_size = section(".note.gnu.build-id")
data[note_at + note_size - 1] ^= 255
spare = section(".gnu_debuglink")[0]
data += bytes(-len(data) % 8)
struct.pack_into("<I", data, spare + 4, 19)  # SHT_RELR
struct.pack_into("<QQ", data, spare + 24, len(data), 8 * len(words))
struct.pack_into("<Q", data, spare + 56, 8)
data += struct.pack(f"<{len(words)}Q", *words)
open(sys.argv[2], "wb").write(data)
print(len(slots), len(words))
