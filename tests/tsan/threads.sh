#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Every thread of the commands under ThreadSanitizer: no data race, no lock in another order, no thread that is left.
# $OTSAN: the build with SAN=thread (build-tsan). TSAN_LIVE="stack why": files of tests/live, too, of which only reports count.
OTSAN=${OTSAN:-$(cd "$(dirname "$0")/../.." && pwd)/build-tsan}
export TSAN_PROGRAM=$OTSAN/bpfperf
. "$(dirname "$0")/../lib.sh"
[ -x "$TSAN_PROGRAM" ] || skip_all "it is not built: make SAN=thread all"
need_cmd setarch gcc python3
# This sanitizer expects the mappings of a program where they are without chance. Readers (reader/host.h) are processes of one
# thread, and cannot open a file for a report.
cat >tsan <<-'END'
	#!/bin/bash
	exec setarch "$(uname -m)" -R "$TSAN_PROGRAM" "$@"
END
chmod +x tsan
BPFPERF=$TMP/tsan
# shellcheck source=../live/live.bash
. "$TOP/tests/live/live.bash"
export TSAN_OPTIONS="log_path=$TMP/report history_size=7 second_deadlock_stack=1"

# Passes if no report was written; the reports are printed and removed.
is_clean() { # NAME
	local file found=0

	for file in report.*; do
		[ -e "$file" ] || continue
		found=1
		diag "$(head -n 100 "$file")"
		rm -f "$file"
	done
	tap_result $found "$1: no report"
}
clean() { # NAME ARG…
	local name=$1

	shift
	exits 0 "$name: exit 0" "$BPFPERF" "$@"
	is_clean "$name"
}

# Two threads that write what no lock protects.
cat >racy.c <<-'END'
	#include <pthread.h>
	static int cnt;
	static void *add(void *arg)
	{
		int i;

		for (i = 0; i < 1000; i++)
			cnt++;
		return arg;
	}
	int main(void)
	{
		pthread_t thread;

		pthread_create(&thread, 0, add, 0);
		add(0);
		return pthread_join(thread, 0);
	}
END
gcc -g -fsanitize=thread racy.c -o racy -lpthread
setarch "$(uname -m)" -R ./racy 2>err
ok "a race of two threads is reported" grep -q 'data race' report.*
rm -f report.*

# Files that are mapped for the first time, and processes that start and end: tables, their updates, and names read ahead.
cat >load.sh <<-'END'
	for i in 1 2 3; do
		"$1/short_lived" 53 1
		"$1/unwind_cxx" 0.1
		python3 -c 'import json, socket, ssl; sum(range(1000000))'
	done
END
load=(bash load.sh "$WORKLOADS")

clean "stack" stack -F 999 -o cpu.folded -- "${load[@]}"
clean "stack -a" stack -a -F 999 -o all.html -- "${load[@]}"
clean "stack --off-cpu" stack -a --off-cpu --wakers -o off.json -- "$WORKLOADS/sched_pingpong" 1009
clean "stack -e TRACEPOINT" stack -e syscalls:sys_enter_getppid -c 1 -o calls.folded -- "$WORKLOADS/threads" 5 1009
clean "stack -o FILE.data" stack -F 999 -o cpu.data -- "${load[@]}"
clean "stack --every" stack -a -F 999 --every 200ms -o 'part-%t.folded' -- "${load[@]}"
python3 "$TOP/tests/live/store_server.py" "$TMP" 2>server.err &
reap $!
wait_for 20 test -s port
clean "stack --to" stack -a -F 999 --every 200ms --spool spool --metrics "$TMP/metrics" --to "http://127.0.0.1:$(cat port)" -- "${load[@]}"
clean "trace -g" trace -a -g sched:sched_switch -o trace.txt -- "${load[@]}"
clean "trace of probes" trace "u:$WORKLOADS/spin:spin_outer" -o probe.txt -- "$WORKLOADS/spin" 3
clean "trace --overwrite" trace -a -g --overwrite --trigger sched:sched_process_exit --max-events 1009 sched:sched_switch -o flight.txt -- "${load[@]}"
clean "latency -g" latency -a -g --each runq -o each.txt -- "${load[@]}"
clean "why" why -o why.json -- "$WORKLOADS/culprit" lock
clean "strace -k" strace -o strace.txt -- "${load[@]}"
clean "stat -I" stat -a -I 100 -e cpu-clock,context-switches -o stat.txt -- "${load[@]}"
clean "record -g" record -a -g -F 999 -z -o rec.data -- "${load[@]}"
clean "record --switch-output" record -a -g -F 999 --switch-output=1s -o parts.data -- "${load[@]}"
clean "record --call-graph dwarf" record --call-graph dwarf -F 999 -o dwarf.data -- "${load[@]}"
for file in cpu rec dwarf; do
	clean "script -i $file.data" script -i $file.data
	clean "report -i $file.data" report -i $file.data
	clean "report -i $file.data --format json" report -i $file.data --format json -o $file.json
done
clean "stack -i" stack -i off.json

"$WORKLOADS/spin" 600 >spun &
spin=$!
reap $spin
PYTHONDONTWRITEBYTECODE=1 timeout 300 python3 "$TOP/tests/live/top.py" "$BPFPERF" $spin "$TMP" >said
is $? 0 "stack --top: the session came to its end"
is_clean "stack --top"

# The lock of a process that detaches: a thread waits for it.
exec 9<"$TRACEFS"
flock 9
sleep 3 &
exec 9<&-
clean "trace beside a process that detaches" trace sched:sched_process_exec --max-events 1 -o exec.txt -- "${load[@]}"
like "$(cat err)" 'waiting for another process' "trace beside a process that detaches: its thread has waited"

for name in ${TSAN_LIVE:-}; do
	BPFPERF=$BPFPERF timeout 900 bash "$TOP/tests/live/$name.sh" >live.tap 2>&1
	ok "$name.sh: it has run" grep -q '^1\.\.[1-9]' live.tap
	is_clean "$name.sh"
done
done_testing
