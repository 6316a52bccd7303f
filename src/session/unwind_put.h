/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Creates maps of words and of mappings: the inner maps of unwind_tables and unwind_sets. */
#ifndef BPFPERF_SESSION_UNWIND_PUT_H
#define BPFPERF_SESSION_UNWIND_PUT_H

#include <stddef.h>
#include <stdint.h>

#include <linux/types.h>

struct unwind_mapping;

/* Creates a map that holds these words. Returns its fd, or -errno. */
int unwind_put__words(const __u64 *words, size_t cnt);
/* Returns the kernel memory that it takes, in bytes. */
size_t unwind_put__mem_sz(size_t words);
/* Creates a map that holds cnt mappings and their number. Returns its fd, or -errno. */
int unwind_put__mappings(const struct unwind_mapping *maps, size_t cnt);
/* Reads the kernel's id of a map. Returns 0 or -errno. */
int unwind_put__map_id(int fd, uint32_t *id);
/*
 * Makes the words of the vdso, which is one image in all processes of our ABI; the caller frees
 * them. Results are those of unwind_file__read().
 */
int unwind_put__read_vdso(__u64 **words, size_t *cnt);

#endif
