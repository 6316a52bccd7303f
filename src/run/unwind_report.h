/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* How user stacks are taken: --unwind, process events for the unwinder, and the summary. */
#ifndef BPFPERF_RUN_UNWIND_REPORT_H
#define BPFPERF_RUN_UNWIND_REPORT_H

#include <stdint.h>

#include <linux/types.h>

#include "bpf/unwind_wire.h"

struct machine;
struct machine_subscriber;
struct sym;
struct unwinder;

/* The arguments of --python and --ruby, by enum interp_mode; NULL-terminated. */
enum interp_mode { INTERP_AUTO, INTERP_OFF };
extern const char *const interp_modes[];
/* Which interpreters' frames are wanted. */
struct interp_modes {
	enum interp_mode python, ruby;
};
/* Returns the languages of frames that are not wanted, as the sessions take them. */
uint32_t interp_modes__omitted(const struct interp_modes *modes);
/* The arguments of --unwind, by enum unwind_mode; NULL-terminated. */
extern const char *const unwind_modes[];
/*
 * Lets the unwinder, unless it is NULL, learn of processes, by *sub, which must live as long, and
 * until sym__tell_dumps(NULL).
 */
void unwind_report__subscribe(struct unwinder *u, struct machine *machine,
			      struct machine_subscriber *sub);
/*
 * Reads the functions of Python that walks have met. After the first call sym reads them when it
 * lacks one, too, until this is called with NULL.
 */
int unwind_report__take_codes(struct unwinder *u, struct sym *sym);
/* Tells in the summary which switch or command would have named code of JIT compilers. */
void unwind_report__unnamed(const struct sym *sym);
/*
 * The summary on stderr: tables there are, walks that are not complete, by cause. NULL is
 * accepted.
 */
void unwind_report__summary(struct unwinder *u);

#endif
