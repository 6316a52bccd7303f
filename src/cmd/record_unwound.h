/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * `record -g`: user stacks that are walked by unwind tables. A walk is a BPF program's, and perf's
 * rings carry only the kernel's own; so these samples come as those of `stack` do, and its
 * recording is written. Where something is asked for that only perf's rings carry, stacks are by
 * frame pointer, unless --unwind says which.
 */
#ifndef BPFPERF_CMD_RECORD_UNWOUND_H
#define BPFPERF_CMD_RECORD_UNWOUND_H

#include "cmd/record_opts.h"

/* Chooses how -g unwinds: by tables, unless some option needs perf's own rings. */
void record_unwound__choose(struct record_opts *o);
/*
 * Records to the end. o is checked and has --unwind; its owner frees its events and targets.
 * Options that have no place in it are refused in one sentence. An exit status.
 */
int record_unwound(struct record_opts *o, int argc, char **argv);

#endif
