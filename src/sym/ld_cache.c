// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sym/ld_cache.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* glibc's sysdeps/generic/dl-cache.h describes the format. */
#define MAGIC "glibc-ld.so.cache1.1"
#define SZ_MAX (16u << 20)

struct head {
	char magic[sizeof(MAGIC) - 1];
	uint32_t cnt, strings_sz;
	uint32_t spare[5];
};

struct entry {
	int32_t flags; /* kind and architecture */
	uint32_t name_off, path_off; /* from the head */
	uint32_t spare;
	uint64_t hwcap; /* not 0: for some processors only */
};

/* Libraries of ELF for glibc, of this architecture. */
#if defined(__aarch64__)
#define FLAGS 0x0a03
#else
#define FLAGS 0x0303
#endif

void ld_cache__open(struct ld_cache *cache, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;

	*cache = (struct ld_cache){ .sz = 0 };
	if (fd < 0)
		return;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size > 0 && st.st_size < SZ_MAX)
		cache->data = malloc((size_t)st.st_size);
	if (cache->data && read(fd, cache->data, (size_t)st.st_size) == st.st_size)
		cache->sz = (size_t)st.st_size;
	close(fd);
	if (cache->sz < sizeof(struct head) || memcmp(cache->data, MAGIC, sizeof(MAGIC) - 1) != 0)
		cache->sz = 0;
}

void ld_cache__close(struct ld_cache *cache)
{
	free(cache->data);
	*cache = (struct ld_cache){ .sz = 0 };
}

/* Returns the text at an offset; "": there is none. */
static const char *text_at(const struct ld_cache *cache, uint32_t off)
{
	const char *text = cache->data + off;

	return off < cache->sz && memchr(text, '\0', cache->sz - off) ? text : "";
}

static bool is_named(const char *name, const char *want)
{
	return !strcmp(name, want);
}

/* Is it a version of the library: "libc.so.6" of "libc.so"? */
static bool is_version(const char *name, const char *want)
{
	size_t len = strlen(want);

	return !strncmp(name, want, len) && (!name[len] || name[len] == '.');
}

static const char *find(const struct ld_cache *cache, const char *want,
			bool (*is_right)(const char *name, const char *want))
{
	struct head head;
	struct entry e;
	uint32_t i;

	if (!cache->sz)
		return NULL;
	memcpy(&head, cache->data, sizeof(head));
	for (i = 0; i < head.cnt; i++) {
		size_t at = sizeof(head) + i * sizeof(e);

		if (at + sizeof(e) > cache->sz)
			return NULL;
		memcpy(&e, cache->data + at, sizeof(e));
		if (e.flags == FLAGS && !e.hwcap && is_right(text_at(cache, e.name_off), want))
			return text_at(cache, e.path_off);
	}
	return NULL;
}

const char *ld_cache__find(const struct ld_cache *cache, const char *name)
{
	return find(cache, name, is_named);
}

const char *ld_cache__find_version(const struct ld_cache *cache, const char *name)
{
	return find(cache, name, is_version);
}
