/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Unwind tables of code that JIT compilers write to memory, by their dumps (sym/jit_dump.h). A dump
 * is held open while a process has its code mapped, and is read again when it has grown. For use by
 * one thread.
 */
#ifndef BPFPERF_SESSION_UNWIND_DUMPS_H
#define BPFPERF_SESSION_UNWIND_DUMPS_H

#include <stdbool.h>
#include <stdint.h>

struct sym_map;
struct unwind_dumps;
struct unwind_files;

/*
 * Code at base to base + JIT_WORDS_SPAN (sym/jit_words.h) has one table; bases are multiples of
 * this.
 */
#define UNWIND_DUMPS_STEP (1ull << 39)

/* files stay the caller's. NULL and errno ENOMEM. */
struct unwind_dumps *unwind_dumps__new(struct unwind_files *files);
void unwind_dumps__free(struct unwind_dumps *dumps);

/*
 * Adds a user to the table of code at a base, by the dump that the process has mapped. Returns its
 * index as unwind_files__get() does; 0: the dump cannot be opened, is another user's than the
 * process, or there are too many.
 */
uint32_t unwind_dumps__get(struct unwind_dumps *dumps, int32_t pid, const struct sym_map *dump,
			   uint64_t base);
/*
 * Is the table that of another process's dump? Then a fork has its code, and may have unmapped its
 * dump: unwind_files__use() adds the fork to the users.
 */
bool unwind_dumps__is_inherited(const struct unwind_dumps *dumps, uint32_t idx, int32_t pid);
/*
 * Closes dumps of tables without users, and reads those that are new or have grown.
 * Returns the time until it is to be called again, in ms; -1: there are none.
 */
int unwind_dumps__look(struct unwind_dumps *dumps);

#endif
