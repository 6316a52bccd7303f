/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Opens everything that a sampler needs before it is active. */
#ifndef BPFPERF_RUN_SAMPLER_OPEN_H
#define BPFPERF_RUN_SAMPLER_OPEN_H

struct sampler;

/* Opens the decoders of records, and the names of addresses. 0 or -errno (logged). */
int sampler_open__decoder(struct sampler *st);
/*
 * Opens the kernel side: programs loaded, rings mapped, events attached, nothing active. 0 or
 * -errno (logged).
 */
int sampler_open__session(struct sampler *st);

#endif
