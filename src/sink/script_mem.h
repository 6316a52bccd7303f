/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The memory access of a sample in the form of `perf script -F data_src,data_page_size`. */
#ifndef BPFPERF_SINK_SCRIPT_MEM_H
#define BPFPERF_SINK_SCRIPT_MEM_H

#include <stddef.h>
#include <stdint.h>

#include "util/strbuf.h"

struct perf_sample;

/*
 * Puts those of the fields SCRIPT_ADDR, _DATA_SRC, _WEIGHT and _INS_LAT that are set; *width: of
 * the longest source so far.
 */
void script_mem__put(struct strbuf *out, const struct perf_sample *s, uint64_t fields,
		     size_t *width);

enum script_mem_part {
	SCRIPT_MEM_LEVEL,
	SCRIPT_MEM_SNOOP,
	SCRIPT_MEM_TLB,
	SCRIPT_MEM_LOCK,
	SCRIPT_MEM_BLOCK,
};
/* Puts one part of union perf_mem_data_src in words. */
void script_mem__put_part(struct strbuf *out, enum script_mem_part part, uint64_t data_src);
/* Puts " 4K", or " N/A" for 0. */
void script_mem__put_page_size(struct strbuf *out, uint64_t sz);

#endif
