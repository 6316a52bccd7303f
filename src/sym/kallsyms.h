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

/*
 * How often modules may come or go before it is no longer looked at: names that were given out
 * stay.
 */
#define KALLSYMS_READS_MAX 16

/* The functions and modules at the time of one reading. */
struct kallsyms_read {
	struct symtab tab;
	struct strbuf strings; /* name NUL, and module NUL behind the name of a module's function */
	struct kmodules modules;
};

struct kallsyms {
	struct ahead_job job; /* first: reads it */
	const char *path; /* NULL: /proc/kallsyms */
	const char *modules_path; /* NULL: /proc/modules */
	struct ahead *ahead; /* runs the job; may be NULL */
	uint64_t text; /* address of _text, once read */
	uint64_t moved; /* what is added to a recorded address, which was of another boot */
	bool foreign; /* recorded addresses are of another kernel: nothing has a name */
	bool loaded; /* or failed to, which was said */
	bool settled; /* what comes and goes from now on is not looked for */
	uint64_t looked_ns; /* CLOCK_MONOTONIC: when it last was */
	/*
	 * Oldest first: all functions, then, each time that modules came or went, those of modules.
	 */
	struct kallsyms_read reads[KALLSYMS_READS_MAX];
	uint32_t read_cnt;
};

/* Addresses will be asked for: begins to read, in ks->ahead's thread. */
void kallsyms__read_ahead(struct kallsyms *ks);
/*
 * The name of the function at addr and its module ("[kernel.kallsyms]", or a module's name in
 * brackets), both owned by `ks` and the same pointers each time; false where there is none:
 * functions of modules, which have no size, end with their module. Of an address that is not in the
 * kernel's own code it is looked, at most every 10 ms, which modules there are now. One warning
 * where the addresses are hidden (kernel.kptr_restrict). Costs about 20 ms and 5 MB once for
 * 120,000 functions.
 */
bool kallsyms__find(struct kallsyms *ks, uint64_t addr, const char **name, const char **module,
		    uint64_t *off);
/*
 * Addresses will be those of a recording, on whose kernel _text was at text. One warning where id
 * (NULL: unknown) is not the running kernel's. Modules are those of now.
 */
void kallsyms__set_recorded(struct kallsyms *ks, const struct sym_build_id *id, uint64_t text);
void kallsyms__free(struct kallsyms *ks);

#endif
