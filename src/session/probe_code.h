/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Code for the programs of probes (bpf/probe.bpf.c): it fetches the fields of their records. */
#ifndef BPFPERF_SESSION_PROBE_CODE_H
#define BPFPERF_SESSION_PROBE_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event/event.h"
#include "session/patch_code.h"

#define PROBE_EXTRAS_CNT 5

/* Pieces of code; equal ones are one. */
struct probe_code {
	/* The probes that the code is made of, with their fields at entry or at return. */
	struct probe_fetch {
		const struct probe *probe;
		bool at_return;
	} * fetches;
	size_t cnt, cap;
	uint32_t entry_off; /* bytes of a record before its entry */
	struct patch_extra at[PROBE_EXTRAS_CNT], kernel_at[PROBE_EXTRAS_CNT];
	struct patch_extras extras, kernel_extras; /* for uprobes and for kprobes */
	uint32_t disable_id, enable_id; /* of the kernel's functions; 0: they are not used */
};

/*
 * Adds the code for a probe's fields at entry or at return. Returns its number, from 1 on; 0: it
 * has no such fields; -ENOMEM.
 */
int probe_code__add(struct probe_code *pc, const struct probe *probe, bool at_return);
/* Makes pc->extras and pc->kernel_extras, which are valid as long as pc. */
void probe_code__extras(struct probe_code *pc, uint32_t entry_off);
void probe_code__free(struct probe_code *pc);

#endif
