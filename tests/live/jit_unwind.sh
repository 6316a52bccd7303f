#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# Live stacks through code of a JIT compiler, whose functions use the frame pointer for something else: they are whole by the
# unwinding information of its jit-PID.dump, while the dump grows, after functions were replaced, and beside damage.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"

# Starts the compiler; its process is $JIT_PID, commands go to it by tell.
start_jit() {
	coproc JIT { exec "$WORKLOADS/unwind_jit" "$TMP"; }
	jit=$JIT_PID
	reap "$jit"
}
end_jit() {
	kill "$jit"
	wait "$jit" 2>/dev/null
}
tell() { # COMMAND…
	echo "$*" >&"${JIT[1]}"
	read -r -t 20 <&"${JIT[0]}" || fail "unwind_jit answers within 20 s" "$*"
}

# Prints how many stacks end in a function, and how many of them have its callers.
stacks_of() { # FUNCTION < FOLDED
	awk -v name="$1" '{ cnt = $NF; sub(/ [0-9]+$/, "") }
		$0 ~ ";" name "$" { all += cnt } $0 ~ ";_start;.*;main;run;" name "$" { whole += cnt }
		END { print all + 0, whole + 0 }'
}
sampled() { # ARG…: of the compiler, for a second
	"$BPFPERF" -v stack -e cpu-clock:u -F 499 --no-inline --duration 1 -p "$jit" -o out.folded "$@" 2>err
}
all_whole() { # NAME FUNCTION
	local all whole

	read -r all whole < <(stacks_of "$2" <out.folded)
	between "$all" 11 520 "$1: samples with callers"
	is "$whole" "$all" "$1: all stacks have their callers" || diag "$(cat err out.folded)"
	unlike "$(cat err)" 'stacks are not complete' "$1: the summary has no complaint"
}
none_whole() { # NAME FUNCTION
	local all whole

	read -r all whole < <(stacks_of "$2" <out.folded)
	between "$all" 11 520 "$1: samples without callers"
	is "$whole" 0 "$1: no stack has its callers"
	# At the first instruction the frame pointer is what main() has there, and may end the stack.
	between "$(sed -nE 's/^bpfperf: .* user stacks are not complete: ([0-9]+) neither a rule.*/\1/p' err)" $((all * 9 / 10)) "$all" \
		"$1: the summary says that they are not complete"
}

start_jit
tell make 0 untold without
ok "no unwinding information: stack" sampled
none_whole "no unwinding information" without
tell make 1 told with
ok "unwinding information: stack" sampled
all_whole "unwinding information" with
is "$(sed -nE 's/^bpfperf: ([0-9]+) samples, ([0-9]+) lost, .*/\1 \2/p' err)" \
	"$(awk '/^\[recording\]/ { next } { n += $NF } END { print n, 0 }' out.folded)" \
	"unwinding information: each sample is in one stack, none is lost"
ok "unwinding information: stack --unwind=cfi" sampled --unwind=cfi
all_whole "unwinding information and --unwind=cfi" with
# Replaced at its address: by another frame, then by code of which nothing is known.
tell make 1 deep replacing
ok "replaced function: stack" sampled
all_whole "replaced function" replacing
tell make 1 untold unknown
ok "replaced by one without information: stack" sampled
none_whole "replaced by one without information" unknown
# 4 GB, where the dump has some hundred bytes.
tell make 2 huge boundless
ok "information of 4 GB: stack" sampled
none_whole "information of 4 GB" boundless
tell make 3 told beside
ok "beside information of 4 GB: stack" sampled
all_whole "beside information of 4 GB" beside

# A stack of `late` is awaited in a recording that began before it was made.
ok "new function: trace -g begins" start_bg trace.txt trace -g=user -e timer:hrtimer_expire_entry -p "$jit"
tell make 4 told late
has_late() {
	grep -q ' late+0x' trace.txt && awk '/ late\+0x/ { in_late = 1; next } in_late && / main\+0x/ { found = 1 } /^[^ \t]/ { in_late = 0 }
		END { exit !found }' trace.txt
}
ok "new function: its stacks become whole while it is traced" wait_for 30 has_late
stop_bg INT
is "$bg_rc" 0 "new function: trace -g ends well"
# From the start of a process on: all but the first stacks.
ok "new function: stack of all tasks" "$BPFPERF" stack -a -e cpu-clock:u -F 499 --no-inline --duration 1 -o out.folded
read -r all whole < <(stacks_of late <out.folded)
between "$whole" $((all * 9 / 10)) "$all" "stack -a: a process that ran before, $all stacks"

# A fork has its parent's code, and a dump of its own, which is empty.
ok "fork: trace -g begins" start_bg trace.json trace -g=user -e timer:hrtimer_expire_entry --format json -p "$jit"
child=
echo fork >&"${JIT[1]}"
ok "fork: there is a child" read -r -t 20 child <&"${JIT[0]}"
has_many() {
	[ "$(grep -c "\"pid\":$child,.*\"late\"" trace.json)" -ge 301 ]
}
ok "fork: its stacks arrive" wait_for 30 has_many
stop_bg INT
grep "\"pid\":$child,.*\"late\"" trace.json >child.json
is "$(grep -c '"late".*"run".*"main"' child.json)" "$(wc -l <child.json)" "fork: all stacks have the callers of its parent's function"

# Records behind damage are not read: the function has not even a name.
tell damage
tell make 5 told behind
ok "behind damage: stack" sampled
between "$(summary samples)" 11 520 "behind damage: samples"
is "$(grep -c ';main;run;' out.folded)" 0 "behind damage: no stack has the callers"
like "$(cat err)" '[0-9]+ of [0-9]+ user stacks are not complete' "behind damage: the summary says that stacks are not complete"
end_jit

start_jit
tell make 0 told before
tell damage
ok "before damage: stack" sampled
all_whole "before damage" before
# A dump without a head of its own.
truncate -s 0 "jit-$jit.dump"
ok "empty dump: stack" sampled
between "$(summary samples)" 11 520 "empty dump: all samples are there"
end_jit

# From the start of the process on, and of another user: all but the first stacks.
mkdir theirs
chmod 711 .
chown 65534 theirs
# shellcheck disable=SC2016 # of the shell that is sampled
"$BPFPERF" stack -e cpu-clock:u -F 499 --no-inline -o out.folded -- sh -c '{ echo make 0 told young; sleep 2; } |
	setpriv --reuid 65534 --clear-groups "$@"' sh "$WORKLOADS/unwind_jit" "$TMP/theirs" >out 2>err
read -r all whole < <(stacks_of young <out.folded)
between "$all" 51 1100 "another user's process from its start on: samples"
between "$whole" $((all * 2 / 3)) "$all" "another user's process from its start on, $all stacks"

# CPython's own: its functions call those that it compiled, and these call it.
cat >busy.py <<'END'
import sys, time
def leaf(n):
    return sum(i * i for i in range(n))
def top(n):
    return leaf(n) + leaf(n + 1)
def main():
    top(1)
    # Compiled later, so that the dump's part of the functions above leaves the buffer.
    for i in range(64):
        exec(f"def later{i}(): pass\nlater{i}()")
    print(flush=True)
    end = time.monotonic() + 20
    while time.monotonic() < end:
        top(500)
main()
END
for python in "${PYTHON:-python3}" python3.13 python3.14 python3.15; do
	"$python" -c 'import sys; sys.exit(sys.version_info < (3, 13) or not hasattr(sys, "activate_stack_trampoline"))' \
		2>err && break
	python=
done
if [ -n "$python" ]; then
	python=$("$python" -c 'import os, sys; print(os.path.realpath(sys.executable))')
	coproc JIT { exec "$python" -X perf_jit busy.py; }
	jit=$JIT_PID
	reap "$jit"
	ok "CPython -X perf_jit: it is busy" read -r -t 20 <&"${JIT[0]}"
	ok "CPython -X perf_jit: stack" sampled --python=off
	between "$(summary samples)" 51 520 "CPython -X perf_jit: samples"
	unlike "$(cat err)" 'stacks are not complete' "CPython -X perf_jit: all stacks are whole"
	between "$(grep -c ';py::main:.*;py::top:.*;py::leaf:' out.folded)" 1 1000 "CPython -X perf_jit: stacks have its functions"
	end_jit
	rm -f "/tmp/jit-$jit.dump"
else
	skip_test "CPython -X perf_jit: all stacks are whole" "needs a Python of 3.13 or later"
fi
done_testing
