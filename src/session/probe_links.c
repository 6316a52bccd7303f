// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "session/probe_links.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include "kernel/features.h"
#include "kernel/multi_link.h"
#include "session/detach_helper.h"
#include "util/log.h"

#define UPROBE_PMU "/sys/bus/event_source/devices/uprobe"
#define KPROBE_PMU "/sys/bus/event_source/devices/kprobe"

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

/* Links of the kernel's functions are to where these begin: an offset needs events for all. */
static bool has_links(const struct event_list *events, bool in_kernel)
{
	size_t i;

	for (i = 0; i < events->cnt && in_kernel; i++)
		if (events->events[i]->probe && events->events[i]->probe->in_kernel &&
		    events->events[i]->probe->off)
			return false;
	return feature__have(in_kernel ? FEATURE_KPROBE_MULTI : FEATURE_UPROBE_MULTI);
}

int probe_links__choose(struct bpf_program *prog, const struct event_list *events, bool in_kernel)
{
	bpf_program__set_autoload(prog, true);
	if (has_links(events, in_kernel)) {
		bpf_program__set_expected_attach_type(
			prog, (enum bpf_attach_type)(in_kernel ? ATTACH_KPROBE_MULTI
							       : ATTACH_UPROBE_MULTI));
		return 0;
	}
	if (access(in_kernel ? KPROBE_PMU : UPROBE_PMU, F_OK)) {
		log_error("functions of %s cannot be probed here: the kernel has no %s, or "
			  "lockdown forbids it",
			  in_kernel ? "the kernel" : "programs",
			  in_kernel ? "CONFIG_KPROBE_EVENTS" : "CONFIG_UPROBE_EVENTS");
		return -EOPNOTSUPP;
	}
	/* A program finds its event by the cookie of its attachment. */
	if (feature__have(FEATURE_ATTACH_COOKIE))
		return 0;
	log_error("functions as events need Linux 5.15 or later; use perf probe here");
	return -EOPNOTSUPP;
}

static bool has_pairs(const struct event_list *events, bool in_kernel)
{
	size_t i;

	for (i = 0; i < events->cnt; i++)
		if (events->events[i]->probe && events->events[i]->probe->is_pair &&
		    events->events[i]->probe->in_kernel == in_kernel)
			return true;
	return false;
}

bool probe_links__have_sessions(const struct event_list *events, bool in_kernel)
{
	/* The kernel walks over all its symbols before it says whether it has sessions. */
	return has_pairs(events, in_kernel) && has_links(events, in_kernel) &&
	       feature__have(in_kernel ? FEATURE_KPROBE_SESSION : FEATURE_UPROBE_SESSION);
}

void probe_links__choose_session(struct bpf_program *prog, bool in_kernel)
{
	const int type = in_kernel ? ATTACH_KPROBE_SESSION : ATTACH_UPROBE_SESSION;

	bpf_program__set_autoload(prog, true);
	bpf_program__set_expected_attach_type(prog, (enum bpf_attach_type)type);
}

static bool is_pair(const struct probe *p, const struct probe_program *prog)
{
	return p->is_pair && !prog->hits_only;
}

/* Fills in the perf event of one probe, at entry or at return. */
static void describe(struct detach_attachment *att, const struct probe *p, bool at_return,
		     int prog_fd, uint64_t cookie)
{
	*att = (struct detach_attachment){
		.type = p->pmu_type,
		/* sysfs: format/retprobe is config:0, format/ref_ctr_offset config:32-63. */
		.config = (at_return ? 1 : 0) | p->sem_off << 32,
		.config1 = (uintptr_t)(p->in_kernel ? p->func : p->path),
		.config2 = p->off,
		.prog_fd = prog_fd,
		.cookie = cookie,
	};
}

size_t probe_links__events(const struct event_list *events, const struct probe_programs *progs,
			   struct detach_attachment *atts)
{
	const bool has[] = { has_links(events, false), has_links(events, true) };
	size_t cnt = 0, i;

	for (i = 0; i < events->cnt; i++) {
		const struct probe *p = events->events[i]->probe;
		const struct probe_program *prog;

		if (!p || has[p->in_kernel])
			continue;
		prog = p->in_kernel ? &progs->kernel : &progs->user;
		if (!is_pair(p, prog)) {
			describe(&atts[cnt++], p, false, prog->hit, i);
			continue;
		}
		if (prog->begin >= 0)
			describe(&atts[cnt++], p, false, prog->begin, i);
		describe(&atts[cnt++], p, true, prog->end, i);
	}
	return cnt;
}

/* The kernel finds the file by its path again: is it still the one that was read? */
static int check_file(const struct probe *p)
{
	struct probe_file now;

	if (!probe_file__get(&now, -1, p->path) && !memcmp(&now, &p->file, sizeof(now)))
		return 0;
	log_error("%s has changed since its functions were read; try again once it is complete",
		  p->path);
	return -ESTALE;
}

int probe_links__check(const struct event_list *events, const struct detach_attachment *atts,
		       size_t cnt)
{
	size_t i;

	for (i = 0; i < cnt; i++)
		if (atts[i].err) {
			log_error("cannot attach to %s: %s", events->events[atts[i].cookie]->name,
				  strerror(-atts[i].err));
			return atts[i].err;
		}
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

static bool is_session(const struct probe *p, const struct probe_program *prog)
{
	return is_pair(p, prog) && prog->session >= 0;
}

/* The program that is attached last, to the return of a pair. */
static int last_of(const struct probe *p, const struct probe_program *prog)
{
	if (is_session(p, prog))
		return prog->session;
	return is_pair(p, prog) ? prog->end : prog->hit;
}

/* The kernel's own ENOTSUPP, of which the C library knows no text. */
#define KERNEL_ENOTSUPP 524

static int log_refusal(const struct probe *first, size_t cnt, int err)
{
	if (err == -KERNEL_ENOTSUPP)
		err = -EOPNOTSUPP;
	log_error("cannot attach to %s%s of %s: %s%s", cnt > 1 ? "functions" : "the function ",
		  cnt > 1 ? "" : first->func, first->path, strerror(-err),
		  err != -EOPNOTSUPP && err != -EINVAL
			  ? ""
			  : "; the kernel cannot probe the instruction with which it, or one of "
			    "them, begins: name another one, or a place behind it (FUNC+OFF)");
	return err;
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

	if (!offs) {
		log_error("out of memory");
		return -ENOMEM;
	}
	for (i = 0; i < cnt; i++) {
		offs[i] = sites[i].probe->off;
		cookies[i] = sites[i].cookie;
		sem_offs[i] = sites[i].probe->sem_off;
		if (sem_offs[i])
			at.sem_offs = sem_offs;
	}
	at.is_session = is_session(first, prog);
	if (is_pair(first, prog) && !at.is_session) {
		err = prog->begin < 0 ? 0 : keep(links, uprobe_multi__attach(prog->begin, &at));
		at.at_return = true;
		at.sem_offs = NULL;
	}
	if (!err)
		err = keep(links, uprobe_multi__attach(last_of(first, prog), &at));
	free(offs);
	if (!err)
		return check_file(first);
	return log_refusal(first, cnt, err);
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
	at.is_session = is_session(sites->probe, prog);
	if (!err && is_pair(sites->probe, prog) && !at.is_session) {
		err = prog->begin < 0 ? 0 : keep(links, kprobe_multi__attach(prog->begin, &at));
		at.at_return = true;
	}
	if (!err)
		err = keep(links, kprobe_multi__attach(last_of(sites->probe, prog), &at));
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
	bool has[2];
	size_t cnt = 0, from, to;
	int err = 0;

	links->cnt = 0;
	links->fds = calloc(2 * events->cnt + 1, sizeof(*links->fds));
	if (!sites || !links->fds) {
		log_error("out of memory");
		free(sites);
		return -ENOMEM;
	}
	has[false] = has_links(events, false);
	has[true] = has_links(events, true);
	for (from = 0; from < events->cnt; from++)
		if (events->events[from]->probe && has[events->events[from]->probe->in_kernel])
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
