/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Prints a record's named callchain for a format. The text of a chain that is kept
 * (decode/chain_names.h) is cached.
 */
#ifndef BPFPERF_SINK_CALLSTACK_H
#define BPFPERF_SINK_CALLSTACK_H

#include <stddef.h>
#include <stdint.h>

#include "sink/text_memo.h"
#include "util/strbuf.h"

struct named_chain;
struct sym_result;

enum callstack_how {
	CALLSTACK_FIRST = 1, /* innermost frame of its stack */
	/* the frame was found by frame pointer, since no unwind rule was known */
	CALLSTACK_GUESSED = 2,
};
/* Suffix of a guessed function, for formats without a separate field for it. */
#define CALLSTACK_MARK " [fp]"

struct callstack_printer {
	/* Puts one function; how: enum callstack_how. */
	void (*put)(struct strbuf *out, uint64_t addr, const struct sym_result *res,
		    unsigned int how);
	struct text_memo memo; /* by index of the chain */
};

/* Puts "read+0x12 (/usr/lib/libc.so.6)", in the form of perf script. */
void callstack__put_function(struct strbuf *out, const struct sym_result *res);

void callstack_printer__init(struct callstack_printer *p,
			     void (*put)(struct strbuf *out, uint64_t addr,
					 const struct sym_result *res, unsigned int how));
void callstack_printer__free(struct callstack_printer *p);
/*
 * Appends all functions of a chain, innermost first; nothing if it is NULL: the sample has no
 * stack. 0 or -ENOMEM.
 */
int callstack_printer__put(struct callstack_printer *p, const struct named_chain *chain,
			   struct strbuf *out);

#endif
