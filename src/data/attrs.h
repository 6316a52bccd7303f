/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The events of a recording: how each was opened, its name, and the ids its records carry. */
#ifndef BPFPERF_DATA_ATTRS_H
#define BPFPERF_DATA_ATTRS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/perf_event.h>

#include "data/bytes.h"
#include "event/tp_format.h"
#include "util/u64map.h"

/* More events than this no recording has; ids are bounded by the file's own size. */
#define ATTRS_MAX 65536

struct recorded_event {
	struct perf_event_attr attr; /* in this machine's order; zero behind what the file has */
	uint64_t flags; /* the attr's bit fields as one number, the first of them bit 0 */
	char *name; /* owned; never NULL once attrs__name_all() was called */
	struct tp_format *fmt; /* of a tracepoint, NULL if the recording lacks it; not owned */
	uint32_t idx;
	/* Places of fields in its samples, in 8-byte words behind the header; -1: absent. */
	int8_t id_word;
	int8_t trailer_id_word; /* of other records: counted from their end, 1 being the last */
	uint8_t time_off; /* bytes from the record's start */
	/* bytes of the fields up to PERF_SAMPLE_PERIOD, which have one size each */
	uint8_t front_sz;
};

/*
 * Bits of recorded_event.flags: bit fields of perf_event_attr, by their places in the kernel's
 * header.
 */
#define ATTR_INHERIT (1ULL << 1)
#define ATTR_SAMPLE_ID_ALL (1ULL << 18)

struct attrs {
	struct recorded_event *events;
	size_t cnt, cap;
	struct u64map by_id;
};

/* One more event: the attr's bytes (sz of them). 0, -EBADMSG, -E2BIG or -ENOMEM. */
int attrs__add(struct attrs *attrs, const void *attr, size_t sz, bool swap);
/* The ids of an event, all that is left of b. 0, -ENOMEM. */
int attrs__add_ids(struct attrs *attrs, size_t idx, struct bytes *b);
/* The event of an id; NULL: unknown. */
struct recorded_event *attrs__find(const struct attrs *attrs, uint64_t id);
/* Gives an event its name (copied, len bytes), in place of what it had. 0 or -ENOMEM. */
int attrs__set_name(struct recorded_event *ev, const char *name, size_t len);
void attrs__free(struct attrs *attrs);

#endif
