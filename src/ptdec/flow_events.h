/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Events that leave the flow as it is: PTWRITE, power, transactions, synchronization points. */
#ifndef BPFPERF_PTDEC_FLOW_EVENTS_H
#define BPFPERF_PTDEC_FLOW_EVENTS_H

#include "ptdec/flow_priv.h"

/* Makes an item of libipt's event, if it is wanted. */
void flow_events__take(struct flow *f, const struct pt_event *ev);
/* The core:bus ratio from here on. */
void flow_events__cbr(struct flow *f, uint64_t ip, uint64_t ratio);
/* A PSB at this offset of the chunk; ip: where the processor was, or 0. */
void flow_events__psb(struct flow *f, uint64_t at, uint64_t ip);

#endif
