// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "filter/field.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <linux/types.h>

#include "bpf/wire.h"
#include "filter/parser.h"
#include "util/suggest.h"

static const struct filter_field generic_fields[] = {
	{ .name = "CPU",
	  .kind = FILTER_FIELD_NUMBER,
	  .where = FILTER_AT_CPU,
	  .size = 4,
	  .is_signed = true },
	{ .name = "cpu",
	  .kind = FILTER_FIELD_NUMBER,
	  .where = FILTER_AT_CPU,
	  .size = 4,
	  .is_signed = true },
	{ .name = "common_cpu",
	  .kind = FILTER_FIELD_NUMBER,
	  .where = FILTER_AT_CPU,
	  .size = 4,
	  .is_signed = true },
	{ .name = "COMM",
	  .kind = FILTER_FIELD_TEXT,
	  .where = FILTER_AT_COMM,
	  .size = 16,
	  .is_signed = false },
	{ .name = "comm",
	  .kind = FILTER_FIELD_TEXT,
	  .where = FILTER_AT_COMM,
	  .size = 16,
	  .is_signed = false },
};

static bool is_named(const char *have, const char *name, size_t len)
{
	return !strncmp(have, name, len) && !have[len];
}

/* The kernel's filter_assign_type(), by the type as written in the format file. */
static void classify(const struct tp_field *f, struct filter_field *field)
{
	const char *type = f->type;
	bool is_char = strstr(type, "char"), dynamic = f->flags & TP_FIELD_DYNAMIC;

	*field = (struct filter_field){
		.name = f->name,
		.kind = FILTER_FIELD_NUMBER,
		.where = !dynamic                  ? FILTER_AT_FIELD
			 : f->flags & TP_FIELD_REL ? FILTER_AT_RELATIVE
						   : FILTER_AT_DYNAMIC,
		.off = f->off,
		.size = f->size,
		.is_signed = f->flags & TP_FIELD_SIGNED,
	};
	if (dynamic) {
		if (is_char)
			field->kind = FILTER_FIELD_TEXT;
		else if (strstr(type, "cpumask_t") || strstr(type, " long["))
			field->kind = FILTER_FIELD_MASK;
	} else if (is_char && strchr(type, '[')) {
		field->kind = FILTER_FIELD_TEXT;
	} else if (!strcmp(type, "char *") || !strcmp(type, "const char *")) {
		field->kind = FILTER_FIELD_TEXT;
		field->where = FILTER_AT_KERNEL_PTR;
	}
}

static void find_marks(const struct tp_format *fmt, const struct tp_field *f,
		       struct filter_field *field)
{
	unsigned int bit = 0;
	const struct tp_field *marks = tp_format__marks(fmt, f, &bit);

	if (!marks || marks->off + marks->size > FILTER_ENTRY_MAX)
		return;
	field->absent_off = marks->off;
	field->absent_bit = (uint8_t)bit;
}

/* True if the classified field has a comparable value; else writes a sentence. */
static int check(struct filter_parser *p, const struct tp_field *f,
		 const struct filter_field *field)
{
	size_t at = p->at;

	if (!strcmp(f->name, "common_flags") || !strcmp(f->name, "common_preempt_count") ||
	    !strcmp(f->name, "common_preempt_lazy_count"))
		return filter_parser__error(p, at,
					    "BPF programs cannot read %s; omit it, or set this "
					    "filter through tracefs",
					    f->name);
	if (f->off + f->size > FILTER_ENTRY_MAX)
		return filter_parser__error(p, at, "%s lies too far into the record", f->name);
	if (!f->size || (field->kind == FILTER_FIELD_NUMBER &&
			 (field->where != FILTER_AT_FIELD ||
			  (f->size != 1 && f->size != 2 && f->size != 4 && f->size != 8))))
		return filter_parser__error(p, at,
					    "%s is of type %s; numbers of 1, 2, 4 and 8 bytes, "
					    "texts and sets of CPUs can be compared",
					    f->name, f->type);
	return 0;
}

/* "it has: a b c; and …", for the sentence about an unknown name. */
static void list_fields(struct strbuf *sb, const struct tp_format *fmt)
{
	size_t i;

	for (i = 0; i < fmt->field_cnt; i++)
		if (!(fmt->fields[i].flags & TP_FIELD_COMMON))
			strbuf__printf(sb, "%s ", fmt->fields[i].name);
	strbuf__puts(sb, "CPU COMM common_pid");
}

/* A probe's return and duration are fields only if the probe asks for them. */
static void say_how_probes_get_it(struct strbuf *sb, const struct tp_format *fmt,
				  const char *wanted)
{
	bool is_ret = !strcmp(wanted, "ret") || !strcmp(wanted, "$ret");

	if (!strncmp(fmt->sys, "probe_", 6) && (is_ret || !strcmp(wanted, "duration")))
		strbuf__printf(sb, "; a probe that is written %s(%s) has it", fmt->name,
			       is_ret ? "$ret" : wanted);
}

static int log_unknown(struct filter_parser *p, const char *name, size_t len)
{
	struct strbuf *sb = &p->fault->text;
	char *wanted = strndup(name, len);
	struct suggest sg;
	size_t i;

	if (!wanted || suggest__init(&sg, wanted)) {
		free(wanted);
		return -ENOMEM;
	}
	for (i = 0; i < p->fmt->field_cnt; i++)
		suggest__offer(&sg, p->fmt->fields[i].name);
	suggest__offer(&sg, "CPU");
	suggest__offer(&sg, "COMM");
	strbuf__reset(sb);
	strbuf__printf(sb, "%s:%s has no field '%s'", p->fmt->sys, p->fmt->name, wanted);
	say_how_probes_get_it(sb, p->fmt, wanted);
	strbuf__puts(sb, "; ");
	strbuf__puts(sb, suggest__put(&sg, sb) ? " Its fields: " : "its fields: ");
	list_fields(sb, p->fmt);
	p->fault->err = -ENOENT;
	p->fault->off = p->at;
	suggest__free(&sg);
	free(wanted);
	return -ENOENT;
}

int filter_field__find(struct filter_parser *p, const char *name, size_t len,
		       struct filter_field *field)
{
	const struct tp_format *fmt = p->fmt;
	int common;
	size_t i;

	for (common = 0; common < 2; common++) {
		for (i = 0; i < fmt->field_cnt; i++) {
			const struct tp_field *f = &fmt->fields[i];

			if (!!(f->flags & TP_FIELD_COMMON) != common ||
			    !is_named(f->name, name, len))
				continue;
			classify(f, field);
			find_marks(fmt, f, field);
			return check(p, f, field);
		}
		for (i = 0; i < sizeof(generic_fields) / sizeof(generic_fields[0]); i++) {
			if (!is_named(generic_fields[i].name, name, len))
				continue;
			*field = generic_fields[i];
			return 0;
		}
	}
	return log_unknown(p, name, len);
}

uint32_t filter_field__needs(enum filter_where where, uint16_t off)
{
	switch (where) {
	case FILTER_AT_COMM:
		return WIRE_NEED_COMM;
	case FILTER_AT_CPU:
		return WIRE_NEED_CPU;
	case FILTER_AT_FIELD:
		return off == offsetof(struct wire_entry, pid) ? WIRE_NEED_TASK : 0;
	default:
		return 0;
	}
}
