// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "export/intervals.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "export/notify.h"
#include "export/owners.h"
#include "sink/out.h"
#include "sym/sym.h"
#include "util/err.h"
#include "util/mono.h"

/*
 * Records of an interval are read this long after its end at most, in quiet times: rings are
 * drained every 100 ms, or every 500 ms where intervals are longer than 5 s. A record that takes
 * longer counts in the next interval.
 */
#define LATE_NS 1000000000ull

struct intervals {
	struct intervals_config conf;
	struct sink_config cfg; /* of the sinks of the intervals */
	struct profile_config profile; /* of this interval */
	struct owners owners;
	struct profile_owners owners_ops;
	struct sink *inner; /* of this interval */
	struct out out;
	struct interval now;
	uint64_t begin_ns; /* CLOCK_MONOTONIC: of this interval */
	uint64_t begin_real_ns; /* the end of the one before: reading two clocks is not exact */
	uint64_t next_ns; /* its end; UINT64_MAX: the end of the run */
	uint64_t last_ns; /* the planned end of the run; UINT64_MAX: unknown */
	uint32_t seq;
	struct notify notify;
	struct interval_totals totals;
};

static uint64_t to_real(uint64_t time_ns)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (uint64_t)now.tv_sec * 1000000000ull + (uint64_t)now.tv_nsec - mono_ns() + time_ns;
}

/* The last interval of a run of known duration takes in what is less than a quarter of one. */
static uint64_t end_after(const struct intervals *iv, uint64_t begin_ns)
{
	uint64_t next_ns = begin_ns + iv->conf.every_ns;

	if (iv->last_ns != UINT64_MAX && next_ns + iv->conf.every_ns / 4 >= iv->last_ns)
		return UINT64_MAX;
	return next_ns;
}

/* Begins the sink of an interval. 0 or -errno. */
static int begin_inner(struct intervals *iv)
{
	iv->inner = sink__new(iv->conf.ops, &iv->out, &iv->cfg);
	if (!iv->inner)
		return -ENOMEM;
	return sink__begin(iv->inner);
}

/* Ends the sink of the interval into its output. */
static int put_inner(struct intervals *iv)
{
	int err = iv->conf.open(iv->conf.ctx, &iv->now, &iv->out), last;

	if (err)
		return err;
	out__begin(&iv->out);
	err = sink__end(iv->inner);
	last = out__close(&iv->out);
	return err__keep_first(err, last);
}

/* Hands the interval over that ended at end_ns. 0, or the value that ends the run. */
static int hand_over(struct intervals *iv, uint64_t end_ns)
{
	struct profile_meta *meta = &iv->profile.meta;
	int err;

	iv->now.begin_real_ns = iv->begin_real_ns;
	iv->now.end_real_ns = iv->begin_real_ns = to_real(end_ns);
	meta->begin_real_ns = iv->now.begin_real_ns;
	meta->duration_ns = end_ns - iv->begin_ns;
	iv->seq++;
	iv->totals.intervals++;
	memcpy(iv->profile.id + 8, &iv->seq, sizeof(iv->seq));
	err = iv->conf.skip_empty && !iv->now.samples && !iv->now.lost ? 0 : put_inner(iv);
	err = iv->conf.close(iv->conf.ctx, &iv->now, err);
	sink__free(iv->inner);
	iv->inner = NULL;
	iv->now = (struct interval){ 0 };
	iv->begin_ns = end_ns;
	return err;
}

/* Ends intervals up to this time. */
static int advance(struct intervals *iv, uint64_t time_ns)
{
	uint64_t end_ns;
	int err = 0;

	if (time_ns < iv->next_ns)
		return 0;
	/* Intervals without anything are not handed over one by one. */
	end_ns = iv->next_ns + (time_ns - iv->next_ns) / iv->conf.every_ns * iv->conf.every_ns;
	err = hand_over(iv, end_ns);
	iv->next_ns = end_after(iv, end_ns);
	if (err)
		return err;
	/* Places are kept in the profile of an interval alone. */
	if (iv->cfg.sym)
		sym__forget(iv->cfg.sym);
	return begin_inner(iv);
}

static struct intervals *of(const struct sink *sink)
{
	return sink->priv;
}

static int intervals_begin(struct sink *sink)
{
	return begin_inner(of(sink));
}

static int intervals_start(struct sink *sink)
{
	struct intervals *iv = of(sink);

	/* The run's facts are known by now. */
	iv->profile.meta = sink->cfg.profile->meta;
	iv->begin_ns = mono_ns();
	iv->last_ns = iv->conf.duration_ns ? iv->begin_ns + iv->conf.duration_ns : UINT64_MAX;
	iv->next_ns = end_after(iv, iv->begin_ns);
	iv->totals.begin_real_ns = iv->begin_real_ns = to_real(iv->begin_ns);
	notify__ready(&iv->notify);
	return 0;
}

static int intervals_sample(struct sink *sink, const struct sample *s)
{
	struct intervals *iv = of(sink);
	int err = advance(iv, s->time_ns);

	iv->now.samples++;
	iv->totals.samples++;
	return err ? err : sink__sample(iv->inner, s);
}

static int intervals_lost(struct sink *sink, const struct lost *l)
{
	struct intervals *iv = of(sink);
	int err = advance(iv, l->time_ns);

	iv->now.lost += l->cnt;
	iv->totals.lost[l->cause] += l->cnt;
	return err ? err : sink__lost(iv->inner, l);
}

static int intervals_task(struct sink *sink, const struct proc_event *ev, const struct record *rec)
{
	owners__task(&of(sink)->owners, ev);
	return 0;
}

static int intervals_flush(struct sink *sink)
{
	struct intervals *iv = of(sink);
	uint64_t now_ns = mono_ns();

	notify__alive(&iv->notify, now_ns);
	return now_ns > LATE_NS ? advance(iv, now_ns - LATE_NS) : 0;
}

static int intervals_end(struct sink *sink)
{
	struct intervals *iv = of(sink);
	const struct profile_meta *run = &sink->cfg.profile->meta;
	uint64_t end_ns = sink->cfg.end_mono_ns;

	notify__stopping(&iv->notify);
	/* The kernel's throttling is known at the end alone. */
	iv->profile.meta.throttled = run->throttled;
	iv->profile.meta.throttled_ns = run->throttled_ns;
	return hand_over(iv, end_ns > iv->begin_ns ? end_ns : iv->begin_ns + 1);
}

static void intervals_free(struct sink *sink)
{
	struct intervals *iv = of(sink);

	sink__free(iv->inner);
	out__close(&iv->out);
	owners__free(&iv->owners);
}

const struct interval_totals *intervals__totals(const struct sink *sink)
{
	return &of(sink)->totals;
}

static const struct sink_ops intervals_sink = {
	.name = "intervals",
	.needs = SAMPLE_NEEDS_STACK,
	.priv_sz = sizeof(struct intervals),
	.begin = intervals_begin,
	.start = intervals_start,
	.sample = intervals_sample,
	.task = intervals_task,
	.lost = intervals_lost,
	.flush = intervals_flush,
	.end = intervals_end,
	.free = intervals_free,
};

/* Ids are of this run: 8 random bytes, of which the first is not 0. */
static void begin_ids(struct intervals *iv)
{
	if (getrandom(iv->profile.id, 8, 0) != 8)
		memcpy(iv->profile.id, &(uint64_t){ mono_ns() }, 8);
	iv->profile.id[0] |= 1;
}

struct sink *intervals__new(const struct intervals_config *conf, const struct sink_config *cfg)
{
	struct sink *sink = sink__new(&intervals_sink, NULL, cfg);
	struct intervals *iv;

	if (!sink)
		return NULL;
	iv = sink->priv;
	iv->conf = *conf;
	iv->cfg = *cfg;
	iv->out.fd = iv->notify.fd = -1;
	iv->profile = *cfg->profile;
	iv->cfg.profile = &iv->profile;
	owners__init(&iv->owners, &iv->owners_ops);
	iv->profile.owners = &iv->owners_ops;
	iv->profile.batch = iv->now.batch;
	iv->profile.resource = conf->resource;
	iv->profile.no_symbols = conf->no_symbols;
	begin_ids(iv);
	return sink;
}
