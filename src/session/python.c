// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "session/python.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <linux/types.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "bpf/python_wire.h"
#include "bpf/wire.h"
#include "lang/python_file.h"
#include "util/log.h"

/* Code objects that are known at once: a large program has 20,000. */
#define CODES_MAX 32768
/* Beyond this number of definitions all are forgotten, so that there is room for new ones. */
#define CODES_FULL (CODES_MAX / 4 * 3)
#define THREADS_MAX 8192
#define THREADS_FULL (THREADS_MAX / 4 * 3)
/* A thousand definitions: an import of a large package between two drains has as many. */
#define DEFS_SZ (1u << 20)

struct python {
	int files_fd, codes_fd, threads_fd, counts_fd;
	struct ring_buffer *defs;
	struct python_file files[PYTHON_FILES_MAX]; /* as in the map; [0] is not used */
	uint32_t file_cnt;
	uint32_t known; /* definitions since the kernel's map was cleared */
	uint64_t threads; /* count of threads when their map was cleared */
	int (*fn)(void *ctx, const void *def, size_t sz); /* of python__drain() */
	void *ctx;
	int err;
};

static const struct {
	const char *name;
	uint32_t max;
} maps[] = {
	{ "python_files", PYTHON_FILES_MAX }, { "python_states", WIRE_LEVELS + 1 },
	{ "python_codes", CODES_MAX },        { "python_threads", THREADS_MAX },
	{ "python_defs", DEFS_SZ },
};

void python__configure(struct bpf_object *obj)
{
	size_t i;

	for (i = 0; i < sizeof(maps) / sizeof(*maps); i++)
		bpf_map__set_max_entries(bpf_object__find_map_by_name(obj, maps[i].name),
					 maps[i].max);
}

static int on_def(void *ctx, void *data, size_t sz)
{
	struct python *py = ctx;

	py->known++;
	if (!py->err)
		py->err = py->fn(py->ctx, data, sz);
	return 0;
}

struct python *python__new(const struct bpf_object *obj)
{
	struct bpf_map *files = bpf_object__find_map_by_name(obj, "python_files");
	struct python *py;

	errno = 0;
	if (!files || bpf_map__max_entries(files) != PYTHON_FILES_MAX)
		return NULL;
	py = calloc(1, sizeof(*py));
	if (!py)
		return NULL;
	py->files_fd = bpf_map__fd(files);
	py->codes_fd = bpf_object__find_map_fd_by_name(obj, "python_codes");
	py->threads_fd = bpf_object__find_map_fd_by_name(obj, "python_threads");
	py->counts_fd = bpf_object__find_map_fd_by_name(obj, "python_counts");
	py->file_cnt = 1;
	py->defs = ring_buffer__new(bpf_object__find_map_fd_by_name(obj, "python_defs"), on_def, py,
				    NULL);
	if (!py->defs) {
		free(py);
		return NULL;
	}
	return py;
}

void python__free(struct python *py)
{
	if (!py)
		return;
	ring_buffer__free(py->defs);
	free(py);
}

static void explain(const struct python_file *file, const char *missing, const char *path)
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

uint32_t python__index(struct python *py, int fd, const char *path)
{
	char missing[PYTHON_MISSING_MAX];
	struct python_file file;
	uint32_t i;
	int err;

	if (!py || fd < 0)
		return 0;
	err = python_file__read(fd, &file, missing);
	if (err == -ENOTSUP)
		explain(&file, missing, path);
	if (err)
		return 0;
	for (i = 1; i < py->file_cnt; i++)
		if (!memcmp(&py->files[i], &file, sizeof(file)))
			return i;
	if (i == PYTHON_FILES_MAX || bpf_map_update_elem(py->files_fd, &i, &file, BPF_ANY))
		return 0;
	log_info("%s has Python %u.%u.%u", path, file.version >> 24, file.version >> 16 & 0xff,
		 file.version >> 8 & 0xff);
	py->files[i] = file;
	py->file_cnt++;
	return i;
}

/* Deletes at most max elements, which is what the map holds. */
static void clear(int fd, void *key, uint32_t max)
{
	uint32_t i;

	for (i = 0; i < max && !bpf_map_get_next_key(fd, NULL, key); i++)
		bpf_map_delete_elem(fd, key);
}

static uint64_t count(const struct python *py, uint32_t what)
{
	int cpus = libbpf_num_possible_cpus(), i;
	uint64_t *each = cpus > 0 ? calloc((size_t)cpus, sizeof(*each)) : NULL, sum = 0;

	if (each && !bpf_map_lookup_elem(py->counts_fd, &what, each))
		for (i = 0; i < cpus; i++)
			sum += each[i];
	free(each);
	return sum;
}

/*
 * Makes room: codes that are still in use are defined once more, and threads looked for once more.
 */
static void make_room(struct python *py)
{
	uint64_t threads = count(py, PYTHON_CNT_THREADS);
	struct python_key code;
	uint32_t tid;

	if (py->known > CODES_FULL) {
		clear(py->codes_fd, &code, CODES_MAX);
		py->known = 0;
	}
	if (threads - py->threads > THREADS_FULL) {
		clear(py->threads_fd, &tid, THREADS_MAX);
		py->threads = threads;
	}
}

int python__drain(struct python *py, int (*fn)(void *ctx, const void *def, size_t sz), void *ctx)
{
	if (!py)
		return 0;
	py->fn = fn;
	py->ctx = ctx;
	py->err = 0;
	ring_buffer__consume(py->defs);
	make_room(py);
	return py->err;
}

void python__stats(const struct python *py, struct python_stats *stats)
{
	memset(stats, 0, sizeof(*stats));
	if (!py)
		return;
	stats->frames = count(py, PYTHON_CNT_FRAMES);
	stats->codes = count(py, PYTHON_CNT_CODES);
	stats->unsent = count(py, PYTHON_CNT_UNSENT);
}
