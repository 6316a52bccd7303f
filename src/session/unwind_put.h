/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Words and mappings into maps of their own: inner maps of unwind_tables and unwind_sets. */
#ifndef BPFPERF_SESSION_UNWIND_PUT_H
#define BPFPERF_SESSION_UNWIND_PUT_H

#include <stddef.h>
#include <stdint.h>

#include <linux/types.h>

struct unwind_mapping;
struct unwind_table;

/* A map that holds these words: its descriptor, or -errno. */
int unwind_put__words(const __u64 *words, size_t cnt);
/* Bytes of the kernel's memory that it takes. */
size_t unwind_put__mem_sz(size_t words);
/* A map that holds cnt mappings and how many there are: its descriptor, or -errno. */
int unwind_put__mappings(const struct unwind_mapping *maps, size_t cnt);
/* The id of a map in the kernel. 0 or -errno. */
int unwind_put__map_id(int fd, uint32_t *id);
/* The table of the vdso, the same image in all processes of our ABI. As unwind_file__read(). */
int unwind_put__read_vdso(struct unwind_table *table);

#endif
