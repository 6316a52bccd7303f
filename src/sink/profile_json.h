/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* JSON shared by the formats that hold a whole profile. */
#ifndef BPFPERF_SINK_PROFILE_JSON_H
#define BPFPERF_SINK_PROFILE_JSON_H

#include "profile/profile.h"

/*
 * Puts the members of an object, without its braces, that describe the recording:
 *
 *     "profile":1,"by":"bpfperf 0.1.0","summary":"497 samples of …","events":[{"name":…,
 *     "unit":"ns"|"count","kind":"on-cpu"|"off-cpu","old":false,"samples":N,"weight":N,
 *     "truncated":N},…],"freq":99,"period":0,"begin_ns":N,"duration_ns":N,"command":"…",
 *     "host":"…","kernel":"…","samples":N,"truncated":N,"lost":N,"lost_by":{"ring full":N}
 *
 * begin_ns is CLOCK_REALTIME. Unknown members are omitted.
 */
void profile_json__put_head(const struct profile *p, struct strbuf *sb);
/* ,"key":"text" or ,"key":N */
void profile_json__put_str(struct strbuf *sb, const char *key, const char *text);
void profile_json__put_u64(struct strbuf *sb, const char *key, uint64_t v);

#endif
