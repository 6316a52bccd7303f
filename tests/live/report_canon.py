#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""report_canon.py [--user] <REPORT: what `report --stdio` prints, with what has the same share in one order.

Which of two lines of the same share stands first is decided by where perf's memory lies, so
neither is right or wrong: entries of the same percentage, and branches of one caller of the same
percentage, are sorted by their text here. The kernel has several names for some addresses: all
are the first of them here. All else stays as it is.
"""
import re
import sys

ENTRY = re.compile(r"^ +[\d.]+%")
BRANCH = re.compile(r"^([| ]*)--([\d.]+)%--(.*)$")


def aliases():
    """Other names of a kernel address → the first that kallsyms has."""
    first, other = {}, {}
    with open("/proc/kallsyms", encoding="ascii") as f:
        for line in f:
            addr, _, name = line.split()[:3]
            if first.setdefault(addr, name) != name:
                other[name] = first[addr]
    return other


def share(line):
    return re.search(r"[\d.]+", line).group()


def parse_chain(lines):
    """Lines below an entry → [stem, [branches]], a branch being [percent, names, branches]."""
    root = [None, [], []]
    # Open branches with the column they were drawn at.
    path = [(-1, root)]
    for line in lines:
        m = BRANCH.match(line)
        if m and not m.group(3).startswith("-"):
            col = len(m.group(1))
            while path[-1][0] >= col:
                path.pop()
            node = [m.group(2), [m.group(3)], []]
            path[-1][1][2].append(node)
            path.append((col, node))
        elif line.strip("| "):
            path[-1][1][1].append(line.strip("| "))
    return root


def order(node):
    for child in node[2]:
        order(child)
    # Shares are printed in order: only those of the same are put into another.
    out, group = [], []
    for child in node[2] + [None]:
        if group and (child is None or child[0] != group[0][0]):
            out += sorted(group)
            group = []
        group.append(child)
    node[2] = out


def show(node, depth, to):
    to.append("  " * depth + (node[0] + "% " if node[0] else "") + " / ".join(node[1]))
    for child in node[2]:
        show(child, depth + 1, to)


def entry_text(head, chain):
    root = parse_chain(chain)
    order(root)
    to = []
    show(root, 1, to)
    return "\n".join([head, *[line for line in to if line.strip()]])


def main():
    entries, head, chain = [], None, []
    # A report without the kernel (--user) needs no names of it.
    other = {} if "--user" in sys.argv[1:] else aliases()

    def plain(line):
        m = re.match(r"^(.*?)([\w.]+)( *)$", line)
        if m and m.group(2) in other and not line.startswith("#"):
            return m.group(1) + other[m.group(2)] + m.group(3)
        return line

    def end_entry():
        if head is not None:
            entries.append((share(head), entry_text(head, chain)))

    def end_group():
        out, group = [], []
        for e in [*entries, None]:
            if group and (e is None or e[0] != group[0][0]):
                out += sorted(group)
                group = []
            group.append(e)
        for e in out:
            print(e[1])
        entries.clear()

    for line in map(plain, sys.stdin.read().split("\n")):
        if ENTRY.match(line):
            end_entry()
            head, chain = line, []
        elif line.startswith("#"):
            end_entry()
            end_group()
            head = None
            print(line)
        elif head is not None:
            chain.append(line)
    end_entry()
    end_group()


if __name__ == "__main__":
    main()
