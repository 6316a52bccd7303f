// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Shares and frees the unwind tables of mapped files. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "session/map_putter.h"
#include "session/unwind_files_priv.h"
#include "session/unwind_put.h"
#include "sym/dso_file.h"
#include "util/hash.h"
#include "util/mono.h"

/* Tables are kept this long, so that a program that is called again and again finds its table. */
#define IDLE_NS 5000000000ull

#define VDSO_KEY 2
/* The last bits of the keys of code in memory; those of files are odd. */
#define CODE_KEY 4ull

struct unwind_files *unwind_files__new(int tables_fd, int ids_fd, struct map_putter *putter,
				       struct interp *interp, size_t mem_max)
{
	struct unwind_files *f = calloc(1, sizeof(*f));
	const __u64 none = 0;

	if (!f)
		return NULL;
	f->tables_fd = tables_fd;
	f->ids_fd = ids_fd;
	f->putter = putter;
	f->interp = interp;
	f->mem_max = mem_max;
	f->cnt = 1;
	f->files = calloc(UNWIND_TABLES_MAX, sizeof(*f->files));
	f->empty_fd = f->files ? unwind_put__words(&none, 1) : -ENOMEM;
	if (f->empty_fd < 0) {
		errno = -f->empty_fd;
		free(f->files);
		free(f);
		return NULL;
	}
	return f;
}

uint64_t unwind_files__id_key(const struct sym_build_id *id)
{
	return hash__table_bytes(HASH_INIT, id->bytes, id->len);
}

void unwind_files__drop_table(struct unwind_files *f, struct mapped_file *file)
{
	struct shared_table *t = file->table;

	file->table = NULL;
	if (!t || --t->users)
		return;
	f->stats.cnt--;
	f->stats.sz -= t->sz;
	f->stats.given_back++;
	free(t);
}

void unwind_files__free(struct unwind_files *f)
{
	uint32_t i;

	if (!f)
		return;
	for (i = 1; i < f->cnt; i++) {
		unwind_files__drop_table(f, &f->files[i]);
		free(f->files[i].path);
	}
	close(f->empty_fd);
	u64map__free(&f->by_key);
	u64map__free(&f->by_build_id);
	free(f->files);
	free(f);
}

static bool is_vdso(const struct sym_map *map)
{
	return strcmp(map->path, "[vdso]") == 0;
}

/* Returns a free index. 0: there is none. */
static uint32_t take_index(struct unwind_files *f)
{
	uint32_t i;

	if (f->cnt < UNWIND_TABLES_MAX)
		return f->cnt++;
	for (i = 1; i < f->cnt; i++)
		if (!f->files[i].key && !map_putter__is_busy(&f->files[i].busy))
			return i;
	return 0;
}

static uint32_t add(struct unwind_files *f, uint64_t key)
{
	uint32_t i = take_index(f), *slot;

	slot = i ? u64map__slot(&f->by_key, key) : NULL;
	if (!slot)
		return 0;
	f->files[i] = (struct mapped_file){ .key = key };
	f->idle_cnt++;
	*slot = i;
	return i;
}

/*
 * Returns the key of a file in its present state: after an overwrite, or if another file reuses its
 * inode, it is a new file.
 */
static uint64_t key_of(int32_t pid, const struct sym_map *map)
{
	uint64_t key = u64map__mix((uint64_t)map->maj << 32 | map->min);

	key = u64map__mix(key ^ map->ino);
	/*
	 * Bit 0 distinguishes the key from the vdso's and makes it nonzero; 0 means a free index.
	 */
	return u64map__mix(key ^ (uint64_t)dso_file__changed_ns(pid, map)) | 1;
}

static uint32_t use(struct unwind_files *f, uint32_t idx)
{
	if (idx && !f->files[idx].users++)
		f->idle_cnt--;
	return idx;
}

uint32_t unwind_files__get(struct unwind_files *f, int32_t pid, const struct sym_map *map)
{
	bool vdso = is_vdso(map);
	uint64_t key;
	uint32_t i;

	if (!vdso && (map->path[0] != '/' || !map->ino))
		return 0;
	key = vdso ? VDSO_KEY : key_of(pid, map);
	i = u64map__get(&f->by_key, key);
	if (i == U64MAP_NONE) {
		i = add(f, key);
		if (i) {
			f->files[i].path = strdup(map->path);
			f->files[i].maj = map->maj;
			f->files[i].min = map->min;
			f->files[i].ino = map->ino;
			f->files[i].is_vdso = vdso;
		}
	}
	return use(f, i);
}

uint32_t unwind_files__get_code(struct unwind_files *f, uint64_t key)
{
	uint32_t i;

	key = (key & ~(CODE_KEY * 2 - 1)) | CODE_KEY;
	i = u64map__get(&f->by_key, key);
	return use(f, i == U64MAP_NONE ? add(f, key) : i);
}

void unwind_files__use(struct unwind_files *f, uint32_t idx)
{
	use(f, idx);
}

bool unwind_files__is_used(const struct unwind_files *f, uint32_t idx)
{
	return f->files[idx].users > 0;
}

bool unwind_files__is_replaceable(const struct unwind_files *f, uint32_t idx)
{
	return !map_putter__is_busy(&f->files[idx].busy);
}

void unwind_files__put(struct unwind_files *f, uint32_t idx)
{
	if (!idx || --f->files[idx].users)
		return;
	f->idle_cnt++;
	f->files[idx].idle_since_ns = mono_ns();
}

/* Reads the file's element of unwind_file_ids. False: it has none. */
static bool find_use(const struct unwind_files *f, uint32_t idx, struct unwind_file_use *use)
{
	const struct unwind_file_id *id = &f->files[idx].id;

	return (id->ino || id->is_vdso) && !bpf_map_lookup_elem(f->ids_fd, id, use) &&
	       use->table == idx;
}

/* Lets programs find the table by what they see of the file. */
void unwind_files__publish(struct unwind_files *f, uint32_t idx, const struct unwind_file_id *id)
{
	const struct unwind_file_use use = { .table = idx };

	f->files[idx].id = *id;
	if (id->ino || id->is_vdso)
		bpf_map_update_elem(f->ids_fd, id, &use, BPF_ANY);
}

/* The element is deleted before the table is: no program has the index once it is free. */
static void forget(struct unwind_files *f, uint32_t idx)
{
	struct mapped_file *file = &f->files[idx];
	uint32_t *slot = u64map__slot(&f->by_key, file->key);
	struct unwind_file_use use;

	if (slot)
		*slot = U64MAP_NONE;
	if (find_use(f, idx, &use))
		bpf_map_delete_elem(f->ids_fd, &file->id);
	map_putter__put(f->putter, f->tables_fd, idx, -1, &file->busy);
	if (file->table && file->table->id.build_id.len) {
		uint64_t key = unwind_files__id_key(&file->table->id.build_id);

		if (u64map__get(&f->by_build_id, key) == idx)
			*u64map__slot(&f->by_build_id, key) = U64MAP_NONE;
	}
	unwind_files__drop_table(f, file);
	free(file->path);
	file->path = NULL;
	file->key = 0;
	f->idle_cnt--;
}

void unwind_files__drop_idle(struct unwind_files *f, uint64_t until_ns)
{
	uint32_t i;

	for (i = 1; i < f->cnt && f->idle_cnt && !map_putter__is_full(f->putter); i++)
		if (f->files[i].key && !f->files[i].users && f->files[i].idle_since_ns <= until_ns)
			forget(f, i);
}

/* Has a program found the table by the file's identity since the last call? */
static bool was_used(struct unwind_files *f, uint32_t idx)
{
	struct unwind_file_use use;

	if (!find_use(f, idx, &use) || !use.used)
		return false;
	use.used = 0;
	bpf_map_update_elem(f->ids_fd, &f->files[idx].id, &use, BPF_EXIST);
	return true;
}

bool unwind_files__sweep(struct unwind_files *f)
{
	uint64_t now = mono_ns();
	uint32_t i;

	for (i = 1; i < f->cnt && f->idle_cnt; i++)
		if (f->files[i].key && !f->files[i].users && was_used(f, i))
			f->files[i].idle_since_ns = now;
	unwind_files__drop_idle(f, now - IDLE_NS);
	return f->idle_cnt > 0;
}

void unwind_files__stats(const struct unwind_files *f, struct unwind_files_stats *stats)
{
	*stats = f->stats;
}
