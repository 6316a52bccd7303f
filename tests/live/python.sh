#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# Functions of Python in user stacks: what the interpreter itself says at thousands of stops is what the stacks have.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
# shellcheck source=interp.bash
. "$TOP/tests/live/interp.bash"
need_cmd python3
# $PYTHON: another interpreter.
PYTHON=${PYTHON:-$(python3 -c 'import os, sys; print(os.path.realpath(sys.executable))')}
"$PYTHON" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 16))' || skip_all "needs a Python of 3.11 to 3.15"
ev=syscalls:sys_enter_getppid
stops=$TOP/tests/live/python_stops.py

for program in recursion generators threads callbacks imports short_lived names instructions forks interpreters; do
	stops_are_equal Python python 300 $program "$PYTHON" "$stops" truth.json 400
done
ok "trace -g of Python: valid by the schema" python3 "$TOP/tests/formats.py" schema "$TOP/docs/trace.schema.json" t.json

# Frames of C in between keep their places: sorted() calls the key function, which the loop called.
cat >key.py <<'END'
import os
def key(x):
    os.getppid()
    return x
def outer():
    sorted([1], key=key)
outer()
END
exits 0 "trace -g of C in between: exit 0" "$BPFPERF" trace -g -o key.txt -e $ev -- "$PYTHON" key.py
like "$(tr -d '\n' <key.txt)" "python key \(.*key\.py:3\).*[0-9a-f]+ .*PyObject_.*python outer \(.*key\.py:6\).*python <module> \(.*key\.py:7\).*Py_RunMain" \
	"trace -g of C in between: functions of Python and of C in order, with lines"
unlike "$(cat key.txt)" "_PyEval_EvalFrameDefault" "trace -g of Python: the loop is replaced"
exits 0 "trace -g --python=off: exit 0" "$BPFPERF" trace -g --python=off -o off.txt -e $ev -- "$PYTHON" key.py
unlike "$(cat off.txt)" "python (key|outer)" "trace --python=off: no functions of Python"
exits 0 "strace -k of Python: exit 0" "$BPFPERF" strace -k -e trace=getppid -o k.txt -- "$PYTHON" key.py
like "$(cat k.txt)" "key" "strace -k: functions of Python"

# Samples at any instruction: each is a path that the program can take.
cat >spin.py <<'END'
import time
def leaf(n):
    return sum(i * i for i in range(n))
def one(n):
    return leaf(n)
def two(n):
    return sorted(range(4), key=lambda x: one(n))
end = time.process_time() + 2
while time.process_time() < end:
    one(20), two(20)
END
exits 0 "stack of Python: exit 0" "$BPFPERF" stack -e cpu-clock -F 997 --user --format json -o spin.json -- "$PYTHON" spin.py
paths_are_possible Python python 200 "<module>=one,two; one=leaf; two=two.<locals>.<lambda>; two.<locals>.<lambda>=one; leaf=leaf.<locals>.<genexpr>"
ok "stack of Python: valid by the schema" python3 "$TOP/tests/formats.py" schema "$TOP/docs/profile.schema.json" spin.json
# A profile that is read again has its kinds, and shares stay when only one of them is shown.
total=$(sed -n 's/.*"samples":\([0-9]*\),"truncated".*"lost":.*/\1/p;q' spin.json)
for file in spin.json spin.html; do
	[ -e $file ] || "$BPFPERF" stack -i spin.json --format flame -o $file
	exits 0 "stack -i $file --kinds python: exit 0" "$BPFPERF" stack -i $file --kinds python --format folded -o kinds.folded
	is "$(awk '!/^\[recording\]/ { n += $NF } END { print n }' kinds.folded)" "$total" "stack -i $file --kinds python: all samples"
	like "$(cat kinds.folded)" "<module> .spin\.py.;two;two\.<locals>\.<lambda>;one;leaf" "stack -i $file --kinds python: its functions, one below the other"
	unlike "$(cat kinds.folded)" "PyObject|_start" "stack -i $file --kinds python: none of C"
done
exits 0 "stack --python=off: exit 0" "$BPFPERF" stack -e cpu-clock --python=off --format json -o off.json -- "$PYTHON" spin.py
unlike "$(cat off.json)" '"kind":"python"' "stack --python=off: no functions of Python"

# Off the CPU.
cat >sleep.py <<'END'
import time
def nap():
    time.sleep(0.02)
def main():
    for _ in range(20):
        nap()
main()
END
exits 0 "stack --off-cpu of Python: exit 0" "$BPFPERF" stack --off-cpu --format json -o off.json -- "$PYTHON" sleep.py
naps_are_counted Python main nap

# A recording: perf has each function as a mapping of its own, we have it as what it is.
exits 0 "record -g of Python: exit 0" "$BPFPERF" record -g -e cpu-clock -F 499 -o spin.data -- "$PYTHON" spin.py
"$BPFPERF" script -i spin.data >ours.txt 2>err
between "$(grep -c ' leaf+0x0 (.*spin\.py)$' ours.txt)" 200 5000 "record -g of Python: script names its functions"
exits 0 "report of Python: exit 0" "$BPFPERF" report -i spin.data --no-children -g none -o report.txt
like "$(cat report.txt)" "spin\.py +\[\.\] leaf" "record -g of Python: report has the file as the module"
# A program that another one follows in the same process maps its functions again.
cat >again.py <<'END'
import os, sys, time
def work():
    until = time.monotonic() + 0.5
    while time.monotonic() < until:
        sum(range(1000))
work()
if len(sys.argv) < 2:
    os.execv(sys.executable, [sys.executable, __file__, "again"])
END
exits 0 "record -g through exec: exit 0" "$BPFPERF" record -g -e cpu-clock -F 499 -o again.data -- "$PYTHON" again.py
"$BPFPERF" script -i again.data >ours.txt 2>err2
between "$(grep -c ' work+0x0 (.*again\.py)$' ours.txt)" $(($(summary samples) / 2)) "$(summary samples)" \
	"record -g through exec: both programs have their functions"
"$BPFPERF" script -i spin.data >ours.txt 2>err2
if command -v perf >/dev/null; then
	perf script -i spin.data >theirs.txt 2>/dev/null
	is "$(grep -c '(py::leaf:.*spin\.py)$' theirs.txt)" "$(grep -c ' leaf+0x0 (.*spin\.py)$' ours.txt)" \
		"record -g of Python: perf script has as many"
fi
done_testing
