// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "unwind/elf_open.h"

#include <elf.h>
#include <string.h>
#include <unistd.h>

#include "unwind/reader.h"
#include "util/fs.h"

/* A compressed section states its size; zlib and zstd cannot compress better than this ratio. */
#define COMPRESSION_MAX 1024

/* A number in a header, by its place in the two classes. */
struct field {
	size_t off32, off64;
	unsigned int sz32, sz64;
};

#define FIELD(type, name)                                                                          \
	{                                                                                          \
		offsetof(Elf32_##type, name), offsetof(Elf64_##type, name),                        \
			sizeof(((Elf32_##type *)0)->name), sizeof(((Elf64_##type *)0)->name)       \
	}

static const struct field shoff = FIELD(Ehdr, e_shoff);
static const struct field shnum = FIELD(Ehdr, e_shnum);
static const struct field sh_size = FIELD(Shdr, sh_size);

/* Reads a field of the header that r begins at; 0: the header is cut. */
static uint64_t value_of(struct cfi_reader r, const struct field *f)
{
	cfi_reader__skip(&r, r.is_32 ? f->off32 : f->off64);
	return cfi_reader__uint(&r, r.is_32 ? f->sz32 : f->sz64);
}

/* Returns the number of sections; 0 for what is no ELF file. */
static uint64_t section_cnt(int fd)
{
	uint8_t head[sizeof(Elf64_Ehdr)], section[sizeof(Elf64_Shdr)];
	ssize_t n = fs__pread(fd, head, sizeof(head), 0);
	struct cfi_reader r = { .at = head, .end = head + n };
	uint64_t cnt, off;

	if (n < (ssize_t)sizeof(Elf32_Ehdr) || memcmp(head, ELFMAG, SELFMAG) != 0)
		return 0;
	r.is_32 = head[EI_CLASS] != ELFCLASS64;
	r.is_big = head[EI_DATA] == ELFDATA2MSB;
	cnt = value_of(r, &shnum);
	off = value_of(r, &shoff);
	if (cnt || !off || off > INT64_MAX)
		return cnt;
	/* A number that does not fit into the header is in section 0. */
	n = fs__pread(fd, section, sizeof(section), (off_t)off);
	if (n < 0)
		return 0;
	r.at = section;
	r.end = section + n;
	return value_of(r, &sh_size);
}

Elf *elf_open(int fd, Elf_Cmd cmd)
{
	elf_version(EV_CURRENT);
	return section_cnt(fd) > ELF_MAX_SECTIONS ? NULL : elf_begin(fd, cmd, NULL);
}

struct elf_sections elf_sections__of(Elf *elf)
{
	struct elf_sections s = { .elf = elf };

	if (elf_getshdrstrndx(elf, &s.strndx))
		s.elf = NULL;
	return s;
}

bool elf_sections__next(struct elf_sections *s)
{
	while (s->elf && (s->scn = elf_nextscn(s->elf, s->scn))) {
		if (!gelf_getshdr(s->scn, &s->sh))
			continue;
		s->name = elf_strptr(s->elf, s->strndx, s->sh.sh_name);
		s->name = s->name ? s->name : "";
		return true;
	}
	return false;
}

bool elf_sections__find(struct elf_sections *s, const char *name)
{
	while (elf_sections__next(s))
		if (!strcmp(s->name, name))
			return true;
	return false;
}

bool elf_section__data_sz(Elf_Scn *scn, uint64_t flags, uint64_t sz, uint64_t *data_sz)
{
	GElf_Chdr ch = { .ch_size = sz };

	if (flags & SHF_COMPRESSED &&
	    (!gelf_getchdr(scn, &ch) || ch.ch_size / COMPRESSION_MAX > sz))
		return false;
	*data_sz = ch.ch_size;
	return true;
}
