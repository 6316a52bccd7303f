#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""pt_kernel.py DIR ELF MAX SEED [moved] [poke] [patched] [here] [flood]

A recording of Intel PT through the code of a kernel, without hardware: the ELF file (a vmlinux, or a copy of kcore) is
walked as objdump disassembles it, with random branches, interrupts and returns that were replaced. Writes DIR/data, the
instructions that ran to DIR/steps, as "TID IP", and the file to DIR/kcore_dir. "moved": it ran elsewhere than the file
says. "poke": the code changes while it runs; then the file has it as at the end, if "patched", else as at the begin. "here": it is a
recording of the running kernel. "flood": it names more changed pages than a kernel has.
"""
import bisect
import os
import random
import re
import struct
import subprocess
import sys

TID = 4100
MOVE = 0x1c000000
NOP5 = bytes.fromhex("0f1f440000")
PSB = b"\x02\x82" * 8
MMAP, COMM, ITRACE_START, TEXT_POKE, AUXTRACE_INFO, AUXTRACE, FINISHED_ROUND = 1, 3, 12, 20, 70, 71, 68
HEAD_SZ, ATTR_SZ = 104, 128
OSRELEASE, ARCH = 4, 6
FAR = {"iretq", "iret", "sysretq", "sysretl", "sysret", "sysexit", "syscall", "sysenter", "lretq", "lret"}
# Here something else happens instead: traps, and what a walk cannot know.
TRAPS = {"ud2", "ud1", "ud0", "int3", "int", "int1", "(bad)", "hlt", "xbegin", "xabort", "vmlaunch", "vmresume", "rsm", "vmcall"}

PREFIXES = {"bnd", "notrack", "ds", "cs", "es", "ss", "data16", "repz", "rep", "lock", "addr32"}


def disassemble(elf, limit):
    """Instructions by address: (length, kind, target); the entries of functions."""
    code, entries = {}, set()
    out = subprocess.Popen(["objdump", "-d", "-w", "--no-show-raw-insn", "--insn-width=16", *limit, elf],
                           stdout=subprocess.PIPE, text=True, errors="replace")
    last = None
    line_re = re.compile(r"^\s*([0-9a-f]{16}):\s*(.*)$")
    for line in out.stdout:
        m = line_re.match(line)
        if not m:
            last = None
            continue
        addr, text = int(m[1], 16), m[2]
        if last is not None and addr - last[0] < 16:
            code[last[0]] = (addr - last[0], last[1], last[2])
        words = text.split("#")[0].split()
        while words and (words[0] in PREFIXES or words[0].startswith("rex")):
            words.pop(0)
        op = words[0].split(",")[0] if words else "(bad)"
        kind, target = "", 0
        direct = len(words) > 1 and re.fullmatch(r"(0x)?[0-9a-f]+", words[1])
        if direct:
            target = int(words[1], 16)
        if op in TRAPS:
            kind = "trap"
        elif op in FAR or op.startswith("ljmp") or op.startswith("lcall"):
            kind = "far"
        elif op.startswith("ret"):
            kind = "ret"
        elif op.startswith("call"):
            kind = "call" if direct else "icall"
        elif op.startswith("jmp"):
            kind = "jmp" if direct else "ijmp"
        elif (op.startswith("j") or op.startswith("loop")) and direct:
            kind = "cond"
        if kind == "call":
            entries.add(target)
        last = (addr, kind, target)
    return code, sorted(e for e in entries if e in code)


class Trace:
    """Packets (Intel SDM, volume 3, "Trace packets")."""

    def __init__(self):
        self.data, self.bits, self.since_psb = bytearray(), [], 0

    def flush(self):
        while self.bits:
            some, self.bits = self.bits[:6], self.bits[6:]
            val = 1
            for bit in some:
                val = val << 1 | bit
            self.data.append(val << 1)

    def put(self, raw):
        self.flush()
        self.data += raw

    def address(self, kind, ip):
        self.put(bytes([kind | 3 << 5]) + struct.pack("<Q", ip)[:6])

    def tip(self, ip):
        self.address(0x0d, ip)

    def fup(self, ip):
        self.address(0x1d, ip)

    def tsc(self, now):
        self.put(b"\x19" + struct.pack("<Q", now)[:7])

    def psb(self, now, ip):
        self.put(PSB + b"\x19" + struct.pack("<Q", now)[:7] + b"\x99\x01")
        if ip:
            self.fup(ip)
        self.put(b"\x02\x23")
        self.since_psb = len(self.data)


class Walk:
    def __init__(self, code, entries, rnd, move):
        self.code, self.entries, self.rnd, self.move = code, entries, rnd, move
        self.trace, self.steps, self.stack, self.kept = Trace(), [], [], []
        self.now, self.quiet = 1000000, set()  # quiet: jumped to since the last packet
        self.ip = rnd.choice(entries)

    def at(self, ip):
        return ip + self.move

    def go(self, ip):
        """To an address that the trace has."""
        self.trace.tip(self.at(ip))
        self.ip, self.quiet = ip, set()

    def interrupt(self):
        self.trace.fup(self.at(self.ip))
        self.go(self.rnd.choice(self.entries))

    def call(self, ip, length, target):
        if target != ip + length:
            self.stack.append(ip + length)
            self.kept = (self.kept + [ip + length])[-64:]
        self.stack = self.stack[-200:]

    def ret(self):
        to = self.stack.pop() if self.stack else None
        kept = self.kept.pop() if self.kept else None
        if to not in self.code or self.rnd.random() < 0.02:
            to = self.rnd.choice(self.entries)
        if to == kept:
            self.trace.bits.append(1)
            self.ip, self.quiet = to, set()
        else:
            self.go(to)

    def step(self):
        ip = self.ip
        length, kind, target = self.code.get(ip, (0, "trap", 0))
        known, follows = target in self.code, ip + length in self.code
        leaves = kind in ("jmp", "call", "cond") and not (known and follows) or not kind and not follows
        # A second time around without a packet, the interrupt's place would be ambiguous.
        again = kind in ("jmp", "call") and (target in self.quiet or target == ip)
        if kind == "trap" or leaves or again or self.rnd.random() < 0.0007:
            self.interrupt()
            return
        self.steps.append(ip)
        self.now += 3
        self.ip = ip + length
        if kind == "cond":
            taken = self.rnd.random() < 0.5
            self.trace.bits.append(int(taken))
            self.ip, self.quiet = target if taken else ip + length, set()
        elif kind in ("jmp", "call"):
            if kind == "call":
                self.call(ip, length, target)
            self.ip = target
            self.quiet.add(target)
        elif kind in ("icall", "ijmp", "far"):
            to = self.rnd.choice(self.entries)
            if kind == "icall":
                self.call(ip, length, to)
            self.go(to)
        elif kind == "ret":
            self.ret()
        if len(self.trace.data) - self.trace.since_psb > 2000:
            self.trace.psb(self.now, self.at(self.ip))
            self.kept = []
        elif self.rnd.random() < 0.005:
            self.trace.tsc(self.now)


class Image:
    """The bytes of the file, by address."""

    def __init__(self, path):
        with open(path, "rb") as f:
            self.data = bytearray(f.read())
        off, cnt = struct.unpack_from("<Q", self.data, 32)[0], struct.unpack_from("<H", self.data, 56)[0]
        self.segments = []
        for i in range(cnt):
            kind, flags, at, addr, _, sz = struct.unpack_from("<IIQQQQ", self.data, off + 56 * i)
            if kind == 1 and addr >> 63 and flags & 1:
                self.segments.append((addr, sz, at))
        self.segments.sort()

    def offset(self, addr):
        seg = self.segments[bisect.bisect_right([s[0] for s in self.segments], addr) - 1]
        return seg[2] + addr - seg[0]

    def read(self, addr, sz):
        at = self.offset(addr)
        return bytes(self.data[at:at + sz])

    def write(self, addr, raw):
        at = self.offset(addr)
        self.data[at:at + len(raw)] = raw


class Pokes:
    """Calls of five bytes become nops, and are made again; their times, by the walk's."""

    def __init__(self, walk, image):
        self.walk, self.image, self.records = walk, image, []
        self.calls = [a for a, c in walk.code.items() if c[0] == 5 and c[1] == "call" and image.read(a, 1) == b"\xe8"]

    def poke(self):
        walk = self.walk
        # Each CPU is interrupted first: what ran before is as it was.
        walk.interrupt()
        walk.trace.tsc(walk.now)
        walk.now += 10
        for addr in walk.rnd.sample(self.calls, min(2000, max(1, len(self.calls) // 3))):
            old = self.image.read(addr, 5)
            new = NOP5 if old != NOP5 else self.first[addr]
            self.image.write(addr, new)
            self.records.append((walk.now, addr, old, new))
            target = addr + 5 + struct.unpack("<i", new[1:])[0]
            walk.code[addr] = (5, "", 0) if new == NOP5 else (5, "call", target)
        walk.now += 10
        walk.trace.tsc(walk.now)

    def flood(self):
        """A recording that is a lie: the kernel writes to 200,003 pages, one behind the other, that have no code."""
        self.records += [(self.walk.now, 0xffff900000000000 + 4096 * i, b"\0", b"\xcc") for i in range(200003)]

    def begin(self):
        self.first = {a: self.image.read(a, 5) for a in self.calls}


def record(kind, body, now, misc=0, event=2):
    body += struct.pack("<IIQQ", TID, TID, now, event)
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def put_mmap(addr, sz, pgoff, name):
    raw = name.encode() + b"\0"
    raw += b"\0" * (-len(raw) % 8)
    return record(MMAP, struct.pack("<iIQQQ", -1, 0, addr, sz, pgoff) + raw, 500, 1)


def write_data(path, walk, image, pokes, is_here):
    segs = image.segments
    text = segs[0][0] + walk.move
    priv = [8, 0, 1, 0, 1, 0x400, 0x800, 0, 0, 0, 0x200, 0x3c000, 0, 0, 2, 40, 0, 0]
    out = struct.pack("<IHHII%dQ" % len(priv), AUXTRACE_INFO, 0, 16 + 8 * len(priv), 1, 0, *priv)
    core = [s for s in segs if s[0] < 0xffffffffc0000000]
    end = max(s[0] + s[1] for s in core) + walk.move
    out += put_mmap(text, end - text, text, "[kernel.kallsyms]_text")
    for addr, sz, _ in segs:
        if addr >= 0xffffffffc0000000:
            out += put_mmap(addr, (sz + 4095) & ~4095, 0, "[walk]")
    out += record(COMM, struct.pack("<II16s", TID, TID, b"walk"), 501)
    out += record(ITRACE_START, struct.pack("<II", TID, TID), 502)
    changes = []
    for now, addr, old, new in pokes:
        body = struct.pack("<QHH", addr + walk.move, len(old), len(new)) + old + new
        changes.append(record(TEXT_POKE, body + b"\0" * (-(len(body) + 8) % 8), now))
    out += b"".join(changes)
    aux = bytes(walk.trace.data)
    pad = b"\0" * (-len(aux) % 8)
    out += struct.pack("<IHHQQQIIII", AUXTRACE, 0, 48, len(aux) + len(pad), 0, 7, 0, TID, 0xffffffff, 0) + aux + pad
    out += struct.pack("<IHH", FINISHED_ROUND, 0, 8)
    attrs = b""
    for kind, conf, bits in ((8, 0x2000 | 0x400 | 2 | 1, 0), (1, 9, 1 << 8 | 1 << 9 | 1 << 13 | 1 << 23)):
        # IDENTIFIER, IP, TID, TIME; sample_id_all, exclude_user, exclude_hv
        bits |= 1 << 18 | 1 << 4 | 1 << 6
        attr = struct.pack("<IIQQQQQ", kind, ATTR_SZ, conf, 1, 1 << 16 | 1 | 2 | 4, 4, bits)
        attrs += attr + b"\0" * (ATTR_SZ - len(attr)) + struct.pack("<QQ", HEAD_SZ + 8 * (kind == 1), 8)
    base = HEAD_SZ + 16 + 2 * (ATTR_SZ + 16)
    end, table, rest = base + len(out), b"", b""
    for text in [os.uname().release, os.uname().machine] if is_here else []:
        body = struct.pack("<I64s", 64, text.encode())
        table += struct.pack("<QQ", end + 32 + len(rest), len(body))
        rest += body
    head = struct.pack("<QQQQQQQQQ4Q", 0x32454c4946524550, HEAD_SZ, ATTR_SZ + 16, HEAD_SZ + 16, 2 * (ATTR_SZ + 16),
                       base, len(out), 0, 0, 1 << OSRELEASE | 1 << ARCH if is_here else 0, 0, 0, 0)
    with open(path, "wb") as f:
        f.write(head + struct.pack("<QQ", 1, 2) + attrs + out + table + rest)


def main():
    where, elf, most, seed, *flags = sys.argv[1:]
    most = int(most)
    rnd = random.Random(int(seed))
    image = Image(elf)
    limit = [f for f in flags if f.startswith("--st")]
    walk = Walk(*disassemble(elf, limit), rnd, MOVE if "moved" in flags else 0)
    pokes = Pokes(walk, image)
    pokes.begin()
    walk.trace.psb(walk.now, walk.at(walk.ip))
    changes = 9 if "poke" in flags else 0
    while len(walk.steps) < most:
        walk.step()
        if changes and len(walk.steps) > most * (10 - changes) // 10:
            pokes.poke()
            changes -= 1
    if "flood" in flags:
        pokes.flood()
    walk.trace.fup(walk.at(walk.ip))
    walk.trace.put(b"\x01")
    os.makedirs(where + "/kcore_dir", exist_ok=True)
    if "patched" not in flags:
        image = Image(elf)
    with open(where + "/kcore_dir/kcore", "wb") as f:
        f.write(image.data)
    write_data(where + "/data", walk, image, pokes.records, "here" in flags)
    with open(where + "/steps", "w", encoding="ascii") as f:
        f.writelines(f"{TID} {walk.at(ip):x}\n" for ip in walk.steps)
    print(len(walk.steps), len(pokes.records))


if __name__ == "__main__":
    main()
