/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Attributes that a process publishes about itself for readers outside of it: OpenTelemetry's
 * process context (OTEP 4719), a mapping named OTEL_CTX with the address of a message.
 */
#ifndef BPFPERF_EXPORT_PROCESS_CTX_H
#define BPFPERF_EXPORT_PROCESS_CTX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/strbuf.h"

/* Further attributes of a process are omitted. */
#define PROCESS_CTX_ATTRS_MAX 64

/*
 * Appends the attributes of a running process: keys and values in turn, each with its NUL. Values
 * that are no text, number or truth are omitted. Returns whether it publishes any.
 */
bool process_ctx__read(int32_t pid, struct strbuf *attrs);
/* Appends those of a message of sz bytes, by which nothing is promised; likewise. */
bool process_ctx__parse(const unsigned char *msg, size_t sz, struct strbuf *attrs);

#endif
