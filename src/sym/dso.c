// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sym/dso.h"

#include <elf.h>
#include <errno.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <unistd.h>

#include "sym/dso_file.h"

#define MAX_HELD_FDS 256

static uint64_t hash_of(const struct dso *dso)
{
	uint64_t h = dso->ino ^ (uint64_t)dso->maj << 52 ^ (uint64_t)dso->min << 32;
	const char *p;

	h = u64map__mix(h + dso->kind);
	for (p = dso->path; *p; p++)
		h = (h ^ (uint8_t)*p) * 0x100000001b3ULL;
	return h;
}

static bool is_same(const struct dso *a, const struct dso *b)
{
	return a->kind == b->kind && a->ino == b->ino && a->maj == b->maj && a->min == b->min &&
	       !strcmp(a->path, b->path);
}

static int push(struct dsos *dsos, const struct dso *like)
{
	struct dso *dso = calloc(1, sizeof(*dso)), **bigger;

	if (dsos->cnt == dsos->cap) {
		uint32_t cap = dsos->cap ? dsos->cap * 2 : 64;

		bigger = realloc(dsos->dsos, cap * sizeof(*bigger));
		if (bigger) {
			dsos->dsos = bigger;
			dsos->cap = cap;
		}
	}
	if (!dso || dsos->cnt == dsos->cap)
		goto fail;
	*dso = *like;
	dso->fd = -1;
	dso->path = strdup(like->path);
	if (!dso->path)
		goto fail;
	dsos->dsos[dsos->cnt++] = dso;
	return 0;
fail:
	free(dso);
	return -ENOMEM;
}

int dsos__init(struct dsos *dsos)
{
	struct dso unknown = { .kind = DSO_OTHER, .path = "[unknown]", .fd = -1 };
	struct rlimit lim;

	*dsos = (struct dsos){ 0 };
	dsos->fds_left = MAX_HELD_FDS;
	if (!getrlimit(RLIMIT_NOFILE, &lim) && lim.rlim_cur / 4 < MAX_HELD_FDS)
		dsos->fds_left = (int)(lim.rlim_cur / 4);
	return push(dsos, &unknown);
}

void dsos__free(struct dsos *dsos)
{
	uint32_t i;

	for (i = 0; i < dsos->cnt; i++) {
		struct dso *dso = dsos->dsos[i];

		if (dso->fd >= 0)
			close(dso->fd);
		elf_syms__free(&dso->syms);
		free(dso->path);
		free(dso);
	}
	free(dsos->dsos);
	u64map__free(&dsos->by_key);
	*dsos = (struct dsos){ 0 };
}

static void hold_open(struct dsos *dsos, struct dso *dso, const struct dso_site *site)
{
	if (dso->kind != DSO_FILE || dso->fd >= 0 || !dsos->fds_left)
		return;
	dso->fd = dso_file__open(dso, site);
	if (dso->fd >= 0)
		dsos->fds_left--;
}

uint32_t dsos__intern(struct dsos *dsos, const struct dso *like, const struct dso_site *site)
{
	uint64_t key = hash_of(like);
	uint32_t *slot;
	struct dso *dso;

	/* Two that share a hash stand under following keys. */
	for (;; key++) {
		slot = u64map__slot(&dsos->by_key, key);
		if (!slot)
			return 0;
		if (*slot == U64MAP_NONE)
			break;
		dso = dsos->dsos[*slot];
		if (!is_same(dso, like))
			continue;
		if (dso->kind != DSO_FILE || (dso->wanted && !dso->lost))
			return *slot;
		/* A lost one may have been another file with the same inode. */
		if (dso->lost)
			break;
		if (dso->mapped_real_ns < like->mapped_real_ns)
			dso->mapped_real_ns = like->mapped_real_ns;
		return *slot;
	}
	if (dsos->cnt > DSO_MAX || push(dsos, like))
		return 0;
	*slot = dsos->cnt - 1;
	dso = dsos->dsos[*slot];
	if (dso->kind == DSO_FILE && !dso_file__in_our_root(dso))
		hold_open(dsos, dso, site);
	return *slot;
}

void dsos__want(struct dsos *dsos, uint32_t idx, const struct dso_site *site)
{
	struct dso *dso = dsos->dsos[idx];

	if (dso->wanted)
		return;
	dso->wanted = true;
	hold_open(dsos, dso, site);
	if (dso->kind == DSO_FILE && dso->fd < 0 && dsos->fds_left)
		dso->lost = true;
}

static char *vdso_image(size_t *sz)
{
	char *image = (char *)getauxval(AT_SYSINFO_EHDR);
	ElfW(Ehdr) *eh = (ElfW(Ehdr) *)image;

	if (image)
		*sz = eh->e_shoff + (size_t)eh->e_shnum * eh->e_shentsize;
	return image;
}

/* Debug files, DWARF and demangling belong behind this: here a file's names are chosen. */
static void read_syms(struct dso *dso, int fd)
{
	size_t sz = 0;
	char *image;

	dso->read = true;
	if (dso->kind == DSO_VDSO) {
		image = vdso_image(&sz);
		if (image)
			elf_syms__read_image(&dso->syms, image, sz);
	} else if (fd >= 0) {
		elf_syms__read(&dso->syms, fd);
	}
}

const char *dso__find(struct dso *dso, uint64_t file_off, uint64_t *off)
{
	const char *name, *image = NULL;
	int fd = dso->fd;
	size_t sz;

	if (dso->kind == DSO_OTHER || dso->lost)
		return NULL;
	if (dso->kind == DSO_VDSO)
		image = vdso_image(&sz);
	else if (fd < 0)
		fd = dso_file__open(dso, NULL);
	if (!dso->read)
		read_syms(dso, fd);
	name = elf_syms__find(&dso->syms, fd, image, file_off, off);
	if (fd >= 0 && fd != dso->fd)
		close(fd);
	return name;
}
