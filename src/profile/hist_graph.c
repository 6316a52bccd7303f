// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "profile/hist_graph.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "profile/hist.h"
#include "util/log.h"

int hist_graph__set_percent(double *percent, const char *option, const char *arg, size_t len)
{
	char *end;

	*percent = strtod(arg, &end);
	if (len && end == arg + len && *percent >= 0 && *percent <= 100)
		return 0;
	log_error("%s %.*s: a percentage is a number from 0 to 100", option, (int)len, arg);
	return -EINVAL;
}

struct word {
	const char *name;
	/* Sets what the word stands for. 0, or -EINVAL (logged). */
	int (*set)(struct hist_graph *graph, struct hist_config *cfg, int value);
	int value;
};

static int set_style(struct hist_graph *graph, struct hist_config *cfg, int value)
{
	(void)graph;
	cfg->chain_style = (enum hist_chain_style)value;
	return 0;
}

static int set_none(struct hist_graph *graph, struct hist_config *cfg, int value)
{
	(void)cfg;
	graph->no_chains = value;
	return 0;
}

static int set_order(struct hist_graph *graph, struct hist_config *cfg, int value)
{
	cfg->is_caller = value;
	graph->has_order = true;
	return 0;
}

static int set_value(struct hist_graph *graph, struct hist_config *cfg, int value)
{
	(void)graph;
	cfg->chain_value = (enum hist_chain_value)value;
	return 0;
}

enum chain_key { KEY_FUNCTION, KEY_ADDRESS, KEY_OTHER };

static int set_key(struct hist_graph *graph, struct hist_config *cfg, int value)
{
	(void)graph;
	cfg->by_address = value == KEY_ADDRESS;
	if (value != KEY_OTHER)
		return 0;
	log_error("-g: callchains are told apart by their functions, or by address; omit branch "
		  "and srcline, and give -g address for lines, -b for branches");
	return -EINVAL;
}

static const struct word words[] = {
	{ "graph", set_style, HIST_CHAIN_GRAPH },
	{ "fractal", set_style, HIST_CHAIN_FRACTAL },
	{ "flat", set_style, HIST_CHAIN_FLAT },
	{ "folded", set_style, HIST_CHAIN_FOLDED },
	{ "none", set_none, true },
	{ "caller", set_order, true },
	{ "callee", set_order, false },
	{ "percent", set_value, HIST_CHAIN_PERCENT },
	{ "period", set_value, HIST_CHAIN_PERIOD },
	{ "count", set_value, HIST_CHAIN_COUNT },
	{ "function", set_key, KEY_FUNCTION },
	{ "address", set_key, KEY_ADDRESS },
	{ "srcline", set_key, KEY_OTHER },
	{ "branch", set_key, KEY_OTHER },
};

/* A first number is the smallest percentage, a second one how many branches are printed. */
static int set_number(struct hist_graph *graph, struct hist_config *cfg, const char *word,
		      size_t len)
{
	char *end;

	if (!graph->has_number) {
		graph->has_number = graph->has_limit = true;
		return hist_graph__set_percent(&cfg->chain_min_percent, "-g", word, len);
	}
	errno = 0;
	cfg->chain_limit = strtoull(word, &end, 10);
	if (end == word + len && cfg->chain_limit && !errno)
		return 0;
	log_error("-g %.*s: a second number is how many branches of a function are printed, 1 or "
		  "more",
		  (int)len, word);
	return -EINVAL;
}

static int set_word(struct hist_graph *graph, struct hist_config *cfg, const char *word, size_t len)
{
	size_t i;

	if (*word >= '0' && *word <= '9')
		return set_number(graph, cfg, word, len);
	for (i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strlen(words[i].name) == len && !memcmp(words[i].name, word, len))
			return words[i].set(graph, cfg, words[i].value);
	log_error("-g %.*s: choose from graph, fractal, flat, folded or none, caller or callee, "
		  "percent, period or count, function or address, and give the smallest percentage",
		  (int)len, word);
	return -EINVAL;
}

int hist_graph__set(struct hist_graph *graph, struct hist_config *cfg, const char *arg)
{
	size_t len;
	int err = 0;

	for (; arg && *arg && !err; arg += len + (arg[len] == ',')) {
		len = strcspn(arg, ",");
		err = set_word(graph, cfg, arg, len);
	}
	return err;
}
