// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sym/dso_image.h"

#include <fcntl.h>
#include <link.h>
#include <sys/auxv.h>
#include <time.h>
#include <unistd.h>

#include "sym/dso_file.h"
#include "sym/dso_load.h"

/* See dso__check_lost_lately(). */
#define LATELY_NS 10000000ll

static struct elf_image vdso_image(void)
{
	struct elf_image img = { .fd = -1, .mem = (char *)getauxval(AT_SYSINFO_EHDR) };
	ElfW(Ehdr) *eh = (ElfW(Ehdr) *)img.mem;

	if (eh)
		img.sz = eh->e_shoff + (size_t)eh->e_shnum * eh->e_shentsize;
	return img;
}

bool dso_image__vdso_id(struct sym_build_id *id)
{
	const struct elf_image img = vdso_image();
	struct elf_file file;

	if (!img.mem || elf_file__open(&file, &img))
		return false;
	*id = file.build_id;
	elf_file__close(&file);
	return id->len;
}

struct elf_image dso_image__get(const struct dsos *dsos, const struct dso *dso)
{
	struct elf_image img = { .fd = dso->fd };

	if (dso->kind == DSO_VDSO)
		return vdso_image();
	if (img.fd < 0 && dso->kind == DSO_FILE && !dso->lost)
		img.fd = dso_file__open(dsos, dso, NULL);
	return img;
}

void dso_image__put(const struct dso *dso, const struct elf_image *img)
{
	if (img->fd >= 0 && img->fd != dso->fd && img->fd != dso->debug_fd)
		close(img->fd);
}

static int64_t real_now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

bool dso__check_lost(struct dso *dso)
{
	if (dso->kind == DSO_FILE && !dso->lost) {
		dso->checked_real_ns = real_now_ns();
		dso->lost = dso_file__has_changed(dso);
	}
	return dso->lost;
}

bool dso__check_lost_since(struct dso *dso, int64_t real_ns)
{
	return dso->lost || (dso->checked_real_ns < real_ns && dso__check_lost(dso));
}

bool dso__check_lost_lately(struct dso *dso)
{
	return dso__check_lost_since(dso, real_now_ns() - LATELY_NS);
}

int dsos__open_file(const struct dsos *dsos, uint32_t idx)
{
	struct dso *dso = dsos->dsos[idx];

	if (dso->kind == DSO_DUMP)
		return dso->fd >= 0 ? fcntl(dso->fd, F_DUPFD_CLOEXEC, 3) : -1;
	if (dso->kind != DSO_FILE || dso__check_lost(dso))
		return -1;
	return dso->fd >= 0 ? fcntl(dso->fd, F_DUPFD_CLOEXEC, 3) : dso_file__open(dsos, dso, NULL);
}

char *dsos__vdso(const struct dsos *dsos, uint32_t idx, size_t *sz)
{
	struct elf_image img = vdso_image();

	if (dsos->dsos[idx]->kind != DSO_VDSO)
		return NULL;
	*sz = img.sz;
	return img.mem;
}

struct elf_image dso_image__get_debug(const struct dsos *dsos, const struct dso *dso)
{
	struct elf_image main = dso_image__get(dsos, dso), img = { .fd = dso->debug_fd };
	struct elf_heads heads;

	if (img.fd < 0 && main.fd >= 0 && !read_elf__heads(READER_NAMES, main.fd, &heads))
		img.fd = dso_load__open_debug(READER_NAMES, &heads, dso->path,
					      dsos->roots.roots[dso->root].fd);
	dso_image__put(dso, &main);
	return img;
}
