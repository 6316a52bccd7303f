#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# Tab completes a line, in a bash on a terminal.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd python3

exits 0 "--completion bash: exit 0" "$BPFPERF" --completion bash
mv out script
ok "--completion bash: valid syntax of bash" bash -n script
PATH=$(dirname "$BPFPERF"):$PATH
: >somefile.json

# The typed text, and its completion, up to the second bar.
while IFS= read -r line; do
	typed=${line%%|*} want=${line#*|}
	got=$(python3 "$TOP/tests/completion.py" "$TMP/script" "$typed" 2>&1)
	is "$got|" "$want" "$typed<Tab>"
done <<'END'
bpfperf tra|bpfperf trace |
bpfperf trace sched:sched_swi|bpfperf trace sched:sched_switch |
bpfperf trace raw_sysc|bpfperf trace raw_syscalls:sys_e|
bpfperf trace raw_syscalls:|bpfperf trace raw_syscalls:sys_e|
bpfperf -v trace sched:sched_swi|bpfperf -v trace sched:sched_switch |
bpfperf -v --btf somefile.json trace sched:sched_swi|bpfperf -v --btf somefile.json trace sched:sched_switch |
bpfperf trace 'sched:sched_swi|bpfperf trace 'sched:sched_switch' |
bpfperf trace sched:sched_wakeup,sched:sched_swi|bpfperf trace sched:sched_wakeup,sched:sched_switch |
bpfperf trace -e sched:sched_swi|bpfperf trace -e sched:sched_switch |
bpfperf stack -e cpu-cl|bpfperf stack -e cpu-clock |
bpfperf trace --max-ev|bpfperf trace --max-events=|
bpfperf trace --include-s|bpfperf trace --include-self |
bpfperf trace -o somef|bpfperf trace -o somefile.json |
bpfperf trace sched:sched_switch -- somef|bpfperf trace sched:sched_switch -- somefile.json |
bpfperf trace nosuchsystem:|bpfperf trace nosuchsystem:|
bpfperf record ./somef|bpfperf record ./somefile.json |
bpfperf stat -e cpu-cl|bpfperf stat -e cpu-clock |
bpfperf stack --diff somef|bpfperf stack --diff somefile.json |
END
done_testing
