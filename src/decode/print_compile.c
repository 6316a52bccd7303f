// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Compiles the text of a print format into ops: literals and conversions. print_arg.c compiles the
 * arguments.
 */
#include "decode/print_arg.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <traceevent/event-parse.h>

#include "decode/print_parse.h"
#include "decode/print_probe.h"

/* Position in the format and in its arguments. */
struct fmt_reader {
	const char *p;
	struct tep_print_arg *arg; /* the next argument */
	bool broken; /* an argument is missing: libtraceevent prints the fields instead */
};

/* Compiles literal text up to the next conversion. */
static void read_literal(struct print_builder *bld, struct fmt_reader *rd)
{
	const char *p = rd->p;
	char c;

	while (*p && (*p != '%' || p[1] == '%')) {
		c = *p++;
		if (c == '%') {
			p++;
		} else if (c == '\\' && *p) {
			c = *p++;
			if (c == 'n')
				c = '\n';
			else if (c == 't')
				c = '\t';
			else if (c == 'r')
				c = '\r';
		}
		print_builder__literal(bld, &c, 1);
	}
	rd->p = p;
}

/* Compiles the argument of a '*'. */
static bool read_star(struct print_builder *bld, struct fmt_reader *rd, struct print_spec *spec,
		      enum print_spec_flag flag)
{
	if (*rd->p != '*')
		return false;
	rd->p++;
	if (!rd->arg || spec->flags & (SPEC_STAR_WIDTH | SPEC_STAR_PREC)) {
		rd->broken = true;
		return true;
	}
	spec->flags |= (uint8_t)flag;
	print_expr__compile(bld, rd->arg, &spec->star);
	rd->arg = rd->arg->next;
	return true;
}

static uint16_t read_count(struct print_builder *bld, struct fmt_reader *rd)
{
	unsigned int n = 0;

	for (; isdigit((unsigned char)*rd->p); rd->p++) {
		n = n * 10 + (unsigned int)(*rd->p - '0');
		if (n > PRINT_WIDTH_MAX) {
			bld->why_not = "a width beyond 4096";
			return 0;
		}
	}
	return (uint16_t)n;
}

static uint8_t read_length(struct fmt_reader *rd)
{
	static const struct {
		const char *text;
		uint8_t bits;
	} lengths[] = { { "hh", 8 }, { "h", 16 }, { "ll", 64 }, { "l", 64 },
			{ "L", 64 }, { "z", 64 }, { "Z", 64 } };
	size_t i;

	for (i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		size_t len = strlen(lengths[i].text);

		if (!strncmp(rd->p, lengths[i].text, len)) {
			rd->p += len;
			return lengths[i].bits;
		}
	}
	return 32;
}

/* Reads flags, width, precision and length of the conversion; rd->p is behind its '%'. */
static void read_spec(struct print_builder *bld, struct fmt_reader *rd, struct print_spec *spec)
{
	static const char flag_chars[] = "-0#+"; /* in the order of enum print_spec_flag */
	const char *flag;

	memset(spec, 0, sizeof(*spec));
	while (*rd->p && (flag = strchr(flag_chars, *rd->p))) {
		spec->flags |= (uint8_t)(1 << (flag - flag_chars));
		rd->p++;
	}
	if (!read_star(bld, rd, spec, SPEC_STAR_WIDTH))
		spec->width = read_count(bld, rd);
	if (*rd->p == '.') {
		rd->p++;
		spec->flags |= SPEC_PREC;
		if (!read_star(bld, rd, spec, SPEC_STAR_PREC))
			spec->prec = read_count(bld, rd);
	}
	spec->bits = read_length(rd);
}

/* Compiles the conversion of a number. */
static void add_number(struct print_builder *bld, const struct print_spec *spec,
		       const struct print_val *val)
{
	enum print_op_kind kind = PRINT_NUM;
	bool wide = spec->bits == 64;
	struct print_op *op;

	if (print_spec__is_bare(spec) && spec->bits >= 32) {
		if (spec->conv == 'd' || spec->conv == 'i')
			kind = wide ? PRINT_D64 : PRINT_D32;
		else if (spec->conv == 'u')
			kind = wide ? PRINT_U64 : PRINT_U32;
		else if (spec->conv == 'x')
			kind = wide ? PRINT_X64 : PRINT_X32;
	}
	op = print_builder__op(bld, kind);
	if (!op)
		return;
	op->val = *val;
	op->conv = spec->conv;
	op->spec = print_builder__spec(bld, spec);
}

/* Appends the ops of one conversion and its argument. */
static void add_conversion(struct print_builder *bld, struct fmt_reader *rd,
			   const struct print_spec *spec, struct tep_print_arg *arg)
{
	uint32_t guard = print_probe__guard(bld, arg), first = bld->plan->op_cnt;
	struct print_op *op;
	struct print_val val;

	if (spec->conv == 's') {
		if (spec->bits != 32 || spec->flags & (SPEC_ZERO | SPEC_ALT | SPEC_PLUS))
			bld->why_not = "an unusual %s";
		else
			print_arg__string(bld, spec, arg);
		print_probe__mark_quoted(bld, first, rd->p);
	} else if (spec->conv == 'p') {
		rd->p += print_arg__pointer(bld, spec, rd->p, arg);
	} else if (print_expr__compile(bld, arg, &val)) {
		if (!print_probe__is_float(arg)) {
			add_number(bld, spec, &val);
		} else {
			op = print_builder__op(bld, PRINT_FLOAT);
			if (op) {
				op->val = val;
				op->a = spec->bits;
			}
		}
	}
	print_probe__end_guard(bld, guard);
}

static void read_conversion(struct print_builder *bld, struct fmt_reader *rd)
{
	struct tep_print_arg *arg;
	struct print_spec spec;
	char unknown[4] = ">c<";

	rd->p++;
	read_spec(bld, rd, &spec);
	if (rd->broken || bld->why_not || !*rd->p)
		return;
	spec.conv = *rd->p++;
	if (!strchr("pduixXocs", spec.conv)) {
		if (strchr("-0#+.*hlLzZ", spec.conv) || isdigit((unsigned char)spec.conv)) {
			bld->why_not = "a conversion of unusual order";
			return;
		}
		/* libtraceevent's replacement for an unknown conversion. */
		unknown[1] = spec.conv;
		print_builder__literal(bld, unknown, 3);
		return;
	}
	arg = rd->arg;
	if (!arg) {
		rd->broken = true;
		return;
	}
	rd->arg = arg->next;
	add_conversion(bld, rd, &spec, arg);
}

static bool read_format(struct print_builder *bld, const char *format, struct tep_print_arg *args)
{
	struct fmt_reader rd = { .p = format, .arg = args };

	while (*rd.p && !rd.broken && !bld->why_not) {
		if (*rd.p == '%' && rd.p[1] != '%')
			read_conversion(bld, &rd);
		else
			read_literal(bld, &rd);
	}
	return !rd.broken;
}

/* Drops newlines at the end of the line; escapes those inside literals. */
static void fix_newlines(struct print_builder *bld)
{
	struct print_plan *plan = bld->plan;
	struct print_op *op;
	uint32_t i, k, at;

	op = plan->op_cnt ? &plan->ops[plan->op_cnt - 1] : NULL;
	if (op && op->kind == PRINT_LIT)
		while (op->b && plan->pool[op->a + op->b - 1] == '\n')
			op->b--;
	for (i = 0; i < plan->op_cnt; i++) {
		op = &plan->ops[i];
		if (op->kind != PRINT_LIT || !memchr(plan->pool + op->a, '\n', op->b))
			continue;
		at = plan->pool_len;
		for (k = 0; k < op->b && !bld->why_not; k++) {
			char c = plan->pool[op->a + k];

			if (c == '\n')
				print_builder__pool(bld, "\\n", 2);
			else
				print_builder__pool(bld, &c, 1);
		}
		op->a = at;
		op->b = plan->pool_len - at;
	}
}

/* For a print format that cannot be parsed: prints each field of the event by its type. */
static void compile_fields(struct print_builder *bld)
{
	struct tep_format_field *field;
	struct print_op *op;

	bld->plan->op_cnt = 0;
	bld->label = 0;
	print_builder__literal(bld, "[FAILED TO PARSE]", strlen("[FAILED TO PARSE]"));
	for (field = bld->event->format.fields; field; field = field->next) {
		print_builder__literal(bld, " ", 1);
		print_builder__literal(bld, field->name, strlen(field->name));
		print_builder__literal(bld, "=", 1);
		op = print_builder__op(bld, PRINT_FIELD_RAW);
		if (!op || !print_expr__use_field(bld, field))
			return;
		op->loc = print_arg__loc(field);
		op->a = (uint32_t)field->flags;
	}
}

static void compile(struct print_builder *bld)
{
	static const struct print_spec bare = { .conv = 's', .bits = 32 };
	struct print_plan *plan = bld->plan;
	struct tep_event *event = bld->event;

	/* specs[0], which print_builder__spec() returns for every bare %s. */
	if (!print_builder__grow(bld, (void **)&plan->specs, 0, &bld->spec_cap, sizeof(bare)))
		return;
	plan->specs[plan->spec_cnt++] = bare;
	if (event->flags & (TEP_EVENT_FL_ISBPRINT | TEP_EVENT_FL_PRINTRAW) || event->handler) {
		bld->why_not = "its format is in the record";
		return;
	}
	if (event->flags & TEP_EVENT_FL_FAILED ||
	    !read_format(bld, event->print_fmt.format, event->print_fmt.args))
		compile_fields(bld);
	if (!bld->why_not)
		fix_newlines(bld);
}

struct print_plan *print_plan__new(const struct tp_format *fmt)
{
	struct print_plan *plan = calloc(1, sizeof(*plan));
	struct tep_handle *tep = tep_alloc();
	struct print_builder bld = { .plan = plan };

	if (plan && tep) {
		plan->fixed_sz = fmt->fixed_sz;
		bld.event = print_parse(fmt, tep);
	}
	if (bld.event)
		compile(&bld);
	tep_free(tep);
	if (bld.event && !bld.why_not)
		return plan;
	print_plan__free(plan);
	errno = plan && tep ? EINVAL : ENOMEM;
	return NULL;
}
