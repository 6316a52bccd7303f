#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""agg_check.py AGG.json RECORDS.json KEY VALUE PID…

What was counted in the kernel against the records of the same events: for each
PID as value of KEY the count, the sum and the histogram of VALUE. The aggregate
is of "--by KEY --sum VALUE --hist VALUE". KEY is a field, or tid. Prints
"same=N" with the number of keys, exit 1 and the differences where there are any.
"""
import collections
import json
import sys


def bucket(v):
    return None if v < 0 else 0 if v == 0 else 1 << (v.bit_length() - 1)


def main():
    agg_path, rec_path, key, value = sys.argv[1:5]
    wanted = set(sys.argv[5:])
    want = collections.defaultdict(lambda: [0, 0, collections.Counter()])
    with open(rec_path, encoding="utf-8", errors="replace") as f:
        for line in f:
            rec = json.loads(line)
            if "event" not in rec:
                continue
            k = str(rec["tid"] if key == "tid" else rec["fields"][key])
            if k in wanted:
                cell, v = want[k], rec["fields"][value]
                cell[0] += 1
                cell[1] += v
                cell[2][bucket(v)] += 1
    got = {}
    with open(agg_path, encoding="utf-8", errors="replace") as f:
        for line in f:
            row = json.loads(line)
            k = str(row["by"][key])
            if k in wanted:
                hist = collections.Counter({b["from"]: b["count"] for b in row["hist"]})
                assert sum(hist.values()) == row["count"], "the histogram adds up"
                got[k] = [row["count"], row["sum"], hist]
    bad = [f"{k}: kernel {got.get(k)}, records {want.get(k)}" for k in sorted(wanted)
           if got.get(k) != want.get(k)]
    print("\n".join(bad) if bad else f"same={sum(1 for k in wanted if k in got)}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
