#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""What tests ask of the records that bpfperf trace and perf script print.

count FILE [KEY=VALUE | KEY~REGEX]…  how many records match; keys: comm pid tid cpu event text,
                                     and of JSON also the names of fields
order FILE                           exit 0 where the times never go back
same A B TID…                        exit 0 where both have the same records of these threads: the
                                     same texts in the same order, for each thread and event
json-text JSON TEXT TID…             the same for a JSON file against a text file, field by field

Files are text as bpfperf and perf script print it, or JSON lines (told by the first byte).
"""
import calendar
import collections
import json
import re
import sys
import time

LINE = re.compile(r"^ *(?P<comm>.*?) +(?P<pid>-?\d+)/(?P<tid>-?\d+) +\[(?P<cpu>\d+)\] +"
                  r"(?P<time>-?\d+\.\d+|\d+-\d\d-\d\dT[\d:.]+): +(?P<event>\S+): ?(?P<text>.*)$")


class Record:
    def __init__(self, comm, pid, tid, cpu, time_ns, event, text, fields):
        self.comm, self.pid, self.tid, self.cpu = comm, int(pid), int(tid), int(cpu)
        self.time_ns, self.event, self.text, self.fields = time_ns, event, text, fields

    def get(self, key):
        return getattr(self, key) if hasattr(self, key) else (self.fields or {}).get(key)


def to_ns(text):
    if "T" in text:
        date, frac = text.split(".")
        text = f"{calendar.timegm(time.strptime(date, '%Y-%m-%dT%H:%M:%S'))}.{frac}"
    sec, frac = text.split(".")
    return int(sec) * 10**9 + int(frac.ljust(9, "0")[:9])


def read(path):
    """Records of a file, and the lines that are none (lost records and the like)."""
    records, others = [], []
    with open(path, encoding="utf-8", errors="surrogateescape") as f:
        for line in f:
            line = line.rstrip("\n")
            if line.startswith("{"):
                obj = json.loads(line)
                if "event" not in obj:
                    others.append(line)
                    continue
                records.append(Record(obj["comm"], obj["pid"], obj["tid"], obj["cpu"], obj["time"],
                                      obj["event"], None, obj["fields"]))
                continue
            m = LINE.match(line)
            if m:
                records.append(Record(m["comm"], m["pid"], m["tid"], m["cpu"], to_ns(m["time"]),
                                      m["event"], m["text"].rstrip(), None))
            elif line.strip():
                others.append(line)
    return records, others


def matcher(conditions):
    tests = []
    for c in conditions:
        key, op, want = re.match(r"(\w+)([=~])(.*)$", c, re.S).groups()
        if op == "=":
            tests.append(lambda r, k=key, w=want: str(r.get(k)) == w)
        else:
            tests.append(lambda r, k=key, w=re.compile(want): w.search(str(r.get(k))))
    return lambda r: all(t(r) for t in tests)


def by_event(records, tids):
    """(thread, event) → its records. Across events two recordings may differ in order, and both be right: an
    interrupt whose record is made between the two programs of another event stands before it in one of them."""
    found = collections.defaultdict(list)
    for r in records:
        if r.tid in tids:
            found[r.tid, r.event].append(r)
    return found


def ended(records):
    """Threads whose last record is the switch they do not come back from."""
    last = {r.tid: r for r in records}
    return {tid for tid, r in last.items() if re.search("prev_state=[XZ]", r.text or "")}


def once(records):
    """Without what perf prints twice: the same event of a thread at the same nanosecond is one event."""
    seen, kept = set(), []
    for r in records:
        key = r.tid, r.event, r.cpu, r.time_ns, r.text
        if key not in seen:
            kept.append(r)
        seen.add(key)
    return kept


def without_thread(r):
    return r.event, r.cpu, r.text


def compare(a, b, tids, equal):
    """Prints the first differences of two files' threads; how many there were."""
    records = [r for r in read(a)[0] if r.tid in tids]
    one, two = by_event(records, tids), by_event(once(read(b)[0]), tids)
    # perf knows no id for a thread that has been reaped: of its last records up to three are missing there,
    # besides those that it gives to -1.
    spare = {tid: 3 for tid in ended(records)}
    nobodys = collections.Counter(map(without_thread, once([r for r in read(b)[0] if r.tid < 0])))
    bad = compared = 0
    for tid, event in sorted(one.keys() | two.keys()):
        x, y = one.get((tid, event), []), two.get((tid, event), [])
        while len(x) > len(y) and nobodys[without_thread(x[-1])]:
            nobodys[without_thread(x[-1])] -= 1
            x = x[:-1]
        missing = len(x) - len(y)
        if 0 < missing <= spare.get(tid, 0):
            spare[tid] -= missing
            x = x[:len(y)]
        if len(x) != len(y):
            bad += 1
            print(f"thread {tid}: {event}: {len(x)} records in {a}, {len(y)} in {b}")
            continue
        for r, s in zip(x, y):
            compared += 1
            why = equal(r, s)
            if why:
                bad += 1
                if bad <= 10:
                    print(f"thread {tid}: {why}")
    print(f"{compared} records of {len({e for _, e in one})} events compared, {bad} differ", file=sys.stderr)
    return bad if compared else 1


def escape(text):
    """perf prints control characters as they are."""
    return re.sub(r"[\x00-\x1f\x7f]",
                  lambda m: {"\n": r"\n", "\t": r"\t"}.get(m[0], f"\\x{ord(m[0]):02x}"), text)


def at_any_moment(tid, text):
    """The text without what may change between the programs of two recordings: another thread's name, and
    whether a thread that has ended is a zombie still or its parent knows already."""
    text = re.sub(r"comm=.*? (\w*pid)=(\d+)",
                  lambda m: m[0] if int(m[2]) == tid else f"{m[1]}={m[2]}", text)
    return re.sub(r"prev_state=[XZ]\b", "prev_state=X", text)


def same_text(r, s):
    # A thread's name is looked up at another time by the other program: not compared.
    text = escape(s.text)
    # Text after a line feed is on a line of its own there.
    cut = r.text.startswith(text + r"\n")
    same = r.text == text or at_any_moment(r.tid, r.text) == at_any_moment(r.tid, text)
    if r.event != s.event or not (same or cut):
        return f"\n  {r.event}: {r.text}\n  {s.event}: {s.text}"
    return None


def field_is(value, text):
    """Is the JSON value what the text shows? Symbols and addresses may be named in either."""
    if isinstance(value, str):
        return value == text or value.startswith(text) or text.startswith(value)
    if isinstance(value, int):
        if re.fullmatch(r"-?\d+", text):
            return int(text) == value
        if re.fullmatch(r"0x[0-9a-f]+", text):
            return int(text, 16) == value % 2**64
    return True


def same_fields(j, t):
    if (j.event, j.comm, j.pid, j.cpu) != (t.event, t.comm, t.pid, t.cpu):
        return f"{j.event} {j.comm} {j.pid} {j.cpu} is not {t.event} {t.comm} {t.pid} {t.cpu}"
    for key, text in re.findall(r"(\w+)[=:] ?([^ ,]+)", t.text):
        if key in j.fields and not field_is(j.fields[key], text):
            return f"{j.event}: {key} is {j.fields[key]!r}, in text {text!r}"
    return None


def main():
    what, args = sys.argv[1], sys.argv[2:]
    if what == "count":
        print(sum(map(bool, map(matcher(args[1:]), read(args[0])[0]))))
        return 0
    if what == "order":
        times = [r.time_ns for r in read(args[0])[0]]
        back = [i for i in range(1, len(times)) if times[i] < times[i - 1]]
        if back:
            print(f"{len(back)} of {len(times)} records are older than the one before; "
                  f"the first is number {back[0] + 1}, by {times[back[0] - 1] - times[back[0]]} ns")
        return 1 if back or not times else 0
    equal = {"same": same_text, "json-text": same_fields}[what]
    return 1 if compare(args[0], args[1], {int(t) for t in args[2:]}, equal) else 0


if __name__ == "__main__":
    sys.exit(main())
