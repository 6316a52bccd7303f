/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The stacks of `why`: each is kept once, by places (sym/sym.h), with what its kernel part says.
 * Names of user functions are read at the end, when they are printed.
 */
#ifndef BPFPERF_WHY_STACKS_H
#define BPFPERF_WHY_STACKS_H

#include <stdint.h>

#include "decode/sample.h"
#include "util/strbuf.h"
#include "util/texts.h"
#include "util/u64map.h"
#include "why/kind.h"

struct sym;

#define WHY_NONE UINT32_MAX

struct why_stack {
	const uint64_t *places; /* kernel, then user, innermost first */
	uint16_t kern_cnt, user_cnt;
	bool is_described;
	struct why_stack_facts facts; /* of the kernel part */
	/*
	 * Set by why_stacks__describe(), as printed: the innermost function of the program itself,
	 * its caller, and the library's function that it called, such as "pthread_mutex_lock". "":
	 * none. Equal texts have one address.
	 */
	const char *function, *caller, *call;
	const char *syscall; /* the call that it is in */
};

struct why_stacks {
	struct sym *sym; /* not owned */
	struct why_stack *at;
	size_t cnt, cap;
	struct u64map by_source; /* id or hash of a stack, process, mappings → index */
	struct u64map by_places; /* hash of the places → index */
	struct u64map known; /* user places that were announced to sym */
	void **blocks; /* what places point to */
	size_t block_cnt, block_cap;
	uint64_t *free_at;
	size_t free_cnt;
	struct texts texts; /* of functions, and all others of a timeline */
	const char *none; /* its "" */
};

void why_stacks__init(struct why_stacks *st, struct sym *sym);
void why_stacks__free(struct why_stacks *st);
/*
 * Returns the index of a stack; WHY_NONE: it is empty, or there is no memory. id: equal ids have
 * equal chains, 0: none. maps_version: of the process's mappings.
 */
uint32_t why_stacks__add(struct why_stacks *st, const struct callchain *chain, uint64_t id,
			 int32_t pid, uint32_t maps_version);
/* The stack of an index, with names of its user part; NULL for WHY_NONE. */
const struct why_stack *why_stacks__describe(struct why_stacks *st, uint32_t idx);
/*
 * The stack of an index as it is: names only if it was described before. Valid, like the one above,
 * until a stack is added.
 */
static inline const struct why_stack *why_stacks__get(const struct why_stacks *st, uint32_t idx)
{
	return idx < st->cnt ? &st->at[idx] : NULL;
}

#endif
