/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* What the readers of our JSON lines and of our HTML page share. */
#ifndef BPFPERF_PROFILE_READ_JSON_H
#define BPFPERF_PROFILE_READ_JSON_H

#include <stdbool.h>

#include "profile/profile.h"
#include "util/json_read.h"

struct head_reader {
	struct profile *p;
	bool old; /* its events become those of the older profile; what was recorded is left out */
	bool is_profile; /* the version was there and is ours */
	/* Events of the file → of the profile; -1: those it was compared with itself, left out. */
	int events[PROFILE_MAX_EVENTS];
	uint32_t event_cnt;
};

/*
 * The value of a member that profile_json__put_head() wrote; skips others. scratch is overwritten.
 * 0 or -errno.
 */
int head_reader__member(struct head_reader *h, struct json_read *j, const char *key,
			struct strbuf *scratch);

#endif
