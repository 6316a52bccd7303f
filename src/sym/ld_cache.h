/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The cache that the dynamic loader of glibc finds libraries by, as ldconfig(8) writes it since
 * glibc 2.2.
 */
#ifndef BPFPERF_SYM_LD_CACHE_H
#define BPFPERF_SYM_LD_CACHE_H

#include <stddef.h>

#define LD_CACHE_PATH "/etc/ld.so.cache"

struct ld_cache {
	char *data; /* owned; NULL: there is no cache */
	size_t sz;
};

/* Reads the file. Without one, or with one of another format, nothing will be found. */
void ld_cache__open(struct ld_cache *cache, const char *path);
void ld_cache__close(struct ld_cache *cache);
/* Returns the path of a library of this architecture, in the cache's memory; NULL: none. */
const char *ld_cache__find(const struct ld_cache *cache, const char *name);
/* Finds any version of a library: "libc.so.6" is one of "libc.so". */
const char *ld_cache__find_version(const struct ld_cache *cache, const char *name);

#endif
