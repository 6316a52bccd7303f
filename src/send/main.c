// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * bpfperf-send KIND DIR FD: sends the messages of a spool (export/spool.h) to the store at
 * $BPFPERF_SEND_URL, one after the other, and reports to bpfperf by the socket FD
 * (export/sender.h). bpfperf starts it; it ends with bpfperf.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <curl/curl.h>
#include <linux/capability.h>

#include "export/spool.h"
#include "send/http.h"
#include "send/store_kind.h"
#include "util/mono.h"

/* Between two attempts: doubled each time, from and to these. */
#define WAIT_MIN_MS 1000
#define WAIT_MAX_MS 60000
/* The longest wait that a server may ask for. */
#define RETRY_AFTER_MAX_MS 300000
/* A request that runs when bpfperf ends is waited for this long. */
#define ENDING_MS 5000
/* For an answer; $OTEL_EXPORTER_OTLP_TIMEOUT, in ms. */
#define TIMEOUT_MS 60000

struct send {
	const struct store_kind *kind;
	const char *url, *dir;
	int fd; /* the socket to bpfperf */
	struct http http;
	uint64_t wait_ms; /* the latest wait; 0: the last attempt succeeded */
	uint64_t wait_end_ns; /* CLOCK_MONOTONIC: no attempt before */
	bool is_ending; /* bpfperf has asked for a last attempt */
	uint64_t gone_ns; /* when bpfperf had ended; 0: it runs */
};

static void report(struct send *s, char letter, uint64_t samples, const char *text)
{
	char buf[1024];

	snprintf(buf, sizeof(buf), "%c %" PRIu64 " %s", letter, samples, text);
	send(s->fd, buf, strlen(buf), MSG_NOSIGNAL);
}

/* Reads what bpfperf has said. */
static void listen_to(struct send *s)
{
	char word;
	ssize_t len;

	while ((len = recv(s->fd, &word, 1, MSG_DONTWAIT)) == 1)
		s->is_ending |= word == 'q';
	if (!len && !s->gone_ns)
		s->gone_ns = mono_ns();
}

static bool should_stop(void *ctx)
{
	struct send *s = ctx;

	listen_to(s);
	if (s->gone_ns)
		s->http.wake_fd = -1;
	return s->gone_ns && mono_ns() - s->gone_ns > ENDING_MS * 1000000ull;
}

/* Puts the next attempt off: by the server's wish, or longer each time, by chance a half more. */
static void put_off(struct send *s, uint64_t samples, const char *why)
{
	uint16_t chance = 0;
	char text[900];

	s->wait_ms = !s->wait_ms ? WAIT_MIN_MS : s->wait_ms * 2;
	if (s->wait_ms > WAIT_MAX_MS)
		s->wait_ms = WAIT_MAX_MS;
	if (getrandom(&chance, sizeof(chance), 0) < 0)
		chance = (uint16_t)mono_ns();
	s->wait_end_ns = s->wait_ms + s->wait_ms * chance / 2 / UINT16_MAX;
	if (s->http.retry_after_ms)
		s->wait_end_ns = s->http.retry_after_ms < RETRY_AFTER_MAX_MS
					 ? s->http.retry_after_ms
					 : RETRY_AFTER_MAX_MS;
	snprintf(text, sizeof(text), "%s; next attempt in %.1f s", why,
		 (double)s->wait_end_ns / 1000);
	s->wait_end_ns = mono_ns() + s->wait_end_ns * 1000000;
	report(s, 'W', samples, text);
}

/* A message is done with. */
static void done(struct send *s, const struct spool_msg *msg, char letter, const char *text)
{
	spool__remove(s->dir, msg, SPOOL_SENDING);
	s->wait_ms = 0;
	report(s, letter, msg->samples, text);
}

/* A message is sent another time. */
static void again(struct send *s, const struct spool_msg *msg, const char *why)
{
	spool__move(s->dir, msg, SPOOL_SENDING, SPOOL_MSG);
	put_off(s, msg->samples, why);
}

/* A store that does not answer has a rest, lest all messages get lost in it. */
static void doubt(struct send *s, const struct spool_msg *msg)
{
	uint64_t wait_ms = s->wait_ms;

	done(s, msg, 'D', s->http.error);
	s->wait_ms = wait_ms;
	put_off(s, msg->samples, s->http.error);
}

/* Asks the store for a message. 1: it has it; 0: it has not; -1: it does not answer. */
static int ask(struct send *s, const struct spool_msg *msg)
{
	struct strbuf url = STRBUF_INIT;
	enum http_end end;

	s->kind->put_question(s->kind, &url, s->url, msg);
	end = http__request(&s->http, strbuf__cstr(&url), -1, 0);
	strbuf__free(&url);
	if (end == HTTP_ANSWERED && s->http.status != 200)
		snprintf(s->http.error, sizeof(s->http.error), "HTTP %ld %.300s", s->http.status,
			 strbuf__cstr(&s->http.answer));
	if (end != HTTP_ANSWERED || s->http.status != 200)
		return -1;
	return strtoull(strbuf__cstr(&s->http.answer), NULL, 10) > 0;
}

static void judge(struct send *s, const struct spool_msg *msg)
{
	struct strbuf text = STRBUF_INIT;

	switch (s->kind->judge(&s->http, &text)) {
	case VERDICT_SENT:
		done(s, msg, 'S', "");
		break;
	case VERDICT_REFUSED:
		done(s, msg, 'R', strbuf__cstr(&text));
		break;
	case VERDICT_PARTIAL:
		done(s, msg, 'P', strbuf__cstr(&text));
		break;
	case VERDICT_RETRY:
		/* The store may have it in spite of its answer: it will be asked. */
		if (s->kind->put_question)
			put_off(s, msg->samples, strbuf__cstr(&text));
		else
			again(s, msg, strbuf__cstr(&text));
		break;
	}
	strbuf__free(&text);
}

/* Makes one request with a message that is marked as being sent. */
static void request(struct send *s, const struct spool_msg *msg)
{
	char path[4200], name[SPOOL_NAME_SZ];
	struct strbuf url = STRBUF_INIT;
	enum http_end end;
	struct stat st;
	int fd;

	snprintf(path, sizeof(path), "%s/%s", s->dir, spool__name(msg, SPOOL_SENDING, name));
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0 || fstat(fd, &st)) {
		done(s, msg, 'R', "its file cannot be read");
		return;
	}
	s->kind->put_url(s->kind, &url, s->url, msg);
	end = http__request(&s->http, strbuf__cstr(&url), fd, (uint64_t)st.st_size);
	close(fd);
	strbuf__free(&url);
	if (end == HTTP_ANSWERED)
		judge(s, msg);
	else if (end == HTTP_NOT_SENT)
		again(s, msg, s->http.error);
	else if (end == HTTP_IN_DOUBT && s->kind->put_question)
		put_off(s, msg->samples, s->http.error);
	else if (end == HTTP_IN_DOUBT)
		doubt(s, msg);
}

/*
 * A message that was being sent: a store that can be asked is asked, else it is in doubt. true: it
 * is settled.
 */
static bool settle(struct send *s, const struct spool_msg *msg)
{
	int has = s->kind->put_question ? ask(s, msg) : -1;

	if (!s->kind->put_question)
		done(s, msg, 'D', "an earlier process ended before the answer came");
	else if (has > 0)
		done(s, msg, 'S', "");
	else if (!has)
		spool__move(s->dir, msg, SPOOL_SENDING, SPOOL_MSG);
	else
		put_off(s, msg->samples, s->http.error);
	return !s->kind->put_question || has >= 0;
}

/* Sends one message. false: there is none. */
static bool send_next(struct send *s)
{
	struct spool_msg msg;

	s->http.retry_after_ms = 0;
	while (!spool__oldest(s->dir, SPOOL_SENDING, &msg))
		if (!settle(s, &msg))
			return true;
	if (spool__oldest(s->dir, SPOOL_MSG, &msg))
		return false;
	/* bpfperf may have dropped it just now. */
	if (!spool__move(s->dir, &msg, SPOOL_MSG, SPOOL_SENDING))
		request(s, &msg);
	return true;
}

/* Waits for a word of bpfperf, or for the time of the next attempt. */
static void wait_for_work(struct send *s, bool is_idle)
{
	struct pollfd p = { .fd = s->fd, .events = POLLIN };
	uint64_t now = mono_ns();
	int ms = -1;

	if (!is_idle)
		ms = s->wait_end_ns > now ? (int)((s->wait_end_ns - now) / 1000000) + 1 : 0;
	poll(&p, 1, ms);
}

static void run(struct send *s)
{
	bool is_idle = false;

	while (!s->gone_ns) {
		bool was_ending = s->is_ending;

		listen_to(s);
		/* The last attempt is made at once. */
		if (s->is_ending && !was_ending)
			s->wait_ms = s->wait_end_ns = 0;
		if (!s->gone_ns && mono_ns() >= s->wait_end_ns)
			is_idle = !send_next(s);
		if (s->is_ending && (is_idle || s->wait_ms))
			return;
		if (is_idle || s->wait_ms)
			wait_for_work(s, is_idle);
	}
}

/* "KEY=VALUE,…" of $OTEL_EXPORTER_OTLP_HEADERS as header lines; values are percent-encoded. */
static void add_headers(struct send *s)
{
	const char *all = getenv("OTEL_EXPORTER_OTLP_HEADERS");
	char *copy = strdup(all ? all : ""), *save = NULL, *pair, *value, *text;
	char line[4096];

	for (pair = copy ? strtok_r(copy, ",", &save) : NULL; pair;
	     pair = strtok_r(NULL, ",", &save)) {
		value = strchr(pair, '=');
		if (!value)
			continue;
		*value++ = '\0';
		text = curl_easy_unescape(s->http.easy, value, 0, NULL);
		snprintf(line, sizeof(line), "%s: %s", pair + strspn(pair, " "), text ? text : "");
		if (!strpbrk(line, "\r\n"))
			http__header(&s->http, line, false);
		curl_free(text);
	}
	free(copy);
}

/* It talks to the network: it keeps no capability, and no way to get one. */
static void drop_privileges(void)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = { { 0 } };

	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	syscall(SYS_capset, &head, data);
	prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

static int open_http(struct send *s)
{
	const char *timeout = getenv("OTEL_EXPORTER_OTLP_TIMEOUT");
	const char *const *line;

	if (http__init(&s->http))
		return -ENOMEM;
	s->http.timeout_ms = timeout && atol(timeout) > 0 ? atol(timeout) : TIMEOUT_MS;
	s->http.wake_fd = s->fd;
	s->http.should_stop = should_stop;
	s->http.ctx = s;
	for (line = s->kind->headers; *line; line++)
		http__header(&s->http, *line, true);
	/* An answer to "Expect: 100-continue" would be waited for. */
	http__header(&s->http, "Expect:", true);
	add_headers(s);
	return 0;
}

int main(int argc, char **argv)
{
	struct send s = { .url = getenv("BPFPERF_SEND_URL") };

	if (argc == 2 && !strcmp(argv[1], "--version")) {
		printf("bpfperf-send %s, %s\n", BPFPERF_VERSION, curl_version());
		return fflush(stdout) ? 1 : 0;
	}
	s.kind = argc == 4 ? store_kind__find(argv[1]) : NULL;
	if (!s.kind || !s.url) {
		fprintf(stderr, "bpfperf-send: started by `bpfperf stack --to URL`; it has no use "
				"of its own\n");
		return 2;
	}
	s.dir = argv[2];
	s.fd = atoi(argv[3]);
	fcntl(s.fd, F_SETFD, FD_CLOEXEC);
	/* A key that stops bpfperf must not stop its last messages; bpfperf's end ends this. */
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	drop_privileges();
	if (open_http(&s))
		return 1;
	run(&s);
	http__free(&s.http);
	return 0;
}
