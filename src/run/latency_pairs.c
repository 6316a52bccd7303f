// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* From the pairs of the command line to events, keys and generated code. */
#include "run/latency_pairs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "filter/code.h"
#include "filter/run.h"
#include "session/event_filters.h"
#include "util/log.h"
#include "util/suggest.h"

static struct pair *new_pair(struct latency_pairs *p)
{
	if (p->cnt < WIRE_SPAN_PAIRS)
		return &p->pairs[p->cnt++];
	log_error("%d pairs at most are measured at once; run bpfperf twice", WIRE_SPAN_PAIRS);
	return NULL;
}

static int log_unknown_pair(const char *word)
{
	struct strbuf sb = STRBUF_INIT;
	const struct pair *k;
	struct suggest sg;

	if (suggest__init(&sg, word))
		return -ENOMEM;
	for (k = known_pairs; k->name; k++)
		suggest__offer(&sg, k->name);
	strbuf__printf(&sb, "%s is no pair of events that has a name; ", word);
	if (suggest__put(&sg, &sb))
		strbuf__putc(&sb, ' ');
	strbuf__puts(&sb, "choose from");
	for (k = known_pairs; k->name; k++)
		strbuf__printf(&sb, " %s", k->name);
	log_error("%s, or give --from EVENT --to EVENT", strbuf__cstr(&sb));
	suggest__free(&sg);
	strbuf__free(&sb);
	return -EINVAL;
}

int latency_pairs__add(struct latency_pairs *p, const char *word)
{
	struct pair *pair, one;
	const struct pair *k;
	bool found = false;

	if (p->cnt < WIRE_SPAN_PAIRS && (pair__of_syscall(&one, word, p->texts[p->cnt]) ||
					 pair__of_function(&one, word, p->texts[p->cnt]))) {
		p->pairs[p->cnt++] = one;
		return 0;
	}
	for (k = known_pairs; k->name; k++) {
		if (!pair__is_named(k, word))
			continue;
		pair = new_pair(p);
		if (!pair)
			return -EINVAL;
		*pair = *k;
		found = true;
	}
	return found ? 0 : log_unknown_pair(word);
}

/* Takes FIELD[=FIELD],... apart, into the fields of the start and those of the end. */
static void split_key(const char *key, struct strbuf *from, struct strbuf *to)
{
	while (*key) {
		size_t len = strcspn(key, ","), left = strcspn(key, ",=");

		strbuf__printf(from, "%s%.*s", from->len ? "," : "", (int)left, key);
		if (left < len)
			strbuf__printf(to, "%s%.*s", to->len ? "," : "", (int)(len - left - 1),
				       key + left + 1);
		else
			strbuf__printf(to, "%s%.*s", to->len ? "," : "", (int)left, key);
		key += len + (key[len] == ',');
	}
}

/* System calls are entered and left by their thread alone, never inside of another program. */
static bool is_of_syscalls(const char *event)
{
	return strncmp(event, "syscalls:", 9) == 0 || strncmp(event, "raw_syscalls:", 13) == 0;
}

int latency_pairs__add_request(struct latency_pairs *p, const struct pair_request *req)
{
	struct strbuf *texts = p->texts[p->cnt < WIRE_SPAN_PAIRS ? p->cnt : 0];
	struct pair *pair = new_pair(p);

	if (!pair)
		return -EINVAL;
	strbuf__printf(&texts[0], "%s -> %s", req->from, req->to);
	split_key(req->key ? req->key : "thread", &texts[1], &texts[2]);
	*pair = (struct pair){
		.name = strbuf__cstr(&texts[0]),
		.from = { { req->from, strbuf__cstr(&texts[1]), req->from_filter, false } },
		.to = { { req->to, strbuf__cstr(&texts[2]), req->to_filter, false } },
		.is_of_task = !req->key,
		.stays = !req->key && is_of_syscalls(req->from) && is_of_syscalls(req->to),
	};
	pair->stays_by_thread = pair->stays;
	return 0;
}

void latency_pairs__send_each(struct latency_pairs *p, uint64_t min_ns)
{
	p->spans.each = true;
	p->spans.min_ns = min_ns;
}

bool latency_pairs__of_woken(const struct latency_pairs *p)
{
	unsigned int i;

	for (i = 0; i < p->cnt; i++)
		if (p->pairs[i].is_of_woken)
			return true;
	return false;
}

unsigned int latency_pairs__combinations(const struct latency_pairs *p, unsigned int pair)
{
	unsigned int starts = 0, ends = 0;
	size_t i;

	for (i = 0; i < p->events.cnt; i++) {
		starts += p->starts[i].role && p->starts[i].pair == pair;
		ends += p->ends[i].role && p->ends[i].pair == pair;
	}
	return starts * ends;
}

/* Calls fn for each role of the pair on that side. Returns 0, or the first other result. */
static int each_role(struct latency_pairs *p, unsigned int pair, bool is_start,
		     int (*fn)(void *ctx, struct span_role *role), void *ctx)
{
	const struct pair_role *roles = is_start ? p->starts : p->ends;
	int err = 0;
	size_t i;

	for (i = 0; i < p->events.cnt && !err; i++)
		if (roles[i].role && roles[i].pair == pair)
			err = fn(ctx, roles[i].role);
	return err;
}

/* A field of --by while it is looked up in one pair. */
struct lookup {
	struct agg_plan *plan;
	unsigned int part;
	const char *name;
	size_t len;
};

static int lacks_field(void *ctx, struct span_role *role)
{
	const struct lookup *l = ctx;

	return !span_role__has_field(role, l->name, l->len);
}

static int set_part(void *ctx, struct span_role *role)
{
	const struct lookup *l = ctx;

	return span_role__set_part(role, l->plan, l->part, l->name, l->len);
}

/* The pair's own meaning of a name, or the name. */
static const char *meaning(const struct pair *pair, const struct agg_part *part, size_t *len)
{
	int i;

	for (i = 0; i < PAIR_FIELDS_MAX && pair->fields[i].name; i++)
		if (strlen(pair->fields[i].name) == part->name_len &&
		    !strncmp(pair->fields[i].name, part->name, part->name_len)) {
			*len = strlen(pair->fields[i].is);
			return pair->fields[i].is;
		}
	*len = part->name_len;
	return part->name;
}

/*
 * Decides which event of the pair has the field: from. or to. says it; else the end is asked before
 * the start. The task and the CPU are those of the end, if it is of the same task, else those of
 * the start; a stack is that of the start.
 */
static int resolve_part(struct latency_pairs *p, unsigned int pair, const char *name, size_t len,
			unsigned int part)
{
	struct lookup l = { &p->plan, part, name, len };
	bool at_start;

	if (len > 5 && !strncmp(name, "from.", 5)) {
		at_start = true;
		l.name += 5;
		l.len -= 5;
	} else if (len > 3 && !strncmp(name, "to.", 3)) {
		at_start = false;
		l.name += 3;
		l.len -= 3;
	} else if (!each_role(p, pair, false, lacks_field, &l)) {
		at_start = false;
	} else if (!each_role(p, pair, true, lacks_field, &l)) {
		at_start = true;
	} else {
		at_start = !(p->pairs[pair].is_of_task || p->pairs[pair].is_of_ender) ||
			   (len == 5 && !strncmp(name, "stack", 5));
	}
	return each_role(p, pair, at_start, set_part, &l);
}

static int resolve_own(struct latency_pairs *p, unsigned int pair)
{
	const char *own = p->pairs[pair].own;

	return own ? resolve_part(p, pair, own, strlen(own), 0) : 0;
}

static int resolve_parts(struct latency_pairs *p, unsigned int pair)
{
	unsigned int i;
	int err = 0;

	if (p->has_own)
		return resolve_own(p, pair);
	for (i = 0; i < p->plan.part_cnt && !err; i++) {
		size_t len;
		const char *name = meaning(&p->pairs[pair], &p->plan.parts[i], &len);

		err = resolve_part(p, pair, name, len, i);
	}
	return err;
}

/* Rows are told apart by --by, else by the number that some pairs have. */
static int plan_rows(struct latency_pairs *p, const char *by)
{
	unsigned int i;

	if (by && agg_plan__parse_by(&p->plan, by))
		return -EINVAL;
	for (i = 0; i < p->plan.part_cnt; i++) {
		p->part_names[i] = strndup(p->plan.parts[i].name, p->plan.parts[i].name_len);
		if (!p->part_names[i])
			return -ENOMEM;
	}
	for (i = 0; i < p->cnt && !by; i++)
		p->has_own |= p->pairs[i].own != NULL;
	if (p->has_own)
		p->plan.parts[p->plan.part_cnt++] = (struct agg_part){ .name = "own" };
	return 0;
}

static void put_code(struct latency_pairs *p, struct patch_event *code, const struct pair_role *r,
		     enum patch_at at, uint16_t id)
{
	*code = (struct patch_event){ .at = at, .id = id, .never = !r->role };
	if (!r->role)
		return;
	span_role__lay_out(r->role, &p->plan, p->spans.match_words);
	code->filter = r->filter;
	code->more = span_role__code;
	code->more_arg = r->role;
	p->needs |= span_role__needs(r->role) | (r->filter ? filter__needs(r->filter) : 0);
}

int latency_pairs__compile(const struct latency_pairs *p, size_t event, bool is_start,
			   struct code *c)
{
	const struct pair_role *r = is_start ? &p->starts[event] : &p->ends[event];
	code_label pass = code__label(c), reject = code__label(c);

	c->spill_off = CODE_RUN_SPILL;
	if (r->filter)
		filter__compile(r->filter, c, pass, reject);
	code__bind(c, pass);
	span_role__code(r->role, c, reject);
	code__alu(c, BPF_MOV, CODE_R0, 1);
	code__insn(c, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
	code__bind(c, reject);
	code__alu(c, BPF_MOV, CODE_R0, 0);
	code__insn(c, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
	return code__finish(c);
}

static unsigned int key_words(const char *key)
{
	unsigned int cnt = 1;

	for (; *key; key++)
		cnt += *key == ',';
	return cnt;
}

static int check_keys(const struct pair *pair)
{
	if (key_words(pair->from[0].key) == key_words(pair->to[0].key))
		return 0;
	log_error("--key: %s and %s are joined by different numbers of fields", pair->from[0].name,
		  pair->to[0].name);
	return -EINVAL;
}

/* Whatever a part of a row means, if it is a fact of calls that needs no generated code. */
static uint8_t *place_of_call(struct span_config *spans, const char *name, size_t len)
{
	if (len == 7 && !strncmp(name, "from.id", len))
		return &spans->call_nr_at;
	return len == 4 && !strncmp(name, "comm", len) ? &spans->call_comm_at : NULL;
}

/* Are rows by the number of the call and the task's name, and nothing else? */
static bool place_calls(struct latency_pairs *p, const struct pair *pair)
{
	unsigned int i;

	p->spans.call_nr_at = p->spans.call_comm_at = 0;
	for (i = 0; i < p->plan.part_cnt; i++) {
		const struct agg_part *part = &p->plan.parts[i];
		size_t len = p->has_own ? strlen(pair->own) : 0;
		const char *name = p->has_own ? pair->own : meaning(pair, part, &len);
		uint8_t *at = place_of_call(&p->spans, name, len);

		if (!at || *at)
			return false;
		*at = part->at;
	}
	return true;
}

/* The facts that the session and its programs need of all pairs. */
static void sum_up(struct latency_pairs *p)
{
	unsigned int i;

	p->spans.row_words = p->plan.key_words;
	for (i = 0; i < p->cnt; i++) {
		const struct pair *pair = &p->pairs[i];
		unsigned int words = 1 + key_words(pair->from[0].key);

		if (words > p->spans.match_words)
			p->spans.match_words = words;
		p->spans.stay_pairs |= pair->stays_by_thread ? 1u << i : 0;
		if (pair->counts_calls && !p->spans.each && place_calls(p, pair))
			p->spans.calls = i + 1;
		p->spans.late |= !pair->is_of_task;
		p->spans.of_woken |= pair->is_of_woken;
	}
}

static int make_code(struct latency_pairs *p)
{
	size_t cnt = p->events.cnt, i;

	p->end_code = calloc(cnt, sizeof(*p->end_code));
	p->start_code = calloc(cnt, sizeof(*p->start_code));
	if (!p->end_code || !p->start_code)
		return -ENOMEM;
	for (i = 0; i < cnt; i++) {
		uint16_t id = p->events.events[i]->fmt->id;

		put_code(p, &p->end_code[i], &p->ends[i], PATCH_RECORD, id);
		put_code(p, &p->start_code[i], &p->starts[i], PATCH_START, id);
	}
	return 0;
}

int latency_pairs__open(struct latency_pairs *p, const char *by)
{
	int err = plan_rows(p, by);
	unsigned int i;

	for (i = 0; i < p->cnt && !err; i++) {
		err = check_keys(&p->pairs[i]);
		if (!err)
			err = latency_pairs__resolve(p, i);
		if (!err)
			err = resolve_parts(p, i);
	}
	if (!err && span_plan__lay_out(&p->plan))
		err = -EINVAL;
	if (!err) {
		sum_up(p);
		err = make_code(p);
	}
	if (err == -ENOMEM)
		log_error("out of memory");
	return err;
}

void latency_pairs__free(struct latency_pairs *p)
{
	size_t i, k;

	for (i = 0; i < p->role_cap; i++) {
		span_role__free(p->ends[i].role);
		span_role__free(p->starts[i].role);
		filter__free(p->ends[i].filter);
		filter__free(p->starts[i].filter);
	}
	for (i = 0; i < AGG_PARTS_MAX; i++)
		free(p->part_names[i]);
	for (i = 0; i < WIRE_SPAN_PAIRS; i++)
		for (k = 0; k < 3; k++)
			strbuf__free(&p->texts[i][k]);
	free(p->ends);
	free(p->starts);
	free(p->end_code);
	free(p->start_code);
	/* Events of a recording are its own. */
	if (p->recorded)
		p->events.cnt = 0;
	event_list__free(&p->events);
	memset(p, 0, sizeof(*p));
}
