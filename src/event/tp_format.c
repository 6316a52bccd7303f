// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "event/tp_format.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "event/tracefs.h"
#include "util/array.h"

/* A piece of the format file. */
struct span {
	const char *p, *end;
};

struct parser {
	const char *p, *end; /* remaining text */
	char *pool; /* destination of the next field string */
	struct tp_format *fmt;
	size_t cap; /* capacity of fmt->fields */
	bool in_common, has_id, has_fields;
};

static bool is_ident(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static struct span trim(struct span s)
{
	while (s.p < s.end && isspace((unsigned char)*s.p))
		s.p++;
	while (s.p < s.end && isspace((unsigned char)s.end[-1]))
		s.end--;
	return s;
}

static bool starts_with(struct span s, const char *word)
{
	size_t len = strlen(word);

	return (size_t)(s.end - s.p) >= len && !memcmp(s.p, word, len);
}

/* Takes `word` and the blanks after it off the front, if it is there as a whole word. */
static bool eat_word(struct span *s, const char *word)
{
	size_t len = strlen(word);

	if (!starts_with(*s, word) || (s->p + len < s->end && is_ident(s->p[len])))
		return false;
	s->p += len;
	while (s->p < s->end && isspace((unsigned char)*s->p))
		s->p++;
	return true;
}

/* Parses "KEY:number;" at the front of `s`, which moves past it. */
static int parse_number(struct span *s, const char *key, unsigned long max, unsigned long *val)
{
	char *end;

	*s = trim(*s);
	if (!starts_with(*s, key))
		return -EINVAL;
	s->p += strlen(key);
	errno = 0;
	*val = strtoul(s->p, &end, 10);
	if (end == s->p || end > s->end || errno || *val > max)
		return -EINVAL;
	s->p = end;
	if (s->p < s->end && *s->p == ';')
		s->p++;
	return 0;
}

unsigned int tp_format__type_size(const char *text, size_t len)
{
	struct span type = { text, text + len };
	static const struct {
		const char *name;
		unsigned int size;
	} known[] = {
		{ "char", 1 },      { "bool", 1 },       { "u8", 1 },        { "s8", 1 },
		{ "__u8", 1 },      { "__s8", 1 },       { "uint8_t", 1 },   { "int8_t", 1 },
		{ "short", 2 },     { "u16", 2 },        { "s16", 2 },       { "__u16", 2 },
		{ "__s16", 2 },     { "__be16", 2 },     { "__le16", 2 },    { "uint16_t", 2 },
		{ "int16_t", 2 },   { "int", 4 },        { "u32", 4 },       { "s32", 4 },
		{ "__u32", 4 },     { "__s32", 4 },      { "__be32", 4 },    { "__le32", 4 },
		{ "uint32_t", 4 },  { "int32_t", 4 },    { "pid_t", 4 },     { "dev_t", 4 },
		{ "u64", 8 },       { "s64", 8 },        { "__u64", 8 },     { "__s64", 8 },
		{ "__be64", 8 },    { "__le64", 8 },     { "uint64_t", 8 },  { "int64_t", 8 },
		{ "long long", 8 }, { "long", 8 },       { "long int", 8 },  { "size_t", 8 },
		{ "sector_t", 8 },  { "dma_addr_t", 8 }, { "cpumask_t", 8 },
	};
	bool sign = false;
	size_t i;

	type = trim(type);
	while (eat_word(&type, "const") || eat_word(&type, "volatile"))
		;
	if (type.p < type.end && type.end[-1] == '*')
		return 8;
	while (eat_word(&type, "unsigned") || eat_word(&type, "signed"))
		sign = true;
	if (sign && type.p == type.end)
		return 4;
	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if ((size_t)(type.end - type.p) == strlen(known[i].name) &&
		    starts_with(type, known[i].name))
			return known[i].size;
	return 0;
}

static unsigned int type_size(struct span type)
{
	return tp_format__type_size(type.p, (size_t)(type.end - type.p));
}

/* Converts "[2][3]" to 6; 0 if a size is missing or a macro's name. */
static unsigned long dim_count(struct span dims)
{
	unsigned long cnt = 1, n;
	char *end;

	while (dims.p < dims.end && *dims.p == '[') {
		n = strtoul(dims.p + 1, &end, 0);
		if (end == dims.p + 1 || *end != ']' || n > UINT16_MAX)
			return 0;
		cnt *= n;
		dims.p = end + 1;
	}
	return cnt;
}

static bool is_char(struct span type)
{
	type = trim(type);
	while (eat_word(&type, "const"))
		;
	return eat_word(&type, "char") && type.p == type.end;
}

static char *pool_add(struct parser *ps, struct span a, struct span b)
{
	char *str = ps->pool;

	memcpy(ps->pool, a.p, (size_t)(a.end - a.p));
	ps->pool += a.end - a.p;
	memcpy(ps->pool, b.p, (size_t)(b.end - b.p));
	ps->pool += b.end - b.p;
	*ps->pool++ = '\0';
	return str;
}

/* Splits "const char * name[8]" into type, name and dimensions. */
static int split_decl(struct span decl, struct span *type, struct span *name, struct span *dims)
{
	const char *p;

	decl = trim(decl);
	*dims = (struct span){ decl.end, decl.end };
	p = decl.end;
	while (p > decl.p && p[-1] == ']') {
		while (p > decl.p && p[-1] != '[')
			p--;
		if (p == decl.p)
			return -EINVAL;
		dims->p = --p;
	}
	name->end = p;
	while (p > decl.p && is_ident(p[-1]))
		p--;
	name->p = p;
	*type = trim((struct span){ decl.p, p });
	return name->p == name->end || type->p == type->end ? -EINVAL : 0;
}

/* Derives flags and element size from the declared type. */
static void classify(struct tp_field *f, struct span type, struct span dims)
{
	struct span elem = type;
	unsigned long cnt;

	if (eat_word(&elem, "__data_loc"))
		f->flags |= TP_FIELD_DYNAMIC;
	else if (eat_word(&elem, "__rel_loc"))
		f->flags |= TP_FIELD_DYNAMIC | TP_FIELD_REL;
	if (f->flags & TP_FIELD_DYNAMIC) {
		const char *bracket = memchr(elem.p, '[', (size_t)(elem.end - elem.p));

		if (bracket)
			elem.end = bracket;
		f->elem_size = (uint16_t)type_size(elem);
		if (!f->elem_size)
			f->elem_size = 1;
		if (is_char(elem))
			f->flags |= TP_FIELD_STRING;
		return;
	}
	if (type.end[-1] == '*' || memchr(type.p, '*', (size_t)(type.end - type.p)))
		f->flags |= TP_FIELD_POINTER;
	if (dims.p == dims.end) {
		f->elem_size = f->size;
		return;
	}
	f->flags |= TP_FIELD_ARRAY;
	if (is_char(type))
		f->flags |= TP_FIELD_STRING;
	cnt = dim_count(dims);
	if (cnt && f->size && f->size % cnt == 0)
		f->elem_size = (uint16_t)(f->size / cnt);
	else
		f->elem_size = (uint16_t)type_size(type);
	if (!f->elem_size)
		f->elem_size = f->size ? f->size : 1;
}

/* Parses the line after "\tfield:". */
static int parse_field(struct parser *ps, struct span line)
{
	struct span decl = line, type, name, dims;
	struct tp_format *fmt = ps->fmt;
	unsigned long off, size, sign;
	struct tp_field *f;

	decl.end = memchr(line.p, ';', (size_t)(line.end - line.p));
	if (!decl.end)
		return -EINVAL;
	line.p = decl.end + 1;
	if (split_decl(decl, &type, &name, &dims) ||
	    parse_number(&line, "offset:", UINT16_MAX, &off) ||
	    parse_number(&line, "size:", UINT16_MAX - off, &size))
		return -EINVAL;
	/* Missing before 2.6.33, and in hand-written formats. */
	if (parse_number(&line, "signed:", 1, &sign))
		sign = 0;

	if (array__reserve((void **)&fmt->fields, &ps->cap, fmt->field_cnt + 1,
			   sizeof(*fmt->fields)))
		return -ENOMEM;
	f = &fmt->fields[fmt->field_cnt];
	memset(f, 0, sizeof(*f));
	f->name = pool_add(ps, name, (struct span){ name.end, name.end });
	f->type = pool_add(ps, type, dims);
	f->off = (uint16_t)off;
	f->size = (uint16_t)size;
	f->flags = (uint16_t)((sign ? TP_FIELD_SIGNED : 0) | (ps->in_common ? TP_FIELD_COMMON : 0));
	classify(f, type, dims);
	if (f->flags & TP_FIELD_DYNAMIC)
		fmt->last_dyn = (int)fmt->field_cnt;
	if (off + size > fmt->fixed_sz)
		fmt->fixed_sz = (uint16_t)(off + size);
	fmt->field_cnt++;
	return 0;
}

static int parse_line(struct parser *ps, struct span line)
{
	unsigned long id;
	int err;

	if (line.p < line.end && *line.p == '\t' && starts_with(trim(line), "field:")) {
		line = trim(line);
		line.p += strlen("field:");
		ps->has_fields = true;
		return parse_field(ps, line);
	}
	if (starts_with(line, "ID:")) {
		err = parse_number(&line, "ID:", UINT16_MAX, &id);
		if (err)
			return err;
		ps->fmt->id = (uint16_t)id;
		ps->has_id = true;
	} else if (ps->has_fields && line.p == line.end) {
		/* An empty line separates the common fields from the event's own. */
		ps->in_common = false;
	}
	return 0;
}

static int parse_all(struct parser *ps)
{
	int err;

	while (ps->p < ps->end) {
		struct span line = { ps->p, memchr(ps->p, '\n', (size_t)(ps->end - ps->p)) };

		if (!line.end)
			line.end = ps->end;
		if (starts_with(line, "print fmt:"))
			break;
		err = parse_line(ps, line);
		if (err)
			return err;
		ps->p = line.end + 1;
	}
	return ps->has_id && ps->has_fields ? 0 : -EINVAL;
}

struct tp_format *tp_format__parse(const char *sys, const char *name, const char *text, size_t len)
{
	struct parser ps = { .in_common = true };
	size_t sys_sz = strlen(sys) + 1, name_sz = strlen(name) + 1;
	struct tp_format *fmt;
	int err = -ENOMEM;

	fmt = calloc(1, sizeof(*fmt));
	if (!fmt)
		goto fail;
	/*
	 * One allocation for all strings: the text, the two names, and the fields' names and types,
	 * which are never longer than their lines.
	 */
	fmt->text = malloc(2 * (len + 1) + sys_sz + name_sz);
	if (!fmt->text)
		goto fail;
	memcpy(fmt->text, text, len);
	fmt->text[len] = '\0';
	fmt->text_len = len;
	fmt->sys = memcpy(fmt->text + len + 1, sys, sys_sz);
	fmt->name = memcpy(fmt->sys + sys_sz, name, name_sz);
	fmt->last_dyn = -1;

	ps.fmt = fmt;
	ps.p = fmt->text;
	ps.end = fmt->text + len;
	ps.pool = fmt->name + name_sz;
	err = parse_all(&ps);
	if (err)
		goto fail;
	return fmt;
fail:
	tp_format__free(fmt);
	errno = -err;
	return NULL;
}

struct tp_format *tp_format__read(const char *sys, const char *name)
{
	struct tp_format *fmt;
	size_t len;
	char *text = tracefs__read_format(sys, name, &len);
	int saved;

	if (!text)
		return NULL;
	fmt = tp_format__parse(sys, name, text, len);
	saved = errno;
	free(text);
	errno = saved;
	return fmt;
}

void tp_format__free(struct tp_format *fmt)
{
	if (!fmt)
		return;
	free(fmt->fields);
	free(fmt->text);
	free(fmt);
}

const struct tp_field *tp_format__field(const struct tp_format *fmt, const char *name)
{
	size_t i;

	for (i = 0; i < fmt->field_cnt; i++)
		if (!strcmp(fmt->fields[i].name, name))
			return &fmt->fields[i];
	return NULL;
}

bool tp_field__is_marks(const struct tp_field *f)
{
	return !(f->flags & TP_FIELD_COMMON) && f->name[0] == '_' && !strcmp(f->name, "__absent");
}

const struct tp_field *tp_format__marks(const struct tp_format *fmt, const struct tp_field *f,
					unsigned int *bit)
{
	const struct tp_field *marks = f;

	while (marks > fmt->fields && !tp_field__is_marks(marks))
		marks--;
	if (marks == f || !tp_field__is_marks(marks) || f - marks > 32)
		return NULL;
	*bit = (unsigned int)(f - marks - 1);
	return marks;
}
