#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Stacks that perf ended early. libdw's unwinder gives up where a sample hit within rt_sigreturn, when half
the registers are already those of the interrupted code, and perf prints an address whose lower half, or all of
it, is ones for the rest. And it takes clone(2) for a thread's outermost frame in the thread that called it, too: the
C library marks the return address as undefined for both.

    ended_early.py PERF OURS

Both are texts of `script`, a paragraph for each sample. Where perf's paragraph ends so and ours has the same
frames before it and more, both are cut to what they share, in place. Prints how many that were, and of how many.
"""
import re
import sys

ONES = re.compile(r"[0-9a-f]*f{8} \[unknown\] \(\[unknown\]\)")
CLONE = re.compile(r"[0-9a-f]+ (\w*clone\w*(\+0x[0-9a-f]+)?|\[unknown\]) \(.*/libc[.-].*\)")


def shared(perf, ours):
    """The lines that both have, or None where perf did not end early."""
    if len(perf) < 3:
        return None
    if CLONE.fullmatch(perf[-1].strip()):
        head = perf
    elif ONES.fullmatch(perf[-1].strip()):
        head = perf[:-1]
    else:
        return None
    return head if len(ours) > len(perf) and ours[: len(head)] == head else None


def main():
    texts = [[p.split("\n") for p in open(name).read().split("\n\n")] for name in sys.argv[1:3]]
    early = 0
    if len(texts[0]) == len(texts[1]):
        for i, (perf, ours) in enumerate(zip(*texts)):
            both = shared(perf, ours)
            if both:
                texts[0][i] = texts[1][i] = both
                early += 1
    for name, text in zip(sys.argv[1:3], texts):
        with open(name, "w") as out:
            out.write("\n\n".join("\n".join(p) for p in text))
    print(early, len(texts[0]))


if __name__ == "__main__":
    main()
