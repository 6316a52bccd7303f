/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The memory access of a sample in the form of `perf script -F data_src,data_page_size`. */
#ifndef BPFPERF_SINK_SCRIPT_MEM_H
#define BPFPERF_SINK_SCRIPT_MEM_H

#include <stddef.h>
#include <stdint.h>

#include "util/strbuf.h"

/*
 * Puts union perf_mem_data_src in hex and in words, padded to *width, the longest one so far.
 */
void script_mem__put_source(struct strbuf *out, uint64_t data_src, size_t *width);
/* Puts " 4K", or " N/A" for 0. */
void script_mem__put_page_size(struct strbuf *out, uint64_t sz);

#endif
