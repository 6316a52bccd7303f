// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "probe/fields.h"

#include <dwarf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/abi.h"
#include "probe/code_file.h"
#include "probe/code_insns.h"
#include "probe/frame_fill.h"
#include "probe/late_write.h"
#include "probe/place_lines.h"
#include "probe/usdt.h"
#include "probe/value.h"
#include "util/suggest.h"

/* Structures that are passed by value are shown by their members, if these are few. */
#define MEMBERS_MAX 8
/* Parameters of a function that are asked for by the convention to find out whether all can be. */
#define CONVENTION_MAX 64
/* Parts of a function's code. */
#define RANGES_MAX 16

/* The function as it was written has all parameters: copies lack those that are not needed. */
static Dwarf_Die written(const struct fields_scope *fs)
{
	Dwarf_Die die = fs->die, origin;
	Dwarf_Attribute attr;

	if (dwarf_attr(&die, DW_AT_abstract_origin, &attr) && dwarf_formref_die(&attr, &origin))
		return origin;
	return die;
}

/* Finds a parameter, or a variable of the outermost block; *nth: its number among parameters. */
static bool find_var_of(Dwarf_Die *func, const char *name, Dwarf_Die *var, size_t *nth)
{
	const char *its;
	size_t cnt = 0;
	int tag;

	if (dwarf_child(func, var))
		return false;
	do {
		tag = dwarf_tag(var);
		if (tag != DW_TAG_formal_parameter && tag != DW_TAG_variable)
			continue;
		its = dwarf_diename(var);
		if (its && !strcmp(its, name)) {
			*nth = tag == DW_TAG_formal_parameter ? cnt : SIZE_MAX;
			return true;
		}
		cnt += tag == DW_TAG_formal_parameter;
	} while (!dwarf_siblingof(var, var));
	return false;
}

static bool find_var(struct fields_scope *fs, const char *name, Dwarf_Die *var, size_t *nth)
{
	Dwarf_Die origin = written(fs);

	return find_var_of(&fs->die, name, var, nth) || find_var_of(&origin, name, var, nth);
}

static int split_is_missing(const struct split_unit *u, const struct arg *arg,
			    struct arg_fault *fault)
{
	struct strbuf sb = STRBUF_INIT;
	int err;

	split_unit__put_missing(u, &sb);
	err = arg_fault__set(fault, arg->off,
			     "the names of this function's arguments are not known: %.140s; write "
			     "arg1, arg2 …",
			     strbuf__cstr(&sb));
	strbuf__free(&sb);
	return err;
}

static int unknown_var(struct fields_scope *fs, const struct arg *arg, struct arg_fault *fault)
{
	struct strbuf sb = STRBUF_INIT;
	struct suggest sg;
	Dwarf_Die var, func;
	const char *name;
	int err;

	if (fs->usdt_args)
		return arg_fault__set(fault, arg->off,
				      "arguments of USDT probes have numbers: arg1, arg2 …");
	if (fs->missing)
		return split_is_missing(fs->missing, arg, fault);
	if (!fs->has_dwarf)
		return arg_fault__set(fault, arg->off,
				      "the names of this function's arguments are not known: the "
				      "file has no DWARF for it; write arg1, arg2 …");
	if (suggest__init(&sg, arg->var))
		return -ENOMEM;
	func = written(fs);
	if (!dwarf_child(&func, &var)) {
		do {
			name = dwarf_tag(&var) == DW_TAG_formal_parameter ? dwarf_diename(&var)
									  : NULL;
			if (name) {
				suggest__offer(&sg, name);
				strbuf__printf(&sb, "%s%s", sb.len ? ", " : "", name);
			}
		} while (!dwarf_siblingof(&var, &var));
	}
	if (sb.len)
		err = arg_fault__set(fault, arg->off,
				     "there is no argument '%s'; there are: %.150s", arg->var,
				     strbuf__cstr(&sb));
	else
		err = arg_fault__set(fault, arg->off,
				     "there is no argument '%s': this function has none", arg->var);
	strbuf__free(&sb);
	suggest__free(&sg);
	return err;
}

static uint64_t behind_prologue(struct fields_scope *fs)
{
	Dwarf_Addr *at = NULL;
	uint64_t pc = 0;

	code_file__need_lines(&fs->unit);
	if (fs->is_split)
		return place_lines__behind_prologue(&fs->die, &fs->unit);
	if (dwarf_entry_breakpoints(&fs->die, &at) > 0)
		pc = at[0];
	free(at);
	return pc;
}

/* Are all parameters of the frame still where the convention says? */
static bool has_all_by_convention(struct fields_scope *fs)
{
	bool is_local;
	struct loc loc;
	Dwarf_Die var;
	size_t nth = 0, i;

	if (dwarf_child(&fs->die, &var))
		return false;
	do {
		if (dwarf_tag(&var) != DW_TAG_formal_parameter)
			continue;
		/* Each asks for all before it. */
		if (nth == CONVENTION_MAX)
			return false;
		loc__of(&fs->scope, &var, &loc, &is_local);
		if (is_local)
			abi__param(&fs->scope, &fs->die, nth, &loc);
		nth++;
		for (i = 0; i < loc.cnt && is_local; i++)
			if (loc.pieces[i].kind < PIECE_VALUE)
				return false;
	} while (!dwarf_siblingof(&var, &var));
	return true;
}

/*
 * May a branch lead there? The place may be the head of a loop: one call would hit it each time
 * round.
 */
static bool is_reached_by_branch(const struct fields_scope *fs, uint64_t pc)
{
	Dwarf_Die die = fs->die;
	Dwarf_Addr base, begin, end;
	ptrdiff_t next = 0;
	size_t cnt = 0;

	while ((next = dwarf_ranges(&die, next, &base, &begin, &end)) > 0)
		if (cnt++ == RANGES_MAX || code_insns__may_reach(fs->elf, begin, end, pc))
			return true;
	return next < 0 || !cnt;
}

/*
 * Moves the place behind the function's first instructions, as debuggers do, if parameters are in
 * the function's frame, and filled there. In optimized code, where others are in registers, which
 * these instructions use again, only if one cannot be had before.
 */
static void skip_prologue(struct fields_scope *fs)
{
	bool any = false, is_optimized = false, is_local;
	struct loc loc;
	Dwarf_Die var;
	uint64_t pc;

	if (!fs->has_dwarf || fs->is_inlined || fs->is_pair || !fs->scope.at_entry ||
	    dwarf_child(&fs->die, &var))
		return;
	do {
		if (dwarf_tag(&var) != DW_TAG_formal_parameter)
			continue;
		loc__of(&fs->scope, &var, &loc, &is_local);
		if (loc.is_late)
			return;
		any |= is_local;
		is_optimized |= !is_local && loc.pieces[0].kind != PIECE_MEMORY;
	} while (!dwarf_siblingof(&var, &var));
	if (!any || (is_optimized && has_all_by_convention(fs)))
		return;
	pc = frame_fill__can(fs->elf) ? frame_fill__end(fs->elf, &fs->scope, &fs->die)
				      : behind_prologue(fs);
	if (pc > fs->scope.pc && !is_reached_by_branch(fs, pc) &&
	    !code_insns__refused(fs->elf, pc)) {
		fs->scope.pc = pc;
		fs->scope.at_entry = false;
	}
}

/*
 * An argument by reference: its address is where the convention says. Without an answer, the
 * register of DWARF has it if there were enough of them for all before, of two words each.
 */
static void locate_pointee(struct fields_scope *fs, size_t nth, struct loc *loc)
{
	struct loc passed;

	abi__param(&fs->scope, &fs->die, nth, &passed);
	if (passed.pieces[0].kind != PIECE_NONE || 2 * nth + 2 > fs->scope.regs->arg_reg_cnt)
		*loc = passed;
}

static void locate_var(struct fields_scope *fs, Dwarf_Die *var, size_t nth, struct value *v)
{
	bool local;

	memset(v, 0, sizeof(*v));
	loc__of(&fs->scope, var, &v->loc, &local);
	if (v->loc.is_pointee && fs->scope.at_entry && nth != SIZE_MAX && !fs->is_go)
		locate_pointee(fs, nth, &v->loc);
	/* Its place is not filled yet: the value is still where the caller has put it. */
	if (local && fs->scope.at_entry) {
		if (nth != SIZE_MAX)
			abi__param(&fs->scope, &fs->die, nth, &v->loc);
		else
			memset(&v->loc.pieces[0], 0, sizeof(v->loc.pieces[0]));
	}
	v->has_type = type__of(var, &v->type);
	if (fs->is_inlined && late_write__found(fs->elf, &fs->scope, var, &v->loc,
						v->has_type ? type__size(&v->type) : 1))
		v->loc = (struct loc){ .cnt = 1 };
}

static int locate_result(struct fields_scope *fs, const struct arg *arg, struct value *v,
			 struct arg_fault *fault)
{
	memset(v, 0, sizeof(*v));
	if (fs->usdt_args)
		return arg_fault__set(fault, arg->off, "a USDT probe does not return");
	if (fs->is_inlined)
		return arg_fault__set(fault, arg->off,
				      "this copy of the function is inlined: it does not return");
	if (fs->is_go)
		return arg_fault__set(
			fault, arg->off,
			"returns of Go functions cannot be probed: Go moves its "
			"stacks, and a changed return address would crash the program");
	if (!fs->has_dwarf) {
		v->loc.cnt = 1;
		v->loc.pieces[0].kind = PIECE_VALUE;
		steps__add(&v->loc.pieces[0].steps, FETCH_REG, 8, false,
			   probe_regs__off(fs->scope.regs, fs->scope.regs->ret_reg));
		return 0;
	}
	v->has_type = type__of(&fs->die, &v->type);
	if (!v->has_type)
		return arg_fault__set(fault, arg->off, "this function returns nothing");
	abi__result(fs->scope.regs, &v->type, &v->loc);
	return 0;
}

static int locate(struct fields_scope *fs, const struct arg *arg, struct value *v,
		  struct arg_fault *fault)
{
	struct steps steps = { .cnt = 0 };
	Dwarf_Die var;
	size_t nth;

	switch (arg->root) {
	case ARG_RETURN:
		return locate_result(fs, arg, v, fault);
	case ARG_DURATION:
		if (fs->is_inlined || fs->is_go || fs->usdt_args)
			return locate_result(fs, arg, v, fault);
		steps__add(&steps, FETCH_DURATION, 8, false, 0);
		value__of_steps(v, &steps);
		return 0;
	case ARG_NUMBERED:
		if (fs->usdt_args) {
			if (arg->number >= usdt__arg_cnt(fs->usdt_args))
				return arg_fault__set(fault, arg->off,
						      "this probe has %zu arguments",
						      usdt__arg_cnt(fs->usdt_args));
			usdt__arg(fs->scope.regs, fs->usdt_args, arg->number, v);
			return 0;
		}
		memset(v, 0, sizeof(*v));
		if (fs->is_inlined)
			return arg_fault__set(fault, arg->off,
					      "an inlined copy has no arguments in registers; name "
					      "them");
		abi__number(fs->scope.regs, arg->number, fs->is_go, &v->loc);
		return 0;
	default:
		if (!fs->has_dwarf || !find_var(fs, arg->var, &var, &nth))
			return unknown_var(fs, arg, fault);
		locate_var(fs, &var, nth, v);
		return 0;
	}
}

/* A structure by value: its members are added. */
struct by_value {
	struct fields_scope *fs;
	const struct arg *arg;
	struct place *place;
	struct arg_fault *fault;
	/* structures within it that may still be shown by member: DWARF may have loops */
	size_t *left;
	int err;
};

static int add_value(struct fields_scope *fs, const struct arg *arg, struct value *v,
		     struct place *place, struct arg_fault *fault)
{
	struct place_field *f = place__begin_field(place, arg);
	int err;

	if (!f)
		return -ENOMEM;
	err = value__to_field(v, arg->root == ARG_DURATION ? ARG_AS_UNSIGNED : arg->as,
			      fs->scope.regs->addr_sz, f, arg->off, fault);
	if (arg->root == ARG_DURATION)
		snprintf(f->type, sizeof(f->type), "ns");
	return err;
}

static int find_value(struct fields_scope *fs, const struct arg *arg, struct value *v,
		      struct arg_fault *fault)
{
	int err = locate(fs, arg, v, fault);
	size_t i;

	for (i = 0; i < arg->part_cnt && !err; i++)
		err = value__follow(v, &arg->parts[i], fs->scope.regs->addr_sz, fault);
	return err;
}

static bool count_member(void *ctx, const char *name, const struct type_member *m)
{
	(void)m;
	*(size_t *)ctx += place__is_name(name, PROBE_NAME_MAX) ? 1 : MEMBERS_MAX + 1;
	return false;
}

/* Is it a structure of few members, and no text? */
static bool is_small_struct(Dwarf_Die *type)
{
	const char *name;
	size_t cnt = 0;

	if (!type__strip(type) || !type__is_struct(type))
		return false;
	name = dwarf_diename(type);
	if (name && (!strncmp(name, "basic_string", 12) || !strcmp(name, "&str") ||
		     !strcmp(name, "string") || !strcmp(name, "String")))
		return false;
	type__each_member(type, count_member, &cnt);
	return cnt && cnt <= MEMBERS_MAX;
}

/* Has the value no address, as it is in registers? */
static bool is_in_registers(const struct value *v)
{
	return v->loc.cnt != 1 || v->loc.pieces[0].kind == PIECE_VALUE;
}

static bool add_member(void *ctx, const char *name, const struct type_member *m)
{
	struct by_value *bv = ctx;
	struct arg arg = *bv->arg;
	struct arg_part *part = &arg.parts[arg.part_cnt++];
	struct value v;
	Dwarf_Die type;

	(void)m;
	snprintf(arg.name, sizeof(arg.name), "%.30s_%.30s", bv->arg->name, name);
	*part = (struct arg_part){ .kind = ARG_MEMBER, .off = arg.off };
	snprintf(part->name, sizeof(part->name), "%s", name);
	bv->err = find_value(bv->fs, &arg, &v, bv->fault);
	type = v.type;
	/* A structure within it is shown by its address, if there is one. */
	if (!bv->err && v.has_type && is_in_registers(&v) && arg.part_cnt < PROBE_PARTS_MAX &&
	    *bv->left && is_small_struct(&type)) {
		struct by_value inner = { bv->fs, &arg, bv->place, bv->fault, bv->left, 0 };

		--*bv->left;
		type__each_member(&type, add_member, &inner);
		bv->err = inner.err;
	} else if (!bv->err) {
		bv->err = add_value(bv->fs, &arg, &v, bv->place, bv->fault);
	}
	return bv->err != 0;
}

/* Adds a value; a structure by value is its members. */
static int add_arg(struct fields_scope *fs, const struct arg *arg, struct place *place,
		   struct arg_fault *fault)
{
	size_t left = MEMBERS_MAX;
	struct by_value bv = { fs, arg, place, fault, &left, 0 };
	struct value v;
	Dwarf_Die type;
	int err = find_value(fs, arg, &v, fault);

	if (err)
		return err;
	type = v.type;
	if (!v.has_type || arg->as != ARG_AS_TYPE || arg->part_cnt == PROBE_PARTS_MAX ||
	    !is_small_struct(&type))
		return add_value(fs, arg, &v, place, fault);
	type__each_member(&type, add_member, &bv);
	return bv.err;
}

/* Adds all parameters that have names. */
static int add_all(struct fields_scope *fs, struct place *place, struct arg_fault *fault)
{
	Dwarf_Die func, var;
	const char *name;
	int err = 0;

	if (!fs->has_dwarf)
		return 0;
	func = written(fs);
	if (dwarf_child(&func, &var))
		return 0;
	do {
		struct arg arg = { .root = ARG_NAMED };

		if (dwarf_tag(&var) != DW_TAG_formal_parameter || place->field_cnt >= 32)
			continue;
		name = dwarf_diename(&var);
		if (!name || !place__is_name(name, PROBE_NAME_MAX))
			continue;
		snprintf(arg.var, sizeof(arg.var), "%s", name);
		snprintf(arg.name, sizeof(arg.name), "%s", name);
		err = add_arg(fs, &arg, place, fault);
	} while (!err && !dwarf_siblingof(&var, &var));
	return err;
}

/* Adds all arguments of a USDT probe. */
static int add_numbered(struct fields_scope *fs, struct place *place, struct arg_fault *fault)
{
	uint32_t cnt = (uint32_t)usdt__arg_cnt(fs->usdt_args), i;
	int err = 0;

	for (i = 0; i < cnt && i < 12 && !err; i++) {
		struct arg arg = { .root = ARG_NUMBERED, .number = i };

		snprintf(arg.name, sizeof(arg.name), "arg%u", i + 1);
		err = add_arg(fs, &arg, place, fault);
	}
	return err;
}

int fields__add(struct fields_scope *fs, const struct arg_list *args, struct place *place,
		struct arg_fault *fault)
{
	int err = 0;
	size_t i;

	skip_prologue(fs);
	if (!args && fs->usdt_args)
		return add_numbered(fs, place, fault);
	if (!args)
		return add_all(fs, place, fault);
	for (i = 0; i < args->cnt && !err; i++)
		err = add_arg(fs, &args->args[i], place, fault);
	return err;
}
