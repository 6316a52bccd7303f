#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# Calls of bpf(2) and mmap(2) that fail while programs are loaded: one sentence and exit 1, or the whole run.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd strace

strace -f -o traced -e trace=bpf -e inject=bpf:error=ENOMEM:when=1 true 2>/dev/null || skip_all "strace cannot inject here"

# Runs bpfperf with the call numbered N failing. Prints what is wrong.
outcome() { # CALL N ARG…
	local call=$1 n=$2 rc

	shift 2
	timeout 30 strace -f -o traced -e trace="$call" -e inject="$call":error=ENOMEM:when="$n" "$BPFPERF" "$@" -- true \
		>/dev/null 2>err
	rc=$?
	case $rc in
	0) ;;
	1) grep -q '^bpfperf: error: ' err || echo "$call $n: exit 1 without a message" ;;
	*) echo "$call $n: exit $rc: $(head -n 1 err)" ;;
	esac
}

# Prints how often the call is made in a run.
count_of() { # CALL ARG…
	local call=$1

	shift
	strace -f -o traced -e trace="$call" "$BPFPERF" "$@" -- true >/dev/null 2>&1
	grep -c " $call(" traced
}

# The calls of mmap(2) that load libraries are the dynamic linker's.
own_from=$(strace -f -o traced -e trace=mmap "$BPFPERF" --version >/dev/null 2>&1 && grep -c ' mmap(' traced)
for way in "trace -o /dev/null task:task_rename" "trace -g -o /dev/null syscalls:sys_enter_getppid" \
	"stack -F 99 --format folded -o /dev/null" "stat -e page-faults -o /dev/null" "record -q -e cpu-clock -o /dev/null"; do
	read -ra args <<<"$way"
	for call in bpf mmap; do
		first=1
		[ $call = bpf ] || first=$((own_from + 1))
		cnt=$(count_of $call "${args[@]}")
		[ "$cnt" -ge "$first" ] || continue
		# Questions of libbpf to the kernel come first: each of them fails, and of the other calls one in nine.
		wrong=$(for ((n = first; n <= cnt; n += n < first + 20 ? 1 : 9)); do
			outcome $call $n "${args[@]}"
		done)
		is "$wrong" "" "$way: each failing $call is reported, or does no harm"
	done
done

# The question whether the kernel can map the memory of programs fails; the call is the one that makes a mappable array.
at=$(strace -f -o traced -e trace=bpf "$BPFPERF" trace -o /dev/null task:task_rename -- true 2>/dev/null &&
	grep ' bpf(' traced | grep -n -m 1 BPF_F_MMAPABLE | cut -d: -f1)
for way in "trace task:task_rename -o /dev/null" "stack -F 99 --unwind=fp --format folded -o /dev/null"; do
	read -ra args <<<"$way"
	outcome bpf "$at" "${args[@]}" >/dev/null
	like "$(cat err)" "error: cannot load the BPF programs: their memory cannot be mapped; free some memory, " \
		"${args[0]}: memory of programs that cannot be mapped is reported with its remedy"
done
done_testing
