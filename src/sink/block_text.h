/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* `report --total-cycles`: blocks of code by their cycles, in perf's columns. */
#ifndef BPFPERF_SINK_BLOCK_TEXT_H
#define BPFPERF_SINK_BLOCK_TEXT_H

struct block_cycles;
struct hist_entries;
struct hist_text_config;

/* Prints the blocks of an event, which has these lines; sorts them. 0 or -errno. */
int block_text__print(const struct hist_text_config *cfg, const struct hist_entries *lines);

#endif
