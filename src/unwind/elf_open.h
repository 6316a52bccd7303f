/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The one way into libelf for files that any user may have written. */
#ifndef BPFPERF_UNWIND_ELF_OPEN_H
#define BPFPERF_UNWIND_ELF_OPEN_H

#include <gelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Real files have about forty sections and a dozen segments; more mean a damaged or hostile file.
 */
#define ELF_MAX_SECTIONS 1024
#define ELF_MAX_SEGMENTS 1024

/*
 * elf_begin(3) on a file with at most ELF_MAX_SECTIONS sections: libelf allocates memory for each
 * section before it can be asked how many there are, gigabytes for a file of a few blocks. NULL:
 * there are more, or libelf refuses the file.
 */
Elf *elf_open(int fd, Elf_Cmd cmd);

/* A position among the sections of a file. */
struct elf_sections {
	Elf *elf;
	size_t strndx;
	Elf_Scn *scn; /* this one; NULL before the first one, and at the end */
	GElf_Shdr sh;
	const char *name; /* "": it has none */
};

/* Begins before the first section. A file without names of sections has none to go to. */
struct elf_sections elf_sections__of(Elf *elf);
/* Goes to the next section that has a header. false: there are no more. */
bool elf_sections__next(struct elf_sections *s);
/* Goes to the next section of this name. false: there is none. */
bool elf_sections__find(struct elf_sections *s, const char *name);
/*
 * The size of a section's data, inflated if its flags say that it is compressed; sz: its bytes in
 * the file. false: it states an impossible size.
 */
bool elf_section__data_sz(Elf_Scn *scn, uint64_t flags, uint64_t sz, uint64_t *data_sz);

#endif
