/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The TSC between its packets, by those of the crystal clock and of cycles (Intel SDM, volume 3,
 * chapter 33, "Estimating time"). */
#ifndef BPFPERF_PTDEC_WALK_TIME_H
#define BPFPERF_PTDEC_WALK_TIME_H

#include <stdbool.h>
#include <stdint.h>

#include "itrace/wire.h"
#include "ptdec/packet.h"

/* Zeroed: no time is known. */
struct walk_time {
	uint64_t tsc; /* now, as far as it is known */
	uint64_t from_tsc, cycles; /* cycles since then */
	uint64_t ctc_tsc, ctc, from_ctc; /* TSC at from_ctc; ctc: at the last MTC */
	uint32_t cbr; /* core : bus; 0: unknown */
	bool has_tsc, has_ctc;
	uint8_t mtc;
};

/* Takes a TSC, TMA, MTC, CYC or CBR packet. */
void walk_time__packet(struct walk_time *t, const struct itrace_job *job, const struct packet *k);

#endif
