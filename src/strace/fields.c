// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "strace/fields.h"

#include <string.h>

#include "strace/names.h"

uint64_t field__val(const struct field *f, const void *data)
{
	uint64_t val = 0;

	memcpy(&val, (const char *)data + f->off, f->sz < sizeof(val) ? f->sz : sizeof(val));
	return val;
}

/* A pointer to memory that has been copied, too. */
static void put_pointed(struct call_view *v, unsigned int arg, const struct field *f, uint64_t addr)
{
	size_t sz;
	const char *at = view__part(v, arg, f->part, &sz);

	if (!addr || !at)
		put_addr(v->out, addr);
	else if (f->kind == FIELD_TEXT)
		put_text(v->out, v->opts, at, sz);
	else
		put_quoted(v->out, v->opts, at, sz < v->opts->str_sz ? sz : v->opts->str_sz,
			   sz > v->opts->str_sz);
}

static void put_value(struct call_view *v, unsigned int arg, const struct field *f,
		      const void *data)
{
	const char *chars = (const char *)data + f->off;
	uint64_t val = field__val(f, data);

	switch ((enum field_kind)f->kind) {
	case FIELD_DECIMAL:
		strbuf__put_u64(v->out, val);
		return;
	case FIELD_SIGNED:
		strbuf__put_s64(v->out, f->sz == 4 ? (int)val : (int64_t)val);
		return;
	case FIELD_HEXADECIMAL:
		put_hex(v->out, val);
		return;
	case FIELD_POINTER:
		put_addr(v->out, val);
		return;
	case FIELD_DESCRIPTOR:
		put_fd(v, (int)val);
		return;
	case FIELD_BITS:
		put_flags(v->out, f->names, val);
		return;
	case FIELD_NAME:
		put_enum(v->out, f->names, val);
		return;
	case FIELD_CHARS:
		put_quoted(v->out, v->opts, chars, strnlen(chars, f->sz), false);
		return;
	case FIELD_TEXT:
	case FIELD_BYTES:
		put_pointed(v, arg, f, val);
		return;
	case FIELD_VERSION:
		strbuf__printf(v->out, "KERNEL_VERSION(%u, %u, %u)", (unsigned int)(val >> 16),
			       (unsigned int)(val >> 8 & 0xff), (unsigned int)(val & 0xff));
		return;
	case FIELD_CLOCK:
		put_enum(v->out, &names_clock, val);
		return;
	}
}

void field__put(struct call_view *v, unsigned int arg, const struct field *f, const void *data)
{
	strbuf__puts(v->out, f->name);
	strbuf__putc(v->out, '=');
	put_value(v, arg, f, data);
}

void fields__put_rest(struct call_view *v, const void *data, size_t at, size_t sz)
{
	const unsigned char *bytes = data;
	struct text_opts opts = *v->opts;
	size_t i;

	for (i = at; i < sz && !bytes[i]; i++)
		;
	if (i >= sz)
		return;
	opts.hex = 2;
	strbuf__puts(v->out, ", extra_data=");
	put_quoted(v->out, &opts, bytes + at, sz - at, false);
	strbuf__printf(v->out, " /* bytes %zu..%zu */", at, sz - 1);
}

size_t fields__put(struct call_view *v, unsigned int arg, const struct field *fields,
		   const void *data, size_t sz)
{
	const struct field *f;
	size_t end = 0;

	for (f = fields; f->name; f++) {
		if (f->off + (size_t)f->sz > sz)
			break;
		if (f != fields)
			strbuf__puts(v->out, ", ");
		field__put(v, arg, f, data);
		if (f->off + (size_t)f->sz > end)
			end = f->off + (size_t)f->sz;
	}
	return end;
}
