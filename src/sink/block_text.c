// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/block_text.h"

#include <stdio.h>

#include "profile/block_cycles.h"
#include "profile/hist_entries.h"
#include "profile/hist_names.h"
#include "sink/hist_text.h"
#include "sink/out.h"
#include "util/log.h"

typedef unsigned long long ull;

enum column { SHARE, CYCLES, MEAN_SHARE, MEAN, RANGE, DSO, COLUMNS };

static const struct {
	const char *heading;
	int width;
} columns[COLUMNS] = {
	[SHARE] = { "Sampled Cycles%", 15 },       [CYCLES] = { "Sampled Cycles", 14 },
	[MEAN_SHARE] = { "Avg Cycles%", 11 },      [MEAN] = { "Avg Cycles", 10 },
	[RANGE] = { "[Program Block Range]", 70 }, [DSO] = { "Shared Object", 20 },
};

static void put_headings(struct strbuf *out)
{
	int i, k;

	for (i = 0; i < COLUMNS; i++)
		strbuf__printf(out, "%s%*s", i ? "  " : "# ", columns[i].width, columns[i].heading);
	strbuf__puts(out, "\n");
	for (i = 0; i < COLUMNS; i++) {
		strbuf__puts(out, i ? "  " : "# ");
		for (k = 0; k < columns[i].width; k++)
			strbuf__putc(out, '.');
	}
	strbuf__puts(out, "\n#\n");
}

static void put_share(struct strbuf *out, enum column column, uint64_t part, uint64_t whole)
{
	strbuf__printf(out, "  %*.2f%%", columns[column].width - 1,
		       whole ? 100.0 * ((double)part / (double)whole) : 0);
}

static void put_cycles(struct strbuf *out, enum column column, uint64_t cycles)
{
	char text[32];

	if (cycles >= 1000000)
		snprintf(text, sizeof(text), "%.1fM", (double)cycles / 1000000.0);
	else if (cycles >= 1000)
		snprintf(text, sizeof(text), "%.1fK", (double)cycles / 1000.0);
	else
		snprintf(text, sizeof(text), "%llu", (ull)cycles);
	strbuf__printf(out, "  %*s", columns[column].width, text);
}

static void put_range(struct strbuf *out, struct hist_names *names, const struct code_block *block)
{
	struct strbuf text = STRBUF_INIT;

	strbuf__putc(&text, '[');
	hist_names__put_line(names, block->is_kernel, block->place + block->start, &text);
	strbuf__puts(&text, " -> ");
	hist_names__put_line(names, block->is_kernel, block->place + block->end, &text);
	strbuf__putc(&text, ']');
	strbuf__printf(out, "  %*s", columns[RANGE].width, strbuf__cstr(&text));
	strbuf__free(&text);
}

static void put_block(struct strbuf *out, const struct hist_text_config *cfg, const struct hist *h,
		      const struct code_block *block, uint64_t sum)
{
	uint64_t mean = block->all_cycles / block->all_cnt;

	put_share(out, SHARE, block->all_cycles, cfg->blocks->total);
	put_cycles(out, CYCLES, block->all_cycles);
	put_share(out, MEAN_SHARE, mean, sum);
	put_cycles(out, MEAN, mean);
	put_range(out, cfg->names, block);
	strbuf__printf(out, "  %*s\n", columns[DSO].width,
		       texts__get(&h->texts, h->funcs[block->func].dso));
}

int block_text__print(const struct hist_text_config *cfg, const struct hist_entries *lines)
{
	const struct hist *h = lines->hist;
	struct block_cycles *b = cfg->blocks;
	uint64_t sum;
	size_t i;
	int err = block_cycles__select(b, lines, &sum);

	if (err)
		return err;
	if (!b->total)
		log_warn("--total-cycles: the branches have no cycles, which not all processors "
			 "record; -b sums up the branches");
	block_cycles__sort(b, h);
	if (!cfg->is_quiet)
		put_headings(&cfg->out->buf);
	for (i = 0; i < b->cnt && !err; i++) {
		const struct code_block *block = &b->all[i];

		/* perf compares blocks with the printed start alone to the limit. */
		if (!block->is_shown || !b->total ||
		    (double)block->cycles * 100.0 / (double)b->total < h->cfg.min_percent)
			continue;
		put_block(&cfg->out->buf, cfg, h, block, sum);
		err = out__commit(cfg->out);
	}
	return err;
}
