/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The formats of `why`, as sinks: a sink has the output and its name, a why_format the contents. */
#ifndef BPFPERF_RUN_WHY_FORMATS_H
#define BPFPERF_RUN_WHY_FORMATS_H

#include "sink/sink.h"
#include "why/verdict.h"

/* By the format's name (NULL: by the suffix of the output's). NULL: unknown, logged. */
const struct sink_ops *why_formats__choose(const char *format, const char *output);
/* The format of a sink that was chosen. */
const struct why_format *why_formats__of(const struct sink_ops *ops);

#endif
