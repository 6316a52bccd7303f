/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Reads the names of a string table in roughly ascending order, one window at a time. */
#ifndef BPFPERF_SYM_NAME_READER_H
#define BPFPERF_SYM_NAME_READER_H

#include <stddef.h>
#include <stdint.h>

#include "sym/elf_file.h"

struct name_reader;

/* Creates a reader of the string table of sz bytes at off; img must outlive it. NULL: no memory. */
struct name_reader *name_reader__new(const struct elf_image *img, uint64_t off, uint64_t sz);
void name_reader__free(struct name_reader *names);
/*
 * The name at this offset, valid until the next call; it may be cut at the window's end. NULL:
 * outside of the table.
 */
const char *name_reader__get(struct name_reader *names, uint64_t at);

#endif
