// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "event/pmu.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "event/pmu_model.h"
#include "util/array.h"
#include "util/fs.h"

#define SYSFS_DIR "/sys/bus/event_source/devices"

static char *sysfs_dir;

void pmu__set_sysfs(const char *dir)
{
	free(sysfs_dir);
	sysfs_dir = dir ? strdup(dir) : NULL;
}

/* Builds the path below sysfs; false if it does not fit or a part would leave its directory. */
static bool make_path(char *path, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static bool make_path(char *path, const char *fmt, ...)
{
	int at = snprintf(path, PATH_MAX, "%s/", sysfs_dir ? sysfs_dir : SYSFS_DIR), len;
	va_list ap;

	if (at >= PATH_MAX)
		goto too_long;
	va_start(ap, fmt);
	len = vsnprintf(path + at, (size_t)(PATH_MAX - at), fmt, ap);
	va_end(ap);
	if (at + len >= PATH_MAX)
		goto too_long;
	return true;
too_long:
	errno = ENAMETOOLONG;
	return false;
}

/* True for the name of a directory entry that cannot lead out of the directory. */
static bool is_entry(const char *name)
{
	return name[0] && name[0] != '.' && !strchr(name, '/');
}

static int cmp_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The two kinds of files of an alias: its terms, and files that describe it. */
static bool is_alias_detail(const char *name)
{
	static const char *const endings[] = { ".scale", ".unit", ".per-pkg", ".snapshot" };
	const char *dot = strrchr(name, '.');
	size_t i;

	for (i = 0; dot && i < sizeof(endings) / sizeof(endings[0]); i++)
		if (!strcmp(dot, endings[i]))
			return true;
	return false;
}

/* Sets errno after a failed open: ENOENT is an answer only for a file that is not there. */
static void set_errno(const char *path)
{
	int err = errno;

	errno = err == ENOENT && !access(path, F_OK) ? EIO : err;
}

static int list_dir(const char *path, char ***names, size_t *cnt)
{
	DIR *dir = opendir(path);
	size_t cap = 0;
	struct dirent *de;
	int err = 0;

	*names = NULL;
	*cnt = 0;
	if (!dir) {
		set_errno(path);
		return -errno;
	}
	while (!err && (de = fs__next_entry(dir, &err))) {
		if (!is_entry(de->d_name) || is_alias_detail(de->d_name))
			continue;
		err = array__reserve((void **)names, &cap, *cnt + 1, sizeof(**names));
		if (err)
			break;
		(*names)[*cnt] = strdup(de->d_name);
		if (!(*names)[*cnt])
			err = -ENOMEM;
		else
			(*cnt)++;
	}
	closedir(dir);
	if (err) {
		pmu__free_names(*names, *cnt);
		*names = NULL;
		*cnt = 0;
	} else if (*cnt) {
		qsort(*names, *cnt, sizeof(**names), cmp_names);
	}
	return err;
}

int pmu__names(char ***names, size_t *cnt)
{
	char path[PATH_MAX];

	return make_path(path, ".") ? list_dir(path, names, cnt) : -errno;
}

int pmu__aliases(const char *name, char ***aliases, size_t *cnt)
{
	char path[PATH_MAX];
	int err;

	if (!is_entry(name) || !make_path(path, "%s/events", name))
		return -ENOENT;
	err = list_dir(path, aliases, cnt);
	return err == -ENOENT ? 0 : err;
}

void pmu__free_names(char **names, size_t cnt)
{
	size_t i;

	for (i = 0; i < cnt; i++)
		free(names[i]);
	free(names);
}

/* Reads the first line of a file of the PMU; NULL and errno, ENOENT if there is no such file. */
static char *read_line(const char *pmu, const char *dir, const char *file, const char *ending)
{
	char path[PATH_MAX], *text;

	if (!make_path(path, "%s/%s%s%s", pmu, dir, file, ending))
		return NULL;
	text = fs__read_file(path, NULL);
	if (text)
		text[strcspn(text, "\n")] = '\0';
	else
		set_errno(path);
	return text;
}

/* Reads the PMU's list of CPUs, NULL without such a file. 0 or -errno. */
static int read_cpus(const char *pmu, const char *file, char **cpus)
{
	*cpus = read_line(pmu, "", file, "");
	return *cpus || errno == ENOENT ? 0 : -errno;
}

bool pmu__has_file(const char *name, const char *file)
{
	char path[PATH_MAX];

	return is_entry(name) && make_path(path, "%s/%s", name, file) && !access(path, R_OK);
}

int pmu__read_number(const char *name, const char *file, int base, uint64_t *val)
{
	char *text, *end;
	int err = 0;

	if (!is_entry(name))
		return -ENOENT;
	text = read_line(name, file, "", "");
	if (!text)
		return -errno;
	errno = 0;
	*val = strtoull(text, &end, base);
	if (end == text || errno)
		err = -EINVAL;
	free(text);
	return err;
}

/* Parses "config1:0-7,21". */
static int parse_format(const char *text, struct pmu_format *format)
{
	static const char *const words[] = { "config:", "config1:", "config2:" };
	unsigned long from, to;
	char *end;
	size_t i;

	for (i = 0; i < 3; i++)
		if (!strncmp(text, words[i], strlen(words[i])))
			break;
	if (i == 3)
		return -EINVAL;
	format->word = (uint8_t)i;
	format->mask = 0;
	for (text += strlen(words[i]); *text; text = *end == ',' ? end + 1 : end) {
		from = to = strtoul(text, &end, 10);
		if (end == text)
			return -EINVAL;
		if (*end == '-') {
			text = end + 1;
			to = strtoul(text, &end, 10);
		}
		if (end == text || (*end && *end != ',') || from > to || to > 63)
			return -EINVAL;
		format->mask |= (~0ULL >> (63 - (to - from))) << from;
	}
	return format->mask ? 0 : -EINVAL;
}

static int load_formats(struct pmu *pmu)
{
	char path[PATH_MAX], **names = NULL, *text;
	size_t cnt = 0, i;
	int err;

	if (!make_path(path, "%s/format", pmu->name))
		return -errno;
	err = list_dir(path, &names, &cnt);
	if (err)
		return err == -ENOENT ? 0 : err;
	pmu->formats = calloc(cnt + 1, sizeof(*pmu->formats));
	if (!pmu->formats)
		err = -ENOMEM;
	for (i = 0; i < cnt && !err; i++) {
		struct pmu_format *format = &pmu->formats[pmu->format_cnt];

		text = read_line(pmu->name, "format/", names[i], "");
		if (!text)
			err = -errno;
		/* Unknown word (config3 of 6.3+): ignore the field. */
		if (text && !parse_format(text, format)) {
			format->name = names[i];
			names[i] = NULL;
			pmu->format_cnt++;
		}
		free(text);
	}
	pmu__free_names(names, cnt);
	return err;
}

struct pmu *pmu__load(const char *name)
{
	struct pmu *pmu;
	char path[PATH_MAX];
	long type;
	int err;

	if (pmu_model__is(name))
		return pmu_model__load(name);
	errno = ENOENT;
	if (!is_entry(name) || !make_path(path, "%s/type", name))
		return NULL;
	err = fs__read_long(path, &type);
	if (err) {
		errno = -err;
		set_errno(path);
		return NULL;
	}
	pmu = calloc(1, sizeof(*pmu));
	if (!pmu)
		return NULL;
	pmu->name = strdup(name);
	pmu->type = (uint32_t)type;
	pmu->is_core = type == PERF_TYPE_RAW || !strcmp(name, "cpu");
	err = pmu->name ? read_cpus(name, "cpumask", &pmu->cpus) : -ENOMEM;
	pmu->system_wide = pmu->cpus != NULL;
	/* The core PMUs of machines with different CPUs (and of arm64) list their CPUs. */
	if (!err && !pmu->cpus) {
		err = read_cpus(name, "cpus", &pmu->cpus);
		pmu->is_core |= pmu->cpus != NULL;
	}
	err = err ?: load_formats(pmu);
	if (err) {
		pmu__free(pmu);
		errno = -err;
		return NULL;
	}
	return pmu;
}

void pmu__free(struct pmu *pmu)
{
	size_t i;

	if (!pmu)
		return;
	for (i = 0; i < pmu->format_cnt; i++)
		free(pmu->formats[i].name);
	free(pmu->formats);
	free(pmu->cpus);
	free(pmu->name);
	free(pmu);
}

bool pmu__has_alias(const char *name, const char *alias)
{
	char path[PATH_MAX], *terms;

	if (pmu_model__is(name)) {
		terms = pmu_model__terms(alias);
		free(terms);
		return terms != NULL;
	}
	return is_entry(name) && is_entry(alias) && !is_alias_detail(alias) &&
	       make_path(path, "%s/events/%s", name, alias) && !access(path, R_OK);
}

char *pmu__alias_terms(const struct pmu *pmu, const char *alias)
{
	if (pmu_model__is(pmu->name))
		return pmu_model__terms(alias);
	errno = ENOENT;
	if (!is_entry(alias) || is_alias_detail(alias))
		return NULL;
	return read_line(pmu->name, "events/", alias, "");
}

int pmu__alias_unit(const struct pmu *pmu, const char *alias, struct event *ev)
{
	char *scale, *end;
	locale_t c;
	double val;

	if (pmu_model__is(pmu->name))
		return 0;
	scale = read_line(pmu->name, "events/", alias, ".scale");
	c = newlocale(LC_NUMERIC_MASK, "C", NULL);
	/* sysfs uses a decimal point in any locale. */
	if (scale && c) {
		val = strtod_l(scale, &end, c);
		if (end != scale)
			ev->scale = val;
	}
	if (c)
		freelocale(c);
	free(scale);
	free(ev->unit);
	errno = 0;
	ev->unit = read_line(pmu->name, "events/", alias, ".unit");
	return errno == ENOMEM ? -ENOMEM : 0;
}

const struct pmu_format *pmu__format(const struct pmu *pmu, const char *name)
{
	static const struct pmu_format words[] = {
		{ "config", 0, ~0ULL },
		{ "config1", 1, ~0ULL },
		{ "config2", 2, ~0ULL },
	};
	size_t i;

	for (i = 0; i < pmu->format_cnt; i++)
		if (!strcmp(pmu->formats[i].name, name))
			return &pmu->formats[i];
	for (i = 0; i < 3; i++)
		if (!strcmp(words[i].name, name))
			return &words[i];
	return NULL;
}

uint64_t pmu_format__max(const struct pmu_format *format)
{
	return ~0ULL >> (64 - __builtin_popcountll(format->mask));
}

void pmu_format__set(const struct pmu_format *format, struct event *ev, uint64_t val)
{
	uint64_t *words[] = { &ev->config, &ev->config1, &ev->config2 };
	uint64_t left = format->mask, bits = 0;

	for (; left; left &= left - 1, val >>= 1)
		if (val & 1)
			bits |= left & -left;
	*words[format->word] = (*words[format->word] & ~format->mask) | bits;
}

static int parse_u64(const char *s, uint64_t *val)
{
	bool is_hex = s[0] == '0' && (s[1] == 'x' || s[1] == 'X');
	char *end;

	if (!isdigit((unsigned char)*s))
		return -EINVAL;
	errno = 0;
	/* perf does not take a leading 0 as octal. */
	*val = strtoull(s, &end, is_hex ? 16 : 10);
	return *end || errno ? -EINVAL : 0;
}

int pmu__set_field(const struct pmu *pmu, struct event *ev, const char *key, const char *text)
{
	const struct pmu_format *format = pmu__format(pmu, key);
	uint64_t val = 1;

	if (!format)
		return -ENOENT;
	/* A field of one bit is a switch: its name alone sets it. */
	if (!text && pmu_format__max(format) > 1)
		return -EDOM;
	if (text && parse_u64(text, &val))
		return -EINVAL;
	if (val > pmu_format__max(format))
		return -ERANGE;
	pmu_format__set(format, ev, val);
	return 0;
}
