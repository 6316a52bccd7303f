// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sym/gopclntab.h"

#include <errno.h>

#include "sym/go_table.h"
#include "sym/symtab.h"

static int add_funcs(struct elf_syms *syms, const struct go_table *t)
{
	uint64_t i, addr, next, info, name_off;
	int err = 0;

	for (i = 0; i < t->cnt && !err; i++) {
		if (!go_table__func(t, i, &addr, &info) || !go_table__func(t, i + 1, &next, NULL))
			break;
		if (next <= addr || !go_table__is_code(t->file, addr) ||
		    !go_table__name(t, addr, info, &name_off) ||
		    name_off >= t->sec->sz - t->names_off)
			continue;
		err = elf_syms__add(syms, addr, next - addr, symtab__rank(true, false, false, ""),
				    NAMES_SYMTAB, name_off, false);
	}
	return err;
}

int gopclntab__add(struct elf_syms *syms, const struct elf_file *file)
{
	struct go_table t;
	int err;

	if (file->has_symtab)
		return 0;
	err = go_table__open(&t, file, GO_WINDOW_SZ);
	if (err)
		return err == -ENOMEM ? err : 0;
	syms->names[NAMES_SYMTAB].off = t.sec->off + t.names_off;
	syms->names[NAMES_SYMTAB].sz = t.sec->sz - t.names_off;
	err = add_funcs(syms, &t);
	go_table__close(&t);
	return err;
}
