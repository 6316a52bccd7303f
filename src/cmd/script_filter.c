// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "cmd/script_filter.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "decode/sample.h"
#include "util/log.h"

#define NSEC_PER_SEC 1000000000ull

/*
 * Parses "12.5" as nanoseconds, exactly: a double has too few digits for the nanoseconds of an
 * uptime.
 */
static bool parse_seconds(const char *p, size_t len, uint64_t *ns)
{
	uint64_t sec = 0, frac = 0, unit = NSEC_PER_SEC;
	const char *end = p + len;

	if (!len || len > 20)
		return false;
	for (; p < end && isdigit((unsigned char)*p); p++)
		sec = sec * 10 + (uint64_t)(*p - '0');
	if (p < end && *p++ != '.')
		return false;
	for (; p < end && isdigit((unsigned char)*p); p++) {
		unit /= 10;
		frac += unit * (uint64_t)(*p - '0');
	}
	*ns = sec * NSEC_PER_SEC + frac;
	return p == end && sec < UINT64_MAX / NSEC_PER_SEC;
}

int script_filter__set_time(void *filter, const char *arg)
{
	struct script_filter *f = filter;
	size_t len = strcspn(arg, ",");
	const char *to = arg[len] ? arg + len + 1 : "";

	f->from_ns = f->to_ns = 0;
	if ((!len || parse_seconds(arg, len, &f->from_ns)) &&
	    (!*to || (parse_seconds(to, strlen(to), &f->to_ns) && f->to_ns)) && (len || *to) &&
	    (!f->to_ns || f->from_ns <= f->to_ns))
		return 0;
	log_error("--time %s: give FROM,TO in seconds of the recording's clock, as its lines show "
		  "them; either may be omitted",
		  arg);
	return -EINVAL;
}

int script_filter__set_ids(struct script_ids *ids, const char *option, const char *arg)
{
	const char *p = arg;
	unsigned long id;
	char *end;

	for (ids->cnt = 0; ids->cnt < SCRIPT_FILTER_IDS; p = end + 1) {
		id = strtoul(p, &end, 10);
		if (end == p || !isdigit((unsigned char)*p) || id > INT32_MAX ||
		    (*end && *end != ','))
			break;
		ids->ids[ids->cnt++] = (uint32_t)id;
		if (!*end)
			return 0;
	}
	log_error("%s %s: give numbers separated by commas, %d at most", option, arg,
		  SCRIPT_FILTER_IDS);
	return -EINVAL;
}

static bool has_id(const struct script_ids *ids, uint32_t id)
{
	size_t i;

	for (i = 0; i < ids->cnt; i++)
		if (ids->ids[i] == id)
			return true;
	return !ids->cnt;
}

static bool has_name(const char *names, const char *name)
{
	size_t len, want = strlen(name);

	for (; names; names = names[len] ? names + len + 1 : NULL) {
		len = strcspn(names, ",");
		if (len == want && !memcmp(names, name, len))
			return true;
	}
	return false;
}

bool script_filter__passes(const struct script_filter *f, const struct sample *s)
{
	if (s->time_ns < f->from_ns || (f->to_ns && s->time_ns > f->to_ns))
		return false;
	return has_id(&f->pids, (uint32_t)s->pid) && has_id(&f->tids, (uint32_t)s->tid) &&
	       (!f->comms || has_name(f->comms, s->comm));
}
