// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sym/kernel_file.h"

#include <elf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sym/build_id.h"
#include "sym/build_id_cache.h"
#include "sym/root.h"

/* /proc/kcore has some for each range of memory. */
#define SEGMENTS_MAX 4096
#define NOTES_MAX_SZ 65536

static bool read_all(int fd, void *buf, size_t sz, uint64_t off)
{
	return off <= INT64_MAX && pread(fd, buf, sz, (off_t)off) == (ssize_t)sz;
}

/* The program headers; NULL: it is no ELF file of this byte order. The caller frees them. */
static Elf64_Phdr *read_headers(int fd, size_t *cnt)
{
	Elf64_Phdr *headers;
	Elf64_Ehdr e;

	if (!read_all(fd, &e, sizeof(e), 0) || memcmp(e.e_ident, ELFMAG, SELFMAG) != 0 ||
	    e.e_ident[EI_CLASS] != ELFCLASS64 || e.e_ident[EI_DATA] != ELFDATA2LSB ||
	    e.e_phentsize != sizeof(*headers) || !e.e_phnum || e.e_phnum > SEGMENTS_MAX)
		return NULL;
	headers = calloc(e.e_phnum, sizeof(*headers));
	if (headers && !read_all(fd, headers, e.e_phnum * sizeof(*headers), e.e_phoff)) {
		free(headers);
		return NULL;
	}
	*cnt = e.e_phnum;
	return headers;
}

bool kernel_file__take(struct kernel_file *f, int fd)
{
	Elf64_Phdr *headers = NULL;
	size_t cnt = 0, i;

	*f = (struct kernel_file){ .fd = fd };
	if (fd >= 0)
		headers = read_headers(fd, &cnt);
	if (headers)
		f->segments = calloc(cnt, sizeof(*f->segments));
	for (i = 0; f->segments && i < cnt; i++) {
		const Elf64_Phdr *h = &headers[i];

		/* Addresses of processes are in the lower half. */
		if (h->p_type == PT_LOAD && h->p_vaddr >> 63 && h->p_filesz &&
		    h->p_vaddr + h->p_filesz > h->p_vaddr)
			f->segments[f->cnt++] =
				(struct kernel_segment){ h->p_vaddr, h->p_filesz, h->p_offset,
							 h->p_flags & PF_X };
	}
	free(headers);
	if (f->cnt)
		return true;
	kernel_file__close(f);
	return false;
}

uint64_t kernel_file__text(const struct kernel_file *f)
{
	uint64_t text = UINT64_MAX;
	size_t i;

	for (i = 0; i < f->cnt; i++)
		if (f->segments[i].is_code && f->segments[i].addr < text)
			text = f->segments[i].addr;
	return text == UINT64_MAX ? 0 : text;
}

static bool has_address(const struct kernel_file *f, uint64_t addr)
{
	size_t i;

	for (i = 0; i < f->cnt; i++)
		if (addr - f->segments[i].addr < f->segments[i].sz)
			return true;
	return false;
}

bool kernel_file__open_kept(struct kernel_file *f, const char *recording, uint64_t text)
{
	const char *slash = strrchr(recording, '/');
	int len = slash ? (int)(slash - recording) + 1 : 0;
	char path[PATH_MAX];
	struct stat st;

	/* Else it may be of any recording, and in /tmp of any user. */
	if (strcmp(recording + len, "data") != 0 || stat(recording, &st))
		return false;
	if (snprintf(path, sizeof(path), "%.*skcore_dir/kcore", len, recording) >=
	    (int)sizeof(path))
		return false;
	if (!kernel_file__take(f, root__open_probed_owned(root__probe(-1, path), st.st_uid)))
		return false;
	if (!text || has_address(f, text))
		return true;
	kernel_file__close(f);
	return false;
}

static bool has_id(int fd, const struct sym_build_id *id)
{
	char notes[NOTES_MAX_SZ];
	struct sym_build_id own = { 0 };
	size_t cnt = 0, i;
	Elf64_Phdr *headers = read_headers(fd, &cnt);
	bool has = false;

	for (i = 0; headers && i < cnt && !has; i++)
		has = headers[i].p_type == PT_NOTE && headers[i].p_filesz <= sizeof(notes) &&
		      read_all(fd, notes, headers[i].p_filesz, headers[i].p_offset) &&
		      build_id__of_notes(&own, notes, headers[i].p_filesz, false) &&
		      build_id__equal(&own, id);
	free(headers);
	return has;
}

bool kernel_file__open_by_id(struct kernel_file *f, const struct sym_build_id *id,
			     const char *release)
{
	static const struct {
		const char *before, *after;
	} places[] = { { "/boot/vmlinux-", "" },
		       { "/usr/lib/debug/boot/vmlinux-", "" },
		       { "/usr/lib/debug/lib/modules/", "/vmlinux" },
		       { "/lib/modules/", "/build/vmlinux" } };
	char path[PATH_MAX];
	size_t i;
	int fd;

	if (kernel_file__take(f, build_id_cache__open(id)))
		return true;
	for (i = 0; release && i < sizeof(places) / sizeof(*places); i++) {
		snprintf(path, sizeof(path), "%s%s%s", places[i].before, release, places[i].after);
		fd = root__open(-1, path);
		if (fd < 0)
			continue;
		if (!has_id(fd, id))
			close(fd);
		else if (kernel_file__take(f, fd))
			return true;
	}
	return false;
}

void kernel_file__close(struct kernel_file *f)
{
	if (f->fd >= 0)
		close(f->fd);
	free(f->segments);
	*f = (struct kernel_file){ .fd = -1 };
}
