/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The facts of a recorded sample for a report's rows (profile/hist_facts.h). */
#ifndef BPFPERF_SINK_SAMPLE_FACTS_H
#define BPFPERF_SINK_SAMPLE_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/hist.h"

struct cgroup_names;
struct func_regex;
struct recording;
struct sample;

struct sample_facts_config {
	uint64_t quantum_ns; /* HIST_TIME: spans of this length; not 0 */
	const char *parent; /* HIST_PARENT: a regular expression (extended) */
	const struct recording *rec; /* HIST_SOCKET */
	const struct cgroup_names *cgroups; /* HIST_CGROUP */
};

struct sample_facts {
	const struct sample_facts_config *cfg;
	struct hist *hist;
	struct func_regex *parent; /* NULL: HIST_PARENT is not asked for */
	uint32_t srcfile; /* HIST_SRCFILE: a text, of the next sample */
	struct hist_facts facts; /* of the last sample */
};

/* hist and cfg outlive it. 0, or -ENOMEM. */
int sample_facts__init(struct sample_facts *f, struct hist *hist,
		       const struct sample_facts_config *cfg);
void sample_facts__free(struct sample_facts *f);
/* Sets f->facts; the frames are the functions of the callchain, innermost first. 0 or -ENOMEM. */
int sample_facts__set(struct sample_facts *f, const struct sample *s, const uint32_t *frames,
		      size_t frame_cnt);

#endif
