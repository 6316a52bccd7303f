/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Events of a recording: their attrs and names, and the ids that their records carry. */
#ifndef BPFPERF_DATA_ATTRS_H
#define BPFPERF_DATA_ATTRS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/perf_event.h>

#include "data/bytes.h"
#include "event/tp_format.h"
#include "util/u64map.h"

/* Maximum number of events in a recording; the file's size limits the number of ids. */
#define ATTRS_MAX 65536

struct recorded_event {
	/* in this machine's byte order; bytes missing in the file are zero */
	struct perf_event_attr attr;
	uint64_t flags; /* the attr's bit fields as one number; the first field is bit 0 */
	char *name; /* owned; never NULL once attrs__name_all() was called */
	/* format of a tracepoint, NULL if the recording lacks it; not owned */
	struct tp_format *fmt;
	bool is_made; /* by attrs__make() */
	uint32_t member_cnt; /* of the group that it leads, itself among them; 0: it leads none */
	char *group_name; /* owned; NULL: the group has none */
	uint32_t idx;
	/* Offsets of fields in its samples, in 8-byte words after the header; -1: absent. */
	int8_t id_word;
	/* in records other than samples: word counted from the end, 1 being the last */
	int8_t trailer_id_word;
	uint8_t time_off; /* bytes from the record's start */
	/* total size of the fields before PERF_SAMPLE_PERIOD, all of which have fixed sizes */
	uint8_t front_sz;
};

/*
 * Bits of recorded_event.flags: the bit fields of perf_event_attr, in the order of the kernel's
 * header.
 */
#define ATTR_INHERIT (1ULL << 1)
#define ATTR_SAMPLE_ID_ALL (1ULL << 18)

struct attrs {
	struct recorded_event *events;
	size_t cnt, cap;
	size_t made_cnt; /* the last ones: made while reading, and of no record */
	bool want_build_ids; /* an event has attr.build_id: its mappings have build ids */
	struct u64map by_id;
};

/* Adds an event with these sz bytes of attr. 0, -EBADMSG, -E2BIG or -ENOMEM. */
int attrs__add(struct attrs *attrs, const void *attr, size_t sz, bool swap);
/* Adds the ids of an event, which are all remaining bytes of b. 0, -ENOMEM. */
int attrs__add_ids(struct attrs *attrs, size_t idx, struct bytes *b);
/*
 * Adds an event that no record is of: its samples are made while the recording is read. NULL: no
 * memory.
 */
struct recorded_event *attrs__make(struct attrs *attrs, const struct perf_event_attr *attr,
				   const char *name);
/* Finds the event of an id; NULL: unknown. */
struct recorded_event *attrs__find(const struct attrs *attrs, uint64_t id);
/* Sets the name of an event (copied, len bytes), replacing any earlier one. 0 or -ENOMEM. */
int attrs__set_name(struct recorded_event *ev, const char *name, size_t len);
void attrs__free(struct attrs *attrs);

#endif
