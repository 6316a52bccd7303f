/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Samples that are made of a processor's trace while a recording is read (itrace/decoder.h). */
#ifndef BPFPERF_RUN_REPLAY_ITRACE_H
#define BPFPERF_RUN_REPLAY_ITRACE_H

#include <stdint.h>

struct replay;
struct replay_config;
struct replay_itrace;

/* Begins to decode, and adds the events of the samples to the recording. NULL and errno, logged. */
struct replay_itrace *replay_itrace__new(struct replay *r, const struct replay_config *cfg);
/* NULL is accepted. Logs what was not decoded, if all was read. */
void replay_itrace__free(struct replay_itrace *ri);
/* Passes on all samples before this time. 0, or the value that ends the reading. */
int replay_itrace__until(struct replay_itrace *ri, uint64_t time_ns);

#endif
