// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "itrace/options.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/log.h"

#define DEFAULT_PERIOD_NS 100000

static uint32_t bit(enum itrace_kind kind)
{
	return 1u << kind;
}

static void set_default(struct itrace_options *o)
{
	o->is_default = true;
	o->want = bit(ITRACE_BRANCH) | bit(ITRACE_INSN) | bit(ITRACE_PTWRITE) | bit(ITRACE_POWER);
	o->period = DEFAULT_PERIOD_NS;
	o->period_kind = ITRACE_EACH_NS;
	o->chain_max = ITRACE_CHAIN_DEFAULT;
}

/* The number and the unit behind i. Returns what follows; NULL: there is no such unit. */
static const char *parse_period(struct itrace_options *o, const char *p)
{
	static const struct {
		const char *name;
		uint64_t factor;
		enum itrace_period kind;
	} units[] = { { "ms", 1000000, ITRACE_EACH_NS },
		      { "us", 1000, ITRACE_EACH_NS },
		      { "ns", 1, ITRACE_EACH_NS },
		      { "i", 1, ITRACE_EACH_INSN },
		      { "t", 1, ITRACE_EACH_TICK } };
	char *end;
	size_t i;

	o->period = DEFAULT_PERIOD_NS;
	o->period_kind = ITRACE_EACH_NS;
	while (*p == ' ' || *p == ',')
		p++;
	if (!isdigit((unsigned char)*p))
		return p;
	errno = 0;
	o->period = strtoull(p, &end, 10);
	if (errno || o->period > UINT64_MAX / 1000000)
		return NULL;
	if (!o->period)
		o->period = 1;
	/* Without a unit: instructions. */
	o->period_kind = ITRACE_EACH_INSN;
	for (i = 0; i < sizeof(units) / sizeof(*units); i++) {
		size_t len = strlen(units[i].name);

		if (strncmp(end, units[i].name, len))
			continue;
		o->period *= units[i].factor;
		o->period_kind = units[i].kind;
		return end + len;
	}
	return end;
}

static const char *parse_chain(struct itrace_options *o, const char *p)
{
	char *end;
	unsigned long cnt;

	o->chain_max = ITRACE_CHAIN_DEFAULT;
	if (!isdigit((unsigned char)*p))
		return p;
	cnt = strtoul(p, &end, 10);
	if (!cnt || cnt > ITRACE_CHAIN_MAX)
		return NULL;
	o->chain_max = (uint32_t)cnt;
	return end;
}

/* Parses one letter with what belongs to it. Returns what follows; NULL: it is none. */
static const char *parse_letter(struct itrace_options *o, const char *p)
{
	switch (*p++) {
	case 'i':
		o->want |= bit(ITRACE_INSN);
		return parse_period(o, p);
	case 'b':
		o->want |= bit(ITRACE_BRANCH);
		return p;
	case 'c':
		o->want |= bit(ITRACE_CALL);
		return p;
	case 'r':
		o->want |= bit(ITRACE_RETURN);
		return p;
	case 'w':
		o->want |= bit(ITRACE_PTWRITE);
		return p;
	case 'p':
		o->want |= bit(ITRACE_POWER);
		return p;
	case 'e':
		o->want |= bit(ITRACE_ERROR);
		return p;
	case 'g':
		return parse_chain(o, p);
	case ' ':
	case ',':
		return p;
	default:
		return NULL;
	}
}

int itrace_options__parse(void *opts, const char *letters)
{
	struct itrace_options *o = opts;
	const char *p = letters;

	*o = (struct itrace_options){ .is_set = true };
	if (!letters || !*letters) {
		set_default(o);
		return 0;
	}
	while (p && *p)
		p = parse_letter(o, p);
	if (!p) {
		log_error("--itrace=%s: give letters of i[N[ns|us|ms|i|t]], b, c, r, w, p, e and "
			  "g[N], N of g up to %d",
			  letters, ITRACE_CHAIN_MAX);
		return -EINVAL;
	}
	if (o->want)
		return 0;
	log_error("--itrace=%s: nothing is decoded of it; add i (instructions), b (branches) or e "
		  "(errors)",
		  letters);
	return -EINVAL;
}

void itrace_options__want_slices(struct itrace_options *o)
{
	o->wants_stacks = true;
	if (o->is_default)
		o->want = bit(ITRACE_CALL) | bit(ITRACE_RETURN);
}
