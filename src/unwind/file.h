/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Finds the call frame information of an ELF file and builds its table. */
#ifndef BPFPERF_UNWIND_FILE_H
#define BPFPERF_UNWIND_FILE_H

#include "unwind/table.h"

/* Larger sections are damaged or hostile: a browser's has 20 MiB. */
#define UNWIND_SECTION_MAX_SZ (256u << 20)

/*
 * Builds the table of an ELF file behind fd, which stays open: from .eh_frame; else from the data
 * that .eh_frame_hdr points to (a vDSO without sections); else from .debug_frame, compressed or
 * not. 0; -ENOEXEC: not an ELF program or library; -ENOTSUP: unsupported architecture; -ENODATA: no
 * frame information; -E2BIG; -ENOMEM. Free the table if 0 was returned.
 */
int unwind_file__read(struct unwind_table *table, int fd);
/* Builds the table of an image in memory, the vDSO, which must be valid only during the call. */
int unwind_file__read_image(struct unwind_table *table, char *image, size_t sz);

#endif
