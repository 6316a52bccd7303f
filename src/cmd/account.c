// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "cmd/account.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "cmd/loop.h"
#include "decode/sample.h"
#include "decode/trace_record.h"
#include "event/event.h"
#include "session/cpu_stats.h"
#include "sink/sink.h"
#include "util/log.h"
#include "util/mono.h"
#include "util/strbuf.h"

/* Where a program was preempted between counting a record and sending it, it needs this long at most. */
#define SETTLE_MS 20

int account__lost_record(struct account *a, struct sink *sink, const struct record *rec)
{
	struct lost lost = {
		.time_ns = rec->time_ns,
		.cnt = perf_record__lost_cnt(rec->hdr),
		.cpu = rec->cpu,
		.cause = LOST_RING_FULL,
	};

	a->placed[rec->cpu] += lost.cnt;
	return sink__lost(sink, &lost);
}

/* Records that were produced, and are neither delivered nor counted as lost. */
static int64_t unaccounted(struct live_source *src, int stats_fd)
{
	int cpu, cnt = cpu_stats__cpu_cnt();
	struct wire_cpu_stats st;
	int64_t sum = 0;

	for (cpu = 0; cpu < cnt; cpu++)
		if (cpu_stats__read(stats_fd, cpu, &st))
			sum += (int64_t)(st.produced - cpu_stats__lost(&st) -
					 live_source__delivered(src, (uint32_t)cpu));
	return sum;
}

/* Losses of one CPU that the stream has not shown yet. */
static int show_rest(struct account *a, struct sink *sink, uint32_t cpu,
		     const struct wire_cpu_stats *st)
{
	const struct {
		uint64_t cnt;
		enum lost_cause cause;
	} rest[] = {
		{ st->lost_full > a->placed[cpu] ? st->lost_full - a->placed[cpu] : 0,
		  LOST_RING_FULL },
		{ st->lost_nested, LOST_NESTED },
		{ st->lost_no_ring, LOST_NO_RING },
		{ st->lost_other, LOST_OTHER },
	};
	size_t i;
	int err = 0;

	for (i = 0; i < sizeof(rest) / sizeof(rest[0]) && !err; i++) {
		struct lost lost = {
			.time_ns = a->end_ns,
			.cnt = rest[i].cnt,
			.cpu = cpu,
			.cause = rest[i].cause,
		};

		if (lost.cnt)
			err = sink__lost(sink, &lost);
	}
	a->lost += cpu_stats__lost(st);
	return err;
}

int account__finish(struct account *a, struct live_source *src, int stats_fd, struct sink *sink,
		    record_fn fn, void *ctx)
{
	int cpu, cnt = cpu_stats__cpu_cnt(), err, tries;
	struct timespec ms = { 0, 1000000 };
	struct wire_cpu_stats st;

	a->end_ns = mono_ns();
	a->sink = sink;
	err = live_source__drain(src, true, fn, ctx);
	for (tries = 0; !err && unaccounted(src, stats_fd) && tries < SETTLE_MS; tries++) {
		nanosleep(&ms, NULL);
		err = live_source__drain(src, true, fn, ctx);
	}
	for (cpu = 0; cpu < cnt; cpu++) {
		int e = cpu_stats__read(stats_fd, cpu, &st) ? show_rest(a, sink, (uint32_t)cpu, &st)
							    : 0;

		err = err ? err : e;
	}
	return err;
}

void account__missed(void *ctx, const struct event *ev, uint64_t cnt)
{
	struct account *a = ctx;
	struct lost lost = {
		.time_ns = a->end_ns,
		.cnt = cnt,
		.cpu = UINT32_MAX,
		.cause = LOST_MISSED,
		.event = ev,
	};

	a->missed += cnt;
	sink__lost(a->sink, &lost);
}

/* "; CPU 1: 45 ring full, 1 nested too deep" for one CPU. */
static void list_losses(struct strbuf *sb, int cpu, const struct wire_cpu_stats *st)
{
	const struct {
		uint64_t cnt;
		enum lost_cause cause;
	} all[] = {
		{ st->lost_full, LOST_RING_FULL },
		{ st->lost_nested, LOST_NESTED },
		{ st->lost_no_ring, LOST_NO_RING },
		{ st->lost_other, LOST_OTHER },
	};
	const char *sep = ": ";
	size_t i;

	if (!cpu_stats__lost(st))
		return;
	strbuf__printf(sb, "%sCPU %d", sb->len ? "; " : "", cpu);
	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (!all[i].cnt)
			continue;
		strbuf__printf(sb, "%s%llu %s", sep, (unsigned long long)all[i].cnt,
			       lost_cause__name(all[i].cause));
		sep = ", ";
	}
}

void account__summary(const struct account *a, struct live_source *src, int stats_fd,
		      const char *what)
{
	int cpu, cnt = cpu_stats__cpu_cnt();
	double secs = (double)(a->end_ns - a->start_ns) / 1e9, user, sys;
	double life_secs = (double)(mono_ns() - a->begin_ns) / 1e9;
	struct strbuf sb = STRBUF_INIT;
	struct wire_cpu_stats st;
	struct rusage ru;
	int64_t rest;

	getrusage(RUSAGE_SELF, &ru);
	user = (double)ru.ru_utime.tv_sec + (double)ru.ru_utime.tv_usec / 1e6;
	sys = (double)ru.ru_stime.tv_sec + (double)ru.ru_stime.tv_usec / 1e6;
	log_note("%llu %s, %llu lost, %.3f s; cost %.3f s user + %.3f s kernel = %.1f %% of one "
		 "CPU",
		 (unsigned long long)a->shown, what, (unsigned long long)(a->lost + a->missed),
		 secs, user, sys, life_secs > 0 ? (user + sys) / life_secs * 100 : 0.0);
	for (cpu = 0; cpu < cnt && a->lost; cpu++)
		if (cpu_stats__read(stats_fd, cpu, &st))
			list_losses(&sb, cpu, &st);
	if (a->lost)
		log_note("lost %llu: %s; give fewer events or a larger -m",
			 (unsigned long long)a->lost, strbuf__cstr(&sb));
	if (a->missed)
		log_note("missed %llu: the kernel skipped them, their program was already running "
			 "on that CPU",
			 (unsigned long long)a->missed);
	rest = unaccounted(src, stats_fd);
	if (rest)
		log_warn("%lld %s are unaccounted for", (long long)rest, what);
	if (live_source__late(src))
		log_warn("%llu %s are out of order by more than their CPU's delay",
			 (unsigned long long)live_source__late(src), what);
	strbuf__free(&sb);
}
