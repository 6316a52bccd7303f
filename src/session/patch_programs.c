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

int patch_programs__put(struct trace_bpf *skel, const struct event_list *events,
			const bool *is_classic, const struct patch_event *patches,
			const struct patch_event *starts, struct patch_tables *tables)
{
	struct patch_event *own = calloc(2 * events->cnt + 1, sizeof(*own));
	struct bpf_program *prog;
	int err = own ? 0 : -ENOMEM;
	size_t i, cnt;

	bpf_object__for_each_program (prog, skel->obj) {
		const struct program desc = programs__describe(skel, prog);

		if (err || !bpf_program__autoload(prog))
			continue;
		for (i = cnt = 0; i < events->cnt; i++) {
			if (!program__serves(&desc, events->events[i], is_classic[i]))
				continue;
			if (patches[i].never || patches[i].first || patches[i].filter ||
			    patches[i].more)
				own[cnt++] = patches[i];
			if (starts)
				own[cnt++] = starts[i];
		}
		err = patch_code__put(prog, own, cnt, tables);
	}
	free(own);
	if (err == -E2BIG)
		log_error("the filters of all these events are too large for one BPF program; name "
			  "fewer events or shorten the filters");
	else if (err)
		log_error("cannot put the filters into the BPF programs: %s", strerror(-err));
	return err;
}
