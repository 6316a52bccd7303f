#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# JSON and pprof of a live profile: frames with addresses, source lines and flags, beside addr2line and nm; names beside
# those of perf script for one recording.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd python3 gcc strip nm addr2line perf

cat >lines.c <<'END'
#include <time.h>
static inline __attribute__((always_inline)) unsigned mix(unsigned x)
{
	x ^= x >> 3;
	x *= 2654435761u;
	return x;
}
__attribute__((noinline, noclone)) unsigned work(unsigned n)
{
	unsigned v = 1;

	while (n--)
		v = mix(v + n);
	return v;
}
int main(void)
{
	volatile unsigned s = 0;

	while (clock() < CLOCKS_PER_SEC * 8 / 10)
		s += work(1000000);
	return s == 3;
}
END
# At another address than its offset in the file: the two must not be confused.
ok "a program with DWARF is built" gcc -O2 -g -no-pie -o lines lines.c -Wl,--build-id
cp lines nolines
strip -g nolines

profile() { # NAME ARG…
	exits 0 "$1: exit 0" "$BPFPERF" stack -F 499 "${@:2}"
}

profile "stack --format json" --format json -o lines.json -- ./lines
ok "stack --format json: valid by the schema" python3 "$TOP/tests/formats.py" schema "$TOP/docs/profile.schema.json" lines.json
python3 - lines.json >facts <<'END'
import json
import subprocess
import sys

def lines():
    with open(sys.argv[1], encoding="utf-8") as f:
        return [json.loads(line) for line in f]

head, *rest = lines()
frames = {o["frame"]: o for o in rest if "frame" in o}
stacks = [o for o in rest if "group" in o]
print("samples", head["samples"] - sum(s["samples"] for s in stacks))
print("twice", len(stacks) - len({json.dumps([s["group"], s["event"], s["stack"], "truncated" in s]) for s in stacks}))
wrong = 0
for s in stacks:
    wrong += s["samples"] != sum(p["samples"] for p in s["paths"])
    wrong += s["weight"] != sum(p["weight"] for p in s["paths"])
    wrong += any([frames[f]["name"] for f in p["frames"]] != s["stack"] for p in s["paths"])
print("paths", wrong)
print("several", any(len(s["paths"]) > 1 for s in stacks))
# The program's frames: names by addr2line, starts by nm, which both know nothing of stubs of the linkage table.
starts = {}
for line in subprocess.run(["nm", "lines"], capture_output=True, text=True).stdout.splitlines():
    addr, kind, name = line.rjust(18).split(None, 2) if line[0] != " " else ("0", "", "")
    starts[name] = int(addr, 16)
own = [f for f in frames.values() if f.get("module", "").endswith("/lines") and f["name"] != "_start" and not f["name"].endswith("@plt")]
wrong = 0
for f in own:
    out = subprocess.run(["addr2line", "-ife", "lines", f["address"]], capture_output=True, text=True).stdout.split("\n")
    names = out[0:-1:2]
    wrong += f["name"] not in names
    wrong += int(f["address"], 16) - f["offset"] != starts[names[-1]]
    wrong += f.get("inlined", False) != (f["name"] != names[-1])
print("own", wrong, len(own) > 3)
END
is "$(grep samples facts)" "samples 0" "stack --format json: the samples of all stacks are those of the head"
is "$(grep twice facts)" "twice 0" "stack --format json: no stack is listed twice"
is "$(grep paths facts)" "paths 0" "stack --format json: paths add up to their stack, and have its names"
is "$(grep several facts)" "several True" "stack --format json: a stack has several paths by address"
is "$(grep own facts)" "own 0 True" "stack --format json: addresses, offsets and inlined functions are those of addr2line and nm"
exits 0 "stack -i of JSON with frames: exit 0" "$BPFPERF" stack -i lines.json --format folded -o again.folded
is "$(awk '{ n += $NF } END { print n }' again.folded)" "$(sed -nE '1s/.*"samples":([0-9]+),"truncated":[0-9]+,"lost".*/\1/p' lines.json)" \
	"stack -i of JSON with frames: all samples are read again"
exits 0 "stack -i --kinds inlined: exit 0" "$BPFPERF" stack -i lines.json --kinds inlined --format folded -o inlined.folded
is "$(awk '{ n += $NF } END { print n }' inlined.folded)" "$(awk '{ n += $NF } END { print n }' again.folded)" \
	"stack --kinds inlined: all samples"
unlike "$(grep -v '^.recording' inlined.folded)" ';(main|work)[; ]' "stack --kinds inlined: no function of another kind"
like "$(cat inlined.folded)" "lines;mix [0-9]" "stack --kinds inlined: what was inlined"

# The program's mapping is the first one; lines are those of addr2line; flags are facts.
check_pprof() { # FILE PROGRAM
	python3 "$TOP/tests/golden/pprof_text.py" "$1" >"$1.text"
	python3 - "$1.text" "$2" >facts <<'END'
import re
import subprocess
import sys

text = open(sys.argv[1], encoding="utf-8").read().splitlines()
program = sys.argv[2]
functions = {}
for line in text:
    m = re.match(r"function=\{id=(\d+) name='(.*?)' system_name='.*?'(?: filename='(.*)')?\}", line)
    if m:
        functions[int(m[1])] = (m[2], m[3] or "")
first = next(line for line in text if line.startswith("mapping="))
print("first", f"/{program}'" in first)
print("flags", " ".join(re.findall(r"(has_\w+)=1", first)))
wrong = seen = 0
for line in text:
    m = re.match(r"location=\{id=\d+ (line=.*) mapping_id=1 address=0x([0-9a-f]+)\}", line)
    if not m:
        continue
    got = [(*functions[int(f)], int(n or 0)) for f, n in re.findall(r"line=\{function_id=(\d+)(?: line=(\d+))?\}", m[1])]
    # The file offset; the program is at 0x400000.
    out = subprocess.run(["addr2line", "-ife", program, hex(int(m[2], 16) + 0x400000)], capture_output=True,
                         text=True).stdout.split("\n")
    want = []
    for name, place in zip(out[0:-1:2], out[1::2]):
        path, _, number = place.split(" ")[0].rpartition(":")
        number = int(number) if number.isdigit() else 0
        want.append((name, path if number else "", number))
    if want[0][0] == "_start" or not want[0][2]:
        continue
    seen += 1
    wrong += got != want
    if got != want:
        print("bad", got, want, file=sys.stderr)
print("lines", wrong, seen > 2)
END
}
profile "stack --format pprof" --format pprof -o lines.pb.gz -- ./lines
check_pprof lines.pb.gz lines 2>err || diag "$(cat err)"
is "$(grep first facts)" "first True" "stack --format pprof: the first mapping is the program"
is "$(grep flags facts)" "flags has_functions has_filenames has_line_numbers has_inline_frames" \
	"stack --format pprof: a program with DWARF has all names"
is "$(grep lines facts)" "lines 0 True" "stack --format pprof: functions, files and lines are those of addr2line"
profile "stack --format pprof without DWARF" --format pprof -o nolines.pb.gz -- ./nolines
check_pprof nolines.pb.gz nolines
is "$(grep flags facts)" "flags has_functions" "stack --format pprof: a program without DWARF has functions only"
strip -s -o bare lines
profile "stack --format pprof of a stripped program" --format pprof -o bare.pb.gz -- ./bare
check_pprof bare.pb.gz bare
is "$(grep flags facts)" "flags " "stack --format pprof: a stripped program has no names"

# One recording, by perf script and by report: the same samples for each innermost function.
exits 0 "a recording of perf: exit 0" perf_record -q --no-bpf-event -F 499 -e cpu-clock:u -g -o perf.data ./lines
perf script -i perf.data --no-inline -F ip,sym 2>/dev/null | awk '
	/^$/ { first = 1; next } first || NR == 1 { print $2; first = 0 }' | sort | uniq -c | awk '{ print $2, $1 }' >perf.names
exits 0 "report --format json: exit 0" "$BPFPERF" report -i perf.data --no-inline --format json -o report.json
python3 - >our.names <<'END'
import collections
import json
count = collections.Counter()
for line in open("report.json", encoding="utf-8"):
    o = json.loads(line)
    if "group" in o:
        count[o["stack"][-1].split("@@")[0]] += o["samples"]
for name, n in sorted(count.items()):
    print(name, n)
END
is "$(grep -E '^(work|main) ' our.names)" "$(grep -E '^(work|main) ' perf.names | sort)" \
	"report --format json: perf script counts as many samples in the program's functions"

exits 0 "stack --flat: exit 0" "$BPFPERF" stack -F 499 --flat -o flat.txt -- ./lines
like "$(sed -n 4p flat.txt)" '^ *[0-9.]+% +[0-9.]+% +[0-9]+ +[0-9]+  (mix|work)  lines$' "stack --flat: the hottest function is first"
is "$(awk '!/^#/ { n += $3 } END { print n }' flat.txt)" "$(summary samples)" "stack --flat: own counts add up to all samples"
exits 2 "stack --flat --format json: two formats are refused" "$BPFPERF" stack --flat --format json -- true
done_testing
