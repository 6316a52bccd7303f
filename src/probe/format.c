// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "probe/format.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/strbuf.h"

/* Common fields come first, and texts behind all others. */
#define COMMON_SZ 8
#define FIXED_MAX 4096
/* A text, its NUL included, and the longest literal. */
#define TEXT_MAX 1024
#define LITERAL_MAX 64

static const char common[] = "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
			     "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
			     "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;"
			     "\tsigned:0;\n"
			     "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n";

/* A field's type, by which filters and sinks know it. */
static const char *type_of(const struct place_field *f)
{
	static const char *const types[2][4] = { { "u8", "u16", "u32", "u64" },
						 { "s8", "s16", "s32", "s64" } };
	unsigned int log = f->size == 8 ? 3 : f->size == 4 ? 2 : f->size == 2 ? 1 : 0;

	if (f->show == SHOW_BOOL)
		return "bool";
	if (f->show == SHOW_FLOAT)
		return f->size == 8 ? "double" : "float";
	return types[f->is_signed ? 1 : 0][log];
}

static bool is_text(const struct fetch_field *f)
{
	return f->kind == FETCH_TEXT || f->kind == FETCH_TEXT_LEN || f->kind == FETCH_LITERAL;
}

static void put_field(struct strbuf *sb, const struct place_field *from,
		      const struct fetch_field *f)
{
	if (is_text(f))
		strbuf__printf(sb,
			       "\tfield:__data_loc char[] %s;\toffset:%u;\tsize:4;\tsigned:1;\n",
			       from->name, f->off);
	else if (f->kind == FETCH_BYTES)
		strbuf__printf(sb, "\tfield:char %s[%u];\toffset:%u;\tsize:%u;\tsigned:1;\n",
			       from->name, f->size, f->off, f->size);
	else
		strbuf__printf(sb, "\tfield:%s %s;\toffset:%u;\tsize:%u;\tsigned:%d;\n",
			       type_of(from), from->name, f->off, f->size, from->is_signed ? 1 : 0);
}

/* The conversion in the format's text. */
static void put_conversion(struct strbuf *sb, const struct place_field *f)
{
	bool wide = f->size == 8;

	switch (f->show) {
	case SHOW_HEX:
		strbuf__puts(sb, wide ? "0x%lx" : "0x%x");
		break;
	case SHOW_BOOL:
	case SHOW_ENUM:
		strbuf__puts(sb, "%s");
		break;
	case SHOW_FLOAT:
		/* Readers that do not know the type print its bits. */
		strbuf__puts(sb, wide ? "%lx" : "%x");
		break;
	case SHOW_TEXT:
		strbuf__puts(sb, f->kind == FETCH_LITERAL ? "%s" : "\\\"%s\\\"");
		break;
	default:
		/* Readers extend small fields by their sign with a conversion of that size. */
		strbuf__printf(sb, "%%%s%c",
			       wide                       ? "l"
			       : !f->is_signed            ? ""
			       : f->size == sizeof(char)  ? "hh"
			       : f->size == sizeof(short) ? "h"
							  : "",
			       f->is_signed ? 'd' : 'u');
		break;
	}
}

/* A name for each value, and one for all others. */
static void put_names(struct strbuf *sb, const struct place_field *f, unsigned long long mask)
{
	size_t i;

	strbuf__puts(sb, ", ");
	for (i = 0; i + 1 < f->enum_cnt; i++)
		strbuf__printf(sb, "(REC->%s == %llu ? \"%s\" : ", f->name,
			       (unsigned long long)f->enums[i].value & mask, f->enums[i].name);
	strbuf__printf(sb, "\"%s\"", f->enums[i].name);
	while (i--)
		strbuf__putc(sb, ')');
}

/* The argument of the conversion. */
static void put_argument(struct strbuf *sb, const struct place_field *f)
{
	unsigned long long mask = f->size >= 8 ? ~0ull : (1ull << 8 * f->size) - 1;
	size_t i;

	switch (f->show) {
	case SHOW_BOOL:
		strbuf__printf(sb, ", REC->%s ? \"true\" : \"false\"", f->name);
		break;
	case SHOW_ENUM:
		if (f->has_other) {
			put_names(sb, f, mask);
			break;
		}
		strbuf__printf(sb, ", __print_symbolic(REC->%s", f->name);
		for (i = 0; i < f->enum_cnt; i++)
			/* libtraceevent compares numbers of the field's size, without a sign. */
			strbuf__printf(sb, ", { %llu, \"%s\" }",
				       (unsigned long long)f->enums[i].value & mask,
				       f->enums[i].name);
		strbuf__puts(sb, ")");
		break;
	case SHOW_TEXT:
		if (f->kind != FETCH_BYTES) {
			strbuf__printf(sb, ", __get_str(%s)", f->name);
			break;
		}
		/* fallthrough */
	default:
		strbuf__printf(sb, ", REC->%s", f->name);
		break;
	}
}

static void put_print_fmt(struct strbuf *sb, const struct place *place)
{
	size_t i;

	strbuf__puts(sb, "\nprint fmt: \"");
	for (i = 0; i < place->field_cnt; i++) {
		strbuf__printf(sb, "%s%s=", i ? " " : "", place->fields[i].name);
		put_conversion(sb, &place->fields[i]);
	}
	strbuf__putc(sb, '"');
	for (i = 0; i < place->field_cnt; i++)
		put_argument(sb, &place->fields[i]);
	strbuf__putc(sb, '\n');
}

/* Gives the field its room at *off. */
static void place_field(struct fetch_field *f, struct place_field *from, size_t idx, uint32_t *off)
{
	uint32_t sz = from->kind == FETCH_NUMBER || from->kind == FETCH_BYTES ? from->size : 4;
	uint32_t align = from->kind == FETCH_NUMBER ? sz : from->kind == FETCH_BYTES ? 1 : 4;

	*off = (*off + align - 1) / align * align;
	*f = (struct fetch_field){
		.kind = from->kind,
		.off = (uint16_t)*off,
		.size = (uint16_t)sz,
		.absent_bit = (uint8_t)(idx < 32 ? idx : 31),
		.at_return = from->at_return,
		.literal = from->literal ? place_literal__text(from->literal) : NULL,
		.steps = from->steps,
		.step_cnt = from->step_cnt,
	};
	from->steps = NULL;
	from->step_cnt = 0;
	*off += sz;
}

static int place_fields(struct probe *probe, struct place *place)
{
	uint32_t off = COMMON_SZ, max;
	bool may_be_absent = false;
	size_t i;

	probe->fields = calloc(place->field_cnt + 1, sizeof(*probe->fields));
	if (!probe->fields)
		return -ENOMEM;
	for (i = 0; i < place->field_cnt; i++)
		may_be_absent |=
			place->fields[i].may_be_absent && (place->fields[i].kind == FETCH_NUMBER ||
							   place->fields[i].kind == FETCH_BYTES);
	if (may_be_absent) {
		probe->absent_off = (uint16_t)off;
		off += 4;
	}
	for (i = 0; i < place->field_cnt && off < FIXED_MAX; i++) {
		place_field(&probe->fields[i], &place->fields[i], i, &off);
		probe->field_cnt++;
	}
	max = off;
	for (i = 0; i < probe->field_cnt; i++)
		if (is_text(&probe->fields[i]))
			max += probe->fields[i].literal ? LITERAL_MAX : TEXT_MAX;
	if (i < place->field_cnt || off > FIXED_MAX)
		return -E2BIG;
	probe->fixed_sz = (uint16_t)off;
	probe->max_sz = (uint16_t)(max < 2 * FIXED_MAX ? max : 2 * FIXED_MAX);
	return 0;
}

struct tp_format *probe_format__make(struct probe *probe, struct place *place, const char *sys,
				     const char *name, uint16_t id)
{
	struct strbuf sb = STRBUF_INIT;
	struct tp_format *fmt = NULL;
	int err = place_fields(probe, place);
	size_t i;

	if (err) {
		errno = -err;
		return NULL;
	}
	strbuf__printf(&sb, "name: %s\nID: %u\nformat:\n", name, id);
	strbuf__puts(&sb, common);
	if (probe->absent_off)
		strbuf__printf(&sb, "\tfield:u32 __absent;\toffset:%u;\tsize:4;\tsigned:0;\n",
			       probe->absent_off);
	for (i = 0; i < probe->field_cnt; i++)
		put_field(&sb, &place->fields[i], &probe->fields[i]);
	put_print_fmt(&sb, place);
	fmt = tp_format__parse(sys, name, strbuf__cstr(&sb), sb.len);
	strbuf__free(&sb);
	return fmt;
}
