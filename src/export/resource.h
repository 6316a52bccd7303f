/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Attributes that the user gives to all that is exported, by OpenTelemetry's environment. */
#ifndef BPFPERF_EXPORT_RESOURCE_H
#define BPFPERF_EXPORT_RESOURCE_H

#include <stddef.h>

#define RESOURCE_ATTRS_MAX 64

struct resource {
	const char *attrs[2 * RESOURCE_ATTRS_MAX + 1]; /* keys and values in turn, ended by NULL */
	char *text; /* owned: what attrs points to */
};

/*
 * Reads $OTEL_SERVICE_NAME, and "KEY=VALUE,…" with values percent-encoded of
 * $OTEL_RESOURCE_ATTRIBUTES. 0, or -EINVAL or -ENOMEM, logged.
 */
int resource__read(struct resource *r);
void resource__free(struct resource *r);
/* The value of a key. NULL: there is none. */
const char *resource__get(const struct resource *r, const char *key);

#endif
