// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/replay_filter.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "data/perf_sample.h"
#include "data/recording.h"
#include "decode/named.h"
#include "decode/sample.h"
#include "sink/hist_text.h"
#include "util/log.h"
#include "util/name_list.h"

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

static bool parse_seconds_span(struct replay_span *span, const char *arg)
{
	size_t len = strcspn(arg, ",");
	const char *to = arg[len] ? arg + len + 1 : "";

	return (!len || parse_seconds(arg, len, &span->from_ns)) &&
	       (!*to || (parse_seconds(to, strlen(to), &span->to_ns) && span->to_ns)) &&
	       (len || *to) && (!span->to_ns || span->from_ns <= span->to_ns);
}

/* Parses "10%-20%" or "10%/2" and moves *p behind it. */
static bool parse_percent_span(struct replay_span *span, const char **p)
{
	char *end;
	double part;

	span->from_percent = strtod(*p, &end);
	if (end == *p || *end != '%')
		return false;
	*p = end + 1;
	if (**p == '/') {
		part = span->from_percent;
		span->to_percent = part * (double)strtoul(*p + 1, &end, 10);
		span->from_percent = span->to_percent - part;
	} else if (**p == '-') {
		span->to_percent = strtod(*p + 1, &end);
		if (*end++ != '%')
			return false;
	} else {
		return false;
	}
	*p = end;
	return span->from_percent >= 0 && span->from_percent < span->to_percent &&
	       span->to_percent <= 100;
}

static bool parse_percents(struct replay_filter *f, const char *p)
{
	for (; f->span_cnt < REPLAY_FILTER_SPANS; p++) {
		if (!parse_percent_span(&f->spans[f->span_cnt++], &p))
			return false;
		if (*p != ',' && *p != ' ')
			return !*p;
	}
	return false;
}

int replay_filter__set_time(void *filter, const char *arg)
{
	struct replay_filter *f = filter;

	memset(f->spans, 0, sizeof(f->spans));
	f->time = arg;
	f->is_percent = strchr(arg, '%');
	f->span_cnt = !f->is_percent;
	if (f->is_percent ? parse_percents(f, arg) : parse_seconds_span(&f->spans[0], arg))
		return 0;
	log_error("--time %s: give FROM,TO in seconds of the recording's clock, as its lines show "
		  "them; either may be omitted; or percentages: 10%%-20%%, 10%%/2",
		  arg);
	return -EINVAL;
}

int replay_filter__set_cpus(void *filter, const char *arg)
{
	struct replay_filter *f = filter;

	memset(f->cpus, 0, sizeof(f->cpus));
	f->has_cpus = true;
	if (!cpu_list__parse(arg, f->cpus))
		return 0;
	log_error("-C %s: give CPU numbers below %d, such as 0-3,7", arg, CPU_LIST_MAX);
	return -EINVAL;
}

static int set_ids(struct replay_ids *ids, const char *option, const char *arg)
{
	const char *p = arg;
	unsigned long id;
	char *end;

	for (ids->cnt = 0; ids->cnt < REPLAY_FILTER_IDS; p = end + 1) {
		id = strtoul(p, &end, 10);
		if (end == p || !isdigit((unsigned char)*p) || id > INT32_MAX ||
		    (*end && *end != ','))
			break;
		ids->ids[ids->cnt++] = (uint32_t)id;
		if (!*end)
			return 0;
	}
	log_error("%s %s: give numbers separated by commas, %d at most", option, arg,
		  REPLAY_FILTER_IDS);
	return -EINVAL;
}

int replay_filter__set_pids(void *filter, const char *arg)
{
	return set_ids(&((struct replay_filter *)filter)->pids, "--pid", arg);
}

int replay_filter__set_tids(void *filter, const char *arg)
{
	return set_ids(&((struct replay_filter *)filter)->tids, "--tid", arg);
}

static bool has_id(const struct replay_ids *ids, uint32_t id)
{
	size_t i;

	for (i = 0; i < ids->cnt; i++)
		if (ids->ids[i] == id)
			return true;
	return !ids->cnt;
}

static bool has_cpus(const struct recording *rec)
{
	size_t i;

	for (i = 0; i < rec->attrs.cnt; i++)
		if (rec->attrs.events[i].attr.sample_type & PERF_SAMPLE_CPU)
			return true;
	return !rec->attrs.cnt;
}

/* 0, or -EINVAL, logged: the recording has no event of this name. NULL is none. */
static int check_event(const struct recording *rec, const char *option, const char *name)
{
	size_t i;

	if (!name)
		return 0;
	for (i = 0; i < rec->attrs.cnt; i++)
		if (!strcmp(rec->attrs.events[i].name, name))
			return 0;
	log_error("%s %s: %s has no such event; report --stats prints the names of its events",
		  option, name, rec->path);
	return -EINVAL;
}

/* Finds the addresses among the functions. A word such as "add" is both, as it is for perf. */
static int take_addrs(struct replay_filter *f)
{
	const char *at = f->takes_addrs ? f->symbols : NULL;
	char *end;

	for (; at; at = *end ? end + 1 : NULL) {
		uint64_t addr = strtoull(at, &end, 16);

		if (end > at && (!*end || *end == ',')) {
			if (f->addr_cnt == REPLAY_FILTER_IDS) {
				log_error("-S has more than %d addresses; give fewer, or a range "
					  "of them by --addr-range BYTES",
					  REPLAY_FILTER_IDS);
				return -EINVAL;
			}
			f->addrs[f->addr_cnt++] = addr;
		}
		end = (char *)at + strcspn(at, ",");
	}
	if (!f->addr_range || f->addr_cnt)
		return 0;
	log_error("--addr-range is for an address; give it, too: -S 0x4007a0 --addr-range 16");
	return -EINVAL;
}

int replay_filter__begin(struct replay_filter *f, const struct recording *rec)
{
	double whole = (double)(rec->last_ns - rec->first_ns);
	size_t i;

	if (f->shows_switches && !f->switch_on && !f->switch_off) {
		log_error("--show-on-off-events is for --switch-on and --switch-off; give one of "
			  "them, or omit it");
		return -EINVAL;
	}
	if (check_event(rec, "--switch-on", f->switch_on) ||
	    check_event(rec, "--switch-off", f->switch_off))
		return -EINVAL;
	if (take_addrs(f))
		return -EINVAL;
	f->is_off = f->switch_on;
	if (f->has_cpus && !has_cpus(rec)) {
		log_error("%s has no CPU numbers; omit -C", rec->path);
		return -EINVAL;
	}
	if (!f->is_percent)
		return 0;
	if (!rec->last_ns) {
		log_error("%s does not say when its samples begin and end, so there are no "
			  "percentages of its time; give --time FROM,TO in seconds",
			  rec->path);
		return -EINVAL;
	}
	for (i = 0; i < f->span_cnt; i++) {
		struct replay_span *s = &f->spans[i];

		s->from_ns = rec->first_ns + (uint64_t)(s->from_percent / 100 * whole);
		s->to_ns = rec->first_ns + (uint64_t)(s->to_percent / 100 * whole);
	}
	f->is_percent = false;
	return 0;
}

/* The end of a part belongs to the next one, as in perf. */
static bool is_in_time(const struct replay_filter *f, uint64_t ns)
{
	size_t i;

	for (i = 0; i < f->span_cnt; i++) {
		const struct replay_span *s = &f->spans[i];
		bool is_last = i + 1 == f->span_cnt;

		if (ns >= s->from_ns && (!s->to_ns || (is_last ? ns <= s->to_ns : ns < s->to_ns)))
			return true;
	}
	return !f->span_cnt;
}

/* Is the sample behind one that switches off, or before the one that switches on? */
static bool is_switched_off(struct replay_filter *f, const struct sample *s)
{
	const char *next = f->is_off ? f->switch_on : f->switch_off;

	if (!next || strcmp(s->perf->event->name, next) != 0)
		return f->is_off;
	f->is_off = !f->is_off;
	return !f->shows_switches;
}

enum replay_verdict replay_filter__check(struct replay_filter *f, const struct sample *s)
{
	if (!is_in_time(f, s->time_ns) ||
	    (f->has_cpus && (s->cpu >= CPU_LIST_MAX || !f->cpus[s->cpu])) || is_switched_off(f, s))
		return REPLAY_OUTSIDE;
	if (has_id(&f->pids, (uint32_t)s->pid) && has_id(&f->tids, (uint32_t)s->tid) &&
	    (!f->comms || name_list__has(f->comms, s->comm)))
		return REPLAY_WANTED;
	return REPLAY_PASSED_OVER;
}

bool replay_filter__has_code(const struct replay_filter *f)
{
	return f->dsos || f->symbols;
}

static bool is_in_range(const struct replay_filter *f, uint64_t addr, uint64_t range)
{
	size_t i;

	for (i = 0; i < f->addr_cnt; i++)
		if (addr - f->addrs[i] < range)
			return true;
	return false;
}

/* By name, by the address of the function's start, or by its own address. */
static bool has_symbol(const struct replay_filter *f, const struct sym_frame *frame, uint64_t ip)
{
	if (frame && frame->name &&
	    (name_list__has(f->symbols, frame->name) || is_in_range(f, ip - frame->off, 1)))
		return true;
	return is_in_range(f, ip, f->addr_range ? f->addr_range : 1);
}

enum replay_verdict replay_filter__check_code(const struct replay_filter *f, const struct sample *s)
{
	const struct named_place *place = s->lines->cnt ? s->lines->at[0].place : NULL;
	const struct sym_frame *frame = place ? &place->frames[place->cnt - 1] : NULL;

	if (f->dsos && !name_list__has_file(f->dsos, frame ? frame->module : "[unknown]"))
		return REPLAY_PASSED_OVER;
	if (f->symbols && !has_symbol(f, frame, s->perf->ip))
		return REPLAY_PASSED_OVER;
	return REPLAY_WANTED;
}

void replay_filter__name(const struct replay_filter *f, struct hist_only *only)
{
	only->dso = f->dsos;
	only->comm = f->comms;
	only->symbol = f->symbols;
	only->time = f->time;
	only->by_thread = f->pids.cnt || f->tids.cnt;
}
