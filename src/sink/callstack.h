/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Prints a record's callchain for a format. Printed text is cached and copied when the stack recurs
 * in the same process: naming 30 addresses takes longer than the rest of a record.
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
	struct sym *sym;
	struct strbuf text; /* all cached texts, one behind the other */
	struct u64map at; /* stack, process, mappings → offset of the text */
};

/* Puts "read+0x12 (/usr/lib/libc.so.6)", in the form of perf script. */
void callstack__put_function(struct strbuf *out, const struct sym_result *res);

void callstack_printer__init(struct callstack_printer *p, struct sym *sym,
			     void (*put)(struct strbuf *out, uint64_t addr,
					 const struct sym_result *res, unsigned int how));
void callstack_printer__free(struct callstack_printer *p);
/*
 * Appends all functions of a sample's stack, innermost first; nothing if it has none. The text is
 * cached if the stack has an id. 0 or -ENOMEM.
 */
int callstack_printer__put(struct callstack_printer *p, const struct sample *s, struct strbuf *out);

#endif
