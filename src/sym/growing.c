// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sym/growing.h"

#include <sys/stat.h>

#include "util/mono.h"

/* It is read again when it has grown by 1/N of what was read. */
#define GROWTH 8
/* Or after a pause of this many times the time that reading it took. */
#define PAUSE 8

bool growing__is_to_read(const struct growing *g, int fd)
{
	struct stat st;

	if (fstat(fd, &st) || (uint64_t)st.st_size == g->read_sz)
		return false;
	return (uint64_t)st.st_size > g->read_sz + g->read_sz / GROWTH ||
	       mono_ns() >= g->read_again_ns;
}

void growing__was_read(struct growing *g, uint64_t sz, uint64_t begin_ns)
{
	uint64_t end_ns = mono_ns();

	g->read_sz = sz;
	g->read_again_ns = end_ns + PAUSE * (end_ns - begin_ns);
}
