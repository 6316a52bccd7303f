// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "session/probe_links.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include "kernel/features.h"
#include "kernel/multi_link.h"
#include "util/log.h"

/* A probe, and its place among the events. */
struct site {
	const struct probe *probe;
	uint64_t cookie;
};

bool probe_links__are_needed(const struct event_list *events)
{
	size_t i;

	for (i = 0; i < events->cnt; i++)
		if (events->events[i]->probe)
			return true;
	return false;
}

int probe_links__choose(struct bpf_program *prog)
{
	if (!feature__have(FEATURE_UPROBE_MULTI)) {
		log_error("probes need Linux 6.6 or later, which attaches many functions by one "
			  "link; use perf probe");
		return -EOPNOTSUPP;
	}
	bpf_program__set_autoload(prog, true);
	bpf_program__set_expected_attach_type(prog, (enum bpf_attach_type)ATTACH_UPROBE_MULTI);
	return 0;
}

/* Probes of one file and of one kind come together. */
static int compare(const void *a, const void *b)
{
	const struct site *x = a, *y = b;
	int diff = strcmp(x->probe->path, y->probe->path);

	if (!diff)
		diff = (int)x->probe->is_pair - (int)y->probe->is_pair;
	return diff ? diff : (x->cookie > y->cookie) - (x->cookie < y->cookie);
}

static int add_link(struct probe_links *links, int prog_fd, const struct uprobe_multi *at)
{
	int fd = uprobe_multi__attach(prog_fd, at);

	if (fd < 0)
		return fd;
	links->fds[links->cnt++] = fd;
	return 0;
}

/* Attaches cnt probes of one file and kind. */
static int attach_file(struct probe_links *links, const struct site *sites, size_t cnt,
		       const struct probe_programs *progs)
{
	const struct probe *first = sites->probe;
	uint64_t *offs = calloc(3 * cnt, sizeof(*offs));
	uint64_t *cookies = offs + cnt, *sem_offs = cookies + cnt;
	struct uprobe_multi at = {
		.path = first->path, .offs = offs, .cookies = cookies, .cnt = (uint32_t)cnt
	};
	int err = 0;
	size_t i;

	if (!offs)
		return -ENOMEM;
	for (i = 0; i < cnt; i++) {
		offs[i] = sites[i].probe->off;
		cookies[i] = sites[i].cookie;
		sem_offs[i] = sites[i].probe->sem_off;
		if (sem_offs[i])
			at.sem_offs = sem_offs;
	}
	if (first->is_pair) {
		err = progs->begin < 0 ? 0 : add_link(links, progs->begin, &at);
		at.at_return = true;
		at.sem_offs = NULL;
	}
	if (!err)
		err = add_link(links, first->is_pair ? progs->end : progs->hit, &at);
	free(offs);
	if (err)
		log_error("cannot attach to functions of %s: %s%s", first->path, strerror(-err),
			  err == -EOPNOTSUPP || err == -EINVAL
				  ? "; one of them begins with an instruction that the kernel "
				    "does not emulate"
				  : "");
	return err;
}

static bool is_same_link(const struct probe *a, const struct probe *b)
{
	return !strcmp(a->path, b->path) && a->is_pair == b->is_pair;
}

int probe_links__attach(struct probe_links *links, const struct event_list *events,
			const struct probe_programs *progs)
{
	struct site *sites = calloc(events->cnt + 1, sizeof(*sites));
	size_t cnt = 0, from, to;
	int err = 0;

	links->cnt = 0;
	links->fds = calloc(2 * events->cnt + 1, sizeof(*links->fds));
	if (!sites || !links->fds) {
		free(sites);
		return -ENOMEM;
	}
	for (from = 0; from < events->cnt; from++)
		if (events->events[from]->probe)
			sites[cnt++] = (struct site){ events->events[from]->probe, from };
	qsort(sites, cnt, sizeof(*sites), compare);
	for (from = 0; from < cnt && !err; from = to) {
		for (to = from + 1; to < cnt; to++)
			if (!is_same_link(sites[from].probe, sites[to].probe))
				break;
		err = attach_file(links, sites + from, to - from, progs);
	}
	free(sites);
	return err;
}

void probe_links__free(struct probe_links *links)
{
	size_t i;

	for (i = 0; i < links->cnt; i++)
		close(links->fds[i]);
	free(links->fds);
	*links = (struct probe_links){ NULL };
}
