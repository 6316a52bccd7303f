/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Definitions of metrics, in the JSON of perf's tables (kernel: tools/perf/pmu-events/arch): an
 * array of objects with MetricName, MetricExpr, and maybe MetricGroup, ScaleUnit, BriefDescription,
 * MetricConstraint. Other keys, and objects that are no metric, are ignored. A name may have
 * several definitions, for different PMUs. bpfperf's own tables are in src/stat/metrics; a key of
 * their own, CPUs, lists patterns of cpuid strings as perf's mapfile.csv has them.
 */
#ifndef BPFPERF_STAT_METRIC_DEFS_H
#define BPFPERF_STAT_METRIC_DEFS_H

#include <stdbool.h>
#include <stddef.h>

/* Texts are owned; NULL: not given. */
struct metric_def {
	char *name, *expr;
	char *unit; /* "%", "MB/s" */
	double scale; /* units per value of the expression */
	char *group; /* "TopdownL1;Branches" */
	char *description;
	char *constraint;
	char *cpus; /* NULL: any CPU */
	bool is_users; /* of -M name=expression */
	/* The machine has an event of this name, as far as has_asked: of metric_set. */
	bool has_asked, is_event;
};

/* Zeroed at first. */
struct metric_defs {
	struct metric_def *at;
	size_t cnt, cap;
};

/* Adds bpfperf's own tables. 0 or -errno (logged). */
int metric_defs__add_own(struct metric_defs *defs);
/* Adds the metrics of a file. 0 or -errno, -EINVAL: it has none, or is no such JSON (logged). */
int metric_defs__add_file(struct metric_defs *defs, const char *path);
/* Adds those of a text; origin: its name for messages. Like metric_defs__add_file(). */
int metric_defs__add_text(struct metric_defs *defs, const char *text, size_t len,
			  const char *origin);
/* Adds one, of name_len characters and an expression, as for -M name=expression. 0 or -ENOMEM. */
int metric_defs__add(struct metric_defs *defs, const char *name, size_t name_len, const char *expr);
void metric_defs__free(struct metric_defs *defs);

/* Is this one of the names in a list like "TopdownL1;Branches"? Case is ignored. */
bool metric_def__in_group(const struct metric_def *def, const char *group);
/* Is the definition for this CPU (of PERF_CPUID in the environment, else of the machine)? */
bool metric_def__is_for(const struct metric_def *def, const char *cpuid);
/*
 * Writes the machine's cpuid string as perf does: "GenuineIntel-6-55-4", or of arm64 the MIDR
 * without variant and revision; "" if it is unknown. PERF_CPUID in the environment comes first.
 */
void metric_defs__cpuid(char *buf, size_t sz);

#endif
