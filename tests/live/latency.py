#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Reads the JSON of bpfperf latency.

latency.py account FILE PAIR          starts and ends of the pair add up; prints matched
latency.py count FILE KEY=VALUE…      durations of the rows with these members or fields
latency.py beside FILE SAID KEY=VALUE…  the one row, beside what a workload said of itself
"""
import json
import sys


def rows_of(path, wanted):
    rows = []
    for line in open(path, encoding="utf-8"):
        row = json.loads(line)
        if "count" not in row:  # a duration, or an account
            continue
        has = {**row, **row["by"]}
        if all(str(has.get(k)) == v for k, v in (w.split("=", 1) for w in wanted)):
            rows.append(row)
    return rows


def account(path, pair):
    for line in open(path, encoding="utf-8"):
        row = json.loads(line)
        if "starts" not in row or row["pair"] != pair:
            continue
        counted = sum(r["count"] for r in rows_of(path, ["pair=" + pair]))
        fates = row["matched"] + row["repeated"] + row["no_end"] + row["no_room"]
        if row["starts"] != fates:
            return f"starts are not accounted for: {row}"
        if row["ends"] != row["matched"] + row["no_start"]:
            return f"ends are not accounted for: {row}"
        if counted + row["no_row"] != row["matched"]:
            return f"rows have {counted}: {row}"
        return str(row["matched"])
    return "no account of the pair"


def beside(path, said, wanted):
    rows = rows_of(path, wanted)
    if len(rows) != 1:
        return f"{len(rows)} rows"
    truth = dict(word.split("=", 1) for word in open(said, encoding="utf-8").read().split())
    if rows[0]["count"] != int(truth["count"]):
        return f"count {rows[0]['count']}, not {truth['count']}"
    # Between its own clock and a call the program may be preempted: the call is shorter by that, mostly a slice of 4 ms.
    # A quantile is shorter only if that happened to so many of the calls.
    preempted = int(truth["preempted"])
    for key, part in (("p50", 0.3), ("p90", 0.05), ("p99", 0), ("max", 0), ("total", 0)):
        have, want = rows[0][key], int(truth[key])
        less = preempted * 12000000 if preempted > part * int(truth["count"]) else 0
        if not -want * 0.02 - less <= have - want <= want * 0.02:
            return f"{key} is {have}, not {want}"
    return "equal"


def main():
    what, path = sys.argv[1:3]
    if what == "account":
        print(account(path, sys.argv[3]))
    elif what == "count":
        print(sum(r["count"] for r in rows_of(path, sys.argv[3:])))
    else:
        print(beside(path, sys.argv[3], sys.argv[4:]))


main()
