// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "export/store.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "export/intervals.h"
#include "export/resource.h"
#include "sink/out.h"
#include "sink/sink.h"
#include "util/log.h"

extern const struct sink_ops otlp_gzip_sink, pprof_sink, rows_sink;

/* The last messages are waited for this long. */
#define FINISH_MS 10000
/* The spool leaves this much of its disk free. */
#define DISK_FREE (1ull << 20)

static const struct kind {
	const char *prefix; /* of http: or https: in the URL */
	const char *path; /* what an address without a path stands for */
	const char *suffix; /* an address that ends so is of this kind without the prefix */
	const char *name; /* for bpfperf-send */
	const struct sink_ops *ops;
} kinds[] = {
	{ "otlp+", "/v1development/profiles", "/v1development/profiles", "otlp", &otlp_gzip_sink },
	{ "pprof+", "/ingest", "/ingest", "pprof", &pprof_sink },
	{ "pyroscope+", "/ingest", NULL, "pprof", &pprof_sink },
	{ "clickhouse+", "/", NULL, "clickhouse", &rows_sink },
};

/* By enum store_data. */
static const struct {
	const char *what; /* is counted in messages */
	const char *path; /* of OTLP's address; NULL: OTLP does not take it */
	const char *rows; /* for bpfperf-send: the kind of ClickHouse with the table */
} contents[] = {
	[STORE_PROFILES] = { "samples", "/v1development/profiles", "clickhouse" },
	[STORE_COUNTS] = { "counts", "/v1/metrics", "clickhouse-counters" },
	[STORE_DURATIONS] = { "durations", "/v1/metrics", "clickhouse-durations" },
	[STORE_SPANS] = { "durations", NULL, "clickhouse-spans" },
};

static bool is_http(const char *url)
{
	return !strncmp(url, "http://", 7) || !strncmp(url, "https://", 8);
}

/* The path of an address: from the first slash behind the host on. */
static const char *path_of(const char *url)
{
	const char *host = strstr(url, "://") + 3;

	return host + strcspn(host, "/?#");
}

static bool ends_with(const char *url, const char *suffix)
{
	const char *path = path_of(url);
	size_t len = strcspn(path, "?#"), n = strlen(suffix);

	return len >= n && !strncmp(path + len - n, suffix, n);
}

/* The kind of a URL, and its address. NULL: none. */
static const struct kind *kind_of(const char *url, const char **address)
{
	size_t i, n;

	for (i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		n = strlen(kinds[i].prefix);
		if (!strncmp(url, kinds[i].prefix, n) && is_http(url + n)) {
			*address = url + n;
			return &kinds[i];
		}
	}
	*address = url;
	if (!is_http(url))
		return NULL;
	for (i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (kinds[i].suffix && ends_with(url, kinds[i].suffix))
			return &kinds[i];
	return &kinds[0];
}

const struct sink_ops *store__format(const char *url)
{
	const char *address;
	const struct kind *kind = kind_of(url, &address);

	if (kind && path_of(address) > strstr(address, "://") + 3)
		return kind->ops;
	/* An address that is not configured yet, as in a new service. */
	if (!*url)
		log_error("--to has an empty address; give that of a store, as http://HOST:4318 "
			  "(bpfperf.service: BPFPERF_TO in /etc/default/bpfperf)");
	else
		log_error(
			"--to %s: no store has such an address; give http://HOST:4318 (OTLP), "
			"pprof+http://HOST:4040 (Pyroscope), clickhouse+http://HOST:8123, or https",
			url);
	return NULL;
}

/* Appends the labels of Pyroscope: the name of the application, and the host. */
static void put_app(const struct store_config *cfg, struct strbuf *url)
{
	const char *name = resource__get(cfg->resource, "service.name");
	struct strbuf app = STRBUF_INIT;
	size_t i;

	strbuf__printf(&app, "%s{", name ? name : "bpfperf");
	if (cfg->host)
		strbuf__printf(&app, "hostname=%s", cfg->host);
	for (i = 0; cfg->resource->attrs[i]; i += 2)
		if (strcmp(cfg->resource->attrs[i], "service.name") != 0)
			strbuf__printf(&app, "%s%s=%s", app.buf[app.len - 1] == '{' ? "" : ",",
				       cfg->resource->attrs[i], cfg->resource->attrs[i + 1]);
	strbuf__putc(&app, '}');
	strbuf__puts(url, strchr(strbuf__cstr(url), '?') ? "&name=" : "?name=");
	for (i = 0; i < app.len; i++)
		strbuf__printf(url, "%%%02X", (unsigned char)app.buf[i]);
	strbuf__puts(url, "&format=pprof&spyName=bpfperf");
	strbuf__free(&app);
}

bool store__is_url(const char *text)
{
	const char *address;

	return kind_of(text, &address);
}

bool store__takes(const char *url, enum store_data data)
{
	const struct sink_ops *ops = store__format(url);

	if (!ops || data == STORE_PROFILES || ops == &rows_sink ||
	    (ops == &otlp_gzip_sink && contents[data].path))
		return ops;
	if (contents[data].path)
		log_error("--to %s: Pyroscope has profiles alone; give http://HOST:4318 (OTLP) or "
			  "clickhouse+http://HOST:8123",
			  url);
	else
		log_error("--to %s: single durations are rows of a table; give "
			  "clickhouse+http://HOST:8123, or omit --each and --min-us",
			  url);
	return false;
}

/* Makes the address from that of the user. */
static void put_url(const struct kind *kind, const char *address, const struct store_config *cfg,
		    struct strbuf *url)
{
	const char *path = path_of(address);
	const char *own = kind->ops == &otlp_gzip_sink ? contents[cfg->data].path : kind->path;
	size_t len = strcspn(path, "?#");

	strbuf__add(url, address, (size_t)(path - address));
	/* An address with a path of its own is the base of the path, as OpenTelemetry has it. */
	while (len && path[len - 1] == '/')
		len--;
	strbuf__add(url, path, len);
	if (!ends_with(address, own))
		strbuf__puts(url, own);
	path += strcspn(path, "?#");
	strbuf__add(url, path, strcspn(path, "#"));
	if (kind->ops == &pprof_sink && !strstr(path, "name="))
		put_app(cfg, url);
}

/* The directory of the system for a service, for root, and for a user. NULL: none. */
static char *default_dir(void)
{
	const char *state = getenv("STATE_DIRECTORY"), *home = getenv("HOME"), *tail = "/spool";
	const char *xdg = getenv("XDG_STATE_HOME");
	char *dir;

	if (!state || !*state) {
		state = geteuid() ? xdg : "/var/lib/bpfperf";
		tail = geteuid() ? "/bpfperf/spool" : "/spool";
	}
	if (!state || !*state) {
		state = home && *home ? home : "/tmp";
		tail = "/.local/state/bpfperf/spool";
	}
	return asprintf(&dir, "%s%s", state, tail) < 0 ? NULL : dir;
}

/* Messages that earlier processes left behind are sent now. */
static void tell_left(const struct store *s)
{
	struct spool_sum left, doubt;
	time_t killed_at = (time_t)s->spool.killed_at;
	char when[32];
	struct tm tm;

	if (killed_at && gmtime_r(&killed_at, &tm) && strftime(when, sizeof(when), "%FT%TZ", &tm))
		log_note("--to: an earlier run was killed: its samples since %s, of one interval "
			 "at most, are lost",
			 when);
	spool__sum(s->spool.dir, SPOOL_MSG, &left);
	spool__sum(s->spool.dir, SPOOL_SENDING, &doubt);
	if (left.messages)
		log_note("--to: an earlier run has left %" PRIu64 " messages with %" PRIu64
			 " samples in the spool, which are sent first",
			 left.messages, left.samples);
	if (doubt.messages)
		log_note("--to: an earlier run ended while a message with %" PRIu64
			 " samples was sent",
			 doubt.samples);
}

int store__open(struct store *s, const struct store_config *cfg)
{
	const char *address;
	const struct kind *kind = kind_of(cfg->url, &address);
	struct strbuf key = STRBUF_INIT;
	char *dir = NULL;
	int err;

	memset(s, 0, sizeof(*s));
	s->spool.lock_fd = s->sender.fd = -1;
	s->what = contents[cfg->data].what;
	s->is_rows = kind->ops == &rows_sink;
	put_url(kind, address, cfg, &s->url);
	s->sender.kind = s->is_rows ? contents[cfg->data].rows : kind->name;
	s->sender.url = strbuf__cstr(&s->url);
	s->sender.spool = &s->spool;
	err = sender__find(&s->sender);
	if (err)
		return err;
	if (!cfg->spool_dir)
		dir = default_dir();
	/* A message of an earlier run is sent by this one: both have the same table. */
	if (s->is_rows && cfg->data != STORE_PROFILES)
		strbuf__puts(&key, s->sender.kind);
	strbuf__puts(&key, s->sender.url);
	err = spool__open(&s->spool, dir ? dir : cfg->spool_dir, strbuf__cstr(&key),
			  cfg->spool_sz ? cfg->spool_sz : STORE_SPOOL_DEFAULT);
	strbuf__free(&key);
	free(dir);
	if (err)
		return err;
	tell_left(s);
	return sender__start(&s->sender);
}

void store__free(struct store *s)
{
	if (s->sender.fd >= 0)
		close(s->sender.fd);
	if (s->spool.dir)
		spool__close(&s->spool);
	strbuf__free(&s->url);
}

static bool is_disk_full(const char *dir)
{
	struct statvfs fs;

	return !statvfs(dir, &fs) && (uint64_t)fs.f_bavail * fs.f_frsize < DISK_FREE;
}

int store__begin_interval(void *ctx, struct interval *iv, struct out *out)
{
	struct store *s = ctx;
	char name[SPOOL_NAME_SZ];

	s->msg = (struct spool_msg){ .seq = s->spool.next_seq++,
				     .samples = iv->samples,
				     .lost = iv->lost,
				     .begin_ns = iv->begin_real_ns,
				     .end_ns = iv->end_real_ns,
				     .run = s->spool.run };
	snprintf(iv->batch, sizeof(iv->batch), "%" PRIx64 "-%" PRIu64, s->msg.run, s->msg.seq);
	while (is_disk_full(s->spool.dir) && spool__drop(&s->spool, 0, true, &s->dropped))
		;
	snprintf(s->path, sizeof(s->path), "%s/%s", s->spool.dir,
		 spool__name(&s->msg, SPOOL_TMP, name));
	return out__open(out, s->path);
}

int store__end_interval(void *ctx, const struct interval *iv, int err)
{
	struct store *s = ctx;

	spool__note(&s->spool);
	if (!iv->samples && !iv->lost)
		return 0;
	if (!err)
		err = spool__move(s->spool.dir, &s->msg, SPOOL_TMP, SPOOL_MSG);
	/* The run goes on without these samples, which are counted. */
	if (err) {
		unlink(s->path);
		s->failed.messages++;
		s->failed.samples += iv->samples;
		log_warn("--to: a message with %" PRIu64 " samples is lost: %s", iv->samples,
			 strerror(-err));
		return 0;
	}
	s->lost += iv->lost;
	s->written.messages++;
	s->written.samples += iv->samples;
	spool__drop(&s->spool, 0, false, &s->dropped);
	sender__wake(&s->sender);
	return 0;
}

static void put_sum(const struct store *s, struct strbuf *sb, const struct spool_sum *sum,
		    const char *text)
{
	if (sum->messages)
		strbuf__printf(sb, ", %" PRIu64 " %s %s", sum->samples, s->what, text);
}

void store__finish(struct store *s)
{
	const struct send_counts *c = &s->sender.counts;
	struct strbuf sb = STRBUF_INIT;
	struct spool_sum left, sending;

	sender__finish(&s->sender, FINISH_MS);
	spool__sum(s->spool.dir, SPOOL_MSG, &left);
	spool__sum(s->spool.dir, SPOOL_SENDING, &sending);
	left.samples += sending.samples;
	left.messages += sending.messages;
	put_sum(s, &sb, &c->refused, "refused by the store");
	put_sum(s, &sb, &c->in_doubt, "in doubt (sent, and not answered)");
	put_sum(s, &sb, &s->dropped, "dropped, as the spool was full");
	put_sum(s, &sb, &s->failed, "lost, as the spool could not be written");
	put_sum(s, &sb, &left, "left in the spool for the next run");
	log_note("--to: %" PRIu64 " messages with %" PRIu64 " %s sent%s", c->sent.messages,
		 c->sent.samples, s->what, strbuf__cstr(&sb));
	strbuf__free(&sb);
}
