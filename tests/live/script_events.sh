#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# script --show-*-events: records of mappings, tasks, switches and others among the samples, as perf script prints them.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
# shellcheck source=perf_text.bash
. "$TOP/tests/live/perf_text.bash"

all=(--show-mmap-events --show-task-events --show-switch-events --show-namespace-events --show-cgroup-events --show-lost-events
	--show-bpf-events)
lines() { # PATTERN: of what bpfperf printed last
	grep -c "$1" ours.raw
}

perf_record -q --namespaces --all-cgroups --switch-events -e task-clock:u -F 997 -o tasks.data -- \
	sh -c 'sh work.sh; unshare -u true' 2>err || fail "perf record of tasks" "$(cat err)"
both tasks "${all[@]}"
for record in MMAP2 COMM FORK EXIT SWITCH NAMESPACES CGROUP; do
	isnt "$(lines "PERF_RECORD_$record")" 0 "all records: there are some of $record"
done
both tasks -F comm,pid,tid,time,misc "${all[@]}"
like "$(grep -m 1 'PERF_RECORD_COMM exec' ours.raw)" ' E     ' "all records: the misc field tells an exec"
both tasks --show-task-events
is "$(lines 'PERF_RECORD_\(MMAP\|SWITCH\|NAMESPACES\|CGROUP\)')" 0 "--show-task-events: no other records"
both tasks
is "$(lines PERF_RECORD_)" 0 "without an option: no records"

# bpfperf's own recording, with switches of whole CPUs, and callchains.
"$BPFPERF" record -q -a --switch-events -g --call-graph fp -e cpu-clock:k -F 499 -o cpus.data -- sh work.sh 2>err ||
	fail "record -a --switch-events" "$(cat err)"
both cpus -F comm,pid,tid,cpu,time --show-switch-events --show-mmap-events
isnt "$(lines 'PERF_RECORD_SWITCH_CPU_WIDE OUT .* next pid/tid: ')" 0 "whole CPUs: switches have the next task"
isnt "$(lines 'PERF_RECORD_SWITCH_CPU_WIDE IN .* prev pid/tid: ')" 0 "whole CPUs: switches have the previous task"

# Rings of one page: losses stand in place.
perf_record -q --no-bpf-event -e raw_syscalls:sys_enter -m 1 -o small.data -- "$WORKLOADS/syscall_loop" 100003 >/dev/null 2>&1
both small --show-lost-events -F comm,tid,time
isnt "$(lines 'PERF_RECORD_LOST lost [1-9]')" 0 "small rings: losses have their numbers"

# Changes of code, of which a trace unit's recordings tell: in a function, at its begin, in none, and nowhere.
perf record -q -e cpu-clock,page-faults -F 997 -o timed.data -- sh work.sh >/dev/null 2>&1
at=$(awk '$3 == "vfs_read" { print $1 }' /proc/kallsyms)
ok "changes of code are made" python3 "$TOP/tests/live/made_data.py" pokes timed.data pokes.data "$at" 7fffff "$(printf %x $((0x$at + 18)))" 0 \
	"$(printf %x $((0x$at + 3)))"
both pokes --show-text-poke-events
both pokes --show-text-poke-events --show-task-events -F +misc
is "$(lines 'PERF_RECORD_TEXT_POKE')" 5 "--show-text-poke-events: each change is printed"
is "$(lines 'TEXT_POKE [0-9a-f]* vfs_read+0x[0-9a-f]* old len')" 3 "--show-text-poke-events: changes of a function have its name"
is "$(lines '^            New bytes: ')" 5 "--show-text-poke-events: the new bytes stand in lines"
both pokes --show-bpf-events
is "$(lines 'PERF_RECORD_TEXT_POKE')" 0 "--show-bpf-events: no changes of code"

# A pipe, and other formats.
perf record -q --no-bpf-event -e task-clock:u -F 997 -o - -- sh work.sh 2>err | "$BPFPERF" script -i - --show-task-events >ours.raw 2>err
between "$(lines PERF_RECORD_FORK)" 37 100 "a pipe: forks of all children"
exits 2 "--show-task-events of JSON: exit 2" "$BPFPERF" script -i tasks.data --show-task-events --format json
like "$(cat err)" 'show-\*-events is for --format text' "--show-task-events of JSON: it is said"
exits 2 "--show-task-events with -D: exit 2" "$BPFPERF" script -i tasks.data --show-task-events -D
done_testing
