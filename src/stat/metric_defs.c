// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "stat/metric_defs.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "host/cpuinfo.h"
#include "metrics_data.h"
#include "util/array.h"
#include "util/fs.h"
#include "util/json_read.h"
#include "util/log.h"
#include "util/strbuf.h"

/* Intel's largest file has 1,100; each name is looked for among all. */
#define METRICS_MAX 8192
#define FILE_MAX (64u << 20)
#define NAME_MAX_SZ 256
/* Bits of a MIDR that say which core it is, not which version of it (perf's mapfile.csv). */
#define MIDR_CORE 0xff0ffff0ull

static void metric_def__free(struct metric_def *def)
{
	free(def->name);
	free(def->expr);
	free(def->unit);
	free(def->group);
	free(def->description);
	free(def->constraint);
	free(def->cpus);
}

void metric_defs__free(struct metric_defs *defs)
{
	size_t i;

	for (i = 0; i < defs->cnt; i++)
		metric_def__free(&defs->at[i]);
	free(defs->at);
	*defs = (struct metric_defs){ 0 };
}

/* Passes ownership of def. */
static int push(struct metric_defs *defs, struct metric_def *def)
{
	int err = defs->cnt < METRICS_MAX ? array__reserve((void **)&defs->at, &defs->cap,
							   defs->cnt + 1, sizeof(*defs->at))
					  : -E2BIG;

	if (err)
		metric_def__free(def);
	else
		defs->at[defs->cnt++] = *def;
	return err;
}

/* ScaleUnit is a factor and a unit in one: "100%", "1e-6msec", "1per cycle". */
static int split_unit(struct metric_def *def)
{
	char *rest, *unit;

	def->scale = 1;
	if (!def->unit)
		return 0;
	rest = def->unit;
	/* strtod() would take "nanoseconds" and "infinite" for numbers. */
	if (strchr("0123456789.-", *rest))
		def->scale = strtod(def->unit, &rest);
	if (rest == def->unit)
		def->scale = 1;
	while (*rest == ' ')
		rest++;
	unit = strdup(rest);
	free(def->unit);
	def->unit = unit;
	return unit ? 0 : -ENOMEM;
}

static char **text_of(struct metric_def *def, const char *key)
{
	const struct {
		const char *key;
		char **text;
	} all[] = {
		{ "MetricName", &def->name },
		{ "MetricExpr", &def->expr },
		{ "ScaleUnit", &def->unit },
		{ "MetricGroup", &def->group },
		{ "BriefDescription", &def->description },
		{ "MetricConstraint", &def->constraint },
		{ "CPUs", &def->cpus },
	};
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (!strcmp(all[i].key, key))
			return all[i].text;
	return NULL;
}

/* Files of others: a terminal would obey control characters, and a line feed end a row. */
static void blank_controls(char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			*text = ' ';
}

/* Reads one object. -ENOMEM; a mistake is noted in j. */
static int read_def(struct json_read *j, struct metric_def *def, struct strbuf *key,
		    struct strbuf *value)
{
	char **text;

	if (!json_read__enter(j, '{'))
		return 0;
	while (json_read__next(j)) {
		if (!json_read__key(j, key))
			break;
		text = text_of(def, strbuf__cstr(key));
		if (!text || json_read__peek(j) != '"') {
			json_read__skip(j);
			continue;
		}
		if (!json_read__str(j, value))
			break;
		free(*text);
		*text = strdup(strbuf__cstr(value));
		if (!*text)
			return -ENOMEM;
		blank_controls(*text);
	}
	return split_unit(def);
}

static bool is_metric(const struct metric_def *def)
{
	/* A list of -M is split at commas, a line of CSV at the separator. */
	return def->name && def->expr && *def->name && *def->expr &&
	       strlen(def->name) < NAME_MAX_SZ && !strpbrk(def->name, ",;");
}

static int read_defs(struct metric_defs *defs, struct json_read *j)
{
	struct strbuf key = STRBUF_INIT, value = STRBUF_INIT;
	int err = 0;

	json_read__enter(j, '[');
	while (!err && json_read__next(j)) {
		struct metric_def def = { 0 };

		if (json_read__peek(j) != '{') {
			json_read__skip(j);
			continue;
		}
		err = read_def(j, &def, &key, &value);
		if (!err && !j->bad && is_metric(&def))
			err = push(defs, &def);
		else
			metric_def__free(&def);
	}
	strbuf__free(&key);
	strbuf__free(&value);
	return err;
}

int metric_defs__add_text(struct metric_defs *defs, const char *text, size_t len,
			  const char *origin)
{
	struct json_read j = json_read__of(text, len);
	size_t before = defs->cnt;
	int err = read_defs(defs, &j);

	if (err == -E2BIG)
		log_error("%s: more than %d metrics; give a part of it", origin, METRICS_MAX);
	else if (err)
		log_error("%s: %s", origin, strerror(-err));
	if (err)
		return err;
	if (j.bad)
		log_error("%s: no JSON at byte %zu; give an array of objects with MetricName and "
			  "MetricExpr, as in perf's pmu-events",
			  origin, (size_t)(j.at - text));
	else if (defs->cnt == before)
		log_error("%s: there is no metric in it; give an array of objects with MetricName "
			  "and MetricExpr, as in perf's pmu-events",
			  origin);
	return j.bad || defs->cnt == before ? -EINVAL : 0;
}

int metric_defs__add_file(struct metric_defs *defs, const char *path)
{
	size_t len;
	char *text = fs__read_file(path, &len);
	int err = text ? 0 : -errno;

	if (err)
		log_error("--metric-file %s: %s; give a file of perf's metrics in JSON", path,
			  strerror(-err));
	else if (len > FILE_MAX)
		log_error("--metric-file %s: it is larger than 64 MiB; give a part of it", path);
	if (!err)
		err = len > FILE_MAX ? -EFBIG : metric_defs__add_text(defs, text, len, path);
	free(text);
	return err;
}

int metric_defs__add_own(struct metric_defs *defs)
{
	size_t i;
	int err = 0;

	for (i = 0; i < sizeof(metrics_data) / sizeof(*metrics_data) && !err; i++)
		err = metric_defs__add_text(defs, metrics_data[i], strlen(metrics_data[i]),
					    "bpfperf's metrics");
	return err;
}

int metric_defs__add(struct metric_defs *defs, const char *name, size_t name_len, const char *expr)
{
	struct metric_def def = {
		.name = strndup(name, name_len), .expr = strdup(expr), .scale = 1, .is_users = true
	};

	if (def.name && def.expr)
		return push(defs, &def);
	metric_def__free(&def);
	return -ENOMEM;
}

bool metric_def__in_group(const struct metric_def *def, const char *group)
{
	size_t len = strlen(group);
	const char *at = def->group;

	while (at) {
		size_t one = strcspn(at, "; ");

		if (one == len && !strncasecmp(at, group, len))
			return true;
		at += one;
		at = *at ? at + 1 : NULL;
	}
	return false;
}

bool metric_def__is_for(const struct metric_def *def, const char *cpuid)
{
	char pattern[128];
	const char *at = def->cpus;

	if (!at)
		return true;
	while (*at) {
		size_t len = strcspn(at, " ");

		/* The stepping, behind another '-', is of no matter. */
		snprintf(pattern, sizeof(pattern), "%.*s", (int)len, at);
		if (!fnmatch(pattern, cpuid, 0))
			return true;
		snprintf(pattern, sizeof(pattern), "%.*s-*", (int)len, at);
		if (!fnmatch(pattern, cpuid, 0))
			return true;
		at += len + (at[len] == ' ');
	}
	return false;
}

void metric_defs__cpuid(char *buf, size_t sz)
{
	const char *forced = getenv("PERF_CPUID");
	char vendor[32];
	long midr;

	buf[0] = '\0';
	if (forced && *forced)
		snprintf(buf, sz, "%s", forced);
	else if (!fs__read_long("/sys/devices/system/cpu/cpu0/regs/identification/midr_el1", &midr))
		snprintf(buf, sz, "0x%016llx", (unsigned long long)midr & MIDR_CORE);
	else if (!cpuinfo__value("vendor_id", vendor, sizeof(vendor)))
		snprintf(buf, sz, "%s-%lu-%lX-%lX", vendor, cpuinfo__number("cpu family"),
			 cpuinfo__number("model"), cpuinfo__number("stepping"));
}
