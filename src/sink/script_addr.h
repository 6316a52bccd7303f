/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Prints addresses of a recording in the form of `perf script`; each place is named once. */
#ifndef BPFPERF_SINK_SCRIPT_ADDR_H
#define BPFPERF_SINK_SCRIPT_ADDR_H

#include <stdbool.h>
#include <stdint.h>

#include "util/strbuf.h"
#include "util/u64map.h"

struct sym;

enum script_side { SCRIPT_KERNEL, SCRIPT_USER, SCRIPT_OTHER };

struct script_addrs {
	struct sym *sym; /* not owned */
	bool inlined; /* name inlined functions in all callchains, not only in unwound ones */
	/* Cached text behind an address, by its place: naming dominates the cost. */
	struct u64map kernel_at, user_at, frames_at;
	struct strbuf texts;
};

/*
 * Initializes sa; sym outlives it. The functions below take as `fields` the parts to print behind
 * an address: SCRIPT_SYM, SCRIPT_SYMOFF, SCRIPT_DSO of sink/script.h.
 */
void script_addrs__init(struct script_addrs *sa, struct sym *sym);
void script_addrs__free(struct script_addrs *sa);
/* Puts an address in 16 columns, its name and file, and a newline. 0 or -ENOMEM. */
int script_addrs__put(struct script_addrs *sa, struct strbuf *out, uint32_t pid,
		      enum script_side side, uint64_t addr, uint32_t fields);
/*
 * Puts one line of a callchain, a user address by its place in the file; unwound: preceded by a
 * line for each function that was inlined there. 0 or -ENOMEM.
 */
int script_addrs__put_frame(struct script_addrs *sa, struct strbuf *out, uint32_t pid,
			    enum script_side side, uint64_t addr, uint32_t fields, bool unwound);

#endif
