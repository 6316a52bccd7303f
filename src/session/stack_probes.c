// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "session/stack_probes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <linux/types.h>
#include <bpf/libbpf.h>

#include "stack.skel.h"

#include "kernel/prog_info.h"
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

/* Chooses a program if there are probes for it, and generates its code. 0 or -errno (logged). */
static int choose(struct stack_probes *sp, const struct event_list *events,
		  struct bpf_program *prog, bool in_kernel)
{
	const struct patch_extras *extras;
	int err;

	bpf_program__set_autoload(prog, false);
	if (!probe_links__are_needed(events, in_kernel))
		return 0;
	err = probe_links__choose(prog, events, in_kernel);
	if (err)
		return err;
	extras = probe_weights__extras(&sp->weights, in_kernel);
	err = patch_code__put(prog, NULL, 0, extras, &sp->tables);
	if (err)
		log_error("cannot generate code for probes: %s", strerror(-err));
	return err;
}

int stack_probes__configure(struct stack_probes *sp, const struct event_list *events,
			    struct stack_bpf *skel)
{
	int err = make_weights(sp, events);

	if (err) {
		log_error("out of memory");
		return err;
	}
	/* The kernels that attach many functions by one link have cookies. */
	if (sp->any)
		skel->rodata->has_attach_cookie = true;
	err = choose(sp, events, skel->progs.take_stack_uprobe, false);
	return err ? err : choose(sp, events, skel->progs.take_stack_kprobe, true);
}

struct probe_programs stack_probes__programs(const struct stack_bpf *skel)
{
	const int user = bpf_program__fd(skel->progs.take_stack_uprobe);
	const int kernel = bpf_program__fd(skel->progs.take_stack_kprobe);

	return (struct probe_programs){
		.user = { .hit = user, .begin = -1, .end = user, .session = -1 },
		.kernel = { .hit = kernel, .begin = -1, .end = kernel, .session = -1 },
	};
}

int stack_probes__attach(struct stack_probes *sp, const struct event_list *events,
			 struct stack_bpf *skel)
{
	const struct probe_programs progs = stack_probes__programs(skel);

	return sp->any ? probe_links__attach(&sp->links, events, &progs) : 0;
}

uint64_t stack_probes__missed(const struct stack_bpf *skel)
{
	const struct bpf_program *const progs[] = { skel->progs.take_stack_uprobe,
						    skel->progs.take_stack_kprobe };
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < 2; i++)
		if (bpf_program__autoload(progs[i]))
			sum += prog_info__missed(bpf_program__fd(progs[i]));
	return sum;
}

void stack_probes__free(struct stack_probes *sp)
{
	probe_links__free(&sp->links);
	patch_tables__free(&sp->tables);
	probe_code__free(&sp->weights.code);
	free((void *)sp->weights.at);
	*sp = (struct stack_probes){ false };
}
