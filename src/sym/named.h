/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The name of an address, without the objects that find it (sym/sym.h). */
#ifndef BPFPERF_SYM_NAMED_H
#define BPFPERF_SYM_NAMED_H

#include <stdbool.h>
#include <stdint.h>

#include "util/strbuf.h"

struct sym_result {
	const char *name; /* function, demangled; NULL if only the file is known */
	/* "[kernel.kallsyms]", "[nf_tables]", "[vdso]", path of the file, or "[unknown]" */
	const char *module;
	uint64_t off; /* offset in the function, or in the file (name == NULL), in bytes */
	/*
	 * name == NULL: offset in the function, if the file's frame information states its start;
	 * 0: unknown.
	 */
	uint64_t func_off;
};

/* One of the functions at a single address: a function, or one that was inlined into it. */
struct sym_frame {
	const char *name; /* as in sym_result */
	const char *module;
	uint64_t off; /* as in sym_result; for an inlined function: offset in the enclosing one */
	uint64_t func_off; /* as in sym_result */
	/* the file's own virtual address, as addr2line takes it; without a file: the address */
	uint64_t addr;
	const char *file; /* source file and line of this address in this function; NULL: unknown */
	uint32_t line; /* 0: unknown */
	bool is_inlined; /* into the next frame */
};

/* Maximum number of frames of one address; beyond it, outer inlined functions are dropped. */
#define SYM_FRAMES_MAX 32

/*
 * The name that profiles print: the function's name; "[libfoo.so+0x1234]" if only the file is
 * known, with the offset of the function's start if the file's frame information states it;
 * "[unknown]". Control characters are escaped.
 */
void sym_result__put(const struct sym_result *res, struct strbuf *sb);

#endif
