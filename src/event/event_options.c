// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "event/event_options.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "event/branch_kinds.h"
#include "event/event.h"
#include "event/event_term.h"
#include "util/log.h"
#include "util/strbuf.h"

/* A sample's size has 16 bits. */
#define AUX_SAMPLE_MAX_SZ 65528

/* A whole number of min to max, decimal or behind 0x: perf takes no octal one, either. */
static int parse(const char *val, uint64_t min, uint64_t max, uint64_t *n)
{
	int base = val && !strncasecmp(val, "0x", 2) ? 16 : 10;
	char *end;

	if (!val || *val < '0' || *val > '9')
		return -EINVAL;
	errno = 0;
	*n = strtoull(val, &end, base);
	return errno || *end || *n < min || *n > max ? -EINVAL : 0;
}

static int parse_choice(const char *val, enum event_choice *choice)
{
	if (val && strcmp(val, "0") && strcmp(val, "1"))
		return -EINVAL;
	*choice = val && *val == '0' ? EVENT_OFF : EVENT_ON;
	return 0;
}

static int set_rate(uint64_t *rate, uint64_t *other, const char *val)
{
	*other = 0;
	return parse(val, 1, UINT64_MAX, rate);
}

static int set_period(struct event *ev, const char *val)
{
	return set_rate(&ev->sampling.period, &ev->sampling.freq_hz, val);
}

static int set_freq(struct event *ev, const char *val)
{
	return set_rate(&ev->sampling.freq_hz, &ev->sampling.period, val);
}

static int set_call_graph(struct event *ev, const char *val)
{
	static const char *const names[] = {
		[EVENT_CHAIN_NO] = "no",
		[EVENT_CHAIN_FP] = "fp",
		[EVENT_CHAIN_DWARF] = "dwarf",
		[EVENT_CHAIN_LBR] = "lbr",
	};
	size_t i;

	for (i = EVENT_CHAIN_NO; val && i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(val, names[i])) {
			ev->sampling.chain = (enum event_chain)i;
			return 0;
		}
	return -EINVAL;
}

static int set_stack_size(struct event *ev, const char *val)
{
	uint64_t sz;
	int err = parse(val, 1, EVENT_STACK_MAX_SZ, &sz);

	if (!err)
		ev->sampling.stack_sz = (uint32_t)((sz + 7) & ~7ull);
	return err;
}

static int set_max_stack(struct event *ev, const char *val)
{
	uint64_t cnt;
	int err = parse(val, 1, UINT16_MAX, &cnt);

	if (!err)
		ev->sampling.max_stack = (uint16_t)cnt;
	return err;
}

static int set_time(struct event *ev, const char *val)
{
	return parse_choice(val, &ev->sampling.time);
}

static int set_inherit(struct event *ev, const char *val)
{
	return parse_choice(val, &ev->sampling.inherit);
}

static int set_no_inherit(struct event *ev, const char *val)
{
	ev->sampling.inherit = EVENT_OFF;
	return val ? -EINVAL : 0;
}

static int set_branch_type(struct event *ev, const char *val)
{
	struct event_sampling *s = &ev->sampling;

	s->branches = 0;
	s->has_branches = true;
	if (val && !strcmp(val, "no"))
		return 0;
	if (!val || !*val || branch_kinds__parse(val, &s->branches))
		return -EINVAL;
	return branch_kinds__are_sides(s->branches) ? -EINVAL : 0;
}

static int set_aux_output(struct event *ev, const char *val)
{
	enum event_choice choice = EVENT_UNSAID;
	int err = parse_choice(val, &choice);

	ev->aux_output = choice == EVENT_ON;
	return err;
}

static int set_aux_action(struct event *ev, const char *val)
{
	static const char *const actions[] = { "start-paused", "pause", "resume" };
	size_t i;

	for (i = 0; val && i < sizeof(actions) / sizeof(actions[0]); i++)
		if (!strcmp(val, actions[i])) {
			ev->aux_action |= (uint8_t)(1u << i);
			return 0;
		}
	return -EINVAL;
}

static int set_aux_sample_size(struct event *ev, const char *val)
{
	uint64_t sz;
	int err = parse(val, 0, AUX_SAMPLE_MAX_SZ, &sz);

	if (!err)
		ev->aux_sample_sz = (uint32_t)sz;
	return err;
}

static const struct {
	const char *key;
	int (*set)(struct event *ev, const char *val);
	const char *values; /* of an error's sentence */
} options[] = {
	{ "period", set_period, "period=N" },
	{ "freq", set_freq, "freq=HZ" },
	{ "call-graph", set_call_graph, "call-graph=fp, dwarf, lbr or no" },
	{ "stack-size", set_stack_size, "stack-size=1…65528" },
	{ "max-stack", set_max_stack, "max-stack=1…65535" },
	{ "time", set_time, "time=0 or 1" },
	{ "inherit", set_inherit, "inherit" },
	{ "no-inherit", set_no_inherit, "no-inherit" },
	{ "branch_type", set_branch_type, "branch_type=any, another kind of -j, or no" },
	{ "aux-output", set_aux_output, "aux-output" },
	{ "aux-action", set_aux_action, "aux-action=start-paused, pause or resume" },
	{ "aux-sample-size", set_aux_sample_size, "aux-sample-size=0…65528" },
};

#define OPTION_CNT (sizeof(options) / sizeof(options[0]))

int event_options__set(const struct event_term *term, size_t at, struct event *ev, const char *key,
		       const char *val)
{
	size_t i;

	for (i = 0; i < OPTION_CNT; i++) {
		if (strcmp(key, options[i].key))
			continue;
		if (options[i].set(ev, val))
			return spec__error(term->spec, at, "write %s", options[i].values);
		return 0;
	}
	return -ENOENT;
}

static int refuse(const struct event_term *term, size_t at)
{
	struct strbuf known = STRBUF_INIT;
	size_t i;
	int err;

	strbuf__puts(&known, "name");
	for (i = 0; i < OPTION_CNT; i++)
		strbuf__printf(&known, "%s%s", i + 1 < OPTION_CNT ? ", " : " and ", options[i].key);
	err = spec__error(term->spec, at, "this event has the terms %s", strbuf__cstr(&known));
	strbuf__free(&known);
	return err;
}

int event_options__set_all(const struct event_term *term, size_t off, size_t len, struct event *ev)
{
	char *copy = strndup(term->text + off, len), *rest, *key, *val;
	int err = copy ? 0 : -ENOMEM;

	rest = copy && *copy ? copy : NULL;
	while (!err && (val = strsep(&rest, ","))) {
		size_t at = term->off + off + (size_t)(val - copy);

		key = strsep(&val, "=");
		if (!strcmp(key, "name") && val && *val)
			err = event__set_name(ev, val);
		else
			err = event_options__set(term, at, ev, key, val);
		if (err == -ENOENT)
			err = refuse(term, at);
	}
	free(copy);
	return err;
}

void event_options__warn_unused(const struct event *const *events, size_t cnt)
{
	size_t i;

	for (i = 0; i < cnt; i++) {
		const struct event_sampling *s = &events[i]->sampling;

		if (s->chain || s->stack_sz || s->max_stack || s->time || s->inherit ||
		    s->has_branches) {
			log_warn("%s: the terms call-graph, stack-size, max-stack, time, inherit "
				 "and branch_type have an effect in record only",
				 events[i]->name);
			return;
		}
	}
}
