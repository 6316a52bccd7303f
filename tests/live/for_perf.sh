#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# perf's own commands and our recordings: pipes for perf report and perf script, and stacks of tracepoints without the
# records of these. PERFS="perf /path/of/another/perf": more versions of it.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd perf python3

cat >work.sh <<'END'
i=0
while [ $i -lt 300 ]; do i=$((i + 1)); /bin/true; done
dd if=/dev/zero of=/dev/null bs=64k count=10000
END

# Prints the sizes of a pipe's records that are no multiple of 8, which perf takes for the end since 6.13.
odd_sizes() { # FILE
	python3 - "$1" <<'END'
import struct, sys

data = open(sys.argv[1], "rb").read()
at, cnt = 16, 0
while at + 8 <= len(data):
    kind, _, size = struct.unpack_from("<IHH", data, at)
    if size % 8:
        print(kind, size)
    blob = struct.unpack_from("<I", data, at + 8)[0] if kind == 66 else 0
    at += size + (blob + 7) // 8 * 8
    cnt += 1
print("bytes left:", len(data) - at, "records:", cnt > 20)
END
}
rows() { # CMD…
	"$@" 2>/dev/null | grep -c '%.*\[[k.]\]'
}

"$BPFPERF" record -g -e cpu-clock -F 997 -o - -- sh work.sh >record.pipe 2>err
"$BPFPERF" record -g -e sched:sched_switch,cpu-clock -o - -- sh work.sh >switch.pipe 2>err
"$BPFPERF" stack -F 997 --format perf -o - -- sh work.sh >stack.pipe 2>err
"$BPFPERF" trace -g sched:sched_switch --format perf -o - -- sh work.sh >trace.pipe 2>err
for name in record switch stack trace; do
	is "$(odd_sizes $name.pipe)" "bytes left: 0 records: True" "pipe of $name: the size of each record is a multiple of 8"
	"$BPFPERF" script -i $name.pipe >ours.txt 2>err
	want=$(grep -c '^[^ 	]' ours.txt)
	isnt "$want" 0 "pipe of $name: there are samples"
	for perf in ${PERFS:-perf}; do
		ok "perf report of a pipe of $name: exit 0" bash -c "'$perf' report -i - <$name.pipe"
		isnt "$(rows "$perf" report -i - -s sym -g none <$name.pipe)" 0 "perf report of a pipe of $name: functions"
		is "$("$perf" script -i - <$name.pipe 2>/dev/null | grep -c '^[^ 	]')" "$want" "perf script of a pipe of $name: all samples"
		like "$("$perf" report --header-only -i - <$name.pipe 2>/dev/null)" "hostname : $(hostname)" \
			"perf report of a pipe of $name: the head"
	done
done

# Groups are told, in files and pipes.
"$BPFPERF" record -q -e '{cpu-clock,page-faults}' -e task-clock -o group.data -- sh work.sh
"$BPFPERF" record -q -e '{cpu-clock,page-faults}' -e task-clock -o - -- sh work.sh >group.pipe
for perf in ${PERFS:-perf}; do
	like "$("$perf" report --header-only -i group.data 2>/dev/null)" 'group: \{cpu-clock,page-faults\}' "perf report of a group: the head has it"
	like "$("$perf" report --group -i group.data 2>/dev/null)" "anon group \{ cpu-clock, page-faults \}.*event 'task-clock'" \
		"perf report --group of a group: one table for its events"
	like "$("$perf" report --group -i - <group.pipe 2>/dev/null)" "anon group \{ cpu-clock, page-faults \}" "perf report of a pipe with a group"
done

# Addresses in fields are named by the kernel's mapping, without which perf kmem crashes.
"$BPFPERF" trace kmem:kmalloc kmem:kfree -o kmem.data -- sh work.sh 2>err
for perf in ${PERFS:-perf}; do
	ok "perf kmem of trace's recording: exit 0" "$perf" kmem -i kmem.data stat --caller
	isnt "$("$perf" script -i kmem.data -F trace 2>/dev/null | grep -c 'call_site=[a-z_]')" 0 "perf script of trace's recording: call sites have names"
done

# Signals that end a program that has crashed.
crashes() { # CMD…
	local rc

	timeout 60 "$@" </dev/null >crash.out 2>&1
	rc=$?
	case $((rc - 128)) in
	4 | 6 | 7 | 8 | 11) echo "signal $((rc - 128)): $*" ;;
	esac
}
"$BPFPERF" stack -e sched:sched_switch --format perf -o stack.data -- sh work.sh 2>err
"$BPFPERF" record -g --unwind cfi -e sched:sched_switch -o cfi.data -- sh work.sh >err 2>&1
for name in stack cfi; do
	"$BPFPERF" script -i $name.data >ours.txt 2>err
	for perf in ${PERFS:-perf}; do
		for command in "report" "report -s sym" "script" "annotate --stdio" "sched latency" "sched script" "sched map" \
			"sched timehist" "sched replay -r 1" "kmem stat" "lock report" "kvm stat report" "timechart -o time.svg" \
			"kwork report" "inject -s -o inj.data" "evlist -v" "mem report" "c2c report --stdio" \
			"data convert --force --to-json out.json"; do
			# shellcheck disable=SC2086
			set -- $command
			case $1 in
			data) set -- "$1" "$2" -i "$name.data" "${@:3}" ;;
			*) set -- "$1" -i "$name.data" "${@:2}" ;;
			esac
			is "$(crashes "$perf" "$@")" "" "perf $command of $name without records: no crash"
		done
		is "$("$perf" script --no-inline -i $name.data -F comm,tid,event,ip 2>/dev/null | grep -cE '^\s+[0-9a-f]+')" \
			"$("$BPFPERF" script -i $name.data -F comm,tid,event,ip 2>/dev/null | grep -cE '^\s+[0-9a-f]+')" \
			"perf script of $name without records: all frames"
		like "$("$perf" report -i $name.data 2>/dev/null | grep '^# Samples')" "event 'sched:sched_switch'" \
			"perf report of $name without records: the event's name"
	done
done
done_testing
