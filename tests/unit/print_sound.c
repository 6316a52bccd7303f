// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Plans that readers answer (decode/print_ask.h): each one of a kernel's formats is taken, and of
 * those with a byte changed none reads outside the record and the plan, or runs for ever.
 */
#include <glob.h>
#include <stdlib.h>

#include "decode/print.h"
#include "decode/print_ask.h"
#include "decode/print_plan.h"
#include "rnd.h"
#include "tap.h"
#include "util/fs.h"

#define CHANGES 400 /* of each plan */

static unsigned int taken, refused;
static size_t largest;

static struct print_plan *plan_of(const char *path)
{
	char *text;
	struct tp_format *fmt;
	struct print_plan *plan;
	size_t len;

	text = fs__read_file(path, &len);
	fmt = tp_format__parse("sys", "name", text, len);
	plan = fmt ? print_plan__new(fmt) : NULL;
	tp_format__free(fmt);
	free(text);
	return plan;
}

/* Prints a record that is not longer than the plan needs. */
static void print_by(const struct print_plan *plan, struct printer *pr)
{
	uint8_t *raw = malloc(plan->fixed_sz + 1);
	struct print_rec rec = { .data = raw, .size = plan->fixed_sz };
	struct strbuf out = STRBUF_INIT;
	uint32_t i;

	for (i = 0; i < plan->fixed_sz; i++)
		raw[i] = (uint8_t)rnd64();
	print_plan__run(plan, pr, &rec, &out);
	strbuf__free(&out);
	free(raw);
}

static void change(struct strbuf *answer, struct printer *pr)
{
	size_t at = rnd(answer->len);
	char was = answer->buf[at];
	struct print_plan *plan;

	/* Most values in a plan are small. */
	answer->buf[at] = (char)(rnd(2) ? rnd64() : rnd(34));
	plan = print_ask__take(answer->buf, answer->len);
	answer->buf[at] = was;
	taken += plan != NULL;
	refused += !plan;
	if (plan)
		print_by(plan, pr);
	print_plan__free(plan);
}

/* Returns whether the plan is taken as it is. */
static bool try_format(const char *path, struct printer *pr)
{
	struct print_plan *plan = plan_of(path), *copy;
	struct strbuf answer = STRBUF_INIT, again = STRBUF_INIT;
	bool is_same;
	int i;

	/* It cannot be compiled. */
	if (!plan)
		return true;
	print_ask__put(plan, &answer);
	largest = answer.len > largest ? answer.len : largest;
	copy = print_ask__take(answer.buf, answer.len);
	if (copy)
		print_ask__put(copy, &again);
	is_same = again.len == answer.len && !memcmp(again.buf, answer.buf, answer.len);
	for (i = 0; i < CHANGES; i++)
		change(&answer, pr);
	print_plan__free(copy);
	print_plan__free(plan);
	strbuf__free(&answer);
	strbuf__free(&again);
	return is_same;
}

/* A tab is printed as it is; other control characters a format has escaped. */
static void test_control(void)
{
	static const char chars[] = "a\t\n\x1b\x7f\x9b";
	struct print_spec bare = { .conv = 's', .bits = 32 };
	struct print_op literal = { .kind = PRINT_LIT, .b = 3 };
	char pool[32] = "one";
	struct print_plan plan = {
		.ops = &literal,
		.op_cnt = 1,
		.specs = &bare,
		.spec_cnt = 1,
		.pool = pool,
		.pool_len = 3,
	};
	size_t i;

	for (i = 0; chars[i]; i++) {
		pool[1] = chars[i];
		ok(print_plan__is_sound(&plan) == (i < 2),
		   "a literal with the byte %#x is printed: %d", (unsigned char)chars[i], i < 2);
	}
}

/* libtraceevent forgets these in some formats. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:libtraceevent\n";
}

int main(void)
{
	const char *top = getenv("TOP");
	struct printer *pr = printer__new();
	unsigned int wrong = 0;
	char pattern[512];
	glob_t found;
	size_t i;

	snprintf(pattern, sizeof(pattern), "%s/tests/unit/data/formats/*.format", top ? top : ".");
	if (glob(pattern, 0, NULL, &found))
		skip_all("there are no formats");
	for (i = 0; i < found.gl_pathc; i++)
		wrong += !try_format(found.gl_pathv[i], pr);
	ok(found.gl_pathc > 100 && !wrong, "the plan of each format is taken as it is");
	diag("%u changed plans are sound, %u are refused; the largest answer has %zu bytes", taken,
	     refused, largest);
	ok(taken > 1000 && refused > 1000,
	   "changed plans that are taken print within their bounds");
	test_control();
	globfree(&found);
	printer__free(pr);
	return done_testing();
}
