/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The size of a memory page as perf prints it. */
#ifndef BPFPERF_UTIL_PAGE_SIZE_H
#define BPFPERF_UTIL_PAGE_SIZE_H

#include <stdint.h>

struct strbuf;

/* Puts "4K", or "N/A" for 0. */
void page_size__put(struct strbuf *out, uint64_t sz);

#endif
