#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""otlp.py check FILE…: is each a valid message ProfilesData of OpenTelemetry?
otlp.py sums FILE…: the sum of each type of values, over all files, one a line.
otlp.py stacks FILE…: "comm;outermost;…;innermost N" of the samples of all files, sorted.
otlp.py text FILE: the decoded message.
otlp.py gaps FILE…: how many of the messages do not begin (to the ms) at the end of the one before.
otlp.py lost FILE…: the sum of the lost samples of all files.

Messages are decoded with the field numbers of opentelemetry-proto 1.10 (profiles.proto,
common.proto), and checked by the rules that its comments state and that the profiling group's
`profcheck` (github.com/open-telemetry/sig-profiling) applies with all its checks: index ranges,
empty items at 0, no duplicates, no orphans, unique keys, one shape of samples, times.
"""
import collections
import gzip
import sys

I, F, S, M = "int", "fixed64", "bytes", "message"
VALUE = {1: ("string", S, None), 3: ("int", I, None)}
KEY_VALUE = {1: ("key", S, None), 2: ("value", M, VALUE)}
TYPE = {1: ("type", I, None), 2: ("unit", I, None)}
SAMPLE = {1: ("stack", I, None), 2: ("attrs[]", I, None), 3: ("link", I, None), 4: ("values[]", I, None),
          5: ("times[]", F, None)}
PROFILE = {1: ("sample_type", M, TYPE), 2: ("samples[]", M, SAMPLE), 3: ("time", F, None), 4: ("duration", I, None),
           5: ("period_type", M, TYPE), 6: ("period", I, None), 7: ("id", S, None), 11: ("attrs[]", I, None)}
SCOPE = {1: ("name", S, None), 2: ("version", S, None)}
SCOPE_PROFILES = {1: ("scope", M, SCOPE), 2: ("profiles[]", M, PROFILE)}
RESOURCE = {1: ("attrs[]", M, KEY_VALUE)}
RESOURCE_PROFILES = {1: ("resource", M, RESOURCE), 2: ("scopes[]", M, SCOPE_PROFILES)}
MAPPING = {1: ("start", I, None), 2: ("limit", I, None), 3: ("offset", I, None), 4: ("file", I, None), 5: ("attrs[]", I, None)}
LINE = {1: ("function", I, None), 2: ("line", I, None), 3: ("column", I, None)}
LOCATION = {1: ("mapping", I, None), 2: ("address", I, None), 3: ("lines[]", M, LINE), 4: ("attrs[]", I, None)}
FUNCTION = {1: ("name", I, None), 2: ("system_name", I, None), 3: ("file", I, None), 4: ("start", I, None)}
LINK = {1: ("trace", S, None), 2: ("span", S, None)}
ATTRIBUTE = {1: ("key", I, None), 2: ("value", M, VALUE), 3: ("unit", I, None)}
STACK = {1: ("locations[]", I, None)}
DICTIONARY = {1: ("mappings[]", M, MAPPING), 2: ("locations[]", M, LOCATION), 3: ("functions[]", M, FUNCTION),
              4: ("links[]", M, LINK), 5: ("strings[]", S, None), 6: ("attributes[]", M, ATTRIBUTE), 7: ("stacks[]", M, STACK)}
DATA = {1: ("resources[]", M, RESOURCE_PROFILES), 2: ("dictionary", M, DICTIONARY)}


class Bad(Exception):
    pass


def varint(buf, at):
    value = shift = 0
    while True:
        byte = buf[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def decode(buf, schema):
    out = {name.rstrip("[]"): [] if name.endswith("[]") else {I: 0, F: 0, S: b"", M: None}[kind]
           for name, kind, _ in schema.values()}
    at = 0
    while at < len(buf):
        tag, at = varint(buf, at)
        if tag >> 3 not in schema:
            raise Bad(f"field {tag >> 3} is unknown")
        name, kind, sub = schema[tag >> 3]
        if tag & 7 == 0:
            value, at = varint(buf, at)
            values = [value]
        elif tag & 7 == 1:
            values = [int.from_bytes(buf[at:at + 8], "little")]
            at += 8
        elif tag & 7 == 2:
            size, at = varint(buf, at)
            part, at = buf[at:at + size], at + size
            if len(part) != size:
                raise Bad("the message is cut")
            values = []
            if kind == I:
                pos = 0
                while pos < size:
                    value, pos = varint(part, pos)
                    values.append(value)
            else:
                values = [decode(part, sub) if kind == M else part]
        else:
            raise Bad(f"wire type {tag & 7}")
        if name.endswith("[]"):
            out[name[:-2]] += values
        else:
            out[name] = values[-1]
            out.setdefault("_set", set()).add(name)
    return out


def read(path):
    with open(path, "rb") as f:
        data = f.read()
    return decode(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data, DATA)


def canon(item):
    return repr({k: v for k, v in item.items() if k != "_set"}) if isinstance(item, dict) else repr(item)


def check(data):
    d = data["dictionary"]
    used = collections.defaultdict(set)

    def ref(table, idx, what):
        if not 0 <= idx < len(d[table]):
            raise Bad(f"{what}: {table}[{idx}] of {len(d[table])}")
        used[table].add(idx)

    def attrs(owner, what):
        keys = set()
        for idx in owner["attrs"]:
            ref("attributes", idx, what)
            key = d["attributes"][idx]["key"]
            if key in keys:
                raise Bad(f"{what}: the key {d['strings'][key]} is there twice")
            keys.add(key)

    if not data["resources"]:
        raise Bad("no resource")
    for table, items in d.items():
        if table == "_set":
            continue
        empty = b"" if table == "strings" else decode(b"", DICTIONARY[[n for n, s in DICTIONARY.items() if s[0] == table + "[]"][0]][2])
        if not items or canon(items[0]) != canon(empty):
            raise Bad(f"{table}: the first item is not empty")
        if len({canon(i) for i in items}) != len(items):
            raise Bad(f"{table}: an item is there twice")
        used[table].add(0)
    for res in data["resources"]:
        keys = [a["key"] for a in res["resource"]["attrs"]]
        if len(set(keys)) != len(keys):
            raise Bad("a resource has a key twice")
        if not res["scopes"]:
            raise Bad("a resource without scopes")
        for scope in res["scopes"]:
            if not scope["profiles"]:
                raise Bad("a scope without profiles")
            for prof in scope["profiles"]:
                attrs(prof, "profile")
                for kind in ("sample_type", "period_type"):
                    ref("strings", prof[kind]["type"], kind)
                    ref("strings", prof[kind]["unit"], kind)
                if prof["id"] and (len(prof["id"]) != 16 or not any(prof["id"])):
                    raise Bad("a profile's id is no id")
                seen = set()
                for s in prof["samples"]:
                    ref("stacks", s["stack"], "sample")
                    ref("links", s["link"], "sample")
                    attrs(s, "sample")
                    if len(s["values"]) != 1 or s["times"]:
                        raise Bad("a sample is not of one value")
                    key = (s["stack"], tuple(sorted(s["attrs"])), s["link"])
                    if key in seen:
                        raise Bad("two samples of one identity")
                    seen.add(key)
    for m in d["mappings"]:
        ref("strings", m["file"], "mapping")
        attrs(m, "mapping")
        if (m["start"] or m["limit"]) and not m["start"] < m["limit"]:
            raise Bad("a mapping ends before it starts")
    for loc in d["locations"]:
        ref("mappings", loc["mapping"], "location")
        m = d["mappings"][loc["mapping"]]
        if loc["mapping"] and loc["address"] and not m["start"] <= loc["address"] <= m["limit"]:
            raise Bad("a location is not in its mapping")
        attrs(loc, "location")
        for line in loc["lines"]:
            ref("functions", line["function"], "line")
    for func in d["functions"]:
        for member in ("name", "system_name", "file"):
            ref("strings", func[member], "function")
    for attr in d["attributes"]:
        ref("strings", attr["key"], "attribute")
        ref("strings", attr["unit"], "attribute")
    for stack in d["stacks"]:
        for loc in stack["locations"]:
            ref("locations", loc, "stack")
    for string in d["strings"]:
        string.decode()
    for table, items in d.items():
        if table != "_set" and len(used[table]) != len(items):
            raise Bad(f"{table}: {len(items) - len(used[table])} items without a reference")


def text(item, indent=""):
    for key, value in item.items():
        if key == "_set":
            continue
        for nr, part in enumerate(value if isinstance(value, list) else [value]):
            name = f"{key}[{nr}]" if isinstance(value, list) else key
            if isinstance(part, dict):
                print(f"{indent}{name}")
                text(part, indent + "  ")
            elif isinstance(part, bytes):
                print(f"{indent}{name} {part.decode(errors='backslashreplace')!r}")
            elif part is not None:
                print(f"{indent}{name} {part}")


def profiles(data):
    for res in data["resources"]:
        for scope in res["scopes"]:
            yield from ((res, prof) for prof in scope["profiles"])


def attr_of(d, owner, key):
    for idx in owner["attrs"]:
        if d["strings"][d["attributes"][idx]["key"]].decode() == key:
            value = d["attributes"][idx]["value"]
            return value["int"] if "int" in value["_set"] else value["string"].decode()
    return None


def names(d, stack):
    for loc in reversed(d["stacks"][stack]["locations"]):
        item = d["locations"][loc]
        lines = item["lines"]
        if not lines:
            path = d["strings"][d["mappings"][item["mapping"]]["file"]].decode()
            yield f"{path}+{item['address']:#x}"
        for line in reversed(lines):
            yield d["strings"][d["functions"][line["function"]]["name"]].decode()


def main():
    sums, stacks, lost = collections.Counter(), collections.Counter(), 0
    times = []
    for path in sys.argv[2:]:
        data = read(path)
        d = data["dictionary"]
        if sys.argv[1] == "text":
            text(data)
        if sys.argv[1] == "check":
            check(data)
        times.append([(p["time"], p["time"] + p["duration"]) for _, p in profiles(data)][0])
        for _, prof in profiles(data):
            kind = d["strings"][prof["sample_type"]["type"]].decode()
            for s in prof["samples"]:
                sums[kind] += s["values"][0]
                if sys.argv[1] == "stacks" and kind == "samples":
                    stacks[";".join([attr_of(d, s, "thread.name") or "", *names(d, s["stack"])])] += s["values"][0]
            lost += sum(attr_of(d, prof, d["strings"][d["attributes"][i]["key"]].decode()) for i in prof["attrs"]
                        if d["strings"][d["attributes"][i]["key"]].startswith(b"bpfperf.lost."))
    if sys.argv[1] == "sums":
        for kind, value in sorted(sums.items()):
            print(kind, value)
    if sys.argv[1] == "stacks":
        for stack, cnt in sorted(stacks.items()):
            print(stack, cnt)
    if sys.argv[1] == "gaps":
        times.sort()
        print(sum(abs(end - begin) > 1000000 for (_, end), (begin, _) in zip(times, times[1:])) if len(times) > 2 else "too few")
    if sys.argv[1] == "lost":
        print(lost)


if __name__ == "__main__":
    try:
        main()
    except Bad as bad:
        sys.exit(f"otlp.py: {bad}")
