/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The output of a sampler: a profile in one of its formats, the live view, or both. */
#ifndef BPFPERF_RUN_SAMPLER_OUTPUT_H
#define BPFPERF_RUN_SAMPLER_OUTPUT_H

struct exporter;
struct live_run;
struct sampler_config;

/*
 * Opens the run's sink, and its file or stdout, or the exporter of its intervals (NULL: there are
 * none); the run's sym is open. 0, -EINVAL, logged, or -errno.
 */
int sampler_output__open(struct live_run *run, struct sampler_config *cfg,
			 struct exporter *exporter);
/*
 * Loads a saved profile into the sink of an open output and prints it. 0 or -errno (logged). A
 * closed pipe on stdout is no error.
 */
int sampler_output__convert(struct live_run *run, const char *path);

#endif
