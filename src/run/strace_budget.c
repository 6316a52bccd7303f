// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/strace_budget.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "run/losses.h"
#include "session/cpus.h"
#include "session/strace_session.h"
#include "sink/sink.h"
#include "source/cpu_counts.h"
#include "strace/call.h"
#include "util/log.h"

/* A shorter excess is a burst, which the rings and the memory behind them absorb. */
#define WINDOW_NS 1000000000ull
#define CALL_CNT ((size_t)STRACE_ABIS * STRACE_CALLS)

int strace_budget__init(struct strace_budget *b, uint64_t rate, const struct call_table *table,
			struct strace_session *session)
{
	*b = (struct strace_budget){ .rate = rate, .table = table, .session = session };
	b->made = calloc(CALL_CNT, sizeof(*b->made));
	b->stopped = calloc(CALL_CNT, sizeof(*b->stopped));
	return b->made && b->stopped ? 0 : -ENOMEM;
}

void strace_budget__free(struct strace_budget *b)
{
	free(b->made);
	free(b->stopped);
	b->made = NULL;
	b->stopped = NULL;
}

static uint64_t produced_now(const struct strace_budget *b)
{
	const struct cpus *cpus = strace_session__cpus(b->session);
	uint64_t sum = 0;
	int cpu;

	for (cpu = 0; cpu < cpus->cnt; cpu++)
		sum += cpu_counts__produced(&cpus->at[cpu]);
	return sum;
}

/*
 * Counts the records of each call since the last look. Returns the call with the most that can be
 * stopped: programs that begin and end are always shown. CALL_CNT: none.
 */
static size_t find_worst(struct strace_budget *b, uint64_t *most)
{
	size_t worst = CALL_CNT, i;
	struct strace_count count;

	*most = 0;
	for (i = 0; i < CALL_CNT; i++) {
		uint64_t since;

		if (!b->table->calls[i].name || b->stopped[i] ||
		    b->table->wire[i].flags & STRACE_BEGINS ||
		    strace_session__count(b->session, (uint32_t)i, &count))
			continue;
		since = count.calls - b->made[i];
		b->made[i] = count.calls;
		if (since <= *most)
			continue;
		worst = i;
		*most = since;
	}
	return worst;
}

static void stop_call(struct strace_budget *b, size_t call, double own, double rate)
{
	int err = strace_session__stop_call(b->session, (uint32_t)call);
	const char *name = b->table->calls[call].name;

	if (err) {
		log_warn("%s cannot be stopped: %s", name, strerror(-err));
		b->rate = 0;
		return;
	}
	b->stopped[call] = true;
	b->stopped_cnt++;
	log_warn("%s makes %.0f of %.0f records a second, more than the budget of %llu: it is "
		 "stopped, and all other calls continue; give --budget 0 to keep it, or -e trace=",
		 name, own, rate, (unsigned long long)b->rate);
}

static void judge_second(struct strace_budget *b, uint64_t made, double seconds)
{
	double rate = (double)made / seconds;
	bool was_over = b->was_over;
	uint64_t most;
	size_t worst;

	b->was_over = rate > (double)b->rate;
	if (!b->was_over)
		return;
	worst = find_worst(b, &most);
	if (was_over && worst != CALL_CNT)
		stop_call(b, worst, (double)most / seconds, rate);
}

void strace_budget__check(struct strace_budget *b, uint64_t now_ns)
{
	uint64_t produced;

	if (!b->rate || (b->since_ns && now_ns - b->since_ns < WINDOW_NS))
		return;
	produced = produced_now(b);
	if (b->since_ns)
		judge_second(b, produced - b->produced, (double)(now_ns - b->since_ns) / 1e9);
	b->since_ns = now_ns;
	b->produced = produced;
}

uint64_t strace_budget__finish(struct strace_budget *b, struct losses *losses)
{
	struct strace_count count;
	uint64_t sum = 0;
	size_t i;

	for (i = 0; b->stopped_cnt && i < CALL_CNT; i++) {
		struct lost lost = {
			.time_ns = losses->end_ns,
			.cpu = UINT32_MAX,
			.cause = LOST_BUDGET,
		};

		if (!b->stopped[i] || strace_session__count(b->session, (uint32_t)i, &count))
			continue;
		lost.cnt = count.skipped;
		sum += lost.cnt;
		if (lost.cnt)
			sink__lost(losses->sink, &lost);
		log_note("skipped %llu of %s: it was stopped because it exceeded the budget",
			 (unsigned long long)lost.cnt, b->table->calls[i].name);
	}
	return sum;
}
