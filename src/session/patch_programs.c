// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Generates the code of each program from the events that it serves. */
#include "session/patch_programs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <linux/types.h>
#include <bpf/libbpf.h>

#include "trace.skel.h"

#include "session/programs.h"
#include "util/log.h"

/* Collects the code for the events that a program serves. Returns their number. */
static size_t own_patches(const struct patch_set *set, const struct program *desc,
			  struct patch_event *own)
{
	size_t i, cnt = 0;

	for (i = 0; set->patches && i < set->events->cnt; i++) {
		const struct patch_event *p = &set->patches[i];

		if (!program__serves(desc, set->events->events[i], set->is_classic[i]))
			continue;
		if (p->never || p->first || p->filter || p->more)
			own[cnt++] = *p;
		if (set->starts)
			own[cnt++] = set->starts[i];
	}
	return cnt;
}

int patch_programs__put(struct trace_bpf *skel, const struct patch_set *set,
			struct patch_tables *tables)
{
	struct patch_event *own = calloc(2 * set->events->cnt + 1, sizeof(*own));
	const struct patch_extras *extras;
	struct bpf_program *prog;
	int err = own ? 0 : -ENOMEM;
	size_t cnt;

	bpf_object__for_each_program (prog, skel->obj) {
		const struct program desc = programs__describe(skel, prog);

		if (err || !bpf_program__autoload(prog))
			continue;
		cnt = own_patches(set, &desc, own);
		extras = desc.role == PROGRAM_UPROBE   ? set->uprobes
			 : desc.role == PROGRAM_KPROBE ? set->kprobes
						       : NULL;
		if (set->patches || extras)
			err = patch_code__put(prog, own, cnt, extras, tables);
	}
	free(own);
	if (err == -E2BIG)
		log_error("the filters of all these events are too large for one BPF program; name "
			  "fewer events or shorten the filters");
	else if (err)
		log_error("cannot put the filters into the BPF programs: %s", strerror(-err));
	return err;
}
