#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# stack by unwind tables of programs without frame pointers: nearly all user stacks reach the outermost frame,
# and they are those that perf record --call-graph dwarf has of the same seconds.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd perf python3

SECS=4
value() { # KEY < compared
	tr ' ' '\n' <compared | sed -n "s/^$1=//p"
}

# User stacks of err's account that were taken before their tables were there.
late() {
	sed -nE 's/^bpfperf: ([0-9]+) of [0-9]+ user stacks are by frame pointers.*/\1/p
		s/^bpfperf: [0-9]+ of [0-9]+ user stacks are not complete:.* ([0-9]+) a table that was not built yet.*/\1/p' err |
		awk '{ n += $1 } END { print n + 0 }'
}

stack_of() { # PID FILE ARG…
	local pid=$1 file=$2

	shift 2
	"$BPFPERF" -v stack -e cpu-clock:u -F 499 -p "$pid" --python=off --no-inline -o "$file" "$@" 2>err
}

# CMD for some seconds: by us and by perf, beside each other.
both() { # NAME CMD…
	local name=$1 pid n w l

	shift
	"$@" >/dev/null &
	pid=$!
	reap $pid
	perf record -q --no-bpf-event -e cpu-clock:u -F 499 --call-graph dwarf,65528 -m 4096 -p $pid -o perf.data \
		-- sleep $SECS 2>perf.err &
	perf=$!
	ok "$name: stack --unwind=auto" stack_of $pid ours.folded --unwind=auto --duration $SECS || diag "$(cat err)"
	wait $perf
	kill $pid
	[ -s ours.folded ] || return
	perf script -i perf.data --no-inline --max-stack 500 -F ip,sym >theirs.txt 2>/dev/null
	rm -f perf.data
	python3 "$TOP/tests/live/unwind_stacks.py" ours.folded theirs.txt >compared 2>alone
	diag "$name: $(cat compared), $(late) early"
	n=$(value ours) w=$(value whole) l=$(late)
	between "$n" $((SECS * 20)) $((SECS * 520)) "$name: samples"
	between "$w" $(((n - l) * 99 / 100)) "$n" "$name: 99 % of stacks are whole"
	# The first second's, at most, while other tests run.
	between "$l" 0 499 "$name: tables are loaded soon"
	is "$(value ours_alone)" 0 "$name: perf has the stacks that we have"
	between "$(value cut_alone)" 0 "$l" "$name: stacks of perf but for those before the tables"
	is "$(value theirs_alone)" 0 "$name: we have those that perf has"
	diag "$(cat alone)"
	between "$(value shared)" 1 100000 "$name: stacks that both have"
}

both C "$WORKLOADS/unwind_c" calls 60
both "qsort and memcpy" "$WORKLOADS/unwind_c" sort 60
both recursion "$WORKLOADS/unwind_c" deep 60
both "signal handler" "$WORKLOADS/unwind_c" signal 60
both "system calls" "$WORKLOADS/unwind_c" kernel 60
both thread "$WORKLOADS/unwind_c" thread 60
if [ -x "$WORKLOADS/unwind_cxx" ]; then
	# One that does nothing but throw is in unwind_dumps.c.
	both "C++" "$WORKLOADS/unwind_cxx" mixed 60
fi
both python3 /usr/bin/python3 "$TOP/tests/workloads/unwind_py.py" 60

# A process begins in the loader, whose first function need not have frame information: the walk ends there all the same.
# shellcheck disable=SC2016 # CMD's
exits 0 "processes that begin: exit 0" "$BPFPERF" trace -g=user --unwind=auto -m 4M --format json -o begin.json \
	syscalls:sys_enter_brk -- sh -c 'i=0; while [ $i -lt 151 ]; do /bin/true; i=$((i + 1)); done'
between "$(grep -c sys_enter_brk begin.json)" 151 15100 "processes that begin: each asks for memory"
is "$(grep -c 'neither a rule nor a frame pointer' err)" 0 "processes that begin: no stack lacks its end"

# A handler returns to its trampoline, which has not called it, nor did what was interrupted: neither has a neighbour's name.
# Without debug files the trampoline is named by its frame information, which begins a byte before it.
exits 0 "signal trampoline: exit 0" "$BPFPERF" stack -e cpu-clock:u -F 499 --unwind=auto --no-inline -o ours.folded -- \
	"$WORKLOADS/unwind_c" signal 2
sed -nE 's/.*;([^;]*);handler;recurse;.* ([0-9]+)$/\2 \1/p' ours.folded >trampolines
n=$(awk '{ n += $1 } END { print n + 0 }' trampolines)
own=$(awk '$2 ~ /^(__restore_rt|__kernel_rt_sigreturn|\[libc\.so\.6\+0x[0-9a-f]*[0f]\])$/ { n += $1 } END { print n + 0 }' trampolines)
between "$n" 101 1020 "signal trampoline: handlers were at work"
# By frame pointer the interrupted function is unknown.
between "$own" $((n - $(late))) "$n" "signal trampoline: a frame above handlers"

# A handler's own stack: what perf copies ends with it.
exits 0 "signal stack: stack --unwind=auto" "$BPFPERF" stack -e cpu-clock:u -F 499 --unwind=auto --no-inline \
	-o ours.folded -- "$WORKLOADS/unwind_c" altstack 2
python3 "$TOP/tests/live/unwind_stacks.py" ours.folded >compared
n=$(value ours) l=$(late)
between "$(value whole)" $(((n - l) * 99 / 100)) "$n" "signal stack: 99 % of stacks are whole, of $n"
between "$(grep -cE ';main;.*;burn;[^;]*;handler;recurse;' ours.folded)" 1 1000 \
	"signal stack: through the interrupted function"

# Code of no file, from a process's start: callers of it are found by frame pointer, and counted as such.
exits 0 "JIT: stack --unwind=auto" "$BPFPERF" -v stack -e cpu-clock:u -F 499 --unwind=auto --no-inline -o ours.folded \
	-- "$WORKLOADS/unwind_c" jit 2
python3 "$TOP/tests/live/unwind_stacks.py" ours.folded >compared
n=$(value ours) l=$(late)
diag "JIT: $(cat compared), $l early"
between "$(value whole)" $(((n - l) * 99 / 100)) "$n" "JIT: 99 % of stacks are whole"
by_fp=$(sed -nE 's/^bpfperf: .*frames of user stacks, ([0-9]+) by frame pointers.*/\1/p
	s/^bpfperf: ([0-9]+) of [0-9]+ user frames are by frame pointers.*/\1/p' err)
between "$by_fp" $(((n - l) * 95 / 100)) $((n + 20 * (l + 1))) "JIT: one frame of each by frame pointer ($by_fp)"
# Which frame that is stands with it, everywhere.
exits 0 "JIT: trace -g" "$BPFPERF" trace -g=user -e syscalls:sys_enter_getppid --unwind=auto --format json \
	-o ours.json -- "$WORKLOADS/unwind_c" jit 1
read -r n whole marked < <(python3 - <<'END'
import json

n = whole = marked = 0
for line in open("ours.json", encoding="utf-8"):
    names = [(f.get("name"), f.get("by")) for f in json.loads(line).get("stack", [])]
    if not names:
        continue
    n += 1
    if names[-1][0] == "_start":
        whole += 1
        # Called by code without a name, which was called by jit().
        marked += [name for name, by in names if by] == ["jit"]
print(n, whole, marked)
END
)
diag "JIT: $n records, $whole whole, $marked with their frame marked; $(late) early"
between "$whole" $(((n - $(late)) * 99 / 100)) "$n" "JIT: stacks of records are whole"
between "$marked" $((whole * 95 / 100)) "$whole" "JIT: the frame found by frame pointer is marked, and no other"
exits 0 "JIT: stack --unwind=cfi" "$BPFPERF" stack -e cpu-clock:u -F 499 --unwind=cfi --no-inline -o ours.folded \
	-- "$WORKLOADS/unwind_c" jit 2
n=$(summary samples)
cut=$(sed -nE 's/^bpfperf: .* user stacks are not complete:.* ([0-9]+) neither a rule nor a frame pointer.*/\1/p' err)
between "${cut:-0}" $(((n - $(late)) * 85 / 100)) "$n" "JIT: no guesses; each stack that ends there is counted"

# Without tables such stacks are not whole.
exits 0 "stack --unwind=fp: exit 0" "$BPFPERF" stack -e cpu-clock:u -F 499 --unwind=fp --no-inline -o ours.folded \
	-- "$WORKLOADS/unwind_c" calls 1
# The dynamic linker's are: before its first calls, and where the register is still 0.
isnt "$(grep -c '^unwind_c;' ours.folded)" 0 "stack --unwind=fp: there are stacks"
is "$(grep -E '^unwind_c;_start;' ours.folded | grep -cE ';(__libc_start_main|main)')" 0 "stack --unwind=fp: no stack of the program is whole"
done_testing
