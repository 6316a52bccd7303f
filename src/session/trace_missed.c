// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Counts the runs of a trace session's programs that the kernel skipped or never began. */
#include <linux/types.h>
#include <bpf/libbpf.h>

#include "trace.skel.h"

#include "kernel/prog_info.h"
#include "session/programs.h"
#include "session/trace_session_priv.h"

/* Returns the event that a program serves; NULL: it serves several. */
static const struct event *event_of(const struct trace_session *s, const struct program *p)
{
	size_t i;

	for (i = 0; i < s->cfg.events->cnt && p->role == PROGRAM_EVENT; i++)
		if (program__serves(p, s->cfg.events->events[i], false))
			return s->cfg.events->events[i];
	return NULL;
}

/*
 * Calls each(i, fd, event) for every program that sends records: those of the skeleton, then one
 * per classic event if there are instances.
 */
static void for_each_sender(const struct trace_session *s,
			    void (*each)(const struct trace_session *s, size_t i, int fd,
					 const struct event *ev, void *arg),
			    void *arg)
{
	struct bpf_program *prog;
	size_t i = 0, k;

	bpf_object__for_each_program (prog, s->skel->obj) {
		const struct program desc = programs__describe(s->skel, prog);

		if (bpf_program__autoload(prog) && program__sends(&desc))
			each(s, i, bpf_program__fd(prog), event_of(s, &desc), arg);
		i++;
	}
	for (k = 0; k < s->instances.cnt; k++)
		each(s, i++, s->instances.fds[k], s->classic[k], arg);
}

static void keep_missed_before(const struct trace_session *s, size_t i, int fd,
			       const struct event *ev, void *arg)
{
	s->missed[i] = prog_info__missed(fd);
}

static void keep_missed_since(const struct trace_session *s, size_t i, int fd,
			      const struct event *ev, void *arg)
{
	s->missed[i] = prog_info__missed(fd) - s->missed[i];
}

void trace_missed__begin(struct trace_session *s)
{
	for_each_sender(s, keep_missed_before, NULL);
}

void trace_missed__end(struct trace_session *s)
{
	for_each_sender(s, keep_missed_since, NULL);
}

struct missed_report {
	void (*each)(void *ctx, const struct event *ev, uint64_t cnt);
	void *ctx;
};

static void report_missed(const struct trace_session *s, size_t i, int fd, const struct event *ev,
			  void *arg)
{
	struct missed_report *r = arg;

	if (s->missed[i])
		r->each(r->ctx, ev, s->missed[i]);
}

void trace_session__missed(const struct trace_session *s,
			   void (*each)(void *ctx, const struct event *ev, uint64_t cnt), void *ctx)
{
	struct missed_report r = { each, ctx };

	for_each_sender(s, report_missed, &r);
}

void trace_session__relax(struct trace_session *s)
{
	tp_witness__relax(&s->witness);
}

static void add_missed(void *ctx, const struct event *ev, uint64_t cnt)
{
	*(uint64_t *)ctx += cnt;
}

void trace_session__absent(const struct trace_session *s,
			   void (*each)(void *ctx, const struct event *ev, uint64_t hits),
			   void *ctx)
{
	uint64_t missed = 0;
	size_t i;

	/* Skipped runs are reported as such, and may be all that there were. */
	trace_session__missed(s, add_missed, &missed);
	for (i = 0; i < s->witness.cnt; i++)
		if (s->witness.hits[i] > missed)
			each(ctx, s->classic[i], s->witness.hits[i]);
}
