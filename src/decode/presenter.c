// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "decode/presenter.h"

#include <stdio.h>

#include "data/perf_sample.h"
#include "decode/branch_code.h"
#include "event/tracefs.h"
#include "sym/sym.h"

static const char *resolve(void *ctx, uint64_t addr, uint64_t *off)
{
	struct sym_result res;

	sym__kernel(ctx, addr, &res);
	*off = res.off;
	return res.name;
}

static int init(struct presenter *p, struct sym *sym)
{
	*p = (struct presenter){ .printer = printer__new(), .text = STRBUF_INIT };
	if (!p->printer)
		return -ENOMEM;
	printer__set_resolver(p->printer, resolve, sym);
	chain_names__init(&p->chains, sym);
	line_names__init(&p->lines, sym);
	return 0;
}

int presenter__init(struct presenter *p, struct sym *sym)
{
	const char *dir = tracefs__dir();
	int err = init(p, sym);
	char path[256];

	if (err || !dir)
		return err;
	snprintf(path, sizeof(path), "%s/printk_formats", dir);
	return printer__set_strings_file(p->printer, path);
}

int presenter__init_recorded(struct presenter *p, struct sym *sym, const char *printk_formats)
{
	int err = init(p, sym);

	if (err)
		return err;
	return printk_formats ? printer__add_strings(p->printer, printk_formats) : 0;
}

void presenter__free(struct presenter *p)
{
	printer__free(p->printer);
	strbuf__free(&p->text);
	chain_names__free(&p->chains);
	line_names__free(&p->lines);
	branch_code__free(p->code);
	*p = (struct presenter){ .text = STRBUF_INIT };
}

/* Finds the code between the sample's branches. 0 or -ENOMEM. */
static int add_code(struct presenter *p, struct sample *s)
{
	if (!p->code)
		p->code = branch_code__new(&p->lines);
	if (!p->code)
		return -ENOMEM;
	p->code->max_blocks = p->max_blocks;
	p->code->with_places = p->lines.places.with_lines;
	s->code = branch_code__get(p->code, s);
	return s->code ? 0 : -ENOMEM;
}

/* Names the sample's own address alone. 0 or -ENOMEM. */
static int add_place(struct presenter *p, struct sample *s)
{
	struct named_line line = { .addr = s->perf->ip };
	int err = line_names__at(&p->lines, s, &line);

	s->place = line.place;
	return err;
}

int presenter__name(struct presenter *p, struct sample *s, unsigned int needs)
{
	line_names__begin(&p->lines);
	if (needs & SAMPLE_NEEDS_BRANCHES) {
		s->branches = line_names__branches(&p->lines, s);
		if (!s->branches)
			return -ENOMEM;
	}
	if (needs & SAMPLE_NEEDS_CODE && add_code(p, s))
		return -ENOMEM;
	if (needs & SAMPLE_NEEDS_PLACE && add_place(p, s))
		return -ENOMEM;
	if (needs & (SAMPLE_NEEDS_LINES | SAMPLE_NEEDS_IP)) {
		s->lines = needs & SAMPLE_NEEDS_LINES ? line_names__chain(&p->lines, s)
						      : line_names__ip(&p->lines, s);
		return s->lines ? 0 : -ENOMEM;
	}
	if (!(needs & SAMPLE_NEEDS_NAMES))
		return 0;
	s->names = NULL;
	if (!s->stack_id && callchain__is_empty(&s->chain))
		return 0;
	s->names = chain_names__get(&p->chains, s);
	return s->names ? 0 : -ENOMEM;
}

void presenter__put_hex(const struct sample *s, struct strbuf *out)
{
	const uint8_t *raw = s->raw;
	uint32_t i;

	for (i = 0; i < s->raw_sz; i++)
		strbuf__printf(out, "%s%02x", i ? " " : "", raw[i]);
}
