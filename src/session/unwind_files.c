// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Builds, shares and frees the unwind tables of mapped files. */
#include "session/unwind_files.h"

#include <errno.h>
#include <stdlib.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <linux/types.h>
#include <bpf/bpf.h>

#include "bpf/unwind_wire.h"
#include "session/map_putter.h"
#include "session/interp.h"
#include "session/unwind_put.h"
#include "sym/dso_file.h"
#include "sym/read_elf.h"
#include "unwind/read_table.h"
#include "util/log.h"
#include "util/mono.h"
#include "util/u64map.h"

/* Tables are kept this long, so that a program that is called again and again finds its table. */
#define IDLE_NS 5000000000ull

#define VDSO_KEY 2

/*
 * Copies of one file have this in common. A build-id alone proves nothing: any user can give it to
 * a file of other contents, whose table would then unwind the programs of others.
 */
struct copy_id {
	struct sym_build_id build_id;
	uid_t uid; /* owner */
	off_t sz;
	int64_t mtime_s;
};

/* A table in the kernel, shared by files. */
struct shared {
	uint32_t map_id;
	uint32_t users; /* number of files */
	size_t sz;
	struct copy_id id;
};

struct file {
	/* Its element of the map unwind_file_ids; ino 0, unless it is the vdso: it has none. */
	struct unwind_file_id id;
	uint64_t key; /* 0: this index is free */
	char *path;
	uint32_t maj, min;
	uint64_t ino;
	uint32_t users;
	bool is_vdso;
	bool busy; /* the map's element is being updated */
	bool is_settled; /* has a table, or will never have one */
	struct shared *table; /* NULL: none */
	uint64_t idle_since_ns;
};

struct unwind_files {
	int tables_fd, ids_fd, empty_fd;
	struct map_putter *putter;
	struct interp *interp;
	size_t mem_max;
	struct file *files; /* by index; [0] is not used */
	uint32_t cnt;
	uint32_t idle_cnt; /* number of files without users */
	struct u64map by_key; /* key → index */
	struct u64map by_build_id; /* hash → index of a file with a table */
	struct unwind_files_stats stats;
};

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

static uint64_t id_key(const struct sym_build_id *id)
{
	uint64_t h = id->len;
	uint8_t i;

	for (i = 0; i < id->len; i++)
		h = u64map__mix(h ^ id->bytes[i]);
	return h;
}

static void drop_table(struct unwind_files *f, struct file *file)
{
	struct shared *t = file->table;

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
		drop_table(f, &f->files[i]);
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

static uint32_t add(struct unwind_files *f, const struct sym_map *map, uint64_t key)
{
	uint32_t i = take_index(f), *slot;
	struct file *file = &f->files[i];

	slot = i ? u64map__slot(&f->by_key, key) : NULL;
	if (!slot)
		return 0;
	*file = (struct file){
		.key = key,
		.path = strdup(map->path),
		.maj = map->maj,
		.min = map->min,
		.ino = map->ino,
		.users = 1,
		.is_vdso = is_vdso(map),
	};
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

uint32_t unwind_files__get(struct unwind_files *f, int32_t pid, const struct sym_map *map)
{
	bool vdso = is_vdso(map);
	uint64_t key;
	uint32_t i;

	if (!vdso && (map->path[0] != '/' || !map->ino))
		return 0;
	key = vdso ? VDSO_KEY : key_of(pid, map);
	i = u64map__get(&f->by_key, key);
	if (i == U64MAP_NONE)
		return add(f, map, key);
	if (!f->files[i].users++)
		f->idle_cnt--;
	return i;
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
static void publish(struct unwind_files *f, uint32_t idx, const struct unwind_file_id *id)
{
	const struct unwind_file_use use = { .table = idx };

	f->files[idx].id = *id;
	if (id->ino || id->is_vdso)
		bpf_map_update_elem(f->ids_fd, id, &use, BPF_ANY);
}

/* The element is deleted before the table is: no program has the index once it is free. */
static void forget(struct unwind_files *f, uint32_t idx)
{
	struct file *file = &f->files[idx];
	uint32_t *slot = u64map__slot(&f->by_key, file->key);
	struct unwind_file_use use;

	if (slot)
		*slot = U64MAP_NONE;
	if (find_use(f, idx, &use))
		bpf_map_delete_elem(f->ids_fd, &file->id);
	map_putter__put(f->putter, f->tables_fd, idx, -1, &file->busy);
	if (file->table && file->table->id.build_id.len) {
		uint64_t key = id_key(&file->table->id.build_id);

		if (u64map__get(&f->by_build_id, key) == idx)
			*u64map__slot(&f->by_build_id, key) = U64MAP_NONE;
	}
	drop_table(f, file);
	free(file->path);
	file->path = NULL;
	file->key = 0;
	f->idle_cnt--;
}

static void drop_idle(struct unwind_files *f, uint64_t until_ns)
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
	drop_idle(f, now - IDLE_NS);
	return f->idle_cnt > 0;
}

static int settle(struct unwind_files *f, uint32_t idx, int map_fd)
{
	map_putter__put(f->putter, f->tables_fd, idx, map_fd, &f->files[idx].busy);
	f->files[idx].is_settled = true;
	return 0;
}

static bool is_copy(const struct copy_id *a, const struct copy_id *b)
{
	return build_id__equal(&a->build_id, &b->build_id) && a->uid == b->uid && a->sz == b->sz &&
	       a->mtime_s == b->mtime_s;
}

/*
 * Shares the table of another copy of this file. Returns 1: the file has a table now; 0: there is
 * none; or -errno.
 */
static int share(struct unwind_files *f, uint32_t idx, const struct copy_id *id)
{
	uint32_t other = id->build_id.len ? u64map__get(&f->by_build_id, id_key(&id->build_id))
					  : U64MAP_NONE;
	struct shared *t = other == U64MAP_NONE ? NULL : f->files[other].table;
	int fd, err;

	if (!t || !is_copy(&t->id, id))
		return 0;
	fd = bpf_map_get_fd_by_id(t->map_id);
	if (fd < 0)
		return 0;
	err = settle(f, idx, fd);
	close(fd);
	if (err)
		return err;
	f->files[idx].table = t;
	t->users++;
	return 1;
}

static int put_words(struct unwind_files *f, uint32_t idx, const __u64 *words, size_t cnt,
		     const struct copy_id *id)
{
	size_t sz = unwind_put__mem_sz(cnt);
	struct shared *t;
	uint32_t *slot;
	int fd, err;

	if (f->stats.sz + sz > f->mem_max)
		drop_idle(f, UINT64_MAX);
	if (f->stats.sz + sz > f->mem_max) {
		f->stats.refused++;
		return settle(f, idx, f->empty_fd);
	}
	t = calloc(1, sizeof(*t));
	if (!t)
		return -ENOMEM;
	*t = (struct shared){ .users = 1, .sz = sz, .id = *id };
	fd = unwind_put__words(words, cnt);
	err = fd < 0 ? fd : unwind_put__map_id(fd, &t->map_id);
	if (!err)
		err = settle(f, idx, fd);
	if (fd >= 0)
		close(fd);
	if (err) {
		free(t);
		return err;
	}
	f->files[idx].table = t;
	f->stats.cnt++;
	f->stats.made++;
	f->stats.sz += sz;
	slot = id->build_id.len ? u64map__slot(&f->by_build_id, id_key(&id->build_id)) : NULL;
	if (slot)
		*slot = idx;
	return 0;
}

/* The build-id stays empty, and the file is no copy of any, where one of its facts is unknown. */
static void read_copy_id(int fd, struct copy_id *id)
{
	struct elf_heads heads;
	struct stat st;

	*id = (struct copy_id){ 0 };
	if (!fstat(fd, &st) && !read_elf__heads(READER_TABLES, fd, &heads))
		*id = (struct copy_id){ heads.build_id, st.st_uid, st.st_size, st.st_mtim.tv_sec };
}

/* Returns 0, or the reason that there is no table; a permanent one is -ENODATA. */
static int read_words(const struct file *file, int fd, __u64 **words, size_t *cnt)
{
	int err;

	if (file->is_vdso) {
		err = unwind_put__read_vdso(words, cnt);
		return !err || err == -ENOMEM ? err : -ENODATA;
	}
	err = read_table__words(fd, words, cnt);
	/* A second attempt would cost as much, and end as this one. */
	return err ? -ENODATA : 0;
}

static int make(struct unwind_files *f, uint32_t idx, int fd)
{
	struct file *file = &f->files[idx];
	struct copy_id id = { 0 };
	uint64_t begin = mono_ns();
	__u64 *words;
	size_t cnt;
	int err;

	if (fd >= 0)
		read_copy_id(fd, &id);
	err = share(f, idx, &id);
	if (err)
		return err < 0 ? err : 0;
	err = read_words(file, fd, &words, &cnt);
	if (err == -ENODATA)
		return settle(f, idx, f->empty_fd);
	if (err)
		return err;
	if (fd >= 0)
		words[0] |= (__u64)interp__index(f->interp, fd, file->path)
			    << UNWIND_INTERPRETER_SHIFT;
	err = put_words(f, idx, words, cnt, &id);
	free(words);
	f->stats.build_ns += mono_ns() - begin;
	log_info("unwind table of %s: %zu KiB in %.1f ms", file->path, cnt * sizeof(*words) >> 10,
		 (double)(mono_ns() - begin) / 1e6);
	return err;
}

/* Reads the identity of the present state of a file that is open. */
static void identify(const struct file *file, int fd, struct unwind_file_id *id)
{
	struct statx st;

	*id = (struct unwind_file_id){ .is_vdso = file->is_vdso };
	if (file->is_vdso || statx(fd, "", AT_EMPTY_PATH, STATX_CTIME | STATX_SIZE, &st))
		return;
	id->ino = file->ino;
	id->dev = file->maj << 20 | file->min;
	id->sz = st.stx_size;
	id->ctime_ns = (__u64)st.stx_ctime.tv_sec * 1000000000 + st.stx_ctime.tv_nsec;
}

/* A file that changed while it was read has a table of neither state. */
static void make_known(struct unwind_files *f, uint32_t idx, int fd,
		       const struct unwind_file_id *before)
{
	struct unwind_file_id now;

	identify(&f->files[idx], fd, &now);
	if (f->files[idx].is_settled && !memcmp(&now, before, sizeof(now)))
		publish(f, idx, &now);
}

int unwind_files__make(struct unwind_files *f, uint32_t idx, int32_t pid, uint64_t start,
		       uint64_t end)
{
	static const struct dsos nothing_known;
	const struct dso_site patch_point = { pid, start, end };
	struct file *file = &f->files[idx];
	struct unwind_file_id id;
	struct timespec now;
	struct dso dso;
	int fd = -1, err;

	if (!idx || idx >= f->cnt || file->is_settled || !file->path)
		return 0;
	clock_gettime(CLOCK_REALTIME, &now);
	dso = (struct dso){
		.kind = DSO_FILE,
		.path = file->path,
		.maj = file->maj,
		.min = file->min,
		.ino = file->ino,
		.mapped_real_ns = now.tv_sec * 1000000000ll + now.tv_nsec,
	};
	if (!file->is_vdso) {
		fd = dso_file__open(&nothing_known, &dso, &patch_point);
		/* The next process that has the file mapped may succeed. */
		if (fd < 0)
			return -ENOENT;
	}
	identify(file, fd, &id);
	err = make(f, idx, fd);
	make_known(f, idx, fd, &id);
	if (fd >= 0)
		close(fd);
	return err ? err : 1;
}

void unwind_files__stats(const struct unwind_files *f, struct unwind_files_stats *stats)
{
	*stats = f->stats;
}
