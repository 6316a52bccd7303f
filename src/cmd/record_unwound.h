/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * `record -g` with user stacks unwound by tables. A BPF program unwinds, while perf's rings carry
 * only the kernel's own stacks; so the samples are taken like those of `stack`, and written as a
 * recording. If some option needs perf's rings, stacks are unwound by frame pointer, unless
 * --unwind is given.
 */
#ifndef BPFPERF_CMD_RECORD_UNWOUND_H
#define BPFPERF_CMD_RECORD_UNWOUND_H

#include "cmd/record_opts.h"

/* Chooses how -g unwinds: by tables, unless an option needs perf's own rings. */
void record_unwound__choose(struct record_opts *o);
/*
 * Records to the end. o is checked and has --unwind; its owner frees its events and targets.
 * Unsupported options are refused and logged. Returns an exit status.
 */
int record_unwound(struct record_opts *o, int argc, char **argv);

#endif
