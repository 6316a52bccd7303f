// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "cmd/report_opts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "decode/stack_dump.h"
#include "profile/hist_keys.h"
#include "profile/profile_kinds.h"
#include "sink/branch_rows.h"
#include "sink/formats.h"
#include "sink/mem_rows.h"
#include "util/log.h"

/* perf report's limit: branches of callchains below this share are left out. */
#define CHAIN_MIN_PERCENT 0.5

/* Callers that are entries of the kernel, as in perf. */
#define PARENT_DEFAULT "^sys_|^do_page_fault"
#define QUANTUM_DEFAULT_NS 100000000ull

static int set_percent_limit(void *opts, const char *arg)
{
	struct report_opts *o = opts;
	int err = hist_graph__set_percent(&o->lines.hist.min_percent, "--percent-limit", arg,
					  strlen(arg));

	/* It is the limit of callchains, too, as in perf. */
	o->lines.hist.chain_min_percent = o->lines.hist.min_percent;
	o->graph.has_limit = true;
	return err;
}

static int set_graph(void *opts, const char *arg)
{
	struct report_opts *o = opts;

	return hist_graph__set(&o->graph, &o->lines.hist, arg);
}

const struct opt report_opts[] = {
	{ 'i', "input", "FILE", "the recording; - is stdin (perf.data)", OPT_STR,
	  offsetof(struct report_opts, input), 0, 0, NULL, NULL },
	{ 's', "sort", "KEYS", "sort by these, comm,dso,sym by default: " HIST_KEY_NAMES, OPT_CALL,
	  offsetof(struct report_opts, lines.hist), 0, 0, hist_keys__sort_by, NULL },
	{ 'p', "parent", "REGEX",
	  "sort by callers with such a name, too (extended regular expression)", OPT_CALL,
	  offsetof(struct report_opts, lines), 0, 0, hist_sink__set_parent, NULL },
	{ 'x', "exclude-other", NULL, "-p: only samples that have such a caller", OPT_FLAG,
	  offsetof(struct report_opts, lines.only_parents), 0, 0, NULL, NULL },
	{ 0, "ignore-callees", "REGEX", "callchains without the callees of such functions",
	  OPT_CALL, offsetof(struct report_opts, lines), 0, 0, hist_sink__set_ignored, NULL },
	{ 0, "time-quantum", "TIME", "-s time: spans of this length, also 10ms, 5us (100ms)",
	  OPT_SECONDS, offsetof(struct report_opts, lines.facts.quantum_ns), 0, 0, NULL, NULL },
	{ 't', "field-separator", "TEXT", "put this between columns; a dot stands for it in names",
	  OPT_CALL, offsetof(struct report_opts, lines), 0, 0, hist_sink__set_separator, NULL },
	{ 'F', "fields", "FIELDS",
	  "only these columns: keys of -s, numbers among them; +NUMBERS: these, too", OPT_CALL,
	  offsetof(struct report_opts, lines.hist), 0, 0, hist_keys__set_fields, NULL },
	{ 'w', "column-widths", "N,...",
	  "widths of the columns from the left; names are cut to them; 0: as wide as the content",
	  OPT_CALL, offsetof(struct report_opts, lines.hist), 0, 0, hist_keys__set_widths, NULL },
	{ 'q', "quiet", NULL, "no comments: the lines of entries alone", OPT_FLAG,
	  offsetof(struct report_opts, lines.is_quiet), 0, 0, NULL, NULL },
	{ 0, "header", NULL, "print the machine and the events of the recording first", OPT_FLAG,
	  offsetof(struct report_opts, header), 0, 0, NULL, NULL },
	{ 0, "header-only", NULL, "print the machine and the events of the recording alone",
	  OPT_FLAG, offsetof(struct report_opts, header_only), 0, 0, NULL, NULL },
	{ 'I', "show-info", NULL, "--header, --header-only: the parts of the machine, too",
	  OPT_FLAG, offsetof(struct report_opts, show_info), 0, 0, NULL, NULL },
	{ 'T', "threads", NULL,
	  "print the counts of record -s, too: those of each thread at its end", OPT_FLAG,
	  offsetof(struct report_opts, threads), 0, 0, NULL, NULL },
	{ 0, "stats", NULL, "print only the number of records, by type and event", OPT_FLAG,
	  offsetof(struct report_opts, stats), 0, 0, NULL, NULL },
	{ 0, "tasks", NULL, "print only the threads of the recording, as a tree", OPT_FLAG,
	  offsetof(struct report_opts, tasks), 0, 0, NULL, NULL },
	{ 0, "mmaps", NULL, "as --tasks, with the memory that each had mapped last", OPT_FLAG,
	  offsetof(struct report_opts, mmaps), 0, 0, NULL, NULL },
	{ 'g', "call-graph", "HOW",
	  "callchains: graph, fractal, flat, folded or none; caller or callee; percent, period or "
	  "count; function or address; smallest percentage (0.5), number of branches",
	  OPT_OPTCALL, 0, 0, 0, set_graph, NULL },
	{ 'G', "inverted", NULL, "callchains begin at the outermost function: -g caller", OPT_FLAG,
	  offsetof(struct report_opts, inverted), 0, 0, NULL, NULL },
	{ 0, "annotate", "FUNC",
	  "print the instructions and the source of a function (*: of all), with shares; with -o "
	  "FILE.html as a pane of the page",
	  OPT_STR, offsetof(struct report_opts, annotate), 0, 0, NULL, NULL },
	{ 'H', "hierarchy", NULL, "a tree: lines of a key below those of the key before it",
	  OPT_FLAG, offsetof(struct report_opts, lines.hist.is_hierarchy), 0, 0, NULL, NULL },
	{ 'b', "branch-stack", NULL,
	  "sum up the branches before the samples, in place of the samples", OPT_FLAG,
	  offsetof(struct report_opts, lines.hist.is_branches), 0, 0, NULL, NULL },
	{ 0, "total-cycles", NULL, "sum up the cycles of blocks of code between branches", OPT_FLAG,
	  offsetof(struct report_opts, lines.hist.is_blocks), 0, 0, NULL, NULL },
	{ 0, "mem-mode", NULL,
	  "samples are accesses of memory (record -d -W), and weigh as much as these took",
	  OPT_FLAG, offsetof(struct report_opts, lines.hist.is_memory), 0, 0, NULL, NULL },
	{ 0, "group", NULL, "all events side by side, also if none was recorded as a group",
	  OPT_FLAG, offsetof(struct report_opts, group), 0, 0, NULL, NULL },
	{ 0, "no-group", NULL, "the events of groups one after the other, not side by side",
	  OPT_FLAG, offsetof(struct report_opts, no_group), 0, 0, NULL, NULL },
	{ 0, "group-sort-idx", "N",
	  "order the lines of a group by its event N, 0 being the first (0)", OPT_U64,
	  offsetof(struct report_opts, lines.hist.sort_member), 0, HIST_GROUP_MAX, NULL, NULL },
	{ 0, "skip-empty", NULL, "omit events without samples (default)", OPT_FLAG,
	  offsetof(struct report_opts, skip_empty), 0, 0, NULL, NULL },
	{ 0, "no-skip-empty", NULL, "print the heading of events without samples, too", OPT_FLAG,
	  offsetof(struct report_opts, lines.hist.shows_empty), 0, 0, NULL, NULL },
	{ 0, "children", NULL, "a function's share includes its callees (default with callchains)",
	  OPT_FLAG, offsetof(struct report_opts, children), 0, 0, NULL, NULL },
	{ 0, "no-children", NULL, "a function has only its own share", OPT_FLAG,
	  offsetof(struct report_opts, no_children), 0, 0, NULL, NULL },
	{ 0, "percent-limit", "PERCENT", "omit lines and branches with a smaller share", OPT_CALL,
	  0, 0, 0, set_percent_limit, NULL },
	{ 0, "inline", NULL, "name inlined functions in all callchains, not only in unwound ones",
	  OPT_FLAG, offsetof(struct report_opts, lines.inlined), 0, 0, NULL, NULL },
	{ 0, "no-inline", NULL, "omit inlined functions", OPT_FLAG,
	  offsetof(struct report_opts, no_inline), 0, 0, NULL, NULL },
	{ 'n', "show-nr-samples", NULL, "print the number of samples of each row", OPT_FLAG,
	  offsetof(struct report_opts, lines.hist.has_samples), 0, 0, NULL, NULL },
	{ 0, "show-cpu-utilization", NULL, "print the shares in the kernel and in user space, too",
	  OPT_FLAG, offsetof(struct report_opts, lines.hist.has_modes), 0, 0, NULL, NULL },
	{ 0, "show-total-period", NULL, "print the period of each row", OPT_FLAG,
	  offsetof(struct report_opts, lines.hist.has_period), 0, 0, NULL, NULL },
	{ 'U', "hide-unresolved", NULL, "omit functions without a name, and their samples",
	  OPT_FLAG, offsetof(struct report_opts, lines.hist.hides_unresolved), 0, 0, NULL, NULL },
	{ 'v', "verbose", NULL, "print addresses before functions, and the paths of files",
	  OPT_FLAG, offsetof(struct report_opts, lines.hist.has_addresses), 0, 0, NULL, NULL },
	{ 0, "symbol-filter", "TEXT", "print only lines of functions with this in their names",
	  OPT_STR, offsetof(struct report_opts, lines.only.symbol_part), 0, 0, NULL, NULL },
	REPLAY_FILTER_OPTS(offsetof(struct report_opts, filter), 'd'),
	{ 0, "percentage", "OF",
	  "of all samples that --time and -C select (absolute, default), or of those that are shown "
	  "(relative)",
	  OPT_CALL, offsetof(struct report_opts, lines), 0, 0, hist_sink__set_percentage, NULL },
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

#define FOR_LINES                                                                                  \
	"--annotate prints one function; options of the report's lines and of its formats are of " \
	"no use to it: omit them"
const struct opt_rule report_rules[] = {
	{ "annotate", "STDIO|PAGE",
	  "--annotate prints text, or goes into the page of a flame graph; omit --format, or give "
	  "-o FILE.html" },
	{ "annotate,STDIO,inline|max-stack|stdio|by|kinds|format", NULL, FOR_LINES },
	{ "annotate,mem-mode|inverted|hide-unresolved|hierarchy|sort|parent|time-quantum|"
	  "field-separator|branch-stack|group|no-group|call-graph|children|no-children|"
	  "percent-limit|show-total-period|percentage|stats|tasks|mmaps|header|header-only|fields|"
	  "column-widths|show-cpu-utilization|group-sort-idx|no-skip-empty|symbol-filter|threads|"
	  "ignore-callees|verbose",
	  NULL, FOR_LINES },
	{ "show-info", "header|header-only",
	  "-I is for the head of a report; give --header or --header-only, too" },
	{ "verbose,branch-stack|mem-mode", NULL,
	  "-v has the addresses of samples, not of branches and data; script prints those; omit -v" },
	{ "exclude-other", "parent", "-x is for -p, which tells what a parent is; give both" },
	{ "hide-unresolved,branch-stack", NULL,
	  "-U is for samples, and -b sums up branches; omit one of them" },
	{ "hierarchy|mem-mode|hide-unresolved|group|no-group|parent|time-quantum|field-separator",
	  "STDIO",
	  "--hierarchy, --mem-mode, --group, --no-group, -U, -p, -t and --time-quantum are for the "
	  "lines of perf report; omit --format, or give --stdio" },
	{ "column-widths|show-cpu-utilization|group-sort-idx|no-skip-empty|symbol-filter|threads|"
	  "ignore-callees|verbose",
	  "STDIO",
	  "-w, --show-cpu-utilization, --group-sort-idx, --no-skip-empty, --symbol-filter, "
	  "--ignore-callees, -T and -v are for the lines of perf report; omit --format, or give --stdio" },
	{ "hierarchy,column-widths|symbol-filter|NUMBERS", NULL,
	  "--hierarchy has a level for each key, as wide as its names; omit -w, --symbol-filter "
	  "and numbers among the keys" },
	{ "symbol-filter", "SYM",
	  "--symbol-filter chooses lines by their functions; give -s sym, too" },
	{ "skip-empty,no-skip-empty", NULL,
	  "--skip-empty omits events without samples, --no-skip-empty prints them; give one" },
	{ "sort,fields", "ADDED", "-s and -F both choose the columns; give one" },
	{ "branch-stack", "STDIO",
	  "-b is for the lines of perf report; omit --format, or give --stdio; script --format autofdo "
	  "has branches, too" },
	{ "branch-stack,call-graph|children|parent|max-stack|inline|ignore-callees", NULL,
	  "-b sums up branches, and callchains are those of samples; omit options of callchains" },
	{ "total-cycles", "STDIO",
	  "--total-cycles is for the lines of perf report; omit --format, or give --stdio" },
	{ "total-cycles,sort|fields|field-separator|column-widths|hierarchy|show-nr-samples|"
	  "verbose|show-total-period|show-cpu-utilization|symbol-filter|group|mem-mode|annotate|"
	  "parent|hide-unresolved|call-graph|children|max-stack|inline|ignore-callees",
	  NULL,
	  "--total-cycles has columns of its own, of blocks of code; omit options of keys, columns "
	  "and callchains" },
	{ "hierarchy,fields", NULL,
	  "--hierarchy has a level for each key of -s; give -s KEYS in place of -F" },
	{ "hierarchy|mem-mode,children", NULL,
	  "--hierarchy and --mem-mode have the share of each function itself, as in perf; omit "
	  "--children" },
	{ "mem-mode,branch-stack", NULL,
	  "--mem-mode sums up accesses of memory, -b branches; give one of them" },
	{ "group,no-group", NULL,
	  "--group puts events side by side, --no-group one after the other; give one" },
	{ "stats|tasks|mmaps|header-only,threads", NULL,
	  "--stats, --tasks, --mmaps and --header-only print no samples, and -T prints counts "
	  "behind these; omit one of them" },
	{ "stats,tasks|mmaps|header-only", NULL,
	  "--stats, --tasks, --mmaps and --header-only print something else each; give one" },
	{ "by|kinds,STDIO", NULL,
	  "--by and --kinds are for profiles, and --format stdio has the lines of perf report; give "
	  "--format tree, flat or another, too" },
	{ "tasks|mmaps,header-only", NULL,
	  "--stats, --tasks, --mmaps and --header-only print something else each; give one" },
	{ NULL, NULL, NULL },
};

void report_opts__complete(struct report_opts *o, bool has_chains, bool are_tracepoints)
{
	static const enum hist_key by_default[] = { HIST_COMM, HIST_DSO, HIST_SYM };
	struct hist_config *cfg = &o->lines.hist;

	/*
	 * perf report shows what happened: the place where tracepoint records were made says
	 * little.
	 */
	cfg->is_branches |= cfg->is_blocks;
	if (!cfg->key_cnt && cfg->is_branches)
		branch_rows__add_keys(cfg);
	if (!cfg->key_cnt && cfg->is_memory)
		mem_rows__add_keys(cfg);
	if (!cfg->key_cnt && are_tracepoints)
		cfg->keys[cfg->key_cnt++] = HIST_TRACE;
	if (!cfg->key_cnt) {
		memcpy(cfg->keys, by_default, sizeof(by_default));
		cfg->key_cnt = 3;
	}
	if (o->lines.facts.parent && !hist__has_key(cfg, HIST_PARENT))
		cfg->keys[cfg->key_cnt++] = HIST_PARENT;
	if (!o->lines.facts.parent)
		o->lines.facts.parent = PARENT_DEFAULT;
	if (!o->lines.facts.quantum_ns)
		o->lines.facts.quantum_ns = QUANTUM_DEFAULT_NS;
	cfg->grouping = o->group      ? HIST_GROUPS_ALL
			: o->no_group ? HIST_GROUPS_NONE
				      : HIST_GROUPS_RECORDED;
	if (!o->graph.has_limit)
		cfg->chain_min_percent = CHAIN_MIN_PERCENT;
	/* Source lines are known for the sampled addresses only, not for their callers. */
	has_chains &= !cfg->is_branches;
	cfg->children = has_chains && !o->no_children && !hist__has_key(cfg, HIST_SRCLINE);
	cfg->has_chains = has_chains && !o->graph.no_chains;
	if (o->inverted)
		cfg->is_caller = true;
	else if (!o->graph.has_order)
		cfg->is_caller = cfg->children;
	cfg->children &= !cfg->is_hierarchy && !cfg->is_memory;
}
