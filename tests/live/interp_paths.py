#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""interp_paths.py KIND PROFILE "CALLER=CALLEE,…;…": are the functions of spin.py or spin.rb in calls that the program can make?

The outermost function is named first. Prints the samples that are, those that are not (their stacks on stderr), and those
without any function of the program.
"""
import json
import sys


def main():
    kind, path, calls = sys.argv[1:]
    lines = [json.loads(line) for line in open(path, encoding="utf-8")]
    own = {r["function"] for r in lines
           if r.get("kind") == kind and "function" in r and r.get("module", "").split("/")[-1].startswith("spin.")}
    allowed = {}
    for call in calls.split(";"):
        caller, callees = call.strip().split("=")
        allowed.setdefault("", [caller])
        allowed[caller] = callees.split(",")
    sums = [0, 0, 0]
    for r in lines:
        if "stack" not in r:
            continue
        at = ""
        for name in (f for f in r["stack"] if f in own):
            # A function that each file has is named with its file: "<module> (spin.py)".
            short = name.split(" (spin.")[0]
            if short not in allowed.get(at, ()):
                sums[1] += r["samples"]
                print("bad:", r["stack"], file=sys.stderr)
                break
            at = short
        else:
            sums[0 if at else 2] += r["samples"]
    print(*sums)


if __name__ == "__main__":
    main()
