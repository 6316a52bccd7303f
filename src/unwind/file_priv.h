/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Shared by the files of file.h: file.c reads frame information, file_code.c the code beside it. */
#ifndef BPFPERF_UNWIND_FILE_PRIV_H
#define BPFPERF_UNWIND_FILE_PRIV_H

#include <gelf.h>
#include <libelf.h>

#include "unwind/arch.h"
#include "unwind/table.h"

struct unwind_file {
	Elf *elf;
	const struct unwind_arch *arch;
	uint64_t base; /* lowest address of executable segments */
	GElf_Phdr hdr; /* .eh_frame_hdr; p_memsz is 0 if there is none */
	GElf_Phdr text; /* the executable segment that contains it */
	struct unwind_segment segments[UNWIND_SEGMENTS_MAX];
	uint16_t segment_cnt;
};

/* Finds the section called name, with its contents uncompressed; or NULL. */
Elf_Data *unwind_file__section(const struct unwind_file *f, const char *name, GElf_Shdr *sh);

/*
 * Adds rules for code that has no frame information, or a wrong one, and is known by its bytes;
 * after all sections. 0, -ENOMEM or -E2BIG.
 */
int unwind_file__add_by_code(struct unwind_table *table, const struct unwind_file *f);

#endif
