// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "util/present.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

/* Linux 5.14; headers may be older. */
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

/* Fewer bytes than this are not worth a call. */
#define WORTH_SZ (32u << 10)

void present__make(void *p, size_t sz)
{
	const uintptr_t mask = (uintptr_t)sysconf(_SC_PAGESIZE) - 1;
	const uintptr_t begin = ((uintptr_t)p + mask) & ~mask;
	const uintptr_t end = ((uintptr_t)p + sz) & ~mask;

	if (sz >= WORTH_SZ && end > begin)
		madvise((void *)begin, end - begin, MADV_POPULATE_WRITE);
}
