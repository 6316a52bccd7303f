// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "session/stack_probes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <linux/types.h>
#include <bpf/libbpf.h>

#include "stack.skel.h"

#include "util/log.h"

static int make_weights(struct stack_probes *sp, const struct event_list *events)
{
	struct probe_weight *at = calloc(events->cnt + 1, sizeof(*at));
	size_t i;

	if (!at)
		return -ENOMEM;
	for (i = events->cnt; i--;) {
		const struct probe *p = events->events[i]->probe;

		at[i] = (struct probe_weight){ p, p ? p->weight : -1 };
		if (!p)
			continue;
		sp->any = true;
		sp->first = i;
	}
	sp->weights.at = at;
	sp->weights.cnt = events->cnt;
	return 0;
}

int stack_probes__configure(struct stack_probes *sp, const struct event_list *events,
			    struct stack_bpf *skel)
{
	struct bpf_program *prog = skel->progs.take_stack_probe;
	int err = make_weights(sp, events);

	bpf_program__set_autoload(prog, false);
	if (!err && !sp->any)
		return 0;
	/* The kernels that attach many functions by one link have cookies. */
	skel->rodata->has_attach_cookie = true;
	if (!err)
		err = probe_links__choose(prog);
	if (err == -EOPNOTSUPP)
		return err;
	if (!err)
		err = patch_code__put(prog, NULL, 0, probe_code__weights(&sp->weights),
				      &sp->tables);
	if (err)
		log_error("cannot generate code for probes: %s", strerror(-err));
	return err;
}

int stack_probes__attach(struct stack_probes *sp, const struct event_list *events,
			 struct stack_bpf *skel)
{
	const int fd = bpf_program__fd(skel->progs.take_stack_probe);
	const struct probe_programs progs = { .hit = fd, .begin = -1, .end = fd };

	return sp->any ? probe_links__attach(&sp->links, events, &progs) : 0;
}

void stack_probes__free(struct stack_probes *sp)
{
	probe_links__free(&sp->links);
	patch_tables__free(&sp->tables);
	probe_code__free(&sp->weights.code);
	free((void *)sp->weights.at);
	*sp = (struct stack_probes){ false };
}
