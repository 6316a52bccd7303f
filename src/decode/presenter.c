// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "decode/presenter.h"

#include <stdio.h>

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
	*p = (struct presenter){ .text = STRBUF_INIT };
}

int presenter__name(struct presenter *p, struct sample *s, unsigned int needs)
{
	if (needs & (SAMPLE_NEEDS_LINES | SAMPLE_NEEDS_IP)) {
		s->lines = needs & SAMPLE_NEEDS_LINES ? line_names__chain(&p->lines, s)
						      : line_names__ip(&p->lines, s);
		return s->lines ? 0 : -ENOMEM;
	}
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
