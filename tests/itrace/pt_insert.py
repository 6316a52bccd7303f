# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""pt_insert.py WHAT IN OUT: adds packets to the Intel PT of a recording of pt_make, behind packets that say where the
program is (TIP). What is printed: for each, its kind and the address.

tsx    transactions that begin, and are committed or aborted
flow   interrupts that have packets of their own (CFE, EVD), and triggers (TRIG), of processors newer than libipt
event  likewise, with triggers that say where they happened, and returns from interrupts
power  sleep (MWAIT, PWRE, EXSTOP, PWRX), and changes of the core:bus ratio
"""
import struct
import sys

PSB = b"\x02\x82" * 8
IP_SIZES = {0: 0, 1: 2, 2: 4, 3: 6, 4: 6, 6: 8}
EXTENDED = {0x23: 2, 0xa3: 8, 0x43: 8, 0xc8: 7, 0x03: 4, 0x73: 7, 0xf3: 2, 0x82: 16}


def size_of(p, at):
    """Bytes of the packet at an offset."""
    first = p[at]
    if first == 2:
        return EXTENDED[p[at + 1]]
    if not first & 1:
        return 1
    if first & 3 == 3:
        size = 1
        more = first & 4
        while more:
            more = p[at + size] & 1
            size += 1
        return size
    if first & 0x1f in (0x0d, 0x11, 0x01, 0x1d):
        return 1 + IP_SIZES[first >> 5]
    return {0x19: 8, 0x59: 2, 0x99: 2}[first]


def next_ip(p, at, last):
    """The address of a packet, by the one before it."""
    how = p[at] >> 5
    v = int.from_bytes(p[at + 1:at + 1 + IP_SIZES[how]], "little")
    if how in (3, 6):
        return v
    bits = {0: 0, 1: 16, 2: 32, 4: 48}[how]
    return last >> bits << bits | v


def tsx(ip, state):
    """Begin, commit, begin, abort and so on; an abort leads to where the program is anyway."""
    at = ip.to_bytes(6, "little")
    mode = (1, 0, 1, 2)[state % 4]
    print(("begin", "commit", "begin", "abort")[state % 4], f"{ip:x}")
    return bytes([0x99, 0x20 | mode, 0x7d]) + at + (bytes([0x6d]) + at if mode == 2 else b"")


def event(ip, state, kinds=("EVD", "CFE", "TRIG", "TRIG.IP", "IRET")):
    """An interrupt, with its data or without, that leads to where the program is anyway; a trigger, with an address
    and a count or without; a return from an interrupt that says where it is."""
    at = ip.to_bytes(6, "little")
    kind = kinds[state % len(kinds)]
    print(kind, f"{ip:x}")
    fup, tip = bytes([0x7d]) + at, bytes([0x6d]) + at
    return {
        "EVD": bytes([0x02, 0x53, 0x00]) + bytes(range(0xa0, 0xa8)) + bytes([0x02, 0x13, 0x81, 0x0e]) + fup + tip,
        "CFE": bytes([0x02, 0x13, 0x81, 0x20]) + fup + tip,
        "TRIG": bytes([0xd9, 0x01, 0x05]),
        "TRIG.IP": bytes([0xd9, 0xc1, 0x05, 0x19, 0x99]) + fup,
        "IRET": bytes([0x02, 0x13, 0x82, 0x00]) + fup,
    }[kind]


def power(ip, state):
    """Sleep, until something wakes the processor, and a ratio."""
    at = ip.to_bytes(6, "little")
    fup = bytes([0x7d]) + at
    kind = ("sleep", "cbr")[state % 2]
    print(kind, f"{ip:x}")
    return {
        "sleep": bytes([0x02, 0xc2, state & 0x7f, 0, 0, 0, state & 1, 0, 0, 0]) + bytes([0x02, 0x22, state << 6 & 0x80, 0x10 + state % 7])
        + bytes([0x02, 0xe2]) + fup + bytes([0x02, 0xa2, 0x60 | state & 7, 1 << state % 4, 0, 0, 0]),
        "cbr": bytes([0x02, 0x03, 20 + state // 4 % 13, 0]),
    }[kind]


def flow(ip, state):
    """Those that libipt can do without."""
    return event(ip, state, ("EVD", "CFE", "TRIG"))


def insert(p, make):
    """The packets with more of them; a multiple of 8 bytes each time, as records are."""
    out, at, ip, state, in_psb = bytearray(), 0, 0, 0, False
    while at < len(p):
        size = size_of(p, at)
        first = p[at]
        if p[at:at + 16] == PSB:
            ip, in_psb = 0, True
            # A PSB says that there is no transaction: it begins anew.
            state = (state + 3) // 4 * 4 if make is tsx else state
        elif first == 2 and p[at + 1] == 0x23:
            in_psb = False
        has_ip = first & 0x1f in (0x0d, 0x11, 0x01, 0x1d) and first & 1
        if has_ip:
            ip = next_ip(p, at, ip)
        out += p[at:at + size]
        at += size
        if not in_psb and first & 0x1f == 0x0d and has_ip:
            # A transaction needs room for its end before the next PSB.
            if make is not tsx or state % 4 or p.find(PSB, at, at + 600) < 0:
                more = make(ip, state)
                out += more + bytes(-len(more) % 8)
                state += 1
    return bytes(out)


def main():
    make = {"tsx": tsx, "flow": flow, "event": event, "power": power}[sys.argv[1]]
    with open(sys.argv[2], "rb") as f:
        data = f.read()
    at, sz = struct.unpack_from("<QQ", data, 40)
    if make is power:
        # The first event's bit pwr_evt, without which perf passes over such packets.
        data = bytearray(data)
        attr = struct.unpack_from("<Q", data, 24)[0]
        struct.pack_into("<Q", data, attr + 8, struct.unpack_from("<Q", data, attr + 8)[0] | 0x10)
    out, shift, end = bytearray(data[:at]), {}, at + sz
    while at < end:
        kind, _, size = struct.unpack_from("<IHH", data, at)
        record = bytearray(data[at:at + size])
        at += size
        if kind == 71:
            length, off, _, idx = struct.unpack_from("<QQQI", record, 8)
            packets = insert(data[at:at + length], make)
            at += length
            struct.pack_into("<QQ", record, 8, len(packets), off + shift.get(idx, 0))
            shift[idx] = shift.get(idx, 0) + len(packets) - length
            record += packets
        out += record
    struct.pack_into("<Q", out, 48, len(out) - struct.unpack_from("<Q", data, 40)[0])
    with open(sys.argv[3], "wb") as f:
        f.write(out)


main()
