#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Functions of Python: programs that forge the interpreter's structures cost little, and name nothing but their own frames.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd python3
forged=$WORKLOADS/forged_python

# count FILE: samples, those with the forged function, those with more than one of it.
cat >count.py <<'END'
import json
import sys
all = with_it = more = 0
for r in map(json.loads, open(sys.argv[1])):
    if "stack" in r:
        n = r["stack"].count("forged")
        all, with_it, more = all + r["samples"], with_it + r["samples"] * (n > 0), more + r["samples"] * (n > 1)
print(all, with_it, more)
END
of() { # MODE
	exits 0 "stack of $1: exit 0" "$BPFPERF" stack -e cpu-clock -F 499 --user --format json -o "$1.json" -- "$forged" "$1" 2
	read -r all with_it more <<<"$(python3 count.py "$1.json")"
	between "$all" 20 2000 "stack of $1: there are samples"
}
incomplete() {
	sed -nE 's/^bpfperf: ([0-9]+) of [0-9]+ user stacks are not complete: .*frames of an interpreter.*/\1/p' err
}

of good
between "$with_it" $((all - 20)) "$all" "stack of good: the forged frame is taken for one"
is "$more" 0 "stack of good: once in each stack"
like "$(grep '"frame".*forged"' good.json)" '"kind":"python","file":"forged.py","line":1' "stack of good: with file and line"
for mode in loop many deep wild; do
	of $mode
	between "$(incomplete)" $((all - 20)) "$all" "stack of $mode: its stacks are told as not complete"
done
is "$with_it" 0 "stack of wild: no name of what is not in memory"
for mode in threads long; do
	of $mode
	is "$with_it" 0 "stack of $mode: no function of Python"
done

# A real Python beside them has its own functions alone, and all of them theirs.
cat >spin.py <<'END'
import time
def honest():
    return sum(i * i for i in range(1000))
print("ready", flush=True)
end = time.monotonic() + 60
while time.monotonic() < end:
    honest()
END
for mode in good loop many deep wild threads long; do
	"$forged" $mode 60 &
	reap $!
done
mkfifo ready
"$(python3 -c 'import os, sys; print(os.path.realpath(sys.executable))')" spin.py >ready &
reap $!
read -r _ <ready
exits 0 "stack -a beside all of them: exit 0" "$BPFPERF" stack -a -e cpu-clock -F 499 --user --duration 3 --format json -o all.json
mixed=$(python3 -c 'import json, sys
good = bad = 0
for r in map(json.loads, open(sys.argv[1])):
    if "stack" in r:
        ours, theirs = "honest" in r["stack"], "forged" in r["stack"]
        python = r["group"][0].startswith("python")
        good += ours and python
        bad += theirs and python or ours and not python
print(good > 0, bad)' all.json)
is "$mixed" "True 0" "stack -a beside all of them: no process has functions of another"
done_testing
