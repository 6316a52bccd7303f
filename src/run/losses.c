// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/losses.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "run/loop.h"
#include "event/event.h"
#include "session/cpus.h"
#include "source/cpu_counts.h"
#include "sink/sink.h"
#include "util/err.h"
#include "util/log.h"
#include "util/mono.h"
#include "util/strbuf.h"

/* A program that was preempted between counting a record and sending it needs this long at most. */
#define SETTLE_MS 20

static uint64_t losses__sum(const uint64_t lost[LOST_CPU_CAUSES])
{
	uint64_t all = 0;
	int cause;

	for (cause = 0; cause < LOST_CPU_CAUSES; cause++)
		all += lost[cause];
	return all;
}

int losses__lost_record(struct sink *sink, const struct record *rec)
{
	const struct lost lost = {
		.time_ns = rec->time_ns,
		.cnt = rec->lost_cnt,
		.cpu = rec->cpu,
		.cause = rec->cause,
	};

	return sink__lost(sink, &lost);
}

static int losses__on_lost(void *ctx, const struct record *rec)
{
	return losses__lost_record(ctx, rec);
}

/*
 * Returns the number of records that were produced, but neither delivered nor counted as lost: 0,
 * or overwritten records.
 */
static int64_t rest_of(const struct losses *a, struct live_source *src)
{
	uint64_t lost[LOST_CPU_CAUSES], produced;
	int64_t rest = 0;
	int cpu;

	for (cpu = 0; cpu < a->cpus->cnt; cpu++) {
		produced = cpu_counts__produced(&a->cpus->at[cpu]);
		live_source__lost(src, (uint32_t)cpu, lost);
		rest += (int64_t)(produced - losses__sum(lost) -
				  live_source__delivered(src, (uint32_t)cpu));
	}
	return rest;
}

int losses__finish(struct losses *a, struct live_source *src, struct sink *sink, record_fn fn,
		   void *ctx)
{
	struct timespec ms = { 0, 1000000 };
	uint64_t lost[LOST_CPU_CAUSES];
	int cpu, err, tries;

	a->sink = sink;
	err = source__drain(live_source__base(src), true, fn, ctx);
	for (tries = 0; !err && !a->overwrite && rest_of(a, src) && tries < SETTLE_MS; tries++) {
		nanosleep(&ms, NULL);
		err = source__drain(live_source__base(src), true, fn, ctx);
	}
	for (cpu = 0; cpu < a->cpus->cnt; cpu++) {
		int e = live_source__hand_on_lost(src, (uint32_t)cpu, a->end_ns, UINT64_MAX,
						  losses__on_lost, sink);

		err = err__keep_first(err, e);
		live_source__lost(src, (uint32_t)cpu, lost);
		a->lost += losses__sum(lost);
	}
	if (a->overwrite)
		a->overwritten = (uint64_t)rest_of(a, src);
	return err;
}

void losses__missed(void *ctx, const struct event *ev, uint64_t cnt)
{
	struct losses *a = ctx;
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

void losses__absent(void *ctx, const struct event *ev, uint64_t hits)
{
	struct losses *a = ctx;
	struct lost lost = {
		.time_ns = a->end_ns,
		.cnt = hits,
		.cpu = UINT32_MAX,
		.cause = LOST_ABSENT,
		.event = ev,
	};

	a->absent += hits;
	sink__lost(a->sink, &lost);
	log_warn("%s: the kernel counted %llu hits and ran the program for none of them, so it has "
		 "no records; use `bpfperf record -a -e %s`",
		 ev->name, (unsigned long long)hits, ev->name);
}

/* Appends "; CPU 1: 45 ring full, 1 nested too deep" for one CPU. */
static void list_losses(struct strbuf *sb, int cpu, const uint64_t lost[LOST_CPU_CAUSES])
{
	const char *sep = ": ";
	int cause;

	if (!losses__sum(lost))
		return;
	strbuf__printf(sb, "%sCPU %d", sb->len ? "; " : "", cpu);
	for (cause = 0; cause < LOST_CPU_CAUSES; cause++) {
		if (!lost[cause])
			continue;
		strbuf__printf(sb, "%s%llu %s", sep, (unsigned long long)lost[cause],
			       lost_cause__name((enum lost_cause)cause));
		sep = ", ";
	}
}

void losses__summary(const struct losses *a, struct live_source *src, const char *what)
{
	double secs = (double)(a->end_ns - a->start_ns) / 1e9, user, sys;
	double life_secs = (double)(mono_ns() - a->begin_ns) / 1e9;
	struct strbuf sb = STRBUF_INIT;
	uint64_t lost[LOST_CPU_CAUSES], nested = 0;
	struct rusage ru;
	int64_t rest;
	int cpu;

	getrusage(RUSAGE_SELF, &ru);
	user = (double)ru.ru_utime.tv_sec + (double)ru.ru_utime.tv_usec / 1e6;
	sys = (double)ru.ru_stime.tv_sec + (double)ru.ru_stime.tv_usec / 1e6;
	log_note("%llu %s, %llu lost, %.3f s; cost %.3f s user + %.3f s kernel = %.1f %% of one "
		 "CPU",
		 (unsigned long long)a->shown, what,
		 (unsigned long long)(a->lost + a->missed + a->skipped + a->absent), secs, user,
		 sys, life_secs > 0 ? (user + sys) / life_secs * 100 : 0.0);
	for (cpu = 0; cpu < a->cpus->cnt; cpu++)
		nested += cpu_counts__nested(&a->cpus->at[cpu]);
	log_info("%llu %s interrupted another one", (unsigned long long)nested, what);
	for (cpu = 0; cpu < a->cpus->cnt && a->lost; cpu++) {
		live_source__lost(src, (uint32_t)cpu, lost);
		list_losses(&sb, cpu, lost);
	}
	if (a->lost)
		log_note("lost %llu: %s%s", (unsigned long long)a->lost, strbuf__cstr(&sb),
			 a->overwrite ? "" : "; give fewer events or a larger -m");
	if (a->overwrite)
		log_note("%llu records were overwritten before a dump",
			 (unsigned long long)a->overwritten);
	if (a->missed)
		log_note("missed %llu: the kernel skipped them because their program was already "
			 "running on that CPU",
			 (unsigned long long)a->missed);
	rest = rest_of(a, src) - (int64_t)a->overwritten;
	if (rest)
		log_warn("%lld %s are unaccounted for", (long long)rest, what);
	if (source__late(live_source__base(src)))
		log_warn("%llu %s are out of order by more than their CPU's delay",
			 (unsigned long long)source__late(live_source__base(src)), what);
	strbuf__free(&sb);
}
