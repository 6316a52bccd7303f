#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# bpfperf strace: 32-bit programs, with the arguments and structures of their own interface; beside strace where it is installed.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"

[ "$(uname -m)" = x86_64 ] || skip_all "x86-64 alone has them"
need_cmd python3
cat >calls32.c <<'END'
typedef unsigned int u32;
static int call(int nr, const void *a, const void *b, const void *c, const void *d, const void *e)
{
	int ret;

	__asm__ volatile("int $0x80" : "=a"(ret) : "a"(nr), "b"(a), "c"(b), "d"(c), "S"(d), "D"(e) : "memory");
	return ret;
}
#define N(n) ((const void *)(n))
static char buf[4096];
static struct { u32 sec, sub; } time = { 0, 1009 }, left, zero;
static long long time64[2] = { 0, 1009 }, limit[2];
static struct { const void *base; u32 len; } iov[2] = { { "ab", 2 }, { "cdef", 4 } }, in[1] = { { buf, 10 } }, out[1] = { { "msg", 3 } };
static struct { const void *name; u32 name_len; void *iov; u32 cnt; const void *control; u32 control_len, flags; } msg = { 0, 0, out, 1, 0, 0, 0 };
static struct { unsigned short family; char path[20]; } un = { 1, "/none/such" };
static struct { int fd; short events, revents; } poll = { 3, 1, 0 };
static int pair[2], status;
static const char *argv[] = { "/none/such", "x y", 0 }, *envp[] = { "A=1", 0 };

void _start(void)
{
	call(5, "/etc/passwd", 0, 0, 0, 0);
	call(3, N(3), buf, N(20), 0, 0);
	call(197, N(3), buf, 0, 0, 0);
	call(195, "/etc/passwd", buf, 0, 0, 0);
	call(300, N(-100), "/etc/passwd", buf, 0, 0);
	call(162, &time, 0, 0, 0, 0);
	call(265, N(1), buf, 0, 0, 0);
	call(267, N(1), 0, &time, &left, 0);
	call(403, N(1), buf, 0, 0, 0);
	call(407, N(1), 0, time64, 0, 0);
	call(78, buf, 0, 0, 0, 0);
	call(146, N(1), iov, N(2), 0, 0);
	call(145, N(3), in, N(1), 0, 0);
	call(360, N(1), N(1), 0, pair, 0);
	call(362, N(pair[0]), &un, N(12), 0, 0);
	call(370, N(pair[0]), &msg, 0, 0, 0);
	msg.iov = in;
	call(372, N(pair[1]), &msg, 0, 0, 0);
	call(168, &poll, N(1), 0, 0, 0);
	call(309, &poll, N(1), &zero, 0, 0);
	call(340, 0, N(7), 0, limit, 0);
	call(191, N(7), buf, 0, 0, 0);
	call(122, buf, 0, 0, 0, 0);
	call(175, 0, 0, buf, N(8), 0);
	call(199, 0, 0, 0, 0, 0);
	call(221, N(3), N(3), 0, 0, 0);
	call(77, 0, buf, 0, 0, 0);
	call(42, pair, 0, 0, 0, 0);
	call(142, N(1), 0, 0, 0, &zero);
	call(11, argv[0], argv, envp, 0, 0);
	for (int i = 0; i < 401; i++)
		call(158, 0, 0, 0, 0, 0);
	if (call(2, 0, 0, 0, 0, 0) == 0)
		call(1, N(3), 0, 0, 0, 0);
	call(114, N(-1), &status, 0, buf, 0);
	call(252, N(7), 0, 0, 0, 0);
}
END
gcc -m32 -O1 -w -nostdlib -static -ffreestanding -fno-pic -no-pie -fno-stack-protector -o calls32 calls32.c 2>gcc.err ||
	skip_all "no compiler of 32-bit programs: $(head -n 1 gcc.err)"
./calls32 >/dev/null
[ $? = 7 ] || skip_all "the kernel runs no 32-bit programs"

exits 0 "strace of a 32-bit program: exit 0" "$BPFPERF" strace -o ours.txt ./calls32
is "$(summary lost)" 0 "strace of a 32-bit program: no record is lost"
is "$(grep -c ' sched_yield() ' ours.txt)" 401 "strace of a 32-bit program: every call is one line"
like "$(cat ours.txt)" 'open\("/etc/passwd", O_RDONLY\) += 3' "strace of a 32-bit program: arguments come from its own registers"
like "$(cat ours.txt)" 'fstat64\(3, \{st_mode=S_IFREG\|0[0-7]+, st_size=[0-9]+, \.\.\.\}\)' "strace of a 32-bit program: struct stat64"
like "$(cat ours.txt)" 'nanosleep\(\{tv_sec=0, tv_nsec=1009\}, NULL\)' "strace of a 32-bit program: times of 32 bits"
like "$(cat ours.txt)" 'clock_nanosleep_time64\(CLOCK_MONOTONIC, 0, \{tv_sec=0, tv_nsec=1009\}' "strace of a 32-bit program: times of 64 bits"
like "$(cat ours.txt)" 'writev\(1, \[\{iov_base="ab", iov_len=2\}, \{iov_base="cdef", iov_len=4\}\], 2\)' "strace of a 32-bit program: a vector"
like "$(cat ours.txt)" 'execve\("/none/such", \["/none/such", "x y"\], 0x[0-9a-f]+ /\* 1 var \*/\)' "strace of a 32-bit program: the arguments of execve"
exits 0 "trace of a 32-bit program: exit 0" "$BPFPERF" trace raw_syscalls:sys_enter -o trace.txt -- ./calls32
is "$(grep -c 'raw_syscalls:sys_enter: NR 3 (3, [0-9a-f]*, 14, ' trace.txt)" 1 "trace of a 32-bit program: arguments come from its own registers"

if ! command -v strace >/dev/null || ! strace -o x true 2>/dev/null; then
	skip_test "strace of a 32-bit program: the lines equal strace's" "strace is not installed, or may not trace here"
	done_testing
	exit
fi
strace -f -o theirs.txt ./calls32 >/dev/null 2>&1
python3 "$TOP/tests/live/strace_diff.py" theirs.txt ours.txt >diff.txt
between "$(tail -1 diff.txt | sed 's/^lines=//; s/ .*//')" 430 460 "strace of a 32-bit program: strace prints lines here"
is "$(grep -v '^lines=' diff.txt)" "" "strace of a 32-bit program: the lines equal strace's"
done_testing
