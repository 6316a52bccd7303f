// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* What the kernel skipped of a trace session's programs, by event. */
#include <string.h>

#include <linux/types.h>
#include <bpf/libbpf.h>

#include "trace.skel.h"

#include "kernel/prog_info.h"
#include "session/trace_session_priv.h"

/* The event whose program this is: raw_NAME or classic_NAME; NULL for programs of several. */
static const struct event *event_of(const struct trace_session *s, const char *prog_name)
{
	size_t i;

	if (strncmp(prog_name, "raw_", 4) == 0)
		prog_name += 4;
	else if (strncmp(prog_name, "classic_", 8) == 0)
		prog_name += 8;
	else
		return NULL;
	for (i = 0; i < s->cfg.events->cnt; i++)
		if (strcmp(s->cfg.events->events[i]->fmt->name, prog_name) == 0)
			return s->cfg.events->events[i];
	return NULL;
}

/*
 * Calls each(i, fd, event) for every program that sends records: those of the
 * skeleton, then one per classic event where there are instances.
 */
static void for_each_sender(const struct trace_session *s,
			    void (*each)(const struct trace_session *s, size_t i, int fd,
					 const struct event *ev, void *arg),
			    void *arg)
{
	struct bpf_program *prog;
	size_t i = 0, k;

	bpf_object__for_each_program (prog, s->skel->obj) {
		const char *name = bpf_program__name(prog);

		if (bpf_program__autoload(prog) && strncmp(name, "follow_", 7) != 0 &&
		    prog != s->skel->progs.flush_batch && prog != s->skel->progs.bring_sys_enter)
			each(s, i, bpf_program__fd(prog), event_of(s, name), arg);
		i++;
	}
	for (k = 0; k < s->instances.cnt; k++)
		each(s, i++, s->instances.fds[k], s->classic[k], arg);
}

static void take_baseline(const struct trace_session *s, size_t i, int fd, const struct event *ev,
			  void *arg)
{
	s->missed[i] = prog_info__missed(fd);
}

static void take_growth(const struct trace_session *s, size_t i, int fd, const struct event *ev,
			void *arg)
{
	s->missed[i] = prog_info__missed(fd) - s->missed[i];
}

void trace_missed__begin(struct trace_session *s)
{
	for_each_sender(s, take_baseline, NULL);
}

void trace_missed__end(struct trace_session *s)
{
	for_each_sender(s, take_growth, NULL);
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
