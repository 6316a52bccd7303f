// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "profile/hist_keys.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "util/log.h"
#include "util/strbuf.h"

static const struct {
	const char *name;
	enum hist_key key;
} sort_keys[] = {
	{ "overhead", HIST_OVERHEAD },
	{ "overhead_sys", HIST_OVERHEAD_SYS },
	{ "overhead_us", HIST_OVERHEAD_US },
	{ "overhead_guest_sys", HIST_OVERHEAD_GUEST_SYS },
	{ "overhead_guest_us", HIST_OVERHEAD_GUEST_US },
	{ "overhead_children", HIST_OVERHEAD_CHILDREN },
	{ "sample", HIST_SAMPLES },
	{ "period", HIST_PERIOD },
	{ "comm", HIST_COMM },
	{ "dso", HIST_DSO },
	{ "sym", HIST_SYM },
	{ "symbol", HIST_SYM },
	{ "pid", HIST_PID },
	{ "tid", HIST_TID },
	{ "cpu", HIST_CPU },
	{ "event", HIST_EVENT },
	{ "srcline", HIST_SRCLINE },
	{ "trace", HIST_TRACE },
	{ "symbol_size", HIST_SYM_SIZE },
	{ "dso_size", HIST_DSO_SIZE },
	{ "parent", HIST_PARENT },
	{ "weight", HIST_WEIGHT },
	{ "local_weight", HIST_LOCAL_WEIGHT },
	{ "cgroup", HIST_CGROUP },
	{ "socket", HIST_SOCKET },
	{ "time", HIST_TIME },
	{ "ins_lat", HIST_INS_LAT },
	{ "local_ins_lat", HIST_LOCAL_INS_LAT },
	{ "srcfile", HIST_SRCFILE },
	{ "addr", HIST_ADDR },
	{ "code_page_size", HIST_CODE_PAGE_SIZE },
	{ "transaction", HIST_TRANSACTION },
	{ "mem", HIST_MEM },
	{ "locked", HIST_LOCKED },
	{ "tlb", HIST_TLB },
	{ "snoop", HIST_SNOOP },
	{ "blocked", HIST_BLOCKED },
	{ "symbol_daddr", HIST_SYM_DADDR },
	{ "dso_daddr", HIST_DSO_DADDR },
	{ "symbol_iaddr", HIST_SYM_IADDR },
	{ "phys_daddr", HIST_PHYS_DADDR },
	{ "dcacheline", HIST_DCACHELINE },
	{ "data_page_size", HIST_DATA_PAGE_SIZE },
	{ "dso_from", HIST_DSO_FROM },
	{ "dso_to", HIST_DSO_TO },
	{ "symbol_from", HIST_SYM_FROM },
	{ "symbol_to", HIST_SYM_TO },
	{ "srcline_from", HIST_SRCLINE_FROM },
	{ "srcline_to", HIST_SRCLINE_TO },
	{ "mispredict", HIST_MISPREDICT },
	{ "abort", HIST_ABORT },
	{ "in_tx", HIST_IN_TX },
	{ "cycles", HIST_CYCLES },
};

/* Keys of perf that a report does not have, and the remedy. */
static const struct {
	const char *name, *instead;
} refused[] = {
	{ "cgroup_id", "cgroup has the group by its path" },
	{ "p_stage_cyc", "processors of POWER alone have it; script -F weight prints weights" },
	{ "local_p_stage_cyc",
	  "processors of POWER alone have it; script -F weight prints weights" },
	{ "trace_fields", "trace has all fields in one column" },
};

static void log_unknown(const char *option, const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < sizeof(refused) / sizeof(*refused); i++) {
		if (strlen(refused[i].name) != len || memcmp(refused[i].name, name, len))
			continue;
		log_error("%s %s: not printed: %s", option, refused[i].name, refused[i].instead);
		return;
	}
	log_error("%s %.*s: there is no such key; choose from " HIST_KEY_NAMES, option, (int)len,
		  name);
}

/* Returns the position of a name of len bytes in sort_keys. SIZE_MAX (logged): there is none. */
static size_t find_key(const char *option, const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < sizeof(sort_keys) / sizeof(*sort_keys); i++)
		if (strlen(sort_keys[i].name) == len && !memcmp(sort_keys[i].name, name, len))
			return i;
	log_unknown(option, name, len);
	return SIZE_MAX;
}

static int add_key(struct hist_config *cfg, const char *option, const char *name, size_t len,
		   bool is_joined)
{
	size_t i = find_key(option, name, len);

	if (i == SIZE_MAX)
		return -EINVAL;
	if (hist__has_key(cfg, sort_keys[i].key))
		return 0;
	cfg->is_joined[cfg->key_cnt] = is_joined;
	cfg->keys[cfg->key_cnt++] = sort_keys[i].key;
	return 0;
}

/* Braces join keys in one level of a hierarchy, and mean nothing in other reports, as in perf. */
static int add_keys(struct hist_config *cfg, const char *option, const char *arg, bool may_join)
{
	bool is_joined = false, in_braces = false;
	uint32_t cnt;
	size_t len;
	int err = 0;

	for (; *arg && !err; arg += *arg == ',') {
		if (*arg == '{' && may_join && !in_braces) {
			in_braces = true;
			is_joined = false;
			arg++;
		}
		len = strcspn(arg, ",}");
		cnt = cfg->key_cnt;
		err = add_key(cfg, option, arg, len, is_joined);
		is_joined = in_braces && (is_joined || cfg->key_cnt > cnt);
		arg += len;
		if (*arg != '}')
			continue;
		if (!in_braces)
			break;
		in_braces = is_joined = false;
		arg++;
	}
	if (err || (!in_braces && *arg != '}'))
		return err;
	log_error("%s: each { needs one }; write {dso,sym}", option);
	return -EINVAL;
}

static int set_keys(struct hist_config *cfg, const char *option, const char *arg, bool may_join)
{
	int err;

	cfg->key_cnt = 0;
	memset(cfg->is_joined, 0, sizeof(cfg->is_joined));
	err = add_keys(cfg, option, arg, may_join);
	if (err || cfg->key_cnt)
		return err;
	log_error("%s needs a key: choose from " HIST_KEY_NAMES, option);
	return -EINVAL;
}

/* A word of perf's two shares in the list takes the share out of the order, as in perf. */
int hist_keys__sort_by(void *hist_config, const char *arg)
{
	struct hist_config *cfg = hist_config;

	cfg->keys_have_total = strstr(arg, "overhead_children");
	cfg->keys_have_share = strstr(arg, "overhead");
	return set_keys(cfg, "-s", arg, true);
}

/* Columns of numbers, which are printed before those of keys. */
static int add_columns(struct hist_config *cfg, const char *arg)
{
	size_t len, i;
	uint32_t a;

	for (; *arg; arg += len + (arg[len] == ',')) {
		len = strcspn(arg, ",");
		i = find_key("-F", arg, len);
		if (i == SIZE_MAX)
			return -EINVAL;
		if (sort_keys[i].key >= HIST_NUMBER_CNT) {
			log_error("-F +: numbers are added to the columns of -s, and %s is a key; "
				  "add it to -s",
				  sort_keys[i].name);
			return -EINVAL;
		}
		for (a = 0; a < cfg->added_cnt && cfg->added[a] != sort_keys[i].key; a++)
			;
		if (a == cfg->added_cnt)
			cfg->added[cfg->added_cnt++] = sort_keys[i].key;
	}
	return 0;
}

int hist_keys__set_fields(void *hist_config, const char *arg)
{
	struct hist_config *cfg = hist_config;

	cfg->added_cnt = 0;
	if (*arg == '+')
		return add_columns(cfg, arg + 1);
	cfg->is_by_fields = true;
	return set_keys(cfg, "-F", arg, false);
}

int hist_keys__set_widths(void *hist_config, const char *arg)
{
	struct hist_config *cfg = hist_config;
	const char *p = arg;
	unsigned long width;
	char *end;

	for (cfg->width_cnt = 0; cfg->width_cnt < HIST_MAX_KEYS; p = end + 1) {
		width = strtoul(p, &end, 10);
		if (*p < '0' || *p > '9' || width > HIST_MAX_WIDTH || (*end && *end != ','))
			break;
		cfg->widths[cfg->width_cnt++] = (uint32_t)width;
		if (!*end)
			return 0;
	}
	log_error("-w %s: give the widths of columns from the left, each 1 to %d, or 0 for that of "
		  "the widest cell, as in 10,0,20",
		  arg, HIST_MAX_WIDTH);
	return -EINVAL;
}

bool hist_keys__have_numbers(const struct hist_config *cfg)
{
	uint32_t i;

	for (i = 0; i < cfg->key_cnt; i++)
		if (cfg->keys[i] < HIST_NUMBER_CNT)
			return true;
	return false;
}

void hist_keys__put(const struct hist_config *cfg, struct strbuf *out)
{
	uint32_t i;
	size_t k;

	for (i = 0; i < cfg->key_cnt; i++) {
		for (k = 0; sort_keys[k].key != cfg->keys[i]; k++)
			;
		strbuf__printf(out, "%s%s", i ? "," : "", sort_keys[k].name);
	}
}
