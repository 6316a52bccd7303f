#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""interp_check.py KIND TRUTH TRACE: compares the stacks of python_stops.py or ruby_stops.rb with those of `trace -g --format json`.

Prints "stops N equal N", and the first stacks that differ on stderr.
"""
import json
import sys

NAME_MAX, PATH_MAX = 256, 512
KIND = sys.argv[1]


def cut(text, sz):
    """A text as it is read from the interpreter: cut, with U+FFFD for what is no character."""
    if KIND == "ruby":
        return text.encode()[:sz].decode() + ("..." if len(text.encode()) > sz else "")
    width = 1 if all(ord(c) < 256 for c in text) else 2 if all(ord(c) < 65536 for c in text) else 4
    head = text[:sz // width]
    head = "".join("\ufffd" if 0xd800 <= ord(c) < 0xe000 else c for c in head)
    return head + ("..." if len(text) * width > sz else "")


def expected(stack):
    return [[cut(name, NAME_MAX), cut(path, PATH_MAX), line] for name, path, line in stack]


def seen(record):
    return [[f.get("name", "?"), f["module"], f.get("line", 0)] for f in record["stack"] or [] if f.get("kind") == KIND]


def main():
    truth, traced = {}, {}
    for line in open(sys.argv[2], encoding="utf-8"):
        tid, stack = json.loads(line)
        truth.setdefault(tid, []).append(expected(stack))
    for line in open(sys.argv[3], encoding="utf-8"):
        record = json.loads(line)
        if record.get("event") == "syscalls:sys_enter_getppid":
            traced.setdefault(record["tid"], []).append(seen(record))
    stops = sum(map(len, truth.values()))
    equal, told = 0, 0
    for tid, stacks in truth.items():
        got = traced.get(tid, [])
        for i, stack in enumerate(stacks):
            if i < len(got) and got[i] == stack:
                equal += 1
            elif told < 3:
                told += 1
                print(f"stop {i} of thread {tid}:\n  is   {got[i] if i < len(got) else None}\n  want {stack}", file=sys.stderr)
    # No stop that nothing is known of.
    other = sum(len(got) for got in traced.values()) - stops
    print(f"stops {stops} equal {equal} other {other}")


if __name__ == "__main__":
    main()
