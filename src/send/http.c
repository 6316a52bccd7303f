// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "send/http.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include <curl/curl.h>

#define CONNECT_TIMEOUT_MS 10000
#define ANSWER_MAX (64u << 10)

/* A request: how much of its body was handed to libcurl. */
struct body {
	int fd;
	uint64_t left;
};

static size_t read_body(char *to, size_t sz, size_t cnt, void *ctx)
{
	struct body *b = ctx;
	size_t want = sz * cnt < b->left ? sz * cnt : (size_t)b->left;
	ssize_t got = want ? read(b->fd, to, want) : 0;

	/* The file has become shorter: the server sees that the request is cut. */
	if (got < 0 || (want && !got))
		return CURL_READFUNC_ABORT;
	b->left -= (uint64_t)got;
	return (size_t)got;
}

static size_t take_answer(char *data, size_t sz, size_t cnt, void *ctx)
{
	struct http *h = ctx;
	size_t len = sz * cnt, room = ANSWER_MAX - h->answer.len;

	strbuf__add(&h->answer, data, len < room ? len : room);
	return len;
}

int http__init(struct http *h)
{
	memset(h, 0, sizeof(*h));
	h->wake_fd = -1;
	if (curl_global_init(CURL_GLOBAL_ALL))
		return -ENOMEM;
	h->easy = curl_easy_init();
	h->multi = curl_multi_init();
	return h->easy && h->multi ? 0 : -ENOMEM;
}

void http__free(struct http *h)
{
	curl_slist_free_all(h->headers);
	curl_slist_free_all(h->bare_headers);
	if (h->easy)
		curl_easy_cleanup(h->easy);
	if (h->multi)
		curl_multi_cleanup(h->multi);
	curl_global_cleanup();
	strbuf__free(&h->answer);
}

void http__header(struct http *h, const char *line, bool of_body)
{
	h->headers = curl_slist_append(h->headers, line);
	if (!of_body)
		h->bare_headers = curl_slist_append(h->bare_headers, line);
}

void http__put_escaped(struct strbuf *sb, const char *text)
{
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
		    strchr("-._~", c))
			strbuf__putc(sb, (char)c);
		else
			strbuf__printf(sb, "%%%02X", c);
	}
}

/* The names of OpenTelemetry for a collector's certificates; without them curl's own hold. */
static void set_certificates(CURL *easy)
{
	const char *ca = getenv("OTEL_EXPORTER_OTLP_CERTIFICATE");
	const char *cert = getenv("OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE");
	const char *key = getenv("OTEL_EXPORTER_OTLP_CLIENT_KEY");

	if (!ca || !*ca)
		ca = getenv("CURL_CA_BUNDLE");
	if (!ca || !*ca)
		ca = getenv("SSL_CERT_FILE");
	if (ca && *ca)
		curl_easy_setopt(easy, CURLOPT_CAINFO, ca);
	if (cert && *cert)
		curl_easy_setopt(easy, CURLOPT_SSLCERT, cert);
	if (key && *key)
		curl_easy_setopt(easy, CURLOPT_SSLKEY, key);
}

static void set_request(struct http *h, const char *url, struct body *body)
{
	CURL *easy = h->easy;

	curl_easy_reset(easy);
	set_certificates(easy);
	curl_easy_setopt(easy, CURLOPT_URL, url);
	if (body->fd >= 0) {
		curl_easy_setopt(easy, CURLOPT_POST, 1L);
		curl_easy_setopt(easy, CURLOPT_READFUNCTION, read_body);
		curl_easy_setopt(easy, CURLOPT_READDATA, body);
		curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)body->left);
	}
	curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_answer);
	curl_easy_setopt(easy, CURLOPT_WRITEDATA, h);
	curl_easy_setopt(easy, CURLOPT_HTTPHEADER, body->fd < 0 ? h->bare_headers : h->headers);
	curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, h->error);
	curl_easy_setopt(easy, CURLOPT_NETRC, (long)CURL_NETRC_OPTIONAL);
	curl_easy_setopt(easy, CURLOPT_USERAGENT, "bpfperf/" BPFPERF_VERSION);
	curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_TIMEOUT_MS);
	curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, h->timeout_ms);
	curl_easy_setopt(easy, CURLOPT_FRESH_CONNECT, 1L);
	curl_easy_setopt(easy, CURLOPT_FORBID_REUSE, 1L);
	/* A server may refuse a stream of HTTP/2 that was sent whole, and curl repeats it. */
	curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
}

/* Runs the request. Returns libcurl's code; -1: stopped. */
static int perform(struct http *h)
{
	struct curl_waitfd wake = { .events = CURL_WAIT_POLLIN };
	int running = 1, left, code = CURLE_OK;
	struct CURLMsg *msg;

	curl_multi_add_handle(h->multi, h->easy);
	while (!curl_multi_perform(h->multi, &running) && running) {
		if (h->should_stop && h->should_stop(h->ctx)) {
			code = -1;
			break;
		}
		wake.fd = h->wake_fd;
		if (curl_multi_poll(h->multi, &wake, h->wake_fd >= 0, 1000, NULL)) {
			code = CURLE_RECV_ERROR;
			break;
		}
	}
	while ((msg = curl_multi_info_read(h->multi, &left)))
		if (msg->msg == CURLMSG_DONE)
			code = (int)msg->data.result;
	curl_multi_remove_handle(h->multi, h->easy);
	return code;
}

enum http_end http__request(struct http *h, const char *url, int fd, uint64_t len)
{
	struct body body = { .fd = fd, .left = len };
	curl_off_t sent = 0, retry_after = 0;
	int code;

	strbuf__reset(&h->answer);
	h->error[0] = '\0';
	set_request(h, url, &body);
	code = perform(h);
	if (code == -1)
		return HTTP_STOPPED;
	h->status = 0;
	curl_easy_getinfo(h->easy, CURLINFO_RESPONSE_CODE, &h->status);
	curl_easy_getinfo(h->easy, CURLINFO_SIZE_UPLOAD_T, &sent);
	curl_easy_getinfo(h->easy, CURLINFO_RETRY_AFTER, &retry_after);
	h->retry_after_ms = retry_after > 0 ? (uint64_t)retry_after * 1000 : 0;
	/* A status that came whole is an answer, even if its text was cut. */
	if (code == CURLE_OK || h->status >= 200)
		return HTTP_ANSWERED;
	if (!h->error[0])
		snprintf(h->error, sizeof(h->error), "%s", curl_easy_strerror((CURLcode)code));
	return (uint64_t)sent < len || !len ? HTTP_NOT_SENT : HTTP_IN_DOUBT;
}
