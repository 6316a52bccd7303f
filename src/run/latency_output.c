// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/latency_output.h"

#include <string.h>

#include <linux/types.h>

#include "bpf/span_wire.h"
#include "session/span_maps.h"
#include "sink/sink.h"
#include "util/log.h"

/* Tables are made by a span_format; the sink has the output and its name. */
#define TABLE_SINK(format, suffixes)                                                               \
	{                                                                                          \
		.name = format, .suffix = suffixes                                                 \
	}
static const struct sink_ops text_table = TABLE_SINK("text", ".txt .log .out");
static const struct sink_ops json_table = TABLE_SINK("json", ".json");
static const struct sink_ops csv_table = TABLE_SINK("csv", ".csv");
static const struct sink_ops prometheus_table = TABLE_SINK("prometheus", ".prom");
static const struct sink_ops html_table = TABLE_SINK("html", ".html .htm");
static const struct sink_ops *const table_sinks[] = { &text_table,       &json_table, &csv_table,
						      &prometheus_table, &html_table, NULL };
/* Formats of --each: lines before the table, or a format of records, which has no table. */
static const struct sink_ops *each_sinks[8] = { &text_table, &json_table };
static const struct span_format *const formats[] = { &span_text, &span_json, &span_csv,
						     &span_prometheus, &span_html };

const struct span_format *latency_output__tables(const struct sink_ops *ops)
{
	size_t i;

	for (i = 0; table_sinks[i]; i++)
		if (table_sinks[i] == ops)
			return formats[i];
	return NULL;
}

const struct sink_ops *latency_output__choose(const char *format, const char *path, bool each)
{
	size_t i, cnt = 2;

	if (!each)
		return sink__choose(table_sinks, format, path, &text_table);
	for (i = 0; trace_sinks[i]; i++)
		if (strcmp(trace_sinks[i]->name, "text") && strcmp(trace_sinks[i]->name, "json"))
			each_sinks[cnt++] = trace_sinks[i];
	return sink__choose(each_sinks, format, path, &text_table);
}

void latency_output__account(const char *name, const struct span_account *a)
{
	log_note("%s: %llu starts: %llu ended, %llu were repeated, %llu had no end; %llu ends: "
		 "%llu had a start, %llu had none",
		 name, (unsigned long long)a->starts, (unsigned long long)a->matched,
		 (unsigned long long)a->overwritten, (unsigned long long)(a->waiting + a->gone),
		 (unsigned long long)a->ends, (unsigned long long)a->matched,
		 (unsigned long long)a->without_start);
	if (a->refused)
		log_warn("%s: %llu starts found no room, because more than %d waited for their "
			 "end; watch fewer by -p",
			 name, (unsigned long long)a->refused, WIRE_SPAN_STARTS);
	if (a->uncounted)
		log_warn("%s: %llu durations are in no row: there is room for %u rows and "
			 "buckets; use fewer fields of --by",
			 name, (unsigned long long)a->uncounted, span_maps__room());
}
