// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * The linker puts these functions in the place of the C library's (--wrap), in the program bpfperf
 * only. Calls in libraries that it is linked with dynamically are their own. In a static program
 * those of libbpf, libelf and the others come here too: one that fails there is noted, even if the
 * library copes with it.
 */
#include "util/lack.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
