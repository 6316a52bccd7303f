#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""one_name.py TEXT LIBRARY…: a text of `script`, with one name for each function of the libraries that has several.

Without a debug file perf asks bfd for what was inlined. bfd answers with any of the names that an address has in
.dynsym (__libc_free, cfree), and perf takes a name other than its own for that of an inlined function, which it prints
without the file. Lines of such functions have the first of the names here, and neither file nor "(inlined)".
"""
import re
import subprocess
import sys

LINE = re.compile(r"^(\s*[0-9a-f]+ )([^\s+@(]+)(?:@[^\s+(]*)?(\+0x[0-9a-f]+)?(?: \(.*\))?$")


def first_names(libraries):
    first = {}
    for lib in libraries:
        names = {}
        nm = subprocess.run(["nm", "-D", "--defined-only", lib], capture_output=True, text=True, check=True)
        for line in nm.stdout.splitlines():
            addr, kind, name = line.split(None, 2)
            if kind in "TtWwi":
                names.setdefault(addr, set()).add(name.split("@")[0])
        for several in names.values():
            if len(several) > 1:
                first.update((name, min(several)) for name in several)
    return first


def main():
    first = first_names(sys.argv[2:])
    with open(sys.argv[1], encoding="utf-8", errors="surrogateescape") as f:
        lines = f.read().split("\n")
    for i, line in enumerate(lines):
        m = LINE.match(line)
        if m and m.group(2) in first:
            lines[i] = m.group(1) + first[m.group(2)] + (m.group(3) or "")
    sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape")
    sys.stdout.write("\n".join(lines))


main()
