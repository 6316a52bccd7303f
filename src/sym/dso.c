// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sym/dso.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "reader/files.h"
#include "sym/dso_file.h"
#include "util/array.h"
#include "util/hash.h"
#include "util/mono.h"

#define MAX_HELD_FDS 256

/* A dso that is not used takes less than a kilobyte, or what its symbols take. */
#define SWEEP_MIN 512
/* A program that runs again and again, for a moment each time, is not read again each time. */
#define KEEP_NS 60000000000ull
#define NAMES_MAX (4u << 20)

static uint64_t hash_of(const struct dso *dso)
{
	uint64_t h = dso->ino ^ (uint64_t)dso->maj << 52 ^ (uint64_t)dso->min << 32;

	h = hash__table_step(h, dso->kind == DSO_ANON && dso_file__is_memfd(dso) ? DSO_FILE
										 : dso->kind);
	h = hash__table_bytes(h, dso->path, strlen(dso->path));
	return hash__table_bytes(h, dso->want_id.bytes, dso->want_id.len);
}

/*
 * Each new mapping reports a memfd as a file, even after it was identified as memory of a JIT
 * compiler.
 */
static bool is_same_kind(const struct dso *a, const struct dso *b)
{
	return a->kind == b->kind ||
	       (a->kind == DSO_ANON && b->kind == DSO_FILE && dso_file__is_memfd(a));
}

static bool is_same(const struct dso *a, const struct dso *b)
{
	return is_same_kind(a, b) && a->ino == b->ino && a->maj == b->maj && a->min == b->min &&
	       build_id__equal(&a->want_id, &b->want_id) && !strcmp(a->path, b->path);
}

static struct dso *new_dso(const struct dso *like)
{
	struct dso *dso = calloc(1, sizeof(*dso));

	if (!dso)
		return NULL;
	*dso = *like;
	dso->fd = dso->debug_fd = -1;
	dso->path = strdup(like->path);
	if (dso->path)
		return dso;
	free(dso);
	return NULL;
}

/* Returns the index of a new dso; UINT32_MAX: no memory, or no index. */
static uint32_t push(struct dsos *dsos, const struct dso *like)
{
	struct dso *dso;
	uint32_t idx;

	if (!dsos->unused_cnt &&
	    (dsos->cnt > DSO_MAX ||
	     array__reserve((void **)&dsos->dsos, &dsos->cap, dsos->cnt + 1, sizeof(*dsos->dsos))))
		return UINT32_MAX;
	dso = new_dso(like);
	if (!dso)
		return UINT32_MAX;
	idx = dsos->unused_cnt ? dsos->unused[--dsos->unused_cnt] : dsos->cnt++;
	dsos->dsos[idx] = dso;
	return idx;
}

int dsos__init(struct dsos *dsos)
{
	struct dso unknown = { .kind = DSO_OTHER, .path = "[unknown]" };
	struct rlimit lim;

	*dsos = (struct dsos){ .fds_left = MAX_HELD_FDS,
			       .mem_max = DSOS_MEM_MAX,
			       .ahead_left = DSOS_MEM_MAX / 2,
			       .sweep_at = SWEEP_MIN,
			       .keep_ns = KEEP_NS };
	roots__init(&dsos->roots);
	if (!getrlimit(RLIMIT_NOFILE, &lim) && lim.rlim_cur / 4 < MAX_HELD_FDS)
		dsos->fds_left = (int)(lim.rlim_cur / 4);
	return push(dsos, &unknown) ? -ENOMEM : 0;
}

static void free_ahead(struct dso_load *load)
{
	if (!load)
		return;
	elf_syms__free(&load->syms);
	symtab__free(&load->fdes);
	inlines__close(load->inlines);
	if (load->new_debug_fd >= 0)
		close(load->new_debug_fd);
	dso_load__free_wanted(load);
	free(load);
}

/* Its job must not be in the thread's queue any more. */
static void free_dso(struct dsos *dsos, struct dso *dso)
{
	free_ahead(dso->ahead);
	dsos->fds_left += (dso->fd >= 0) + (dso->debug_fd >= 0);
	if (dso->fd >= 0)
		close(dso->fd);
	if (dso->debug_fd >= 0)
		close(dso->debug_fd);
	elf_syms__free(&dso->syms);
	jit_dump__free(dso->dump);
	symtab__free(&dso->fdes);
	inlines__close(dso->inlines);
	u64map__free(&dso->named);
	free(dso->wanted_offs);
	free(dso->missing);
	free((char *)dso->path);
	free(dso);
}

/* A file that is lost is found no more: the next mapping of it is of another file. */
static void index_again(struct dsos *dsos)
{
	uint32_t i, *slot;

	u64map__free(&dsos->by_key);
	for (i = 1; i < dsos->cnt; i++) {
		uint64_t key = hash_of(dsos->dsos[i]);

		if (dsos->dsos[i] == dsos->dsos[0] || dsos->dsos[i]->lost)
			continue;
		while ((slot = u64map__slot(&dsos->by_key, key)) && *slot != U64MAP_NONE)
			key++;
		if (slot)
			*slot = i;
	}
}

/* Code that is compiled anew has ever new names. */
static bool forget_names(struct dsos *dsos)
{
	uint32_t i;

	if (dsos->names.sz <= NAMES_MAX)
		return false;
	for (i = 0; i < dsos->cnt; i++)
		u64map__free(&dsos->dsos[i]->named);
	texts__free(&dsos->names);
	return true;
}

static bool are_many(const struct dsos *dsos)
{
	return dsos->cnt - dsos->unused_cnt >= dsos->sweep_at;
}

bool dsos__is_sweep_due(const struct dsos *dsos)
{
	return are_many(dsos) || dsos->names.sz > NAMES_MAX ||
	       mono_ns() - dsos->swept_ns >= dsos->keep_ns / 2;
}

bool dsos__sweep(struct dsos *dsos, const uint8_t *used)
{
	uint32_t *unused = realloc(dsos->unused, dsos->cnt * sizeof(*unused)), i, freed = 0;
	bool frees_all = are_many(dsos);
	uint64_t now_ns = mono_ns();

	if (!unused)
		return false;
	dsos->unused = unused;
	dsos->swept_ns = now_ns;
	for (i = 1; i < dsos->cnt; i++) {
		struct dso *dso = dsos->dsos[i];

		if (used[i] || dso == dsos->dsos[0] || dso->ahead) {
			dso->unused_since_ns = 0;
			continue;
		}
		if (!dso->unused_since_ns)
			dso->unused_since_ns = now_ns;
		if (!frees_all && now_ns - dso->unused_since_ns < dsos->keep_ns)
			continue;
		dsos->mem_sz -= dso->mem_sz;
		free_dso(dsos, dso);
		/* Until it is used again, the index is of what is unknown. */
		dsos->dsos[i] = dsos->dsos[0];
		unused[dsos->unused_cnt++] = i;
		freed++;
	}
	if (freed)
		index_again(dsos);
	if (frees_all)
		dsos->sweep_at = 2 * (dsos->cnt - dsos->unused_cnt);
	if (dsos->sweep_at < SWEEP_MIN)
		dsos->sweep_at = SWEEP_MIN;
	return forget_names(dsos) || freed;
}

void dsos__free(struct dsos *dsos)
{
	uint32_t i;

	ahead__free(dsos->ahead);
	for (i = 1; i < dsos->cnt; i++)
		if (dsos->dsos[i] != dsos->dsos[0])
			free_dso(dsos, dsos->dsos[i]);
	if (dsos->cnt)
		free_dso(dsos, dsos->dsos[0]);
	free(dsos->unused);
	free(dsos->dsos);
	u64map__free(&dsos->by_key);
	texts__free(&dsos->names);
	roots__free(&dsos->roots);
	*dsos = (struct dsos){ 0 };
}

static bool is_elf(int fd)
{
	char magic[4];

	return pread(fd, magic, 4, 0) == 4 && !memcmp(magic, "\177ELF", 4);
}

/* Opens a process's JIT map, or keeps what identifies it after the process's end. */
static void hold_jit(struct dsos *dsos, struct dso *dso)
{
	dso->fd = dsos->offline ? jit_map__open_recorded(dso->pid) : jit_map__open(dso->pid);
	if (dso->fd >= 0 || dsos->offline)
		return;
	if (jit_owner__read(&dso->owner, dso->pid))
		dso->root = roots__of_process(&dsos->roots, dso->pid);
	else
		dso->owner = (struct jit_owner){ dso->pid, geteuid() };
}

static void hold_open(struct dsos *dsos, struct dso *dso, const struct dso_site *site)
{
	if (dso->fd >= 0 || !dsos->fds_left)
		return;
	if (dso->kind == DSO_JIT)
		hold_jit(dsos, dso);
	else if (dso->kind == DSO_FILE || dso->kind == DSO_DUMP)
		dso->fd = dso_file__open(dsos, dso, site);
	if (dsos->symfs)
		dso->root = dsos->symfs;
	if (dso->fd >= 0 && dso->kind == DSO_FILE && dso_file__is_memfd(dso) && !is_elf(dso->fd)) {
		dso->kind = DSO_ANON;
		close(dso->fd);
		dso->fd = -1;
	}
	dsos->fds_left -= dso->fd >= 0;
}

/* Opens a file of another root now, since our root will not show it later. */
static void hold_foreign(struct dsos *dsos, struct dso *dso, const struct dso_site *site)
{
	if (dso_file__in_our_root(dso, false))
		return;
	if (site->pid > 0)
		dso->root = roots__of_process(&dsos->roots, site->pid);
	if (dso->root || !dso_file__in_our_root(dso, true))
		hold_open(dsos, dso, site);
}

uint32_t dsos__intern(struct dsos *dsos, const struct dso *like, const struct dso_site *site)
{
	uint64_t key = hash_of(like);
	uint32_t *slot, idx;
	struct dso *dso;

	/* Dsos with equal hashes are stored under consecutive keys. */
	for (;; key++) {
		slot = u64map__slot(&dsos->by_key, key);
		if (!slot)
			return 0;
		if (*slot == U64MAP_NONE)
			break;
		dso = dsos->dsos[*slot];
		if (!is_same(dso, like))
			continue;
		dso->unused_since_ns = 0;
		if (dso->kind != DSO_FILE ||
		    (dso->wanted && !dso__check_lost_since(dso, like->mapped_real_ns)))
			return *slot;
		/*
		 * A lost dso may have been another file with the same inode, or the file with other
		 * contents.
		 */
		if (dso->lost)
			break;
		if (dso->mapped_real_ns < like->mapped_real_ns)
			dso->mapped_real_ns = like->mapped_real_ns;
		return *slot;
	}
	idx = push(dsos, like);
	if (idx == UINT32_MAX)
		return 0;
	*slot = idx;
	dso = dsos->dsos[idx];
	if (dso->kind == DSO_FILE && !dsos->offline)
		hold_foreign(dsos, dso, site);
	/* Its process may unlink it. */
	if (dso->kind == DSO_DUMP && !dsos->offline)
		hold_open(dsos, dso, site);
	return idx;
}

bool dsos__knows(const struct dsos *dsos, const struct dso *like)
{
	uint32_t idx = u64map__get(&dsos->by_key, hash_of(like));

	return idx != U64MAP_NONE && is_same(dsos->dsos[idx], like) && !dsos->dsos[idx]->lost;
}

void dsos__want(struct dsos *dsos, uint32_t idx, const struct dso_site *site)
{
	struct dso *dso = dsos->dsos[idx];

	if (dso->wanted)
		return;
	dso->wanted = true;
	hold_open(dsos, dso, dsos->offline ? NULL : site);
	if (dso->kind == DSO_FILE && dso->fd < 0 && dsos->fds_left)
		dso->lost = true;
	dsos__read_ahead(dsos, dso);
}
