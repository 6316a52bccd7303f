/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The text of a probe: "u:PATH:FUNC+OFF(ARGUMENTS)" and its like, taken apart. */
#ifndef BPFPERF_PROBE_SPEC_H
#define BPFPERF_PROBE_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event/event_term.h"

enum probe_spec_kind {
	PROBE_SPEC_USER, /* u: */
	PROBE_SPEC_KERNEL, /* f: */
	PROBE_SPEC_USDT, /* usdt: */
};

struct probe_spec {
	enum probe_spec_kind kind;
	char *path; /* u:, usdt: a file or the name of a library; owned, as all texts */
	char *func; /* u:, f: name or glob; usdt: the probe's name; NULL: by line or address */
	char *provider; /* usdt: */
	char *source; /* by line */
	uint32_t line;
	uint64_t add; /* FUNC+add, or the address */
	char *args; /* between the parentheses; NULL: none were given */
	/* The beginnings of parts in the term's text, for carets. */
	size_t path_at, func_at, args_at;
};

/* Takes term->text apart. 0; -EINVAL (printed, with a caret); -ENOMEM. Free it in any case. */
int probe_spec__parse(struct probe_spec *spec, const struct event_term *term);
void probe_spec__free(struct probe_spec *spec);

#endif
