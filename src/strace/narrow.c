// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "strace/narrow.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "strace/calls.h"

/* clang-format off */
static const struct {
	void (*print)(struct call_view *v, unsigned int arg);
	enum narrow narrow;
} layouts[] = {
	{ print_int_ptr, NARROW_SAME }, { print_fd_pair, NARROW_SAME },
	{ print_msg_len, NARROW_SAME }, { print_pollfds, NARROW_SAME },
	{ print_wait_status, NARROW_SAME }, { print_sigset, NARROW_SAME },
	{ print_statx, NARROW_SAME }, { print_open_how, NARROW_SAME },
	{ print_clone_args, NARROW_SAME }, { print_utsname, NARROW_SAME },
	{ print_cap_header, NARROW_SAME }, { print_cap_data, NARROW_SAME },
	{ print_sched_param, NARROW_SAME }, { print_landlock_ruleset, NARROW_SAME },
	{ print_landlock_rule, NARROW_SAME }, { print_perf_attr, NARROW_SAME },
	{ print_uring_params, NARROW_SAME }, { print_getdents, NARROW_SAME },
	{ print_rlimit_first, NARROW_SAME }, { print_fdset, NARROW_SAME },
#if defined(__x86_64__)
	/* It is packed there, in both kinds of programs. */
	{ print_epoll_event, NARROW_SAME }, { print_epoll_events, NARROW_SAME },
	{ print_stat, NARROW_STAT64 },
#endif
	{ print_timespec, NARROW_SIGNED }, { print_timeval, NARROW_SIGNED },
	{ print_timespec_pair, NARROW_SIGNED }, { print_timeval_pair, NARROW_SIGNED },
	{ print_itimerspec, NARROW_SIGNED }, { print_itimerval, NARROW_SIGNED },
	{ print_time_left, NARROW_SIGNED }, { print_futex_timeout, NARROW_SIGNED },
	{ print_rusage, NARROW_SIGNED }, { print_ulong_ptr, NARROW_UNSIGNED },
	{ print_rlimit, NARROW_UNSIGNED }, { print_iov, NARROW_POINTERS },
	{ print_iov_out, NARROW_POINTERS }, { print_msghdr, NARROW_POINTERS },
	{ print_argv, NARROW_POINTERS }, { print_envp, NARROW_POINTERS },
};
/* clang-format on */

/* The kernel's struct stat64 of i386 (arch/x86/include/uapi/asm/stat.h). */
struct stat64_i386 {
	uint64_t dev;
	uint32_t pad0, old_ino, mode, nlink, uid, gid;
	uint64_t rdev;
	uint32_t pad3;
	int64_t size;
	uint32_t blksize;
	uint64_t blocks;
	uint32_t atime, atime_nsec, mtime, mtime_nsec, ctime, ctime_nsec;
	uint64_t ino;
} __attribute__((packed));

_Static_assert(sizeof(struct stat64_i386) == 96, "the kernel's layout");
_Static_assert(sizeof(struct stat) <= 8 * NARROW_WORDS, "the widest structure");

static bool ends_with(const char *name, const char *end)
{
	size_t len = strlen(name), end_len = strlen(end);

	return len > end_len && strcmp(name + len - end_len, end) == 0;
}

/* Has a call times of 64 bits? */
static bool has_wide_times(const char *call)
{
	return ends_with(call, "time64");
}

enum narrow narrow__of(const struct arg_type *type, const char *call)
{
	size_t i;

	if (type->is_portable)
		return NARROW_SAME;
	for (i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++) {
		if (layouts[i].print != type->print)
			continue;
		if (layouts[i].narrow == NARROW_SIGNED && has_wide_times(call))
			return NARROW_SAME;
		if (type->print == print_rlimit && strcmp(call, "prlimit64") == 0)
			return NARROW_SAME;
		if (type->print == print_stat && !ends_with(call, "64"))
			return NARROW_UNKNOWN;
		return layouts[i].narrow;
	}
	return NARROW_UNKNOWN;
}

size_t narrow__sz(enum narrow n, size_t sz)
{
	switch (n) {
	case NARROW_SIGNED:
	case NARROW_UNSIGNED:
		return sz / 2;
	case NARROW_STAT64:
		return sizeof(struct stat64_i386);
	default:
		return sz;
	}
}

static void widen_stat(struct stat *to, const struct stat64_i386 *from)
{
	memset(to, 0, sizeof(*to));
	to->st_dev = from->dev;
	to->st_ino = from->ino;
	to->st_mode = from->mode;
	to->st_nlink = from->nlink;
	to->st_uid = from->uid;
	to->st_gid = from->gid;
	to->st_rdev = from->rdev;
	to->st_size = from->size;
	to->st_blksize = (blksize_t)from->blksize;
	to->st_blocks = (blkcnt_t)from->blocks;
	to->st_atim = (struct timespec){ (int)from->atime, from->atime_nsec };
	to->st_mtim = (struct timespec){ (int)from->mtime, from->mtime_nsec };
	to->st_ctim = (struct timespec){ (int)from->ctime, from->ctime_nsec };
}

size_t narrow__widen(enum narrow n, uint64_t *to, const void *from, size_t from_sz)
{
	const uint32_t *word = from;
	size_t i, cnt = from_sz / sizeof(*word);

	if (n == NARROW_STAT64) {
		if (from_sz < sizeof(struct stat64_i386))
			return 0;
		widen_stat((struct stat *)to, from);
		return sizeof(struct stat);
	}
	for (i = 0; i < cnt && i < NARROW_WORDS; i++) {
		/* The largest number stands for no limit. */
		if (n == NARROW_UNSIGNED)
			to[i] = word[i] == UINT32_MAX ? UINT64_MAX : word[i];
		else
			to[i] = (uint64_t)(int64_t)(int32_t)word[i];
	}
	return i * sizeof(*to);
}

const struct call_desc *narrow__desc(const char *call)
{
	static const char *const others[][2] = {
		{ "fstatat64", "newfstatat" },
		{ "mmap2", "mmap" },
		{ "_newselect", "select" },
		{ "ugetrlimit", "getrlimit" },
	};
	/* Numbers of 64 bits are two arguments, or there is one argument more. */
	static const char *const differ[] = { "truncate64", "ftruncate64", "statfs64", "fstatfs64",
					      "fadvise64_64" };
	static const char *const ends[] = { "_time64", "64", "32" };
	const struct call_desc *d = call_desc__find(call);
	char name[64];
	size_t i;

	for (i = 0; i < sizeof(differ) / sizeof(differ[0]); i++)
		if (strcmp(call, differ[i]) == 0)
			return NULL;
	for (i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (strcmp(call, others[i][0]) == 0)
			return call_desc__find(others[i][1]);
	for (i = 0; !d && i < sizeof(ends) / sizeof(ends[0]); i++) {
		if (!ends_with(call, ends[i]))
			continue;
		snprintf(name, sizeof(name), "%.*s", (int)(strlen(call) - strlen(ends[i])), call);
		d = call_desc__find(name);
	}
	return d;
}
