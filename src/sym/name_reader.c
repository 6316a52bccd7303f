// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sym/name_reader.h"

#include <stdlib.h>

/* A table up to this size is read at once: the names of .dynsym are unordered. */
#define WHOLE_SZ (8u << 20)
/* A longer table is read through a window of this size. */
#define WINDOW_SZ 65536
/* Maximum number of bytes of a name that are read. */
#define ENOUGH_SZ 256

struct name_reader {
	struct elf_image img;
	uint64_t off, sz; /* of the table */
	uint64_t at, len; /* of the window within the table */
	size_t window_sz;
	char window[];
};

struct name_reader *name_reader__new(const struct elf_image *img, uint64_t off, uint64_t sz)
{
	size_t window_sz = sz <= WHOLE_SZ ? sz : WINDOW_SZ;
	struct name_reader *names = malloc(sizeof(*names) + window_sz + 1);

	if (!names)
		return NULL;
	names->img = *img;
	names->off = off;
	names->sz = sz;
	names->at = names->len = 0;
	names->window_sz = window_sz;
	return names;
}

void name_reader__free(struct name_reader *names)
{
	free(names);
}

static void move_window(struct name_reader *names, uint64_t at)
{
	uint64_t want;
	ssize_t n;

	if (names->window_sz == names->sz)
		at = 0;
	want = names->sz - at < names->window_sz ? names->sz - at : names->window_sz;
	n = elf_image__read(&names->img, names->window, want, names->off + at);
	names->at = at;
	names->len = n > 0 ? (uint64_t)n : 0;
	names->window[names->len] = '\0';
	/* Do not read a file that ends too early again for each of its symbols. */
	if (names->len < want)
		names->sz = at + names->len;
}

const char *name_reader__get(struct name_reader *names, uint64_t at)
{
	uint64_t enough;

	if (at >= names->sz)
		return NULL;
	enough = names->sz - at < ENOUGH_SZ ? names->sz - at : ENOUGH_SZ;
	if (at < names->at || at + enough > names->at + names->len)
		move_window(names, at);
	return at < names->sz ? names->window + (at - names->at) : NULL;
}
