/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Functions of interpreters, by the ids that walks in the kernel gave to their code
 * (bpf/interp_wire.h). Functions of equal name, file and first line are one, whichever process they
 * are of: a place of theirs is a function and a line, and means the same as long as the codes live.
 */
#ifndef BPFPERF_LANG_CODES_H
#define BPFPERF_LANG_CODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/types.h>

#include "bpf/interp_wire.h"
#include "util/blobs.h"
#include "util/texts.h"
#include "util/u64map.h"

/* A place is below this: it has 47 bits. */
#define CODES_LINE_BITS 20
#define CODES_PLACE_MAX (1ull << 47)

struct code_func {
	uint32_t name, file; /* indexes into texts */
	uint32_t language; /* enum interp_language */
};
struct code {
	uint64_t id;
	uint32_t func; /* index into funcs */
	int32_t first_line;
	uint32_t language; /* enum interp_language */
	uint32_t lines; /* index into codes.lines: processes of one program have equal ones */
};
/*
 * Codes that are kept: at this number the older half is forgotten. The kernel's side has forgotten
 * their ids by then (session/interp.c).
 */
#define CODES_KEPT 131072

struct codes {
	struct texts texts;
	struct code_func *funcs; /* up to INTERP_RUBY: code of that language without a name */
	size_t func_cnt, func_cap;
	struct blobs lines;
	struct code *codes; /* in order of definition */
	size_t code_cnt, code_cap;
	struct u64map by_func, by_id;
	/* Reads definitions that have arrived, by codes__define(); NULL: there is no source. */
	void (*fill)(struct codes *codes, void *ctx);
	void *fill_ctx;
};

struct code_name {
	const char *name; /* NULL: unknown */
	const char *file;
	uint32_t line; /* 0: unknown */
	enum interp_language language; /* INTERP_PYTHON if nothing is known */
};

/* A zeroed struct is empty. */
void codes__free(struct codes *codes);
/* Adds the definition of an id (struct interp_def), cut behind its last line. 0 or -errno. */
int codes__define(struct codes *codes, const void *def, size_t sz);
/* Have frames of interpreters been expected at all? */
static inline bool codes__are_known(const struct codes *codes)
{
	return codes->fill || codes->code_cnt;
}
/*
 * Functions in a recording are mappings "py::NAME:FILE", as CPython's own perf support has them;
 * those of other languages begin otherwise. codes__recorded() returns the place of the function
 * without a line; 0: unknown.
 */
extern const char *const codes_recorded[];
bool codes__is_recorded(const char *map);
uint64_t codes__recorded(struct codes *codes, const char *map);
/* Returns the place of a frame, a word of a user stack; it may call codes->fill. */
uint64_t codes__place(struct codes *codes, uint64_t word);
/* Names a place; the texts live as long as codes. */
void codes__name(const struct codes *codes, uint64_t place, struct code_name *name);

#endif
