# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""flame_text.py FILE: prints the profile in a page of --format flame as text: the members that are JSON, then a line
for each function, node, value, and value of a slice of time."""
import json
import re
import sys

LETTERS = {c: i for i, c in enumerate("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")}
KINDS = ("user", "kernel", "group")


def numbers(text):
    """An iterator over the numbers of a text: digits of base 32, the least first; bit 5: another one follows."""
    v = shift = 0
    for c in text:
        v |= (LETTERS[c] & 31) << shift
        shift += 5
        if not LETTERS[c] & 32:
            yield v
            v = shift = 0


def values_of(it, each):
    samples = next(it)
    return f"samples {samples} weight {samples * each if each else next(it)}"


def print_event(event, text, each):
    it, node = numbers(text), -1
    for distance in it:
        node += distance
        print(f"event {event} node {node} {values_of(it, each)}")


def print_times(event, text, each):
    """Equal values of slices in a row are one line."""
    it, node = numbers(text), -1
    for distance in it:
        node += distance
        at, runs = -1, []
        for _ in range(next(it)):
            at += next(it)
            what = values_of(it, each)
            if runs and runs[-1][1:] == [at - 1, what]:
                runs[-1][1] = at
            else:
                runs.append([at, at, what])
        for first, last, what in runs:
            print(f"event {event} node {node} slice {first} to {last} {what}")


def main():
    with open(sys.argv[1], encoding="utf-8") as f:
        page = json.loads(re.search(r'<script id="profile"[^>]*>(.*?)</script>', f.read(), re.S).group(1))
    for key, value in page.items():
        if key not in ("functions", "modules", "function_of", "nodes", "values", "times"):
            print(f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}")
    for i, (name, of) in enumerate(zip(page["functions"], numbers(page["function_of"]))):
        module = page["modules"][of // 3 - 1] if of // 3 else None
        print(f"function {i}: {json.dumps(name, ensure_ascii=False)} {KINDS[of % 3]} {json.dumps(module)}")
    it, level = numbers(page["nodes"]), 0
    for i, up in enumerate(it):
        level += 1 - up
        print(f"node {i}:{'  ' * level}{page['functions'][next(it)]}")
    for event, text in enumerate(page["values"]):
        print_event(event, text, page["each"][event])
    times = page.get("times", {"values": []})
    if times["values"]:
        print(f"times shift {times['shift']} first {times['first']} slices {times['slices']}")
    for event, text in enumerate(times["values"]):
        print_times(event, text, page["each"][event])


main()
