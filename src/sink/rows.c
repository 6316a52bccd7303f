// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Rows for ClickHouse: gzip'ed JSON, an object a line (JSONEachRow), for the table that
 * export/schema.c describes. A row is a stack with its samples; further rows have lost samples by
 * their cause, and no stack. All rows of a message have one batch, so that a store can be asked
 * whether it has them.
 */
#include <errno.h>
#include <string.h>

#include "sink/cgroup.h"
#include "sink/out.h"
#include "sink/profile_json.h"
#include "sink/profile_sink.h"
#include "sink/row_head.h"
#include "util/gzip.h"

extern const struct sink_ops rows_sink;

struct rows_printer {
	struct profile *p;
	const struct profile_config *cfg;
	struct strbuf text; /* all rows */
	struct strbuf head; /* the members that all rows have */
	struct strbuf name; /* reused */
};

/* The name of a user address without symbols: what a symbolizer elsewhere needs. */
static void put_address(struct rows_printer *pr, uint64_t place)
{
	const struct sym_build_id *id = sym__build_id(pr->p->sym, place);
	char hex[2 * BUILD_ID_MAX_SZ + 1];

	strbuf__reset(&pr->name);
	strbuf__printf(&pr->name, "%s+0x%llx",
		       id && id->len ? build_id__hex(id, hex) : sym__path(pr->p->sym, place),
		       (unsigned long long)sym__file_off(place));
	strbuf__put_json(&pr->text, pr->name.buf, pr->name.len);
}

/* Puts the functions of a location, outermost first. 0 or -ENOMEM. */
static int put_loc(struct rows_printer *pr, uint32_t loc)
{
	struct profile *p = pr->p;
	const uint32_t *funcs;
	const char *name;
	uint16_t cnt, i;

	if (pr->cfg->no_symbols && p->locs[loc].space == PROFILE_USER) {
		put_address(pr, p->locs[loc].addr);
		return 0;
	}
	funcs = profile__funcs(p, loc, &cnt);
	if (!funcs)
		return -ENOMEM;
	for (i = 0; i < cnt; i++) {
		name = profile__text(p, p->funcs[funcs[i]].name);
		strbuf__puts(&pr->text, i ? "," : "");
		strbuf__put_json(&pr->text, name, strlen(name));
	}
	return 0;
}

static const char *find_attr(const char *const *attrs, const char *key)
{
	for (; attrs && attrs[0]; attrs += 2)
		if (!strcmp(attrs[0], key))
			return attrs[1];
	return NULL;
}

static void put_owner(struct rows_printer *pr, uint32_t owner)
{
	const struct profile_owners *owners = pr->p->owners;
	const char *path = owners && owner ? owners->cgroup(owners->ctx, owner) : "";
	const char *const *attrs = owners && owner ? owners->attrs(owners->ctx, owner) : NULL;
	const char *service = find_attr(attrs, "service.name");

	row_head__put_labels(&pr->text, attrs, pr->cfg->resource);
	strbuf__reset(&pr->name);
	cgroup__put_service(&pr->name, path);
	profile_json__put_str(&pr->text, "service", service ? service : strbuf__cstr(&pr->name));
	profile_json__put_str(&pr->text, "cgroup", path);
	strbuf__reset(&pr->name);
	cgroup__put_container(&pr->name, path);
	profile_json__put_str(&pr->text, "container", strbuf__cstr(&pr->name));
}

static void put_event(struct rows_printer *pr, const struct profile_event *ev)
{
	profile_json__put_str(&pr->text, "event", profile__text(pr->p, ev->name));
	profile_json__put_str(&pr->text, "unit", ev->is_ns ? "ns" : "count");
}

static int put_row(struct rows_printer *pr, const struct profile_stack *st)
{
	const struct profile *p = pr->p;
	uint32_t comm = st->group[st->group[1] != TEXTS_NONE];
	const char *sep = "";
	size_t i;
	int err = 0;

	strbuf__add(&pr->text, pr->head.buf, pr->head.len);
	put_owner(pr, st->owner);
	profile_json__put_str(&pr->text, "comm", profile__text(p, st->pid ? st->comm : comm));
	profile_json__put_u64(&pr->text, "pid", (uint32_t)st->pid);
	profile_json__put_u64(&pr->text, "tid", (uint32_t)st->tid);
	put_event(pr, &p->events[st->event]);
	profile_json__put_u64(&pr->text, "samples", st->samples);
	profile_json__put_u64(&pr->text, "weight", st->weight);
	strbuf__puts(&pr->text, ",\"stack\":[");
	if (st->truncated) {
		strbuf__puts(&pr->text, "\"[truncated]\"");
		sep = ",";
	}
	for (i = profile_stack__depth(st); i-- && !err; sep = ",") {
		strbuf__puts(&pr->text, sep);
		err = put_loc(pr, p->frames[st->at + i]);
	}
	strbuf__puts(&pr->text, "]}\n");
	return err;
}

static void put_lost(struct rows_printer *pr)
{
	size_t i;

	for (i = 0; i < LOST_CAUSE_CNT; i++) {
		if (!pr->p->meta.lost[i])
			continue;
		strbuf__add(&pr->text, pr->head.buf, pr->head.len);
		row_head__put_labels(&pr->text, NULL, pr->cfg->resource);
		profile_json__put_str(&pr->text, "event", lost_cause__name((enum lost_cause)i));
		profile_json__put_u64(&pr->text, "lost", pr->p->meta.lost[i]);
		strbuf__puts(&pr->text, "}\n");
	}
}

static int rows_end(struct sink *sink)
{
	struct profile *p = profile_sink__finish(sink);
	struct rows_printer pr = { .p = p, .cfg = profile_sink__config(sink) };
	const struct row_head head = {
		.batch = pr.cfg->batch,
		.begin_ns = p->meta.begin_real_ns,
		.end_ns = p->meta.begin_real_ns + p->meta.duration_ns,
		.host = p->meta.host,
	};
	size_t i;
	int err = 0;

	row_head__put(&pr.head, &head);
	for (i = 0; i < p->stack_cnt && !err; i++)
		if (!p->events[p->stacks[i].event].old)
			err = put_row(&pr, &p->stacks[i]);
	put_lost(&pr);
	if (!err)
		err = gzip__put(&sink->out->buf, pr.text.buf, pr.text.len, 6);
	strbuf__free(&pr.text);
	strbuf__free(&pr.head);
	strbuf__free(&pr.name);
	return err ? err : out__commit(sink->out);
}

/* A body of a request: not a format of its own. */
const struct sink_ops rows_sink = {
	.name = "rows",
	.is_binary = true,
	.begin = profile_sink__begin_alone,
	.end = rows_end,
	PROFILE_SINK_OPS,
};
