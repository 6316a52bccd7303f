// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Formats of tracefs: the text of one, a NUL, and a record of it. Fields are
 * taken from the record by their types; now and then the print format is
 * compiled and its text made, in either byte order.
 */
#include "fuzz.h"

#include <glob.h>

#include "decode/field.h"
#include "decode/print.h"
#include "decode/raw_swap.h"
#include "event/tp_format.h"
#include "sink/field_plan.h"
#include "util/fs.h"

static volatile uint64_t sink;

static void fuzz_setup(void)
{
}

static void fuzz_seeds(void)
{
	char name[64];
	glob_t found;
	size_t i, len;

	fuzz_check(!glob(FUZZ_TREE "/tests/unit/data/formats/*.format", 0, NULL, &found));
	for (i = 0; i < found.gl_pathc; i++) {
		char *text = fs__read_file(found.gl_pathv[i], &len);
		char *all = calloc(1, len + 1 + 128);

		memcpy(all, text, len);
		memset(all + len + 1, 0x11, 100);
		snprintf(name, sizeof(name), "%zu", i);
		fuzz_seed(name, all, len + 1 + 128);
		free(all);
		free(text);
	}
	globfree(&found);
}

static void check_field(const struct tp_format *fmt, const struct tp_field *f, const uint8_t *raw,
			uint32_t raw_sz)
{
	const uint8_t *data;
	uint64_t val = 0;
	uint32_t len;

	fuzz_check(f->name && f->type);
	fuzz_check(f->off + f->size <= fmt->fixed_sz);
	fuzz_check(!(f->flags & TP_FIELD_ARRAY) || f->elem_size);
	data = field__data(f, raw, raw_sz, &len);
	fuzz_check(!data || (data >= raw && len <= (uint64_t)(raw + raw_sz - data)));
	field__get_u64(f, raw, raw_sz, &val);
	sink += val + (data && len ? data[len - 1] : 0);
}

static void print(const struct tp_format *fmt, const uint8_t *raw, uint32_t raw_sz)
{
	struct printer *printer = printer__new();
	struct strbuf out = STRBUF_INIT;

	printer__print(printer, fmt, raw, raw_sz, &out);
	printer__free(printer);
	strbuf__free(&out);
}

static void use(const struct tp_format *fmt, uint8_t *raw, uint32_t raw_sz, uint32_t chance)
{
	struct field_plans plans = { 0 };
	struct field_plan *plan = field_plans__get(&plans, fmt);
	struct strbuf out = STRBUF_INIT;
	size_t i;

	for (i = 0; i < fmt->field_cnt; i++)
		check_field(fmt, &fmt->fields[i], raw, raw_sz);
	fuzz_check(plan);
	field_plan__json(plan, raw, raw_sz, &out);
	fuzz_check(out.len >= 2 && out.buf[out.len - 1] == '}');
	for (i = 0; i < plan->step_cnt; i++)
		field_step__csv(plan, &plan->steps[i], raw, raw_sz, &out);
	if (chance % 512 == 0)
		print(fmt, raw, raw_sz);
	raw_swap(fmt, raw, raw_sz);
	strbuf__free(&out);
	field_plans__free(&plans);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t sz)
{
	size_t len = strnlen((const char *)data, sz);
	uint32_t raw_sz = (uint32_t)(len < sz ? sz - len - 1 : 0);
	struct tp_format *fmt;
	char *text = malloc(len + 1);
	uint8_t *raw = malloc(raw_sz + !raw_sz);

	/* Its length is told: no NUL need follow it. */
	memcpy(text, data, len);
	text = realloc(text, len + !len);
	memcpy(raw, data + len + 1, raw_sz);
	fmt = tp_format__parse("sys", "name", text, len);
	if (fmt)
		use(fmt, raw, raw_sz, fuzz_hash(data, sz));
	tp_format__free(fmt);
	free(raw);
	free(text);
	return fmt ? 0 : -1;
}
