#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""running_union.py SWITCHES.csv COMM: how long one thread or more of the name COMM ran, from sched:sched_switch.

Prints the milliseconds of the time before the second thread ran, of the time from then on, and the share of the
first in thousandths. A task ran on a CPU from the switch before that from it: some kernels trace no switch from some
tasks, so that the switch to a task may be missing.
"""
import csv
import sys


def runs(path, comm):
    """Returns the beginnings and ends of the time that threads ran, and when the second of them first did."""
    edges, last, first, second = [], {}, None, None
    with open(path, newline="", encoding="utf-8") as f:
        for row in csv.DictReader(f):
            now, cpu, tid = int(row["time"]), row["cpu"], row["prev_pid"]
            if row["prev_comm"] == comm and cpu in last:
                edges += [(last[cpu], 1), (now, -1)]
                first = first or tid
                if tid != first:
                    second = min(second or now, last[cpu])
            last[cpu] = now
    return sorted(edges), second or float("inf")


def main():
    edges, second = runs(sys.argv[1], sys.argv[2])
    serial = parallel = running = 0
    since = None
    for now, change in edges:
        if running:
            serial += max(0, min(now, second) - since)
            parallel += max(0, now - max(since, second))
        running += change
        since = now
    print(f"serial_ms={serial // 1000000} parallel_ms={parallel // 1000000} "
          f"serial_share={serial * 1000 // max(serial + parallel, 1)}")


main()
