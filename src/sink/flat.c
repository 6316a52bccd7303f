// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * --format flat: the functions of a profile, one per line, by their own share (self) and then by
 * their share with all that they call (total). A recursive function counts once in a stack.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "profile/profile_wait.h"
#include "sink/out.h"
#include "sink/profile_sink.h"
#include "util/path.h"

extern const struct sink_ops flat_sink;

struct flat_row {
	uint32_t func; /* index into profile.funcs */
	uint64_t self, total;
};

struct flat_printer {
	struct sink *sink;
	struct profile *p;
	const struct profile_view *view;
	struct flat_row *rows; /* by function, until they are sorted */
	size_t *seen; /* by function: the last stack that has it, from 1 on */
};

static void add_stack(struct flat_printer *pr, size_t idx)
{
	const struct profile_stack *st = &pr->p->stacks[idx];
	uint64_t value = pr->view->by_weight ? st->weight : st->samples;
	uint32_t last = TEXTS_NONE;
	const uint32_t *funcs;
	bool ended = false;
	uint16_t cnt, f;
	size_t i;

	if (!(pr->view->events >> st->event & 1))
		return;
	for (i = profile_stack__depth(st); i-- && !ended;) {
		funcs = profile__funcs(pr->p, pr->p->frames[st->at + i], &cnt);
		for (f = 0; f < cnt; f++) {
			/*
			 * Time off the CPU ends with its state, and with the waker's stack upside
			 * down: these are no functions in which the task was.
			 */
			ended = profile_wait__is_note(pr->p, &pr->p->funcs[funcs[f]]);
			if (ended)
				break;
			last = funcs[f];
			if (pr->seen[last] != idx + 1)
				pr->rows[last].total += value;
			pr->seen[last] = idx + 1;
		}
	}
	if (last != TEXTS_NONE)
		pr->rows[last].self += value;
}

static int cmp_rows(const void *a, const void *b, void *ctx)
{
	const struct flat_row *x = a, *y = b;
	const struct profile *p = ctx;

	if (x->self != y->self)
		return x->self > y->self ? -1 : 1;
	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	return strcmp(profile__text(p, p->funcs[x->func].name),
		      profile__text(p, p->funcs[y->func].name));
}

static void put_value(struct flat_printer *pr, uint64_t value)
{
	struct strbuf text = STRBUF_INIT;

	profile_view__put_value(pr->view, value, &text);
	strbuf__printf(&pr->sink->out->buf, " %9s", strbuf__cstr(&text));
	strbuf__free(&text);
}

static double share(uint64_t part, uint64_t all)
{
	return all ? (double)part * 100 / (double)all : 0;
}

static void put_row(struct flat_printer *pr, const struct flat_row *row, uint64_t all)
{
	const struct profile_func *f = &pr->p->funcs[row->func];
	const char *module = profile__text(pr->p, f->module);
	struct strbuf *sb = &pr->sink->out->buf;

	strbuf__printf(sb, "%6.2f%% %8.2f%%", share(row->self, all), share(row->total, all));
	put_value(pr, row->self);
	put_value(pr, row->total);
	strbuf__puts(sb, "  ");
	strbuf__puts(sb, profile__text(pr->p, f->name));
	/* A name that is made of the module's would only repeat it. */
	if (*module && f->is_named) {
		strbuf__puts(sb, "  ");
		strbuf__puts(sb, path__base(module));
	}
	strbuf__putc(sb, '\n');
}

static int print_rows(struct flat_printer *pr)
{
	uint64_t all = 0;
	uint32_t i;
	int err = 0;

	for (i = 0; i < pr->p->event_cnt; i++)
		if (pr->view->events >> i & 1)
			all += pr->view->by_weight ? pr->p->events[i].weight
						   : pr->p->events[i].samples;
	qsort_r(pr->rows, pr->p->func_cnt, sizeof(*pr->rows), cmp_rows, pr->p);
	for (i = 0; i < pr->p->func_cnt && !err; i++) {
		if (!pr->rows[i].total)
			continue;
		put_row(pr, &pr->rows[i], all);
		err = out__commit(pr->sink->out);
	}
	return err;
}

static int print_view(struct flat_printer *pr, bool several)
{
	const char *unit = pr->view->is_ns ? "time" : pr->view->unit;
	struct strbuf *sb = &pr->sink->out->buf;
	uint32_t i;
	size_t s;

	if (several)
		strbuf__printf(sb, "\n# %s\n", pr->view->name);
	strbuf__printf(sb, "#%6s %9s %9s %9s  function, file (self and total: %s)\n", "self",
		       "total", "self", "total", unit);
	memset(pr->seen, 0, pr->p->func_cnt * sizeof(*pr->seen));
	for (i = 0; i < pr->p->func_cnt; i++)
		pr->rows[i] = (struct flat_row){ .func = i };
	for (s = 0; s < pr->p->stack_cnt; s++)
		add_stack(pr, s);
	return print_rows(pr);
}

static int flat_end(struct sink *sink)
{
	struct profile *p = profile_sink__finish(sink);
	const struct profile_sink *ps = sink->priv;
	struct flat_printer pr = { .sink = sink, .p = p };
	uint32_t i;
	int err;

	err = profile__look_up_all(p);
	if (err)
		return err;
	pr.rows = malloc((p->func_cnt + 1) * sizeof(*pr.rows));
	pr.seen = malloc((p->func_cnt + 1) * sizeof(*pr.seen));
	if (!pr.rows || !pr.seen)
		err = -ENOMEM;
	profile_sink__put_head(sink);
	for (i = 0; i < ps->primary_cnt && p->stack_cnt && !err; i++) {
		pr.view = &ps->views[i];
		err = print_view(&pr, ps->primary_cnt > 1);
	}
	free(pr.rows);
	free(pr.seen);
	return err;
}

const struct sink_ops flat_sink = {
	.name = "flat",
	.suffix = ".flat",
	.begin = profile_sink__begin_alone,
	.end = flat_end,
	PROFILE_SINK_OPS,
};
