// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * --format otlp: a message ProfilesData of OpenTelemetry (opentelemetry-proto 1.10,
 * opentelemetry/proto/profiles/v1development/profiles.proto), which is an
 * ExportProfilesServiceRequest as well: both have the same fields.
 *
 * Each event is a Profile of the numbers of its samples; where the samples' weights are not all the
 * period, another Profile has the weights. Stacks are shared by all of them. Each control group is
 * a resource. Lost samples are attributes of the first Profile.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sink/cgroup.h"
#include "sink/otlp_dict.h"
#include "sink/out.h"
#include "sink/profile_sink.h"
#include "util/array.h"
#include "util/gzip.h"
#include "util/protobuf.h"

extern const struct sink_ops otlp_sink;
extern const struct sink_ops otlp_gzip_sink;

enum { DATA_RESOURCE_PROFILES = 1, DATA_DICTIONARY };
enum { RESOURCE_RESOURCE = 1, RESOURCE_SCOPE_PROFILES };
enum { RES_ATTRIBUTES = 1 };
enum { SCOPE_SCOPE = 1, SCOPE_PROFILES };
enum { SCOPE_NAME = 1, SCOPE_VERSION };
enum { KEY_VALUE_KEY = 1, KEY_VALUE_VALUE };
enum { VALUE_STRING = 1 };
enum {
	PROFILE_SAMPLE_TYPE = 1,
	PROFILE_SAMPLES,
	PROFILE_TIME,
	PROFILE_DURATION,
	PROFILE_PERIOD_TYPE,
	PROFILE_PERIOD,
	PROFILE_ID,
	PROFILE_ATTRIBUTES = 11
};
enum { VALUE_TYPE = 1, VALUE_UNIT };
enum { SAMPLE_STACK = 1, SAMPLE_ATTRIBUTES, SAMPLE_VALUES = 4 };

/* The samples of one stack and one set of attributes. */
struct row {
	uint64_t samples, weight;
};

struct otlp_printer {
	struct profile *p;
	const struct profile_config *cfg;
	struct otlp_dict dict;
	struct strbuf msg; /* the encoded message */
	struct strbuf resource, scope, profile; /* parts of it, from the outside in */
	struct strbuf part, sub;
	/* The samples of an event and an owner, by stack and attributes. */
	struct blobs keys; /* the head of the message Sample */
	struct row *rows; /* by index of keys */
	size_t row_cap;
	uint32_t row_cnt;
	uint32_t profile_cnt;
	uint32_t *order; /* indexes of the profile's stacks, as they are written */
	size_t ends[1 + OTLP_TABLES]; /* of the message's parts: resources, then tables */
};

static void put_packed(struct strbuf *to, uint32_t field, struct strbuf *values)
{
	if (values->len)
		protobuf__put_bytes(to, field, values->buf, values->len);
	strbuf__reset(values);
}

/* Puts an attribute of a resource. */
static void put_attr(struct otlp_printer *pr, const char *key, const char *text)
{
	struct strbuf utf8 = STRBUF_INIT;

	if (!text || !*text)
		return;
	strbuf__put_utf8(&utf8, text, strlen(text));
	strbuf__reset(&pr->sub);
	strbuf__reset(&pr->part);
	protobuf__put_bytes(&pr->sub, VALUE_STRING, utf8.buf, utf8.len);
	protobuf__put_bytes(&pr->part, KEY_VALUE_KEY, key, strlen(key));
	protobuf__put_bytes(&pr->part, KEY_VALUE_VALUE, pr->sub.buf, pr->sub.len);
	protobuf__put_bytes(&pr->scope, RES_ATTRIBUTES, pr->part.buf, pr->part.len);
	strbuf__free(&utf8);
}

/* An attribute that stands already is not put again. */
static void put_attrs(struct otlp_printer *pr, const char *const *attrs, const char *const *before)
{
	static const char *const own[] = { "host.name", "os.type", "os.version",
					   "process.linux.cgroup", "container.id" };
	const char *const *attr;
	bool is_there;
	size_t i;

	for (; attrs && attrs[0]; attrs += 2) {
		is_there = false;
		for (i = 0; i < sizeof(own) / sizeof(*own); i++)
			is_there |= !strcmp(attrs[0], own[i]);
		for (attr = before; attr && attr[0]; attr += 2)
			is_there |= !strcmp(attrs[0], attr[0]);
		if (!is_there)
			put_attr(pr, attrs[0], attrs[1]);
	}
}

static bool has_service(const char *const *attrs)
{
	for (; attrs && attrs[0]; attrs += 2)
		if (!strcmp(attrs[0], "service.name"))
			return true;
	return false;
}

static void put_resource(struct otlp_printer *pr, uint32_t owner)
{
	const struct profile_owners *owners = pr->p->owners;
	const char *cgroup = owners && owner ? owners->cgroup(owners->ctx, owner) : "";
	const char *const *attrs = owners && owner ? owners->attrs(owners->ctx, owner) : NULL;
	struct strbuf name = STRBUF_INIT;

	strbuf__reset(&pr->scope);
	put_attr(pr, "host.name", pr->p->meta.host);
	put_attr(pr, "os.type", pr->p->meta.kernel ? "linux" : NULL);
	put_attr(pr, "os.version", pr->p->meta.kernel);
	/* A process knows its service better than the machine does. */
	put_attrs(pr, attrs, NULL);
	put_attrs(pr, pr->cfg->resource, attrs);
	cgroup__put_service(&name, cgroup);
	if (!has_service(attrs) && !has_service(pr->cfg->resource))
		put_attr(pr, "service.name", strbuf__cstr(&name));
	put_attr(pr, "process.linux.cgroup", cgroup);
	strbuf__reset(&name);
	cgroup__put_container(&name, cgroup);
	put_attr(pr, "container.id", strbuf__cstr(&name));
	strbuf__free(&name);
	protobuf__put_bytes(&pr->resource, RESOURCE_RESOURCE, pr->scope.buf, pr->scope.len);
}

/* Adds a stack to the row of its frames and attributes. 0 or -ENOMEM. */
static int add_row(struct otlp_printer *pr, const struct profile_stack *st)
{
	struct profile *p = pr->p;
	const char *comm = profile__text(p, st->group[st->group[1] != TEXTS_NONE]);
	uint32_t stack = otlp_dict__stack(&pr->dict, st), key;

	strbuf__reset(&pr->part);
	strbuf__reset(&pr->sub);
	protobuf__put_u64(&pr->part, SAMPLE_STACK, stack);
	if (st->pid)
		protobuf__put_varint(
			&pr->sub, otlp_dict__attr_u64(&pr->dict, "process.pid", (uint32_t)st->pid));
	if (st->tid)
		protobuf__put_varint(
			&pr->sub, otlp_dict__attr_u64(&pr->dict, "thread.id", (uint32_t)st->tid));
	if (p->by == PROFILE_BY_CPU)
		protobuf__put_varint(&pr->sub, otlp_dict__attr(&pr->dict, "bpfperf.cpu",
							       profile__text(p, st->group[0])));
	if (st->pid)
		comm = profile__text(p, st->comm);
	if (*comm)
		protobuf__put_varint(&pr->sub, otlp_dict__attr(&pr->dict, "thread.name", comm));
	put_packed(&pr->part, SAMPLE_ATTRIBUTES, &pr->sub);
	key = blobs__add(&pr->keys, pr->part.buf, pr->part.len);
	if (key == BLOBS_NONE ||
	    array__reserve((void **)&pr->rows, &pr->row_cap, (size_t)key + 1, sizeof(*pr->rows)))
		return -ENOMEM;
	if (pr->keys.cnt > pr->row_cnt)
		pr->rows[pr->row_cnt++] = (struct row){ 0 };
	pr->rows[key].samples += st->samples;
	pr->rows[key].weight += st->weight;
	return 0;
}

static void put_type(struct otlp_printer *pr, uint32_t field, const char *type, const char *unit)
{
	uint32_t type_idx = otlp_dict__string(&pr->dict, type);
	uint32_t unit_idx = otlp_dict__string(&pr->dict, unit);

	strbuf__reset(&pr->part);
	protobuf__put_u64(&pr->part, VALUE_TYPE, type_idx);
	protobuf__put_u64(&pr->part, VALUE_UNIT, unit_idx);
	protobuf__put_bytes(&pr->profile, field, pr->part.buf, pr->part.len);
}

static const char *unit_of(const struct profile_event *ev)
{
	return ev->is_ns ? "nanoseconds" : "count";
}

/* The name of an event as a type of values. */
static const char *type_of(const struct otlp_printer *pr, const struct profile_event *ev)
{
	const char *name = profile__text(pr->p, ev->name);

	return *name ? name : "events";
}

/* The first profile of the message says what the interval lost. */
static void put_losses(struct otlp_printer *pr)
{
	const struct profile_meta *m = &pr->p->meta;
	char key[64] = "bpfperf.lost.";
	size_t i, base = strlen(key), len;

	strbuf__reset(&pr->sub);
	for (i = 0; i < LOST_CAUSE_CNT; i++) {
		const char *name = lost_cause__name((enum lost_cause)i);

		if (!m->lost[i])
			continue;
		for (len = 0; name[len] && base + len < sizeof(key) - 1; len++)
			key[base + len] = name[len] == ' ' ? '_' : name[len];
		key[base + len] = '\0';
		protobuf__put_varint(&pr->sub, otlp_dict__attr_u64(&pr->dict, key, m->lost[i]));
	}
	if (m->throttled)
		protobuf__put_varint(&pr->sub, otlp_dict__attr_u64(&pr->dict, "bpfperf.throttled",
								   m->throttled));
	put_packed(&pr->profile, PROFILE_ATTRIBUTES, &pr->sub);
}

static void put_id(struct otlp_printer *pr)
{
	unsigned char id[16];

	if (!pr->cfg->id[0])
		return;
	memcpy(id, pr->cfg->id, sizeof(pr->cfg->id));
	id[12] = (unsigned char)(pr->profile_cnt >> 24);
	id[13] = (unsigned char)(pr->profile_cnt >> 16);
	id[14] = (unsigned char)(pr->profile_cnt >> 8);
	id[15] = (unsigned char)pr->profile_cnt;
	protobuf__put_bytes(&pr->profile, PROFILE_ID, id, sizeof(id));
}

/* Puts the profile of the rows' samples, or of their weights. */
static void put_profile(struct otlp_printer *pr, const struct profile_event *ev, bool weights,
			uint64_t period)
{
	const struct profile_meta *m = &pr->p->meta;
	const char *key;
	uint32_t i;
	size_t len;

	strbuf__reset(&pr->profile);
	if (weights)
		put_type(pr, PROFILE_SAMPLE_TYPE, type_of(pr, ev), unit_of(ev));
	else
		put_type(pr, PROFILE_SAMPLE_TYPE, "samples", "count");
	for (i = 0; i < pr->row_cnt; i++) {
		key = blobs__get(&pr->keys, i, &len);
		strbuf__reset(&pr->part);
		strbuf__add(&pr->part, key, len);
		strbuf__reset(&pr->sub);
		protobuf__put_varint(&pr->sub, weights ? pr->rows[i].weight : pr->rows[i].samples);
		put_packed(&pr->part, SAMPLE_VALUES, &pr->sub);
		protobuf__put_bytes(&pr->profile, PROFILE_SAMPLES, pr->part.buf, pr->part.len);
	}
	protobuf__put_fixed64(&pr->profile, PROFILE_TIME, m->begin_real_ns);
	protobuf__put_u64(&pr->profile, PROFILE_DURATION, m->duration_ns);
	put_type(pr, PROFILE_PERIOD_TYPE, type_of(pr, ev), unit_of(ev));
	protobuf__put_u64(&pr->profile, PROFILE_PERIOD, period);
	put_id(pr);
	if (!pr->profile_cnt++)
		put_losses(pr);
	protobuf__put_bytes(&pr->scope, SCOPE_PROFILES, pr->profile.buf, pr->profile.len);
}

/* The weight of each sample, if all weigh the same; else 0. */
static uint64_t period_of(const struct otlp_printer *pr)
{
	uint64_t period;
	uint32_t i;

	if (!pr->row_cnt || !pr->rows[0].samples || pr->rows[0].weight % pr->rows[0].samples)
		return 0;
	period = pr->rows[0].weight / pr->rows[0].samples;
	for (i = 1; i < pr->row_cnt; i++)
		if (pr->rows[i].weight / period != pr->rows[i].samples ||
		    pr->rows[i].weight % period)
			return 0;
	return period;
}

static int put_event(struct otlp_printer *pr, uint32_t owner, uint32_t event)
{
	const struct profile_event *ev = &pr->p->events[event];
	uint64_t period;
	size_t i;
	int err = 0;

	blobs__free(&pr->keys);
	pr->row_cnt = 0;
	for (i = 0; i < pr->p->stack_cnt && !err; i++) {
		const struct profile_stack *st = &pr->p->stacks[pr->order[i]];

		if (st->event == event && st->owner == owner)
			err = add_row(pr, st);
	}
	if (err || !pr->row_cnt)
		return err;
	period = period_of(pr);
	put_profile(pr, ev, false, period);
	if (!period)
		put_profile(pr, ev, true, 0);
	return 0;
}

static void put_scope_head(struct otlp_printer *pr)
{
	strbuf__reset(&pr->scope);
	strbuf__reset(&pr->part);
	protobuf__put_bytes(&pr->part, SCOPE_NAME, "bpfperf", strlen("bpfperf"));
	protobuf__put_bytes(&pr->part, SCOPE_VERSION, BPFPERF_VERSION, strlen(BPFPERF_VERSION));
	protobuf__put_bytes(&pr->scope, SCOPE_SCOPE, pr->part.buf, pr->part.len);
}

/* Puts the profiles of one owner; `anyway`: one without samples, if there are none. */
static int put_owner(struct otlp_printer *pr, uint32_t owner, bool anyway)
{
	uint32_t event, before = pr->profile_cnt;
	int err = 0;

	strbuf__reset(&pr->resource);
	put_resource(pr, owner);
	put_scope_head(pr);
	for (event = 0; event < pr->p->event_cnt && !err; event++)
		if (!pr->p->events[event].old)
			err = put_event(pr, owner, event);
	if (!err && pr->profile_cnt == before && anyway && pr->p->event_cnt)
		put_profile(pr, &pr->p->events[0], false, 0);
	if (err || pr->profile_cnt == before)
		return err;
	protobuf__put_bytes(&pr->resource, RESOURCE_SCOPE_PROFILES, pr->scope.buf, pr->scope.len);
	protobuf__put_bytes(&pr->msg, DATA_RESOURCE_PROFILES, pr->resource.buf, pr->resource.len);
	return 0;
}

static int order_stacks(struct otlp_printer *pr)
{
	uint32_t i, cnt = (uint32_t)pr->p->stack_cnt;

	pr->order = calloc((size_t)cnt + 1, sizeof(*pr->order));
	if (!pr->order)
		return -ENOMEM;
	for (i = 0; i < cnt; i++)
		pr->order[i] = i;
	qsort_r(pr->order, cnt, sizeof(*pr->order), otlp_dict__compare_stacks, &pr->dict);
	return 0;
}

static void put_dictionary(struct otlp_printer *pr)
{
	size_t i, head;

	pr->ends[0] = pr->msg.len;
	strbuf__reset(&pr->part);
	otlp_dict__put(&pr->dict, &pr->part, pr->ends + 1);
	protobuf__put_bytes(&pr->msg, DATA_DICTIONARY, pr->part.buf, pr->part.len);
	head = pr->msg.len - pr->part.len;
	for (i = 1; i <= OTLP_TABLES; i++)
		pr->ends[i] += head;
}

static int make_message(struct otlp_printer *pr)
{
	uint32_t owner, owner_cnt = 1;
	size_t i;
	int err;

	otlp_dict__add_locations(&pr->dict);
	err = order_stacks(pr);
	for (i = 0; i < pr->p->stack_cnt; i++)
		if (pr->p->stacks[i].owner >= owner_cnt)
			owner_cnt = pr->p->stacks[i].owner + 1;
	for (owner = 0; owner < owner_cnt && !err; owner++)
		err = put_owner(pr, owner, false);
	if (!err && !pr->profile_cnt)
		err = put_owner(pr, 0, true);
	put_dictionary(pr);
	return pr->dict.failed ? -ENOMEM : err;
}

static void free_printer(struct otlp_printer *pr)
{
	otlp_dict__free(&pr->dict);
	strbuf__free(&pr->msg);
	strbuf__free(&pr->resource);
	strbuf__free(&pr->scope);
	strbuf__free(&pr->profile);
	strbuf__free(&pr->part);
	strbuf__free(&pr->sub);
	blobs__free(&pr->keys);
	free(pr->rows);
	free(pr->order);
}

static int print(struct sink *sink, bool gzip)
{
	struct profile *p = profile_sink__finish(sink);
	const struct profile_config *cfg = profile_sink__config(sink);
	struct otlp_printer pr = { .p = p, .cfg = cfg };
	int err = otlp_dict__init(&pr.dict, p, cfg->no_symbols);

	if (!err)
		err = make_message(&pr);
	if (!err && gzip)
		err = gzip__put_parts(&sink->out->buf, pr.msg.buf, pr.msg.len, 6, pr.ends,
				      sizeof(pr.ends) / sizeof(*pr.ends));
	else if (!err)
		strbuf__add(&sink->out->buf, pr.msg.buf, pr.msg.len);
	free_printer(&pr);
	return err ? err : out__commit(sink->out);
}

static int otlp_end(struct sink *sink)
{
	return print(sink, false);
}

static int otlp_gzip_end(struct sink *sink)
{
	return print(sink, true);
}

const struct sink_ops otlp_sink = {
	.name = "otlp",
	.suffix = ".otlp",
	.is_binary = true,
	.begin = profile_sink__begin_alone,
	.end = otlp_end,
	PROFILE_SINK_OPS,
};

/* A body of a request: not a format of its own. */
const struct sink_ops otlp_gzip_sink = {
	.name = "otlp",
	.is_binary = true,
	.begin = profile_sink__begin_alone,
	.end = otlp_gzip_end,
	PROFILE_SINK_OPS,
};
