#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""unwind_py.py [SEC]: burns SEC seconds (decimal, 1) of CPU time in the interpreter: calls of functions
of Python by functions of C (sorted, map, re.sub) and back."""
import json
import os
import re
import sys
import time


def leaf(n):
    return leaf(n - 1) + 1 if n else sum(sorted([3, 1, 2], key=lambda x: -x))


def work(seed):
    total = sum(map(leaf, [seed % 11] * 7))
    text = re.sub(r"[0-9]+", lambda m: str(leaf(len(m.group()) % 5)), f"a{seed}b{seed * 7}c")
    return total + len(json.loads(json.dumps({"text": text, "list": list(range(seed % 31))})))


def main():
    end = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    rounds = total = 0
    while time.thread_time() < end:
        total += work(rounds)
        rounds += 1
    print(f"pid={os.getpid()} rounds={rounds} total={total}", flush=True)


main()
