// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "annotate/annotate.h"

#include <string.h>

#include "annotate/rows.h"
#include "util/path.h"

#define NO_SHARE "         :"

struct printer {
	const struct annotate_config *cfg;
	const struct annotated *f;
	struct strbuf *out;
	size_t next; /* of f->addrs: the first that is not printed */
};

static void put_head(const struct printer *p, const char *event)
{
	const char *module = path__base(p->f->module);
	size_t start = p->out->len, width;

	strbuf__puts(p->out, p->cfg->by_samples ? " Samples" : " Percent");
	strbuf__puts(p->out, " |\tSource code & Disassembly of ");
	strbuf__put_escaped(p->out, module, strlen(module));
	strbuf__puts(p->out, " for ");
	strbuf__put_escaped(p->out, event, strlen(event));
	strbuf__printf(p->out, " (%llu samples, percent: local period)\n",
		       (unsigned long long)p->f->samples);
	/* Without memory there is nothing to underline. */
	for (width = p->out->len - start; width > 1; width--)
		strbuf__putc(p->out, '-');
	strbuf__printf(p->out, "\n" NO_SHARE "\n" NO_SHARE " %016llx <",
		       (unsigned long long)p->f->start_addr);
	strbuf__put_escaped(p->out, p->f->name, strlen(p->f->name));
	strbuf__puts(p->out, ">:\n");
}

static void put_share(const struct printer *p, uint64_t samples, uint64_t period)
{
	if (p->cfg->by_samples)
		strbuf__printf(p->out, "%8llu :", (unsigned long long)samples);
	else
		strbuf__printf(p->out, "%8.2f :",
			       p->f->period ? 100.0 * (double)period / (double)p->f->period : 0.0);
}

/* Prints the counts of addresses before addr, at which no instruction begins. */
static void put_between(struct printer *p, uint64_t addr)
{
	const struct annotated *f = p->f;

	for (; p->next < f->addr_cnt; p->next++) {
		const struct addr_count *count = &f->addrs[p->next];
		uint64_t here = f->start_addr + count->place - f->start_place;

		if (here >= addr)
			break;
		put_share(p, count->samples, count->period);
		strbuf__printf(p->out, "   %llx:\n", (unsigned long long)here);
	}
}

static void put_line(const struct printer *p, const struct code_row *row)
{
	const char *text = row->text;
	size_t len = row->len;

	if (text) {
		strbuf__printf(p->out, NO_SHARE " %-5u", row->line);
		/* A tab is no control character here. */
		for (; len && *text == '\t'; text++, len--)
			strbuf__puts(p->out, "    ");
		strbuf__put_escaped(p->out, text, len);
	} else {
		strbuf__puts(p->out, NO_SHARE " ");
		strbuf__put_escaped(p->out, row->name, strlen(row->name));
		strbuf__printf(p->out, ":%u", row->line);
	}
	strbuf__putc(p->out, '\n');
}

static void put_insn(struct printer *p, const struct code_row *row)
{
	const struct annotated *f = p->f;
	const struct addr_count *count = p->next < f->addr_cnt ? &f->addrs[p->next] : NULL;
	bool has_samples = count && count->place - f->start_place == row->addr - f->start_addr;

	put_share(p, has_samples ? count->samples : 0, has_samples ? count->period : 0);
	p->next += has_samples;
	strbuf__printf(p->out, "   %llx:   ", (unsigned long long)row->addr);
	strbuf__put_escaped(p->out, row->text, row->len);
	strbuf__putc(p->out, '\n');
}

static void put_row(void *ctx, const struct code_row *row)
{
	struct printer *p = ctx;

	put_between(p, row->addr);
	switch (row->kind) {
	case CODE_ROW_FUNC:
		strbuf__puts(p->out, NO_SHARE " ");
		strbuf__put_escaped(p->out, row->name, strlen(row->name));
		strbuf__puts(p->out, strchr(row->name, '(') ? ":\n" : "():\n");
		break;
	case CODE_ROW_LINE:
		put_line(p, row);
		break;
	case CODE_ROW_INSN:
		put_insn(p, row);
		break;
	}
}

int annotate__put(const struct annotate_config *cfg, const struct annotated *f, const char *event,
		  struct strbuf *out)
{
	struct printer p = { .cfg = cfg, .f = f, .out = out };
	const struct code_rows rows = { cfg->sym, cfg->sources, f, put_row, &p };
	int err;

	put_head(&p, event);
	err = code_rows__each(&rows);
	put_between(&p, UINT64_MAX);
	return err;
}
