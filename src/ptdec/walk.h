/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Follows common packets through the code, several times as fast as libipt's block decoder, which
 * has all others.
 */
#ifndef BPFPERF_PTDEC_WALK_H
#define BPFPERF_PTDEC_WALK_H

#include "ptdec/flow_priv.h"
#include "ptdec/packet.h"

/* May this chunk, which is in flow.buf, be followed here? */
bool walk__can(const struct flow *f, const struct itrace_chunk *c);
/*
 * Follows it, as decode() in flow.c does. libipt's errors: -pte_nomem, or 0: damage and missing
 * code are gaps.
 */
int walk__chunk(struct flow *f, const struct itrace_chunk *c);

/* For walk_gap.c. */
/* The processor is traced from `ip` on; is_new: its trace begins there. 0 or -pte_nomem. */
int walk__enabled(struct flow *f, uint64_t ip, bool is_new);
/* Does the FUP behind this packet only say where it happened? */
bool walk__is_place(const struct walk *w, const struct packet *k);

#endif
