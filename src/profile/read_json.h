/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Code shared by the readers of bpfperf's JSON lines and HTML page. */
#ifndef BPFPERF_PROFILE_READ_JSON_H
#define BPFPERF_PROFILE_READ_JSON_H

#include <stdbool.h>

#include "profile/profile.h"
#include "util/json_read.h"

struct head_reader {
	struct profile *p;
	/* events are added as the older profile's, and facts about the recording are skipped */
	bool old;
	bool is_profile; /* the version member was present and is supported */
	/*
	 * Events of the file → of the profile; -1: events of the older profile in the file, which
	 * are skipped.
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
