#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Who is not root, but has CAP_BPF and CAP_PERFMON, can do what root can; tracefs is to be read besides.
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

exits 0 "doctor" as_user "$BPFPERF" doctor
is "$(grep -cE '^(trace|stack) +ok ' out)" 2 "says that trace and stack can run"
exits 0 "trace --count" as_user "$BPFPERF" trace --count --format csv syscalls:sys_enter_getppid -- \
	"$WORKLOADS/syscall_loop" 1009 getppid
is "$(sed -n 's/^syscalls:sys_enter_getppid,//p' out)" 1009 "counts to the last"
exits 0 "trace -g" as_user "$BPFPERF" trace -g --format csv syscalls:sys_enter_getppid -- \
	"$WORKLOADS/syscall_loop" 1009 getppid
is "$(grep -c ,syscalls:sys_enter_getppid, out) $(summary lost)" "1009 0" "has each record"
# Where this kernel sets a limit.
limited=$(($(cat /proc/sys/kernel/perf_event_paranoid) >= 0 && $(cat /proc/sys/kernel/perf_event_mlock_kb) <= 2048))
[ $limited = 0 ] || like "$(cat err)" "rings are of [0-9]+ KiB per CPU, not [0-9]+" "in rings as large as may be locked"
exits 0 "a classic tracepoint" as_user "$BPFPERF" trace --max-events 3 task:task_rename -- "$WORKLOADS/renamer" 7
exits 0 "--overwrite" as_user "$BPFPERF" trace --overwrite syscalls:sys_enter_getppid -- \
	"$WORKLOADS/syscall_loop" 1009 getppid
is "$(grep -c sys_enter_getppid: out)" 1009 "has what the rings hold"
if [ $limited = 1 ]; then
	exits 1 "a size that was asked for" as_user "$BPFPERF" trace -m 64M task:task_rename -- true
	like "$(cat err)" 'smaller -m' "does not give way"
else
	skip_test "a size that was asked for" "there is no limit here"
fi
exits 0 "stack" as_user "$BPFPERF" stack -F 999 --format folded -- "$WORKLOADS/spin" 0.5
between "$(awk '/^spin;/ { n += $NF } END { print n + 0 }' out)" 100 1000 "samples the command"
exits 0 "record -g" as_user "$BPFPERF" record -g -e cpu-clock -F 999 -o /dev/null -- "$WORKLOADS/spin" 0.2
like "$(cat err)" 'unwind tables: ' "takes stacks by tables"
chmod 777 .
exits 0 "record -g of root without them" setpriv --bounding-set=-bpf,-perfmon,-sys_admin \
	"$BPFPERF" -v record -g -e cpu-clock -F 999 -o none.data -- "$WORKLOADS/spin" 0.2
like "$(cat err)" "by frame pointer, in perf's own rings: no leave to load" "takes them by frame pointer"
between "$(summary samples)" 50 300 "and has them"
exits 0 "stat -a" as_user "$BPFPERF" stat -a -x , -e cpu-clock,sched:sched_switch -- sleep 0.1
unlike "$(cat out)" '<not' "counts everybody"
done_testing
