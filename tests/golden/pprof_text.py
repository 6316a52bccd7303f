# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""pprof_text.py FILE: prints the profile, a gzip'ed protocol buffer, field by field."""
import gzip
import sys

# The fields of google/pprof's profile.proto: a dict is a message, "str" an index of a string.
LABEL = {1: ("key", "str"), 2: ("str", "str"), 3: ("num", int), 4: ("num_unit", "str")}
VALUE_TYPE = {1: ("type", "str"), 2: ("unit", "str")}
PROFILE = {
    1: ("sample_type", VALUE_TYPE),
    2: ("sample", {1: ("location_id", int), 2: ("value", int), 3: ("label", LABEL)}),
    3: ("mapping", {1: ("id", int), 2: ("memory_start", hex), 3: ("memory_limit", hex), 4: ("file_offset", int),
                    5: ("filename", "str"), 6: ("build_id", "str"), 7: ("has_functions", int),
                    8: ("has_filenames", int), 9: ("has_line_numbers", int), 10: ("has_inline_frames", int)}),
    4: ("location", {1: ("id", int), 2: ("mapping_id", int), 3: ("address", hex),
                     4: ("line", {1: ("function_id", int), 2: ("line", int)})}),
    5: ("function", {1: ("id", int), 2: ("name", "str"), 3: ("system_name", "str"), 4: ("filename", "str")}),
    9: ("time_nanos", int),
    10: ("duration_nanos", int),
    11: ("period_type", VALUE_TYPE),
    12: ("period", int),
    13: ("comment", "str"),
    14: ("default_sample_type", "str"),
}
STRING_TABLE = 6


def varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 0x7F) << shift
        at += 1
        if data[at - 1] < 0x80:
            return value, at
        shift += 7


def fields(data):
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        elif key & 7 == 2:
            size, at = varint(data, at)
            value, at = data[at:at + size], at + size
        else:
            sys.exit(f"field {key >> 3}: wire type {key & 7} is not expected")
        yield key >> 3, value


def text(known, strings, field, value):
    """One field as NAME=VALUE; numbers may be packed."""
    name, kind = known.get(field, (f"field{field}", int))
    if isinstance(kind, dict):
        return f"{name}={{{' '.join(text(kind, strings, f, v) for f, v in fields(value))}}}"
    if isinstance(value, bytes):
        numbers, at = [], 0
        while at < len(value):
            number, at = varint(value, at)
            numbers.append(str(number))
        return f"{name}={','.join(numbers)}"
    if kind == "str":
        return f"{name}={strings[value]!r}"
    return f"{name}={kind(value)}"


data = gzip.open(sys.argv[1]).read()
strings = [value.decode() for field, value in fields(data) if field == STRING_TABLE]
for field, value in fields(data):
    if field != STRING_TABLE:
        print(text(PROFILE, strings, field, value))
