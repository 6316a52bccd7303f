/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Unwind tables for walkers, of code that a JIT compiler wrote to memory, from its dump. */
#ifndef BPFPERF_SYM_JIT_WORDS_H
#define BPFPERF_SYM_JIT_WORDS_H

#include <stddef.h>
#include <stdint.h>

#include <linux/types.h>

#include "reader/reader.h"

/* Code that is this far apart has tables of its own. */
#define JIT_WORDS_SPAN (1ull << 40)
/* 2 million rows and more. */
#define JIT_WORDS_MAX_SZ (32u << 20)

/*
 * Has a reader make the words (unwind/words.h) of the functions of a dump at base to base +
 * JIT_WORDS_SPAN, as they are in memory at the dump's end: of functions that overlap it is the
 * youngest. Functions without unwinding information have no rule. 0; -ENODATA: no function has any;
 * -EBADMSG: it is no dump; -ENOTSUP: another machine's; -EFBIG: more than JIT_WORDS_MAX_SZ; or an
 * error of reader__call(). The caller frees *words.
 */
int jit_words__read(int fd, uint64_t base, __u64 **words, size_t *cnt);

/* The reader's side, for tests; the body of the request is the base. */
extern const struct reader_op jit_words_op;

#endif
