#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Stacks that perf ended early. libdw's unwinder (elfutils 0.188) does not know the value of a register before a frame
has saved it, and ends without an error where the next rule asks for one, or reads an address from anywhere: in
rt_sigreturn, in the dynamic linker's start and resolver, at the start of functions of the C library. And it takes
clone(2) for a thread's outermost frame in the thread that called it, too: the C library marks the return address as
undefined for both.

    ended_early.py PERF OURS

Both are texts of `script`, a paragraph for each sample. Perf ended early where its paragraph has at most one line that
ours has not, ours goes on, and either ours reaches the program's first function, or perf's last line is an address
whose lower half is ones, or clone; or where perf's last line is an address of the stack, which is no code, and ours is
(with --max-stack both may have the same number of lines). In the dynamic linker's start perf leaves out callers, too.
Both are cut to the lines that they share, in place. Prints how many that were, and of how many.
"""
import re
import sys

ONES = re.compile(r"[0-9a-f]*f{8} \[unknown\] \(\[unknown\]\)")
STACK = re.compile(r"[0-9a-f]+ \[unknown\] \(\[stack\]\)")
CLONE = re.compile(r"[0-9a-f]+ (\w*clone\w*(\+0x[0-9a-f]+)?|\[unknown\]) \(.*/libc[.-].*\)")
FIRST = re.compile(r"[0-9a-f]+ (_start|_dl_start_user)(\+0x[0-9a-f]+)? \(.*\)")


def shared(perf, ours):
    """The lines that both have, or None where perf did not end early."""
    same = 0
    while same < min(len(perf), len(ours)) and perf[same] == ours[same]:
        same += 1
    beyond = perf[same:]
    if same >= 2 and len(beyond) == 1 and STACK.fullmatch(beyond[0].strip()) and len(ours) > same:
        return None if STACK.fullmatch(ours[same].strip()) else perf[:same]
    is_first = FIRST.fullmatch(ours[-1].strip())
    in_loader = is_first and "/ld-linux" in ours[-1]
    if same < 2 or len(ours) <= len(perf) or (len(beyond) > 1 and not in_loader):
        return None
    if is_first or (beyond and ONES.fullmatch(beyond[0].strip())):
        return perf[:same]
    return perf if not beyond and CLONE.fullmatch(perf[-1].strip()) else None


def main():
    texts = []
    for name in sys.argv[1:3]:
        with open(name, encoding="utf-8", errors="surrogateescape") as text:
            texts.append([p.split("\n") for p in text.read().rstrip("\n").split("\n\n")])
    early = 0
    if len(texts[0]) == len(texts[1]):
        for i, (perf, ours) in enumerate(zip(*texts)):
            both = shared(perf, ours)
            if both:
                texts[0][i] = texts[1][i] = both
                early += 1
    for name, text in zip(sys.argv[1:3], texts):
        whole = "\n\n".join("\n".join(p) for p in text)
        with open(name, "w", encoding="utf-8", errors="surrogateescape") as out:
            out.write(whole + "\n" if whole else "")
    print(early, len(texts[0]))


if __name__ == "__main__":
    main()
