/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The Test Anything Protocol for C tests: one program, one file, numbered
 * assertions, the plan at the end. A failed assertion prints the value and the
 * expected value as comments on stderr. The format of an assertion is its
 * name, which stands alone in a list of failures (tests/lint/names.py).
 */
#ifndef BPFPERF_TESTS_TAP_H
#define BPFPERF_TESTS_TAP_H

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TAP_FN __attribute__((unused)) static

static unsigned int tap_cnt, tap_failed;

TAP_FN bool tap_vresult(bool good, const char *fmt, va_list ap)
{
	va_list again;

	va_copy(again, ap);
	printf("%sok %u - ", good ? "" : "not ", ++tap_cnt);
	vprintf(fmt, ap);
	putchar('\n');
	fflush(stdout);
	if (!good) {
		tap_failed++;
		fputs("#   Failed test: ", stderr);
		vfprintf(stderr, fmt, again);
		fputc('\n', stderr);
	}
	va_end(again);
	return good;
}

/* One assertion, named by the format. Returns cond, so that dependent assertions can be omitted. */
TAP_FN __attribute__((format(printf, 2, 3))) bool ok(bool cond, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	tap_vresult(cond, fmt, ap);
	va_end(ap);
	return cond;
}

/* Text equals text; NULL equals only NULL. */
TAP_FN __attribute__((format(printf, 3, 4))) bool is_str(const char *got, const char *want,
							 const char *fmt, ...)
{
	bool same = got && want ? !strcmp(got, want) : got == want;
	va_list ap;

	va_start(ap, fmt);
	tap_vresult(same, fmt, ap);
	va_end(ap);
	if (!same)
		fprintf(stderr, "#      got: %s\n# expected: %s\n", got ? got : "(null)",
			want ? want : "(null)");
	return same;
}

/* Bytes equal bytes; a failure prints the first pair that differs. */
TAP_FN __attribute__((format(printf, 4, 5))) bool is_mem(const void *got, const void *want,
							 size_t len, const char *fmt, ...)
{
	const unsigned char *a = got, *b = want;
	va_list ap;
	size_t i;

	for (i = 0; i < len && a[i] == b[i]; i++)
		;
	va_start(ap, fmt);
	tap_vresult(i == len, fmt, ap);
	va_end(ap);
	if (i < len)
		fprintf(stderr, "# byte %zu of %zu: got %02x, expected %02x\n", i, len, a[i], b[i]);
	return i == len;
}

TAP_FN __attribute__((format(printf, 3, 4))) bool is_u64(uint64_t got, uint64_t want,
							 const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	tap_vresult(got == want, fmt, ap);
	va_end(ap);
	if (got != want)
		fprintf(stderr,
			"#      got: %" PRIu64 " (0x%" PRIx64 ")\n# expected: %" PRIu64
			" (0x%" PRIx64 ")\n",
			got, got, want, want);
	return got == want;
}

TAP_FN __attribute__((format(printf, 3, 4))) bool is_s64(int64_t got, int64_t want, const char *fmt,
							 ...)
{
	va_list ap;

	va_start(ap, fmt);
	tap_vresult(got == want, fmt, ap);
	va_end(ap);
	if (got != want)
		fprintf(stderr, "#      got: %" PRId64 "\n# expected: %" PRId64 "\n", got, want);
	return got == want;
}

/* Prints a comment on stderr. */
TAP_FN __attribute__((format(printf, 1, 2))) void diag(const char *fmt, ...)
{
	va_list ap;

	fputs("# ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
}

/* Counts one assertion that cannot be made on this machine. */
TAP_FN void skip(const char *why)
{
	printf("ok %u # SKIP %s\n", ++tap_cnt, why);
	fflush(stdout);
}

/*
 * Reports that the program cannot run on this machine, and exits. Only before the first assertion.
 */
TAP_FN __attribute__((noreturn)) void skip_all(const char *why)
{
	printf("1..0 # SKIP %s\n", why);
	exit(0);
}

/* Prints the plan. Returns the exit status of main: 0, or 1 if an assertion failed. */
TAP_FN int done_testing(void)
{
	printf("1..%u\n", tap_cnt);
	fflush(stdout);
	return tap_failed ? 1 : 0;
}

#endif
