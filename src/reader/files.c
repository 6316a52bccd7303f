// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "reader/files.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/log.h"

#define SECOND_NS 1000000000ull
#define TRUSTED_MAX_NS (60 * SECOND_NS)
#define OTHERS_MIN_NS (SECOND_NS / 10)
#define OTHERS_MAX_NS (5 * SECOND_NS)
#define BYTES_PER_SECOND (32ull << 20)
/* Further ones would tell no more. */
#define REPORTS_MAX 10

uid_t reader__owner_of(const int *fds, uint32_t cnt)
{
	struct stat st;
	uint32_t i;

	/* One file of another user suffices to take the reader over. */
	for (i = 0; i < cnt; i++)
		if (fds[i] >= 0 && !fstat(fds[i], &st) && !reader__is_trusted(st.st_uid))
			return st.st_uid;
	return 0;
}

/* Bytes that the files take on their disk: a hole costs its owner nothing. */
static uint64_t disk_sz(const int *fds, uint32_t cnt)
{
	uint64_t sz = 0;
	struct stat st;
	uint32_t i;

	for (i = 0; i < cnt; i++)
		if (!fstat(fds[i], &st))
			sz += 512ull * (uint64_t)st.st_blocks;
	return sz;
}

/* Is it a failure of the reader, not what an op has found? */
static bool is_failure(int err)
{
	return err == -ETIMEDOUT || err == -ECHILD || err == -EPROTO || err == -EDQUOT ||
	       err == -ENOMEM || err == -EIO;
}

void reader__report(const char *missing, const char *path, int err)
{
	static unsigned int cnt;

	if (is_failure(err) && __atomic_fetch_add(&cnt, 1, __ATOMIC_RELAXED) < REPORTS_MAX)
		log_warn("%s of %s are missing: %s", missing, path, reader__why(err));
}

static void report_fd(const char *missing, int fd, int err)
{
	char link[64], path[PATH_MAX];
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, path, sizeof(path) - 1);
	path[n > 0 ? n : 0] = '\0';
	reader__report(missing, path, err);
}

uint64_t reader__time_of(uid_t owner, const int *fds, uint32_t cnt)
{
	uint64_t parts, ns;

	if (reader__is_trusted(owner))
		return TRUSTED_MAX_NS;
	parts = disk_sz(fds, cnt) / (BYTES_PER_SECOND / 1024);
	ns = OTHERS_MIN_NS + parts * (SECOND_NS / 1024);
	return ns < OTHERS_MAX_NS ? ns : OTHERS_MAX_NS;
}

int reader__call_files(struct reader_call *call, struct strbuf *answer, uint64_t *generation)
{
	int err;

	call->owner = reader__owner_of(call->fds, call->fd_cnt);
	call->limit_ns = reader__time_of(call->owner, call->fds, call->fd_cnt);
	/* Its bytes bound it: a longer limit is of no use to others, and machines may be slow. */
	if (call->is_linear)
		call->limit_ns *= 2;
	err = reader__call(call, answer, generation);
	if (is_failure(err) && call->fd_cnt)
		report_fd(call->missing, call->fds[0], err);
	return err;
}
