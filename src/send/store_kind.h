/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The kinds of stores: their addresses, and their answers. */
#ifndef BPFPERF_SEND_STORE_KIND_H
#define BPFPERF_SEND_STORE_KIND_H

#include <stdbool.h>

#include "export/spool.h"
#include "util/strbuf.h"

struct http;

/* The fate of a message after an answer. */
enum verdict {
	VERDICT_SENT,
	VERDICT_REFUSED, /* it will not be taken; text says why */
	VERDICT_PARTIAL, /* a part was taken; text says why */
	VERDICT_RETRY, /* not now */
};

struct store_kind {
	const char *name; /* an argument of bpfperf-send */
	const char *table; /* of rows; NULL: none */
	const char *const *headers; /* ended by NULL */
	/* Appends the address of a request with the message. */
	void (*put_url)(const struct store_kind *kind, struct strbuf *url, const char *base,
			const struct spool_msg *msg);
	/* Judges an answer; may append to text. */
	enum verdict (*judge)(const struct http *h, struct strbuf *text);
	/* Appends the address that tells whether the store has the message. NULL: it cannot. */
	void (*put_question)(const struct store_kind *kind, struct strbuf *url, const char *base,
			     const struct spool_msg *msg);
};

/* NULL: there is no such kind. */
const struct store_kind *store_kind__find(const char *name);

#endif
