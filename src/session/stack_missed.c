// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Counts the skipped runs of a stack session's programs, by event, and clock ticks without a
 * sample.
 */
#include <linux/types.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "stack.skel.h"

#include "kernel/prog_info.h"
#include "session/stack_session_priv.h"

/*
 * Returns the skips of an event's program; i = the number of events: of the sched_switch program.
 */
static uint64_t missed_of(const struct stack_session *s, size_t i)
{
	if (i < s->cfg.events->cnt && s->probes.any && i == s->probes.first)
		return stack_probes__missed(s->skel);
	if (i < s->cfg.events->cnt)
		return i < s->tracers.cnt ? prog_info__missed(s->tracers.fds[i]) : 0;
	return s->cfg.off_cpu ? prog_info__missed(bpf_program__fd(s->skel->progs.off_switch)) : 0;
}

/* Programs also run, and are skipped, while the session is inactive. */
static void count_missed(struct stack_session *s)
{
	size_t i;

	for (i = 0; i <= s->cfg.events->cnt; i++)
		s->missed[i] = missed_of(s, i) - s->missed[i];
}

void stack_session__missed(const struct stack_session *s,
			   void (*each)(void *ctx, const struct event *ev, uint64_t cnt), void *ctx)
{
	size_t i;

	for (i = 0; i <= s->cfg.events->cnt; i++)
		if (s->missed[i])
			each(ctx, i < s->cfg.events->cnt ? s->cfg.events->events[i] : NULL,
			     s->missed[i]);
}

static void count_ticks(struct stack_session *s)
{
	struct lost_ticks now;

	if (lost_ticks__read(&s->set, s->period_ns, bpf_map__fd(s->skel->maps.stack_counts), &now))
		return;
	s->ticks.all = now.all - s->ticks.all;
	s->ticks.seen = now.seen - s->ticks.seen;
	s->ticks.idle = now.idle - s->ticks.idle;
	s->ticks.idle_time = now.idle_time - s->ticks.idle_time;
	s->ticks.slack = now.slack;
}

uint64_t stack_session__unseen(const struct stack_session *s, uint64_t *ticks)
{
	*ticks = lost_ticks__busy(&s->ticks);
	return lost_ticks__missed(&s->ticks);
}

void stack_missed__begin(struct stack_session *s)
{
	count_missed(s);
	count_ticks(s);
}

void stack_missed__end(struct stack_session *s)
{
	count_ticks(s);
	count_missed(s);
}
