/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The running kernel's functions, from /proc/kallsyms, read when the first address is asked for. */
#ifndef BPFPERF_SYM_KALLSYMS_H
#define BPFPERF_SYM_KALLSYMS_H

#include <stdbool.h>
#include <stdint.h>

#include "sym/ahead.h"
#include "sym/build_id.h"
#include "sym/kmodules.h"
#include "sym/symtab.h"
#include "util/strbuf.h"

/* What was there when it was read. */
struct kallsyms_read {
	struct symtab tab;
	struct strbuf strings; /* name NUL, and module NUL behind the name of a module's function */
	struct kmodules modules;
};

struct kallsyms {
	struct ahead_job job; /* first: reads it */
	const char *path; /* NULL: /proc/kallsyms */
	const char *modules_path; /* NULL: /proc/modules */
	struct ahead *ahead; /* who runs the job; may be NULL */
	uint64_t text; /* address of _text, once read */
	uint64_t moved; /* what is added to a recorded address, which was of another boot */
	bool foreign; /* recorded addresses are of another kernel: nothing has a name */
	bool loaded; /* or failed to, which was said */
	struct kallsyms_read last;
	struct kallsyms_read
		first; /* read ahead, where modules came or went until they were asked for */
};

/*
 * Addresses will be asked for: begins to read, in ks->ahead's thread. Once the first is asked for, what came
 * meanwhile is read too; modules that are loaded later have no names.
 */
void kallsyms__read_ahead(struct kallsyms *ks);
/*
 * The name of the function at addr and its module ("[kernel.kallsyms]", or a module's name in
 * brackets), both owned by `ks` and the same pointers each time; false where there is none: functions of
 * modules, which have no size, end with their module. One warning where the addresses are hidden (kernel.kptr_restrict).
 * Costs about 20 ms and 5 MB once for 120,000 functions.
 */
bool kallsyms__find(struct kallsyms *ks, uint64_t addr, const char **name, const char **module,
		    uint64_t *off);
/*
 * Addresses will be those of a recording, on whose kernel _text was at text. One warning where id
 * (NULL: unknown) is not the running kernel's.
 */
void kallsyms__set_recorded(struct kallsyms *ks, const struct sym_build_id *id, uint64_t text);
void kallsyms__free(struct kallsyms *ks);

#endif
