// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "probe/symbols.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "sym/elf_syms.h"
#include "sym/file_syms.h"
#include "unwind/elf_open.h"
#include "util/array.h"

static int add(struct found_symbols *found, const struct found_symbol *sym, const char *name)
{
	if (array__reserve((void **)&found->at, &found->cap, found->cnt + 1, sizeof(*found->at)))
		return -ENOMEM;
	/* The buffer moves while it grows: until all names are there, it is the offset. */
	found->at[found->cnt] = *sym;
	found->at[found->cnt++].name = (const char *)found->names.len;
	strbuf__add(&found->names, name, strlen(name) + 1);
	return strbuf__has_failed() ? -ENOMEM : 0;
}

/* A search, and names that were seen. */
struct search {
	struct found_symbols *found;
	const struct func_pattern *pattern;
	struct suggest *near;
	struct strbuf printed;
	bool has_names;
};

static int try_symbol(struct search *s, const char *name, const struct found_symbol *sym)
{
	s->has_names = true;
	if (func_pattern__match(s->pattern, name, &s->printed))
		return add(s->found, sym, strbuf__cstr(&s->printed));
	if (s->near && !s->found->cnt)
		suggest__offer(s->near, name);
	return 0;
}

static int search_section(struct search *s, Elf *elf, Elf_Scn *scn, const GElf_Shdr *sh)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	size_t cnt = data && sh->sh_entsize ? data->d_size / sh->sh_entsize : 0, i;
	struct found_symbol found;
	const char *name;
	GElf_Sym sym;
	int err = 0;

	for (i = 0; i < cnt && !err; i++) {
		if (!gelf_getsym(data, (int)i, &sym) || sym.st_shndx == SHN_UNDEF || !sym.st_value)
			continue;
		if (GELF_ST_TYPE(sym.st_info) != STT_FUNC &&
		    GELF_ST_TYPE(sym.st_info) != STT_GNU_IFUNC)
			continue;
		name = elf_strptr(elf, sh->sh_link, sym.st_name);
		if (!name || !*name)
			continue;
		found = (struct found_symbol){
			.vaddr = sym.st_value,
			.size = sym.st_size,
			.is_global = GELF_ST_BIND(sym.st_info) != STB_LOCAL,
		};
		if (GELF_ST_TYPE(sym.st_info) == STT_FUNC)
			err = try_symbol(s, name, &found);
		else if (func_pattern__match(s->pattern, name, &s->printed))
			s->found->has_ifunc = true;
	}
	return err;
}

static int search_file(struct search *s, int fd)
{
	Elf *elf = elf_open(fd, ELF_C_READ_MMAP);
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;
	int err = 0;

	if (!elf)
		return -ENOEXEC;
	while (!err && (scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, &sh) &&
		    (sh.sh_type == SHT_SYMTAB || sh.sh_type == SHT_DYNSYM))
			err = search_section(s, elf, scn, &sh);
	elf_end(elf);
	return err;
}

/* Names of .gnu_debugdata, and of a Go program's own table. */
static int search_stripped(struct search *s, int fd)
{
	const struct elf_image img = { .fd = fd };
	struct strbuf name = STRBUF_INIT;
	struct elf_syms syms = { .cut = false };
	int err = file_syms__read(&syms, &img, -1, ELF_SYMS_STRIPPED);
	size_t i;

	for (i = 0; !err && i < syms.tab.cnt; i++) {
		const struct symtab_entry *e = &syms.tab.entries[i];

		strbuf__reset(&name);
		if (!elf_syms__is_plt(e) && elf_syms__put_name(&syms, e, &img, &name))
			err = try_symbol(s, strbuf__cstr(&name),
					 &(struct found_symbol){ .vaddr = e->addr });
	}
	elf_syms__free(&syms);
	strbuf__free(&name);
	return err;
}

static int compare(const void *a, const void *b)
{
	const struct found_symbol *x = a, *y = b;

	if (x->vaddr != y->vaddr)
		return x->vaddr < y->vaddr ? -1 : 1;
	/* Among names of one function, the one without leading underscores is the usual one. */
	if (strspn(x->name, "_") != strspn(y->name, "_"))
		return strspn(x->name, "_") < strspn(y->name, "_") ? -1 : 1;
	return strcmp(x->name, y->name);
}

static void keep_one_each(struct found_symbols *found)
{
	size_t i, kept = 0;

	for (i = 0; i < found->cnt; i++)
		found->at[i].name = found->names.buf + (uintptr_t)found->at[i].name;
	if (found->cnt)
		qsort(found->at, found->cnt, sizeof(*found->at), compare);
	for (i = 0; i < found->cnt; i++)
		if (kept && found->at[kept - 1].vaddr == found->at[i].vaddr)
			found->at[kept - 1].is_global |= found->at[i].is_global;
		else
			found->at[kept++] = found->at[i];
	found->cnt = kept;
}

int found_symbols__read(struct found_symbols *found, int fd, int debug_fd,
			const struct func_pattern *pattern, struct suggest *near)
{
	struct search s = { found, pattern, near, STRBUF_INIT, false };
	int err;

	*found = (struct found_symbols){ .names = STRBUF_INIT };
	err = search_file(&s, fd);
	if (!err && debug_fd >= 0 && search_file(&s, debug_fd) == -ENOMEM)
		err = -ENOMEM;
	if (!err && !found->cnt)
		err = search_stripped(&s, fd);
	strbuf__free(&s.printed);
	keep_one_each(found);
	return err;
}

void found_symbols__free(struct found_symbols *found)
{
	free(found->at);
	strbuf__free(&found->names);
	*found = (struct found_symbols){ .names = STRBUF_INIT };
}
