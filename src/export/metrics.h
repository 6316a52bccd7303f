/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The run's own state as text for Prometheus, by HTTP: one answer for each connection. */
#ifndef BPFPERF_EXPORT_METRICS_H
#define BPFPERF_EXPORT_METRICS_H

#include "util/strbuf.h"

struct metrics {
	int fd; /* listens; -1: nothing does */
	const char *path; /* of a Unix socket, which is removed at the end; NULL: TCP */
	void (*put)(void *ctx, struct strbuf *text); /* appends the state */
	void *ctx;
};

/*
 * Listens at "HOST:PORT", ":PORT" (127.0.0.1), or "/PATH", a Unix socket of the user alone. addr
 * outlives m. 0, or -errno, logged.
 */
int metrics__open(struct metrics *m, const char *addr);
/* Answers one connection; a client that asks nothing within 20 ms has no answer. Returns 0. */
int metrics__serve(void *ctx);
void metrics__close(struct metrics *m);

/* Appends the head of a metric; type is "counter" or "gauge". */
void metrics__put_head(struct strbuf *text, const char *name, const char *type, const char *help);
/* Appends a value; label NULL: it has none. */
void metrics__put(struct strbuf *text, const char *name, const char *label, const char *value,
		  double number);

#endif
