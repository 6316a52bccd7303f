// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "export/schema.h"

#include <stdio.h>
#include <string.h>

#include "util/strbuf.h"

/* Members of all rows: sink/row_head.c. */
#define HEAD                                                                                       \
	"    batch String,           -- RUN-NUMBER of the message: a store is asked for it\n"      \
	"    time DateTime,          -- begin of the interval\n"                                   \
	"    begin_ns UInt64,        -- the same, and its end, ns since 1970\n"                    \
	"    end_ns UInt64,\n"                                                                     \
	"    host String,\n"                                                                       \
	"    labels Array(String),   -- KEY=VALUE of OTEL_RESOURCE_ATTRIBUTES, and of OTEL_CTX\n"

/* The members of sink/rows.c. */
#define SAMPLES                                                                                    \
	HEAD "    service String,         -- of the process itself, or unit of systemd\n"          \
	     "    cgroup String,\n"                                                                \
	     "    container String,       -- id\n"                                                 \
	     "    comm String,            -- name of the thread\n"                                 \
	     "    pid UInt32,             -- with --by process or thread, else 0\n"                \
	     "    tid UInt32,             -- with --by thread, else 0\n"                           \
	     "    event String,           -- of rows with lost samples: the cause\n"               \
	     "    unit String,            -- of weight: ns or count\n"                             \
	     "    samples UInt64,\n"                                                               \
	     "    weight UInt64,\n"                                                                \
	     "    lost UInt64,            -- samples lost, in rows of their own\n"                 \
	     "    stack Array(String)     -- functions, outermost first\n"

/* Members by export/stat_store.c. */
#define COUNTERS                                                                                   \
	HEAD "    event String,\n"                                                                 \
	     "    unit String,\n"                                                                  \
	     "    counted UInt8,          -- 0: why has the reason\n"                              \
	     "    value Float64,          -- growth in the interval\n"                             \
	     "    enabled_ns UInt64,\n"                                                            \
	     "    running_ns UInt64,      -- less: the value is extrapolated\n"                    \
	     "    cpu Int32,              -- -1: not of one CPU\n"                                 \
	     "    thread String,\n"                                                                \
	     "    cgroup String,\n"                                                                \
	     "    place String,           -- socket, core, node\n"                                 \
	     "    why String\n"

/* Members by export/span_store.c, for histograms. */
#define DURATIONS                                                                                  \
	HEAD "    pair String,\n"                                                                  \
	     "    name String,            -- syscalls:read\n"                                      \
	     "    keys Array(String),     -- FIELD=VALUE of --by\n"                                \
	     "    from_ns UInt64,         -- the bucket: 64 of equal width for a power of two\n"   \
	     "    to_ns UInt64,           -- its last ns\n"                                        \
	     "    durations UInt64,       -- number in the bucket\n"                               \
	     "    sum_ns UInt64,\n"                                                                \
	     "    lost UInt64             -- durations lost, in rows of their own\n"

#define SPANS                                                                                      \
	HEAD "    start_ns UInt64,        -- since 1970\n"                                         \
	     "    duration_ns UInt64,\n"                                                           \
	     "    pair String,\n"                                                                  \
	     "    comm String,            -- of the thread in which it ended\n"                    \
	     "    pid UInt32,\n"                                                                   \
	     "    tid UInt32,\n"                                                                   \
	     "    cpu UInt32,\n"                                                                   \
	     "    from_event String,\n"                                                            \
	     "    from_fields String,     -- JSON\n"                                               \
	     "    to_event String,\n"                                                              \
	     "    to_fields String        -- JSON\n"

static const struct {
	const char *name, *columns, *order;
} tables[] = {
	{ "bpfperf_samples", SAMPLES, "host, service, event, time" },
	{ "bpfperf_counters", COUNTERS, "host, event, time" },
	{ "bpfperf_durations", DURATIONS, "host, pair, name, time" },
	{ "bpfperf_spans", SPANS, "host, pair, time" },
};
#define TABLES (sizeof(tables) / sizeof(*tables))

static const char queries[] =
	"-- 3. Queries.\n"
	"-- Flame graph, folded (flamegraph.pl, speedscope, `bpfperf stack -i`):\n"
	"--   SELECT concat(comm, ';', arrayStringConcat(stack, ';')) AS path, sum(samples) AS n\n"
	"--   FROM bpfperf_samples\n"
	"--   WHERE time > now() - 3600 AND event = 'cpu-clock' AND lost = 0\n"
	"--   GROUP BY path ORDER BY path;\n"
	"-- Two releases (OTEL_RESOURCE_ATTRIBUTES=service.version=…), by innermost function:\n"
	"--   SELECT stack[-1] AS function,\n"
	"--     sumIf(samples, has(labels, 'service.version=1')) / (SELECT sum(samples)\n"
	"--       FROM bpfperf_samples WHERE has(labels, 'service.version=1')) AS before,\n"
	"--     sumIf(samples, has(labels, 'service.version=2')) / (SELECT sum(samples)\n"
	"--       FROM bpfperf_samples WHERE has(labels, 'service.version=2')) AS after\n"
	"--   FROM bpfperf_samples GROUP BY function ORDER BY abs(after - before) DESC LIMIT 20;\n"
	"-- The fleet's top functions:\n"
	"--   SELECT function, sum(samples) AS n, uniq(host) AS hosts FROM bpfperf_samples\n"
	"--   ARRAY JOIN arrayDistinct(stack) AS function\n"
	"--   WHERE time > now() - 86400 GROUP BY function ORDER BY n DESC LIMIT 50;\n"
	"-- Loss by host:\n"
	"--   SELECT host, sum(lost) AS lost, sum(samples) AS samples, lost / (lost + samples)\n"
	"--   FROM bpfperf_samples GROUP BY host ORDER BY lost DESC;\n"
	"-- A counter over time:\n"
	"--   SELECT time, host, sum(value) AS n FROM bpfperf_counters\n"
	"--   WHERE event = 'instructions' AND counted GROUP BY time, host ORDER BY time;\n"
	"-- Quantiles of the fleet, exact but for the width of a bucket (1/64):\n"
	"--   SELECT name, sum(durations) AS n,\n"
	"--     quantileExactWeighted(0.5)(to_ns, durations) AS p50,\n"
	"--     quantileExactWeighted(0.99)(to_ns, durations) AS p99\n"
	"--   FROM bpfperf_durations WHERE lost = 0 AND time > now() - 3600\n"
	"--   GROUP BY name ORDER BY sum(sum_ns) DESC;\n"
	"-- The slowest ones, with the fields of their events:\n"
	"--   SELECT toDateTime(intDiv(start_ns, 1000000000)) AS at, host, pair, comm, duration_ns,\n"
	"--     from_fields, to_fields FROM bpfperf_spans ORDER BY duration_ns DESC LIMIT 20;\n";

/* Puts lines, each behind `before`, which may make it a comment. */
static void put_lines(struct strbuf *sb, const char *before, const char *text)
{
	const char *end;

	for (; *text; text = end + 1) {
		end = strchr(text, '\n');
		strbuf__printf(sb, "%s%.*s\n", before, (int)(end - text), text);
	}
}

static void put_table(struct strbuf *sb, size_t idx, const char *before, const char *suffix,
		      const char *engine)
{
	strbuf__printf(sb, "%sCREATE TABLE IF NOT EXISTS %s%s\n%s(\n", before, tables[idx].name,
		       suffix, before);
	put_lines(sb, before, tables[idx].columns);
	strbuf__printf(sb, "%s)\n%sENGINE = %s\n", before, before, engine);
	strbuf__printf(sb, "%sPARTITION BY toYYYYMMDD(time)\n%sORDER BY (%s);\n", before, before,
		       tables[idx].order);
}

void schema__put(struct strbuf *sb)
{
	char engine[128];
	size_t i;

	strbuf__puts(sb,
		     "-- Tables for --to clickhouse+http://HOST:8123/?database=NAME: samples of "
		     "`bpfperf stack`, counters\n"
		     "-- of `bpfperf stat -I`, durations of `bpfperf latency`, and single ones, "
		     "spans, with its --min-us.\n\n"
		     "-- 1. One node.\n");
	for (i = 0; i < TABLES; i++)
		put_table(sb, i, "", "", "MergeTree");
	strbuf__puts(sb,
		     "\n-- 2. A cluster, in place of 1: on each node, with the cluster's name "
		     "for {cluster}.\n"
		     "--    A batch is on one shard, so that a message is there whole, or not at "
		     "all.\n");
	for (i = 0; i < TABLES; i++) {
		snprintf(engine, sizeof(engine),
			 "ReplicatedMergeTree('/clickhouse/tables/{shard}/%s', '{replica}')",
			 tables[i].name);
		put_table(sb, i, "-- ", "_local", engine);
		strbuf__printf(sb,
			       "-- CREATE TABLE IF NOT EXISTS %s AS %s_local\n"
			       "-- ENGINE = Distributed('{cluster}', currentDatabase(), %s_local,\n"
			       "--   cityHash64(batch));\n",
			       tables[i].name, tables[i].name, tables[i].name);
	}
	strbuf__puts(sb, "\n");
	strbuf__puts(sb, queries);
}
