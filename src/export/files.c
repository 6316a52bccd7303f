// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "export/files.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "export/intervals.h"
#include "sink/out.h"
#include "util/log.h"

int files__check(const char *pattern)
{
	bool is_unique = false;
	const char *at;

	for (at = pattern; pattern && (at = strchr(at, '%')); at += 2) {
		if (!at[1] || !strchr("tn%", at[1])) {
			log_error("-o %s: %%%c is no part of a name; there are %%t (the time of "
				  "the interval), %%n (its number) and %%%%",
				  pattern, at[1] ? at[1] : ' ');
			return -EINVAL;
		}
		is_unique |= at[1] != '%';
	}
	if (is_unique)
		return 0;
	log_error(
		"--every writes a file for each interval; give -o with %%t, the time, or %%n, the "
		"number, in the name: -o 'p-%%t.pb.gz'; or --to URL");
	return -EINVAL;
}

static void put_time(struct strbuf *sb, uint64_t real_ns, bool has_ms)
{
	time_t secs = (time_t)(real_ns / 1000000000);
	struct tm tm;

	gmtime_r(&secs, &tm);
	strbuf__printf(sb, "%04d%02d%02dT%02d%02d%02d", tm.tm_year + 1900, tm.tm_mon + 1,
		       tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec);
	if (has_ms)
		strbuf__printf(sb, ".%03" PRIu64, real_ns % 1000000000 / 1000000);
	strbuf__putc(sb, 'Z');
}

int files__begin_interval(void *ctx, struct interval *iv, struct out *out)
{
	struct files *f = ctx;
	const char *at;

	f->cnt++;
	strbuf__reset(&f->path);
	for (at = f->pattern; *at; at++) {
		if (*at != '%')
			strbuf__putc(&f->path, *at);
		else if (*++at == 't')
			put_time(&f->path, iv->begin_real_ns, f->has_ms);
		else if (*at == 'n')
			strbuf__printf(&f->path, "%06" PRIu64, f->cnt);
		else
			strbuf__putc(&f->path, '%');
	}
	return out__open(out, strbuf__cstr(&f->path));
}

int files__end_interval(void *ctx, const struct interval *iv, int err)
{
	struct files *f = ctx;

	if (!err)
		log_info("written: %s, %" PRIu64 " samples", strbuf__cstr(&f->path), iv->samples);
	/* The cause was logged; samples must not be dropped without anyone being told. */
	return err;
}

void files__free(struct files *f)
{
	strbuf__free(&f->path);
}
