// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Filters: which format, how many CPUs, which record (2 bytes), and an
 * expression. What is taken is compiled, and the program, run on the record,
 * must say what the oracle says, and touch nothing that is not its own; what
 * is refused has a sentence and a place inside the expression.
 */
#include "fuzz.h"

#include <glob.h>

#include "filter/filter.h"
#include "filter_prog.h"
#include "filter_words.h"
#include "util/fs.h"

#define FORMATS_MAX 128

static struct tp_format *fmts[FORMATS_MAX];
static size_t fmt_cnt;
static struct filter_room room;

static void fuzz_setup(void)
{
	glob_t found;
	size_t i, len;

	fuzz_check(!glob(FUZZ_TREE "/tests/unit/data/formats/*.format", 0, NULL, &found));
	for (i = 0; i < found.gl_pathc && fmt_cnt < FORMATS_MAX; i++) {
		char *text = fs__read_file(found.gl_pathv[i], &len);

		fmts[fmt_cnt] = tp_format__parse("x", "y", text, len);
		fmt_cnt += fmts[fmt_cnt] != NULL;
		free(text);
	}
	globfree(&found);
}

static void fuzz_seeds(void)
{
	char name[32];
	unsigned int i;

	for (i = 0; i < 400; i++) {
		struct strbuf in = STRBUF_INIT;

		strbuf__putc(&in, (char)(i % fmt_cnt));
		strbuf__puts(&in, "\2ab");
		words__put_filter(&in, fmts[i % fmt_cnt], 4);
		snprintf(name, sizeof(name), "%u", i);
		fuzz_seed(name, in.buf, in.len);
		strbuf__free(&in);
	}
}

static void run(const struct filter *f, const struct code *c)
{
	const char *fault = NULL;
	int got = filter_prog__run(c, &room, &fault);

	fuzz_check(!fault);
	fuzz_check(got == filter_prog__want(f, &room));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t sz)
{
	struct fuzz_bytes b = { data, sz };
	const struct tp_format *fmt = fmts[fuzz_take(&b, 1) % fmt_cnt];
	struct filter_env world = { .cpu_cnt = 1 + (unsigned int)fuzz_take(&b, 1) % 130 };
	struct filter_fault fault = FILTER_FAULT_INIT;
	struct code c = { .only_aligned = sz & 1 };
	struct filter *f;
	char *expr;
	int err;

	/* The kernel's records are no hostile ones: where dynamic data is, is right. */
	rnd_state = fuzz_take(&b, 2);
	filter_prog__fill(&room, fmt);
	expr = fuzz_text(&b);
	err = filter__parse(&f, expr, fmt, &world, &fault);
	if (err) {
		fuzz_check(!f && fault.text.len && fault.off <= strlen(expr));
	} else {
		filter__hint(f);
		/* Refused where a program of BPF cannot be that long. */
		if (!filter_prog__make(&c, f))
			run(f, &c);
	}
	code__free(&c);
	filter__free(f);
	filter_fault__free(&fault);
	free(expr);
	return 0;
}
