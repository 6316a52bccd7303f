/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Output that live runs of latency and those of recordings have in common. */
#ifndef BPFPERF_RUN_LATENCY_OUTPUT_H
#define BPFPERF_RUN_LATENCY_OUTPUT_H

#include <stdbool.h>

#include "span/result.h"

struct sink_ops;

/*
 * The format by --format and the file's suffix; each: of durations as records. NULL: there is none
 * (logged).
 */
const struct sink_ops *latency_output__choose(const char *format, const char *path, bool each);
/* The tables of a format; NULL: it has records alone. */
const struct span_format *latency_output__tables(const struct sink_ops *ops);
/* Logs the starts and ends of a pair. */
void latency_output__account(const char *name, const struct span_account *a);

#endif
