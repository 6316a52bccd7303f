#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""attr_changes.py PLAIN WITH: two outputs of `perf evlist -v`. Prints how an option has changed the events' attrs, one
change a line, sorted: "+sample_type RAW", "+inherit_stat 1". Sizes and rates are left out. All events count as one:
perf has the records of processes from an event of the command line, bpfperf from a dummy."""
import re
import sys

LEFT_OUT = {"size", "{ wakeup_events, wakeup_watermark }", "{ sample_period, sample_freq }"}


def parse(path):
    found = set()
    for line in open(path, encoding="utf-8"):
        for key, value in re.findall(r"(\{[^}]*\}|\w+): ([^,]*)", line.strip().partition(": ")[2]):
            if key not in LEFT_OUT:
                found |= {f"{key} {part}" for part in (value.split("|") if "|" in value else [value])}
    return found


plain, other = parse(sys.argv[1]), parse(sys.argv[2])
changes = {f"+{c}" for c in other - plain} | {f"-{c}" for c in plain - other}
print("\n".join(sorted(changes)))
