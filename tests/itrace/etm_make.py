#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""etm_make.py OUT PROGRAM OBJDUMP MAX SEED [FLAG…]

CoreSight without the hardware: follows an arm64 program instruction by
instruction, by what objdump says of it, and writes the packets that a trace
unit (ETMv4) would write of it as a recording of perf, OUT.data. OUT.branches
has the branches that were taken, a line each: "TID FROM TO", 0 where the trace
begins or ends; OUT.steps the instructions: "TID IP".

cpus       an AUX area for each of two CPUs, and context ids; else one for each thread
shared     with cpus: one area has the frames of both
raw        no frames, as a TRBE writes
ete        the registers are an ETE's
overflow   the unit dropped packets at places
times      timestamps of the machine's counter, which the recording converts
hw-ids     other trace ids than the registers say, told by records (perf 6.3)
no-aux     no record says where bytes were written
idle       an AUX record of each area has no trace, but that of a unit which is started
garbage    the middle 48 bytes of each AUX record are bytes of chance
cut        each AUX record lacks its last 7 bytes
few        the recording describes the trace unit of one CPU alone
"""
import random
import struct
import subprocess
import sys

from etm_records import Recording

MASK = (1 << 64) - 1
ASYNC = b"\0" * 11 + b"\x80"
TRACE_INFO = b"\x01\x01\x00"
TRACE_ON = b"\x04"
EXC_CALL, EXC_IRQ = 2, 14
PID = 4000
SYNC_EACH = 700


class Program:
    """What objdump says: the instruction at each address."""

    def __init__(self, path, objdump):
        text = subprocess.run([objdump, "-d", "--no-show-raw-insn", path], check=True,
                              capture_output=True, text=True).stdout
        self.insns = {}
        for line in text.splitlines():
            if line.startswith("  ") and ":\t" in line:
                at, rest = line.split(":\t", 1)
                fields = rest.split("//")[0].strip().split(None, 1)
                args = fields[1].split(", ") if len(fields) > 1 else []
                self.insns[int(at, 16)] = (fields[0], [a.strip() for a in args])
        self.start = min(self.insns)


class Thread:
    """A thread that runs the program, one step at a time."""

    def __init__(self, program, tid, seed):
        self.p, self.tid, self.pc = program, tid, program.start
        self.regs = {"x%d" % i: 0 for i in range(31)}
        self.regs["x19"], self.stack = seed, []
        self.zero = self.higher = False

    def value(self, arg):
        if arg.startswith("#"):
            return int(arg[1:], 0)
        return 0 if arg == "xzr" else self.regs[arg]

    def target(self, arg):
        return int(arg.split()[0], 16)

    def step(self):
        """Runs one instruction. Returns (kind, taken): kind of branch, or ''."""
        op, a = self.p.insns[self.pc]
        r, here = self.regs, self.pc
        self.pc = here + 4
        if op == "mov":
            r[a[0]] = self.value(a[1]) & MASK
        elif op == "movk":
            shift = int(a[2].split("#")[1])
            r[a[0]] = r[a[0]] & ~(0xffff << shift) | self.value(a[1]) << shift
        elif op == "madd":
            r[a[0]] = r[a[1]] * r[a[2]] + r[a[3]] & MASK
        elif op == "ubfx":
            r[a[0]] = r[a[1]] >> self.value(a[2]) & (1 << self.value(a[3])) - 1
        elif op in ("add", "sub"):
            n = self.value(a[2])
            r[a[0]] = r[a[1]] + (n if op == "add" else -n) & MASK
        elif op == "cmp":
            self.zero = r[a[0]] == self.value(a[1])
            self.higher = r[a[0]] > self.value(a[1])
        elif op == "tst":
            self.zero = not r[a[0]] & self.value(a[1])
        elif op == "adr":
            r[a[0]] = self.target(a[1])
        elif op == "csel":
            r[a[0]] = r[a[1]] if self.zero else r[a[2]]
        elif op == "str":
            self.stack.append(r[a[0]])
        elif op == "ldr":
            r[a[0]] = self.stack.pop()
        elif op in ("cbz", "cbnz"):
            return self.branch("direct", (r[a[0]] == 0) == (op == "cbz"), self.target(a[1]))
        elif op in ("tbz", "tbnz"):
            bit = r[a[0]] >> self.value(a[1]) & 1
            return self.branch("direct", bit == (op == "tbnz"), self.target(a[2]))
        elif op in ("b", "bl"):
            if op == "bl":
                r["x30"] = here + 4
            return self.branch("direct", True, self.target(a[0]))
        elif op == "b.eq":
            return self.branch("direct", self.zero, self.target(a[0]))
        elif op == "b.hi":
            return self.branch("direct", self.higher, self.target(a[0]))
        elif op in ("br", "blr", "ret"):
            to = r[a[0]] if a else r["x30"]
            if op == "blr":
                r["x30"] = here + 4
            return self.branch("indirect", True, to)
        elif op == "isb":
            return "barrier", False
        elif op == "svc":
            return "svc", False
        elif op != "nop":
            raise SystemExit("etm_make.py: unknown instruction %s" % op)
        return "", False

    def branch(self, kind, taken, to):
        if taken:
            self.pc = to
        return kind, taken


class Unit:
    """A trace unit: packets of the threads that run on its CPU."""

    def __init__(self, out, chance, flags):
        self.out, self.chance, self.flags = out, chance, flags
        self.packets = bytearray()
        self.atoms = []
        self.history = [0, 0, 0]
        self.is_on = False
        self.synced = 0
        self.thread = None
        self.tick = 5000000

    # Packets (Arm ETM architecture specification, IHI 0064, chapter 6).
    def flush(self):
        while self.atoms:
            n = min(len(self.atoms), 3)
            if len(self.atoms) > 4 and all(self.atoms[:4]):
                # Format 6: from 3 to 23 of E, then one of either.
                run = 4
                while run < min(len(self.atoms), 24) and self.atoms[run]:
                    run += 1
                if run == len(self.atoms) or run == 24:
                    run -= 1
                last = self.atoms[run]
                self.packets.append(0xc0 | (0 if last else 0x20) | run - 3)
                n = run + 1
            else:
                bits = sum(self.atoms[i] << i for i in range(n))
                self.packets.append((0xf6, 0xd8, 0xf8)[n - 1] | bits)
            del self.atoms[:n]

    def remember(self, addr):
        self.history = [addr] + self.history[:2]

    def address(self, addr):
        self.flush()
        if addr in self.history and self.chance.random() < 0.5:
            self.packets.append(0x90 + self.history.index(addr))
        elif addr >> 9 == self.history[0] >> 9 and self.chance.random() < 0.5:
            self.packets += bytes((0x95, addr >> 2 & 0x7f))
        else:
            self.packets += b"\x9d" + self.long(addr)
        self.remember(addr)

    @staticmethod
    def long(addr):
        return bytes((addr >> 2 & 0x7f, addr >> 9 & 0x7f)) + struct.pack("<Q", addr)[2:]

    def address_with_context(self, addr):
        self.flush()
        self.packets += b"\x85" + self.long(addr)
        if "cpus" in self.flags:
            self.packets += struct.pack("<BI", 0xb0, self.thread.tid)
        else:
            self.packets.append(0x30)
        self.remember(addr)

    def timestamp(self):
        self.flush()
        self.tick += self.chance.randrange(3, 300)
        val, out = self.tick, [0x02]
        while val >= 0x80:
            out.append(val & 0x7f | 0x80)
            val >>= 7
        self.packets += bytes(out + [val])

    def sync(self):
        self.flush()
        self.packets += ASYNC + TRACE_INFO
        self.history = [0, 0, 0]
        self.synced = len(self.packets)

    # The run of the program, as packets tell it.
    def begin(self, thread):
        if not self.packets:
            self.sync()
        self.thread = thread
        self.flush()
        self.packets += TRACE_ON
        self.address_with_context(thread.pc)
        if "times" in self.flags:
            self.timestamp()
        self.is_on, self.pending = True, None
        self.run, self.start = [], thread.pc
        self.came_from = 0

    def proven(self):
        """The instructions up to here have run: the last one ends a range."""
        if not self.run:
            return
        if self.came_from is not None:
            self.out.branch(self.thread.tid, self.came_from, self.run[0])
        for ip in self.run:
            self.out.step(self.thread.tid, ip)
        self.last, self.came_from, self.run = self.run[-1], None, []

    def end(self):
        """The trace goes off after the range that was proven last."""
        if self.came_from is None or self.came_from:
            self.out.branch(self.thread.tid, self.last, 0)
        self.is_on = False

    def interrupt(self, nr):
        self.proven()
        self.flush()
        self.packets += bytes((0x06, nr << 1 | 1))
        self.address(self.thread.pc)
        self.end()

    def overflow(self):
        if self.came_from == 0:
            return False
        self.flush()
        self.packets += b"\0\x05"
        self.run = []
        self.end()
        self.sync()
        return True

    def step(self):
        t = self.thread
        self.run.append(t.pc)
        here = t.pc
        kind, taken = t.step()
        if kind in ("direct", "indirect"):
            self.atoms.append(taken)
            self.proven()
            if taken:
                self.came_from = here
            if kind == "indirect":
                if len(self.packets) - self.synced > SYNC_EACH:
                    self.sync()
                    self.address_with_context(t.pc)
                else:
                    self.address(t.pc)
                if "times" in self.flags and self.chance.random() < 0.3:
                    self.timestamp()
            elif len(self.atoms) > 20:
                self.flush()
        elif kind == "barrier":
            self.atoms.append(True)
            self.proven()
        elif kind == "svc":
            self.interrupt(EXC_CALL)


class Output:
    """The branches and instructions that were traced."""

    def __init__(self, name):
        self.branches = open(name + ".branches", "w")
        self.steps = open(name + ".steps", "w")

    def branch(self, tid, source, to):
        self.branches.write("%d %x %x\n" % (tid, source, to))

    def step(self, tid, ip):
        self.steps.write("%d %x\n" % (tid, ip))


def frames(streams, chance):
    """Frames of 16 bytes with the bytes of trace ids, as {id: bytes}."""
    left = {i: bytearray(b) for i, b in streams.items() if b}
    out, frame, low, cur, run = bytearray(), bytearray(), 0, None, 0

    def put(byte, bit):
        nonlocal frame, low
        if len(frame) % 2 == 0:
            low |= bit << len(frame) // 2
        frame.append(byte)
        if len(frame) == 15:
            out.extend(frame + bytes((low,)))
            frame, low = bytearray(), 0

    def take():
        byte = left[cur].pop(0)
        if not left[cur]:
            del left[cur]
        return byte

    while left:
        if len(frame) % 2:
            put(take(), 0)
            continue
        others = sorted(i for i in left if i != cur)
        new = chance.choice(others) if others else 0
        run -= 2
        if cur in left and len(left[cur]) == 1 and len(frame) < 14:
            # One byte of the old id may follow.
            put(new << 1 | 1, 1)
            put(take(), 0)
        elif cur not in left or run <= 0:
            # An id is repeated at times.
            new = new or cur
            put(new << 1 | 1, 0)
        else:
            byte = take()
            put(byte & 0xfe, byte & 1)
            continue
        cur, run = new, chance.randrange(20, 300)
    if frame:
        if len(frame) % 2 == 0:
            put(1, 0)
        while frame:
            put(0, 0)
    return bytes(out)


def slices(flags, chance, program, units, threads, left):
    """Runs threads by turns, and yields (CPU or thread, unit, bytes) of each AUX record."""
    while left > 0:
        n = chance.randrange(len(threads))
        at = n % len(units) if "cpus" in flags else n
        unit, thread = units[at], threads[n]
        for _ in range(chance.randrange(1, 4) if "cpus" in flags else 1):
            unit.begin(thread)
            for _ in range(chance.randrange(100, 1500)):
                if not unit.is_on:
                    unit.begin(thread)
                unit.step()
                left -= 1
                if "overflow" in flags and unit.is_on and chance.random() < 0.003 and unit.overflow():
                    for _ in range(chance.randrange(1, 40)):
                        thread.step()
            while not unit.is_on or not unit.run:
                if not unit.is_on:
                    unit.begin(thread)
                unit.step()
            unit.interrupt(EXC_IRQ)
            if "cpus" in flags:
                n = (n + len(units)) % len(threads)
                thread = threads[n]
        yield at, unit, thread
        unit.packets, unit.synced = bytearray(), 0


def main():
    name, path, objdump, most, seed = sys.argv[1:6]
    flags = set(sys.argv[6:])
    chance = random.Random(int(seed))
    program = Program(path, objdump)
    threads = [Thread(program, PID + i, chance.getrandbits(60)) for i in range(4)]
    out = Output(name)
    rec = Recording(path, PID, [t.tid for t in threads], flags)
    units = [Unit(out, chance, flags) for _ in range(2 if "cpus" in flags else len(threads))]
    if "idle" in flags:
        for i, t in enumerate(threads):
            rec.aux(i, t.tid, frames({rec.trace_id(i): ASYNC + TRACE_INFO}, chance), 0)
    waiting = {}
    for at, unit, thread in slices(flags, chance, program, units, threads, int(most)):
        if "shared" in flags:
            waiting[at] = waiting.get(at, b"") + bytes(unit.packets)
            if len(waiting) < 2:
                continue
            data = frames({rec.trace_id(i): b for i, b in waiting.items()}, chance)
            rec.aux(0, thread.tid, data, unit.tick)
            waiting = {}
        elif "raw" in flags:
            rec.aux(at, thread.tid, bytes(unit.packets), unit.tick)
        else:
            rec.aux(at, thread.tid, frames({rec.trace_id(at): unit.packets}, chance), unit.tick)
    if waiting:
        rec.aux(0, PID, frames({rec.trace_id(i): b for i, b in waiting.items()}, chance), unit.tick)
    rec.write(name + ".data")


main()
