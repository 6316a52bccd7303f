# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""probe_kernel_types.py BTF LISTED: compares the arguments that `list f:GLOB` prints with those that `bpftool -j btf dump` has
of the same functions, names and types: "N functions, M arguments, K differ", and the first that differ. Left out are
functions of which there are several by one name, and those with structures by value, which are printed by their members."""
import json
import re
import sys
from collections import Counter

PLAIN = ("TYPEDEF", "CONST", "VOLATILE", "RESTRICT", "TYPE_TAG")


class Kernel:
    def __init__(self, path):
        with open(path, encoding="utf-8") as f:
            self.types = {t["id"]: t for t in json.load(f)["types"]}
        funcs = [t for t in self.types.values() if t["kind"] == "FUNC"]
        cnt = Counter(f["name"] for f in funcs)
        self.funcs = {f["name"]: self.types[f["type_id"]]["params"] for f in funcs if cnt[f["name"]] == 1}

    def by_value(self, nr):
        while nr and self.types[nr]["kind"] in PLAIN:
            nr = self.types[nr]["type_id"]
        return bool(nr) and self.types[nr]["kind"] in ("STRUCT", "UNION")

    def text(self, nr):
        """A type as C writes it."""
        if not nr:
            return "void"
        t = self.types[nr]
        kind, name = t["kind"], "(unnamed)" if t["name"] == "(anon)" else t["name"]
        if kind == "PTR":
            return self.text(t["type_id"]) + " *"
        if kind in ("CONST", "VOLATILE"):
            inner = self.text(t["type_id"])
            return f"{inner} {kind.lower()}" if inner.endswith("*") else f"{kind.lower()} {inner}"
        if kind in ("RESTRICT", "TYPE_TAG"):
            return self.text(t["type_id"])
        if kind == "FUNC_PROTO":
            return "function"
        if kind == "ARRAY":
            return f'{self.text(t["type_id"])}[{t["nr_elems"]}]'
        if kind == "FWD":
            return f'{t["fwd_kind"]} {name}'
        words = {"STRUCT": "struct ", "UNION": "union ", "ENUM": "enum ", "ENUM64": "enum "}
        return words.get(kind, "") + name


def spaced(text):
    return " ".join(re.sub(r"([*,])", r" \1 ", text).split())


def main():
    kernel = Kernel(sys.argv[1])
    funcs = args = differ = 0
    with open(sys.argv[2], encoding="utf-8") as f:
        for line in f:
            name, listed = re.match(r"f:([^(]*)\((.*)\)  ", line).groups()
            params = kernel.funcs.get(name)
            # A last one without a type stands for further arguments.
            if params and not params[-1]["type_id"]:
                params = params[:-1]
            if params is None or any(kernel.by_value(p["type_id"]) for p in params):
                continue
            want = ", ".join(f'{kernel.text(p["type_id"])} {p["name"]}' for p in params)
            funcs, args = funcs + 1, args + len(params)
            if spaced(want) != spaced(listed):
                differ += 1
                if differ < 6:
                    print(f"{name}: {listed}, not {want}", file=sys.stderr)
    print(f"{funcs} functions, {args} arguments, {differ} differ")


if __name__ == "__main__":
    main()
