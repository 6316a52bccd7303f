/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Finds the call frame information of an ELF file and makes its table. */
#ifndef BPFPERF_UNWIND_FILE_H
#define BPFPERF_UNWIND_FILE_H

#include "unwind/table.h"

/* Larger sections are damaged or hostile: a browser's has 20 MiB. */
#define UNWIND_SECTION_MAX_SZ (256u << 20)

/*
 * The table of an ELF file behind fd, which stays open: from .eh_frame; where that is missing, from
 * what .eh_frame_hdr points to (a vDSO without sections); where that is missing, from .debug_frame,
 * compressed or not. 0; -ENOEXEC: no ELF program or library; -ENOTSUP: of an architecture that is
 * not unwound; -ENODATA: there is none; -E2BIG; -ENOMEM. Free the table where it is 0.
 */
int unwind_file__read(struct unwind_table *table, int fd);
/* Reads the table of an image in memory, the vDSO, which must outlive only the call. */
int unwind_file__read_image(struct unwind_table *table, char *image, size_t sz);

#endif
