/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The part that all sinks of profiles share: they gather samples, and differ in `end` only. */
#ifndef BPFPERF_SINK_PROFILE_SINK_H
#define BPFPERF_SINK_PROFILE_SINK_H

#include "profile/profile.h"
#include "profile/profile_view.h"
#include "sink/sink.h"

/* The command's choices; sink_config.profile points to them as long as the sink lives. */
struct profile_config {
	enum profile_by by;
	bool by_weight; /* weights in place of samples if only one value can be shown */
	uint32_t kinds; /* of functions that are shown (profile/profile_kinds.h); 0: all */
	const struct event *off_events[2]; /* events of SAMPLE_OFF_CPU; NULL: none */
	const char *old_path; /* path of a profile to compare with, or NULL */
	const struct profile_owners *owners; /* NULL: samples are not told apart by owner */
	bool no_symbols; /* otlp: user addresses stay without names */
	const char *const *resource; /* otlp: keys and values in turn, ended by NULL; or NULL */
	size_t sz_max; /* bytes that the profile keeps of stacks, see profile.h; 0: no limit */
	const char *batch; /* rows: names the message */
	unsigned char id[12]; /* otlp: the begin of the profiles' ids; its first byte 0: none */
	/* flame: instructions as JSON (annotate/page.h), before sink__end(); NULL: none */
	const char *code;
	/* must be complete before sink__end(); its losses are set by the sink */
	struct profile_meta meta;
};

/* The sinks' private data; a format may append its own members. */
struct profile_sink {
	struct profile profile;
	bool alone; /* the format cannot show an older profile */
	bool loaded; /* loaded from a file, which contains the facts about the recording */
	struct profile_view views[PROFILE_MAX_VIEWS];
	uint32_t view_cnt, primary_cnt; /* the primary views are first */
};

/* For struct sink_ops. begin reads the older profile: -EINVAL, logged. */
int profile_sink__begin(struct sink *sink);
/*
 * For formats that cannot show differences: -EINVAL, logged, if a comparison is requested. A saved
 * comparison is loaded without its older profile, logged.
 */
int profile_sink__begin_alone(struct sink *sink);
int profile_sink__sample(struct sink *sink, const struct sample *s);
int profile_sink__lost(struct sink *sink, const struct lost *l);
int profile_sink__load(struct sink *sink, const char *path);
void profile_sink__free(struct sink *sink);

/* Members of struct sink_ops that are equal in all of them. */
#define PROFILE_SINK_OPS                                                                           \
	.needs = SAMPLE_NEEDS_STACK, .priv_sz = sizeof(struct profile_sink),                       \
	.sample = profile_sink__sample, .lost = profile_sink__lost, .load = profile_sink__load,    \
	.free = profile_sink__free

/*
 * Called first in `end`: makes the views and logs events of the older profile without a
 * counterpart. Returns the profile; the views are in the struct.
 */
struct profile *profile_sink__finish(struct sink *sink);
/* The command's choices; never NULL. */
const struct profile_config *profile_sink__config(const struct sink *sink);
/* Prints the first lines of a profile as text: its summary, and the command if it is known. */
void profile_sink__put_head(struct sink *sink);

#endif
