/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Code shared by the readers of bpfperf's JSON lines and HTML page. */
#ifndef BPFPERF_PROFILE_READ_JSON_H
#define BPFPERF_PROFILE_READ_JSON_H

#include <stdbool.h>

#include "profile/profile.h"
#include "profile/profile_read.h"
#include "util/json_read.h"

struct head_reader {
	struct profile *p;
	/* PROFILE_PART_AS_OLD also skips facts about the recording */
	enum profile_part part;
	bool is_profile; /* the version member was present and is supported */
	/*
	 * Events of the file → of the profile; -1: an event of the older profile in the file that
	 * is skipped.
	 */
	int events[PROFILE_MAX_EVENTS];
	uint32_t event_cnt;
};

/*
 * Reads the value of a member that profile_json__put_head() wrote; others are skipped. scratch is
 * overwritten. 0 or -errno.
 */
int head_reader__member(struct head_reader *h, struct json_read *j, const char *key,
			struct strbuf *scratch);

#endif
