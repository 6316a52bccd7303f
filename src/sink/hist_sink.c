// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/hist_sink.h"

#include <errno.h>
#include <string.h>

#include "data/perf_sample.h"
#include "data/recording.h"
#include "decode/perf_callchain.h"
#include "event/event.h"
#include "profile/block_cycles.h"
#include "profile/hist_facts.h"
#include "profile/hist_names.h"
#include "sink/branch_rows.h"
#include "sink/func_regex.h"
#include "sink/hist_text.h"
#include "sink/mem_rows.h"
#include "sink/out.h"
#include "util/log.h"

struct hist_data {
	const struct hist_sink_config *cfg;
	struct hist hist;
	struct hist_names names;
	struct sample_facts facts;
	struct block_cycles blocks; /* for cfg.is_blocks */
	struct func_regex *ignored; /* NULL: no callees are left out */
};

static int hist_begin(struct sink *sink)
{
	struct hist_data *h = sink->priv;

	h->cfg = sink__extra(sink, HIST_EXTRA);
	hist__init(&h->hist, &h->cfg->hist);
	hist_names__init(&h->names, &h->hist, sink->cfg.sym, hist__has_lines(&h->cfg->hist));
	if (sample_facts__init(&h->facts, &h->hist, &h->cfg->facts))
		return -ENOMEM;
	if (h->cfg->ignored_callees) {
		h->ignored = func_regex__new(&h->hist, h->cfg->ignored_callees);
		if (!h->ignored)
			return -ENOMEM;
	}
	return hist__set_events(&h->hist, (uint32_t)sink->cfg.events->cnt);
}

static bool wants_chain(const struct hist_config *cfg)
{
	return cfg->has_chains || cfg->children;
}

static int name_frame(struct hist_data *h, const struct sample *s, uint16_t i)
{
	const struct perf_callchain *chain = s->perf->stack;

	/* perf before 6.3 names inlined functions only in stacks that it has unwound itself. */
	return hist_names__frame(&h->names, s->pid, chain->addrs[i], chain->is_kernel[i],
				 h->cfg->inlined || i >= chain->unwound);
}

/*
 * The function of frame i, which is named at n->frames[from…], has no callees if it matches: it is
 * where the sample was taken then. perf follows the chain from the end that is printed first, and
 * forgets what it had at each function that matches: with callers first these, not callees. 1: the
 * frames behind this one are not wanted.
 */
static int ignore_callees(struct hist_data *h, const struct sample *s, uint16_t i, size_t from,
			  struct hist_addr *addr)
{
	const struct perf_callchain *chain = s->perf->stack;
	struct hist_names *n = &h->names;
	int is = func_regex__is(h->ignored, n->frames[n->frame_cnt - 1]);

	if (is <= 0)
		return is;
	if (!h->cfg->hist.is_caller) {
		n->frame_cnt -= from;
		memmove(n->frames, n->frames + from, n->frame_cnt * sizeof(*n->frames));
	}
	return hist_names__self(n, s->pid, chain->addrs[i], chain->is_kernel[i], addr)
		       ?: h->cfg->hist.is_caller;
}

static int name_chain(struct hist_data *h, const struct sample *s, struct hist_addr *addr)
{
	const struct perf_callchain *chain = s->perf->stack;
	size_t from;
	uint16_t i;
	int err = 0;

	hist_names__begin(&h->names);
	/* If the report has no callers, only the sample's own address counts. */
	if ((!s->perf->callchain.cnt && !s->perf->user_stack_sz) ||
	    (!wants_chain(&h->cfg->hist) && !hist__has_key(&h->cfg->hist, HIST_PARENT)))
		return 0;
	/*
	 * The answer of addr2line depends on earlier queries: perf queries in the order of the
	 * chain.
	 */
	for (i = chain->cnt; h->cfg->hist.is_caller && i > chain->unwound && !err; i--)
		err = name_frame(h, s, i - 1);
	hist_names__begin(&h->names);
	for (i = 0; i < chain->cnt && !err; i++) {
		from = h->names.frame_cnt;
		err = name_frame(h, s, i);
		if (!err && h->ignored && h->names.frame_cnt > from)
			err = ignore_callees(h, s, i, from, addr);
	}
	return err < 0 ? err : 0;
}

static unsigned int hist_needs_of(const struct sink *sink, const struct sample *s)
{
	const struct hist_data *h = sink->priv;
	bool has_text = hist__has_key(&h->cfg->hist, HIST_TRACE);

	return SAMPLE_KEEP | SAMPLE_NEEDS_STACK | (has_text ? SAMPLE_NEEDS_TEXT : 0);
}

/* Counts a sample that has no line. */
static void count_sample(struct hist_data *h, const struct sample *s)
{
	struct hist_event *ev = &h->hist.events[s->perf->event->idx];

	ev->samples += h->cfg->hist.is_branches ? branch_rows__cnt(s) : 1;
	ev->period += h->cfg->hist.is_branches ? branch_rows__cnt(s)
		      : h->cfg->hist.is_memory ? mem_rows__weight(s)
					       : s->period;
}

static enum hist_mode mode_of(const struct sample *s)
{
	switch (s->perf->cpumode) {
	case PERF_RECORD_MISC_KERNEL:
		return HIST_MODE_SYS;
	case PERF_RECORD_MISC_USER:
		return HIST_MODE_US;
	case PERF_RECORD_MISC_GUEST_KERNEL:
		return HIST_MODE_GUEST_SYS;
	case PERF_RECORD_MISC_GUEST_USER:
		return HIST_MODE_GUEST_US;
	default:
		return HIST_MODES;
	}
}

static int add_sample(struct sink *sink, const struct sample *s, bool is_hidden)
{
	bool is_kernel = s->perf->cpumode == PERF_RECORD_MISC_KERNEL;
	struct hist_data *h = sink->priv;
	struct hist_sample hs = {
		.event = s->perf->event->idx,
		.comm = s->comm,
		.pid = s->pid,
		.tid = s->tid,
		.cpu = s->perf->have & PERF_SAMPLE_CPU ? s->cpu : UINT32_MAX,
		.is_hidden = is_hidden,
		.mode = mode_of(s),
		.period = s->period,
	};
	struct hist_addr addr;
	int err = hist__set_events(&h->hist, (uint32_t)sink->cfg.events->cnt);

	if (!err)
		err = hist_names__self(&h->names, s->pid, s->perf->ip, is_kernel, &addr);
	/* Such a sample does not count in the totals either, as in perf. */
	if (!err && h->cfg->hist.hides_unresolved && h->hist.funcs[addr.self].name == TEXTS_NONE)
		return 0;
	if (!err)
		err = name_chain(h, s, &addr);
	if (!err && hist_facts__any(&h->cfg->hist)) {
		h->facts.srcfile = addr.srcfile;
		err = sample_facts__set(&h->facts, s, h->names.frames, h->names.frame_cnt);
		hs.facts = &h->facts.facts;
	}
	if (!err && h->cfg->hist.is_memory)
		err = mem_rows__set(&h->names, s, &hs, &h->facts.facts);
	if (err)
		return err;
	if (h->cfg->only_parents && !hs.facts->v[HIST_PARENT - HIST_FACTS]) {
		if (!h->cfg->is_relative)
			count_sample(h, s);
		return 0;
	}
	if (hist__has_key(&h->cfg->hist, HIST_TRACE)) {
		bool is_tracepoint = s->perf->event->attr.type == PERF_TYPE_TRACEPOINT;

		hs.trace = !is_tracepoint ? "N/A" : s->text_len ? s->text : "";
		hs.trace_len = !is_tracepoint ? strlen(hs.trace) : s->text_len;
	}
	if (h->cfg->hist.is_blocks)
		err = branch_rows__add_blocks(&h->names, s, &h->blocks,
					      branch_rows__are_all(&h->cfg->facts.rec->attrs));
	if (h->cfg->hist.is_branches)
		return err ? err : branch_rows__add(&h->names, s, &hs, &h->facts.facts);
	hs.self = addr.self;
	hs.addr = addr.addr;
	hs.srcline = addr.srcline;
	hs.level = addr.level;
	hs.frames = h->names.frames;
	hs.frame_cnt = wants_chain(&h->cfg->hist) ? (uint32_t)h->names.frame_cnt : 0;
	return hist__add(&h->hist, &hs);
}

static int hist_sample(struct sink *sink, const struct sample *s)
{
	return add_sample(sink, s, false);
}

/*
 * In perf's hierarchy a line above the level of a filter has the share of all its samples, also of
 * those that the filter hides. Without a level for a filter such a share would mean nothing.
 */
static bool keeps_hidden(const struct hist_sink_config *cfg)
{
	const struct hist_config *hist = &cfg->hist;

	return hist->is_hierarchy && !hist->is_branches &&
	       (!cfg->only.comm || hist__has_key(hist, HIST_COMM)) &&
	       (!cfg->only.dso || hist__has_key(hist, HIST_DSO)) &&
	       (!cfg->only.symbol || hist__has_key(hist, HIST_SYM)) &&
	       (!cfg->only.by_thread || hist__has_key(hist, HIST_PID) ||
		hist__has_key(hist, HIST_TID));
}

int hist_sink__count(struct sink *sink, const struct sample *s)
{
	struct hist_data *h = sink->priv;
	int err = hist__set_events(&h->hist, (uint32_t)sink->cfg.events->cnt);

	if (err)
		return err;
	if (keeps_hidden(h->cfg))
		return add_sample(sink, s, true);
	count_sample(h, s);
	return 0;
}

/* The events that were recorded as groups, or with --group all, if none was. */
static void set_groups(struct hist *h, const struct attrs *attrs)
{
	bool has_any = false;
	uint32_t i;

	for (i = 0; i < h->event_cnt && i < attrs->cnt; i++) {
		const struct recorded_event *ev = &attrs->events[i];

		if (ev->member_cnt > h->event_cnt - i)
			continue;
		h->events[i].member_cnt = ev->member_cnt;
		h->events[i].group = ev->group_name;
		has_any |= ev->member_cnt > 1;
	}
	if (has_any || h->cfg.grouping != HIST_GROUPS_ALL || !h->event_cnt)
		return;
	if (h->event_cnt > HIST_GROUP_MAX)
		log_warn("--group: %u events are too many to stand side by side (%u at most); they "
			 "are printed one after the other",
			 h->event_cnt, HIST_GROUP_MAX);
	h->events[0].member_cnt = h->event_cnt;
	h->events[0].is_made_group = true;
}

static int hist_end(struct sink *sink)
{
	struct hist_data *h = sink->priv;
	const struct hist_text_config text = { .out = sink->out,
					       .comm_of = h->cfg->comm_of,
					       .ctx = h->cfg->ctx,
					       .only = h->cfg->only,
					       .separator = h->cfg->separator,
					       .is_quiet = h->cfg->is_quiet,
					       .blocks = &h->blocks,
					       .names = &h->names };
	uint32_t i;

	if (h->hist.uprooted)
		log_warn("%llu samples are counted without their callers: different callchains "
			 "need more than %u MiB",
			 (unsigned long long)h->hist.uprooted, HIST_MAX_FRAMES / (1u << 18));
	h->hist.lost = h->cfg->lost_cnt;
	for (i = 0; i < h->hist.event_cnt; i++)
		h->hist.events[i].name = sink->cfg.events->events[i]->name;
	set_groups(&h->hist, &h->cfg->facts.rec->attrs);
	return hist_text__print(&h->hist, &text);
}

static void hist_free(struct sink *sink)
{
	struct hist_data *h = sink->priv;

	func_regex__free(h->ignored);
	sample_facts__free(&h->facts);
	block_cycles__free(&h->blocks);
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
