/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A record's stack as a format prints it. What was printed once is copied
 * where the same stack comes again in the same process: naming 30 addresses
 * takes longer than all else of a record.
 */
#ifndef BPFPERF_SINK_CALLSTACK_H
#define BPFPERF_SINK_CALLSTACK_H

#include <stdint.h>

#include "decode/sample.h"
#include "util/strbuf.h"
#include "util/u64map.h"

struct sym;
struct sym_result;

enum callstack_how {
	CALLSTACK_FIRST = 1, /* of its stack */
	CALLSTACK_GUESSED = 2, /* a frame pointer led to it, for want of a rule how to unwind */
};
/* Behind a function that was guessed, where a format has no place of its own for it. */
#define CALLSTACK_MARK " [fp]"

struct callstack_printer {
	/* One function; how: enum callstack_how. */
	void (*put)(struct strbuf *out, uint64_t addr, const struct sym_result *res,
		    unsigned int how);
	struct sym *sym;
	struct strbuf text; /* of all that is remembered, one behind the other */
	struct u64map at; /* stack, process, mappings → its first byte */
};

/* "read+0x12 (/usr/lib/libc.so.6)", as perf script prints it. */
void callstack__put_function(struct strbuf *out, const struct sym_result *res);

void callstack_printer__init(struct callstack_printer *p, struct sym *sym,
			     void (*put)(struct strbuf *out, uint64_t addr,
					 const struct sym_result *res, unsigned int how));
void callstack_printer__free(struct callstack_printer *p);
/*
 * Appends all functions of a sample's stack, innermost first; nothing if it has none. The text is
 * kept where the stack has an id. 0 or -ENOMEM.
 */
int callstack_printer__put(struct callstack_printer *p, const struct sample *s, struct strbuf *out);

#endif
