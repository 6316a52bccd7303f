// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "profile/hist_script.h"

#include <errno.h>
#include <stdlib.h>

#include "util/array.h"
#include "util/log.h"

/* More would tell no more. */
#define PEEKED_SAMPLES 64

bool hist_script__has_chains(const char *text, size_t len)
{
	struct script_sample s;
	struct script_text t;
	size_t i;
	bool has = false;

	script_text__begin(&t, text, len);
	for (i = 0; i < PEEKED_SAMPLES && !has && script_text__next(&t, &s) > 0; i++)
		has = s.frame_cnt > 1;
	script_text__free(&t);
	return has;
}

static uint32_t add_text(struct hist_script *hs, struct text_part part)
{
	return texts__add_escaped(&hs->hist->texts, part.at, part.len);
}

static uint32_t module_text(struct hist_script *hs, const struct script_frame *f)
{
	static const struct text_part unknown = { "[unknown]", 9 };

	return add_text(hs, f->module.len ? text_part__base(&f->module) : unknown);
}

/* An inlined function's file is that of the function that it was inlined into. */
static int add_func(struct hist_script *hs, const struct script_sample *s, size_t i, uint32_t *func)
{
	const struct script_frame *f = &s->frames[i];
	struct hist_func hf = {
		.name = TEXTS_NONE,
		.addr = f->name.len ? 0 : f->addr,
		.is_inlined = f->is_inlined,
		.level = f->is_kernel ? 'k' : '.',
	};

	while (i + 1 < s->frame_cnt && s->frames[i].is_inlined)
		i++;
	hf.dso = module_text(hs, &s->frames[i]);
	hf.is_mapped = s->frames[i].module.len != 0;
	if (f->name.len)
		hf.name = add_text(hs, f->name);
	if (hf.dso == TEXTS_NONE || (f->name.len && hf.name == TEXTS_NONE))
		return -ENOMEM;
	*func = hist__func(hs->hist, &hf);
	return *func == UINT32_MAX ? -ENOMEM : 0;
}

static int find_event(struct hist_script *hs, const struct script_sample *s, uint32_t *event)
{
	uint32_t name = add_text(hs, s->event), cnt = (uint32_t)hs->event_cnt;
	uint32_t *slot = name == TEXTS_NONE ? NULL : u64map__slot(&hs->by_event, name);

	if (!slot)
		return -ENOMEM;
	*event = *slot;
	if (*slot != U64MAP_NONE)
		return 0;
	if (cnt == HIST_SCRIPT_MAX_EVENTS) {
		log_error("the text of perf script names more than %d events; print fewer with "
			  "`perf script --tid` or --time, or give the recording",
			  HIST_SCRIPT_MAX_EVENTS);
		return -E2BIG;
	}
	if (array__reserve((void **)&hs->event_names, &hs->event_cap, cnt + 1, sizeof(name)) ||
	    hist__set_events(hs->hist, cnt + 1))
		return -ENOMEM;
	hs->event_names[cnt] = name;
	hs->event_cnt++;
	*slot = *event = cnt;
	return 0;
}

static int keep_comm(struct hist_script *hs, const struct script_sample *s)
{
	uint32_t *slot = u64map__slot(&hs->comms, (uint32_t)s->tid);

	if (slot)
		*slot = add_text(hs, s->comm);
	return slot && *slot != TEXTS_NONE ? 0 : -ENOMEM;
}

static int add_sample(struct hist_script *hs, const struct script_sample *s)
{
	struct hist_func nothing = { .name = TEXTS_NONE,
				     .dso = add_text(hs, (struct text_part){ "[unknown]", 9 }) };
	struct hist_sample sample = {
		.pid = s->pid >= 0 ? s->pid : s->tid,
		.tid = s->tid,
		.cpu = s->cpu,
		.srcline = TEXTS_NONE,
		.trace = s->trace.len ? s->trace.at : "",
		.trace_len = s->trace.len,
		.mode = s->frame_cnt && s->frames[0].is_kernel ? HIST_MODE_SYS : HIST_MODE_US,
		.level = s->frame_cnt && s->frames[0].is_kernel ? 'k' : '.',
		.period = s->period,
		.frame_cnt = (uint32_t)s->frame_cnt,
	};
	size_t i;
	int err = find_event(hs, s, &sample.event);

	if (!err)
		err = keep_comm(hs, s);
	if (!err && array__reserve((void **)&hs->frames, &hs->frame_cap, s->frame_cnt + 1,
				   sizeof(*hs->frames)))
		err = -ENOMEM;
	for (i = 0; i < s->frame_cnt && !err; i++)
		err = add_func(hs, s, i, &hs->frames[i]);
	if (err)
		return err;
	if (!s->frame_cnt)
		hs->frames[0] =
			nothing.dso == TEXTS_NONE ? UINT32_MAX : hist__func(hs->hist, &nothing);
	if (hs->frames[0] == UINT32_MAX)
		return -ENOMEM;
	strbuf__reset(&hs->name);
	strbuf__add(&hs->name, s->comm.at, s->comm.len);
	sample.comm = strbuf__cstr(&hs->name);
	sample.self = hs->frames[0];
	sample.frames = hs->frames;
	/* One function is the sample's own address, not a callchain. */
	if (sample.frame_cnt == 1)
		sample.frame_cnt = 0;
	return hist__add(hs->hist, &sample);
}

int hist_script__read(struct hist_script *hs, struct hist *hist, const char *text, size_t len)
{
	struct script_sample s;
	struct script_text t;
	size_t i;
	int err;

	*hs = (struct hist_script){ .hist = hist };
	script_text__begin(&t, text, len);
	while ((err = script_text__next(&t, &s)) > 0) {
		err = add_sample(hs, &s);
		if (err)
			break;
	}
	if (!err)
		script_text__warn_odd(&t);
	script_text__free(&t);
	for (i = 0; i < hs->event_cnt; i++)
		hist->events[i].name = texts__get(&hist->texts, hs->event_names[i]);
	return err;
}

const char *hist_script__comm(void *ctx, int32_t tid)
{
	const struct hist_script *hs = ctx;
	uint32_t name = u64map__get(&hs->comms, (uint32_t)tid);

	return name == U64MAP_NONE ? "" : texts__get(&hs->hist->texts, name);
}

void hist_script__free(struct hist_script *hs)
{
	u64map__free(&hs->comms);
	u64map__free(&hs->by_event);
	free(hs->event_names);
	free(hs->frames);
	strbuf__free(&hs->name);
	*hs = (struct hist_script){ .hist = NULL };
}
