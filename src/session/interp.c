// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "session/interp.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <linux/types.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include "bpf/wire.h"
#include "lang/interp_file.h"
#include "session/maps_ahead.h"
#include "util/log.h"

/* Code objects that are known at once: a large program has 20,000. */
#define CODES_MAX 32768
/* Beyond this number of definitions all are forgotten, so that there is room for new ones. */
#define CODES_FULL (CODES_MAX / 4 * 3)
#define THREADS_MAX 8192
#define THREADS_FULL (THREADS_MAX / 4 * 3)
/* A thousand long definitions: an import of a large package between two drains has as many. */
#define DEFS_SZ (1u << 22)

struct interp {
	int files_fd, codes_fd, threads_fd, counts_fd, defs_fd;
	struct ring_buffer *defs; /* NULL until there is an interpreter: it takes 8 MiB */
	struct interp_file files[INTERP_FILES_MAX]; /* as in the map; [0] is not used */
	uint32_t file_cnt; /* also read by threads that do not add any */
	uint32_t omit; /* languages */
	uint32_t known; /* definitions since the kernel's map was cleared */
	uint64_t threads; /* count of threads when their map was cleared */
	int (*fn)(void *ctx, const void *def, size_t sz); /* of interp__drain() */
	void *ctx;
	int err;
};

static const struct map_size maps[] = {
	{ "interp_files", INTERP_FILES_MAX }, { "interp_states", WIRE_LEVELS + 1 },
	{ "interp_codes", CODES_MAX },        { "python_threads", THREADS_MAX },
	{ "interp_defs", DEFS_SZ },
};

void interp__configure(struct bpf_object *obj)
{
	maps_ahead__set_sizes(obj, maps, sizeof(maps) / sizeof(*maps));
}

static int on_def(void *ctx, void *data, size_t sz)
{
	struct interp *in = ctx;

	in->known++;
	if (!in->err)
		in->err = in->fn(in->ctx, data, sz);
	return 0;
}

struct interp *interp__new(struct bpf_object *obj, uint32_t omit)
{
	struct bpf_map *files = bpf_object__find_map_by_name(obj, "interp_files");
	struct interp *in;
	int err;

	errno = 0;
	if (!files || bpf_map__max_entries(files) != INTERP_FILES_MAX)
		return NULL;
	/* The only one that is filled before the programs are loaded. */
	err = maps_ahead__create(obj, maps, 1);
	if (err) {
		errno = -err;
		return NULL;
	}
	in = calloc(1, sizeof(*in));
	if (!in)
		return NULL;
	in->files_fd = bpf_map__fd(files);
	in->file_cnt = 1;
	in->omit = omit;
	return in;
}

void interp__start(struct interp *in, const struct bpf_object *obj)
{
	if (!in)
		return;
	in->codes_fd = bpf_object__find_map_fd_by_name(obj, "interp_codes");
	in->threads_fd = bpf_object__find_map_fd_by_name(obj, "python_threads");
	in->counts_fd = bpf_object__find_map_fd_by_name(obj, "interp_counts");
	in->defs_fd = bpf_object__find_map_fd_by_name(obj, "interp_defs");
}

void interp__free(struct interp *in)
{
	if (!in)
		return;
	ring_buffer__free(in->defs);
	free(in);
}

static void explain_python(const struct python_file *file, const char *missing, const char *path)
{
	if (!file->version) {
		log_note(
			"%s has a Python older than 3.11: its functions are not shown; use 3.11 or "
			"later",
			path);
		return;
	}
	log_note("the functions of Python %u.%u in %s are not shown: %s is missing or not "
		 "plausible; use 3.11 to 3.15",
		 file->version >> 24, file->version >> 16 & 0xff, path, missing);
}

static void explain(const struct interp_file *file, const char *missing, const char *path)
{
	if (file->language == INTERP_PYTHON)
		explain_python(&file->python, missing, path);
	else
		log_note("the functions of Ruby %u.%u in %s are not shown: %s; use 3.1 or 3.3, as "
			 "distributions build them for x86-64",
			 file->ruby.version >> 16, file->ruby.version >> 8 & 0xff, path, missing);
}

static void note_version(const struct interp_file *file, const char *path)
{
	const char *name = file->language == INTERP_PYTHON ? "Python" : "Ruby";
	uint32_t version =
		file->language == INTERP_PYTHON ? file->python.version >> 8 : file->ruby.version;

	log_info("%s has %s %u.%u.%u", path, name, version >> 16, version >> 8 & 0xff,
		 version & 0xff);
}

uint32_t interp__index(struct interp *in, int fd, const char *path)
{
	char missing[INTERP_MISSING_MAX];
	struct interp_file file;
	uint32_t i;
	int err;

	if (!in || fd < 0)
		return 0;
	err = interp_file__read(fd, &file, missing);
	if ((err && err != -ENOTSUP) || in->omit >> file.language & 1)
		return 0;
	if (err) {
		explain(&file, missing, path);
		return 0;
	}
	for (i = 1; i < in->file_cnt; i++)
		if (!memcmp(&in->files[i], &file, sizeof(file)))
			return i;
	if (i == INTERP_FILES_MAX || bpf_map_update_elem(in->files_fd, &i, &file, BPF_ANY))
		return 0;
	note_version(&file, path);
	in->files[i] = file;
	__atomic_store_n(&in->file_cnt, i + 1, __ATOMIC_RELAXED);
	return i;
}

/* Deletes at most max elements, which is what the map holds. */
static void clear(int fd, void *key, uint32_t max)
{
	uint32_t i;

	for (i = 0; i < max && !bpf_map_get_next_key(fd, NULL, key); i++)
		bpf_map_delete_elem(fd, key);
}

static uint64_t count(const struct interp *in, uint32_t what)
{
	int cpus = libbpf_num_possible_cpus(), i;
	uint64_t *each = cpus > 0 ? calloc((size_t)cpus, sizeof(*each)) : NULL, sum = 0;

	if (each && !bpf_map_lookup_elem(in->counts_fd, &what, each))
		for (i = 0; i < cpus; i++)
			sum += each[i];
	free(each);
	return sum;
}

/*
 * Makes room: codes that are still in use are defined once more, and threads looked for once more.
 */
static void make_room(struct interp *in)
{
	uint64_t threads = count(in, INTERP_CNT_THREADS);
	struct interp_key code;
	uint32_t tid;

	if (in->known > CODES_FULL) {
		clear(in->codes_fd, &code, CODES_MAX);
		in->known = 0;
	}
	if (threads - in->threads > THREADS_FULL) {
		clear(in->threads_fd, &tid, THREADS_MAX);
		in->threads = threads;
	}
}

int interp__drain(struct interp *in, int (*fn)(void *ctx, const void *def, size_t sz), void *ctx)
{
	if (!in || __atomic_load_n(&in->file_cnt, __ATOMIC_RELAXED) == 1)
		return 0;
	if (!in->defs)
		in->defs = ring_buffer__new(in->defs_fd, on_def, in, NULL);
	if (!in->defs)
		return -errno;
	in->fn = fn;
	in->ctx = ctx;
	in->err = 0;
	ring_buffer__consume(in->defs);
	make_room(in);
	return in->err;
}

void interp__stats(const struct interp *in, struct interp_stats *stats)
{
	memset(stats, 0, sizeof(*stats));
	if (!in)
		return;
	stats->frames = count(in, INTERP_CNT_FRAMES);
	stats->codes = count(in, INTERP_CNT_CODES);
	stats->unsent = count(in, INTERP_CNT_UNSENT);
}
