// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * The linker puts these functions in the place of the C library's (--wrap), in the program bpfperf
 * only. Calls in libraries that it is linked with dynamically are their own. In a static program
 * those of libbpf, libelf and the others come here too: one that fails there is noted, even if the
 * library copes with it.
 */
#include "util/lack.h"

#include <dirent.h>
#include <errno.h>
#include <mntent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

void *__real_malloc(size_t sz);
void *__real_calloc(size_t cnt, size_t sz);
void *__real_realloc(void *p, size_t sz);
void *__real_reallocarray(void *p, size_t cnt, size_t sz);
void *__real_aligned_alloc(size_t align, size_t sz);
char *__real_strdup(const char *s);
char *__real_strndup(const char *s, size_t max);

void *__wrap_malloc(size_t sz);
void *__wrap_calloc(size_t cnt, size_t sz);
void *__wrap_realloc(void *p, size_t sz);
void *__wrap_reallocarray(void *p, size_t cnt, size_t sz);
void *__wrap_aligned_alloc(size_t align, size_t sz);
char *__wrap_strdup(const char *s);
char *__wrap_strndup(const char *s, size_t max);
int __wrap_asprintf(char **text, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* These allocate in their library, and their callers do without what they return. */
DIR *__real_opendir(const char *path);
DIR *__real_fdopendir(int fd);
FILE *__real_fopen(const char *path, const char *mode);
FILE *__real_setmntent(const char *path, const char *mode);
ssize_t __real_getline(char **line, size_t *cap, FILE *f);
ssize_t __real___getdelim(char **line, size_t *cap, int delim, FILE *f);
/* It is libelf's. NULL is a lack of memory alone, whatever is in the image. */
void *__real_elf_memory(char *image, size_t sz);
int __real_deflateInit2_(z_stream *z, int level, int method, int bits, int mem, int strategy,
			 const char *version, int sz);

DIR *__wrap_opendir(const char *path);
DIR *__wrap_fdopendir(int fd);
FILE *__wrap_fopen(const char *path, const char *mode);
FILE *__wrap_setmntent(const char *path, const char *mode);
ssize_t __wrap_getline(char **line, size_t *cap, FILE *f);
ssize_t __wrap___getdelim(char **line, size_t *cap, int delim, FILE *f);
void *__wrap_elf_memory(char *image, size_t sz);
int __wrap_deflateInit2_(z_stream *z, int level, int method, int bits, int mem, int strategy,
			 const char *version, int sz);

static bool has_failed;

bool lack__has_failed(void)
{
	return __atomic_load_n(&has_failed, __ATOMIC_RELAXED);
}

static void note(void)
{
	__atomic_store_n(&has_failed, true, __ATOMIC_RELAXED);
}

static void *noted(void *p)
{
	if (!p)
		note();
	return p;
}

void *__wrap_malloc(size_t sz)
{
	return noted(__real_malloc(sz));
}

void *__wrap_calloc(size_t cnt, size_t sz)
{
	return noted(__real_calloc(cnt, sz));
}

/* A size of 0 frees, and has no result. */
void *__wrap_realloc(void *p, size_t sz)
{
	p = __real_realloc(p, sz);
	return sz ? noted(p) : p;
}

void *__wrap_reallocarray(void *p, size_t cnt, size_t sz)
{
	p = __real_reallocarray(p, cnt, sz);
	return cnt && sz ? noted(p) : p;
}

void *__wrap_aligned_alloc(size_t align, size_t sz)
{
	return noted(__real_aligned_alloc(align, sz));
}

char *__wrap_strdup(const char *s)
{
	return noted(__real_strdup(s));
}

char *__wrap_strndup(const char *s, size_t max)
{
	return noted(__real_strndup(s, max));
}

int __wrap_asprintf(char **text, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vasprintf(text, fmt, ap);
	va_end(ap);
	if (n < 0)
		note();
	return n;
}

/* Notes a call that failed for want of memory. */
static void check(bool ok)
{
	if (!ok && errno == ENOMEM)
		note();
}

DIR *__wrap_opendir(const char *path)
{
	DIR *dir = __real_opendir(path);

	check(dir);
	return dir;
}

DIR *__wrap_fdopendir(int fd)
{
	DIR *dir = __real_fdopendir(fd);

	check(dir);
	return dir;
}

FILE *__wrap_fopen(const char *path, const char *mode)
{
	FILE *f = __real_fopen(path, mode);

	check(f);
	return f;
}

FILE *__wrap_setmntent(const char *path, const char *mode)
{
	FILE *f = __real_setmntent(path, mode);

	check(f);
	return f;
}

ssize_t __wrap_getline(char **line, size_t *cap, FILE *f)
{
	ssize_t n = __real_getline(line, cap, f);

	check(n >= 0 || feof(f));
	return n;
}

ssize_t __wrap___getdelim(char **line, size_t *cap, int delim, FILE *f)
{
	ssize_t n = __real___getdelim(line, cap, delim, f);

	check(n >= 0 || feof(f));
	return n;
}

void *__wrap_elf_memory(char *image, size_t sz)
{
	void *elf = __real_elf_memory(image, sz);

	check(elf);
	return elf;
}

int __wrap_deflateInit2_(z_stream *z, int level, int method, int bits, int mem, int strategy,
			 const char *version, int sz)
{
	int ret = __real_deflateInit2_(z, level, method, bits, mem, strategy, version, sz);

	if (ret == Z_MEM_ERROR)
		note();
	return ret;
}
