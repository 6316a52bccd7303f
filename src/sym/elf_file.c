// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sym/elf_file.h"

#include <errno.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "unwind/elf_open.h"
#include "util/fs.h"

/* A note section has a few dozen bytes; .gnu_debuglink a file name. */
#define NOTE_MAX_SZ 65536

ssize_t elf_image__read(const struct elf_image *img, void *buf, size_t sz, uint64_t off)
{
	if (img->fd < 0) {
		if (!img->mem || off >= img->sz)
			return 0;
		if (sz > img->sz - off)
			sz = img->sz - off;
		memcpy(buf, img->mem + off, sz);
		return (ssize_t)sz;
	}
	if (off > INT64_MAX)
		return 0;
	return fs__pread(img->fd, buf, sz, (off_t)off);
}

const struct elf_section *elf_file__section(const struct elf_file *file, const char *name)
{
	size_t i;

	for (i = 1; i < file->section_cnt; i++)
		if (file->sections[i].type != SHT_NOBITS && !strcmp(file->sections[i].name, name))
			return &file->sections[i];
	return NULL;
}

char *elf_file__contents(const struct elf_file *file, const struct elf_section *sec, size_t max_sz)
{
	char *buf;

	if (!sec || !sec->sz || sec->sz > max_sz || sec->type == SHT_NOBITS)
		return NULL;
	buf = malloc(sec->sz);
	if (buf && elf_image__read(&file->img, buf, sec->sz, sec->off) != (ssize_t)sec->sz) {
		free(buf);
		buf = NULL;
	}
	return buf;
}

static int read_sections(struct elf_file *file)
{
	size_t cnt, strndx, i;
	GElf_Shdr sh;

	if (elf_getshdrnum(file->elf, &cnt) || cnt > ELF_MAX_SECTIONS)
		return 0;
	if (elf_getshdrstrndx(file->elf, &strndx))
		strndx = SHN_UNDEF;
	file->sections = calloc(cnt + 1, sizeof(*file->sections));
	if (!file->sections)
		return -ENOMEM;
	for (i = 0; i < cnt; i++) {
		struct elf_section *s = &file->sections[i];
		const char *name;

		s->name = "";
		if (!gelf_getshdr(elf_getscn(file->elf, i), &sh))
			continue;
		name = strndx == SHN_UNDEF ? NULL : elf_strptr(file->elf, strndx, sh.sh_name);
		*s =
			(struct elf_section){ sh.sh_addr,  sh.sh_offset,    sh.sh_size,
					      sh.sh_flags, sh.sh_entsize,   sh.sh_type,
					      sh.sh_link,  name ? name : "" };
		file->has_symtab |= sh.sh_type == SHT_SYMTAB;
		file->has_dwarf |= sh.sh_type != SHT_NOBITS && (!strcmp(s->name, ".debug_info") ||
								!strcmp(s->name, ".zdebug_info"));
	}
	file->section_cnt = cnt;
	return 0;
}

static int read_segments(struct elf_file *file)
{
	GElf_Phdr ph;
	size_t i, cnt;

	if (elf_getphdrnum(file->elf, &cnt) || cnt > ELF_MAX_SEGMENTS)
		return 0;
	file->segments = calloc(cnt + 1, sizeof(*file->segments));
	if (!file->segments)
		return -ENOMEM;
	for (i = 0; i < cnt && gelf_getphdr(file->elf, (int)i, &ph); i++)
		if (ph.p_type == PT_LOAD)
			file->segments[file->segment_cnt++] =
				(struct elf_segment){ ph.p_offset,
						      ph.p_flags & PF_X ? ph.p_filesz : ph.p_memsz,
						      ph.p_vaddr, !!(ph.p_flags & PF_X) };
	return 0;
}

static uint32_t swap32(const struct elf_file *file, uint32_t v)
{
	return file->swapped ? __builtin_bswap32(v) : v;
}

/*
 * Notes are read from sections if there are any; a file without section headers still has the
 * segment.
 */
static void read_build_id(struct elf_file *file)
{
	struct elf_section from_phdr = { .type = SHT_NOTE };
	size_t i, cnt;
	GElf_Phdr ph;
	char *note;
	bool found = false;

	for (i = 1; i < file->section_cnt && !found; i++) {
		if (file->sections[i].type != SHT_NOTE)
			continue;
		note = elf_file__contents(file, &file->sections[i], NOTE_MAX_SZ);
		found = note && build_id__of_notes(&file->build_id, note, file->sections[i].sz,
						   file->swapped);
		free(note);
	}
	if (found || elf_getphdrnum(file->elf, &cnt) || cnt > ELF_MAX_SEGMENTS)
		return;
	for (i = 0; i < cnt && !found && gelf_getphdr(file->elf, (int)i, &ph); i++) {
		if (ph.p_type != PT_NOTE)
			continue;
		from_phdr.off = ph.p_offset;
		from_phdr.sz = ph.p_filesz;
		note = elf_file__contents(file, &from_phdr, NOTE_MAX_SZ);
		found = note &&
			build_id__of_notes(&file->build_id, note, from_phdr.sz, file->swapped);
		free(note);
	}
}

/* The file's name, NUL, padding to 4 bytes, CRC. */
static void read_debuglink(struct elf_file *file)
{
	const struct elf_section *sec = elf_file__section(file, ".gnu_debuglink");
	char *text = elf_file__contents(file, sec, NOTE_MAX_SZ);
	size_t len, at;

	if (!text)
		return;
	len = strnlen(text, sec->sz);
	at = (len + 4) & ~(size_t)3;
	/* Accept a plain name only: it must not lead out of the searched directories. */
	if (len && len < sizeof(file->debuglink) && at + 4 <= sec->sz && !memchr(text, '/', len)) {
		memcpy(file->debuglink, text, len + 1);
		memcpy(&file->debuglink_crc, text + at, 4);
		file->debuglink_crc = swap32(file, file->debuglink_crc);
	}
	free(text);
}

int elf_file__open(struct elf_file *file, const struct elf_image *img)
{
	GElf_Ehdr eh;
	int err = -ENOEXEC;

	*file = (struct elf_file){ .img = *img };
	elf_version(EV_CURRENT);
	file->elf = img->fd >= 0 ? elf_open(img->fd, ELF_C_READ) : elf_memory(img->mem, img->sz);
	if (!file->elf || elf_kind(file->elf) != ELF_K_ELF || !gelf_getehdr(file->elf, &eh))
		goto fail;
	file->machine = eh.e_machine;
	file->is64 = eh.e_ident[EI_CLASS] == ELFCLASS64;
	file->swapped = eh.e_ident[EI_DATA] !=
			(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB);
	err = read_sections(file);
	if (!err)
		err = read_segments(file);
	if (err)
		goto fail;
	read_build_id(file);
	read_debuglink(file);
	return 0;
fail:
	elf_file__close(file);
	return err;
}

void elf_file__close(struct elf_file *file)
{
	free(file->sections);
	free(file->segments);
	elf_end(file->elf);
	file->elf = NULL;
	file->sections = NULL;
	file->segments = NULL;
}
