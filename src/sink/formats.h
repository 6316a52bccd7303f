/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The output formats: FIRST and NEXT get the name for --format, the struct sink_ops, and a remark
 * for --help. sink.c makes its tables from these lists, the commands the text of --help.
 * docs/howto-add-format.md describes how to add a format.
 */
#ifndef BPFPERF_SINK_FORMATS_H
#define BPFPERF_SINK_FORMATS_H

/* clang-format off */

/* Event streams (trace). */
#define TRACE_FORMATS(FIRST, NEXT) \
	FIRST("text", text_sink, " (default)") \
	NEXT("json", json_sink, "") \
	NEXT("csv", csv_sink, "") \
	NEXT("perfetto", perfetto_sink, "") \
	NEXT("perf", perf_sink, "")

/* Samples of a recording (script). */
#define SCRIPT_FORMATS(FIRST, NEXT) \
	FIRST("text", script_sink, " (default: the columns of perf script)") \
	NEXT("json", json_sink, "") \
	NEXT("csv", csv_sink, "") \
	NEXT("perfetto", perfetto_sink, "") \
	NEXT("autofdo", autofdo_sink, "") \
	NEXT("bolt", bolt_sink, "")

/* Counts, sums and histograms (trace --count, --sum, --hist, --by). */
#define AGG_FORMATS(FIRST, NEXT) \
	FIRST("text", agg_text_sink, "") \
	NEXT("json", agg_json_sink, "") \
	NEXT("csv", agg_csv_sink, "")

/* Profiles (stack, report). */
#define PROFILE_FORMATS(FIRST, NEXT) \
	FIRST("tree", tree_sink, " (default on a terminal)") \
	NEXT("folded", folded_sink, " (default elsewhere)") \
	NEXT("flame", flame_sink, "") \
	NEXT("pprof", pprof_sink, "") \
	NEXT("otlp", otlp_sink, "") \
	NEXT("speedscope", speedscope_sink, "") \
	NEXT("json", profile_json_sink, "") \
	NEXT("flat", flat_sink, "")

/* Profiles and recordings (stack). */
#define STACK_FORMATS(FIRST, NEXT) \
	PROFILE_FORMATS(FIRST, NEXT) \
	NEXT("perf", perf_sink, "")

/* clang-format on */

/* A list as text: "text (default), json, csv". */
#define FORMAT_HELP_FIRST(name, ops, remark) name remark
#define FORMAT_HELP_NEXT(name, ops, remark) ", " name remark
#define FORMAT_HELP(LIST) LIST(FORMAT_HELP_FIRST, FORMAT_HELP_NEXT)
/* The rest of a list, without remarks: ", tree, folded". */
#define FORMAT_NAMES_NEXT(name, ops, remark) ", " name
#define FORMAT_NAMES_MORE(LIST) LIST(FORMAT_NAMES_NEXT, FORMAT_NAMES_NEXT)

#endif
