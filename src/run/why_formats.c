// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/why_formats.h"

#define RESULT_SINK(format, suffixes)                                                              \
	{                                                                                          \
		.name = format, .suffix = suffixes                                                 \
	}

static const struct sink_ops text_result = RESULT_SINK("text", ".txt .log .out");
static const struct sink_ops json_result = RESULT_SINK("json", ".json");
static const struct sink_ops html_result = RESULT_SINK("html", ".html .htm");
static const struct sink_ops *const sinks[] = { &text_result, &json_result, &html_result, NULL };
static const struct why_format *const formats[] = { &why_text, &why_json, &why_html };

const struct sink_ops *why_formats__choose(const char *format, const char *output)
{
	return sink__choose(sinks, format, output, &text_result);
}

const struct why_format *why_formats__of(const struct sink_ops *ops)
{
	size_t i = 0;

	while (sinks[i] != ops)
		i++;
	return formats[i];
}
