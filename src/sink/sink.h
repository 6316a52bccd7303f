/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A sink turns samples into one output format. Each format is one struct sink_ops; commands know
 * the formats by the tables of sink.c alone.
 */
#ifndef BPFPERF_SINK_SINK_H
#define BPFPERF_SINK_SINK_H

#include <stdbool.h>
#include <stdint.h>

#include "decode/sample.h"
#include "util/strbuf.h"

struct proc_event; /* machine/proc_event.h */
struct record; /* data/record.h */
struct agg_result; /* stat/agg_result.h: what agg_sinks print at their end */
struct event_list;
struct profile_config; /* sink/profile_sink.h: what sinks of profiles are asked for */
struct sym; /* sym/sym.h: address → name; NULL where nothing needs naming */
struct out; /* sink/out.h: where bytes go */

enum time_format { TIME_MONO, TIME_REAL, TIME_REL, TIME_DELTA };

/*
 * The part of a configuration that one kind of format reads: the first member of that kind's
 * struct, whose header names the kind. Owned by the command; outlives the sink.
 */
struct sink_extra {
	const char *kind;
	const struct sink_extra *next;
};

struct sink_config {
	enum time_format time;
	uint64_t start_mono_ns; /* begin of the recording, for TIME_REL */
	uint64_t end_mono_ns; /* set before sink__end(); 0: the time of the last record */
	int64_t mono_to_real_ns; /* CLOCK_REALTIME − CLOCK_MONOTONIC at the start */
	const struct event_list *events; /* all whose samples may come; outlives the sink */
	bool header; /* formats of lines begin with comments: when it was, and of what */
	bool callstacks; /* samples have stacks */
	bool is_recorded; /* times are of the recording's clock; CLOCK_REALTIME is unknown */
	const struct event_list *counters; /* samples and rows have these; NULL: none */
	struct sym *sym;
	bool color;
	const struct profile_config *profile; /* of stack_sinks; not owned */
	const struct agg_result *agg; /* of agg_sinks, set before sink__end(); not owned */
	const struct sink_extra *extras; /* NULL: none */
};

struct sink {
	const struct sink_ops *ops;
	struct sink_config cfg;
	struct out *out; /* not owned */
	bool wants_tasks; /* what task() tells, also of what was there before */
	void *priv; /* ops->priv_sz bytes, zeroed */
};

/* A flight recorder's dump: the samples behind it, up to the next one's. */
struct dump {
	unsigned int nr; /* from 1 on */
	const char *why; /* "SIGUSR2", "trigger", "end" */
	uint64_t time_ns; /* CLOCK_MONOTONIC */
};

struct sink_ops {
	const char *name; /* --format NAME */
	const char *suffix; /* file endings that select it: ".json .jsonl", or NULL */
	bool is_binary; /* nothing for a terminal */
	bool opens_file; /* out's, by its name, where that is not stdout */
	bool all_switches; /* draws who runs where: wants bpfperf's own sched_switch records, too */
	size_t priv_sz;
	/* All return 0 or -errno (out's error: disk full, closed pipe). begin, lost, end may be NULL. */
	int (*begin)(struct sink *sink);
	/* Just before recording begins; `begin` may have been long before. NULL: nothing to be done. */
	int (*start)(struct sink *sink);
	int (*sample)(struct sink *sink, const struct sample *s);
	/* An event of a process or of code, in its place among the samples, and its record; NULL: not wanted. */
	int (*task)(struct sink *sink, const struct proc_event *ev, const struct record *rec);
	int (*lost)(struct sink *sink, const struct lost *l);
	int (*row)(struct sink *sink, const struct counter_row *row); /* NULL: rows are left out */
	/* NULL where dumps need not be told apart. */
	int (*dump)(struct sink *sink, const struct dump *d);
	/* All that happened up to now was handed on; NULL where `out` is all that is to be flushed. */
	int (*flush)(struct sink *sink);
	/* After begin, in place of samples: a file saved before. NULL where there is no such thing. */
	int (*load)(struct sink *sink, const char *path);
	int (*end)(struct sink *sink);
	void (*free)(struct sink *sink); /* what priv points to */
};

/*
 * The sink of table (NULL-terminated) that `format` names, or `path` by its ending; where
 * neither is given, or the file's name has no ending, `fallback`. NULL and one sentence with
 * what there is, where there is no such format, or the ending is none's.
 */
const struct sink_ops *sink__choose(const struct sink_ops *const *table, const char *format,
				    const char *path, const struct sink_ops *fallback);
/* NULL and errno ENOMEM. */
struct sink *sink__new(const struct sink_ops *ops, struct out *out, const struct sink_config *cfg);
/* Where bytes of ops go: path NULL or "-" is stdout. -errno after one sentence. */
int sink__open_out(const struct sink_ops *ops, struct out *out, const char *path);
/* The part of the sink's configuration that is of this kind; NULL: the command gave none. */
const void *sink__extra(const struct sink *sink, const char *kind);
int sink__begin(struct sink *sink);
int sink__start(struct sink *sink);
int sink__sample(struct sink *sink, const struct sample *s);
int sink__task(struct sink *sink, const struct proc_event *ev, const struct record *rec);
int sink__flush(struct sink *sink);
int sink__lost(struct sink *sink, const struct lost *l);
int sink__row(struct sink *sink, const struct counter_row *row);
int sink__dump(struct sink *sink, const struct dump *d);
/* -EINVAL (said) where the file holds nothing for this sink. */
int sink__load(struct sink *sink, const char *path);
int sink__end(struct sink *sink);
void sink__free(struct sink *sink);

/* The formats of event streams and of aggregates (trace), and of profiles (stack). */
extern const struct sink_ops *const trace_sinks[];
extern const struct sink_ops *const agg_sinks[];
extern const struct sink_ops *const stack_sinks[];
/* The formats of a recording's samples (script). */
extern const struct sink_ops *const script_sinks[];
/* Of recordings (report): all but recordings. */
extern const struct sink_ops *const report_sinks[];

#endif
