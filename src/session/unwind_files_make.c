// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Builds the unwind tables of mapped files. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "session/interp.h"
#include "session/map_putter.h"
#include "session/unwind_files_priv.h"
#include "session/unwind_put.h"
#include "sym/dso_file.h"
#include "sym/read_elf.h"
#include "unwind/read_table.h"
#include "util/log.h"
#include "util/mono.h"

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
	uint32_t other = id->build_id.len
				 ? u64map__get(&f->by_build_id, unwind_files__id_key(&id->build_id))
				 : U64MAP_NONE;
	struct shared_table *t = other == U64MAP_NONE ? NULL : f->files[other].table;
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
	struct shared_table *t;
	uint32_t *slot;
	int fd, err;

	if (f->stats.sz + sz > f->mem_max)
		unwind_files__drop_idle(f, UINT64_MAX);
	if (f->stats.sz + sz > f->mem_max) {
		f->stats.refused++;
		return settle(f, idx, f->empty_fd);
	}
	t = calloc(1, sizeof(*t));
	if (!t)
		return -ENOMEM;
	*t = (struct shared_table){ .users = 1, .sz = sz, .id = *id };
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
	slot = id->build_id.len ? u64map__slot(&f->by_build_id, unwind_files__id_key(&id->build_id))
				: NULL;
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
static int read_words(const struct mapped_file *file, int fd, __u64 **words, size_t *cnt)
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
	struct mapped_file *file = &f->files[idx];
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

int unwind_files__replace(struct unwind_files *f, uint32_t idx, const __u64 *words, size_t cnt)
{
	static const struct copy_id none;

	unwind_files__drop_table(f, &f->files[idx]);
	return cnt ? put_words(f, idx, words, cnt, &none) : settle(f, idx, f->empty_fd);
}

/* Reads the identity of the present state of a file that is open. */
static void identify(const struct mapped_file *file, int fd, struct unwind_file_id *id)
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
		unwind_files__publish(f, idx, &now);
}

int unwind_files__make(struct unwind_files *f, uint32_t idx, int32_t pid, uint64_t start,
		       uint64_t end)
{
	static const struct dsos nothing_known;
	const struct dso_site patch_point = { pid, start, end };
	struct mapped_file *file = &f->files[idx];
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
