// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "util/fs.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "util/stop_signals.h"

/* The limit keeps an endless file such as /dev/zero from taking all memory. */
#define FILE_MAX_SZ (1ull << 30)

/* Reads once, and waits for the writer of a pipe. -1 and errno. */
static ssize_t read_some(int fd, char *buf, size_t sz)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	ssize_t n;

	while ((n = read(fd, buf, sz)) < 0 && (errno == EINTR || errno == EAGAIN)) {
		if (stop_signals__pending()) {
			errno = ECANCELED;
			break;
		}
		/* Another process may have made the pipe non-blocking. */
		if (errno == EAGAIN)
			poll(&p, 1, -1);
	}
	return n;
}

char *fs__read_fd(int fd, size_t *len_out)
{
	size_t cap = 4096, len = 0;
	char *buf = NULL, *bigger;
	int saved;
	ssize_t n;

	for (;;) {
		if (len >= FILE_MAX_SZ) {
			errno = EFBIG;
			goto fail;
		}
		bigger = realloc(buf, cap);
		if (!bigger)
			goto fail;
		buf = bigger;
		/* One byte stays free for the NUL. */
		n = read_some(fd, buf + len, cap - len - 1);
		if (n < 0)
			goto fail;
		if (n == 0)
			break;
		len += (size_t)n;
		if (cap - len < 2)
			cap *= 2;
	}
	buf[len] = '\0';
	if (len_out)
		*len_out = len;
	return buf;
fail:
	saved = errno;
	free(buf);
	errno = saved;
	return NULL;
}

int fs__open_waiting(const char *path)
{
	int fd;

	while ((fd = open(path, O_RDONLY | O_CLOEXEC)) < 0 && errno == EINTR)
		if (stop_signals__pending())
			return -ECANCELED;
	return fd < 0 ? -errno : fd;
}

char *fs__read_file(const char *path, size_t *len_out)
{
	int fd = fs__open_waiting(path), saved;
	char *buf;

	if (fd < 0) {
		errno = -fd;
		return NULL;
	}
	buf = fs__read_fd(fd, len_out);
	saved = errno;
	close(fd);
	errno = saved;
	return buf;
}

struct dirent *fs__next_entry(DIR *dir, int *err)
{
	struct dirent *entry;

	errno = 0;
	entry = readdir(dir);
	if (!entry && errno)
		*err = -errno;
	return entry;
}

static __thread int read_error;

/*
 * The names by which libelf and libdw read: a symbol of the program comes before the C library's.
 * They take a part that cannot be read for one that is not there; their next call changes errno.
 */
ssize_t pread(int fd, void *buf, size_t sz, off_t off)
{
	ssize_t n = syscall(SYS_pread64, fd, buf, sz, off);

	if (n < 0)
		read_error = -errno;
	return n;
}

ssize_t pread64(int fd, void *buf, size_t sz, off64_t off) __attribute__((alias("pread")));

ssize_t fs__pread(int fd, void *buf, size_t sz, off_t off)
{
	ssize_t n;

	do
		n = pread(fd, buf, sz, off);
	while (n < 0 && errno == EINTR);
	return n;
}

int fs__take_read_error(void)
{
	int err = read_error;

	read_error = 0;
	return err;
}

FILE *fs__open_lines(const char *path, char *buf, size_t sz)
{
	FILE *f = fopen(path, "re");

	if (f)
		setvbuf(f, buf, _IOFBF, sz);
	return f;
}

int fs__read_long(const char *path, long *val)
{
	char *text = fs__read_file(path, NULL), *end;
	int err = 0;

	if (!text)
		return -errno;
	errno = 0;
	*val = strtol(text, &end, 0);
	if (end == text || errno)
		err = -EINVAL;
	free(text);
	return err;
}
