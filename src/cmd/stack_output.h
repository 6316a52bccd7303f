/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Where `stack` prints: a profile in one of its formats, the live view, or both. */
#ifndef BPFPERF_CMD_STACK_OUTPUT_H
#define BPFPERF_CMD_STACK_OUTPUT_H

struct live_run;
struct stack_opts;

/* The run's sink and its file, or stdout; its sym is there. 0, -EINVAL after a sentence, or -errno. */
int stack_output__open(struct live_run *run, struct stack_opts *o);
/* A saved profile into the sink, and all is printed. 0 or -errno (said). */
int stack_output__convert(struct live_run *run, const char *path);

#endif
