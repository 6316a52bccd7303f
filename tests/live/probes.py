# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""probes.py SAID TRACED: compares what a program says that it passed with the records of its probes: "N calls,
M values, K honest" where each value is the program's own, or says why it is none; else the first that differs."""
import json
import sys
from collections import defaultdict

HONEST = ("<optimized out>", "<in a floating-point register>", "<larger than 8 bytes>", "<not in memory>")


def calls(path):
    found = defaultdict(list)
    with open(path, encoding="utf-8") as f:
        for line in f:
            if line.startswith("{"):
                row = json.loads(line)
                name = row["event"]
                found[name].append({k: v for k, v in row.items() if k != "event"})
    return found


def records(path):
    found = defaultdict(list)
    with open(path, encoding="utf-8") as f:
        for line in f:
            row = json.loads(line)
            if "fields" in row:
                # u:args:FUNC, and @FILE:LINE of a copy
                name = row["event"].split(":", 2)[2].split("@")[0].split(".")[0]
                found[name].append(row["fields"])
    return found


def main():
    said, traced = calls(sys.argv[1]), records(sys.argv[2])
    values = honest = cnt = 0
    for name, rows in traced.items():
        want = said[name]
        if len(rows) != len(want):
            sys.exit(print(f"{name}: {len(rows)} records of {len(want)} calls"))
        for nr, (got, own) in enumerate(zip(rows, want)):
            cnt += 1
            for field, value in got.items():
                values += 1
                if value in HONEST:
                    honest += 1
                elif field in own and value != own[field]:
                    sys.exit(print(f"{name} {nr}: {field} is {own[field]!r}, not {value!r}"))
                elif field not in own:
                    sys.exit(print(f"{name}: the program does not tell {field}"))
    print(f"{cnt} calls, {values} values, {honest} honest")


if __name__ == "__main__":
    main()
