// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "export/schema.h"

/* The members of the rows are those of sink/rows.c. */
/* Each line begins with `c`, which may make it a comment. */
#define COLUMNS(c)                                                                                 \
	c "(\n" c                                                                                  \
	  "    batch String,           -- RUN-NUMBER of the message: a store is asked for it\n" c  \
	  "    time DateTime,          -- begin of the interval\n" c                               \
	  "    begin_ns UInt64,        -- the same, and its end, ns since 1970\n" c                \
	  "    end_ns UInt64,\n" c "    host String,\n" c                                          \
	  "    labels Array(String),   -- KEY=VALUE of OTEL_RESOURCE_ATTRIBUTES\n" c               \
	  "    service String,         -- unit of systemd\n" c "    cgroup String,\n" c            \
	  "    container String,       -- id\n" c                                                  \
	  "    comm String,            -- name of the thread\n" c                                  \
	  "    pid UInt32,             -- with --by process or thread, else 0\n" c                 \
	  "    tid UInt32,             -- with --by thread, else 0\n" c                            \
	  "    event String,           -- of rows with lost samples: the cause\n" c                \
	  "    unit String,            -- of weight: ns or count\n" c "    samples UInt64,\n" c    \
	  "    weight UInt64,\n" c                                                                 \
	  "    lost UInt64,            -- samples lost, in rows of their own\n" c                  \
	  "    stack Array(String)     -- functions, outermost first\n" c ")\n"

#define ORDER(c) c "PARTITION BY toYYYYMMDD(time)\n" c "ORDER BY (host, service, event, time);\n"

const char schema__clickhouse[] =
	"-- Profiles of `bpfperf stack --to clickhouse+http://HOST:8123/?database=NAME`.\n"
	"\n"
	"-- 1. One node.\n"
	"CREATE TABLE IF NOT EXISTS bpfperf_samples\n" COLUMNS("") "ENGINE = MergeTree\n" ORDER(
		"") "\n"
		    "-- 2. A cluster, in place of 1: on each node, with the cluster's name for {cluster}.\n"
		    "--    A batch is on one shard, so that a message is there whole, or not at all.\n"
		    "-- CREATE TABLE IF NOT EXISTS bpfperf_samples_local\n" COLUMNS("-- ") "-- ENGINE = ReplicatedMergeTree('/clickhouse/tables/{shard}/bpfperf_samples', '{replica}')\n" ORDER(
			    "-- ") "-- CREATE TABLE IF NOT EXISTS bpfperf_samples AS bpfperf_samples_local\n"
				   "-- ENGINE = Distributed('{cluster}', currentDatabase(), bpfperf_samples_local,\n"
				   "--   cityHash64(batch));\n"
				   "\n"
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
				   "--   FROM bpfperf_samples GROUP BY host ORDER BY lost DESC;\n";
