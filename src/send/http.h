/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* One request at a time by libcurl, with its certificates, proxies and netrc. */
#ifndef BPFPERF_SEND_HTTP_H
#define BPFPERF_SEND_HTTP_H

#include <stdbool.h>
#include <stdint.h>

#include "util/strbuf.h"

struct curl_slist;

/* The end of a request. */
enum http_end {
	HTTP_ANSWERED, /* status and answer are set */
	HTTP_NOT_SENT, /* the server has not got the whole request */
	HTTP_IN_DOUBT, /* it was sent whole, and no answer came */
	HTTP_STOPPED, /* should_stop said so */
};

struct http {
	void *easy, *multi; /* libcurl's */
	struct curl_slist *headers; /* of requests with a body */
	struct curl_slist *bare_headers; /* of requests without */
	long timeout_ms;
	/* Wakes the wait for the answer when readable. -1: none */
	int wake_fd;
	/* Asked about every second, and when wake_fd is readable. */
	bool (*should_stop)(void *ctx);
	void *ctx;

	long status; /* of HTTP */
	uint64_t retry_after_ms; /* 0: the server says nothing */
	struct strbuf answer; /* the first 64 KiB */
	char error[512]; /* a sentence about HTTP_NOT_SENT and HTTP_IN_DOUBT */
};

/* 0 or -ENOMEM. */
int http__init(struct http *h);
void http__free(struct http *h);
/* Adds a header line to requests: "Content-Type: …"; of_body: only to those that have a body. */
void http__header(struct http *h, const char *line, bool of_body);
/*
 * Posts `len` bytes of the file fd, or, with fd -1, gets the address, and waits for the answer. The
 * connection is a new one, so that no request can meet the end of an old one.
 */
enum http_end http__request(struct http *h, const char *url, int fd, uint64_t len);
/* Appends text with all but letters, digits and -._~ as %XX. */
void http__put_escaped(struct strbuf *sb, const char *text);

#endif
