// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Reads the mappings of processes, and shares and frees equal sets. */
#include "session/unwind_sets.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "bpf/unwind_wire.h"
#include "session/map_putter.h"
#include "session/unwind_dumps.h"
#include "session/unwind_put.h"
#include "sym/jit_dump.h"
#include "sym/jit_map.h"
#include "sym/jit_words.h"
#include "sym/proc_maps.h"
#include "util/log.h"
#include "util/partition.h"

/*
 * A program in the kernel copies its parent's set to a fork, even while a sweep looks for the
 * owners of sets: a set is unused only if two sweeps have found no owner.
 */
#define SWEEPS 2

struct set {
	struct unwind_mapping *maps; /* NULL: this index is free */
	uint32_t cnt;
	uint8_t unseen; /* sweeps that found no owner */
	bool is_seen;
	bool busy; /* the map's element is being updated */
};

struct unwind_sets {
	int sets_fd, procs_fd;
	struct map_putter *putter;
	struct unwind_files *files;
	struct unwind_dumps *dumps;
	uint64_t refused;
	struct set sets[UNWIND_SETS_MAX]; /* [0] is not used */
};

struct unwind_sets *unwind_sets__new(int sets_fd, int procs_fd, struct map_putter *putter,
				     struct unwind_files *files, struct unwind_dumps *dumps)
{
	struct unwind_sets *s = calloc(1, sizeof(*s));

	if (s) {
		s->sets_fd = sets_fd;
		s->procs_fd = procs_fd;
		s->putter = putter;
		s->files = files;
		s->dumps = dumps;
	}
	return s;
}

static void put_files(struct unwind_sets *s, const struct unwind_mapping *maps, size_t cnt)
{
	size_t i;

	for (i = 0; i < cnt; i++)
		unwind_files__put(s->files, maps[i].table);
}

void unwind_sets__free(struct unwind_sets *s)
{
	uint32_t i;

	if (!s)
		return;
	for (i = 1; i < UNWIND_SETS_MAX; i++)
		free(s->sets[i].maps);
	free(s);
}

/*
 * In place of a table, while mappings are read: memory without a file, as JIT compilers use for
 * code.
 */
#define MEMORY UINT32_MAX
/* A JIT compiler keeps its code together. */
#define CODE_BASES_MAX 4

/* State while /proc/PID/maps is read. */
struct reading {
	struct unwind_sets *sets;
	int32_t pid;
	uint32_t old; /* index of the set that it has; 0: none */
	struct unwind_mapping *maps;
	size_t cnt, cap;
	struct sym_map dump; /* of a JIT compiler */
	char *dump_path; /* NULL: there is none */
	struct jit_owner owner; /* pid 0: was not read */
	bool has_code; /* memory with a table, which is found by the set alone */
	int err;
};

static bool has_own_dump(struct reading *r)
{
	if (r->dump_path && !r->owner.pid)
		jit_owner__read(&r->owner, r->pid);
	return r->dump_path && jit_dump__pid(r->dump_path) == r->owner.pid;
}

/* A fork has its parent's dump mapped, and may have its own. */
static void note_dump(struct reading *r, const struct sym_map *map)
{
	char *path;

	if (!jit_dump__is(map->path) || has_own_dump(r))
		return;
	path = strdup(map->path);
	if (!path)
		return;
	free(r->dump_path);
	r->dump_path = path;
	r->dump = *map;
	r->dump.path = path;
}

static void put_table(struct unwind_sets *s, uint32_t table)
{
	unwind_files__put(s->files, table == MEMORY ? 0 : table);
}

static void append(struct reading *r, const struct unwind_mapping *m)
{
	struct unwind_mapping *bigger, *last = r->cnt ? &r->maps[r->cnt - 1] : NULL;

	if (last && last->end == m->start && last->table == m->table &&
	    (!m->table || m->table == MEMORY || last->base == m->base)) {
		last->end = m->end;
		put_table(r->sets, m->table);
		return;
	}
	if (r->cnt == r->cap && r->cap < UNWIND_MAPPINGS_MAX) {
		bigger = realloc(r->maps, (2 * r->cap + 64) * sizeof(*bigger));
		if (bigger) {
			r->maps = bigger;
			r->cap = 2 * r->cap + 64;
		}
	}
	if (r->cnt == r->cap || r->cnt == UNWIND_MAPPINGS_MAX) {
		r->err = -E2BIG;
		put_table(r->sets, m->table);
		return;
	}
	r->maps[r->cnt++] = *m;
}

/* Finds the first mapping of a set that ends behind an address. */
static uint32_t first_behind(const struct set *set, uint64_t addr)
{
	return partition_point(0, set->cnt, i, set->maps[i].end <= addr);
}

/* Finds what a fork has inherited of a JIT compiler's code in start..end. NULL: nothing. */
static const struct unwind_mapping *inherited_in(const struct reading *r, uint64_t start,
						 uint64_t end)
{
	const struct set *old = &r->sets->sets[r->old];
	uint32_t i;

	for (i = first_behind(old, start); i < old->cnt && old->maps[i].start < end; i++)
		if (old->maps[i].table &&
		    unwind_dumps__is_inherited(r->sets->dumps, old->maps[i].table, r->pid))
			return &old->maps[i];
	return NULL;
}

/* The kernel may have joined what is inherited with memory that was mapped since. */
static void append_memory(struct reading *r, uint64_t start, uint64_t end)
{
	const struct unwind_mapping *had;

	while (start < end) {
		struct unwind_mapping m = { .start = start, .end = end, .table = MEMORY };

		had = inherited_in(r, start, end);
		if (had && had->start > start) {
			m.end = had->start;
		} else if (had) {
			m.end = had->end < end ? had->end : end;
			m.base = had->base;
			m.table = had->table;
			unwind_files__use(r->sets->files, m.table);
			r->has_code = true;
		}
		append(r, &m);
		start = m.end;
	}
}

static void add_mapping(void *ctx, const struct sym_map *map)
{
	struct reading *r = ctx;
	struct unwind_mapping m = {
		.start = map->addr,
		.end = map->addr + map->len,
		.base = map->addr - map->pgoff,
	};

	/* [vdso] and [vsyscall] are no memory of the process's own. */
	if (!map->ino && strncmp(map->path, "[v", 2)) {
		append_memory(r, m.start, m.end);
		return;
	}
	note_dump(r, map);
	m.table = unwind_files__get(r->sets->files, r->pid, map);
	append(r, &m);
}

static void tell_spread(int32_t pid)
{
	static bool is_told;

	if (!is_told)
		log_warn("some code of the JIT compiler in process %d is walked by frame pointers: "
			 "it is too far from the other",
			 pid);
	is_told = true;
}

/* Tables of a process's code, by their base. */
struct code_tables {
	uint64_t bases[CODE_BASES_MAX];
	uint32_t tables[CODE_BASES_MAX];
	size_t cnt;
};

/* Returns the table of a base, with one more user; 0: there is none. */
static uint32_t get_code(struct reading *r, struct code_tables *code, uint64_t base)
{
	size_t i;

	for (i = 0; i < code->cnt; i++)
		if (code->bases[i] == base) {
			if (code->tables[i])
				unwind_files__use(r->sets->files, code->tables[i]);
			return code->tables[i];
		}
	if (i == CODE_BASES_MAX) {
		tell_spread(r->pid);
		return 0;
	}
	code->bases[i] = base;
	code->tables[i] = unwind_dumps__get(r->sets->dumps, r->pid, &r->dump, base);
	return code->tables[code->cnt++];
}

/* Gives memory without a file the table of the JIT compiler's dump, if there is one. */
static void settle_memory(struct reading *r)
{
	struct code_tables code = { .cnt = 0 };
	size_t i;

	for (i = 0; i < r->cnt; i++) {
		struct unwind_mapping *m = &r->maps[i];

		if (m->table != MEMORY)
			continue;
		m->table = 0;
		if (!r->dump_path)
			continue;
		m->base = m->start & ~(UNWIND_DUMPS_STEP - 1);
		if (m->end - m->base <= JIT_WORDS_SPAN)
			m->table = get_code(r, &code, m->base);
		else
			tell_spread(r->pid);
		r->has_code |= m->table != 0;
	}
	free(r->dump_path);
}

static bool is_same(const struct set *set, const struct reading *r)
{
	return set->maps && set->cnt == r->cnt &&
	       !memcmp(set->maps, r->maps, r->cnt * sizeof(*r->maps));
}

static bool is_free(const struct set *set)
{
	return !set->maps && !map_putter__is_busy(&set->busy);
}

static int put_set(struct unwind_sets *s, const struct reading *r)
{
	uint32_t i;
	int fd;

	for (i = 1; i < UNWIND_SETS_MAX && !is_free(&s->sets[i]); i++)
		;
	if (i == UNWIND_SETS_MAX) {
		s->refused++;
		return -ENOSPC;
	}
	fd = unwind_put__mappings(r->maps, r->cnt);
	if (fd < 0)
		return fd;
	s->sets[i] = (struct set){ .maps = r->maps, .cnt = (uint32_t)r->cnt };
	map_putter__put(s->putter, s->sets_fd, i, fd, &s->sets[i].busy);
	close(fd);
	/* Files are found in the kernel's tree until then. */
	if (r->has_code)
		map_putter__show(s->putter);
	return (int)i;
}

int unwind_sets__read(struct unwind_sets *s, int32_t pid, uint32_t old)
{
	struct reading r = { .sets = s, .pid = pid };
	int err;

	r.old = old < UNWIND_SETS_MAX ? old : 0;
	err = proc_maps__read(pid, add_mapping, &r);
	settle_memory(&r);
	if (!err)
		err = r.err;
	/* A process that is exiting has no mappings. */
	if (!err && !r.cnt)
		err = -ESRCH;
	if (!err && r.old && is_same(&s->sets[r.old], &r))
		err = (int)old;
	else if (!err)
		err = put_set(s, &r);
	if (err < 0 || err == (int)old) {
		put_files(s, r.maps, r.cnt);
		free(r.maps);
	}
	return err;
}

const struct unwind_mapping *unwind_sets__find(const struct unwind_sets *s, uint32_t set,
					       uint64_t pc)
{
	uint32_t i;

	if (!set || set >= UNWIND_SETS_MAX)
		return NULL;
	for (i = 0; i < s->sets[set].cnt; i++) {
		const struct unwind_mapping *m = &s->sets[set].maps[i];

		if (pc >= m->start && pc < m->end)
			return m;
	}
	return NULL;
}

const struct unwind_mapping *unwind_sets__first(const struct unwind_sets *s, uint32_t set)
{
	return set && set < UNWIND_SETS_MAX && s->sets[set].cnt ? s->sets[set].maps : NULL;
}

const struct unwind_mapping *unwind_sets__next(const struct unwind_sets *s, uint32_t set,
					       const struct unwind_mapping *m)
{
	return m + 1 < s->sets[set].maps + s->sets[set].cnt ? m + 1 : NULL;
}

/* Nothing else deletes the entry of a process that has ended. */
static bool has_ended(pid_t pid)
{
	return kill(pid, 0) && errno == ESRCH;
}

/* Marks the sets that have owners. False: the owners could not be read. */
static bool mark(struct unwind_sets *s)
{
	__u32 pid, next, i;
	struct unwind_proc proc;
	bool more = !bpf_map_get_next_key(s->procs_fd, NULL, &pid);

	/* If a key is deleted meanwhile, the kernel starts over, so the loop is bounded. */
	for (i = 0; more && i < 4 * UNWIND_PROCS_MAX; i++, pid = next) {
		more = !bpf_map_get_next_key(s->procs_fd, &pid, &next);
		if (has_ended((pid_t)pid))
			bpf_map_delete_elem(s->procs_fd, &pid);
		else if (!bpf_map_lookup_elem(s->procs_fd, &pid, &proc) &&
			 proc.set < UNWIND_SETS_MAX)
			s->sets[proc.set].is_seen = true;
	}
	return !more;
}

bool unwind_sets__sweep(struct unwind_sets *s)
{
	bool left = false;
	uint32_t i;

	if (!mark(s))
		return true;
	for (i = 1; i < UNWIND_SETS_MAX; i++) {
		struct set *set = &s->sets[i];

		if (!set->maps)
			continue;
		if (set->is_seen)
			set->unseen = 0;
		else if (set->unseen < SWEEPS)
			set->unseen++;
		set->is_seen = false;
		left |= set->unseen > 0;
	}
	return left;
}

bool unwind_sets__give_back(struct unwind_sets *s)
{
	bool left = false;
	uint32_t i;

	for (i = 1; i < UNWIND_SETS_MAX; i++) {
		struct set *set = &s->sets[i];

		if (!set->maps || set->unseen < SWEEPS)
			continue;
		if (map_putter__is_busy(&set->busy) || map_putter__is_full(s->putter)) {
			left = true;
			continue;
		}
		map_putter__put(s->putter, s->sets_fd, i, -1, &set->busy);
		put_files(s, set->maps, set->cnt);
		free(set->maps);
		set->maps = NULL;
		set->cnt = set->unseen = 0;
	}
	return left;
}

uint64_t unwind_sets__refused(const struct unwind_sets *s)
{
	return s->refused;
}
