// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Keeps the dumps of JIT compilers open, and decides when they are read again. */
#include "session/unwind_dumps.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reader/reader.h"
#include "session/unwind_files.h"
#include "sym/dso_file.h"
#include "sym/jit_map.h"
#include "sym/jit_words.h"
#include "sym/sym.h"
#include "util/log.h"
#include "util/mono.h"
#include "util/u64map.h"

#define DUMPS_MAX 128
/* One user cannot take the places of all others. */
#define DUMPS_OF_OWNER_MAX (DUMPS_MAX / 4)
#define LOOK_MS 250
/*
 * A dump is not read again for so many times the time that reading it took; nor are others of its
 * owner, unless that is trusted.
 */
#define PAUSE 8
/* Without unwinding information it seldom gets any. */
#define PAUSE_WITHOUT 64
/* Reading it has failed, and will probably fail again. */
#define PAUSE_FAILED_NS 60000000000ull

struct dump {
	uint32_t idx; /* of the table */
	int32_t pid; /* a process that has it mapped */
	int fd;
	uid_t owner;
	uint64_t base;
	uint64_t read_sz; /* its size when it was read; 0: it was not */
	uint64_t again_ns; /* it may be read again from then on */
	bool has_table;
	bool is_told; /* it was said that it is too large */
};

struct unwind_dumps {
	struct unwind_files *files;
	struct dump dumps[DUMPS_MAX];
	uint32_t cnt;
};

struct unwind_dumps *unwind_dumps__new(struct unwind_files *files)
{
	struct unwind_dumps *d = calloc(1, sizeof(*d));

	if (d)
		d->files = files;
	return d;
}

void unwind_dumps__free(struct unwind_dumps *d)
{
	uint32_t i;

	if (!d)
		return;
	for (i = 0; i < d->cnt; i++)
		close(d->dumps[i].fd);
	free(d);
}

static int open_dump(int32_t pid, const struct sym_map *map)
{
	static const struct dsos nothing_known;
	const struct dso_site site = { pid, map->addr, map->addr + map->len };
	const struct dso dso = {
		.kind = DSO_DUMP,
		.path = (char *)map->path,
		.maj = map->maj,
		.min = map->min,
		.ino = map->ino,
	};

	return dso_file__open(&nothing_known, &dso, &site);
}

static uint32_t count_of(const struct unwind_dumps *d, uid_t owner)
{
	uint32_t i, cnt = 0;

	for (i = 0; i < d->cnt; i++)
		cnt += d->dumps[i].owner == owner;
	return cnt;
}

/*
 * Is it the process's own user's? A user may read another user's dump, and could have it held open
 * otherwise, in the place of those of its owner.
 */
static bool may_hold(const struct unwind_dumps *d, int32_t pid, uid_t owner)
{
	struct jit_owner of;

	return jit_owner__read(&of, pid) && of.uid == owner &&
	       (reader__is_trusted(owner) || count_of(d, owner) < DUMPS_OF_OWNER_MAX);
}

/* Opens the dump of a table, unless it is open. */
static bool hold(struct unwind_dumps *d, uint32_t idx, int32_t pid, const struct sym_map *map,
		 uint64_t base)
{
	struct stat st;
	uint32_t i;
	int fd;

	for (i = 0; i < d->cnt; i++)
		if (d->dumps[i].idx == idx)
			return true;
	fd = d->cnt < DUMPS_MAX ? open_dump(pid, map) : -1;
	if (fd < 0)
		return false;
	if (fstat(fd, &st) || !may_hold(d, pid, st.st_uid)) {
		close(fd);
		return false;
	}
	d->dumps[d->cnt++] = (struct dump){
		.idx = idx,
		.pid = pid,
		.fd = fd,
		.owner = st.st_uid,
		.base = base,
	};
	return true;
}

uint32_t unwind_dumps__get(struct unwind_dumps *d, int32_t pid, const struct sym_map *map,
			   uint64_t base)
{
	uint64_t key = u64map__mix((uint64_t)map->maj << 32 | map->min);
	uint32_t idx;

	key = u64map__mix(u64map__mix(key ^ map->ino) ^ base);
	idx = unwind_files__get_code(d->files, key);
	if (idx && !hold(d, idx, pid, map, base)) {
		unwind_files__put(d->files, idx);
		idx = 0;
	}
	return idx;
}

bool unwind_dumps__is_inherited(const struct unwind_dumps *d, uint32_t idx, int32_t pid)
{
	uint32_t i;

	for (i = 0; i < d->cnt; i++)
		if (d->dumps[i].idx == idx)
			return d->dumps[i].pid != pid;
	return false;
}

static void tell_too_large(struct dump *dump)
{
	if (!dump->is_told)
		log_warn("code of the JIT compiler in process %d is walked by frame pointers: its "
			 "unwinding information takes more than %u MiB",
			 dump->pid, JIT_WORDS_MAX_SZ >> 20);
	dump->is_told = true;
}

static void pause_after(struct unwind_dumps *d, struct dump *dump, uint64_t begin_ns, int err)
{
	bool has_none = err == -ENODATA || err == -ENOTSUP || err == -EBADMSG;
	uint64_t now = mono_ns(), until;
	uint32_t i;

	until = now + (err ? PAUSE_WITHOUT : PAUSE) * (now - begin_ns);
	if (err && !has_none && until < now + PAUSE_FAILED_NS)
		until = now + PAUSE_FAILED_NS;
	dump->again_ns = until;
	for (i = 0; i < d->cnt && !reader__is_trusted(dump->owner); i++)
		if (d->dumps[i].owner == dump->owner && d->dumps[i].again_ns < until)
			d->dumps[i].again_ns = until;
}

static void read_dump(struct unwind_dumps *d, struct dump *dump, uint64_t sz)
{
	uint64_t begin_ns = mono_ns();
	bool is_first = !dump->read_sz;
	__u64 *words = NULL;
	size_t cnt = 0;
	int err;

	err = jit_words__read(dump->fd, dump->base, &words, &cnt);
	dump->read_sz = sz;
	if (err == -EFBIG)
		tell_too_large(dump);
	if (err)
		cnt = 0;
	/* The first table without rows is not replaced by another one. */
	if (is_first || cnt || dump->has_table)
		unwind_files__replace(d->files, dump->idx, words, cnt);
	dump->has_table = cnt > 0;
	free(words);
	pause_after(d, dump, begin_ns, err);
	if (!err)
		log_info("unwind table of JIT-compiled code in process %d: %zu KiB in %.1f ms",
			 dump->pid, cnt * sizeof(*words) >> 10,
			 (double)(mono_ns() - begin_ns) / 1e6);
}

static bool is_due(const struct unwind_dumps *d, const struct dump *dump, uint64_t *sz)
{
	struct stat st;

	if (mono_ns() < dump->again_ns || fstat(dump->fd, &st) ||
	    (uint64_t)st.st_size == dump->read_sz)
		return false;
	*sz = (uint64_t)st.st_size;
	return unwind_files__is_replaceable(d->files, dump->idx);
}

int unwind_dumps__look(struct unwind_dumps *d)
{
	uint32_t i = 0;
	uint64_t sz;

	while (i < d->cnt) {
		if (!unwind_files__is_used(d->files, d->dumps[i].idx)) {
			close(d->dumps[i].fd);
			d->dumps[i] = d->dumps[--d->cnt];
			continue;
		}
		if (is_due(d, &d->dumps[i], &sz))
			read_dump(d, &d->dumps[i], sz);
		i++;
	}
	return d->cnt ? LOOK_MS : -1;
}
