/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Facts about a recording for the readers of its profile: the command, the machine, the time, the
 * rate.
 */
#ifndef BPFPERF_RUN_SAMPLER_META_H
#define BPFPERF_RUN_SAMPLER_META_H

#include <sys/utsname.h>

#include "util/strbuf.h"

struct sampler_config;

/* The texts that cfg->profile.meta points to; empty if zeroed. */
struct sampler_meta {
	struct strbuf command; /* CMD */
	struct utsname uts;
};

/*
 * Fills cfg->profile.meta, which refers to `m` from then on. argv: CMD, ended by NULL; may be
 * empty.
 */
void sampler_meta__begin(struct sampler_meta *m, struct sampler_config *cfg, char **argv);
void sampler_meta__free(struct sampler_meta *m);

#endif
