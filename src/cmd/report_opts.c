// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "cmd/report_opts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "decode/stack_dump.h"
#include "profile/profile_kinds.h"
#include "sink/formats.h"
#include "util/log.h"

/* perf report's limit: branches of callchains below this share are left out. */
#define CHAIN_MIN_PERCENT 0.5

static const struct {
	const char *name;
	enum hist_key key;
} sort_keys[] = {
	{ "comm", HIST_COMM },   { "dso", HIST_DSO },     { "sym", HIST_SYM },
	{ "symbol", HIST_SYM },  { "pid", HIST_PID },     { "tid", HIST_TID },
	{ "cpu", HIST_CPU },     { "event", HIST_EVENT }, { "srcline", HIST_SRCLINE },
	{ "trace", HIST_TRACE },
};

/* The columns of -F that are no sort keys, which come first in this order. */
static bool set_number_field(struct hist_config *cfg, const char *name, size_t len)
{
	if (cfg->key_cnt)
		return false;
	if (len == 8 && !memcmp(name, "overhead", len) && !cfg->has_samples && !cfg->has_period)
		cfg->no_share = false;
	else if (len == 6 && !memcmp(name, "sample", len) && !cfg->has_period)
		cfg->has_samples = true;
	else if (len == 6 && !memcmp(name, "period", len))
		cfg->has_period = true;
	else
		return false;
	return true;
}

static int set_keys(struct hist_config *cfg, const char *option, const char *arg, bool has_numbers)
{
	size_t i, len;

	cfg->key_cnt = 0;
	for (; *arg; arg += len + (arg[len] == ',')) {
		len = strcspn(arg, ",");
		if (has_numbers && set_number_field(cfg, arg, len))
			continue;
		for (i = 0; i < sizeof(sort_keys) / sizeof(*sort_keys); i++)
			if (strlen(sort_keys[i].name) == len &&
			    !memcmp(sort_keys[i].name, arg, len))
				break;
		if (i == sizeof(sort_keys) / sizeof(*sort_keys)) {
			log_error("%s %.*s: there is no such key; choose from %scomm, dso, sym, "
				  "pid, tid, cpu, event, srcline, trace",
				  option, (int)len, arg,
				  has_numbers ? "overhead, sample, period (in this order, first), "
					      : "");
			return -EINVAL;
		}
		if (hist__has_key(cfg, sort_keys[i].key))
			continue;
		cfg->keys[cfg->key_cnt++] = sort_keys[i].key;
	}
	if (cfg->key_cnt)
		return 0;
	log_error("%s needs a key: comm, dso, sym, pid, tid, cpu, event, srcline or trace", option);
	return -EINVAL;
}

static int set_sort(void *opts, const char *arg)
{
	return set_keys(&((struct report_opts *)opts)->hist, "-s", arg, false);
}

static int set_fields(void *opts, const char *arg)
{
	struct report_opts *o = opts;

	o->hist.is_by_fields = true;
	o->hist.no_share = true;
	return set_keys(&o->hist, "-F", arg, true);
}

static int set_percent(double *percent, const char *option, const char *arg, size_t len)
{
	char *end;

	*percent = strtod(arg, &end);
	if (len && end == arg + len && *percent >= 0 && *percent <= 100)
		return 0;
	log_error("%s %.*s: a percentage is a number from 0 to 100", option, (int)len, arg);
	return -EINVAL;
}

static int set_percent_limit(void *opts, const char *arg)
{
	struct report_opts *o = opts;
	int err = set_percent(&o->hist.min_percent, "--percent-limit", arg, strlen(arg));

	/* It is the limit of callchains, too, as in perf. */
	o->hist.chain_min_percent = o->hist.min_percent;
	o->has_chain_limit = true;
	return err;
}

/* Parses one word of -g: how chains are printed, where they begin, or their minimum share. */
static int set_graph_word(struct report_opts *o, const char *word, size_t len)
{
	static const char *const words[] = { "graph", "fractal", "none", "caller", "callee" };
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strlen(words[i]) == len && !memcmp(words[i], word, len))
			break;
	switch (i) {
	case 0:
	case 1:
		o->hist.is_fractal = i == 1;
		return 0;
	case 2:
		o->no_chains = true;
		return 0;
	case 3:
	case 4:
		o->hist.is_caller = i == 3;
		o->has_order = true;
		return 0;
	default:
		break;
	}
	o->has_chain_limit = true;
	if (*word >= '0' && *word <= '9')
		return set_percent(&o->hist.chain_min_percent, "-g", word, len);
	log_error("-g %.*s: choose from graph, fractal, none, caller, callee, or give the smallest "
		  "percentage",
		  (int)len, word);
	return -EINVAL;
}

static int set_graph(void *opts, const char *arg)
{
	size_t len;
	int err = 0;

	for (; arg && *arg && !err; arg += len + (arg[len] == ',')) {
		len = strcspn(arg, ",");
		err = set_graph_word(opts, arg, len);
	}
	return err;
}

static int set_percentage(void *opts, const char *arg)
{
	struct report_opts *o = opts;

	o->is_relative = !strcmp(arg, "relative");
	if (o->is_relative || !strcmp(arg, "absolute"))
		return 0;
	log_error("--percentage %s: choose absolute or relative", arg);
	return -EINVAL;
}

const struct opt report_opts[] = {
	{ 'i', "input", "FILE", "the recording; - is stdin (perf.data)", OPT_STR,
	  offsetof(struct report_opts, input), 0, 0, NULL, NULL },
	{ 's', "sort", "KEYS",
	  "sort by comm,dso,sym (default), pid, tid, cpu, event, srcline, trace", OPT_CALL, 0, 0, 0,
	  set_sort, NULL },
	{ 'F', "fields", "FIELDS", "only these columns: overhead, sample, period, keys of -s",
	  OPT_CALL, 0, 0, 0, set_fields, NULL },
	{ 'q', "quiet", NULL, "no comments: the lines of entries alone", OPT_FLAG,
	  offsetof(struct report_opts, quiet), 0, 0, NULL, NULL },
	{ 0, "header", NULL, "print the machine and the events of the recording first", OPT_FLAG,
	  offsetof(struct report_opts, header), 0, 0, NULL, NULL },
	{ 0, "header-only", NULL, "print the machine and the events of the recording alone",
	  OPT_FLAG, offsetof(struct report_opts, header_only), 0, 0, NULL, NULL },
	{ 0, "stats", NULL, "print only the number of records, by type and event", OPT_FLAG,
	  offsetof(struct report_opts, stats), 0, 0, NULL, NULL },
	{ 0, "tasks", NULL, "print only the threads of the recording, as a tree", OPT_FLAG,
	  offsetof(struct report_opts, tasks), 0, 0, NULL, NULL },
	{ 'g', "call-graph", "HOW",
	  "callchains: graph or fractal, none, caller or callee, smallest percentage (0.5)",
	  OPT_OPTCALL, 0, 0, 0, set_graph, NULL },
	{ 0, "annotate", "FUNC",
	  "print the instructions and the source of a function (*: of all), with shares; with -o "
	  "FILE.html as a pane of the page",
	  OPT_STR, offsetof(struct report_opts, annotate), 0, 0, NULL, NULL },
	{ 0, "children", NULL, "a function's share includes its callees (default with callchains)",
	  OPT_FLAG, offsetof(struct report_opts, children), 0, 0, NULL, NULL },
	{ 0, "no-children", NULL, "a function has only its own share", OPT_FLAG,
	  offsetof(struct report_opts, no_children), 0, 0, NULL, NULL },
	{ 0, "percent-limit", "PERCENT", "omit lines and branches with a smaller share", OPT_CALL,
	  0, 0, 0, set_percent_limit, NULL },
	{ 0, "inline", NULL, "name inlined functions in all callchains, not only in unwound ones",
	  OPT_FLAG, offsetof(struct report_opts, inlined), 0, 0, NULL, NULL },
	{ 0, "no-inline", NULL, "omit inlined functions", OPT_FLAG,
	  offsetof(struct report_opts, no_inline), 0, 0, NULL, NULL },
	{ 'n', "show-nr-samples", NULL, "print the number of samples of each row", OPT_FLAG,
	  offsetof(struct report_opts, hist.has_samples), 0, 0, NULL, NULL },
	{ 0, "show-total-period", NULL, "print the period of each row", OPT_FLAG,
	  offsetof(struct report_opts, hist.has_period), 0, 0, NULL, NULL },
	REPLAY_FILTER_OPTS(offsetof(struct report_opts, filter), 'd'),
	{ 0, "percentage", "OF",
	  "of all samples that --time and -C select (absolute, default), or of those that are shown "
	  "(relative)",
	  OPT_CALL, 0, 0, 0, set_percentage, NULL },
	REPLAY_FILES_OPTS(offsetof(struct report_opts, files)),
	ITRACE_OPT(offsetof(struct report_opts, itrace)),
	{ 0, "max-stack", "N", "number of innermost functions of a callchain (127)", OPT_U64,
	  offsetof(struct report_opts, max_stack), 1, STACK_MAX, NULL, NULL },
	{ 0, "no-demangle", NULL, "print names mangled, as the linker sees them", OPT_FLAG,
	  offsetof(struct report_opts, no_demangle), 0, 0, NULL, NULL },
	{ 'o', "output", "FILE", "write to FILE (- is stdout); its suffix chooses the format",
	  OPT_STR, offsetof(struct report_opts, output), 0, 0, NULL, NULL },
	{ 0, "format", "F", "stdio (default: as perf report's)" FORMAT_NAMES_MORE(PROFILE_FORMATS),
	  OPT_STR, offsetof(struct report_opts, format), 0, 0, NULL, NULL },
	{ 0, "stdio", NULL, "as --format stdio", OPT_FLAG, offsetof(struct report_opts, stdio), 0,
	  0, NULL, NULL },
	{ .long_name = "by",
	  .arg = "WHAT",
	  .help = "for formats except stdio: split stacks by comm (default), process, thread or "
		  "cpu",
	  .type = OPT_CHOICE,
	  .off = offsetof(struct report_opts, profile.by),
	  .choices = profile_by_names },
	{ .long_name = "kinds",
	  .arg = "LIST",
	  .help = "for formats except stdio: only " PROFILE_KIND_NAMES,
	  .type = OPT_CALL,
	  .off = offsetof(struct report_opts, profile.kinds),
	  .set = profile_kinds__set },
	OPT_END,
};

const struct opt_rule report_rules[] = {
	{ "annotate", "STDIO|PAGE",
	  "--annotate prints text, or goes into the page of a flame graph; omit --format, or give "
	  "-o FILE.html" },
	{ "annotate,STDIO,inline|max-stack|stdio|by|kinds|format", NULL,
	  "--annotate prints one function; options of the report's lines and of its formats are of no "
	  "use to it: omit them" },
	{ "annotate,sort|call-graph|children|no-children|percent-limit|show-total-period|"
	  "percentage|stats|tasks|header|header-only|fields",
	  NULL,
	  "--annotate prints one function; options of the report's lines and of its formats are of no "
	  "use to it: omit them" },
	{ "sort,fields", NULL, "-s and -F both choose the columns; give one" },
	{ "stats,tasks|header-only", NULL,
	  "--stats, --tasks and --header-only print something else each; give one" },
	{ "by|kinds,STDIO", NULL,
	  "--by and --kinds are for profiles, and --format stdio has the lines of perf report; give "
	  "--format tree, flat or another, too" },
	{ "tasks,header-only", NULL,
	  "--stats, --tasks and --header-only print something else each; give one" },
	{ NULL, NULL, NULL },
};

void report_opts__complete(struct report_opts *o, bool has_chains, bool are_tracepoints)
{
	static const enum hist_key by_default[] = { HIST_COMM, HIST_DSO, HIST_SYM };
	struct hist_config *cfg = &o->hist;

	/*
	 * perf report shows what happened: the place where tracepoint records were made says
	 * little.
	 */
	if (!cfg->key_cnt && are_tracepoints)
		cfg->keys[cfg->key_cnt++] = HIST_TRACE;
	if (!cfg->key_cnt) {
		memcpy(cfg->keys, by_default, sizeof(by_default));
		cfg->key_cnt = 3;
	}
	if (!o->has_chain_limit)
		cfg->chain_min_percent = CHAIN_MIN_PERCENT;
	/* Source lines are known for the sampled addresses only, not for their callers. */
	cfg->children = has_chains && !o->no_children && !hist__has_key(cfg, HIST_SRCLINE);
	cfg->has_chains = has_chains && !o->no_chains;
	if (!o->has_order)
		cfg->is_caller = cfg->children;
}
