/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Packets that libipt 2.0 does not know, or reads otherwise than the manual has them. */
#ifndef BPFPERF_PTDEC_EVENTS_H
#define BPFPERF_PTDEC_EVENTS_H

#include <stddef.h>
#include <stdint.h>

/*
 * Makes those packets of event and trigger tracing that tell nothing of the flow padding. The
 * others stay: libipt ends with -pte_bad_opc. PWRE is made what libipt reads.
 */
void events__prepare(uint8_t *p, size_t sz);

#endif
