/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Code for weight_point() of bpf/stack.bpf.c: how much a hit of a probe counts. */
#ifndef BPFPERF_SESSION_PROBE_WEIGHTS_H
#define BPFPERF_SESSION_PROBE_WEIGHTS_H

#include <stdbool.h>
#include <stddef.h>

#include "event/probe.h"
#include "session/probe_code.h"

struct probe_weight {
	const struct probe *probe; /* NULL: the event is none */
	int field; /* -1: each hit counts 1 */
};

#define WEIGHT_EXTRAS_CNT 3

struct probe_weights {
	const struct probe_weight *at;
	size_t cnt;
	struct probe_code code; /* for enter() and leave() */
	struct patch_extra extra[WEIGHT_EXTRAS_CNT];
	struct patch_extras extras;
};

/*
 * Returns the code for programs of one kind: by event, the value of the field `field` of its probe,
 * or 1 if there is none. pw->at is as long as the events.
 */
const struct patch_extras *probe_weights__extras(struct probe_weights *pw, bool in_kernel);

#endif
