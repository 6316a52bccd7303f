/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* --format autofdo, --format bolt: branch stacks for optimizing compilers. */
#ifndef BPFPERF_SINK_BRANCH_TEXT_H
#define BPFPERF_SINK_BRANCH_TEXT_H

#include "sink/sink.h"

/* Name of their part in sink_config.extras. */
#define BRANCH_EXTRA "branches"

struct branch_config {
	struct sink_extra extra;
	const char *binary; /* path or name of the program; NULL: that with most branches */
};

extern const struct sink_ops autofdo_sink, bolt_sink;

#endif
