// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "data/recorded_name.h"

#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <stdbool.h>

#include "data/tracing_data.h"
#include "event/names.h"

/* If a processor's event has two names, perf takes the shorter one. */
static const char *known_name(const struct perf_event_attr *attr)
{
	const struct event_name *known;

	for (known = event_names; known->name; known++)
		if (known->type == attr->type && known->config == attr->config)
			return known->alias && attr->type == PERF_TYPE_HARDWARE &&
					       (attr->config == PERF_COUNT_HW_CPU_CYCLES ||
						attr->config == PERF_COUNT_HW_BRANCH_INSTRUCTIONS)
				       ? known->alias
				       : known->name;
	return NULL;
}

/* Finds the cache event that has this config. */
static bool find_cache(uint64_t wanted, char *name, size_t sz)
{
	enum event_kind kind;
	unsigned int i;
	uint64_t config;
	uint32_t type;

	for (i = 0; !event_names__cache(i, name, sz); i++)
		if (!event_names__lookup(name, &kind, &type, &config) && config == wanted)
			return true;
	return false;
}

static void put_breakpoint(const struct perf_event_attr *attr, struct strbuf *out)
{
	strbuf__printf(out, "mem:0x%llx:", (unsigned long long)attr->bp_addr);
	if (attr->bp_type & HW_BREAKPOINT_R)
		strbuf__putc(out, 'r');
	if (attr->bp_type & HW_BREAKPOINT_W)
		strbuf__putc(out, 'w');
	if (attr->bp_type & HW_BREAKPOINT_X)
		strbuf__putc(out, 'x');
}

/* Levels that are left over, precision, and host or guest: only where they are not usual. */
static void put_modifiers(const struct perf_event_attr *attr, struct strbuf *out)
{
	bool is_limited = attr->exclude_kernel || attr->exclude_user || attr->exclude_hv;
	bool is_special = is_limited || attr->precise_ip;
	char mods[16];
	size_t cnt = 0, i;

	if (is_limited && !attr->exclude_kernel)
		mods[cnt++] = 'k';
	if (is_limited && !attr->exclude_user)
		mods[cnt++] = 'u';
	if (is_limited && !attr->exclude_hv)
		mods[cnt++] = 'h';
	for (i = 0; i < attr->precise_ip; i++)
		mods[cnt++] = 'p';
	/* perf asks for no guests unless told to; other recorders do not care. */
	if (attr->exclude_host || (is_special && attr->exclude_guest)) {
		if (!attr->exclude_host)
			mods[cnt++] = 'H';
		if (!attr->exclude_guest)
			mods[cnt++] = 'G';
	}
	if (cnt)
		strbuf__printf(out, ":%.*s", (int)cnt, mods);
}

void recorded_name__put(const struct recorded_event *ev, struct strbuf *out)
{
	const struct perf_event_attr *attr = &ev->attr;
	const char *known = known_name(attr);
	char cache[64];

	if (ev->fmt) {
		strbuf__printf(out, "%s:%s", ev->fmt->sys, ev->fmt->name);
		return;
	}
	if (known)
		strbuf__puts(out, known);
	else if (attr->type == PERF_TYPE_HW_CACHE && find_cache(attr->config, cache, sizeof(cache)))
		strbuf__puts(out, cache);
	else if (attr->type == PERF_TYPE_BREAKPOINT)
		put_breakpoint(attr, out);
	else if (attr->type == PERF_TYPE_RAW)
		strbuf__printf(out, "raw 0x%llx", (unsigned long long)attr->config);
	else {
		strbuf__printf(out, "type=%u,config=0x%llx", attr->type,
			       (unsigned long long)attr->config);
		return;
	}
	put_modifiers(attr, out);
}
