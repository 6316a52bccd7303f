/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The functions that Go's compiler inlined, and source lines, from the tables of its run time: in
 * readers, for programs without DWARF. Layouts of Go 1.18 and later.
 */
#ifndef BPFPERF_SYM_GO_INLINES_H
#define BPFPERF_SYM_GO_INLINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sym/elf_file.h"
#include "sym/inline_frame.h"

struct go_inlines;

/*
 * Opens the tables of an ELF file, and keeps its descriptor, if it is one; memory must outlive the
 * result. lines: frames will have source positions. NULL if it has none: the descriptor stays the
 * caller's.
 */
struct go_inlines *go_inlines__open(const struct elf_image *img, bool lines);
void go_inlines__close(struct go_inlines *g);
/* Like dwarf_inlines__find(). */
size_t go_inlines__find(struct go_inlines *g, uint64_t vaddr, struct inline_frame *frames,
			size_t max, struct inline_entries *entries);

#endif
