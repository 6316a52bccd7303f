/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The times of the samples, in the page of --format flame (flame_data.h). */
#ifndef BPFPERF_SINK_FLAME_TIMES_H
#define BPFPERF_SINK_FLAME_TIMES_H

#include "profile/profile_tree.h"
#include "util/strbuf.h"

/* The event has no samples. */
#define FLAME_EACH_ANY UINT64_MAX

/* Returns the weight that each sample with a time has, 0 if it differs, or FLAME_EACH_ANY. */
uint64_t flame_times__each(const struct profile_times *t, const struct profile *p, uint32_t event);
/*
 * Puts the member "times", or nothing. order: the tree's nodes in the page's order; each: by event.
 * 0 or -ENOMEM.
 */
int flame_times__put(const struct profile_tree *tree, const uint32_t *order, uint32_t cnt,
		     const uint64_t *each, struct strbuf *sb);

#endif
