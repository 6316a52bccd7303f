// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "probe/code_file.h"

#include <dwarf.h>
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
	split_units__free(&f->split);
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

struct code_fds code_fds__of(const struct reader_request *req, const struct code_file_set *set)
{
	const int *next = &req->fds[1];
	struct code_fds fds = { .file = req->fds[0] };

	fds.debug = set->has_debug ? *next++ : -1;
	fds.alt = set->has_alt ? *next++ : -1;
	return fds;
}

int code_file__open(struct code_file **file, int *fd, const struct code_fds *with)
{
	const int fds[FILES] = { *fd, with->debug, with->alt };
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

void code_file__dwarf(struct code_file *f, const struct code_fds *fds)
{
	if (f->is_dwarf_read)
		return;
	f->is_dwarf_read = true;
	if (fds->debug >= 0)
		f->has_dwarf = !dwarf_file__open(&f->dwarf, fds->debug, fds->alt, DWARF_ALL);
	if (!f->has_dwarf)
		f->has_dwarf = !dwarf_file__open(&f->dwarf, f->elf.img.fd, fds->alt, DWARF_ALL);
	if (f->has_dwarf) {
		dwarf_units__read(&f->units, &f->dwarf);
		split_units__read(&f->split, &f->dwarf);
		f->cfi = dwarf_getcfi_elf(f->elf.elf);
	}
}

static bool find_in(struct code_file *f, struct dwarf_units *units, struct dwarf_file *dwarf,
		    uint64_t vaddr, struct code_func *func)
{
	uint64_t off;

	func->dwarf = dwarf;
	return dwarf_units__find(units, dwarf, &f->names, vaddr, &func->unit, &off) &&
	       dwarf_offdie(dwarf->dwarf, off, &func->die);
}

bool code_file__find(struct code_file *f, uint64_t vaddr, struct code_func *func,
		     const struct split_unit **missing)
{
	struct split_unit *u;
	Dwarf_Die cu;

	*missing = NULL;
	func->has_lines_files = false;
	if (!f->has_dwarf || !dwarf_units__find_unit(&f->units, &f->dwarf, vaddr, &cu))
		return false;
	u = split_units__get(&f->split, &cu);
	if (!u)
		return find_in(f, &f->units, &f->dwarf, vaddr, func);
	if (u->state != SPLIT_HERE) {
		*missing = u;
		return false;
	}
	if (!find_in(f, &u->functions, &u->split.file, vaddr, func))
		return false;
	func->unit = u->skeleton;
	func->has_lines_files = !u->split.has_files;
	return true;
}

bool code_file__follow(Dwarf_Attribute *ref, Dwarf_Die *die)
{
	uint64_t signature;

	if (dwarf_formref_die(ref, die))
		return true;
	if (dwarf_whatform(ref) != DW_FORM_ref_sig8 || !kept.is_open)
		return false;
	memcpy(&signature, ref->valp, sizeof(signature));
	return split_units__type(&kept.file.split, signature, die);
}

void code_file__need_lines(Dwarf_Die *unit)
{
	if (kept.is_open && kept.file.has_dwarf)
		dwarf_file__need_lines(&kept.file.dwarf, unit);
}

bool code_file__need_locs(Dwarf_Attribute *attr, bool all)
{
	return kept.is_open && kept.file.has_dwarf &&
	       dwarf_file__need_locs(&kept.file.dwarf, attr, all);
}
