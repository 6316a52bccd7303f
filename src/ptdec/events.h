/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Packets of event and trigger tracing, for a libipt that does not know them. */
#ifndef BPFPERF_PTDEC_EVENTS_H
#define BPFPERF_PTDEC_EVENTS_H

#include <stddef.h>
#include <stdint.h>

/*
 * Makes those packets that tell nothing of the flow padding. The others stay: libipt ends with
 * -pte_bad_opc.
 */
void events__hide(uint8_t *p, size_t sz);

#endif
