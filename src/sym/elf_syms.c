// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sym/elf_syms.h"

#include <errno.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * symtab_entry.name: an offset into the string table of .symtab, or with
 * NAME_DYN of .dynsym, or with NAME_READ an index into syms->names.
 */
#define NAME_READ (1u << 31)
#define NAME_DYN (1u << 30)
#define NAME_VAL (NAME_DYN - 1)

/* Longer names (C++ templates) are cut. */
#define NAME_MAX_SZ 4096

/* The end of the section an address lies in: how far a function without a size may reach. */
static uint64_t section_end(const void *ctx, uint64_t addr)
{
	Elf *elf = (Elf *)ctx;
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	while ((scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, &sh) && sh.sh_flags & SHF_ALLOC && addr >= sh.sh_addr &&
		    addr - sh.sh_addr < sh.sh_size)
			return sh.sh_addr + sh.sh_size;
	return addr;
}

static bool in_code(Elf *elf, GElf_Section shndx)
{
	Elf_Scn *scn;
	GElf_Shdr sh;

	if (shndx == SHN_UNDEF || shndx >= SHN_LORESERVE)
		return false;
	scn = elf_getscn(elf, shndx);
	return scn && gelf_getshdr(scn, &sh) && sh.sh_flags & SHF_EXECINSTR;
}

/* Assemblers' local labels, and the mapping symbols of ARM ("$x"). */
static bool is_label(const char *name)
{
	return name[0] == '$' || (name[0] == '.' && name[1] == 'L');
}

static int add_symbol(struct elf_syms *syms, Elf *elf, const GElf_Sym *s, const char *name,
		      uint32_t dyn)
{
	int type = GELF_ST_TYPE(s->st_info), bind = GELF_ST_BIND(s->st_info);

	if (type != STT_FUNC && type != STT_GNU_IFUNC && type != STT_NOTYPE)
		return 0;
	if (s->st_shndx == SHN_UNDEF || !s->st_value || s->st_name > NAME_VAL || !name || !*name)
		return 0;
	if (type == STT_NOTYPE && (is_label(name) || !in_code(elf, s->st_shndx)))
		return 0;
	return symtab__add(&syms->tab, s->st_value, s->st_size,
			   symtab__rank(s->st_size, bind == STB_WEAK, bind != STB_LOCAL, name),
			   s->st_name | dyn);
}

static int add_table(struct elf_syms *syms, Elf *elf, Elf_Scn *scn, const GElf_Shdr *sh)
{
	bool dyn = sh->sh_type == SHT_DYNSYM;
	Elf_Data *data = elf_getdata(scn, NULL), *names;
	Elf_Scn *str = elf_getscn(elf, sh->sh_link);
	GElf_Shdr strsh;
	GElf_Sym s;
	size_t i;

	names = str ? elf_getdata(str, NULL) : NULL;
	if (!data || !names || !names->d_buf || !gelf_getshdr(str, &strsh) || !sh->sh_entsize)
		return 0;
	syms->strtab[dyn].off = strsh.sh_offset;
	syms->strtab[dyn].sz = names->d_size;
	for (i = 0; i < data->d_size / sh->sh_entsize && gelf_getsym(data, (int)i, &s); i++) {
		const char *name = NULL;

		if (s.st_name < names->d_size &&
		    memchr((char *)names->d_buf + s.st_name, '\0', names->d_size - s.st_name))
			name = (char *)names->d_buf + s.st_name;
		if (add_symbol(syms, elf, &s, name, dyn ? NAME_DYN : 0))
			return -ENOMEM;
	}
	return 0;
}

static int read_segments(struct elf_syms *syms, Elf *elf)
{
	GElf_Phdr ph;
	size_t i, cnt;

	if (elf_getphdrnum(elf, &cnt))
		return -ENOEXEC;
	syms->segments = calloc(cnt + 1, sizeof(*syms->segments));
	if (!syms->segments)
		return -ENOMEM;
	for (i = 0; i < cnt && gelf_getphdr(elf, (int)i, &ph); i++)
		if (ph.p_type == PT_LOAD && ph.p_flags & PF_X)
			syms->segments[syms->segment_cnt++] =
				(struct elf_segment){ ph.p_offset, ph.p_filesz, ph.p_vaddr };
	return 0;
}

static int read_elf(struct elf_syms *syms, Elf *elf)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;
	int err;

	if (!elf || elf_kind(elf) != ELF_K_ELF)
		return -ENOEXEC;
	err = read_segments(syms, elf);
	while (!err && (scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, &sh) &&
		    (sh.sh_type == SHT_SYMTAB || sh.sh_type == SHT_DYNSYM))
			err = add_table(syms, elf, scn, &sh);
	if (!err)
		symtab__finish(&syms->tab, section_end, elf);
	return err;
}

int elf_syms__read(struct elf_syms *syms, int fd)
{
	Elf *elf;
	int err;

	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	err = read_elf(syms, elf);
	elf_end(elf);
	return err;
}

int elf_syms__read_image(struct elf_syms *syms, char *image, size_t sz)
{
	Elf *elf;
	int err;

	elf_version(EV_CURRENT);
	elf = elf_memory(image, sz);
	err = read_elf(syms, elf);
	elf_end(elf);
	return err;
}

static bool to_vaddr(const struct elf_syms *syms, uint64_t file_off, uint64_t *vaddr)
{
	size_t i;

	for (i = 0; i < syms->segment_cnt; i++) {
		const struct elf_segment *s = &syms->segments[i];

		if (file_off - s->off < s->filesz) {
			*vaddr = file_off - s->off + s->vaddr;
			return true;
		}
	}
	return false;
}

static char *read_name(const struct elf_syms *syms, int fd, const char *image, uint32_t name)
{
	bool dyn = name & NAME_DYN;
	uint64_t off = name & NAME_VAL, left = syms->strtab[dyn].sz - off;
	char buf[NAME_MAX_SZ + 1];
	size_t sz = left < NAME_MAX_SZ ? left : NAME_MAX_SZ;
	ssize_t n;

	if (fd < 0)
		return image ? strndup(image + syms->strtab[dyn].off + off, sz) : NULL;
	n = pread(fd, buf, sz, (off_t)(syms->strtab[dyn].off + off));
	if (n <= 0)
		return NULL;
	buf[n] = '\0';
	return strdup(buf);
}

const char *elf_syms__find(struct elf_syms *syms, int fd, const char *image, uint64_t file_off,
			   uint64_t *off)
{
	struct symtab_entry *e;
	uint64_t vaddr;
	char **bigger, *name;

	if (!to_vaddr(syms, file_off, &vaddr))
		return NULL;
	e = symtab__find(&syms->tab, vaddr);
	if (!e)
		return NULL;
	if (!(e->name & NAME_READ)) {
		name = read_name(syms, fd, image, e->name);
		bigger = realloc(syms->names, (syms->name_cnt + 1) * sizeof(*bigger));
		if (bigger)
			syms->names = bigger;
		if (!name || !bigger) {
			free(name);
			return NULL;
		}
		syms->names[syms->name_cnt] = name;
		e->name = NAME_READ | (uint32_t)syms->name_cnt++;
	}
	*off = vaddr - e->addr;
	return syms->names[e->name & ~NAME_READ];
}

void elf_syms__free(struct elf_syms *syms)
{
	size_t i;

	for (i = 0; i < syms->name_cnt; i++)
		free(syms->names[i]);
	free(syms->names);
	free(syms->segments);
	symtab__free(&syms->tab);
	*syms = (struct elf_syms){ 0 };
}
