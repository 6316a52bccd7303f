/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* What all sinks of profiles do alike: gather samples; they differ in `end` alone. */
#ifndef BPFPERF_SINK_PROFILE_SINK_H
#define BPFPERF_SINK_PROFILE_SINK_H

#include "profile/profile.h"
#include "profile/profile_view.h"
#include "sink/sink.h"

/* What a command asks for; sink_config.profile points to it, as long as the sink lives. */
struct profile_config {
	enum profile_by by;
	bool by_weight; /* weights in place of samples where only one value can be shown */
	const struct event *off_events[2]; /* of SAMPLE_OFF_CPU; NULL: none */
	const char *old_path; /* a profile to compare with, or NULL */
	struct profile_meta meta; /* complete before sink__end(); its losses are the sink's */
};

/* The private part of the sinks; formats may put theirs behind it. */
struct profile_sink {
	struct profile profile;
	bool loaded; /* from a file, which says what was recorded */
	struct profile_view views[PROFILE_MAX_VIEWS];
	uint32_t view_cnt, primary_cnt; /* the primary ones stand first */
};

/* For struct sink_ops. begin reads the older profile: -EINVAL after a sentence. */
int profile_sink__begin(struct sink *sink);
/* For formats that cannot show differences: -EINVAL after a sentence where one is asked for. */
int profile_sink__begin_alone(struct sink *sink);
int profile_sink__sample(struct sink *sink, const struct sample *s);
int profile_sink__lost(struct sink *sink, const struct lost *l);
int profile_sink__load(struct sink *sink, const char *path);
void profile_sink__free(struct sink *sink);

/* What is the same in the struct sink_ops of all of them. */
#define PROFILE_SINK_OPS                                                                           \
	.priv_sz = sizeof(struct profile_sink), .sample = profile_sink__sample,                    \
	.lost = profile_sink__lost, .load = profile_sink__load, .free = profile_sink__free

/*
 * First of all in `end`: makes the views and says where the older profile has nothing to be
 * compared with. The profile, and its views in the struct.
 */
struct profile *profile_sink__finish(struct sink *sink);

#endif
