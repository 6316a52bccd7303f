// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "probe/code_file.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILES 3

/* The files that are open, as they were when they were opened. */
static struct {
	bool is_open;
	int fd; /* of the code: libelf reads from it later, too */
	struct stat stats[FILES];
	struct code_file file;
} kept = { .fd = -1 };

static bool is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
	       a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* Is it what is kept? Fills in the new states. */
static bool is_kept(const int *fds, struct stat *stats)
{
	bool same = kept.is_open;
	size_t i;

	memset(stats, 0, FILES * sizeof(*stats));
	for (i = 0; i < FILES; i++) {
		if (fds[i] >= 0 && fstat(fds[i], &stats[i]))
			return false;
		same &= is_same(&stats[i], &kept.stats[i]);
	}
	return same;
}

static void close_kept(void)
{
	struct code_file *f = &kept.file;

	if (!kept.is_open)
		return;
	if (f->cfi)
		dwarf_cfi_end(f->cfi);
	dwarf_units__free(&f->units);
	texts__free(&f->names);
	copies_units__free(&f->copies_units);
	if (f->has_dwarf)
		dwarf_file__close(&f->dwarf);
	elf_file__close(&f->elf);
	close(kept.fd);
	kept.is_open = false;
}

int code_file__copies(struct code_file *file)
{
	return file->copies_units.is_read ? 0
					  : copies_units__read(&file->copies_units, &file->dwarf);
}

int code_file__open(struct code_file **file, int *fd, int debug_fd, int alt_fd)
{
	const int fds[FILES] = { *fd, debug_fd, alt_fd };
	struct code_file *f = &kept.file;
	struct elf_image img = { .fd = *fd };
	struct stat stats[FILES];
	int err;

	*file = f;
	if (is_kept(fds, stats))
		return 0;
	close_kept();
	memset(f, 0, sizeof(*f));
	err = elf_file__open(&f->elf, &img);
	if (err)
		return err;
	kept.is_open = true;
	kept.fd = img.fd;
	*fd = -1;
	memcpy(kept.stats, stats, sizeof(stats));
	f->regs = probe_regs__of(f->elf.machine, f->elf.is64);
	f->is_go = elf_file__section(&f->elf, ".gopclntab") ||
		   elf_file__section(&f->elf, ".data.rel.ro.gopclntab");
	return 0;
}

void code_file__dwarf(struct code_file *f, int debug_fd, int alt_fd)
{
	if (f->is_dwarf_read)
		return;
	f->is_dwarf_read = true;
	f->has_dwarf =
		(debug_fd >= 0 && !dwarf_file__open(&f->dwarf, debug_fd, alt_fd, DWARF_ALL)) ||
		!dwarf_file__open(&f->dwarf, f->elf.img.fd, alt_fd, DWARF_ALL);
	if (f->has_dwarf) {
		dwarf_units__read(&f->units, &f->dwarf);
		f->cfi = dwarf_getcfi_elf(f->elf.elf);
	}
}
