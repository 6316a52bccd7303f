/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The running kernel's functions, from /proc/kallsyms or its cache, read at the first lookup. */
#ifndef BPFPERF_SYM_KALLSYMS_H
#define BPFPERF_SYM_KALLSYMS_H

#include <stdbool.h>
#include <stdint.h>

#include "host/running_kernel.h"
#include "sym/ahead.h"
#include "sym/build_id.h"
#include "sym/kallsyms_cache.h"
#include "sym/kmodules.h"
#include "sym/symtab.h"
#include "util/strbuf.h"

/*
 * Number of module changes after which /proc is no longer reread: names already returned stay
 * valid.
 */
#define KALLSYMS_READS_MAX 16

/* The functions and modules at the time of one reading. */
struct kallsyms_read {
	struct symtab tab;
	struct strbuf strings; /* name NUL; for a function of a module also module NUL */
	struct kmodules modules;
	uint64_t text; /* address of _text; 0: not met */
};

/* The code that the cache lacks, if it is read in the thread. */
struct kallsyms_pseudo {
	struct ahead_job job; /* first */
	struct kallsyms *ks; /* NULL: it is not read there, or has been taken over */
	struct kallsyms_read read;
	int err; /* of reading */
	/* addresses that may be of it */
	uint64_t *wanted;
	size_t wanted_cnt, wanted_cap;
};

struct kallsyms {
	struct ahead_job job; /* first: reads it */
	const char *path; /* NULL: /proc/kallsyms. A copy of it if is_given */
	const char *vmlinux; /* read instead of kallsyms: the kernel's ELF file; NULL: none */
	bool is_given; /* the user says that path or vmlinux has the functions of the recording */
	const char *modules_path; /* NULL: /proc/modules */
	/* NULL: PRIVATE_DIR for root and /proc/kallsyms, else none */
	const char *cache_dir;
	struct ahead *ahead; /* runs the job; may be NULL */
	uint64_t text; /* address of _text, after reading */
	uint64_t moved; /* offset added to recorded addresses, which are of another boot */
	bool lacks_programs; /* BPF programs are not looked for: the recording has them */
	bool foreign; /* recorded addresses belong to another kernel: none can be named */
	bool loaded; /* or loading failed, which was logged */
	bool settled; /* later changes are no longer looked for */
	bool has_modules; /* those of the first of `reads` were read, before its functions */
	bool lacks_pseudo; /* BPF programs and the like have not been read: the cache has none */
	struct kallsyms_pseudo pseudo;
	struct kallsyms_cache cache; /* the first of `reads`, if it is open */
	uint64_t looked_ns; /* CLOCK_MONOTONIC: time of the last check */
	/*
	 * Oldest first: all functions, then, after each change of modules, the functions of
	 * modules.
	 */
	struct kallsyms_read reads[KALLSYMS_READS_MAX];
	uint32_t read_cnt;
	char *cached; /* path of a file in perf's cache that was found; owned */
};

/* The kernel of a recording. */
struct recorded_kernel {
	const struct sym_build_id *id; /* NULL: unknown */
	uint64_t text; /* address of _text; 0: unknown */
	enum kernel_origin origin; /* by its name; the build id decides where it is known */
	const char *release, *arch; /* for a warning; NULL: unknown */
	bool has_bpf_programs; /* in its records: today's programs at these addresses are others */
};

/* Announces lookups: starts reading in the thread of ks->ahead. */
void kallsyms__read_ahead(struct kallsyms *ks);
/* Announces the lookup of an address, which kallsyms__go_ahead() looks at. */
void kallsyms__want(struct kallsyms *ks, uint64_t addr);
/*
 * Starts reading in the thread what the cache lacks, if an address that was announced may be of it:
 * that takes as long as without the cache.
 */
void kallsyms__go_ahead(struct kallsyms *ks);
/*
 * Finds the function at addr and its module ("[kernel.kallsyms]", or a module's name in brackets),
 * both owned by `ks` and always the same pointers; false if there is none: functions of modules,
 * which have no size, end with their module. For an address outside of the kernel's own code the
 * list of modules is checked, at most every 10 ms. Prints one warning if addresses are hidden
 * (kernel.kptr_restrict). Costs about 20 ms and 5 MB once for 120,000 functions; nearly nothing if
 * they are in the cache.
 */
bool kallsyms__find(struct kallsyms *ks, uint64_t addr, const char **name, const char **module,
		    uint64_t *off);
/* The size of that function in bytes: up to the next one. 0: there is none. */
uint32_t kallsyms__size(struct kallsyms *ks, uint64_t addr);
/*
 * Addresses will be those of a recording. If its kernel is not the running one, its functions come
 * from perf's build-id cache, or one warning is printed and they stay without names. Modules are
 * those currently loaded.
 */
void kallsyms__set_recorded(struct kallsyms *ks, const struct recorded_kernel *k);
void kallsyms__free(struct kallsyms *ks);

#endif
