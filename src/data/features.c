// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Parses the feature sections, and the perf records that replace them in a pipe. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "data/bytes.h"
#include "data/perf_file.h"
#include "data/recorded_name.h"
#include "data/recording.h"
#include "util/array.h"

/* Takes a string: a length, then that number of bytes, padded with NULs. */
static char *take_string(struct bytes *b)
{
	uint32_t sz = bytes__u32(b);
	const char *text = bytes__take(b, sz);

	return text ? strndup(text, sz) : NULL;
}

static void set_string(char **to, struct bytes *b)
{
	free(*to);
	*to = take_string(b);
}

/* The words of the recorder's command line. */
static void cmdline(struct recording *rec, struct bytes *b)
{
	uint32_t cnt = bytes__u32(b), i;
	struct strbuf line = STRBUF_INIT;
	char *word;

	for (i = 0; i < cnt && !b->bad; i++) {
		word = take_string(b);
		strbuf__printf(&line, "%s ", word ? word : "");
		free(word);
	}
	free(rec->cmdline);
	rec->cmdline = strdup(strbuf__cstr(&line));
	strbuf__free(&line);
}

/* Larger sections are of no machine. */
#define PART_MAX_SZ (1u << 20)

static int keep_section(struct recording *rec, enum recorded_part part, const void *data, size_t sz)
{
	struct recorded_section *s = &rec->sections[part];

	free(s->data);
	*s = (struct recorded_section){ NULL, 0 };
	if (sz > PART_MAX_SZ)
		return 0;
	s->data = malloc(sz + 1);
	if (!s->data)
		return -ENOMEM;
	memcpy(s->data, data, sz);
	s->sz = sz;
	return 0;
}

/* Lists of sibling CPUs, of sockets and of cores, and then each CPU's core and socket. */
static int cpu_topology(struct recording *rec, struct bytes *b)
{
	uint32_t lists, cnt, i, sz;

	for (lists = 0; lists < 2; lists++) {
		cnt = bytes__u32(b);
		for (i = 0; i < cnt && !b->bad; i++) {
			sz = bytes__u32(b);
			bytes__take(b, sz);
		}
	}
	cnt = b->bad ? 0 : (uint32_t)(bytes__left(b) / 8);
	if (cnt > rec->cpu_cnt)
		cnt = rec->cpu_cnt;
	free(rec->sockets);
	rec->socket_cnt = 0;
	rec->sockets = calloc(cnt + 1, sizeof(*rec->sockets));
	if (!rec->sockets)
		return -ENOMEM;
	for (; rec->socket_cnt < cnt; rec->socket_cnt++) {
		bytes__u32(b);
		rec->sockets[rec->socket_cnt] = bytes__u32(b);
	}
	return 0;
}

int32_t recording__socket(const struct recording *rec, uint32_t cpu)
{
	return cpu < rec->socket_cnt ? (int32_t)rec->sockets[cpu] : -1;
}

static int event_desc(struct recording *rec, struct bytes *b)
{
	uint32_t cnt = bytes__u32(b), attr_sz = bytes__u32(b), i, id_cnt;
	struct recorded_event *ev;
	struct bytes ids;
	char *name;
	int err = 0;

	for (i = 0; i < cnt && !b->bad && !err; i++) {
		bytes__take(b, attr_sz);
		id_cnt = bytes__u32(b);
		name = take_string(b);
		ids = *b;
		bytes__take(b, (uint64_t)id_cnt * 8);
		/* Without ids, events are matched by their order. */
		ev = NULL;
		if (!b->bad && id_cnt)
			ev = attrs__find(&rec->attrs, bytes__u64(&ids));
		if (!ev && !b->bad && i < rec->attrs.cnt)
			ev = &rec->attrs.events[i];
		if (ev && name)
			err = attrs__set_name(ev, name, strlen(name));
		free(name);
	}
	return err;
}

/* Groups: of each its name, its leader and the number of its members; no two overlap. */
static void group_desc(struct recording *rec, struct bytes *b)
{
	uint32_t cnt = bytes__u32(b), next = 0, i, leader, members;
	char *name;

	for (i = 0; i < cnt && !b->bad; i++) {
		name = take_string(b);
		leader = bytes__u32(b);
		members = bytes__u32(b);
		if (b->bad || leader < next || members > rec->attrs.cnt ||
		    leader > rec->attrs.cnt - members) {
			free(name);
			continue;
		}
		/* perf writes this where there is none. */
		if (name && !strcmp(name, "{anon_group}")) {
			free(name);
			name = NULL;
		}
		next = leader + members;
		if (members < 2) {
			free(name);
			continue;
		}
		free(rec->attrs.events[leader].group_name);
		rec->attrs.events[leader].group_name = name;
		rec->attrs.events[leader].member_cnt = members;
	}
}

static bool has_id(const struct recorded_dso *dso)
{
	static const uint8_t none[RECORDED_BUILD_ID_MAX_SZ];

	return dso->id.sz && memcmp(dso->id.bytes, none, dso->id.sz);
}

/* Makes the newest one known by its path, unless that has an id already. 0 or -ENOMEM. */
static int index_dso(struct recording *rec, uint32_t text)
{
	const struct recorded_dso *dso = &rec->dsos[rec->dso_cnt - 1];
	uint32_t *slot;

	if (!has_id(dso))
		return 0;
	if (dso->is_kernel && !rec->kernel_dso && !strncmp(dso->path, "[kernel", 7))
		rec->kernel_dso = (uint32_t)rec->dso_cnt;
	slot = u64map__slot(&rec->dso_of, text);
	if (!slot)
		return -ENOMEM;
	if (*slot == U64MAP_NONE)
		*slot = (uint32_t)rec->dso_cnt - 1;
	return 0;
}

const struct recorded_dso *recording__dso(const struct recording *rec, const char *path)
{
	uint32_t text, idx;

	if (!path)
		return rec->kernel_dso ? &rec->dsos[rec->kernel_dso - 1] : NULL;
	text = texts__find(&rec->texts, path);
	idx = text == TEXTS_NONE ? U64MAP_NONE : u64map__get(&rec->dso_of, text);
	return idx == U64MAP_NONE ? NULL : &rec->dsos[idx];
}

int recording__build_id(struct recording *rec, uint16_t misc, const void *data, size_t sz)
{
	struct bytes b = bytes__of(data, sz, false);
	const uint8_t *id;
	struct recorded_dso *dso;
	const char *path;
	uint32_t text;

	bytes__u32(&b); /* pid: -1, or that of a guest */
	id = bytes__take(&b, 24);
	path = bytes__text(&b);
	if (!id || !path)
		return 0;
	if (array__reserve((void **)&rec->dsos, &rec->dso_cap, rec->dso_cnt + 1,
			   sizeof(*rec->dsos)))
		return -ENOMEM;
	text = texts__add(&rec->texts, path, strlen(path));
	if (text == TEXTS_NONE)
		return -ENOMEM;
	dso = &rec->dsos[rec->dso_cnt++];
	dso->path = texts__get(&rec->texts, text);
	dso->is_kernel = (misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
	dso->id.sz = RECORDED_BUILD_ID_MAX_SZ;
	/* PERF_RECORD_MISC_BUILD_ID_SIZE, 5.11+: the size follows the id. */
	if (misc & 1 << 15 && id[20] && id[20] <= RECORDED_BUILD_ID_MAX_SZ)
		dso->id.sz = id[20];
	memcpy(dso->id.bytes, id, RECORDED_BUILD_ID_MAX_SZ);
	return index_dso(rec, text);
}

static int build_ids(struct recording *rec, struct bytes *b)
{
	int err = 0;

	while (bytes__left(b) >= 8 && !err) {
		uint16_t misc, sz;

		bytes__u32(b);
		misc = bytes__u16(b);
		sz = bytes__u16(b);
		if (sz < 8 || (size_t)sz - 8 > bytes__left(b))
			break;
		err = recording__build_id(rec, misc, b->p, sz - 8u);
		bytes__take(b, sz - 8u);
	}
	return err;
}

int recording__feature(struct recording *rec, unsigned int feature, const void *data, size_t sz)
{
	struct bytes b = bytes__of(data, sz, rec->swap);

	switch (feature) {
	case PERF_FEATURE_TRACING_DATA:
		return tracing_data__parse(&rec->tracing, data, sz) == -ENOMEM ? -ENOMEM : 0;
	case PERF_FEATURE_BUILD_ID:
		return build_ids(rec, &b);
	case PERF_FEATURE_HOSTNAME:
		set_string(&rec->hostname, &b);
		break;
	case PERF_FEATURE_OSRELEASE:
		set_string(&rec->release, &b);
		break;
	case PERF_FEATURE_VERSION:
		set_string(&rec->version, &b);
		break;
	case PERF_FEATURE_ARCH:
		set_string(&rec->arch, &b);
		break;
	case PERF_FEATURE_CPUID:
		set_string(&rec->cpuid, &b);
		break;
	case PERF_FEATURE_CPUDESC:
		set_string(&rec->cpudesc, &b);
		break;
	case PERF_FEATURE_CMDLINE:
		cmdline(rec, &b);
		break;
	case PERF_FEATURE_NRCPUS:
		rec->cpu_cnt = bytes__u32(&b);
		rec->online_cpu_cnt = bytes__u32(&b);
		break;
	case PERF_FEATURE_CPU_TOPOLOGY:
		return keep_section(rec, PART_CPUS, data, sz) ?: cpu_topology(rec, &b);
	case PERF_FEATURE_NUMA_TOPOLOGY:
		return keep_section(rec, PART_NUMA_NODES, data, sz);
	case PERF_FEATURE_CACHE:
		return keep_section(rec, PART_CACHES, data, sz);
	case PERF_FEATURE_MEM_TOPOLOGY:
		return keep_section(rec, PART_MEMORY, data, sz);
	case PERF_FEATURE_HYBRID_TOPOLOGY:
		return keep_section(rec, PART_HYBRID, data, sz);
	case PERF_FEATURE_TOTAL_MEM:
		rec->total_mem_kib = bytes__u64(&b);
		break;
	case PERF_FEATURE_COMPRESSED:
		bytes__u32(&b); /* version */
		bytes__u32(&b); /* type: zstd */
		rec->zstd_level = bytes__u32(&b);
		rec->zstd_ratio = bytes__u32(&b);
		break;
	case PERF_FEATURE_EVENT_DESC:
		return event_desc(rec, &b);
	case PERF_FEATURE_GROUP_DESC:
		group_desc(rec, &b);
		break;
	case PERF_FEATURE_CLOCK_DATA:
		bytes__u32(&b); /* version */
		bytes__u32(&b); /* the clock */
		rec->moment_real_ns = bytes__u64(&b);
		rec->moment_ns = bytes__u64(&b);
		if (b.bad)
			rec->moment_real_ns = rec->moment_ns = 0;
		break;
	case PERF_FEATURE_SAMPLE_TIME:
		rec->first_ns = bytes__u64(&b);
		rec->last_ns = bytes__u64(&b);
		if (b.bad || rec->last_ns < rec->first_ns)
			rec->first_ns = rec->last_ns = 0;
		break;
	default:
		break;
	}
	return 0;
}

static int name_event(struct recorded_event *ev)
{
	struct strbuf name = STRBUF_INIT;
	int err;

	recorded_name__put(ev, &name);
	err = attrs__set_name(ev, strbuf__cstr(&name), name.len);
	strbuf__free(&name);
	return err;
}

int recording__complete_events(struct recording *rec)
{
	size_t i;
	int err = 0;

	for (i = 0; i < rec->attrs.cnt && !err; i++) {
		struct recorded_event *ev = &rec->attrs.events[i];

		if (ev->attr.type == PERF_TYPE_TRACEPOINT && !ev->fmt)
			ev->fmt = tracing_data__find(&rec->tracing, ev->attr.config);
		if (!ev->name)
			err = name_event(ev);
	}
	return err;
}
