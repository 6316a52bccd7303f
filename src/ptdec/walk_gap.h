/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Gaps: packets that walk.c cannot follow. */
#ifndef BPFPERF_PTDEC_WALK_GAP_H
#define BPFPERF_PTDEC_WALK_GAP_H

#include "ptdec/flow_priv.h"

/* The bytes from a packet that does not fit to the next PSB are a gap. Returns where that is. */
size_t walk_gap__to_psb(struct flow *f, size_t at, size_t sz, int err);
/*
 * The packets of unknown code are a gap, from *at on. Behind it the processor returns to calls that
 * were not seen: its bits for these returns lead nowhere here. 0 or -pte_nomem.
 */
int walk_gap__unknown(struct flow *f, size_t *at, size_t sz);

#endif
