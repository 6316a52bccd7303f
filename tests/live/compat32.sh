#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# 32-bit programs, which have no unwind tables: their user stacks are the kernel's, and none is left out.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"

[ "$(uname -m)" = x86_64 ] || skip_all "x86-64 alone has them"
cat >spin32.c <<'END'
static long call(long nr, long arg)
{
	long ret;

	__asm__ volatile("int $0x80" : "=a"(ret) : "a"(nr), "b"(arg) : "memory");
	return ret;
}
__attribute__((noinline)) void inner32(void)
{
	for (volatile unsigned int i = 0; i < 500000; i++)
		;
	call(64, 0); /* getppid */
}
__attribute__((noinline)) void outer32(void)
{
	inner32();
	__asm__ volatile("" ::: "memory");
}
void _start(void)
{
	for (int i = 0; i < 1009; i++)
		outer32();
	call(1, 0);
}
END
gcc -m32 -O1 -g -fno-omit-frame-pointer -nostdlib -static -ffreestanding -fno-pic -no-pie -o spin32 spin32.c \
	2>gcc.err || skip_all "no compiler of 32-bit programs: $(head -n 1 gcc.err)"
./spin32 || skip_all "the kernel runs no 32-bit programs"

for how in auto fp; do
	exits 0 "stack --unwind $how of a 32-bit program: exit 0" "$BPFPERF" stack -F 499 --unwind $how -o $how.folded -- ./spin32
	all=$(awk '/^spin32/ { n += $NF } END { print n + 0 }' $how.folded)
	between "$all" 20 100000 "stack --unwind $how of a 32-bit program: there are samples"
	between "$(awk '/^spin32;.*_start;outer32;inner32/ { n += $NF } END { print n + 0 }' $how.folded)" \
		$((97 * all / 100)) "$all" "stack --unwind $how of a 32-bit program: samples have their callers"
done
exits 0 "trace -g of a 32-bit program: exit 0" "$BPFPERF" trace -g=user raw_syscalls:sys_enter -o trace.txt -- ./spin32
is "$(grep -c 'NR 64 ' trace.txt)" 1009 "trace -g of a 32-bit program: each of its calls"
is "$(grep -c 'inner32+' trace.txt)" 1009 "trace -g of a 32-bit program: each call with its stack"
for format in json csv perfetto; do
	exits 0 "trace --format $format of a 32-bit program: exit 0" \
		"$BPFPERF" trace 'raw_syscalls:*' --comm spin32 --format $format -o out.$format -- ./spin32
done
is "$(grep -c '"event":"raw_syscalls:sys_enter".*"syscall":"getppid"' out.json)" 1009 "JSON: a 32-bit call has its own name"
is "$(grep -c '"event":"raw_syscalls:sys_exit".*"syscall":"getppid"' out.json)" 1009 "JSON: the end of a 32-bit call has its own name"
is "$(grep -c 'raw_syscalls:sys_enter.*,getppid,' out.csv)" 1009 "CSV: a 32-bit call has its own name"
is "$(grep -o '"name":"[a-z]*","cat":"syscall"' out.perfetto | grep -c getppid)" 1009 "perfetto: a 32-bit call has its own name"
is "$(cat out.json out.csv out.perfetto | grep -c semget)" 0 "a 32-bit call never has the name that its number has in 64 bits"
exits 0 "--count of 32-bit calls by name: exit 0" "$BPFPERF" trace --count raw_syscalls:sys_enter syscalls:sys_enter_getppid -- ./spin32
like "$(cat out)" ' 1010  raw_syscalls:sys_enter' "--count of 32-bit calls by name: all are counted"
ok "--count of 32-bit calls by name: none under the name of a 64-bit call" test "$(grep -c getppid out)" = 0
done_testing
