#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Makes recordings of what this machine's processors may not have.

branches OUT PROGRAM [plain]   samples with branch stacks, in functions of a program that is mapped;
                       plain: without the kinds and places of which some make perf report crash
taken IN OUT           a recording whose samples have the branches that were taken, as `perf inject --itrace=l`
                       makes it of a processor's trace: with flags and cycles, and some branches moved
pokes IN OUT ADDR...   a recording of events of which all have the fields IP, TID, TIME, ID and PERIOD, with
                       a change of the kernel's code at each address behind its first samples
bpf OUT                records of BPF programs (bpf-output)
"""
import os
import random
import struct
import subprocess
import sys

MAGIC = b"PERFILE2"
SAMPLE, MMAP2, COMM, TEXT_POKE = 9, 10, 3, 20
IP, TID, TIME, CPU, PERIOD, RAW, BRANCHES, WEIGHT = 1, 2, 4, 128, 256, 1024, 2048, 1 << 14
PID, BASE = 4241, 0x555555554000
SAMPLE_ID_ALL, EXCLUDE_GUEST = 1 << 18, 1 << 20


def attr(kind, config, sample_type, branch_type=0, period=4000):
    flags = SAMPLE_ID_ALL | EXCLUDE_GUEST
    head = struct.pack("<IIQQQQQIIQQQ", kind, 128, config, period, sample_type, 0, flags, 0, 0, 0, 0,
                       branch_type)
    return head + bytes(128 - len(head))


def record(kind, misc, body):
    body += b"\0" * (-len(body) % 8)
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def trailer(time):
    return struct.pack("<IIQII", PID, PID, time, 0, 0)


def text(name):
    name = name.encode() + b"\0"
    return name + b"\0" * (-len(name) % 8)


def comm(name):
    return record(COMM, 0, struct.pack("<II", PID, PID) + text(name) + trailer(1))


def mmap(start, size, off, path):
    st = os.stat(path)
    body = struct.pack("<IIQQQIIQQII", PID, PID, start, size, off, os.major(st.st_dev),
                       os.minor(st.st_dev), st.st_ino, 0, 5, 2)
    return record(MMAP2, 2, body + text(path) + trailer(2))


def write(path, attrs, data):
    """One event without ids has all samples."""
    at = 104
    table = b"".join(a + struct.pack("<QQ", 0, 0) for a in attrs)
    head = MAGIC + struct.pack("<QQQQQQQQQQQQ", 104, 144, at, len(table), at + len(table),
                               len(data), 0, 0, 0, 0, 0, 0)
    with open(path, "wb") as f:
        f.write(head + table + data)


def functions(program):
    """Starts and sizes of its own functions."""
    out = subprocess.run(["nm", "-S", program], capture_output=True, text=True, check=True).stdout
    rows = [line.split() for line in out.splitlines()]
    return [(int(r[0], 16), int(r[1], 16)) for r in rows if len(r) == 4 and r[2] in "tT"]


def code_of(program):
    out = subprocess.run(["readelf", "-lW", program], capture_output=True, text=True, check=True)
    for line in out.stdout.splitlines():
        r = line.split()
        if r[:1] == ["LOAD"] and "E" in "".join(r[6:-1]):
            return int(r[1], 16), int(r[2], 16), int(r[4], 16)
    sys.exit("no code")


def branches(out, program, kinds="kinds"):
    """Of a few places each, so that rows have many samples; some branches lead elsewhere."""
    rng = random.Random(20261129)
    off, vaddr, size = code_of(program)
    start = BASE + vaddr & ~4095
    data = comm("made") + mmap(start, (vaddr + size + 4095 & ~4095) - (vaddr & ~4095), off & ~4095,
                               os.path.realpath(program))
    places = [BASE + at + k * sz // 3 for at, sz in functions(program) for k in range(3)]
    places += [BASE + vaddr + size - 4] + ([0x7ffff7000010] if kinds == "kinds" else [])
    kind = IP | TID | TIME | CPU | PERIOD | BRANCHES
    for i in range(1701):
        ip = rng.choice(places)
        body = struct.pack("<QIIQIIQ", ip, PID, PID, 1000000 + i * 1000, 0, 0, 4000 + i % 7)
        cnt = rng.choice([0, 1, 3, 5])
        body += struct.pack("<Q", cnt)
        for _ in range(cnt):
            flags = rng.choice([0, 1, 2, 2, 2]) | rng.choice([0, 0, 0, 4, 8]) | rng.randrange(9) << 4
            # The kind of branch; of the new kinds perf names eight.
            if kinds == "kinds":
                flags |= rng.randrange(16) << 20 | rng.randrange(8) << 26
            body += struct.pack("<QQQ", rng.choice(places), rng.choice(places), flags)
        data += record(SAMPLE, 2, body)
    write(out, [attr(0, 0, kind, 8 | 1)], data)


def taken(source, out):
    """As if recorded by -b: perf prints the code between branches for that filter alone."""
    rng = random.Random(20261130)
    with open(source, "rb") as f:
        data = bytearray(f.read())
    size, attrs, attrs_sz, at, data_sz = struct.unpack_from("<QQQQQ", data, 16)
    for a in range(attrs, attrs + attrs_sz, size):
        kind, = struct.unpack_from("<Q", data, a + 24)
        filters, = struct.unpack_from("<Q", data, a + 72)
        if kind & BRANCHES:
            struct.pack_into("<Q", data, a + 72, filters | 8 | 1)
            has_idx, made = filters >> 17 & 1, kind
    end = at + data_sz
    while at < end:
        what, _, length = struct.unpack_from("<IHH", data, at)
        if what == SAMPLE:
            # The words before: the id, then those of IP, TID, TIME and PERIOD.
            row = at + 8 + 8 * bin(made & (1 << 16 | IP | TID | TIME | CPU | PERIOD)).count("1")
            cnt, = struct.unpack_from("<Q", data, row)
            row += 8 + 8 * has_idx
            for b in range(row, row + 24 * cnt, 24):
                flags = rng.choice([0, 1, 2, 2, 2]) | rng.choice([0, 0, 0, 0, 4, 8])
                struct.pack_into("<Q", data, b + 16, flags | rng.choice([0, 0, 1, 3, 17, 255]) << 4)
                # Elsewhere, or without an address: from one instruction to the next, so that all is decoded.
                source, target = struct.unpack_from("<QQ", data, b)
                other, = struct.unpack_from("<Q", data, rng.randrange(row, row + 24 * cnt, 24) + 8)
                new = rng.choice([(source, target)] * 41 + [(source, other), (source, 0), (other, target),
                                                            (1 << 63 | source, target)])
                # The oldest branch's own instruction is decoded alone.
                if b == row and cnt > 1 and rng.randrange(5) == 0:
                    new = source + 1, target
                struct.pack_into("<QQ", data, b, *new)
        at += length
    with open(out, "wb") as f:
        f.write(data)


def pokes(source, out, *addrs):
    with open(source, "rb") as f:
        data = bytearray(f.read())
    at, size = struct.unpack_from("<QQ", data, 40)
    pos, seen = at, 0
    while seen < 17:
        what, _, length = struct.unpack_from("<IHH", data, pos)
        if what == SAMPLE:
            seen += 1
            _, *where = struct.unpack_from("<QIIQQ", data, pos + 8)
        pos += length
    new = b""
    for i, addr in enumerate(addrs):
        old, code = bytes(range(7, 7 + i)), bytes(range(0xE8 - i, 0xE8 - i + 5 * i % 41))
        body = struct.pack("<QHH", int(addr, 16), len(old), len(code)) + old + code
        new += record(TEXT_POKE, 1, body + b"\0" * (-len(body) % 8) + struct.pack("<IIQQ", *where))
    data[pos:pos] = new
    struct.pack_into("<Q", data, 48, size + len(new))
    table = at + size + len(new)
    for bit in range(256):
        if data[72 + bit // 8] >> bit % 8 & 1:
            off, = struct.unpack_from("<Q", data, table)
            struct.pack_into("<Q", data, table, off + len(new))
            table += 16
    with open(out, "wb") as f:
        f.write(data)


def bpf(out):
    rng = random.Random(7)
    kind = IP | TID | TIME | CPU | PERIOD | RAW
    data = comm("made")
    for i, raw in enumerate([b"", b"a word\0\0\0\0\0\0", b"\x01\x02\x03\x04", b"none ends",
                             bytes(rng.randrange(256) for _ in range(37)), b"tab\there\0", b"\0"]):
        raw += b"\0" * ((4 - len(raw)) % 8)
        data += record(SAMPLE, 2, struct.pack("<QIIQIIQI", 0x400000 + i, PID, PID, 1000000 + i, 0, 0, 1,
                                              len(raw)) + raw)
    write(out, [attr(1, 10, kind)], data)


{"branches": branches, "taken": taken, "pokes": pokes, "bpf": bpf}[sys.argv[1]](*sys.argv[2:])
