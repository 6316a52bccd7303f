/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* `report -b`: each branch of a sample's branch stack is a sample of its own. */
#ifndef BPFPERF_SINK_BRANCH_ROWS_H
#define BPFPERF_SINK_BRANCH_ROWS_H

#include <stdbool.h>
#include <stdint.h>

struct attrs;
struct block_cycles;
struct hist_config;
struct hist_facts;
struct hist_names;
struct hist_sample;
struct sample;

/*
 * Checks that the recording at `path` has branches if they are asked for, and that no key asks for
 * them otherwise. 0, or -EINVAL, logged.
 */
int branch_rows__check(const struct hist_config *cfg, const struct attrs *attrs, const char *path);
/* Adds the keys of a report that asks for none. */
void branch_rows__add_keys(struct hist_config *cfg);
/* Returns the number of branches before the sample. */
uint64_t branch_rows__cnt(const struct sample *s);
/*
 * Adds them to the rows; hs has the sample's thread, CPU and event, facts its other facts. 0 or
 * -ENOMEM.
 */
int branch_rows__add(struct hist_names *names, const struct sample *s, struct hist_sample *hs,
		     struct hist_facts *facts);
/*
 * Adds the blocks of code between them; has_starts: no branch between two was left out. 0 or
 * -ENOMEM.
 */
int branch_rows__add_blocks(struct hist_names *names, const struct sample *s,
			    struct block_cycles *blocks, bool has_starts);
/* Were all kinds of branches recorded? */
bool branch_rows__are_all(const struct attrs *attrs);

#endif
