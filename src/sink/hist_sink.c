// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/hist_sink.h"

#include <errno.h>

#include "data/perf_sample.h"
#include "decode/perf_callchain.h"
#include "event/event.h"
#include "profile/hist_names.h"
#include "sink/hist_text.h"
#include "sink/out.h"
#include "util/log.h"

struct hist_data {
	const struct hist_sink_config *cfg;
	struct hist hist;
	struct hist_names names;
};

static int hist_begin(struct sink *sink)
{
	struct hist_data *h = sink->priv;

	h->cfg = sink__extra(sink, HIST_EXTRA);
	hist__init(&h->hist, &h->cfg->hist);
	hist_names__init(&h->names, &h->hist, sink->cfg.sym,
			 hist__has_key(&h->cfg->hist, HIST_SRCLINE));
	return hist__set_events(&h->hist, (uint32_t)sink->cfg.events->cnt);
}

static int name_frame(struct hist_data *h, const struct sample *s, uint16_t i)
{
	const struct perf_callchain *chain = s->perf->stack;

	/* perf before 6.3 names inlined functions only in stacks that it has unwound itself. */
	return hist_names__frame(&h->names, s->pid, chain->addrs[i], chain->is_kernel[i],
				 h->cfg->inlined || i >= chain->unwound);
}

static int name_chain(struct hist_data *h, const struct sample *s)
{
	const struct perf_callchain *chain = s->perf->stack;
	uint16_t i;
	int err = 0;

	hist_names__begin(&h->names);
	/* If the report has no callers, only the sample's own address counts. */
	if ((!s->perf->callchain.cnt && !s->perf->user_stack_sz) ||
	    (!h->cfg->hist.has_chains && !h->cfg->hist.children))
		return 0;
	/*
	 * The answer of addr2line depends on earlier queries: perf queries in the order of the
	 * chain.
	 */
	for (i = chain->cnt; h->cfg->hist.is_caller && i > chain->unwound && !err; i--)
		err = name_frame(h, s, i - 1);
	hist_names__begin(&h->names);
	for (i = 0; i < chain->cnt && !err; i++)
		err = name_frame(h, s, i);
	return err;
}

static unsigned int hist_needs_of(const struct sink *sink, const struct sample *s)
{
	const struct hist_data *h = sink->priv;
	bool has_text = hist__has_key(&h->cfg->hist, HIST_TRACE);

	return SAMPLE_KEEP | SAMPLE_NEEDS_STACK | (has_text ? SAMPLE_NEEDS_TEXT : 0);
}

static int hist_sample(struct sink *sink, const struct sample *s)
{
	bool is_kernel = s->perf->cpumode == PERF_RECORD_MISC_KERNEL;
	struct hist_data *h = sink->priv;
	struct hist_sample hs = {
		.event = s->perf->event->idx,
		.comm = s->comm,
		.pid = s->pid,
		.tid = s->tid,
		.cpu = s->perf->have & PERF_SAMPLE_CPU ? s->cpu : UINT32_MAX,
		.period = s->period,
	};
	struct hist_addr addr;
	int err = hist__set_events(&h->hist, (uint32_t)sink->cfg.events->cnt);

	if (!err)
		err = hist_names__self(&h->names, s->pid, s->perf->ip, is_kernel, &addr);
	if (!err)
		err = name_chain(h, s);
	if (err)
		return err;
	if (hist__has_key(&h->cfg->hist, HIST_TRACE)) {
		hs.trace = s->text_len ? s->text : "";
		hs.trace_len = s->text_len;
	}
	hs.self = addr.self;
	hs.srcline = addr.srcline;
	hs.level = addr.level;
	hs.frames = h->names.frames;
	hs.frame_cnt = (uint32_t)h->names.frame_cnt;
	return hist__add(&h->hist, &hs);
}

int hist_sink__count(struct sink *sink, const struct sample *s)
{
	struct hist_data *h = sink->priv;
	int err = hist__set_events(&h->hist, (uint32_t)sink->cfg.events->cnt);

	if (err)
		return err;
	h->hist.events[s->perf->event->idx].samples++;
	h->hist.events[s->perf->event->idx].period += s->period;
	return 0;
}

static int hist_end(struct sink *sink)
{
	struct hist_data *h = sink->priv;
	const struct hist_text_config text = { .out = sink->out,
					       .comm_of = h->cfg->comm_of,
					       .ctx = h->cfg->ctx,
					       .only = h->cfg->only,
					       .is_quiet = h->cfg->is_quiet };
	uint32_t i;

	if (h->hist.uprooted)
		log_warn("%llu samples are counted without their callers: different callchains "
			 "need more than %u MiB",
			 (unsigned long long)h->hist.uprooted, HIST_MAX_FRAMES / (1u << 18));
	h->hist.lost = h->cfg->lost_cnt;
	for (i = 0; i < h->hist.event_cnt; i++)
		h->hist.events[i].name = sink->cfg.events->events[i]->name;
	return hist_text__print(&h->hist, &text);
}

static void hist_free(struct sink *sink)
{
	struct hist_data *h = sink->priv;

	hist_names__free(&h->names);
	hist__free(&h->hist);
}

const struct sink_ops hist_sink = {
	.name = "stdio",
	.priv_sz = sizeof(struct hist_data),
	.begin = hist_begin,
	.needs_of = hist_needs_of,
	.sample = hist_sample,
	.end = hist_end,
	.free = hist_free,
};
