/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Prints named addresses in the form of `perf script`. The text of a place is cached. */
#ifndef BPFPERF_SINK_SCRIPT_ADDR_H
#define BPFPERF_SINK_SCRIPT_ADDR_H

#include <stdint.h>

#include "sink/text_memo.h"
#include "util/strbuf.h"

struct named_line;
struct sym_frame;

/* Zeroed: empty. */
struct script_addrs {
	struct text_memo memo; /* by index of the place */
};

/*
 * The functions below take as `fields` the parts to print behind an address: SCRIPT_SYM,
 * SCRIPT_SYMOFF, SCRIPT_DSO, SCRIPT_SRCLINE of sink/script.h.
 */
void script_addrs__free(struct script_addrs *sa);
/* Puts an address in 16 columns, its name and file, and a newline. 0 or -ENOMEM. */
int script_addrs__put(struct script_addrs *sa, struct strbuf *out, uint32_t pid,
		      const struct named_line *line, uint64_t fields);
/*
 * Puts one line of a callchain, indented; preceded by a line for each function that was inlined
 * there, if they are named. 0 or -ENOMEM.
 */
int script_addrs__put_frame(struct script_addrs *sa, struct strbuf *out, uint32_t pid,
			    const struct named_line *line, uint64_t fields);
/* Puts the file of a function, or what stands for it, as it is printed in parentheses. */
void script_addrs__put_file(struct strbuf *out, const struct sym_frame *f, uint32_t pid);
/*
 * Puts the file and the line of the source, "??:0", or the file and the address in it; with
 * SCRIPT_FULL_PATH the path of the file.
 */
void script_addrs__put_source(struct strbuf *out, const struct sym_frame *f, uint64_t fields);

#endif
