// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/losses.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "run/loop.h"
#include "decode/sample.h"
#include "event/event.h"
#include "session/cpus.h"
#include "sink/sink.h"
#include "util/err.h"
#include "util/log.h"
#include "util/mono.h"
#include "util/strbuf.h"

/* A program that was preempted between counting a record and sending it needs this long at most. */
#define SETTLE_MS 20

/*
 * Determines the losses of one CPU by enum lost_cause; returns the number of records that it made.
 */
static uint64_t causes_of(const struct losses *a, const struct live_source *src, int cpu,
			  uint64_t lost[LOSSES_CAUSES])
{
	struct cpu_counts c = cpus__counts(a->cpus, cpu);

	/* A ring in overwrite mode is never full. */
	lost[LOST_RING_FULL] = a->overwrite ? 0 : c.lost_full;
	lost[LOST_PAUSED] = a->overwrite ? c.lost_full : 0;
	lost[LOST_NESTED] = c.lost_nested;
	lost[LOST_NO_RING] = c.lost_no_ring;
	lost[LOST_OTHER] = c.lost_other;
	/* A batch for a CPU without a ring. */
	if (!live_source__has_ring(src, (uint32_t)cpu))
		lost[LOST_NO_RING] += cpus__waiting(a->cpus, cpu);
	return c.produced;
}

static uint64_t losses__sum(const uint64_t lost[LOSSES_CAUSES])
{
	uint64_t all = 0;
	int cause;

	for (cause = 0; cause < LOSSES_CAUSES; cause++)
		all += lost[cause];
	return all;
}

/* Shows at most max losses of a CPU that were not shown yet. Returns the sink's error. */
static int losses__place(struct losses *a, const struct live_source *src, struct sink *sink,
			 uint32_t cpu, uint64_t time_ns, uint64_t max)
{
	uint64_t lost[LOSSES_CAUSES];
	int cause, err = 0;

	causes_of(a, src, (int)cpu, lost);
	for (cause = 0; cause < LOSSES_CAUSES && max && !err; cause++) {
		struct lost l = {
			.time_ns = time_ns,
			.cnt = lost[cause] - a->placed[cpu][cause],
			.cpu = cpu,
			.cause = (enum lost_cause)cause,
		};

		if (l.cnt > max)
			l.cnt = max;
		if (!l.cnt)
			continue;
		a->placed[cpu][cause] += l.cnt;
		max -= l.cnt;
		err = sink__lost(sink, &l);
	}
	return err;
}

_Static_assert(LOST_MISSED == LOSSES_CAUSES, "causes by CPU come first");

int losses__lost_record(struct losses *a, struct live_source *src, struct sink *sink,
			const struct record *rec)
{
	return losses__place(a, src, sink, rec->cpu, rec->time_ns, rec->lost_cnt);
}

/*
 * Returns the number of records that were produced, but neither delivered nor counted as lost: 0,
 * or overwritten records.
 */
static int64_t rest_of(const struct losses *a, struct live_source *src)
{
	uint64_t lost[LOSSES_CAUSES], produced;
	int64_t rest = 0;
	int cpu;

	for (cpu = 0; cpu < a->cpus->cnt; cpu++) {
		produced = causes_of(a, src, cpu, lost);
		rest += (int64_t)(produced - losses__sum(lost) -
				  live_source__delivered(src, (uint32_t)cpu));
	}
	return rest;
}

int losses__finish(struct losses *a, struct live_source *src, struct sink *sink, record_fn fn,
		   void *ctx)
{
	struct timespec ms = { 0, 1000000 };
	uint64_t lost[LOSSES_CAUSES];
	int cpu, err, tries;

	a->sink = sink;
	err = source__drain(live_source__base(src), true, fn, ctx);
	for (tries = 0; !err && !a->overwrite && rest_of(a, src) && tries < SETTLE_MS; tries++) {
		nanosleep(&ms, NULL);
		err = source__drain(live_source__base(src), true, fn, ctx);
	}
	for (cpu = 0; cpu < a->cpus->cnt; cpu++) {
		int e = losses__place(a, src, sink, (uint32_t)cpu, a->end_ns, UINT64_MAX);

		err = err__keep_first(err, e);
		causes_of(a, src, cpu, lost);
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

/* Appends "; CPU 1: 45 ring full, 1 nested too deep" for one CPU. */
static void list_losses(struct strbuf *sb, int cpu, const uint64_t lost[LOSSES_CAUSES])
{
	const char *sep = ": ";
	int cause;

	if (!losses__sum(lost))
		return;
	strbuf__printf(sb, "%sCPU %d", sb->len ? "; " : "", cpu);
	for (cause = 0; cause < LOSSES_CAUSES; cause++) {
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
	uint64_t lost[LOSSES_CAUSES], nested = 0;
	struct rusage ru;
	int64_t rest;
	int cpu;

	getrusage(RUSAGE_SELF, &ru);
	user = (double)ru.ru_utime.tv_sec + (double)ru.ru_utime.tv_usec / 1e6;
	sys = (double)ru.ru_stime.tv_sec + (double)ru.ru_stime.tv_usec / 1e6;
	log_note("%llu %s, %llu lost, %.3f s; cost %.3f s user + %.3f s kernel = %.1f %% of one "
		 "CPU",
		 (unsigned long long)a->shown, what,
		 (unsigned long long)(a->lost + a->missed + a->skipped), secs, user, sys,
		 life_secs > 0 ? (user + sys) / life_secs * 100 : 0.0);
	for (cpu = 0; cpu < a->cpus->cnt; cpu++)
		nested += cpus__nested(a->cpus, cpu);
	log_info("%llu %s interrupted another one", (unsigned long long)nested, what);
	for (cpu = 0; cpu < a->cpus->cnt && a->lost; cpu++) {
		causes_of(a, src, cpu, lost);
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
