// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/clock.h"

#include <time.h>

#define NSEC_PER_SEC 1000000000ull

uint64_t clock__convert(const struct sink_config *cfg, uint64_t mono_ns, uint64_t *prev_ns)
{
	uint64_t from = cfg->start_mono_ns;

	switch (cfg->time) {
	case TIME_REAL:
		return mono_ns + (uint64_t)cfg->mono_to_real_ns;
	case TIME_DELTA:
		from = *prev_ns ? *prev_ns : mono_ns;
		*prev_ns = mono_ns;
		/* fall through */
	case TIME_REL:
		return mono_ns > from ? mono_ns - from : 0;
	case TIME_MONO:
		break;
	}
	return mono_ns;
}

/* Puts "2026-01-31T23:59:59", formatted once per second. */
static void print_date(struct strbuf *out, uint64_t sec)
{
	static uint64_t known_sec;
	static char text[32];

	if (sec != known_sec || !text[0]) {
		time_t t = (time_t)sec;
		struct tm tm;

		localtime_r(&t, &tm);
		strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &tm);
		known_sec = sec;
	}
	strbuf__puts(out, text);
}

void clock__print(const struct sink_config *cfg, uint64_t ns, struct strbuf *out)
{
	if (cfg->time == TIME_REAL)
		print_date(out, ns / NSEC_PER_SEC);
	else
		strbuf__put_u64_pad(out, ns / NSEC_PER_SEC, 5, ' ');
	strbuf__putc(out, '.');
	strbuf__put_u64_pad(out, ns % NSEC_PER_SEC, 9, '0');
}

void clock__set_start(struct sink_config *cfg)
{
	struct timespec mono, real;

	clock_gettime(CLOCK_REALTIME, &real);
	clock_gettime(CLOCK_MONOTONIC, &mono);
	cfg->start_mono_ns = (uint64_t)mono.tv_sec * 1000000000ull + (uint64_t)mono.tv_nsec;
	cfg->mono_to_real_ns =
		(real.tv_sec - mono.tv_sec) * 1000000000ll + real.tv_nsec - mono.tv_nsec;
}
