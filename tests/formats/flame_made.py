# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""flame_made.py: prints a page of bpfperf with a profile that has times, made here: 16 slices of 2^26 ns (1.07 s in all).

Slices 0 to 5 have 7 samples each in main → early, 8 to 15 have 3 each in main → late → deep, and every one has
2 in other → busy: 98 samples of cpu-clock, 1 ms each."""
import json

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def letters(numbers):
    text = ""
    for v in numbers:
        while v >= 32:
            text += LETTERS[v % 32 + 32]
            v //= 32
        text += LETTERS[v]
    return text


def slices(distance, samples, which):
    at, out = -1, [distance, len(which)]
    for s in which:
        out += [s - at, samples]
        at = s
    return out


FUNCTIONS = [("app", 2), ("main", 3), ("early", 3), ("late", 3), ("deep", 4), ("other", 3), ("busy", 3)]
# Levels up from below the node before; the function.
NODES = [0, 0, 0, 1, 0, 2, 1, 3, 0, 4, 3, 5, 0, 6]
page = {
    "profile": 1, "by": "bpfperf", "freq": 99, "duration_ns": 1073741824, "command": "./app",
    "events": [{"name": "cpu-clock", "unit": "ns", "kind": "on-cpu", "old": False}],
    "functions": [name for name, _ in FUNCTIONS], "modules": ["/opt/app"],
    "function_of": letters(of for _, of in FUNCTIONS), "nodes": letters(NODES), "each": [1000000],
    "values": [letters([3, 42, 2, 24, 2, 32])],
    "times": {"shift": 26, "first": 1000, "slices": 16, "values": [letters(
        slices(3, 7, range(6)) + slices(2, 3, range(8, 16)) + slices(2, 2, range(16)))]},
}
print('<html><script id="profile" type="application/json">' + json.dumps(page) + "</script></html>")
