#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""unwind_stacks.py OURS.folded [THEIRS.txt [MIN]]: user stacks of a profile, by names of functions, beside what
`perf script -F ip,sym` printed of the same seconds. Prints ours= (samples), whole= (of these, those that reach
_start or clone), and with THEIRS theirs=, shared= (different stacks that both have), and of the stacks that one
never has though MIN (25) samples of it were to be expected by what the other has: ours_alone=, theirs_alone=;
those on stderr. Stacks of ours that are not whole are told apart: cut_alone= samples in such."""
import collections
import re
import sys

OUTERMOST = re.compile(r"^(_start|_*clone3?|thread_start|start_thread|.*clone3?)$")


def ours(path):
    stacks = collections.Counter()
    with open(path, encoding="utf-8", errors="replace") as f:
        for line in f:
            if not line.startswith("["):
                stack, count = line.rsplit(" ", 1)
                stacks[tuple(stack.split(";")[1:])] += int(count)
    return stacks


def theirs(path):
    stacks = collections.Counter()
    with open(path, encoding="utf-8", errors="replace") as f:
        for block in f.read().split("\n\n"):
            frames = [line.split(None, 1)[1] for line in block.splitlines() if len(line.split(None, 1)) > 1]
            if frames:
                stacks[tuple(reversed(frames))] += 1
    return stacks


def plain(stack):
    """Names without versions and offsets; where there is none, as perf says so. What a signal handler returns to perf
    names after the byte before it."""
    names = [re.sub(r"(@@?GLIBC.*|\+0x[0-9a-f]+)$", "", name) for name in stack]
    for i, callee in enumerate(names[1:]):
        if callee == "handler":
            names[i] = "[trampoline]"
    return tuple("[unknown]" if name.startswith("[") else name for name in names)


def alone(a, b, least):
    """Which of them has fewer samples, as its recorder had to wait for a CPU, decides what to expect."""
    share = min(1, sum(b.values()) / max(1, sum(a.values())))
    return [(stack, n) for stack, n in a.most_common() if n * share >= least and stack not in b]


def head(stack):
    """The outermost frames of a plain stack, up to the first that has a name."""
    named = next((i for i, name in enumerate(stack) if name != "[unknown]"), len(stack))
    return stack[:named + 1]


def is_whole(stack, heads=()):
    """True if the outermost frame is that of a process or a thread. Without its debug file the C library's clone3()
    has no name: then the frames up to the first with a name are those that perf, which walks by the same rules, has."""
    if not stack:
        return False
    if re.match(r"\[libc\.so\.6[+\]]", stack[0]):
        return head(plain(stack)) in heads
    return bool(OUTERMOST.match(plain(stack[:1])[0]))


def ends_whole(stack, heads):
    """is_whole() of a stack that is plain already."""
    return is_whole(stack) or (stack[:1] == ("[unknown]",) and head(stack) in heads)


def main():
    mine = ours(sys.argv[1])
    other = theirs(sys.argv[2]) if len(sys.argv) > 2 else collections.Counter()
    heads = {head(plain(stack)) for stack in other}
    whole = sum(n for stack, n in mine.items() if is_whole(stack, heads))
    print(f"ours={sum(mine.values())} whole={whole}", end="")
    if len(sys.argv) > 2:
        least = int(sys.argv[3]) if len(sys.argv) > 3 else 25
        a, b = collections.Counter(), collections.Counter()
        for src, to in ((mine, a), (other, b)):
            for stack, n in src.items():
                to[plain(stack)] += n
        only_a, only_b = alone(a, b, least), alone(b, a, least)
        cut = [n for stack, n in only_a if not ends_whole(stack, heads)]
        only_a = [(stack, n) for stack, n in only_a if ends_whole(stack, heads)]
        print(f" theirs={sum(b.values())} shared={len(set(a) & set(b))} ours_alone={len(only_a)}"
              f" theirs_alone={len(only_b)} cut_alone={sum(cut)}", end="")
        for side, only in (("ours", only_a), ("theirs", only_b)):
            for stack, n in only[:3]:
                print(f"{side} alone, {n} times: {';'.join(stack)}", file=sys.stderr)
    print()


main()
