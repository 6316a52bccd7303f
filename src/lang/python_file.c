// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "lang/python_file.h"

#include <errno.h>
#include <string.h>

#include "lang/elf_bytes.h"
#include "lang/python_offsets.h"
#include "unwind/elf_open.h"

/* In these builds each instruction is a function, and the loop only jumps to the first one. */
#define TAIL_CALLED_MAX_SZ 8192

/* Symbols that tell a Python, by their virtual addresses; 0: not found. */
struct found {
	uint64_t runtime, version, loop_sz;
};

static void note_symbol(struct found *f, const char *name, const GElf_Sym *sym)
{
	if (!strcmp(name, "_PyRuntime"))
		f->runtime = sym->st_value;
	else if (!strcmp(name, "Py_Version"))
		f->version = sym->st_value;
	else if (!strcmp(name, "_PyEval_EvalFrameDefault"))
		f->loop_sz = sym->st_size;
}

static void read_symbols(Elf *elf, Elf_Scn *scn, const GElf_Shdr *sh, struct found *f)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	size_t i, cnt = data && sh->sh_entsize ? data->d_size / sh->sh_entsize : 0;
	const char *name;
	GElf_Sym sym;

	for (i = 0; i < cnt && gelf_getsym(data, (int)i, &sym); i++) {
		name = sym.st_shndx ? elf_strptr(elf, sh->sh_link, sym.st_name) : NULL;
		/* Most names are others. */
		if (name && name[0] != '\0' && (name[0] == '_' || name[0] == 'P') &&
		    (name[1] == 'P' || name[1] == 'y'))
			note_symbol(f, name, &sym);
	}
}

/* The table .symtab, which may be large, is read only if the file has a Python. */
static void find(Elf *elf, struct found *f)
{
	struct elf_sections s = elf_sections__of(elf);
	Elf_Scn *symtab = NULL;
	GElf_Shdr symtab_sh;

	while (elf_sections__next(&s)) {
		if (s.sh.sh_type == SHT_DYNSYM) {
			read_symbols(elf, s.scn, &s.sh, f);
		} else if (s.sh.sh_type == SHT_SYMTAB) {
			symtab = s.scn;
			symtab_sh = s.sh;
		} else if (!f->runtime && !strcmp(s.name, ".PyRuntime")) {
			f->runtime = s.sh.sh_addr;
		}
	}
	if (f->runtime && symtab && (!f->version || !f->loop_sz))
		read_symbols(elf, symtab, &symtab_sh, f);
}

int python_file__read(Elf *elf, int fd, struct python_file *file, const char **missing)
{
	char head[PYTHON_OFFSETS_SZ];
	uint64_t version = 0, base;
	struct found f = { 0 };
	size_t sz;
	int err;

	find(elf, &f);
	if (!f.runtime || !elf_bytes__base(elf, &base))
		return -ENOENT;
	if (f.version &&
	    elf_bytes__read(elf, fd, f.version, &version, sizeof(version)) != sizeof(version))
		version = 0;
	sz = elf_bytes__read(elf, fd, f.runtime, head, sizeof(head));
	err = python_offsets__read(file, head, sz, (uint32_t)version, missing);
	if (err) {
		file->version = file->version ?: (uint32_t)version;
		return err;
	}
	file->runtime = f.runtime - base;
	file->is_tail_called = f.loop_sz && f.loop_sz < TAIL_CALLED_MAX_SZ;
	return 0;
}
