// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "util/only_fd.h"

#include <sys/syscall.h>
#include <unistd.h>

void only_fd__keep(int fd)
{
	dup2(fd, 0);
	/* Kernels before 5.9 have no such call. */
	if (syscall(SYS_close_range, 1, ~0U, 0))
		for (fd = (int)sysconf(_SC_OPEN_MAX); fd > 0; fd--)
			close(fd);
}
