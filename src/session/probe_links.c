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

bool probe_links__are_needed(const struct event_list *events, bool in_kernel)
{
	size_t i;

	for (i = 0; i < events->cnt; i++)
		if (events->events[i]->probe && events->events[i]->probe->in_kernel == in_kernel)
			return true;
	return false;
}

int probe_links__choose(struct bpf_program *prog, bool in_kernel)
{
	enum feature needed = in_kernel ? FEATURE_KPROBE_MULTI : FEATURE_UPROBE_MULTI;

	if (!feature__have(needed)) {
		log_error("%s need a kernel that attaches many functions by one link, as Linux %s "
			  "and later do, unless lockdown forbids it; use perf probe here",
			  in_kernel ? "functions of the kernel" : "functions of programs",
			  in_kernel ? "5.18" : "6.6");
		return -EOPNOTSUPP;
	}
	bpf_program__set_autoload(prog, true);
	bpf_program__set_expected_attach_type(
		prog,
		(enum bpf_attach_type)(in_kernel ? ATTACH_KPROBE_MULTI : ATTACH_UPROBE_MULTI));
	return 0;
}

/* Probes of one file and of one kind come together. */
static int compare(const void *a, const void *b)
{
	const struct site *x = a, *y = b;
	int diff = (int)x->probe->in_kernel - (int)y->probe->in_kernel;

	if (!diff && !x->probe->in_kernel)
		diff = strcmp(x->probe->path, y->probe->path);
	if (!diff)
		diff = (int)x->probe->is_pair - (int)y->probe->is_pair;
	return diff ? diff : (x->cookie > y->cookie) - (x->cookie < y->cookie);
}

static int keep(struct probe_links *links, int fd)
{
	if (fd < 0)
		return fd;
	links->fds[links->cnt++] = fd;
	return 0;
}

/* Attaches cnt probes of one file and kind. */
static int attach_file(struct probe_links *links, const struct site *sites, size_t cnt,
		       const struct probe_program *prog)
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
		err = prog->begin < 0 ? 0 : keep(links, uprobe_multi__attach(prog->begin, &at));
		at.at_return = true;
		at.sem_offs = NULL;
	}
	if (!err)
		err = keep(links,
			   uprobe_multi__attach(first->is_pair ? prog->end : prog->hit, &at));
	free(offs);
	if (err)
		log_error("cannot attach to functions of %s: %s%s", first->path, strerror(-err),
			  err == -EOPNOTSUPP || err == -EINVAL
				  ? "; one of them begins with an instruction that the kernel "
				    "does not emulate"
				  : "");
	return err;
}

/* Attaches cnt functions of the kernel of one kind. */
static int attach_kernel(struct probe_links *links, const struct site *sites, size_t cnt,
			 const struct probe_program *prog)
{
	const char **syms = calloc(cnt, sizeof(*syms));
	uint64_t *cookies = calloc(cnt, sizeof(*cookies));
	struct kprobe_multi at = { .syms = syms, .cookies = cookies, .cnt = (uint32_t)cnt };
	int err = syms && cookies ? 0 : -ENOMEM;
	size_t i;

	for (i = 0; i < cnt && !err; i++) {
		syms[i] = sites[i].probe->func;
		cookies[i] = sites[i].cookie;
	}
	if (!err && sites->probe->is_pair) {
		err = prog->begin < 0 ? 0 : keep(links, kprobe_multi__attach(prog->begin, &at));
		at.at_return = true;
	}
	if (!err)
		err = keep(links, kprobe_multi__attach(
					  sites->probe->is_pair ? prog->end : prog->hit, &at));
	free(syms);
	free(cookies);
	if (err)
		log_error("cannot attach to functions of the kernel: %s%s", strerror(-err),
			  err == -EPERM ? "; lockdown, or a kernel without kprobes, forbids it"
			  : err == -ESRCH || err == -ENOENT
				  ? "; one of them has a name that several functions have"
				  : "");
	return err;
}

static bool is_same_link(const struct probe *a, const struct probe *b)
{
	return a->in_kernel == b->in_kernel && a->is_pair == b->is_pair &&
	       (a->in_kernel || !strcmp(a->path, b->path));
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
		err = sites[from].probe->in_kernel
			      ? attach_kernel(links, sites + from, to - from, &progs->kernel)
			      : attach_file(links, sites + from, to - from, &progs->user);
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
