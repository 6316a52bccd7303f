// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * --format pprof: a gzip'ed protocol buffer that `go tool pprof` reads (google/pprof,
 * proto/profile.proto, with the field numbers used here).
 *
 * Each file is a mapping in which a place's offset is the address; the kernel is one more mapping.
 * The first mapping is the program with the most samples. A mapping's flags state which names its
 * locations have: functions, and source files and lines if the file has DWARF. Groups are labels
 * (-tagroot comm, -tagfocus), losses and facts about the recording are comments (-comments).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sink/out.h"
#include "sink/profile_sink.h"
#include "util/array.h"
#include "util/gzip.h"
#include "util/protobuf.h"

extern const struct sink_ops pprof_sink;

enum {
	PROFILE_SAMPLE_TYPE = 1,
	PROFILE_SAMPLE,
	PROFILE_MAPPING,
	PROFILE_LOCATION,
	PROFILE_FUNCTION,
	PROFILE_STRING,
	PROFILE_TIME_NS = 9,
	PROFILE_DURATION_NS,
	PROFILE_PERIOD_TYPE,
	PROFILE_PERIOD,
	PROFILE_COMMENT,
	PROFILE_DEFAULT_TYPE
};
enum { VALUE_TYPE = 1, VALUE_UNIT };
enum { SAMPLE_LOCATION = 1, SAMPLE_VALUE, SAMPLE_LABEL };
enum { LABEL_KEY = 1, LABEL_STR };
enum {
	MAPPING_ID = 1,
	MAPPING_START,
	MAPPING_LIMIT,
	MAPPING_FILE = 5,
	MAPPING_BUILD_ID,
	MAPPING_HAS_FUNCTIONS,
	MAPPING_HAS_FILES,
	MAPPING_HAS_LINES,
	MAPPING_HAS_INLINES
};
enum { LOCATION_ID = 1, LOCATION_MAPPING, LOCATION_ADDRESS, LOCATION_LINE };
enum { LINE_FUNCTION = 1, LINE_LINE };
enum { FUNCTION_ID = 1, FUNCTION_NAME, FUNCTION_SYSTEM_NAME, FUNCTION_FILE };

/* User addresses are below and kernel addresses above, on every architecture. */
#define USER_END (1ull << 63)

struct mapping {
	uint32_t module; /* index into profile.texts */
	bool kern;
	uint64_t place; /* a place in the file */
	bool has_functions, has_files, has_lines, has_inlines; /* of its locations */
};

struct pprof_printer {
	struct sink *sink;
	struct profile *p;
	const struct profile_sink *ps;
	struct strbuf msg; /* the encoded profile */
	struct strbuf part, sub, values; /* parts of the message, reused */
	struct texts strings; /* the string table; 0 is "" */
	struct u64map by_module; /* text of the module, kernel → index into mappings */
	struct mapping *mappings; /* ids are indexes plus one */
	size_t mapping_cnt, mapping_cap;
	uint32_t *mapping_of; /* mapping id of each location; 0: none */
	struct u64map functions; /* function << 32 | file → function id */
	uint32_t function_cnt;
	struct strbuf function; /* a function's message, reused */
	uint32_t truncated; /* id of the location "[truncated]", which is the last one */
};

static uint32_t string_of(struct pprof_printer *pr, const char *text)
{
	uint32_t idx = texts__add(&pr->strings, text, strlen(text));

	return idx == TEXTS_NONE ? 0 : idx;
}

static void put_part(struct pprof_printer *pr, uint32_t field)
{
	protobuf__put_bytes(&pr->msg, field, pr->part.buf, pr->part.len);
	strbuf__reset(&pr->part);
}

static void put_value_type(struct pprof_printer *pr, uint32_t field, const char *type,
			   const char *unit)
{
	protobuf__put_u64(&pr->part, VALUE_TYPE, string_of(pr, type));
	protobuf__put_u64(&pr->part, VALUE_UNIT, string_of(pr, unit));
	put_part(pr, field);
}

/* Returns "samples", with the event's name if there are several events. */
static const char *samples_name(struct pprof_printer *pr, uint32_t event)
{
	const char *name = profile__text(pr->p, pr->p->events[event].name);

	strbuf__reset(&pr->sub);
	if (pr->p->event_cnt > 1)
		strbuf__printf(&pr->sub, "%s samples", name);
	else
		strbuf__puts(&pr->sub, "samples");
	return strbuf__cstr(&pr->sub);
}

static const char *weight_name(struct pprof_printer *pr, uint32_t event)
{
	const char *name = profile__text(pr->p, pr->p->events[event].name);

	return *name ? name : "events";
}

/* Puts two value types for each event: number and weight of the samples. */
static void put_types(struct pprof_printer *pr)
{
	const struct profile_view *first = &pr->ps->views[0];
	uint32_t i, event = first->events ? (uint32_t)__builtin_ctzll(first->events) : 0;
	const struct profile_meta *m = &pr->p->meta;
	bool is_ns = pr->p->events[event].is_ns;

	for (i = 0; i < pr->p->event_cnt; i++) {
		put_value_type(pr, PROFILE_SAMPLE_TYPE, samples_name(pr, i), "count");
		put_value_type(pr, PROFILE_SAMPLE_TYPE, weight_name(pr, i),
			       pr->p->events[i].is_ns ? "nanoseconds" : "count");
	}
	if (!pr->p->event_cnt) {
		put_value_type(pr, PROFILE_SAMPLE_TYPE, "samples", "count");
		return;
	}
	protobuf__put_u64(
		&pr->msg, PROFILE_DEFAULT_TYPE,
		string_of(pr, first->by_weight ? weight_name(pr, event) : samples_name(pr, event)));
	if (m->period || (m->freq_hz && is_ns)) {
		put_value_type(pr, PROFILE_PERIOD_TYPE, weight_name(pr, event),
			       is_ns ? "nanoseconds" : "count");
		protobuf__put_u64(&pr->msg, PROFILE_PERIOD,
				  m->period ? m->period : 1000000000 / m->freq_hz);
	}
}

static void put_comment(struct pprof_printer *pr, const char *what, const char *text)
{
	strbuf__reset(&pr->sub);
	strbuf__printf(&pr->sub, "%s%s", what, text);
	protobuf__put_u64(&pr->msg, PROFILE_COMMENT, string_of(pr, strbuf__cstr(&pr->sub)));
}

static void put_meta(struct pprof_printer *pr)
{
	const struct profile_meta *m = &pr->p->meta;
	struct strbuf summary = STRBUF_INIT;

	protobuf__put_u64(&pr->msg, PROFILE_TIME_NS, m->begin_real_ns);
	protobuf__put_u64(&pr->msg, PROFILE_DURATION_NS, m->duration_ns);
	profile__put_summary(pr->p, &summary);
	put_comment(pr, "", strbuf__cstr(&summary));
	strbuf__free(&summary);
	if (m->command)
		put_comment(pr, "command: ", m->command);
	if (m->host)
		put_comment(pr, "host: ", m->host);
	if (m->kernel)
		put_comment(pr, "kernel: ", m->kernel);
	put_comment(pr, "by bpfperf ", BPFPERF_VERSION);
}

/* Returns the index of the mapping of a module, which is added if it is new. -ENOMEM. */
static int mapping_at(struct pprof_printer *pr, uint32_t module, bool kern, uint64_t place)
{
	/* The kernel and its modules share an address space, so they are one mapping. */
	uint32_t *slot = u64map__slot(&pr->by_module, kern ? UINT64_MAX : module);

	if (!slot ||
	    (*slot == U64MAP_NONE && array__reserve((void **)&pr->mappings, &pr->mapping_cap,
						    pr->mapping_cnt + 1, sizeof(*pr->mappings))))
		return -ENOMEM;
	if (*slot == U64MAP_NONE) {
		*slot = (uint32_t)pr->mapping_cnt++;
		pr->mappings[*slot] =
			(struct mapping){ .module = module, .kern = kern, .place = place };
	}
	return (int)*slot;
}

/* Looks a location up, and adds it to the facts about its mapping. 0 or -ENOMEM. */
static int note_location(struct pprof_printer *pr, uint32_t loc)
{
	const struct profile_func *f;
	const struct profile_loc *l;
	const uint32_t *funcs;
	struct mapping *m;
	uint16_t cnt, i;
	int idx;

	funcs = profile__funcs(pr->p, loc, &cnt);
	if (!funcs)
		return -ENOMEM;
	l = &pr->p->locs[loc];
	f = &pr->p->funcs[funcs[0]];
	pr->mapping_of[loc] = 0;
	/* A source is not mapped. */
	if (l->space == PROFILE_NAMED || frame_kind__is_interpreted(f->kind) ||
	    (!*profile__text(pr->p, f->module) && !f->kern))
		return 0;
	idx = mapping_at(pr, f->module, f->kern, l->addr);
	if (idx < 0)
		return idx;
	pr->mapping_of[loc] = (uint32_t)idx + 1;
	m = &pr->mappings[idx];
	m->has_functions |= f->is_named;
	m->has_inlines |= cnt > 1;
	for (i = 0; i < cnt; i++) {
		m->has_files |= pr->p->loc_lines[l->func + i].file != TEXTS_NONE;
		m->has_lines |= pr->p->loc_lines[l->func + i].line != 0;
	}
	return 0;
}

static void put_mapping(struct pprof_printer *pr, uint32_t idx)
{
	const struct mapping *m = &pr->mappings[idx];
	const struct sym_build_id *id =
		m->kern ? sym__kernel_build_id(pr->p->sym) : sym__build_id(pr->p->sym, m->place);
	const char *module = m->kern ? "[kernel.kallsyms]" : profile__text(pr->p, m->module);
	char hex[2 * BUILD_ID_MAX_SZ + 1];

	protobuf__put_u64(&pr->part, MAPPING_ID, idx + 1);
	protobuf__put_u64(&pr->part, MAPPING_START, m->kern ? USER_END : 0);
	protobuf__put_u64(&pr->part, MAPPING_LIMIT, m->kern ? UINT64_MAX : USER_END);
	protobuf__put_u64(&pr->part, MAPPING_FILE, string_of(pr, module));
	if (id)
		protobuf__put_u64(&pr->part, MAPPING_BUILD_ID,
				  string_of(pr, build_id__hex(id, hex)));
	protobuf__put_u64(&pr->part, MAPPING_HAS_FUNCTIONS, m->has_functions);
	protobuf__put_u64(&pr->part, MAPPING_HAS_FILES, m->has_files);
	protobuf__put_u64(&pr->part, MAPPING_HAS_LINES, m->has_lines);
	/* A file's DWARF has its inlined functions and its lines. */
	protobuf__put_u64(&pr->part, MAPPING_HAS_INLINES, m->has_lines || m->has_inlines);
	put_part(pr, PROFILE_MAPPING);
}

/* Puts all mappings; the first one is that of the program, as readers of the format assume. */
static int put_mappings(struct pprof_printer *pr)
{
	struct profile *p = pr->p;
	const char *path;
	uint32_t i, module;
	int err = 0;

	pr->mapping_of = malloc((p->loc_cnt + 1) * sizeof(*pr->mapping_of));
	if (!pr->mapping_of)
		return -ENOMEM;
	if (p->program) {
		path = sym__path(p->sym, p->program);
		module = texts__add_escaped(&p->texts, path, strlen(path));
		err = module == TEXTS_NONE ? -ENOMEM : mapping_at(pr, module, false, p->program);
	}
	for (i = 0; i < p->loc_cnt && err >= 0; i++)
		err = note_location(pr, i);
	for (i = 0; i < pr->mapping_cnt && err >= 0; i++)
		put_mapping(pr, i);
	return err < 0 ? err : 0;
}

static void put_function(struct pprof_printer *pr, uint32_t id, const char *name, const char *file)
{
	struct strbuf *sb = &pr->function;

	strbuf__reset(sb);
	protobuf__put_u64(sb, FUNCTION_ID, id);
	protobuf__put_u64(sb, FUNCTION_NAME, string_of(pr, name));
	protobuf__put_u64(sb, FUNCTION_SYSTEM_NAME, string_of(pr, name));
	protobuf__put_u64(sb, FUNCTION_FILE, string_of(pr, file));
	protobuf__put_bytes(&pr->msg, PROFILE_FUNCTION, sb->buf, sb->len);
}

/* Returns the id of a function in a source file, written if it is new. 0: no memory. */
static uint32_t function_of(struct pprof_printer *pr, uint32_t func, uint32_t file)
{
	uint32_t *slot = u64map__slot(&pr->functions, (uint64_t)func << 32 | file);

	if (!slot || *slot != U64MAP_NONE)
		return slot ? *slot : 0;
	*slot = ++pr->function_cnt;
	put_function(pr, *slot, profile__text(pr->p, pr->p->funcs[func].name),
		     file == TEXTS_NONE ? "" : profile__text(pr->p, file));
	return *slot;
}

/* Puts a location. Ids are indexes plus one; a location's lines are innermost first. */
static int put_location(struct pprof_printer *pr, uint32_t loc)
{
	const struct profile_loc *l = &pr->p->locs[loc];
	uint32_t at, id;

	protobuf__put_u64(&pr->part, LOCATION_ID, loc + 1);
	for (at = l->func + l->func_cnt; at-- > l->func;) {
		const struct profile_line *line = &pr->p->loc_lines[at];

		id = function_of(pr, pr->p->loc_funcs[at], line->file);
		if (!id)
			return -ENOMEM;
		strbuf__reset(&pr->sub);
		protobuf__put_u64(&pr->sub, LINE_FUNCTION, id);
		protobuf__put_u64(&pr->sub, LINE_LINE, line->line);
		protobuf__put_bytes(&pr->part, LOCATION_LINE, pr->sub.buf, pr->sub.len);
	}
	if (l->space != PROFILE_NAMED &&
	    !frame_kind__is_interpreted(pr->p->funcs[pr->p->loc_funcs[l->func]].kind)) {
		protobuf__put_u64(&pr->part, LOCATION_MAPPING, pr->mapping_of[loc]);
		protobuf__put_u64(&pr->part, LOCATION_ADDRESS,
				  l->space == PROFILE_KERN ? l->vaddr : sym__file_off(l->addr));
	}
	put_part(pr, PROFILE_LOCATION);
	return 0;
}

/* Puts all locations and functions, then "[truncated]". */
static int put_locations(struct pprof_printer *pr)
{
	uint32_t i;
	int err = 0;

	for (i = 0; i < pr->p->loc_cnt && !err; i++)
		err = put_location(pr, i);
	pr->truncated = pr->p->loc_cnt + 1;
	put_function(pr, ++pr->function_cnt, "[truncated]", "");
	protobuf__put_u64(&pr->part, LOCATION_ID, pr->truncated);
	strbuf__reset(&pr->sub);
	protobuf__put_u64(&pr->sub, LINE_FUNCTION, pr->function_cnt);
	protobuf__put_bytes(&pr->part, LOCATION_LINE, pr->sub.buf, pr->sub.len);
	put_part(pr, PROFILE_LOCATION);
	return err;
}

static void put_label(struct pprof_printer *pr, const char *key, const char *text)
{
	strbuf__reset(&pr->sub);
	protobuf__put_u64(&pr->sub, LABEL_KEY, string_of(pr, key));
	protobuf__put_u64(&pr->sub, LABEL_STR, string_of(pr, text));
	protobuf__put_bytes(&pr->part, SAMPLE_LABEL, pr->sub.buf, pr->sub.len);
}

static const char *group_key(const struct profile *p)
{
	switch (p->by) {
	case PROFILE_BY_PROCESS:
		return "process";
	case PROFILE_BY_THREAD:
		return "thread";
	case PROFILE_BY_CPU:
		return "cpu";
	case PROFILE_BY_COMM:
		break;
	}
	return "comm";
}

static void put_sample(struct pprof_printer *pr, const struct profile_stack *st)
{
	size_t i, n = profile_stack__depth(st);
	uint32_t e;

	strbuf__reset(&pr->sub);
	strbuf__reset(&pr->values);
	for (i = 0; i < n; i++)
		protobuf__put_varint(&pr->sub, pr->p->frames[st->at + i] + 1);
	if (st->truncated)
		protobuf__put_varint(&pr->sub, pr->truncated);
	for (e = 0; e < pr->p->event_cnt; e++) {
		protobuf__put_varint(&pr->values, e == st->event ? st->samples : 0);
		protobuf__put_varint(&pr->values, e == st->event ? st->weight : 0);
	}
	protobuf__put_bytes(&pr->part, SAMPLE_LOCATION, pr->sub.buf, pr->sub.len);
	protobuf__put_bytes(&pr->part, SAMPLE_VALUE, pr->values.buf, pr->values.len);
	put_label(pr, group_key(pr->p), profile__text(pr->p, st->group[0]));
	if (st->group[1] != TEXTS_NONE)
		put_label(pr, "comm", profile__text(pr->p, st->group[1]));
	put_part(pr, PROFILE_SAMPLE);
}

static int make_message(struct pprof_printer *pr)
{
	size_t i;
	int err;

	string_of(pr, "");
	put_types(pr);
	put_meta(pr);
	err = put_mappings(pr);
	if (!err)
		err = put_locations(pr);
	for (i = 0; i < pr->p->stack_cnt; i++)
		put_sample(pr, &pr->p->stacks[i]);
	/* Readers with UTF-8 strings reject the whole message for one invalid string. */
	for (i = 0; i < pr->strings.cnt; i++) {
		strbuf__reset(&pr->sub);
		strbuf__put_utf8(&pr->sub, pr->strings.text[i], strlen(pr->strings.text[i]));
		protobuf__put_bytes(&pr->msg, PROFILE_STRING, pr->sub.buf, pr->sub.len);
	}
	return err;
}

/*
 * Compresses the message into the output; level 1 takes a tenth of level 6's time for a third more
 * bytes.
 */
static int put_gzip(struct pprof_printer *pr)
{
	int err = gzip__put(&pr->sink->out->buf, pr->msg.buf, pr->msg.len, 1);

	return err ? err : out__commit(pr->sink->out);
}

static int pprof_end(struct sink *sink)
{
	struct profile *p = profile_sink__finish(sink);
	struct pprof_printer pr = { .sink = sink, .p = p, .ps = sink->priv };
	int err = make_message(&pr);

	if (!err)
		err = put_gzip(&pr);
	strbuf__free(&pr.msg);
	strbuf__free(&pr.part);
	strbuf__free(&pr.sub);
	strbuf__free(&pr.values);
	texts__free(&pr.strings);
	u64map__free(&pr.by_module);
	u64map__free(&pr.functions);
	free(pr.mappings);
	free(pr.mapping_of);
	strbuf__free(&pr.function);
	return err;
}

const struct sink_ops pprof_sink = {
	.name = "pprof",
	.suffix = ".pb.gz",
	.is_binary = true,
	.wants_lines = true,
	.begin = profile_sink__begin_alone,
	.end = pprof_end,
	PROFILE_SINK_OPS,
};
