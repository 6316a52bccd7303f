#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""pt_hand.py DIR [NAME]: recordings of Intel PT of a few instructions each, by hand.

Without NAME: writes DIR/hand.s, the code of all, one function a case, and prints the names. With NAME: writes
DIR/NAME.data, a recording of DIR/hand, which that was linked to, and prints the instructions that ran, as
"NAME+OFFSET", and "gap" for code that is not there. Encodings are those of Intel's manuals (SDM, volumes 2 and 3; FRED
and APX specifications); assemblers are older.
"""
import os
import struct
import subprocess
import sys

from pt_kernel import Image, Trace, write_data

MODE_64, CFE_VMENTRY, CFE_INTR, UNKNOWN = b"\x99\x01", b"\x02\x13\x87\x00", b"\x02\x13\x81\x20", 0xffffffffa0000000
PGD, OVF, PTW_IP, PTW = b"\x01", b"\x02\xf3", b"\x02\xb2", b"\x02\x12"

# Code; the packets, as (kind, argument); offsets that run. An address is an offset into the function.
CASES = {
    # A guest is entered, and left; FUP says where the instruction is, and is no interrupt.
    "vmresume": (b"\x90\x0f\x01\xc3\xf4" b"\x90\xf4", [("put", CFE_VMENTRY), ("fup", 1), ("tip", 5)], [0, 1, 5]),
    "vmlaunch": (b"\x90\x0f\x01\xc2\xf4" b"\x90\xf4", [("tip", 5)], [0, 1, 5]),
    "eretu": (b"\xf3\x0f\x01\xca\xf4" b"\x90\xf4", [("tip", 5)], [0, 5]),
    "erets": (b"\xf2\x0f\x01\xca\xf4" b"\x90\xf4", [("tip", 5)], [0, 5]),
    "uiret": (b"\xf3\x0f\x01\xec\xf4" b"\x90\xf4", [("tip", 5)], [0, 5]),
    # CLAC has the opcode of ERETS; it goes on.
    "clac": (b"\x0f\x01\xca\x90\xff\xe0" b"\x90\xf4", [("tip", 6)], [0, 3, 4, 6]),
    # JMPABS has its address in the trace, too.
    "jmpabs": (b"\xd5\x00\xa1" + bytes(8) + b"\xf4" b"\x90\xf4", [("tip", 12)], [0, 12]),
    # call *%r16; the processor keeps its return address: the return is a bit.
    "call_r16": (b"\xd5\x10\xff\xd0\x90\xf4" b"\xd5\x18\x89\xc0\xc3", [("tip", 6), ("bits", [1])], [0, 6, 10, 4]),
    # Traced by CR3: the move to CR3 is the last instruction.
    "mov_cr3": (b"\x90\x0f\x22\xd8\x90\xff\xe0", [("put", PGD)], [0, 1]),
    "mov_cr2": (b"\x90\x0f\x22\xd0\x90\xff\xe0", [("put", PGD)], [0, 1, 4, 5]),
    # CLI: the mode has changed here, and no branch.
    "cli": (b"\x90\xfa\x90\xff\xd0\xf4" b"\x90\xf4", [("put", MODE_64), ("fup", 1), ("tip", 6)], [0, 1, 2, 3, 6]),
    # An interrupt has a FUP, too, which is that of its branch.
    "interrupt": (b"\x90\x90\xff\xd0" b"\x90\xf4", [("put", CFE_INTR), ("fup", 1), ("tip", 4)], [0, 4]),
    # ptwrite %rax, and %ecx without its address, which is that of the next one in the code.
    "ptwrite": (b"\x90\xf3\x48\x0f\xae\xe0\xf3\x48\x0f\xae\xe0\x90\xf3\x0f\xae\xe1\x90\xf4",
                [("put", PTW_IP + (0x123456789abcdef).to_bytes(8, "little")), ("fup", 1),
                 ("put", PTW_IP + b"spoken\0\0"), ("fup", 6), ("put", PTW + b"\x21\x43\x65\x87")],
                [0, 1, 6, 11, 12, 16]),
    # Out of code that is not known leads where CLI is.
    "cli_behind": (b"\xff\xd0\xf4" b"\xfa\x90\xf4", [("tip", UNKNOWN), ("bits", [1, 0, 0]), ("put", MODE_64),
                                                     ("fup", 3)], [0, "gap", 3, 4]),
    # FUP alone does not: it may be of code that is not known.
    "fup_behind": (b"\xff\xd0\xf4" b"\x90\x90\xf4", [("tip", UNKNOWN), ("bits", [1, 0, 0]), ("fup", 3), ("tip", 4)],
                   [0, "gap", 4]),
    # So does an overflow, whose FUP is where the processor goes on.
    "ovf_behind": (b"\xff\xd0\xf4" b"\x90\x90\xf4", [("tip", UNKNOWN), ("bits", [1, 0, 0]), ("put", OVF), ("fup", 3)],
                   [0, "gap", "gap", 3, 4]),
    # Behind one the processor has no return address of its own, and was not traced.
    "ovf_off": (b"\x90\xff\xd0" b"\x90\xc3\xf4" b"\x90\xf4", [("tip", 3), ("put", OVF + MODE_64), ("pge", 3), ("tip", 6)],
                [0, 1, "gap", 3, 4, 6]),
}


class Hand:
    """As a walk of pt_kernel: its trace, and where the code is."""

    def __init__(self, name, addr):
        code, packets, offsets = CASES[name]
        self.trace, self.move = Trace(), 0
        self.trace.psb(1000000, addr)
        for kind, value in packets:
            if kind == "bits":
                self.trace.bits += value
            elif kind == "put":
                self.trace.put(value)
            else:
                self.trace.address({"fup": 0x1d, "tip": 0x0d, "pge": 0x11}[kind], value if value >> 32 else addr + value)
        # A trace that was not ended is ended behind the last instruction that runs.
        if packets[-1][1] != PGD:
            last = offsets[-1]
            self.trace.fup(addr + last + len(code[last:].split(b"\xf4")[0]))
            self.trace.put(PGD)
        self.steps = [o if o == "gap" else f"{name}+{o:x}" for o in offsets]


def main():
    where, name = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None
    if not name:
        with open(where + "/hand.s", "w", encoding="ascii") as f:
            for case, (code, _, _) in CASES.items():
                print(f"\t.p2align 6\n\t.globl {case}\n\t.type {case},@function\n{case}:\n\t.byte "
                      + ",".join(map(str, code)) + f"\n\t.size {case}, .-{case}", file=f)
        print(*CASES, sep="\n")
        return
    symbols = subprocess.run(["nm", where + "/hand"], capture_output=True, text=True, check=True).stdout
    addr = next(int(line.split()[0], 16) for line in symbols.splitlines() if line.split()[-1] == name)
    hand = Hand(name, addr)
    path = os.path.join(where, name + ".data")
    write_data(path, hand, Image(where + "/hand"), [], False)
    with open(path, "r+b") as f:
        # The first event's bit ptw, without which perf passes over such packets.
        f.seek(struct.unpack("<Q", f.read(32)[24:])[0] + 8)
        config = struct.unpack("<Q", f.read(8))[0] | 0x1000
        f.seek(-8, os.SEEK_CUR)
        f.write(struct.pack("<Q", config))
    print(*hand.steps, sep="\n")


if __name__ == "__main__":
    main()
