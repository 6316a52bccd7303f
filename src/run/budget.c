// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/budget.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "run/hit_report.h"
#include "run/losses.h"
#include "event/event.h"
#include "session/cpus.h"
#include "session/trace_session.h"
#include "source/cpu_counts.h"
#include "sink/sink.h"
#include "util/log.h"

/* A shorter excess is a burst, which the rings and the memory behind them absorb. */
#define WINDOW_NS 1000000000ull

/* Hits of probes may take this much of a CPU without a warning. */
#define HITS_SHARE 0.5

/* The records of a second. */
struct window {
	const struct event *worst; /* most records, and not stopped yet; NULL: there was none */
	uint64_t most, all; /* records of that event, and of all that could be stopped */
	const struct event *costly; /* its hits take most time; NULL: unknown */
	uint64_t costly_cnt; /* its hits */
	double costly_ns, hits_ns; /* time of its hits, and of all */
};

int budget__parse(void *at, const char *arg)
{
	static const char units[] = "kmg";
	unsigned long long unit = 1;
	uint64_t *rate = at;
	const char *letter;
	char *end;

	errno = 0;
	*rate = strtoull(arg, &end, 10);
	if (*end && !end[1] && (letter = strchr(units, *end | 0x20))) {
		for (; letter >= units; letter--)
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
	b->made = calloc(b->id_cnt + 1, sizeof(*b->made));
	b->stopped = calloc(b->id_cnt + 1, sizeof(*b->stopped));
	return b->made && b->stopped ? 0 : -ENOMEM;
}

void budget__free(struct budget *b)
{
	free(b->made);
	free(b->stopped);
	b->made = NULL;
	b->stopped = NULL;
}

static uint64_t budget__produced(const struct budget *b)
{
	uint64_t sum = 0;
	int cpu;

	for (cpu = 0; cpu < b->cpus->cnt; cpu++)
		sum += cpu_counts__produced(&b->cpus->at[cpu]);
	return sum;
}

/* Counts the records of each event since the last look. */
static void budget__look(struct budget *b, struct window *w)
{
	size_t i;

	*w = (struct window){ .worst = NULL };
	for (i = 0; i < b->events->cnt; i++) {
		const struct event *ev = b->events->events[i];
		uint64_t made, since;
		double ns;

		if (b->stopped[ev->fmt->id])
			continue;
		made = trace_session__made(b->session, ev->fmt->id);
		since = made - b->made[ev->fmt->id];
		b->made[ev->fmt->id] = made;
		w->all += since;
		if (since > w->most) {
			w->worst = ev;
			w->most = since;
		}
		ns = b->hits ? (double)since * hit_report__ns(b->hits, ev) : 0;
		w->hits_ns += ns;
		if (ns > w->costly_ns) {
			w->costly = ev;
			w->costly_cnt = since;
			w->costly_ns = ns;
		}
	}
}

/* Might these records be hits of probes that take more than their share? */
static bool budget__may_cost(const struct budget *b, double rate)
{
	uint32_t most = 0, ns;
	size_t i;

	for (i = 0; i < b->events->cnt && b->hits && !b->has_warned; i++) {
		ns = hit_report__ns(b->hits, b->events->events[i]);
		most = ns > most ? ns : most;
	}
	return rate * most > HITS_SHARE * 1e9;
}

static void budget__warn(struct budget *b, const struct window *w, double seconds)
{
	if (b->has_warned || !w->costly || w->hits_ns / seconds < HITS_SHARE * 1e9)
		return;
	b->has_warned = true;
	log_warn("hits of probes take %.0f %% of one CPU from what is traced: of %s there are %.0f "
		 "a second, each of about %.2f us; probe a function that is called less often",
		 w->hits_ns / seconds / 1e7, w->costly->name, (double)w->costly_cnt / seconds,
		 hit_report__ns(b->hits, w->costly) / 1e3);
}

static void budget__stop(struct budget *b, const struct event *ev, double own, double rate)
{
	int err = trace_session__stop_event(b->session, ev->fmt->id);

	if (err) {
		log_warn("%s cannot be stopped: %s", ev->name, strerror(-err));
		b->rate = 0;
		return;
	}
	b->stopped[ev->fmt->id] = true;
	b->stopped_cnt++;
	log_warn("%s makes %.0f of %.0f records a second, more than the budget of %llu: it is "
		 "stopped, and %s%s; give --budget 0 to keep it, or --filter",
		 ev->name, own, rate, (unsigned long long)b->rate,
		 b->stopped_cnt < b->events->cnt ? "all other events continue"
						 : "there is no other event",
		 ev->probe ? " (its hits go on, and cost what they cost)" : "");
}

/*
 * A second is over. Records that are read now may be old, so the counts of the programs decide
 * which event makes too many now.
 */
static void budget__judge(struct budget *b, uint64_t made, double seconds)
{
	double rate = (double)made / seconds;
	bool counted = b->counts;
	struct window w;

	b->counts = rate > (double)b->rate || budget__may_cost(b, rate);
	trace_session__count_events(b->session, b->counts || b->stopped_cnt);
	if (!b->counts)
		return;
	budget__look(b, &w);
	if (counted)
		budget__warn(b, &w, seconds);
	/*
	 * Triggers are never stopped: if they alone exceed the budget, stopping other events would
	 * not help.
	 */
	if (counted && w.worst && rate > (double)b->rate &&
	    (double)w.all / seconds > (double)b->rate)
		budget__stop(b, w.worst, (double)w.most / seconds, rate);
}

void budget__check(struct budget *b, uint64_t now_ns)
{
	uint64_t made;

	if (!b->rate || (b->since_ns && now_ns - b->since_ns < WINDOW_NS))
		return;
	made = budget__produced(b);
	if (b->since_ns)
		budget__judge(b, made - b->produced, (double)(now_ns - b->since_ns) / 1e9);
	b->since_ns = now_ns;
	b->produced = made;
}

uint64_t budget__finish(struct budget *b, struct losses *a)
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
		log_note("skipped %llu of %s: it was stopped because it exceeded the budget",
			 (unsigned long long)lost.cnt, ev->name);
	}
	return sum;
}
