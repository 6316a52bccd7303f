/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A sink turns samples into one output format. Each format is one struct sink_ops; commands use the
 * formats only by the tables of sink.c.
 */
#ifndef BPFPERF_SINK_SINK_H
#define BPFPERF_SINK_SINK_H

#include <stdbool.h>
#include <stdint.h>

#include "decode/sample.h"
#include "util/strbuf.h"

struct proc_event; /* machine/proc_event.h */
struct record; /* data/record.h */
struct agg_result; /* stat/agg_result.h: the results that agg_sinks print at their end */
struct event_list;
struct profile_config; /* sink/profile_sink.h: configuration of the sinks of profiles */
struct sym; /* sym/sym.h: address → name; NULL if no address is named */
struct out; /* sink/out.h: the output */

enum time_format { TIME_MONO, TIME_REAL, TIME_REL, TIME_DELTA };

/*
 * The part of a configuration for one kind of format: the first member of that kind's struct; its
 * header defines the kind. Owned by the command; it outlives the sink.
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
	const struct event_list *events; /* all events that may have samples; outlives the sink */
	bool header; /* line formats begin with comments: time of the recording, and its events */
	bool callstacks; /* samples have stacks */
	bool is_recorded; /* times are of the recording's clock; CLOCK_REALTIME is unknown */
	const struct event_list *counters; /* counters of samples and rows; NULL: none */
	struct sym *sym;
	bool color;
	const struct profile_config *profile; /* for stack_sinks; not owned */
	const struct agg_result *agg; /* for agg_sinks, set before sink__end(); not owned */
	const struct sink_extra *extras; /* NULL: none */
};

struct sink {
	const struct sink_ops *ops;
	struct sink_config cfg;
	struct out *out; /* not owned */
	/* task() gets all events of processes, also synthesized ones for existing processes */
	bool wants_tasks;
	unsigned int needs; /* SAMPLE_KEEP, and the parts of samples that are printed */
	void *priv; /* ops->priv_sz bytes, zeroed */
};

/* A dump of the flight recorder: the samples that follow belong to it, up to the next dump. */
struct dump {
	unsigned int nr; /* number, from 1 on */
	const char *why; /* "SIGUSR2", "trigger", "end" */
	uint64_t time_ns; /* CLOCK_MONOTONIC */
};

struct sink_ops {
	const char *name; /* --format NAME */
	const char *suffix; /* file suffixes that select it: ".json .jsonl", or NULL */
	bool is_binary; /* not suited for a terminal */
	bool wants_lines; /* of profiles: prints source files and lines */
	bool opens_file; /* opens the file by itself, by out's name, unless that is stdout */
	bool only_addresses; /* its stacks have no interpreted functions, but what maps them */
	/* draws the running threads: needs bpfperf's own sched_switch records, too */
	bool all_switches;
	/* draws the calls of a processor's trace as slices: needs them and the returns */
	bool begins_slices;
	/*
	 * enum sample_need: the parts of a sample that the sink prints; `begin` may add to
	 * sink->needs.
	 */
	unsigned int needs;
	/* Returns the parts of one sample; NULL: sink->needs. */
	unsigned int (*needs_of)(const struct sink *sink, const struct sample *s);
	size_t priv_sz;
	/*
	 * All return 0 or -errno (out's error: disk full, closed pipe). begin, lost, end may be
	 * NULL.
	 */
	int (*begin)(struct sink *sink);
	/*
	 * Called just before recording begins, which may be long after `begin`. NULL: nothing to
	 * do.
	 */
	int (*start)(struct sink *sink);
	int (*sample)(struct sink *sink, const struct sample *s);
	/*
	 * Receives an event of a process or of code, in order with the samples, and its record;
	 * NULL: not wanted.
	 */
	int (*task)(struct sink *sink, const struct proc_event *ev, const struct record *rec);
	int (*lost)(struct sink *sink, const struct lost *l);
	int (*row)(struct sink *sink, const struct counter_row *row); /* NULL: rows are dropped */
	/* NULL: dumps need not be separated */
	int (*dump)(struct sink *sink, const struct dump *d);
	/* Called after all records up to now were passed; NULL if only `out` is to be flushed. */
	int (*flush)(struct sink *sink);
	/* Called after begin, in place of samples: reads a saved file. NULL: not supported. */
	int (*load)(struct sink *sink, const char *path);
	int (*end)(struct sink *sink);
	void (*free)(struct sink *sink); /* frees the contents of priv */
};

/*
 * Returns the sink of table (NULL-terminated) that `format` names, or that fits the suffix of
 * `path`; `fallback` if neither is given or the file name has no suffix. For an unknown format or
 * suffix: NULL, and the choices are logged.
 */
const struct sink_ops *sink__choose(const struct sink_ops *const *table, const char *format,
				    const char *path, const struct sink_ops *fallback);
/*
 * Returns the suffix of a file name, with its dot, by which sink__choose() looks for a format;
 * NULL: it has none, as names that end in a number, "tmp.Xy81mZ4qQp", ".hidden" and "v1.2/file".
 */
const char *sink__suffix(const char *path);
/* Returns NULL with errno ENOMEM on failure. */
struct sink *sink__new(const struct sink_ops *ops, struct out *out, const struct sink_config *cfg);
/* Opens the output for ops: path NULL or "-" is stdout. 0 or -errno, logged. */
int sink__open_out(const struct sink_ops *ops, struct out *out, const char *path);
/* Returns the sink's configuration part of this kind; NULL: the command gave none. */
const void *sink__extra(const struct sink *sink, const char *kind);
int sink__begin(struct sink *sink);
int sink__start(struct sink *sink);
/*
 * Returns the parts that a sample must have before sink__sample(): flags of enum sample_need. The
 * sink has begun.
 */
static inline unsigned int sink__needs(const struct sink *sink, const struct sample *s)
{
	return sink->ops->needs_of ? sink->ops->needs_of(sink, s) : sink->needs;
}
int sink__sample(struct sink *sink, const struct sample *s);
int sink__task(struct sink *sink, const struct proc_event *ev, const struct record *rec);
int sink__flush(struct sink *sink);
int sink__lost(struct sink *sink, const struct lost *l);
int sink__row(struct sink *sink, const struct counter_row *row);
int sink__dump(struct sink *sink, const struct dump *d);
/* Loads a saved file. -EINVAL, logged, if the file contains nothing for this sink. */
int sink__load(struct sink *sink, const char *path);
int sink__end(struct sink *sink);
void sink__free(struct sink *sink);

/* The formats of event streams and of aggregates (trace), and of profiles (stack). */
extern const struct sink_ops *const trace_sinks[];
extern const struct sink_ops *const agg_sinks[];
extern const struct sink_ops *const stack_sinks[];
/* The formats of a recording's samples (script). */
extern const struct sink_ops *const script_sinks[];
/* The formats of report: all formats of profiles, without recordings. */
extern const struct sink_ops *const report_sinks[];

#endif
