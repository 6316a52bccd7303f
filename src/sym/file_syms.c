// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sym/file_syms.h"

#include "sym/gopclntab.h"
#include "sym/mini_debug.h"
#include "sym/plt.h"

/*
 * Adds the names of stripped functions: from the debug file, or else from .gnu_debugdata and, in a
 * program written in Go, from its own table.
 */
static int add_stripped(struct elf_syms *syms, const struct elf_file *file, int debug_fd)
{
	const struct elf_image img = { .fd = debug_fd };
	bool from_debug = false;
	struct elf_file debug;
	int err = 0;

	if (img.fd >= 0 && !elf_file__open(&debug, &img)) {
		from_debug = !file->has_symtab && debug.has_symtab;
		if (from_debug)
			err = elf_syms__add_debug(syms, &debug, NAMES_DEBUG);
		elf_file__close(&debug);
	}
	if (!file->has_symtab && !from_debug)
		err = mini_debug__add(syms, file);
	if (!err && !file->has_symtab && !from_debug)
		err = gopclntab__add(syms, file);
	return err;
}

int file_syms__read(struct elf_syms *syms, const struct elf_image *img, int debug_fd,
		    unsigned int flags)
{
	struct elf_file file;
	int err = elf_file__open(&file, img);

	if (err)
		return err;
	syms->with_data = flags & ELF_SYMS_DATA;
	err = elf_syms__add_file(syms, &file);
	if (!err && flags & ELF_SYMS_STRIPPED && !(file.has_symtab && file.has_dwarf))
		err = add_stripped(syms, &file, debug_fd);
	/* Without memory there are fewer functions. */
	if (!err)
		plt__add(syms, &file);
	elf_syms__finish(syms, &file);
	elf_syms__take_segments(syms, &file);
	elf_file__close(&file);
	return 0;
}
