#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""strace_diff STRACE BPFPERF: compares two traces of one program, as written by -f -o.

Addresses, ids, times and the like are masked; calls that strace prints in two parts are joined, and
the lines are compared process by process. Prints the lines that differ, as a diff, and at the end the
numbers of lines, of those that differ, and of the calls that are equal.
"""
import difflib
import re
import sys

MASKS = [
    # A tick or more of CPU time has a comment.
    (re.compile(r"(si_[us]time=\d+) /\* [\d.]+ s \*/"), r"\1"),
    (re.compile(r"0x[0-9a-f]{6,}"), "ADDR"),
    (re.compile(r"\b(tv_u?n?sec|[acmb]time|f_b\w+|f_f\w+|si_utime|si_stime|uptime|freeram|bufferram|sharedram|procs"
                r"|sin6?_port|ru_\w+|st_ino|left|stx_ino|st_blocks|stx_blocks)=(\{tv_sec=)?-?(htons\()?\d+"), r"\1=N"),
    (re.compile(r"loads=\[[^]]*\]"), "loads=[]"),
    (re.compile(r"^(times\(.*\) += )\d+"), r"\1N"),
    (re.compile(r'"(\\x[0-9a-f]{2})+"'), '"RANDOM"'),
]
RESTARTED = re.compile(r"wait\w*\(.*\) += \? ERESTARTSYS ")


def read(path):
    """Processes in order of appearance, each a list of lines without the process's id; and the ids' names."""
    procs, waiting, ids = {}, {}, {}
    with open(path, encoding="utf-8", errors="replace") as f:
        for line in f:
            m = re.match(r"(\d+)\s+(.*)$", line.rstrip("\n"))
            if not m:
                continue
            pid, text = m.groups()
            ids.setdefault(pid, f"P{len(ids)}")
            lines = procs.setdefault(pid, [])
            m = re.match(r"(.*?) ?<unfinished \.\.\.>( <.*>)?$", text)
            if m:
                waiting[pid] = m.group(1)
                if text.endswith(") = ?"):
                    lines.append(text)
                continue
            m = re.match(r"<\.\.\. \w+ resumed>(.*)$", text)
            if m:
                text = waiting.pop(pid, "") + m.group(1)
            lines.append(text)
    for pid, text in waiting.items():
        procs[pid].append(text + " <unfinished ...>")
    return [signal_last(lines) for lines in procs.values()], ids


def signal_last(lines):
    """A child that ends before its parent waits is told by SIGCHLD first, and one that ends later by the call:
    which of them it is differs from run to run. The signal is put behind the call that takes the child. A call that
    waits returns without a child, and is made again, where the kernel has work for the process meanwhile, such as the end of an
    io_uring: there is one call."""
    out = list(lines)
    for i in range(len(out) - 2, -1, -1):
        again = next((line for line in out[i + 1:] if not line.startswith("--- SIGCHLD ")), "")
        if RESTARTED.match(out[i]) and re.match(r"wait\w*\(", again):
            del out[i]
    for i in range(len(out) - 1):
        child = re.match(r"--- SIGCHLD \{.*\bsi_pid=(\d+),", out[i])
        if child and re.match(rf"wait\w*\(.*\) += {child.group(1)}$", out[i + 1]):
            out[i], out[i + 1] = out[i + 1], out[i]
    return out


def mask(lines, ids):
    out = []
    pids = sorted(ids, key=len, reverse=True)
    any_pid = re.compile(r"(?<![\w.])(" + "|".join(pids) + r")(?!\w)") if pids else None
    for line in lines:
        if any_pid:
            line = any_pid.sub(lambda m: ids[m.group(1)], line)
        for pattern, text in MASKS:
            line = pattern.sub(text, line)
        out.append(re.sub(r"\)\s+=", ") =", line))
    return out


def main():
    (a, a_ids), (b, b_ids) = read(sys.argv[1]), read(sys.argv[2])
    # An id of one trace may be a size in both.
    a, b = [mask(lines, {**b_ids, **a_ids}) for lines in a], [mask(lines, {**a_ids, **b_ids}) for lines in b]
    total = differ = 0
    equal = set()
    for i in range(max(len(a), len(b))):
        left = a[i] if i < len(a) else []
        right = b[i] if i < len(b) else []
        total += len(left)
        for line in difflib.unified_diff(left, right, "strace", "bpfperf", n=0, lineterm=""):
            if line.startswith(("---  ", "+++  ", "--- strace", "+++ bpfperf", "@@")):
                continue
            print(line)
            differ += line[0] == "-"
        for tag, i1, i2, _, _ in difflib.SequenceMatcher(None, left, right, False).get_opcodes():
            if tag == "equal":
                equal.update(re.match(r"\w*", x).group(0) for x in left[i1:i2])
    print(f"lines={total} differ={differ} calls={len(equal - {''})}")
    if "--calls" in sys.argv:
        print(" ".join(sorted(equal - {""})))
    return 0


if __name__ == "__main__":
    sys.exit(main())
