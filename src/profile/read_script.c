// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The text of `perf script` as a profile. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "profile/profile.h"
#include "profile/profile_read.h"
#include "profile/script_text.h"
#include "util/array.h"

struct script_reader {
	struct profile *p;
	bool old; /* the samples are of the older profile of a comparison */
	uint32_t *locs; /* of the current sample, innermost first */
	size_t cnt, cap;
	struct strbuf name, module, comm;
};

static const char *terminated(struct strbuf *sb, const struct text_part *part)
{
	strbuf__reset(sb);
	strbuf__add(sb, part->at, part->len);
	return strbuf__cstr(sb);
}

static int push_name(struct script_reader *r, const struct script_frame *f,
		     const struct text_part *name)
{
	uint32_t loc;

	if (array__reserve((void **)&r->locs, &r->cap, r->cnt + 1, sizeof(*r->locs)))
		return -ENOMEM;
	loc = profile__named_loc(r->p, terminated(&r->name, name),
				 terminated(&r->module, &f->module), f->is_kernel, FRAME_NATIVE);
	r->locs[r->cnt++] = loc;
	return loc == TEXTS_NONE ? -ENOMEM : 0;
}

/* An address without a function has the name of its file, "[libc.so.6]", or "[unknown]". */
static int push_unknown(struct script_reader *r, const struct script_frame *f)
{
	struct text_part base = text_part__base(&f->module), name;
	struct strbuf sb = STRBUF_INIT;
	int err;

	if (base.len && base.at[0] == '[')
		return push_name(r, f, &base);
	strbuf__printf(&sb, "[%.*s]", (int)(base.len ? base.len : 7),
		       base.len ? base.at : "unknown");
	name = (struct text_part){ sb.buf, sb.len };
	err = push_name(r, f, &name);
	strbuf__free(&sb);
	return err;
}

/* Is it the code of a JIT compiler, which may name functions "caller->inlined->inlined"? */
static bool is_jit(const struct text_part *module)
{
	struct text_part base = text_part__base(module);

	return base.len > 9 && (!memcmp(base.at, "perf-", 5) || !memcmp(base.at, "jitted-", 7));
}

static int push_frame(struct script_reader *r, const struct script_frame *f)
{
	struct text_part rest = f->name, last;
	const char *arrow;
	int err = 0;

	if (!f->name.len)
		return push_unknown(r, f);
	/* The last one is innermost. */
	while (is_jit(&f->module) && !err && rest.len) {
		for (arrow = rest.at + rest.len - 1; arrow > rest.at + 1; arrow--)
			if (arrow[-1] == '-' && arrow[0] == '>')
				break;
		if (arrow <= rest.at + 1)
			break;
		last = (struct text_part){ arrow + 1, (size_t)(rest.at + rest.len - arrow - 1) };
		rest.len = (size_t)(arrow - 1 - rest.at);
		err = last.len ? push_name(r, f, &last) : 0;
	}
	return err || !rest.len ? err : push_name(r, f, &rest);
}

/* Time in nanoseconds is the period of these events alone, and of none without a period. */
static bool is_clock(const struct script_sample *s)
{
	const char *colon = memchr(s->event.at, ':', s->event.len);
	struct text_part name = { s->event.at,
				  colon ? (size_t)(colon - s->event.at) : s->event.len };

	return s->has_period &&
	       (text_part__is(&name, "cpu-clock") || text_part__is(&name, "task-clock"));
}

static int add_event(struct script_reader *r, const struct script_sample *s)
{
	struct profile_event ev = { .is_ns = is_clock(s), .old = r->old };

	ev.name = texts__add_escaped(&r->p->texts, s->event.at, s->event.len);
	return ev.name == TEXTS_NONE ? -ENOMEM : profile__add_event(r->p, &ev);
}

static int read_sample(struct script_reader *r, const struct script_sample *s)
{
	const struct sample like = { .comm = terminated(&r->comm, &s->comm),
				     .pid = s->pid >= 0 ? s->pid : s->tid,
				     .tid = s->tid,
				     .cpu = s->cpu };
	struct profile_stack st = { .samples = 1, .weight = s->period };
	int event = add_event(r, s), err;
	size_t i;

	if (event < 0)
		return event;
	st.event = (uint8_t)event;
	err = profile__put_group(r->p, &like, &st);
	r->cnt = 0;
	for (i = 0; i < s->frame_cnt && !err; i++) {
		err = push_frame(r, &s->frames[i]);
		if (s->frames[i].is_kernel && st.kern_cnt + 1u == i + 1)
			st.kern_cnt = (uint16_t)(i + 1);
	}
	if (err)
		return err;
	if (r->cnt > PROFILE_MAX_DEPTH)
		r->cnt = PROFILE_MAX_DEPTH;
	st.user_cnt = (uint16_t)(r->cnt - st.kern_cnt);
	return profile__add_stack(r->p, &st, r->locs) == TEXTS_NONE ? -ENOMEM : 0;
}

int profile_read__script(struct profile *p, const char *text, size_t len, enum profile_part part,
			 size_t *bad_line)
{
	struct script_reader r = { .p = p, .old = part == PROFILE_PART_AS_OLD };
	uint64_t first_ns = UINT64_MAX, last_ns = 0;
	struct script_sample s;
	struct script_text t;
	size_t cnt = 0;
	int err;

	*bad_line = 0;
	script_text__begin(&t, text, len);
	while ((err = script_text__next(&t, &s)) > 0) {
		err = read_sample(&r, &s);
		if (err)
			break;
		cnt++;
		first_ns = s.time_ns < first_ns ? s.time_ns : first_ns;
		last_ns = s.time_ns > last_ns ? s.time_ns : last_ns;
	}
	if (!err && cnt && !r.old)
		p->meta.duration_ns = last_ns - first_ns;
	if (!err && cnt)
		script_text__warn_odd(&t);
	script_text__free(&t);
	free(r.locs);
	strbuf__free(&r.name);
	strbuf__free(&r.module);
	strbuf__free(&r.comm);
	return err ? err : cnt ? 0 : -EINVAL;
}
