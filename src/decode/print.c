// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "decode/print.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "decode/field.h"
#include "decode/print_ask.h"
#include "decode/print_plan.h"
#include "util/fs.h"

struct kernel_string {
	uint64_t addr;
	const char *text;
};

struct printer {
	struct print_plan **plans; /* indexed by event id; is_asked, but NULL: it has none */
	bool *is_asked;
	uint32_t plan_cap;
	const char *(*resolve)(void *ctx, uint64_t addr, uint64_t *off);
	void *resolve_ctx;
	struct kernel_string *strings; /* sorted by address */
	size_t string_cnt;
	char *string_text; /* the text that they point into */
	char *strings_path; /* path that is still to be read */
	uint8_t *padded; /* PADDED_SZ bytes: a copy of a record with zeros behind it */
};

/*
 * The farthest that ops read beyond a record's end: a 16-bit offset from a field plus a 16-bit
 * length.
 */
#define PADDED_SZ (4 * (PRINT_RAW_MAX + 1))

struct printer *printer__new(void)
{
	struct printer *pr = calloc(1, sizeof(*pr));

	if (!pr)
		errno = ENOMEM;
	return pr;
}

void printer__free(struct printer *pr)
{
	uint32_t i;

	if (!pr)
		return;
	for (i = 0; i < pr->plan_cap; i++)
		print_plan__free(pr->plans[i]);
	free(pr->plans);
	free(pr->is_asked);
	free(pr->strings);
	free(pr->string_text);
	free(pr->strings_path);
	free(pr->padded);
	free(pr);
}

void printer__set_resolver(struct printer *pr,
			   const char *(*resolve)(void *ctx, uint64_t addr, uint64_t *off),
			   void *ctx)
{
	pr->resolve = resolve;
	pr->resolve_ctx = ctx;
}

const char *printer__resolve(struct printer *pr, uint64_t addr, uint64_t *off)
{
	return pr->resolve ? pr->resolve(pr->resolve_ctx, addr, off) : NULL;
}

static int by_addr(const void *a, const void *b)
{
	const struct kernel_string *l = a, *r = b;

	return l->addr < r->addr ? -1 : l->addr > r->addr;
}

/*
 * Parses 0xADDR : "TEXT\n" and strips the quotes and the newline; false if the line has another
 * form.
 */
static bool parse_string(char *line, struct kernel_string *str)
{
	char *text, *end;
	size_t len;

	str->addr = strtoull(line, &end, 16);
	if (end == line)
		return false;
	text = strchr(end, '"');
	if (!text)
		return false;
	text++;
	len = strlen(text);
	if (len && text[len - 1] == '"')
		text[--len] = '\0';
	if (len >= 2 && !strcmp(text + len - 2, "\\n"))
		text[len - 2] = '\0';
	str->text = text;
	return true;
}

int printer__add_strings(struct printer *pr, const char *printk_formats)
{
	struct kernel_string *strings;
	char *copy = strdup(printk_formats), *line, *next;
	size_t cnt = 1;

	if (!copy)
		return -ENOMEM;
	for (line = copy; (line = strchr(line, '\n')); line++)
		cnt++;
	strings = calloc(cnt, sizeof(*strings));
	if (!strings) {
		free(copy);
		return -ENOMEM;
	}
	free(pr->strings);
	free(pr->string_text);
	pr->strings = strings;
	pr->string_text = copy;
	pr->string_cnt = 0;
	for (line = copy; line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		pr->string_cnt += parse_string(line, &strings[pr->string_cnt]);
	}
	qsort(strings, pr->string_cnt, sizeof(*strings), by_addr);
	return 0;
}

int printer__set_strings_file(struct printer *pr, const char *path)
{
	char *copy = strdup(path);

	if (!copy)
		return -ENOMEM;
	free(pr->strings_path);
	pr->strings_path = copy;
	return 0;
}

const char *printer__string(struct printer *pr, uint64_t addr)
{
	const struct kernel_string key = { .addr = addr }, *str;

	if (pr->strings_path) {
		char *text = fs__read_file(pr->strings_path, NULL);

		/* If the file is unreadable, addresses are printed. It is read only once. */
		free(pr->strings_path);
		pr->strings_path = NULL;
		if (text)
			printer__add_strings(pr, text);
		free(text);
	}
	if (!pr->string_cnt)
		return NULL;
	str = bsearch(&key, pr->strings, pr->string_cnt, sizeof(key), by_addr);
	return str ? str->text : NULL;
}

static int grow(struct printer *pr, uint32_t id)
{
	uint32_t cap = (id + 256u) & ~255u;
	struct print_plan **plans;
	bool *is_asked;

	plans = reallocarray(pr->plans, cap, sizeof(struct print_plan *));
	if (!plans)
		return -ENOMEM;
	pr->plans = plans;
	is_asked = reallocarray(pr->is_asked, cap, sizeof(*is_asked));
	if (!is_asked)
		return -ENOMEM;
	pr->is_asked = is_asked;
	memset(plans + pr->plan_cap, 0, (cap - pr->plan_cap) * sizeof(struct print_plan *));
	memset(is_asked + pr->plan_cap, 0, (cap - pr->plan_cap) * sizeof(*is_asked));
	pr->plan_cap = cap;
	return 0;
}

/* Sets *plan to that of the format, NULL if it cannot be compiled. 0 or -ENOMEM. */
static inline int find_plan(struct printer *pr, const struct tp_format *fmt,
			    const struct print_plan **plan)
{
	if (fmt->id >= pr->plan_cap && grow(pr, fmt->id))
		return -ENOMEM;
	if (!pr->is_asked[fmt->id]) {
		pr->plans[fmt->id] = print_ask(fmt);
		pr->is_asked[fmt->id] = true;
	}
	*plan = pr->plans[fmt->id];
	return 0;
}

/* Returns a copy of the record with zeros behind it. */
static const uint8_t *pad(struct printer *pr, const void *raw, uint32_t raw_sz)
{
	if (!pr->padded) {
		pr->padded = calloc(1, PADDED_SZ);
		if (!pr->padded)
			return NULL;
	}
	memcpy(pr->padded, raw, raw_sz);
	return pr->padded;
}

static void unpad(struct printer *pr, uint32_t raw_sz)
{
	memset(pr->padded, 0, raw_sz);
}

static void print_fields(const struct tp_format *fmt, const void *raw, uint32_t raw_sz,
			 struct strbuf *out)
{
	bool is_first = true;
	size_t i;

	for (i = 0; i < fmt->field_cnt; i++) {
		const struct tp_field *f = &fmt->fields[i];

		if (f->flags & TP_FIELD_COMMON)
			continue;
		if (!is_first)
			strbuf__putc(out, ' ');
		is_first = false;
		strbuf__put_escaped(out, f->name, strlen(f->name));
		strbuf__putc(out, '=');
		field__to_json(fmt, f, raw, raw_sz, out);
	}
}

int printer__print(struct printer *pr, const struct tp_format *fmt, const void *raw,
		   uint32_t raw_sz, struct strbuf *out)
{
	struct print_rec rec = { .data = raw, .size = raw_sz };
	const struct print_plan *plan;

	if (find_plan(pr, fmt, &plan))
		return -ENOMEM;
	if (raw_sz > PRINT_RAW_MAX)
		rec.size = raw_sz = PRINT_RAW_MAX;
	if (!plan) {
		print_fields(fmt, raw, raw_sz, out);
		return 0;
	}
	if (raw_sz >= plan->fixed_sz) {
		print_plan__run(plan, pr, &rec, out);
		return 0;
	}
	rec.data = pad(pr, raw, raw_sz);
	if (!rec.data)
		return -ENOMEM;
	print_plan__run(plan, pr, &rec, out);
	unpad(pr, raw_sz);
	return 0;
}

bool printer__is_compiled(struct printer *pr, const struct tp_format *fmt)
{
	const struct print_plan *plan;

	return !find_plan(pr, fmt, &plan) && plan;
}
