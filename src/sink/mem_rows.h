/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* `report --mem-mode`: samples are accesses of memory, and weigh as much as these took. */
#ifndef BPFPERF_SINK_MEM_ROWS_H
#define BPFPERF_SINK_MEM_ROWS_H

#include <stdint.h>

struct attrs;
struct hist_config;
struct hist_facts;
struct hist_names;
struct hist_sample;
struct sample;

/*
 * Checks that the recording at `path` has accesses of memory if they are asked for, and that no key
 * asks for them otherwise. 0, or -EINVAL, logged.
 */
int mem_rows__check(const struct hist_config *cfg, const struct attrs *attrs, const char *path);
/* Adds the keys of a report that asks for none. */
void mem_rows__add_keys(struct hist_config *cfg);
/* Returns how much the sample weighs: its weight, at least 1. */
uint64_t mem_rows__weight(const struct sample *s);
/* Sets the facts of the access, and the period of hs to its weight. 0 or -ENOMEM. */
int mem_rows__set(struct hist_names *names, const struct sample *s, struct hist_sample *hs,
		  struct hist_facts *facts);

#endif
