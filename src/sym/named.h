/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The name of an address, without the objects that find it (sym/sym.h). */
#ifndef BPFPERF_SYM_NAMED_H
#define BPFPERF_SYM_NAMED_H

#include <stdbool.h>
#include <stdint.h>

#include "util/strbuf.h"

/* The kinds of user functions. */
enum frame_kind {
	FRAME_NATIVE,
	FRAME_INLINED, /* only in profiles: native, and inlined wherever the profile has it */
	FRAME_JIT, /* code that a JIT compiler wrote to memory */
	/* of interpreters */
	FRAME_PYTHON,
	FRAME_RUBY,
	FRAME_KINDS,
};
static inline bool frame_kind__is_interpreted(enum frame_kind kind)
{
	return kind >= FRAME_PYTHON;
}
/* Names of the kinds in data formats, by enum frame_kind; NULL for native functions. */
extern const char *const frame_kinds[FRAME_KINDS];
/* The kind of such a name; FRAME_NATIVE for other texts. */
enum frame_kind frame_kind__of(const char *name);

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
	enum frame_kind kind;
	uint32_t line; /* interpreted: the line in the module, which is a source; 0: unknown */
};

/* One of the functions at a single address: a function, or one that was inlined into it. */
struct sym_frame {
	const char *name; /* as in sym_result */
	const char *module;
	const char *path; /* of the module's file, of the kernel and if asked for; else NULL */
	uint64_t off; /* as in sym_result; for an inlined function: offset in the enclosing one */
	uint64_t func_off; /* as in sym_result */
	/* the file's own virtual address, as addr2line takes it; without a file: the address */
	uint64_t addr;
	const char *file; /* source file and line of this address in this function; NULL: unknown */
	uint32_t line; /* 0: unknown */
	bool is_inlined; /* into the next frame */
	enum frame_kind kind;
};

/* Maximum number of frames of one address; beyond it, outer inlined functions are dropped. */
#define SYM_FRAMES_MAX 32

/*
 * The name that profiles print: the function's name, with the file's if it is one that each file of
 * Python may have, "<module> (app.py)"; "[libfoo.so+0x1234]" if only the file is
 * known, with the offset of the function's start if the file's frame information states it;
 * "[unknown]". Control characters are escaped.
 */
void sym_result__put(const struct sym_result *res, struct strbuf *sb);

#endif
