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
#include "probe/kernel_functions.h"
#include "probe/kernel_types.h"
#include "probe/pattern.h"
#include "probe/regs.h"
#include "util/array.h"
#include "util/suggest.h"

/* A glob that matches more functions has no arguments, unless they are named. */
#define ALL_ARGS_MAX 32

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
	struct suggest near;
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
	if (i >= s->regs->arg_reg_cnt)
		return arg_fault__set(&s->answer->fault, arg->off,
				      "only the first %u arguments are in registers",
				      s->regs->arg_reg_cnt);
	steps__add(&v->steps, FETCH_REG, 8, false, probe_regs__off(s->regs, s->regs->arg_regs[i]));
	v->type = i < cnt ? btf_params(fn->proto)[i].type : 0;
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

static int add_arg(struct search *s, const struct function *fn, const struct arg *arg,
		   struct place *place)
{
	struct place_field *f;
	struct btf_value v;
	int err = locate(s, fn, arg, &v);
	size_t i;

	for (i = 0; i < arg->part_cnt && !err; i++) {
		if (!fn->btf || !v.type)
			return arg_fault__set(&s->answer->fault, arg->parts[i].off,
					      "the type of this value is not known: the kernel's "
					      "BTF has none for it");
		err = btf_value__follow(fn->btf, &v, &arg->parts[i], &s->answer->fault);
	}
	if (err)
		return err;
	f = place__begin_field(place, arg);
	if (!f)
		return -ENOMEM;
	err = btf_value__to_field(fn->btf, &v,
				  arg->root == ARG_DURATION ? ARG_AS_UNSIGNED : arg->as, f,
				  arg->off, &s->answer->fault);
	if (arg->root == ARG_DURATION)
		snprintf(f->type, sizeof(f->type), "ns");
	return err;
}

static int add_all(struct search *s, const struct function *fn, struct place *place)
{
	uint32_t cnt = fn->proto ? btf_vlen(fn->proto) : 0, i;
	int err = 0;

	for (i = 0; i < cnt && i < s->regs->arg_reg_cnt && !err; i++) {
		const char *name = btf__name_by_offset(fn->btf, btf_params(fn->proto)[i].name_off);
		struct arg arg = { .root = ARG_NUMBERED, .number = i };

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

	if (!func_pattern__match_plain(&s->pattern, name)) {
		if (!s->pattern.is_glob)
			suggest__offer(&s->near, name);
		return 0;
	}
	p = places__add(ps);
	if (!p)
		return ps->cut ? 1 : -ENOMEM;
	p->name = strdup(name);
	p->hit = HIT_KERNEL;
	return !p->name || keep_module(s, module) ? -ENOMEM : !s->pattern.is_glob;
}

/* Without the list of ftrace, which lockdown hides: all functions that have types. */
static int find_typed_functions(struct search *s)
{
	const struct btf *btf = kernel_types__vmlinux();
	uint32_t cnt = btf ? btf__type_cnt(btf) : 0, id;
	int err = btf ? 0 : -ENODEV;

	for (id = 1; id < cnt && !err; id++) {
		const struct btf_type *t = btf__type_by_id(btf, id);

		if (btf_is_func(t))
			err = try_function(s, btf__name_by_offset(btf, t->name_off), NULL);
	}
	return err < 0 ? err : 0;
}

static int find_functions(struct search *s)
{
	int err = kernel_functions__walk(try_function, s);

	if (err < 0 && err != -ENOMEM)
		return find_typed_functions(s);
	return err < 0 ? err : 0;
}

static int search(struct search *s)
{
	struct find_answer *answer = s->answer;
	struct strbuf near = STRBUF_INIT;
	int err = find_functions(s);
	size_t i;

	if (!err && !answer->places.cnt) {
		answer->status = FIND_NOTHING;
		if (suggest__put(&s->near, &near))
			answer->near = strdup(strbuf__cstr(&near));
		strbuf__free(&near);
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
	if (suggest__init(&s.near, want->func))
		return -ENOMEM;
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
	suggest__free(&s.near);
	return err;
}
