// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "cmd/budget.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/account.h"
#include "decode/sample.h"
#include "event/event.h"
#include "session/cpus.h"
#include "session/trace_session.h"
#include "sink/sink.h"
#include "util/log.h"

/* Less is a burst, which the rings and the memory behind them are for. */
#define WINDOW_NS 1000000000ull

int budget__parse(const char *arg, uint64_t *rate)
{
	static const char units[] = "kmg";
	unsigned long long unit = 1;
	const char *at;
	char *end;

	errno = 0;
	*rate = strtoull(arg, &end, 10);
	if (*end && !end[1] && (at = strchr(units, *end | 0x20))) {
		for (; at >= units; at--)
			unit *= 1000;
		end++;
	}
	if (errno || end == arg || *end || arg[0] == '-' || *rate > 1000000000000ull / unit) {
		log_error("--budget %s: give records per second, such as 200K or 5M; 0 is no limit",
			  arg);
		return -EINVAL;
	}
	*rate *= unit;
	return 0;
}

int budget__init(struct budget *b, uint64_t rate, const struct event_list *events,
		 struct trace_session *session)
{
	size_t i;

	memset(b, 0, sizeof(*b));
	b->rate = rate;
	b->events = events;
	b->session = session;
	b->cpus = trace_session__cpus(session);
	for (i = 0; rate && i < events->cnt; i++)
		if (events->events[i]->fmt->id >= b->id_cnt)
			b->id_cnt = events->events[i]->fmt->id + 1u;
	b->seen = calloc(b->id_cnt + 1, sizeof(*b->seen));
	b->stopped = calloc(b->id_cnt + 1, sizeof(*b->stopped));
	return b->seen && b->stopped ? 0 : -ENOMEM;
}

void budget__free(struct budget *b)
{
	free(b->seen);
	free(b->stopped);
	b->seen = NULL;
	b->stopped = NULL;
}

static uint64_t produced(const struct budget *b)
{
	uint64_t sum = 0;
	int cpu;

	for (cpu = 0; cpu < b->cpus->cnt; cpu++)
		sum += cpus__counts(b->cpus, cpu).produced;
	return sum;
}

/* The event that made the most of what was shown, and is not stopped yet; NULL: none was shown. */
static const struct event *worst(const struct budget *b, uint64_t *shown)
{
	const struct event *ev, *worst = NULL;
	uint32_t most = 0;
	size_t i;

	*shown = 0;
	for (i = 0; i < b->events->cnt; i++) {
		ev = b->events->events[i];
		*shown += b->seen[ev->fmt->id];
		if (b->stopped[ev->fmt->id] || b->seen[ev->fmt->id] <= most)
			continue;
		worst = ev;
		most = b->seen[ev->fmt->id];
	}
	return worst;
}

/* What was lost is taken to be of the same events, in the same shares, as what was shown. */
static int stop(struct budget *b, const struct event *ev, double rate, uint64_t shown)
{
	double own = rate * (double)b->seen[ev->fmt->id] / (double)shown;
	int err = trace_session__stop_event(b->session, ev->fmt->id);

	if (err) {
		log_warn("%s cannot be stopped: %s", ev->name, strerror(-err));
		b->rate = 0;
		return 0;
	}
	b->stopped[ev->fmt->id] = true;
	b->stopped_cnt++;
	log_warn("%s makes %.0f of %.0f records a second, more than the budget of %llu: it is "
		 "stopped, %s; give --budget 0 to keep it, or --filter",
		 ev->name, own, rate, (unsigned long long)b->rate,
		 b->stopped_cnt < b->events->cnt ? "all others go on" : "there are no others");
	return 0;
}

int budget__check(struct budget *b, uint64_t now_ns)
{
	const struct event *ev;
	uint64_t made, shown;
	double rate;
	int err = 0;

	if (!b->rate || (b->since_ns && now_ns - b->since_ns < WINDOW_NS))
		return 0;
	made = produced(b);
	if (b->since_ns) {
		rate = (double)(made - b->produced) * 1e9 / (double)(now_ns - b->since_ns);
		ev = rate > (double)b->rate ? worst(b, &shown) : NULL;
		if (ev)
			err = stop(b, ev, rate, shown);
	}
	b->since_ns = now_ns;
	b->produced = made;
	memset(b->seen, 0, b->id_cnt * sizeof(*b->seen));
	return err;
}

uint64_t budget__finish(struct budget *b, struct account *a)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; b->stopped_cnt && i < b->events->cnt; i++) {
		const struct event *ev = b->events->events[i];
		struct lost lost = {
			.time_ns = a->end_ns,
			.cpu = UINT32_MAX,
			.cause = LOST_BUDGET,
			.event = ev,
		};

		if (!b->stopped[ev->fmt->id])
			continue;
		lost.cnt = trace_session__skipped(b->session, ev->fmt->id);
		sum += lost.cnt;
		if (lost.cnt)
			sink__lost(a->sink, &lost);
		log_note("skipped %llu of %s: stopped, being over the budget",
			 (unsigned long long)lost.cnt, ev->name);
	}
	return sum;
}
