#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Are bpfperf's output files what their formats say?

schema SCHEMA FILE      every line is valid by the JSON Schema, the first has the start, of counts none
csv FILE                every row has the header's columns and typed ones where they are known
csv-json CSV JSON TID…  two files of the same moment have the same records of these threads
perfetto FILE           strict JSON; slices do not overlap and are in order on each track
perfetto-runs FILE [TID]  prints the microseconds that each name (of that thread) has run
start FILE              prints the start in ns by the realtime clock, whatever the format

Exit 1 with what is wrong.
"""
import collections
import csv
import json
import re
import sys


def no_constant(name):
    raise ValueError(f"{name} is no JSON")


def unique(pairs):
    keys = [k for k, _ in pairs]
    if len(set(keys)) != len(keys):
        raise ValueError(f"a key stands twice in {keys}")
    return dict(pairs)


def strict(text):
    return json.loads(text, parse_constant=no_constant, object_pairs_hook=unique)


def lines_of(path):
    with open(path, encoding="utf-8", newline="") as f:
        return [strict(line) for line in f]


def check_schema(schema_path, path):
    import jsonschema
    with open(schema_path, encoding="utf-8") as f:
        schema = json.load(f)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    bad = seen = 0
    for number, obj in enumerate(lines_of(path), 1):
        # A schema that forbids what it does not know checks 1,000 lines a second: not all.
        if number > 500 and number % 97 and "event" in obj:
            continue
        seen += 1
        for err in validator.iter_errors(obj):
            bad += 1
            if bad < 5:
                print(f"line {number}: {err.message[:300]}")
        if (number == 1 and "time" in obj) != ("start" in obj):
            bad += 1
            print(f"line {number}: start belongs to the first line alone")
    return bad or not seen


NUMBERS = ("time", "real", "cpu", "pid", "tid", "prev_pid", "next_pid", "prev_prio", "ret", "id")


def csv_rows(path):
    with open(path, encoding="utf-8", newline="") as f:
        rows = list(csv.reader(f, strict=True))
    return rows[0], rows[1:]


def check_csv(path):
    header, rows = csv_rows(path)
    bad = 0
    if len(set(header)) != len(header):
        bad += 1
        print(f"columns of the same name: {header}")
    for number, row in enumerate(rows, 2):
        if len(row) != len(header):
            bad += 1
            print(f"row {number} has {len(row)} cells, the header {len(header)}: {row}")
            continue
        r = dict(zip(header, row))
        wrong = [k for k in NUMBERS if r.get(k) and not re.fullmatch(r"-?\d+", r[k])]
        if bool(r["event"] and not r["lost"]) == bool(r["lost"]) or wrong or not r["time"]:
            bad += 1
            print(f"row {number}: {wrong} {r}")
        if bad > 5:
            break
    return bad or not rows


def cell(value):
    """A JSON value as it stands in a cell of CSV."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return json.dumps(value, separators=(",", ":"))
    if isinstance(value, str):
        return re.sub(r"[\x00-\x1f\x7f]", lambda m: {"\n": r"\n", "\t": r"\t"}.get(
            m[0], f"\\x{ord(m[0]):02x}"), value)
    return str(value)


OWN = ("time", "real", "cpu", "pid", "tid", "comm", "event", "lost", "cause", "syscall", "error")


def flat(obj):
    """What a row must hold of a JSON record; the time is the kernel's and differs."""
    row = {k: cell(obj.get(k)) for k in ("cpu", "pid", "tid", "comm", "event", "syscall", "error")}
    for key, value in obj["fields"].items():
        row["field_" + key if key in OWN else key] = cell(value)
    return {k: v for k, v in row.items() if v != ""}


def at_any_moment(rec):
    """Between the programs of two recordings a thread that has ended may become known to its parent: Z, then X."""
    if rec.get("event") == "sched:sched_switch" and rec.get("prev_state") in ("16", "32"):
        rec["prev_state"] = "16 or 32"
    return rec


def check_csv_json(csv_path, json_path, tids):
    header, rows = csv_rows(csv_path)
    tids = set(tids)
    one, two = collections.defaultdict(list), collections.defaultdict(list)
    for row in rows:
        r = {k: v for k, v in zip(header, row) if v != "" and k not in ("time", "real")}
        if r.get("tid") in tids:
            one[r["tid"], r["event"]].append(at_any_moment(r))
    for obj in lines_of(json_path):
        if "event" in obj and str(obj["tid"]) in tids:
            two[str(obj["tid"]), obj["event"]].append(at_any_moment(flat(obj)))
    bad = 0
    for tid in one.keys() | two.keys():
        for a, b in zip(one[tid], two[tid]):
            if a != b and bad < 5:
                print(f"thread {tid}:\n  {a}\n  {b}")
            bad += a != b
        if len(one[tid]) != len(two[tid]):
            bad += 1
            print(f"thread {tid}: {len(one[tid])} rows, {len(two[tid])} objects")
    print(f"{sum(map(len, one.values()))} records compared", file=sys.stderr)
    return bad or not any(one.values())


def trace_of(path):
    with open(path, encoding="utf-8") as f:
        return strict(f.read())


def check_perfetto(path):
    trace = trace_of(path)
    bad = []
    last, depth, named, began = {}, collections.Counter(), set(), {}
    kinds = collections.Counter()
    for e in trace["traceEvents"]:
        kinds[e["ph"]] += 1
        track = (e["pid"], e["tid"])
        if e["ph"] == "M":
            named.add(track)
            if not isinstance(e["args"], dict) or "ts" in e:
                bad.append(f"metadata: {e}")
            continue
        if e["ph"] == "X":
            if e["ts"] < last.get(track, 0) - 0.0005 or e["dur"] < 0:
                bad.append(f"begins before the slice before it ended: {e}")
            last[track] = e["ts"] + e["dur"]
        elif e["ph"] in "BE":
            if e["ts"] < last.get(track, 0):
                bad.append(f"goes back on its track: {e}")
            last[track] = e["ts"]
            depth[track] += 1 if e["ph"] == "B" else -1
            if e["ph"] == "E" and e["name"] != began.get(track):
                bad.append(f"ends another slice than {began.get(track)}: {e}")
            began[track] = e["name"]
            if depth[track] not in (0, 1):
                bad.append(f"{depth[track]} slices open: {e}")
        elif e["ph"] == "i":
            if e["s"] not in "tpg":
                bad.append(f"scope: {e}")
        else:
            bad.append(f"unknown ph: {e}")
        if e["ph"] in "BXi" and not (e["name"] and e["cat"]):
            bad.append(f"no name: {e}")
        if track not in named:
            bad.append(f"a track without a name: {e}")
            named.add(track)
    bad += [f"a slice on {t} is not closed" for t, d in depth.items() if d]
    if any(not re.fullmatch(r"\d+", trace["otherData"][k])
           for k in ("start_mono_ns", "start_real_ns", "start_ts_ns")):
        bad.append(f"the start: {trace['otherData']}")
    for why in bad[:10]:
        print(why)
    print(dict(kinds), file=sys.stderr)
    return bool(bad) or not kinds["i"] + kinds["B"] + kinds["X"]


def perfetto_runs(path, tid=None):
    runs = collections.Counter()
    for e in trace_of(path)["traceEvents"]:
        if e["ph"] == "X" and e["cat"] == "running" and tid in (None, str(e["args"]["tid"])):
            runs[e["name"]] += e["dur"]
    for name, us in sorted(runs.items()):
        print(f"{round(us)} {name}")
    return 0


def start(path):
    with open(path, encoding="utf-8") as f:
        first = f.readline()
    if "traceEvents" in first:
        print(trace_of(path)["otherData"]["start_real_ns"])
    elif first.startswith("{"):
        print(strict(first)["start"]["real_ns"])
    else:
        print(csv_rows(path)[1][0][1])
    return 0


def main():
    what, args = sys.argv[1], sys.argv[2:]
    csv.field_size_limit(1 << 24)
    if what == "csv-json":
        return 1 if check_csv_json(args[0], args[1], args[2:]) else 0
    run = {"schema": check_schema, "csv": check_csv, "perfetto": check_perfetto,
           "perfetto-runs": perfetto_runs, "start": start}[what]
    return 1 if run(*args) else 0


if __name__ == "__main__":
    sys.exit(main())
