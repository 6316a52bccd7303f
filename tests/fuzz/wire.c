// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Records of our own programs (bpf/wire.h), as they lie in a ring behind each
 * other: tracepoints of the corpus, stacks, definitions, absences. What comes
 * out lies in the record, is printed in each way there is, and is JSON.
 */
#include "fuzz.h"

#include <glob.h>
#include <linux/types.h>

#include "bpf/wire.h"
#include "decode/offcpu_record.h"
#include "decode/print.h"
#include "decode/stack_record.h"
#include "decode/stacks.h"
#include "decode/trace_record.h"
#include "event/event.h"
#include "machine/tasks.h"
#include "sink/field_plan.h"
#include "util/fs.h"
#include "util/json_read.h"

#define FORMATS_MAX 128

static struct tp_format *fmts[FORMATS_MAX];
static size_t fmt_cnt;
static struct event_list events;
static struct trace_decoder decoder;
static struct field_plans plans;
static struct printer *printer;
static struct tasks *tasks;
static volatile uint64_t sink;

/* Numbered anew: ids of several machines meet in the corpus. */
static void add_format(const char *path)
{
	char sys[128], name[128];
	struct event *ev;
	size_t len;
	char *text;

	if (fmt_cnt == FORMATS_MAX ||
	    sscanf(strrchr(path, '/') + 1, "%127[^.].%127[^.]", sys, name) != 2)
		return;
	text = fs__read_file(path, &len);
	fmts[fmt_cnt] = tp_format__parse(sys, name, text, len);
	free(text);
	ev = event__new(EVENT_TRACEPOINT, name);
	fuzz_check(fmts[fmt_cnt] && ev);
	ev->fmt = fmts[fmt_cnt];
	ev->fmt->id = (uint16_t)(1 + fmt_cnt++);
	ev->config = ev->fmt->id;
	fuzz_check(!event_list__push(&events, ev));
}

static void fuzz_setup(void)
{
	glob_t found;
	size_t i;

	fuzz_check(!glob(FUZZ_TREE "/tests/unit/data/formats/*.format", 0, NULL, &found));
	for (i = 0; i < found.gl_pathc; i++)
		add_format(found.gl_pathv[i]);
	globfree(&found);
	printer = printer__new();
	tasks = tasks__new();
	tasks__set_offline(tasks);
	fuzz_check(!trace_decoder__init(&decoder, &events, tasks));
}

static void seed_rec(const char *name, uint16_t kind, uint16_t id, size_t sz)
{
	static union {
		struct wire_rec head;
		struct wire_tp tp;
		struct wire_stack stack;
		struct wire_stack_def def;
		struct wire_offcpu off;
		uint8_t bytes[4096];
	} u;
	size_t i;

	for (i = 0; i < sizeof(u.bytes); i++)
		u.bytes[i] = i % 5 ? (uint8_t)(i % 11) : (uint8_t)('a' + i % 19);
	u.head.sz = (uint16_t)sz;
	u.head.kind = kind;
	switch (kind) {
	case WIRE_TP:
		u.tp.entry.type = id;
		break;
	case WIRE_SAMPLE:
		u.stack.kern_sz = 24;
		u.stack.user_sz = 40;
		break;
	case WIRE_STACK_DEF:
		u.def.kern_sz = 24;
		u.def.user_sz = 40;
		break;
	default:
		u.off.head.time_ns = 5000;
		u.off.away.start_ns = 1000;
		u.off.away.woken_ns = 3000;
		break;
	}
	fuzz_seed(name, &u, sz);
}

static void fuzz_seeds(void)
{
	char name[32];
	size_t i;

	for (i = 0; i < fmt_cnt; i++) {
		snprintf(name, sizeof(name), "tp%zu", i);
		seed_rec(name, WIRE_TP, fmts[i]->id,
			 offsetof(struct wire_tp, entry) + fmts[i]->fixed_sz + 24u);
	}
	seed_rec("sample", WIRE_SAMPLE, 0, offsetof(struct wire_stack, addrs) + 64);
	seed_rec("def", WIRE_STACK_DEF, 0, offsetof(struct wire_stack_def, addrs) + 64);
	seed_rec("off", WIRE_OFF, 0, sizeof(struct wire_offcpu));
}

static void check_inside(const struct wire_rec *rec, const void *data, uint64_t sz)
{
	const uint8_t *p = data, *begin = (const uint8_t *)rec, *end = begin + rec->sz;

	if (!sz)
		return;
	fuzz_check(p >= begin && p < end && sz <= (uint64_t)(end - p));
	sink += p[0] + p[sz - 1];
}

static void print_sample(const struct sample *s)
{
	struct field_plan *plan = field_plans__get(&plans, s->event->fmt);
	struct strbuf out = STRBUF_INIT;
	size_t i;

	fuzz_check(plan);
	printer__print(printer, s->event->fmt, s->raw, s->raw_sz, &out);
	fuzz_check(!memchr(out.buf ? out.buf : "", '\n', out.len));
	strbuf__reset(&out);
	field_plan__json(plan, s->raw, s->raw_sz, &out);
	fuzz_check(out.buf[0] == '{' && out.buf[out.len - 1] == '}');
	strbuf__reset(&out);
	for (i = 0; i < plan->step_cnt; i++)
		field_step__csv(plan, &plan->steps[i], s->raw, s->raw_sz, &out);
	sink += (uintptr_t)field_plan__syscall_name(plan, s);
	sink += !!field_plan__syscall_error(plan, s->raw, s->raw_sz);
	strbuf__free(&out);
}

static void check_chain(const struct wire_rec *rec, const struct callchain *chain)
{
	check_inside(rec, chain->kern, chain->kern_cnt * 8ull);
	check_inside(rec, chain->user, chain->user_cnt * 8ull);
}

static void one_record(struct stacks *stacks, const struct wire_rec *rec)
{
	const struct callchain *chain;
	struct sample s = { 0 };
	struct offcpu off;
	int part;

	switch (rec->kind) {
	case WIRE_TP:
		if (!trace_decoder__sample(&decoder, rec, 1, &s))
			return;
		check_inside(rec, s.raw, s.raw_sz);
		print_sample(&s);
		break;
	case WIRE_SAMPLE:
		if (stack_record__sample(rec, 1, 127, tasks, &s)) {
			check_chain(rec, &s.chain);
			sink += stack_record__event(rec);
		}
		break;
	case WIRE_STACK_DEF:
		chain = stacks__define(stacks, rec);
		if (chain && chain->kern_cnt)
			sink += chain->kern[chain->kern_cnt - 1];
		if (chain && chain->user_cnt)
			sink += chain->user[chain->user_cnt - 1];
		break;
	default:
		if (offcpu_record__read(rec, &off))
			for (part = 0; part < OFFCPU_STATES; part++)
				sink += offcpu__sample(&off, part, stacks, &s);
		break;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t sz)
{
	struct stacks stacks;

	stacks__init(&stacks, 127);
	while (sz >= sizeof(struct wire_rec)) {
		struct wire_rec head, *rec;
		size_t step;

		memcpy(&head, data, sizeof(head));
		if (head.sz < sizeof(head) || head.sz > sz)
			head.sz = (uint16_t)(sz > 9000 ? 9000 : sz);
		rec = malloc(head.sz);
		memcpy(rec, data, head.sz);
		*rec = head;
		one_record(&stacks, rec);
		free(rec);
		step = (head.sz + 7u) & ~7u;
		step = step < sz ? step : sz;
		data += step;
		sz -= step;
	}
	stacks__free(&stacks);
	return 0;
}
