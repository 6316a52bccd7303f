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
	o->want = bit(ITRACE_BRANCH) | bit(ITRACE_INSN) | bit(ITRACE_PTWRITE) | ITRACE_POWER |
		  bit(ITRACE_TRANSACTION);
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

/* The number behind a letter, from 1 to max; without one, *cnt stays. NULL: another number. */
static const char *parse_cnt(uint32_t *cnt, uint32_t max, const char *p)
{
	unsigned long n;
	char *end;

	while (*p == ' ' || *p == ',')
		p++;
	if (!isdigit((unsigned char)*p))
		return p;
	n = strtoul(p, &end, 10);
	if (!n || n > max)
		return NULL;
	*cnt = (uint32_t)n;
	return end;
}

/* The number of samples that are left out. NULL: there is none. */
static const char *parse_skip(struct itrace_options *o, const char *p)
{
	char *end;

	o->skip_cnt = strtoull(p, &end, 10);
	return isdigit((unsigned char)*p) ? end : NULL;
}

/* Letters of perf's that are refused, and why. */
static const char *reason_of(char letter)
{
	switch (letter) {
	case 'o':
		return "events that write into the trace (aux-output) are not decoded";
	case 'd':
		return "there is no log of the decoder: script -D prints the packets";
	case 'q':
		return "all code is followed: there is no decoding without it";
	case 'A':
		return "cycles are used for time alone";
	case 'G':
	case 'L':
		return "events of other kinds get no callchains or branches of the trace";
	default:
		return NULL;
	}
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
		o->want |= ITRACE_POWER;
		return p;
	case 'x':
		o->want |= bit(ITRACE_TRANSACTION);
		return p;
	case 'e':
		o->want |= bit(ITRACE_ERROR);
		return p;
	case 'g':
		o->chain_max = ITRACE_CHAIN_DEFAULT;
		return parse_cnt(&o->chain_max, ITRACE_CHAIN_MAX, p);
	case 'l':
		o->last_max = ITRACE_LAST_DEFAULT;
		return parse_cnt(&o->last_max, ITRACE_LAST_MAX, p);
	case 's':
		return parse_skip(o, p);
	/* These are for perf's other trace units; without Z, times are used as with it. */
	case 'f':
	case 'm':
	case 't':
	case 'a':
	case 'M':
	case 'Z':
		return p;
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
	const char *p = letters, *at = letters;

	*o = (struct itrace_options){ .is_set = true };
	if (!letters || !*letters) {
		set_default(o);
		return 0;
	}
	while (p && *p) {
		at = p;
		p = parse_letter(o, p);
	}
	if (!p && reason_of(*at)) {
		log_error("--itrace=%s: '%c' is not taken: %s; omit it", letters, *at,
			  reason_of(*at));
		return -EINVAL;
	}
	if (!p) {
		log_error("--itrace=%s: give letters of i[N[ns|us|ms|i|t]], b, c, r, w, p, x, e, "
			  "g[N], l[N] and sN, N of g and l up to %d",
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
