// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "util/fs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "util/stop_signals.h"

/* The limit keeps an endless file such as /dev/zero from taking all memory. */
#define FILE_MAX_SZ (1ull << 30)

char *fs__read_file(const char *path, size_t *len_out)
{
	size_t cap = 4096, len = 0;
	char *buf = NULL, *bigger;
	int fd, saved;
	ssize_t n;

	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return NULL;
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
		n = read(fd, buf + len, cap - len - 1);
		if (n < 0 && errno == EINTR) {
			if (!stop_signals__pending())
				continue;
			errno = ECANCELED;
		}
		if (n < 0)
			goto fail;
		if (n == 0)
			break;
		len += (size_t)n;
		if (cap - len < 2)
			cap *= 2;
	}
	close(fd);
	buf[len] = '\0';
	if (len_out)
		*len_out = len;
	return buf;
fail:
	saved = errno;
	free(buf);
	close(fd);
	errno = saved;
	return NULL;
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
