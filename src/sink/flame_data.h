/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The profile in the page of --format flame. */
#ifndef BPFPERF_SINK_FLAME_DATA_H
#define BPFPERF_SINK_FLAME_DATA_H

#include "profile/profile_tree.h"
#include "sink/profile_sink.h"
#include "util/strbuf.h"

/*
 * Puts the profile as JSON, without a '<' outside of strings: the members of profile_json.h, and
 *
 *     "views":[{"name":…,"unit":…,"ns":bool,"weight":bool,"events":[0],"old":[1]},…],
 *     "functions":["main",…],"modules":["/usr/bin/spin",…],"python":[1],"ruby":[2],
 *     "function_of":"…","nodes":"…","values":["…",…],"each":[N,…],
 *     "times":{"shift":21,"first":N,"slices":N,"values":["…",…]}
 *
 * where "…" are numbers (util/vlq.h) in a row:
 *
 *     function_of   for each function: module * 3 + kind; module: 0 none, else index + 1;
 *                   kind: 0 user, 1 kernel, 2 a group (the thread's name) or mark, no function
 *     python        indexes of modules that are sources of Python; absent if there are none;
 *                   ruby, jit: likewise, of Ruby and with code of JIT compilers
 *     inlined       indexes of functions that are inlined wherever the profile has them; likewise
 *     nodes         for each node of the tree, depth first: levels up from below the node before;
 *                   index of its function, the most frequent first
 *     values        for each event, for each node with samples of its own: distance from the one
 *                   before (the first: from -1); samples; weight, if each[event] is 0
 *     times.values  likewise, without an event's weights if values has none: distance; number of
 *                   slices; for each slice: distance from the one before (the first: from -1, which
 *                   is before `first`); samples; weight
 *
 * each[event]: weight of each sample; 0: it differs. A slice is 1 << shift ns of CLOCK_MONOTONIC;
 * there are no times if the samples have none. 0 or -ENOMEM.
 */
int flame_data__put(const struct profile_tree *tree, const struct profile_sink *ps,
		    struct strbuf *sb);

#endif
