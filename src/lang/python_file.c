// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "lang/python_file.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include <gelf.h>
#include <libelf.h>

#include "lang/python_offsets.h"
#include "reader/answer.h"
#include "reader/files.h"
#include "unwind/elf_open.h"

/* In these builds each instruction is a function, and the loop only jumps to the first one. */
#define TAIL_CALLED_MAX_SZ 8192

struct answered {
	struct python_file file;
	int32_t err;
	char missing[PYTHON_MISSING_MAX];
};

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

/* Reads bytes of the file by their virtual address. Returns how many there are. */
static size_t read_at(Elf *elf, int fd, uint64_t addr, void *buf, size_t sz)
{
	size_t cnt, i;
	GElf_Phdr ph;
	ssize_t n;

	if (elf_getphdrnum(elf, &cnt))
		return 0;
	for (i = 0; i < cnt && gelf_getphdr(elf, (int)i, &ph); i++) {
		if (ph.p_type != PT_LOAD || addr < ph.p_vaddr || addr - ph.p_vaddr >= ph.p_filesz)
			continue;
		if (sz > ph.p_filesz - (addr - ph.p_vaddr))
			sz = ph.p_filesz - (addr - ph.p_vaddr);
		n = pread(fd, buf, sz, (off_t)(ph.p_offset + (addr - ph.p_vaddr)));
		return n > 0 ? (size_t)n : 0;
	}
	return 0;
}

/* Returns the address of byte 0 of the file, as its code is mapped, among virtual addresses. */
static bool find_base(Elf *elf, uint64_t *base)
{
	size_t cnt, i;
	GElf_Phdr ph;

	if (elf_getphdrnum(elf, &cnt))
		return false;
	for (i = 0; i < cnt && gelf_getphdr(elf, (int)i, &ph); i++) {
		if (ph.p_type != PT_LOAD || !(ph.p_flags & PF_X))
			continue;
		*base = ph.p_vaddr - ph.p_offset;
		return true;
	}
	return false;
}

static int examine(Elf *elf, int fd, struct answered *a)
{
	char head[PYTHON_OFFSETS_SZ];
	const char *missing = "";
	uint64_t version = 0, base;
	struct found f = { 0 };
	GElf_Ehdr eh;
	size_t sz;
	int err;

	if (!gelf_getehdr(elf, &eh) || eh.e_ident[EI_CLASS] != ELFCLASS64 ||
	    eh.e_ident[EI_DATA] != ELFDATA2LSB)
		return -ENOENT;
	find(elf, &f);
	if (!f.runtime || !find_base(elf, &base))
		return -ENOENT;
	if (f.version && read_at(elf, fd, f.version, &version, sizeof(version)) != sizeof(version))
		version = 0;
	sz = read_at(elf, fd, f.runtime, head, sizeof(head));
	err = python_offsets__read(&a->file, head, sz, (uint32_t)version, &missing);
	if (err) {
		a->file.version = a->file.version ?: (uint32_t)version;
		strncpy(a->missing, missing, sizeof(a->missing) - 1);
		return err;
	}
	a->file.runtime = f.runtime - base;
	a->file.is_tail_called = f.loop_sz && f.loop_sz < TAIL_CALLED_MAX_SZ;
	return 0;
}

static int run_python(struct reader_request *req, struct strbuf *answer)
{
	struct answered a;
	Elf *elf;

	memset(&a, 0, sizeof(a));
	elf = elf_open(req->fds[0], ELF_C_READ);
	if (!elf)
		return -ENOEXEC;
	a.err = examine(elf, req->fds[0], &a);
	elf_end(elf);
	strbuf__add(answer, &a, sizeof(a));
	return 0;
}

static const struct reader_op python_op = { "python", run_python };

int python_file__read(int fd, struct python_file *file, char *missing)
{
	struct strbuf answer = STRBUF_INIT;
	struct reader_call call = {
		.op = &python_op,
		.purpose = READER_TABLES,
		.fds = &fd,
		.fd_cnt = 1,
		.answer_max = sizeof(struct answered),
		.missing = "Python functions",
	};
	struct answered a;
	struct answer from;
	int err = reader__call_files(&call, &answer, NULL);

	from = answer__of(answer.buf, answer.len);
	answer__take(&from, &a, sizeof(a));
	strbuf__free(&answer);
	if (!err && from.is_bad)
		err = -EPROTO;
	if (err)
		return err == -ENOEXEC ? -ENOENT : err;
	*file = a.file;
	a.missing[sizeof(a.missing) - 1] = '\0';
	memcpy(missing, a.missing, PYTHON_MISSING_MAX);
	/* Whatever it is, programs in the kernel read only the process's own memory with it. */
	return a.err == -ENOTSUP || a.err == -ENOENT ? a.err : a.err ? -EPROTO : 0;
}
