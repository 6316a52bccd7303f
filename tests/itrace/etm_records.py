# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""A recording of CoreSight as perf writes it: a part of etm_make.py."""
import os
import random
import struct

AUXTRACE_INFO, AUXTRACE, TIME_CONV, FINISHED_ROUND = 70, 71, 79, 68
COMM, ITRACE_START, AUX, MMAP2, AUX_OUTPUT_HW_ID = 3, 12, 11, 10, 21
ETM4_MAGIC, ETE_MAGIC = 0x4040404040404040, 0x5050505050505050
PMU_TYPE = 9
# cs_etm's config: contextid, timestamp.
CONFIG_CONTEXTID, CONFIG_TIMESTAMP = 1 << 14, 1 << 28
FORMAT_RAW = 0x100
# IDENTIFIER, IP, TID, TIME, and CPU where areas are of CPUs: perf 6.1 takes no other.
SAMPLE_TYPE, SAMPLE_CPU = 1 << 16 | 1 | 2 | 4, 1 << 7
HEAD_SZ, ATTR_SZ = 104, 128
FEATURE_ARCH, FEATURE_AUXTRACE = 6, 18
# A counter of 25 MHz.
SHIFT, MULT, ZERO = 20, 40 << 20, 900000000


class Recording:
    def __init__(self, path, pid, tids, flags):
        self.path, self.pid, self.tids, self.flags = path, pid, tids, flags
        self.data = b""
        self.time = 1000000000
        self.pieces = []  # (position of the AUX record, its area, data, tid, time)
        self.offsets = {}

    def trace_id(self, cpu):
        return 0x10 + 2 * cpu + (6 if "hw-ids" in self.flags else 0)

    def unit_cnt(self):
        return 1 if "few" in self.flags else 4

    def record(self, kind, body, tid, cpu, misc=2, event=2):
        self.time += 1000
        trailer = struct.pack("<IIQ", self.pid, tid, self.time)
        trailer += struct.pack("<Q", cpu) if "cpus" in self.flags else b""
        trailer += struct.pack("<Q", event)
        self.data += struct.pack("<IHH", kind, misc, 8 + len(body) + len(trailer)) + body + trailer

    def begin(self):
        words = [2 if "hw-ids" in self.flags else 1,
                 PMU_TYPE << 32 | self.unit_cnt(), 0]
        configr = (0x40 if "cpus" in self.flags else 0) | (0x800 if "times" in self.flags else 0)
        for cpu in range(self.unit_cnt()):
            regs = [configr, 0x10 + 2 * cpu, 0x28000ea1, 0x4100f403, 0x488, 0, 0xcc]
            if "ete" in self.flags:
                regs[3] = 0x4100fff3
                regs.append(0x47705a13)
            regs.append(1)
            words += [ETE_MAGIC if "ete" in self.flags else ETM4_MAGIC, cpu, len(regs)] + regs
        body = struct.pack("<II%dQ" % len(words), 3, 0, *words)
        self.data = struct.pack("<IHH", AUXTRACE_INFO, 0, 8 + len(body)) + body + self.data
        if "times" in self.flags:
            body = struct.pack("<QQQ", SHIFT, MULT, ZERO)
            self.data += struct.pack("<IHH", TIME_CONV, 0, 8 + len(body)) + body
        if "hw-ids" in self.flags:
            for cpu in range(4):
                self.record(AUX_OUTPUT_HW_ID, struct.pack("<Q", self.trace_id(cpu)), self.pid, cpu, 0, 1)
        for tid in self.tids:
            self.record(COMM, struct.pack("<II16s", self.pid, tid, b"walk"), tid, 0, 0x2000)
        st = os.stat(self.path)
        name = os.path.realpath(self.path).encode() + b"\0"
        name += b"\0" * (-len(name) % 8)
        self.record(MMAP2, struct.pack("<IIQQQIIQQII", self.pid, self.pid, 0x400000, 0x10000, 0,
                                       os.major(st.st_dev), os.minor(st.st_dev), st.st_ino, 0, 5, 2) + name,
                    self.pid, 0)
        for tid in self.tids:
            self.record(ITRACE_START, struct.pack("<II", self.pid, tid), tid, 0, 0)

    def aux(self, area, tid, data, tick):
        """Bytes of one AUX record."""
        if not self.data:
            self.begin()
        if "times" in self.flags:
            self.time = max(self.time, ZERO + (tick * MULT >> SHIFT))
        if "garbage" in self.flags:
            at = len(data) // 2
            data = data[:at] + random.Random(at).randbytes(48) + data[at + 48:]
        if "cut" in self.flags:
            data = data[:-7]
        at = self.offsets.get(area, 0)
        self.offsets[area] = at + len(data)
        if "no-aux" not in self.flags:
            flags = FORMAT_RAW if "raw" in self.flags else 0
            self.record(AUX, struct.pack("<QQQ", at, len(data), flags), tid, area, 0, 1)
        self.pieces.append((area, at, data))

    def write(self, path):
        areas = {}
        for area, _, data in self.pieces:
            areas[area] = areas.get(area, b"") + data
        entries = []
        base = HEAD_SZ + 16 + 2 * (ATTR_SZ + 16)
        for area, data in sorted(areas.items()):
            tid = 0xffffffff if "cpus" in self.flags else self.tids[area]
            cpu = area if "cpus" in self.flags else 0xffffffff
            data += b"\0" * (-len(data) % 8)
            entries.append((base + len(self.data), 48))
            self.data += struct.pack("<IHHQQQIIII", AUXTRACE, 0, 48, len(data), 0, 7, area, tid, cpu, 0)
            self.data += data
        self.data += struct.pack("<IHH", FINISHED_ROUND, 0, 8)
        config = (CONFIG_CONTEXTID if "cpus" in self.flags else 0) | \
                 (CONFIG_TIMESTAMP if "times" in self.flags else 0)
        sample_type = SAMPLE_TYPE | (SAMPLE_CPU if "cpus" in self.flags else 0)
        attrs = b""
        for kind, conf, bits in ((PMU_TYPE, config, 0), (1, 9, 1 << 8 | 1 << 9 | 1 << 13 | 1 << 23)):
            # sample_id_all, exclude_kernel, exclude_hv
            bits |= 1 << 18 | 1 << 5 | 1 << 6
            attr = struct.pack("<IIQQQQQ", kind, ATTR_SZ, conf, 1, sample_type, 4, bits)
            attrs += attr + b"\0" * (ATTR_SZ - len(attr))
            attrs += struct.pack("<QQ", HEAD_SZ + 8 * (kind == 1), 8)
        arch = struct.pack("<I60s", 60, b"aarch64")
        index = struct.pack("<Q", len(entries)) + b"".join(struct.pack("<QQ", *e) for e in entries)
        end = base + len(self.data)
        features = struct.pack("<QQQQ", end + 32, len(arch), end + 32 + len(arch), len(index))
        head = struct.pack("<QQQQQQQQQ4Q", 0x32454c4946524550, HEAD_SZ, ATTR_SZ + 16, HEAD_SZ + 16,
                           2 * (ATTR_SZ + 16), base, len(self.data), 0, 0,
                           1 << FEATURE_ARCH | 1 << FEATURE_AUXTRACE, 0, 0, 0)
        with open(path, "wb") as f:
            f.write(head + struct.pack("<QQ", 1, 2) + attrs + self.data + features + arch + index)
