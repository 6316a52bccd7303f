// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/callstacks.h"

#include <errno.h>
#include <string.h>

#include <linux/types.h>

#include "bpf/wire.h"
#include "machine/machine.h"
#include "session/cpus.h"
#include "sym/sym.h"
#include "util/log.h"

int callstack_opts__set(void *opts, const char *arg)
{
	struct callstack_opts *o = opts;

	if (arg && *arg == '=')
		arg++;
	/* fp in perf's terms: the kernel follows frame pointers. */
	o->fp = arg && !strcmp(arg, "fp");
	if (!arg || !strcmp(arg, "both") || o->fp) {
		o->kernel = o->user = true;
	} else if (!strcmp(arg, "user") || !strcmp(arg, "kernel")) {
		o->user = *arg == 'u';
		o->kernel = *arg == 'k';
	} else {
		log_error("-g=%s: choose from: user kernel both", arg);
		return -EINVAL;
	}
	return 0;
}

void callstacks__init(struct callstacks *c, const struct machine *machine, uint32_t max_depth)
{
	*c = (struct callstacks){ .machine = machine, .sym = machine->sym };
	stacks__init(&c->stacks, max_depth);
}

void callstacks__free(struct callstacks *c)
{
	stacks__free(&c->stacks);
}

/*
 * On a raw tracepoint a stack begins with the program that took it and the program's callers; on a
 * classic one at most with the tracepoint's own function. These frames are not where the event
 * happened.
 */
static bool is_of_tracing(const char *name)
{
	static const char *const prefixes[] = {
		"bpf_prog_", "bpf_trace_run", "__bpf_trace_",     "__traceiter_",
		"__SCT__tp", "trace_call_b",  "__probestub_",     "perf_trace_",
		"bpf_tramp", "perf_syscall_", "perf_call_bpf_en", "bpf_get_stack",
	};
	size_t i;

	for (i = 0; name && i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
		if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
			return true;
	return false;
}

/* Maximum depth of frames of tracing. */
#define TRACING_FRAMES 8

uint16_t callstacks__tracing_frames(struct sym *sym, const struct callchain *chain)
{
	uint16_t i, skip = 0;

	for (i = 0; i < chain->kern_cnt && i < TRACING_FRAMES; i++) {
		struct sym_result res;

		sym__kernel(sym, chain->kern[i], &res);
		if (is_of_tracing(res.name))
			skip = i + 1;
	}
	return skip;
}

int callstacks__define(void *ctx, const struct wire_rec *rec)
{
	struct callstacks *c = ctx;
	struct callchain *chain = stacks__define(&c->stacks, rec);
	uint16_t skip;

	if (!chain)
		return errno == ENOMEM ? -ENOMEM : 0;
	skip = callstacks__tracing_frames(c->sym, chain);
	chain->kern += skip;
	chain->kern_cnt -= skip;
	return 0;
}

void callstacks__complete(struct callstacks *c, struct sample *s)
{
	c->truncated += s->chain.truncated;
	if (s->chain.user_cnt)
		s->maps_version = machine__maps_version(c->machine, s->pid);
}

void callstacks__summary(const struct callstacks *c, const struct cpus *cpus)
{
	uint64_t refused = 0, unsent = 0;
	int cpu;

	for (cpu = 0; cpu < cpus->cnt; cpu++) {
		refused += cpus->at[cpu].stacks_refused;
		unsent += cpus->at[cpu].stacks_unsent;
	}
	log_info("%zu different stacks", c->stacks.cnt);
	if (c->truncated)
		log_note("%llu records have stacks that are deeper than the limit, and were cut",
			 (unsigned long long)c->truncated);
	if (refused)
		log_warn("%llu records have no stack: there were more than %d different ones; "
			 "give fewer events, or -g=kernel",
			 (unsigned long long)refused, WIRE_STACKS_MAX);
	if (unsent)
		log_warn("%llu records have no stack: their ring was full; give fewer events or a "
			 "larger -m",
			 (unsigned long long)unsent);
}
