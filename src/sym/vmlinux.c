// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sym/vmlinux.h"

#include <errno.h>
#include <unistd.h>

#include "sym/elf_syms.h"
#include "sym/read_elf.h"
#include "sym/root.h"

/* The image begins with _text, before all other code; code for processes is in the lower half. */
static uint64_t text_of(const struct elf_syms *syms)
{
	uint64_t text = UINT64_MAX;
	size_t i;

	for (i = 0; i < syms->segment_cnt; i++)
		if (syms->segments[i].vaddr >> 63 && syms->segments[i].vaddr < text)
			text = syms->segments[i].vaddr;
	return text == UINT64_MAX ? 0 : text;
}

/* Keeps the functions that have readable names. */
static int take_names(const struct elf_syms *syms, int fd, struct symtab *tab,
		      struct strbuf *strings)
{
	const struct elf_image img = { .fd = fd };
	size_t i;
	int err = 0;

	for (i = 0; i < syms->tab.cnt && !err; i++) {
		const struct symtab_entry *e = &syms->tab.entries[i];
		size_t at = strings->len;

		if (!elf_syms__put_name(syms, e, &img, strings))
			continue;
		/* The end of the name, and that of the module's, which is empty. */
		strbuf__add(strings, "\0", 2);
		err = strings->len < at + 2 ? -ENOMEM
					    : symtab__add(tab, e->addr, e->sz, 0, (uint32_t)at);
	}
	return err;
}

int vmlinux__read(enum reader_purpose purpose, const char *path, struct symtab *tab,
		  struct strbuf *strings, uint64_t *text)
{
	int fd = root__open(-1, path), err;
	const struct symtab_choice choice = { 0 };
	struct elf_syms syms = { 0 };

	if (fd < 0)
		return errno ? -errno : -ENOENT;
	err = read_elf__syms(purpose, fd, -1, 0, &syms);
	if (!err) {
		*text = text_of(&syms);
		err = take_names(&syms, fd, tab, strings);
		elf_syms__free(&syms);
	}
	close(fd);
	if (!err && !tab->cnt)
		err = -ENODATA;
	if (!err)
		symtab__finish(tab, &choice);
	return err;
}
