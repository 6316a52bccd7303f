#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""attrs.py FILE DIR: writes the events that pmu.c saw (FILE) as the files event-* in DIR that perf's attr.py compares.

bpfperf gives process records an event and a ring of their own, so that a burst of samples cannot displace them; perf
lets its first event report them. Files show an event as perf lays it out:

- The event of process records is folded into the first event, which takes its mmap, comm, task and mmap_data.
- IDENTIFIER, by which the events are told apart, is no field of the only event, and ID in each of several.
- A watermark of bytes, a quarter of the ring, stands for the kernel's default of a half.
"""
import sys

SAMPLE_ID, SAMPLE_IDENTIFIER = 1 << 6, 1 << 16
TRACKING = "mmap", "comm", "task", "mmap_data", "mmap2", "comm_exec", "namespaces", "context_switch"


def read_events(path):
    try:
        with open(path, encoding="ascii") as f:
            return [dict(word.split("=") for word in line.split()) for line in f]
    except FileNotFoundError:
        return []


def is_tracking(ev):
    return (ev["type"], ev["config"], ev["mmap"], ev["comm"]) == ("1", "9", "1", "1")


def as_perf_does(events):
    tracking = [ev for ev in events if is_tracking(ev)]
    rest = [ev for ev in events if not is_tracking(ev)]
    if not tracking:
        return events
    kinds = {(ev["type"], ev["config"], ev["sample_period"], ev["group_fd"] != "-1") for ev in rest}
    for ev in rest:
        sample_type = int(ev["sample_type"])
        assert sample_type & SAMPLE_IDENTIFIER, "an event of record without IDENTIFIER"
        sample_type &= ~SAMPLE_IDENTIFIER
        ev["sample_type"] = str(sample_type | (SAMPLE_ID if len(kinds) > 1 else 0))
        if ev["wakeup_events"] != "0" and ev["watermark"] == "1":
            ev.update(watermark="0", wakeup_events="0")
    first = rest[0]
    for ev in rest:
        if (ev["type"], ev["config"], ev["group_fd"]) == (first["type"], first["config"], first["group_fd"]):
            ev.update((bit, tracking[0][bit]) for bit in TRACKING)
    return rest


def main():
    for ev in as_perf_does(read_events(sys.argv[1])):
        name = f"event-{ev['type']}-{ev['config']}-{ev['fd']}"
        with open(f"{sys.argv[2]}/{name}", "w", encoding="ascii") as f:
            print(f"[{name}]", *(f"{key}={value}" for key, value in ev.items()), sep="\n", file=f)


if __name__ == "__main__":
    main()
