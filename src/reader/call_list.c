// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "reader/call_list.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCH AUDIT_ARCH_AARCH64
#elif defined(__riscv)
#define ARCH AUDIT_ARCH_RISCV64
#elif defined(__powerpc64__)
#define ARCH AUDIT_ARCH_PPC64LE
#elif defined(__s390x__)
#define ARCH AUDIT_ARCH_S390X
#else
#error "the architecture's AUDIT_ARCH is not known"
#endif

/* Instructions of one row, at most; of what is before and behind the rows. */
#define ROW_CNT 6
#define FRAME_CNT 7

bool call_list__has(const struct call_row *rows, size_t cnt, uint32_t nr)
{
	size_t i;

	for (i = 0; i < cnt; i++)
		if (rows[i].nr == nr)
			return true;
	return false;
}

/* Offset of an argument's lower half: all that are compared fit into it. */
static uint32_t arg_off(uint32_t arg)
{
	uint32_t off = offsetof(struct seccomp_data, args) + arg * sizeof(uint64_t);

	return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? off + sizeof(uint32_t) : off;
}

/*
 * Appends the instructions of one row; the number of the system call is in the accumulator, before
 * and after them.
 */
static size_t add_row(struct sock_filter *f, const struct call_row *row)
{
	const struct sock_filter plain[] = {
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, row->nr, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_filter checked[ROW_CNT] = {
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, row->nr, 0, 5),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, arg_off(row->arg)),
		BPF_STMT(BPF_ALU | BPF_AND | BPF_K, row->mask),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, row->value, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	};

	if (row->mask)
		memcpy(f, checked, sizeof(checked));
	else
		memcpy(f, plain, sizeof(plain));
	return row->mask ? ROW_CNT : sizeof(plain) / sizeof(*plain);
}

int call_list__install(const struct call_row *rows, size_t cnt, uint32_t new_nr)
{
	const struct sock_filter head[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCH, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	};
	/* Also the numbers of x32, which have a bit that no row has. */
	const struct sock_filter tail[] = {
		BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, new_nr, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
	};
	struct sock_filter code[FRAME_CNT + CALL_ROWS_MAX * ROW_CNT];
	struct sock_fprog prog = { .filter = code };
	size_t at = sizeof(head) / sizeof(*head), i;

	if (cnt > CALL_ROWS_MAX)
		return -E2BIG;
	memcpy(code, head, sizeof(head));
	for (i = 0; i < cnt; i++)
		at += add_row(code + at, &rows[i]);
	memcpy(code + at, tail, sizeof(tail));
	prog.len = (unsigned short)(at + sizeof(tail) / sizeof(*tail));
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -errno;
	if (!syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &prog))
		return 0;
	return -errno;
}
