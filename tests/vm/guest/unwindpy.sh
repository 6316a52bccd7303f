#!/bin/busybox sh
# shellcheck shell=dash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# vm: --userland
# stack --unwind of a dynamically linked program: Debian's python3 of this kernel's suite.
# shellcheck source=lib.sh
. /vm/lib.sh

samples() { # [REGEX]
	grep -v '^\[' f.folded | grep -E "${1:-.}" | awk '{ n += $NF } END { print n + 0 }'
}

late() {
	sed -nE 's/^bpfperf: ([0-9]+) of [0-9]+ user stacks are by frame pointers.*/\1/p
		s/^bpfperf: [0-9]+ of [0-9]+ user stacks are not complete:.* ([0-9]+) a table not yet there.*/\1/p' err |
		awk '{ n += $1 } END { print n + 0 }'
}

python3 /vm/unwindpy/unwind_py.py 60 &
pid=$!
sleep 1
exits 0 "stack --unwind=auto of python3" bpfperf -v stack -e cpu-clock:u -F 99 -p $pid --unwind=auto --no-inline \
	--duration 5 -o f.folded
kill $pid
n=$(samples) l=$(late) w=$(samples '^[^;]*;(_start|.*clone)[; ]')
between "$n" 100 530 "samples ($n)"
between "$w" $(((n - l) * 99 / 100)) "$n" "99 % are whole ($w; $l early)" ||
	diag "$(grep -vE '^[^;]*;_start' f.folded | head -n 3; cat err)"
between "$l" 0 $((n / 2)) "tables are soon there"
between "$(samples 'Py_BytesMain')" $((n * 4 / 5)) "$n" "in the interpreter"
done_testing
