// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sym/split_types.h"

#include <stdlib.h>

#include "util/array.h"

/* Each takes about 8 KiB. */
#define TYPES_MAX 16384

/* Adds the type, be it known or not: it is looked for once. NULL: no memory. */
static struct split_type *add(struct split_types *types, const struct dwo_file *package,
			      uint64_t signature)
{
	uint32_t *slot = u64map__slot(&types->by_signature, signature);
	struct dwo_parts parts;
	struct split_type *t;

	if (!slot ||
	    array__reserve((void **)&types->at, &types->cap, types->cnt + 1, sizeof(*types->at)))
		return NULL;
	t = &types->at[types->cnt];
	*t = (struct split_type){ .type.addr = NULL };
	if (dwo_file__type(package, signature, &parts) &&
	    dwarf_parts__open_type(&t->file, &parts, signature, &t->type)) {
		dwarf_file__close(&t->file);
		t->type.addr = NULL;
	}
	*slot = (uint32_t)types->cnt++;
	return t;
}

bool split_types__find(struct split_types *types, const struct dwo_file *package,
		       uint64_t signature, Dwarf_Die *type)
{
	uint32_t idx = u64map__get(&types->by_signature, signature);
	const struct split_type *t = NULL;

	if (idx != U64MAP_NONE)
		t = &types->at[idx];
	else if (types->cnt < TYPES_MAX)
		t = add(types, package, signature);
	if (!t || !t->type.addr)
		return false;
	*type = t->type;
	return true;
}

void split_types__free(struct split_types *types)
{
	size_t i;

	for (i = 0; i < types->cnt; i++)
		dwarf_file__close(&types->at[i].file);
	free(types->at);
	u64map__free(&types->by_signature);
	*types = (struct split_types){ NULL };
}
