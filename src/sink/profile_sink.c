// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/profile_sink.h"

#include <errno.h>
#include <string.h>

#include "event/event.h"
#include "profile/profile_kinds.h"
#include "profile/profile_read.h"
#include "sink/out.h"
#include "util/log.h"

static const struct profile_config no_config;

const struct profile_config *profile_sink__config(const struct sink *sink)
{
	return sink->cfg.profile ? sink->cfg.profile : &no_config;
}

/*
 * Logs an error of the profile. The remedy differs: events of a live session were chosen by the
 * user, those of a recording were not.
 */
static int log_too_many(const struct sink *sink, int err)
{
	if (err == -E2BIG && sink->cfg.events)
		log_error("a profile holds %d events at most; give fewer -e", PROFILE_MAX_EVENTS);
	else if (err == -E2BIG)
		log_error("a profile holds %d events at most, and there are samples of more; "
			  "--format stdio shows them all",
			  PROFILE_MAX_EVENTS);
	return err;
}

int profile_sink__begin(struct sink *sink)
{
	const struct profile_config *cfg = profile_sink__config(sink);
	struct profile_sink *ps = sink->priv;
	size_t i;
	int err = 0;

	profile__init(&ps->profile, sink->cfg.sym, cfg->by);
	ps->profile.owners = cfg->owners;
	ps->profile.sz_max = cfg->sz_max;
	for (i = 0; sink->cfg.events && i < sink->cfg.events->cnt && !err; i++)
		err = log_too_many(sink, profile__expect(&ps->profile, sink->cfg.events->events[i],
							 SAMPLE_ON_CPU));
	for (i = 0; i < 2 && !err; i++)
		if (cfg->off_events[i])
			err = log_too_many(sink, profile__expect(&ps->profile, cfg->off_events[i],
								 SAMPLE_OFF_CPU));
	if (err)
		return err;
	return cfg->old_path ? profile_read__file(&ps->profile, cfg->old_path, PROFILE_PART_AS_OLD)
			     : 0;
}

int profile_sink__sample(struct sink *sink, const struct sample *s)
{
	struct profile_sink *ps = sink->priv;

	return log_too_many(sink, profile__add(&ps->profile, s));
}

int profile_sink__lost(struct sink *sink, const struct lost *l)
{
	struct profile_sink *ps = sink->priv;

	ps->profile.meta.lost[l->cause] += l->cnt;
	return 0;
}

/* A saved comparison keeps its older profile, unless --diff gives another. */
int profile_sink__load(struct sink *sink, const char *path)
{
	struct profile_sink *ps = sink->priv;
	enum profile_part part = profile_sink__config(sink)->old_path || ps->alone
					 ? PROFILE_PART_NEW
					 : PROFILE_PART_BOTH;

	int err;

	ps->loaded = true;
	err = profile_read__file(&ps->profile, path, part);
	if (!err && ps->alone && ps->profile.old_skipped)
		log_warn("%s is a comparison, and --format %s cannot show differences; its newer "
			 "profile is printed alone; tree, folded, flame and json show both",
			 path, sink->ops->name);
	return err;
}

void profile_sink__free(struct sink *sink)
{
	struct profile_sink *ps = sink->priv;

	profile__free(&ps->profile);
}

int profile_sink__begin_alone(struct sink *sink)
{
	struct profile_sink *ps = sink->priv;

	ps->alone = true;
	if (!profile_sink__config(sink)->old_path)
		return profile_sink__begin(sink);
	log_error("--format %s cannot show differences; choose from: tree folded flame json",
		  sink->ops->name);
	return -EINVAL;
}

/* An older profile with a single event of another name is compared as well: both may be time. */
static void match_old(struct profile_sink *ps)
{
	struct profile *p = &ps->profile;
	uint64_t left = profile_view__unmatched(p, ps->views, ps->view_cnt);
	uint32_t i;

	if (!left)
		return;
	for (i = 0; i < ps->view_cnt; i++)
		if (ps->views[i].old_events || !ps->views[i].events)
			break;
	if (i == ps->view_cnt && !(left & (left - 1))) {
		log_warn("--diff: the older profile contains %s; it is compared with %s",
			 profile__text(p, p->events[__builtin_ctzll(left)].name),
			 ps->views[0].name);
		for (i = 0; i < ps->view_cnt; i++)
			ps->views[i].old_events = left;
		return;
	}
	for (; left; left &= left - 1)
		log_warn("--diff: %s of the older profile has no counterpart",
			 profile__text(p, p->events[__builtin_ctzll(left)].name));
}

/* Stacks that are missing are said, beside the frame that they are shown as. */
static void log_more(const struct profile *p)
{
	if (p->more_cnt)
		log_warn("stacks of %llu of %llu samples are not shown, but summed up as "
			 "%s: the first %zu MiB of different stacks are kept; observe fewer "
			 "programs, or begin anew with --every",
			 (unsigned long long)p->more_cnt, (unsigned long long)profile__samples(p),
			 PROFILE_MORE, p->sz_max >> 20);
}

struct profile *profile_sink__finish(struct sink *sink)
{
	const struct profile_config *cfg = profile_sink__config(sink);
	struct profile_sink *ps = sink->priv;
	struct profile *p = &ps->profile;
	uint64_t lost[LOST_CAUSE_CNT];

	if (!ps->loaded) {
		memcpy(lost, p->meta.lost, sizeof(lost));
		p->meta = cfg->meta;
		memcpy(p->meta.lost, lost, sizeof(lost));
	}
	/* An output that has failed takes no more, and says so at each record. */
	if (cfg->kinds && profile_kinds__keep(p, cfg->kinds))
		sink->out->err = -ENOMEM;
	ps->view_cnt = profile_view__list(p, cfg->by_weight, ps->views);
	match_old(ps);
	log_more(p);
	while (ps->primary_cnt < ps->view_cnt && ps->views[ps->primary_cnt].primary)
		ps->primary_cnt++;
	return p;
}

void profile_sink__put_head(struct sink *sink)
{
	const struct profile_sink *ps = sink->priv;
	struct strbuf *sb = &sink->out->buf;

	strbuf__puts(sb, "# ");
	profile__put_summary(&ps->profile, sb);
	strbuf__putc(sb, '\n');
	if (ps->profile.meta.command)
		strbuf__printf(sb, "# command: %s\n", ps->profile.meta.command);
}
