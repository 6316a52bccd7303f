#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# A user with CAP_BPF and CAP_PERFMON can do all that root can, if tracefs is readable.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd setpriv prlimit

chmod 755 .
caps=+bpf,+perfmon,+dac_read_search
as_user() { # CMD…
	prlimit --memlock=8388608:8388608 setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps $caps --ambient-caps $caps "$@"
}
as_user true || skip_all "capabilities cannot be handed on here"
# The user need not reach the directory that the tree is in.
cp "$WORKLOADS"/{syscall_loop,renamer,spin} .

exits 0 "without root, doctor: exit 0" as_user "$BPFPERF" doctor
is "$(grep -cE '^(trace|stack) +ok ' out)" 2 "without root, doctor: trace and stack can run"
exits 0 "without root, trace --count: exit 0" as_user "$BPFPERF" trace --count --format csv syscalls:sys_enter_getppid -- \
	./syscall_loop 1009 getppid
is "$(sed -n 's/^syscalls:sys_enter_getppid,//p' out)" 1009 "without root, trace --count: each call is counted"
exits 0 "without root, trace -g: exit 0" as_user "$BPFPERF" trace -g --format csv syscalls:sys_enter_getppid -- \
	./syscall_loop 1009 getppid
is "$(grep -c ,syscalls:sys_enter_getppid, out) $(summary lost)" "1009 0" "without root, trace -g: each call has a record"
# Does this kernel set a limit?
limited=$(($(cat /proc/sys/kernel/perf_event_paranoid) >= 0 && $(cat /proc/sys/kernel/perf_event_mlock_kb) <= 2048))
[ $limited = 0 ] || like "$(cat err)" "rings are of [0-9]+ KiB per CPU, not [0-9]+" "without root, trace -g: rings are as large as may be locked"
exits 0 "without root, a classic tracepoint: exit 0" as_user "$BPFPERF" trace --max-events 3 task:task_rename -- ./renamer 7
exits 0 "without root, trace --overwrite: exit 0" as_user "$BPFPERF" trace --overwrite syscalls:sys_enter_getppid -- \
	./syscall_loop 1009 getppid
is "$(grep -c sys_enter_getppid: out)" 1009 "without root, trace --overwrite: records that the rings hold"
if [ $limited = 1 ]; then
	exits 1 "without root, trace -m SIZE: exit 1" as_user "$BPFPERF" trace -m 64M task:task_rename -- true
	like "$(cat err)" 'smaller -m' "without root, trace -m SIZE: the size is not reduced"
else
	skip_test "without root, trace -m SIZE" "there is no limit here"
fi
exits 0 "without root, stack: exit 0" as_user "$BPFPERF" stack -F 999 --format folded -- ./spin 0.5
between "$(awk '/^spin;/ { n += $NF } END { print n + 0 }' out)" 100 1000 "without root, stack: the command is sampled"
exits 0 "without root, record -g: exit 0" as_user "$BPFPERF" record -g -e cpu-clock -F 999 -o /dev/null -- ./spin 0.2
like "$(cat err)" 'unwind tables: ' "without root, record -g: stacks are taken by tables"
chmod 777 .
exits 0 "record -g of root without the capabilities: exit 0" setpriv --bounding-set=-bpf,-perfmon,-sys_admin \
	"$BPFPERF" -v record -g -e cpu-clock -F 999 -o none.data -- ./spin 0.2
like "$(cat err)" "by frame pointer, in perf's own rings: no permission to load" "record -g of root without the capabilities: stacks are taken by frame pointer"
between "$(summary samples)" 50 300 "record -g of root without the capabilities: samples have stacks"
exits 0 "without root, stat -a: exit 0" as_user "$BPFPERF" stat -a -x , -e cpu-clock,sched:sched_switch -- sleep 0.1
unlike "$(cat out)" '<not' "without root, stat -a: each event is counted"
done_testing
