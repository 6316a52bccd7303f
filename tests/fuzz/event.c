// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Event strings as users type them: resolved in trees of our own, or refused with a known error.
 */
#include "fuzz.h"

#include <errno.h>

#include "event/event.h"
#include "unit/event_tree.h"

static void fuzz_setup(void)
{
	setenv("LIBPFM_FORCE_PMU", "skl", 1);
	tree_make();
}

static void fuzz_seeds(void)
{
	char name[16];
	size_t i;

	for (i = 0; i < sizeof(tree_specs) / sizeof(*tree_specs); i++) {
		snprintf(name, sizeof(name), "%zu", i);
		fuzz_seed_text(name, tree_specs[i]);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t sz)
{
	const struct fuzz_bytes b = { data, sz < 256 ? sz : 256 };
	struct event_list list = { 0 };
	char *spec = fuzz_text(&b);
	int err = event_list__add(&list, spec);
	size_t i;

	/* EBADMSG: of the tree's format that is none. */
	fuzz_check(!err || err == -EINVAL || err == -ENOENT || err == -EBADMSG);
	fuzz_check(err || list.cnt);
	for (i = 0; i < list.cnt; i++) {
		fuzz_check(list.events[i]->name && *list.events[i]->name);
		fuzz_check((list.events[i]->kind == EVENT_TRACEPOINT) == !!list.events[i]->fmt);
		fuzz_check(err || list.events[i]->group < list.group_cnt);
	}
	event_list__free(&list);
	free(spec);
	return 0;
}
