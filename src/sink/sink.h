/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A sink turns samples into one output format. Each format is one file with
 * one struct sink_ops; the table in sink.c is all that commands know of them.
 */
#ifndef BPFPERF_SINK_SINK_H
#define BPFPERF_SINK_SINK_H

#include <stdint.h>

#include "decode/sample.h"
#include "util/strbuf.h"

struct sym; /* sym/sym.h: address → name; NULL where nothing needs naming */
struct out; /* sink/out.h: where bytes go */

enum time_format { TIME_MONO, TIME_REAL, TIME_REL, TIME_DELTA };

struct sink_config {
	enum time_format time;
	uint64_t start_mono_ns; /* begin of the recording, for TIME_REL */
	int64_t mono_to_real_ns; /* CLOCK_REALTIME − CLOCK_MONOTONIC at the start */
	struct sym *sym;
	bool color;
};

struct sink {
	const struct sink_ops *ops;
	struct sink_config cfg;
	struct out *out; /* not owned */
	void *priv; /* ops->priv_sz bytes, zeroed */
};

struct sink_ops {
	const char *name; /* --format NAME */
	const char *suffix; /* file ending that selects it: ".json", or NULL */
	size_t priv_sz;
	/* All return 0 or -errno (out's error: disk full, closed pipe). begin, lost, end may be NULL. */
	int (*begin)(struct sink *sink);
	int (*sample)(struct sink *sink, const struct sample *s);
	int (*lost)(struct sink *sink, const struct lost *l);
	int (*end)(struct sink *sink);
	void (*free)(struct sink *sink); /* what priv points to */
};

/* NULL and one sentence with the formats there are, where `ops_table` (NULL-terminated) has none of that name. */
const struct sink_ops *sink__choose(const struct sink_ops *const *table, const char *format,
				    const char *path, const struct sink_ops *fallback);
/* NULL and errno ENOMEM. */
struct sink *sink__new(const struct sink_ops *ops, struct out *out, const struct sink_config *cfg);
int sink__begin(struct sink *sink);
int sink__sample(struct sink *sink, const struct sample *s);
int sink__lost(struct sink *sink, const struct lost *l);
int sink__end(struct sink *sink);
void sink__free(struct sink *sink);

/* The formats of event streams (trace) and of profiles (stack). */
extern const struct sink_ops *const trace_sinks[];
extern const struct sink_ops *const stack_sinks[];

#endif
