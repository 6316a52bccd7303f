// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The arguments of %p and its extensions. */
#include <stdio.h>
#include <string.h>
#include <traceevent/event-parse.h>

#include "decode/print_arg.h"

/*
 * Appends an op for a field of known size; if arg is no such field, libtraceevent's error text as a
 * literal.
 */
static struct print_op *sized_field(struct print_builder *bld, enum print_op_kind kind,
				    struct tep_print_arg *arg, int size, const char *invalid)
{
	struct tep_format_field *field;
	struct print_op *op;
	char msg[64];

	while (arg->type == TEP_PRINT_TYPE)
		arg = arg->typecast.item;
	if (arg->type != TEP_PRINT_FIELD) {
		snprintf(msg, sizeof(msg), "ARG TYPE NOT FIELD BUT %d", (int)arg->type);
		print_builder__literal(bld, msg, strlen(msg));
		return NULL;
	}
	field = print_expr__field(bld, arg);
	if (!field)
		return NULL;
	if (field->size != size) {
		print_builder__literal(bld, invalid, strlen(invalid));
		return NULL;
	}
	if (!print_expr__use_field(bld, field))
		return NULL;
	op = print_builder__op(bld, kind);
	if (!op)
		return NULL;
	op->loc = print_arg__loc(field);
	op->loc.dynamic = false;
	return op;
}

/* hnbl behind %pI4: host order on these little-endian machines, or little-endian explicitly. */
static bool is_reverse(char c)
{
	return c == 'h' || c == 'l';
}

/* Compiles %pIS: a struct sockaddr in the record, fixed or dynamic. */
static void pointer_sockaddr(struct print_builder *bld, const char *ext, struct tep_print_arg *arg)
{
	struct tep_format_field *field;
	struct print_op op = { .kind = PRINT_SOCKADDR, .conv = ext[0] }, *added;
	const char *p = ext + 2;
	char msg[64];

	if (ext[0] == 'I' && *p == 'p') {
		op.b |= SOCKADDR_PORT;
		p++;
	}
	if (ext[0] == 'I' && *p == 'c') {
		op.b |= SOCKADDR_COMPRESSED;
		p++;
	}
	if (is_reverse(*p))
		op.b |= SOCKADDR_REVERSE;
	while (arg->type == TEP_PRINT_TYPE)
		arg = arg->typecast.item;
	if (arg->type == TEP_PRINT_FIELD) {
		field = print_expr__field(bld, arg);
		if (!field || !print_expr__use_field(bld, field))
			return;
		op.loc = print_arg__loc(field);
		op.loc.dynamic = false;
	} else if (arg->type == TEP_PRINT_DYNAMIC_ARRAY) {
		if (!print_arg__dynamic_loc(bld, arg->dynarray.field, &op.loc))
			return;
	} else {
		snprintf(msg, sizeof(msg), "ARG NOT FIELD NOR DYNAMIC ARRAY BUT TYPE %d",
			 (int)arg->type);
		print_builder__literal(bld, msg, strlen(msg));
		return;
	}
	added = print_builder__op(bld, PRINT_SOCKADDR);
	if (added)
		*added = op;
}

/* Compiles %pI and %pi with their extensions. Returns the consumed length of `ext`. */
static size_t pointer_ip(struct print_builder *bld, const char *ext, struct tep_print_arg *arg)
{
	struct print_op *op;
	const char *p = ext + 2;

	switch (ext[1]) {
	case '4':
		op = sized_field(bld, PRINT_IP4, arg, 4, "INVALIDIPv4");
		if (op) {
			op->conv = ext[0];
			op->b = is_reverse(*p);
		}
		return *p && strchr("hnlb", *p) ? 3 : 2;
	case '6':
		op = sized_field(bld, PRINT_IP6, arg, 16, "INVALIDIPv6");
		if (op)
			op->conv = ext[0] == 'I' && *p == 'c' ? 'c' : ext[0];
		return *p == 'c' ? 3 : 2;
	case 'S':
		pointer_sockaddr(bld, ext, arg);
		while (*p && strchr("pfs", *p))
			p++;
		if (*p && strchr("hnlb", *p))
			p++;
		if (*p == 'c')
			p++;
		return (size_t)(p - ext);
	default:
		return 1;
	}
}

static size_t pointer_mac(struct print_builder *bld, const char *ext, struct tep_print_arg *arg)
{
	struct print_op *op = sized_field(bld, PRINT_MAC, arg, 6, "INVALIDMAC");

	if (op) {
		op->conv = ext[0] == 'm' ? 0 : ext[1] == 'F' ? '-' : ':';
		op->b = ext[1] == 'R';
	}
	return ext[1] == 'R' || ext[1] == 'F' ? 2 : 1;
}

static size_t pointer_uuid(struct print_builder *bld, const char *ext, struct tep_print_arg *arg)
{
	struct print_op *op = sized_field(bld, PRINT_UUID, arg, 16, "INVALIDUUID");

	if (op) {
		op->conv = ext[1] == 'L' || ext[1] == 'B' ? 'U' : 'u';
		op->b = ext[1] == 'L' || ext[1] == 'l';
	}
	return ext[1] && strchr("LlBb", ext[1]) ? 2 : 1;
}

static size_t pointer_raw_buf(struct print_builder *bld, const struct print_spec *spec,
			      const char *ext, struct tep_print_arg *arg)
{
	size_t len = ext[1] && strchr("CDN", ext[1]) ? 2 : 1;
	struct print_loc loc;
	struct print_op *op;
	char msg[64];

	if (arg->type != TEP_PRINT_DYNAMIC_ARRAY) {
		snprintf(msg, sizeof(msg), "ARG TYPE NOT FIELD BUT %d", (int)arg->type);
		print_builder__literal(bld, msg, strlen(msg));
		return len;
	}
	if (!print_arg__dynamic_loc(bld, arg->dynarray.field, &loc))
		return len;
	op = print_builder__op(bld, PRINT_RAW_BUF);
	if (!op)
		return len;
	op->loc = loc;
	op->conv = len == 1 ? ' ' : ext[1] == 'C' ? ':' : ext[1] == 'D' ? '-' : 0;
	/* The number of bytes is the star's value; 1 without a star. */
	op->val = spec->star;
	if (!(spec->flags & (SPEC_STAR_WIDTH | SPEC_STAR_PREC)))
		op->val = (struct print_val){ .kind = VAL_IMM, .imm = 1 };
	return len;
}

/*
 * Compiles %*pb and %*pbl: a bit set; the star's value is the number of bits. Returns the consumed
 * length of `ext`.
 */
static size_t pointer_bitmap(struct print_builder *bld, const struct print_spec *spec,
			     const char *ext, struct tep_print_arg *arg)
{
	struct print_op *op = print_builder__op(bld, ext[1] == 'l' ? PRINT_CPUMASK : PRINT_BITMASK);

	if (!op)
		return 0;
	op->val = spec->star;
	print_arg__array_loc(bld, arg, &op->loc);
	return ext[1] == 'l' ? 2 : 1;
}

size_t print_arg__pointer(struct print_builder *bld, const struct print_spec *spec, const char *ext,
			  struct tep_print_arg *arg)
{
	bool func = *ext && strchr("FfSs", *ext);
	struct print_val val;
	struct print_op *op;

	if (!func && arg->type == TEP_PRINT_FUNC) {
		bld->why_not = "a function of a libtraceevent plugin";
		return 0;
	}
	if (*ext == 'M' || *ext == 'm')
		return pointer_mac(bld, ext, arg);
	if (*ext == 'I' || *ext == 'i')
		return pointer_ip(bld, ext, arg);
	if (*ext == 'U')
		return pointer_uuid(bld, ext, arg);
	if (*ext == 'h')
		return pointer_raw_buf(bld, spec, ext, arg);
	if (*ext == 'b' && spec->flags & SPEC_STAR_WIDTH)
		return pointer_bitmap(bld, spec, ext, arg);
	if (!print_expr__compile(bld, arg, &val))
		return 0;
	op = print_builder__op(bld, func ? PRINT_FUNC : PRINT_PTR);
	if (!op)
		return 0;
	op->val = val;
	/* libtraceevent ignores width and flags, and prints other letters behind %p as text. */
	op->conv = *ext == 'F' || *ext == 'S' ? 'S' : 's';
	return func ? 1 : 0;
}
