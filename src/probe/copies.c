// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * A compiler describes a function that it inlines once in each unit, and each copy by a reference.
 * Most units do not know the function, and are not walked through (copies_units.h).
 */
#include "probe/copies.h"

#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sym/dwarf_units.h"
#include "util/u64map.h"

#define NESTING_MAX 64
/* Entries that are visited: damaged DWARF can contain cycles. */
#define WORK_MAX (64u << 20)

struct finder {
	const struct dwarf_file *file;
	const struct func_pattern *pattern;
	struct u64map origins; /* offsets of entries of the function as it was written */
	size_t origin_cnt;
	uint64_t work_left;
	int (*fn)(void *ctx, const struct inlined_copy *copy);
	void *ctx;
	Dwarf_Die func; /* the function of the walk's position */
};

static bool may_go_on(struct finder *f)
{
	return f->work_left && --f->work_left;
}

const char *copies__name(const struct func_pattern *p)
{
	const char *at, *last = p->text;

	for (at = strstr(p->text, "::"); at; at = strstr(last, "::"))
		last = at + 2;
	return last;
}

static int keep_origin(struct finder *f, Dwarf_Die *die)
{
	uint32_t *slot = u64map__slot(&f->origins, dwarf_dieoffset(die));

	if (!slot)
		return -ENOMEM;
	*slot = 1;
	f->origin_cnt++;
	return 0;
}

/* Is it the function that is meant, with its scopes where the user has written them? */
static bool is_meant(const struct finder *f, Dwarf_Die *die, const char *name)
{
	const char *its = dwarf_file__text(f->file, dwarf_diename(die)), *linker = NULL;
	struct strbuf printed = STRBUF_INIT;
	Dwarf_Attribute attr;
	bool match;

	if (!its || strcmp(its, name) != 0)
		return false;
	if (!f->pattern->has_scope)
		return true;
	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attr))
		linker = dwarf_file__text(f->file, dwarf_formstring(&attr));
	match = !linker || func_pattern__match(f->pattern, linker, &printed);
	strbuf__free(&printed);
	return match;
}

/* Keeps the entries of the function as it was written, below a unit or a scope. */
static int find_origins(struct finder *f, Dwarf_Die *parent, const char *name, int nesting)
{
	Dwarf_Die die;
	int err = 0, end, tag;

	if (nesting > NESTING_MAX)
		return 0;
	for (end = dwarf_child(parent, &die); !end && !err; end = dwarf_siblingof(&die, &die)) {
		if (!may_go_on(f))
			return 0;
		tag = dwarf_tag(&die);
		if (tag == DW_TAG_subprogram && is_meant(f, &die, name))
			err = keep_origin(f, &die);
		/* Lambdas and local classes are in other functions. */
		if (!err && (dwarf_units__is_scope(tag) || tag == DW_TAG_subprogram ||
			     tag == DW_TAG_lexical_block))
			err = find_origins(f, &die, name, nesting + 1);
	}
	return err;
}

static bool is_copy(struct finder *f, Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Die origin;

	return dwarf_attr(die, DW_AT_abstract_origin, &attr) && dwarf_formref_die(&attr, &origin) &&
	       u64map__get(&f->origins, dwarf_dieoffset(&origin)) != U64MAP_NONE;
}

static int report(struct finder *f, Dwarf_Die *die)
{
	struct inlined_copy copy = { .die = *die, .func = f->func };
	Dwarf_Addr base, start, end;
	Dwarf_Attribute attr;

	if (dwarf_attr(die, DW_AT_entry_pc, &attr) && !dwarf_formaddr(&attr, &copy.pc))
		return f->fn(f->ctx, &copy);
	if (dwarf_ranges(die, 0, &base, &start, &end) <= 0 || !start)
		return 0;
	copy.pc = start;
	return f->fn(f->ctx, &copy);
}

static int find_copies(struct finder *f, Dwarf_Die *parent, int nesting)
{
	Dwarf_Die die;
	int err = 0, end, tag;

	if (nesting > NESTING_MAX)
		return 0;
	for (end = dwarf_child(parent, &die); !end && !err; end = dwarf_siblingof(&die, &die)) {
		if (!may_go_on(f))
			return 0;
		tag = dwarf_tag(&die);
		if (tag == DW_TAG_subprogram) {
			/* One without code has no copies in it. */
			if (!dwarf_hasattr(&die, DW_AT_low_pc) &&
			    !dwarf_hasattr(&die, DW_AT_ranges))
				continue;
			f->func = die;
		} else if (tag == DW_TAG_inlined_subroutine && is_copy(f, &die)) {
			err = report(f, &die);
		} else if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_lexical_block &&
			   tag != DW_TAG_call_site && tag != DW_TAG_GNU_call_site &&
			   !dwarf_units__is_scope(tag)) {
			continue;
		}
		if (!err)
			err = find_copies(f, &die, nesting + 1);
	}
	return err;
}

static int walk_units(struct finder *f, const struct copies_units *units, const char *name,
		      const bool *is_candidate)
{
	bool across_units = false;
	int err = 0;
	size_t i;

	for (i = 0; i < units->cnt && !err; i++) {
		Dwarf_Die die = units->at[i].die;

		across_units |= units->at[i].is_across_units;
		if (is_candidate[i])
			err = find_origins(f, &die, name, 0);
	}
	for (i = 0; i < units->cnt && !err && f->origin_cnt; i++) {
		Dwarf_Die die = units->at[i].die;

		if (is_candidate[i] || across_units)
			err = find_copies(f, &die, 0);
	}
	return err;
}

int copies__each(const struct dwarf_file *file, const struct copies_units *units,
		 const struct func_pattern *pattern,
		 int (*fn)(void *ctx, const struct inlined_copy *copy), void *ctx)
{
	struct finder f = {
		.file = file,
		.pattern = pattern,
		.fn = fn,
		.ctx = ctx,
		.work_left = WORK_MAX,
	};
	const char *name = copies__name(pattern);
	bool *is_candidate;
	int err;

	if (pattern->is_glob || !*name || !units->cnt)
		return 0;
	is_candidate = calloc(units->cnt, sizeof(*is_candidate));
	if (!is_candidate)
		return -ENOMEM;
	copies_units__find(units, name, is_candidate);
	err = walk_units(&f, units, name, is_candidate);
	u64map__free(&f.origins);
	free(is_candidate);
	return err;
}
