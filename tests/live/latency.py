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
    # An interrupt or another task may come between the program's clock and the call: that call is shorter than the
    # program took it to be. The workload has the quantiles without these calls, too. A slice of another task is 4 ms in most cases.
    for key in ("p50", "p90", "p99", "max", "total"):
        have, most = rows[0][key], int(truth[key])
        least = int(truth[key + "_low"]) if key != "total" else most - int(truth["preempted"]) * 12000000
        if not least - most * 0.02 <= have <= most * 1.02:
            return f"{key} is {have}, not {least} to {most}"
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
