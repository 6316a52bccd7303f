// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "probe/kernel.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/btf.h>

#include "event/tracefs.h"
#include "probe/btf_value.h"
#include "probe/kernel_abi.h"
#include "probe/kernel_functions.h"
#include "probe/kernel_types.h"
#include "probe/pattern.h"
#include "probe/regs.h"
#include "util/array.h"
#include "util/suggest.h"

/* A glob that matches more functions has no arguments, unless they are named. */
#define ALL_ARGS_MAX 32
/* Fields of a function's arguments, members of structures among them. */
#define FIELDS_MAX 32

#if defined(__aarch64__)
#define KERNEL_MACHINE EM_AARCH64
#else
#define KERNEL_MACHINE EM_X86_64
#endif

/* One search. */
struct search {
	const struct find_want *want;
	struct find_answer *answer;
	struct func_pattern pattern;
	const struct probe_regs *regs;
	struct arg_list args;
	/* The modules of the places, in their order; NULL: the kernel itself. */
	char **modules;
	size_t module_cnt, module_cap;
};

/* A function while its fields are made. */
struct function {
	const struct btf *btf; /* NULL: the kernel has none */
	const struct btf_type *proto; /* NULL: its types are not known */
};

/* The arguments of a function, by name or by number. */
static int locate_param(struct search *s, const struct function *fn, const struct arg *arg,
			struct btf_value *v)
{
	uint32_t cnt = fn->proto ? btf_vlen(fn->proto) : 0, i;

	for (i = 0; i < cnt && arg->root == ARG_NAMED; i++) {
		const struct btf_param *p = &btf_params(fn->proto)[i];

		if (!strcmp(btf__name_by_offset(fn->btf, p->name_off), arg->var))
			break;
	}
	if (arg->root == ARG_NUMBERED)
		i = arg->number;
	else if (i == cnt && !cnt)
		return arg_fault__set(&s->answer->fault, arg->off,
				      "there is no argument '%s': this function has none, or its "
				      "types are not known; write arg1, arg2 …",
				      arg->var);
	else if (i == cnt)
		return arg_fault__set(&s->answer->fault, arg->off,
				      "there is no argument '%s'; bpfperf list f:%s shows them",
				      arg->var, s->want->func);
	if (i < cnt && kernel_abi__param(fn->btf, fn->proto, i, s->regs, v))
		return 0;
	if (i < cnt && arg->root == ARG_NAMED)
		return arg_fault__set(&s->answer->fault, arg->off,
				      "the size of an argument before it is not known; write "
				      "arg1, arg2 … for the registers");
	if (i >= s->regs->arg_reg_cnt)
		return arg_fault__set(&s->answer->fault, arg->off,
				      "only the first %u arguments are in registers",
				      s->regs->arg_reg_cnt);
	kernel_abi__number(s->regs, i, v);
	return 0;
}

static int locate(struct search *s, const struct function *fn, const struct arg *arg,
		  struct btf_value *v)
{
	memset(v, 0, sizeof(*v));
	if (arg->root == ARG_DURATION) {
		steps__add(&v->steps, FETCH_DURATION, 8, false, 0);
		return 0;
	}
	if (arg->root != ARG_RETURN)
		return locate_param(s, fn, arg, v);
	if (fn->proto && !fn->proto->type)
		return arg_fault__set(&s->answer->fault, arg->off, "this function returns nothing");
	steps__add(&v->steps, FETCH_REG, 8, false, probe_regs__off(s->regs, s->regs->ret_reg));
	v->type = fn->proto ? fn->proto->type : 0;
	return 0;
}

static int find_value(struct search *s, const struct function *fn, const struct arg *arg,
		      struct btf_value *v)
{
	int err = locate(s, fn, arg, v);
	size_t i;

	for (i = 0; i < arg->part_cnt && !err; i++) {
		if (!fn->btf || !v->type)
			return arg_fault__set(&s->answer->fault, arg->parts[i].off,
					      "the type of this value is not known: the kernel's "
					      "BTF has none for it");
		err = btf_value__follow(fn->btf, v, &arg->parts[i], &s->answer->fault);
	}
	return err;
}

static int add_value(struct search *s, const struct function *fn, const struct arg *arg,
		     struct btf_value *v, struct place *place)
{
	struct place_field *f = place__begin_field(place, arg);
	int err;

	if (!f)
		return -ENOMEM;
	err = btf_value__to_field(fn->btf, v, arg->root == ARG_DURATION ? ARG_AS_UNSIGNED : arg->as,
				  f, arg->off, &s->answer->fault);
	if (arg->root == ARG_DURATION)
		snprintf(f->type, sizeof(f->type), "ns");
	return err;
}

/* Adds a value; a structure by value is its members. */
static int add_arg(struct search *s, const struct function *fn, const struct arg *arg,
		   struct place *place)
{
	const char *name;
	struct btf_value v;
	int err = find_value(s, fn, arg, &v);
	uint32_t nr;

	if (err || !btf_value__has_members(fn->btf, &v) || arg->as != ARG_AS_TYPE ||
	    arg->part_cnt == PROBE_PARTS_MAX)
		return err ? err : add_value(s, fn, arg, &v, place);
	for (nr = 0; (name = btf_value__member(fn->btf, &v, nr)) && !err; nr++) {
		struct arg inner = *arg;
		struct arg_part *part = &inner.parts[inner.part_cnt++];

		if (place->field_cnt >= FIELDS_MAX)
			break;
		*part = (struct arg_part){ .kind = ARG_MEMBER, .off = arg->off };
		snprintf(part->name, sizeof(part->name), "%s", name);
		snprintf(inner.name, sizeof(inner.name), "%.30s_%.30s", arg->name, name);
		err = add_arg(s, fn, &inner, place);
	}
	return err;
}

static int add_all(struct search *s, const struct function *fn, struct place *place)
{
	uint32_t cnt = fn->proto ? btf_vlen(fn->proto) : 0, i;
	struct btf_value v;
	int err = 0;

	for (i = 0; i < cnt && place->field_cnt < FIELDS_MAX && !err; i++) {
		const char *name = btf__name_by_offset(fn->btf, btf_params(fn->proto)[i].name_off);
		struct arg arg = { .root = ARG_NUMBERED, .number = i };

		/* Further arguments (...) have no types. */
		if (!kernel_abi__param(fn->btf, fn->proto, i, s->regs, &v))
			break;
		if (name && *name)
			snprintf(arg.name, sizeof(arg.name), "%s", name);
		else
			snprintf(arg.name, sizeof(arg.name), "arg%u", i + 1);
		err = add_arg(s, fn, &arg, place);
	}
	return err;
}

/* Makes the place one within the function, where no argument is known. */
static int move_place(struct search *s, struct place *place)
{
	if (s->args.cnt)
		return arg_fault__set(
			&s->answer->fault, s->args.args[0].off,
			"values of the kernel are known where its functions begin and "
			"return: leave out the offset, or the arguments");
	place->off = s->want->add;
	return asprintf(&place->where, "+0x%llx", (unsigned long long)place->off) < 0 ? -ENOMEM : 0;
}

static int add_fields(struct search *s, struct place *place, const char *module, bool all)
{
	struct function fn = { NULL };
	int err = 0;
	size_t i;

	if (s->want->add)
		return move_place(s, place);
	if (s->want->args ? s->args.cnt : all)
		fn.proto = kernel_types__proto(place->name, module, &fn.btf);
	if (!s->want->args)
		return all ? add_all(s, &fn, place) : 0;
	for (i = 0; i < s->args.cnt && !err; i++)
		err = add_arg(s, &fn, &s->args.args[i], place);
	return err;
}

static int keep_module(struct search *s, const char *module)
{
	char *copy = module ? strdup(module) : NULL;

	if ((module && !copy) || array__reserve((void **)&s->modules, &s->module_cap,
						s->module_cnt + 1, sizeof(*s->modules))) {
		free(copy);
		return -ENOMEM;
	}
	s->modules[s->module_cnt++] = copy;
	return 0;
}

/* Adds a function if it is meant. 1: no other one is. */
static int try_function(void *ctx, const char *name, const char *module)
{
	struct search *s = ctx;
	struct places *ps = &s->answer->places;
	struct place *p;

	if (!func_pattern__match_plain(&s->pattern, name))
		return 0;
	p = places__add(ps);
	if (!p)
		return ps->cut ? 1 : -ENOMEM;
	p->name = strdup(name);
	p->hit = HIT_KERNEL;
	return !p->name || keep_module(s, module) ? -ENOMEM : !s->pattern.is_glob;
}

/* Without the list of ftrace, which lockdown hides: all functions that have types. */
static int walk_typed_functions(kernel_function_fn fn, void *ctx)
{
	const struct btf *btf = kernel_types__vmlinux();
	uint32_t cnt = btf ? btf__type_cnt(btf) : 0, id;
	int err = btf ? 0 : -ENODEV;

	for (id = 1; id < cnt && !err; id++) {
		const struct btf_type *t = btf__type_by_id(btf, id);

		if (btf_is_func(t))
			err = fn(ctx, btf__name_by_offset(btf, t->name_off), NULL);
	}
	return err;
}

static int walk_functions(kernel_function_fn fn, void *ctx)
{
	int err = kernel_functions__walk(fn, ctx);

	if (err < 0 && err != -ENOMEM)
		err = walk_typed_functions(fn, ctx);
	return err < 0 ? err : 0;
}

static int offer(void *ctx, const char *name, const char *module)
{
	(void)module;
	suggest__offer(ctx, name);
	return 0;
}

/* Names that are near. They are compared here, because a name that is there needs none of it. */
static int put_near(struct search *s)
{
	struct strbuf text = STRBUF_INIT;
	struct suggest near;
	int err;

	if (s->pattern.is_glob)
		return 0;
	if (suggest__init(&near, s->want->func))
		return -ENOMEM;
	err = walk_functions(offer, &near);
	if (!err && suggest__put(&near, &text))
		s->answer->near = strdup(strbuf__cstr(&text));
	strbuf__free(&text);
	suggest__free(&near);
	return err;
}

static int search(struct search *s)
{
	struct find_answer *answer = s->answer;
	int err = walk_functions(try_function, s);
	size_t i;

	if (!err && !answer->places.cnt) {
		answer->status = FIND_NOTHING;
		err = put_near(s);
	}
	for (i = 0; i < answer->places.cnt && !err; i++)
		err = add_fields(s, &answer->places.at[i], s->modules[i],
				 s->want->is_list || answer->places.cnt <= ALL_ARGS_MAX);
	if (err == -EINVAL) {
		answer->status = FIND_BAD_ARG;
		err = 0;
	}
	answer->has_return = s->args.has_return;
	return err;
}

int probe_kernel__find(const struct find_want *want, struct find_answer *answer)
{
	struct search s = { .want = want, .answer = answer };
	size_t i;
	int err;

	memset(answer, 0, sizeof(*answer));
	s.regs = probe_regs__of(KERNEL_MACHINE, true);
	if (!s.regs) {
		answer->status = FIND_OTHER_MACHINE;
		return 0;
	}
	if (!tracefs__dir())
		return -ENODEV;
	func_pattern__init(&s.pattern, want->func);
	err = want->args ? arg_list__parse(&s.args, want->args, &answer->fault) : 0;
	if (err == -EINVAL) {
		answer->status = FIND_BAD_ARG;
		err = 0;
	} else if (!err) {
		err = search(&s);
	}
	for (i = 0; i < s.module_cnt; i++)
		free(s.modules[i]);
	free(s.modules);
	arg_list__free(&s.args);
	return err;
}
