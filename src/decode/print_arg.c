// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "decode/print_arg.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <traceevent/event-parse.h>

struct print_loc print_arg__loc(const struct tep_format_field *field)
{
	return (struct print_loc){
		.off = (uint16_t)field->offset,
		.size = (uint16_t)field->size,
		.dynamic = field->flags & TEP_FIELD_IS_DYNAMIC,
		.rel = field->flags & TEP_FIELD_IS_RELATIVE,
	};
}

/* A __data_loc or __rel_loc by the name that __get_str() and __get_bitmask() are given. */
static bool dynamic_loc(struct print_builder *bld, struct tep_format_field *field,
			struct print_loc *loc)
{
	if (field->size != 4) {
		bld->why_not = "a dynamic array without a 4-byte location";
		return false;
	}
	*loc = print_arg__loc(field);
	loc->dynamic = true;
	return print_expr__use_field(bld, field);
}

/* Flags and symbols that the kernel left as names in its format files. */
static int64_t sym_value(const char *text)
{
	static const struct {
		const char *name;
		int64_t val;
	} known[] = {
		{ "HI_SOFTIRQ", 0 },      { "TIMER_SOFTIRQ", 1 },     { "NET_TX_SOFTIRQ", 2 },
		{ "NET_RX_SOFTIRQ", 3 },  { "BLOCK_SOFTIRQ", 4 },     { "IRQ_POLL_SOFTIRQ", 5 },
		{ "TASKLET_SOFTIRQ", 6 }, { "SCHED_SOFTIRQ", 7 },     { "HRTIMER_SOFTIRQ", 8 },
		{ "RCU_SOFTIRQ", 9 },     { "HRTIMER_NORESTART", 0 }, { "HRTIMER_RESTART", 1 },
	};
	size_t i;

	if (isdigit((unsigned char)*text))
		return (int64_t)strtoull(text, NULL, 0);
	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (!strcmp(text, known[i].name))
			return known[i].val;
	return -1;
}

/* Copies a table into the plan; `first` gets its first index. */
static uint32_t add_syms(struct print_builder *bld, const struct tep_print_flag_sym *sym,
			 uint32_t *first)
{
	struct print_plan *plan = bld->plan;

	*first = plan->sym_cnt;
	for (; sym; sym = sym->next) {
		struct print_sym entry = { .val = sym_value(sym->value),
					   .len = (uint32_t)strlen(sym->str) };

		entry.str = print_builder__pool(bld, sym->str, entry.len);
		if (!print_builder__grow(bld, (void **)&plan->syms, plan->sym_cnt, &bld->sym_cap,
					 sizeof(entry)))
			return 0;
		plan->syms[plan->sym_cnt++] = entry;
	}
	return plan->sym_cnt - *first;
}

static void string_of_field(struct print_builder *bld, const struct print_spec *spec,
			    struct tep_print_arg *arg)
{
	struct tep_format_field *field = print_expr__field(bld, arg);
	struct print_op *op;

	if (!field)
		return;
	if (!print_expr__use_field(bld, field))
		return;
	/* An address-sized number is taken for the address of a constant string. */
	if (!(field->flags & TEP_FIELD_IS_ARRAY) && field->size == (int)sizeof(long)) {
		op = print_builder__op(bld, PRINT_STR_ADDR);
		if (op)
			print_expr__compile(bld, arg, &op->val);
		return;
	}
	op = print_builder__op(bld, PRINT_STR);
	if (!op)
		return;
	op->loc = print_arg__loc(field);
	op->loc.dynamic = false;
	op->spec = print_builder__spec(bld, spec);
	if (!op->spec)
		op->kind = PRINT_STR_PLAIN;
}

/* An op on dynamic data that is found by name: text or bits. */
static void string_of_dynamic(struct print_builder *bld, const struct print_spec *spec,
			      enum print_op_kind kind, const char *name)
{
	struct tep_format_field *field = tep_find_any_field(bld->event, name);
	struct print_loc loc;
	struct print_op *op;

	if (!field || !dynamic_loc(bld, field, &loc))
		return;
	op = print_builder__op(bld, kind);
	if (!op)
		return;
	op->loc = loc;
	/* All bits there are. */
	op->val.imm = UINT32_MAX;
	op->spec = print_builder__spec(bld, spec);
	if (kind == PRINT_STR && !op->spec)
		op->kind = PRINT_STR_PLAIN;
}

static void string_literal(struct print_builder *bld, const struct print_spec *spec,
			   const char *text)
{
	uint16_t idx = print_builder__spec(bld, spec);
	struct print_op *op;

	if (!idx) {
		print_builder__literal(bld, text, strlen(text));
		return;
	}
	op = print_builder__op(bld, PRINT_STR_LIT);
	if (!op)
		return;
	op->spec = idx;
	op->b = (uint32_t)strlen(text);
	op->a = print_builder__pool(bld, text, op->b);
}

static void string_of_table(struct print_builder *bld, const struct print_spec *spec,
			    struct tep_print_arg *arg)
{
	bool flags = arg->type == TEP_PRINT_FLAGS;
	struct print_op op = { .kind = flags ? PRINT_FLAGS : PRINT_SYMBOL };
	struct print_op *added;

	if (!print_expr__compile(bld, flags ? arg->flags.field : arg->symbol.field, &op.val))
		return;
	op.b = add_syms(bld, flags ? arg->flags.flags : arg->symbol.symbols, &op.a);
	if (flags && arg->flags.delim) {
		op.delim_len = (uint32_t)strlen(arg->flags.delim);
		op.delim = print_builder__pool(bld, arg->flags.delim, op.delim_len);
	}
	op.spec = print_builder__spec(bld, spec);
	added = print_builder__op(bld, PRINT_FLAGS);
	if (added)
		*added = op;
}

/* The array that __print_hex() or __print_array() is given, perhaps behind casts. */
static bool array_loc(struct print_builder *bld, struct tep_print_arg *arg, struct print_loc *loc)
{
	struct tep_format_field *field;

	while (arg && arg->type == TEP_PRINT_TYPE)
		arg = arg->typecast.item;
	if (arg && arg->type == TEP_PRINT_DYNAMIC_ARRAY)
		return dynamic_loc(bld, arg->dynarray.field, loc);
	field = arg && arg->type == TEP_PRINT_FIELD ? print_expr__field(bld, arg) : NULL;
	if (!field) {
		bld->why_not = "an array that is no field";
		return false;
	}
	*loc = print_arg__loc(field);
	loc->dynamic = false;
	return print_expr__use_field(bld, field);
}

static void string_of_array(struct print_builder *bld, struct tep_print_arg *arg)
{
	bool numbers = arg->type == TEP_PRINT_INT_ARRAY;
	struct print_op op = { .kind = numbers ? PRINT_ARRAY : PRINT_HEX };
	struct print_op *added;

	op.conv = arg->type == TEP_PRINT_HEX ? ' ' : 0;
	if (!array_loc(bld, numbers ? arg->int_array.field : arg->hex.field, &op.loc) ||
	    !print_expr__compile(bld, numbers ? arg->int_array.count : arg->hex.size, &op.val) ||
	    (numbers && !print_expr__compile(bld, arg->int_array.el_size, &op.aux)))
		return;
	added = print_builder__op(bld, PRINT_HEX);
	if (added)
		*added = op;
}

/* cond ? string : string. */
static void string_of_cond(struct print_builder *bld, const struct print_spec *spec,
			   struct tep_print_arg *arg)
{
	struct print_plan *plan = bld->plan;
	struct tep_print_arg *branches = arg->op.right;
	struct print_val val;
	struct print_op *op;
	uint32_t jz, jmp;

	/* libtraceevent prints nothing for the string of any other operator. */
	if (arg->op.op[0] != '?' || !branches || branches->type != TEP_PRINT_OP)
		return;
	if (!print_expr__compile(bld, arg->op.left, &val))
		return;
	if (val.kind == VAL_IMM) {
		print_arg__string(bld, spec, val.imm ? branches->op.left : branches->op.right);
		return;
	}
	jz = plan->op_cnt;
	op = print_builder__op(bld, PRINT_JZ);
	if (!op)
		return;
	op->val = val;
	print_arg__string(bld, spec, branches->op.left);
	jmp = plan->op_cnt;
	if (bld->why_not || !print_builder__op(bld, PRINT_JMP))
		return;
	plan->ops[jz].a = bld->label = plan->op_cnt;
	print_arg__string(bld, spec, branches->op.right);
	if (bld->why_not)
		return;
	plan->ops[jmp].a = bld->label = plan->op_cnt;
	/* An empty else: no jump over it. */
	if (plan->op_cnt == jmp + 1)
		plan->ops[jz].a = bld->label = plan->op_cnt = jmp;
}

void print_arg__string(struct print_builder *bld, const struct print_spec *spec,
		       struct tep_print_arg *arg)
{
	if (!arg)
		return;
	switch (arg->type) {
	case TEP_PRINT_ATOM:
		string_literal(bld, spec, arg->atom.atom);
		break;
	case TEP_PRINT_BSTRING:
		string_literal(bld, spec, arg->string.string);
		break;
	case TEP_PRINT_FIELD:
		string_of_field(bld, spec, arg);
		break;
	case TEP_PRINT_FLAGS:
	case TEP_PRINT_SYMBOL:
		string_of_table(bld, spec, arg);
		break;
	case TEP_PRINT_HEX:
	case TEP_PRINT_HEX_STR:
	case TEP_PRINT_INT_ARRAY:
		string_of_array(bld, arg);
		break;
	case TEP_PRINT_STRING:
		string_of_dynamic(bld, spec, PRINT_STR, arg->string.string);
		break;
	case TEP_PRINT_BITMASK:
		string_of_dynamic(bld, spec, PRINT_BITMASK, arg->bitmask.bitmask);
		break;
	case TEP_PRINT_CPUMASK:
		string_of_dynamic(bld, spec, PRINT_CPUMASK, arg->bitmask.bitmask);
		break;
	case TEP_PRINT_OP:
		string_of_cond(bld, spec, arg);
		break;
	case TEP_PRINT_FUNC:
		bld->why_not = "a function of a libtraceevent plugin";
		break;
	default:
		/* Casts, lengths, addresses of dynamic data: nothing, as libtraceevent has it. */
		break;
	}
}

/* A field of a known size; what libtraceevent says where it is none goes in as a literal. */
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

/* hnbl behind %pI4: host order on these little-endian machines, or asked for. */
static bool is_reverse(char c)
{
	return c == 'h' || c == 'l';
}

/* %pIS: a struct sockaddr in the record, fixed or dynamic. */
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
		if (!dynamic_loc(bld, arg->dynarray.field, &op.loc))
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

/* %pI, %pi with what follows. Returns the length of `ext`. */
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
	if (!dynamic_loc(bld, arg->dynarray.field, &loc))
		return len;
	op = print_builder__op(bld, PRINT_RAW_BUF);
	if (!op)
		return len;
	op->loc = loc;
	op->conv = len == 1 ? ' ' : ext[1] == 'C' ? ':' : ext[1] == 'D' ? '-' : 0;
	/* How many bytes: the star's value; one without. */
	op->val = spec->star;
	if (!(spec->flags & (SPEC_STAR_WIDTH | SPEC_STAR_PREC)))
		op->val = (struct print_val){ .kind = VAL_IMM, .imm = 1 };
	return len;
}

/* %*pb, %*pbl: a bit set of as many bits as the star says. Returns the length of `ext`. */
static size_t pointer_bitmap(struct print_builder *bld, const struct print_spec *spec,
			     const char *ext, struct tep_print_arg *arg)
{
	struct print_op *op = print_builder__op(bld, ext[1] == 'l' ? PRINT_CPUMASK : PRINT_BITMASK);

	if (!op)
		return 0;
	op->val = spec->star;
	array_loc(bld, arg, &op->loc);
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
	/* Width and flags do not count, and other letters behind %p are text, in libtraceevent. */
	op->conv = *ext == 'F' || *ext == 'S' ? 'S' : 's';
	return func ? 1 : 0;
}
