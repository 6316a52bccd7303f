#!/bin/busybox sh
# shellcheck shell=dash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# vm: --userland
# stack --unwind of a dynamically linked program: Debian's python3 of this kernel's suite.
# shellcheck source=lib.sh
. /vm/lib.sh

python3 /vm/unwindpy/unwind_py.py 60 &
pid=$!
sleep 1
exits 0 "stack --unwind=auto of python3" bpfperf -v stack -e cpu-clock:u -F 99 -p $pid --unwind=auto --no-inline \
	--duration 5 -o f.folded
kill $pid
n=$(samples f.folded) l=$(late_tables) w=$(samples f.folded '^[^;]*;(_start|.*clone)[; ]')
between "$n" 100 530 "stacks of python3: 99 % are whole ($w; $l early)"
between "$w" $(((n - l) * 99 / 100)) "$n" "99 % are whole ($w; $l early)" ||
	diag "$(grep -vE '^[^;]*;_start' f.folded | head -n 3; cat err)"
between "$l" 0 $((n / 2)) "stacks of python3: samples are in the interpreter"
between "$(samples f.folded 'Py_BytesMain')" $((n * 4 / 5)) "$n" "in the interpreter"

# Functions of Python, in their order, with the interpreter's between them.
if python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
	between "$(samples f.folded ';main;work[; ]')" $((n * 3 / 5)) "$n" "functions of Python are in the stacks"
	between "$(samples f.folded ';work;.*;leaf;leaf')" $((n / 20)) "$n" "functions that C calls are in the stacks"
	between "$(sed -nE 's/.* ([0-9]+) frames of an interpreter that cannot be read.*/\1/p' err | grep . || echo 0)" 0 $((n / 100)) \
		"functions of Python fit the others"
else
	between "$(grep -c 'Python older than 3.11' err)" 1 1 "a Python that is too old is told"
fi
done_testing
