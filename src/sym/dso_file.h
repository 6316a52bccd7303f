/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Which of the files that can be opened is the one that was mapped. */
#ifndef BPFPERF_SYM_DSO_FILE_H
#define BPFPERF_SYM_DSO_FILE_H

#include "sym/dso.h"

/*
 * Opens the file of a DSO_FILE: through the mapping itself, through the root of the process, or
 * by path. Device and inode must be the recorded ones, and neither the file's birth nor its last
 * change later than the mapping (inodes are used again). -1 where none is the right one.
 */
int dso_file__open(const struct dso *dso, const struct dso_site *site);
/* Our own root shows the right file under the path: it can be opened later. */
bool dso_file__in_our_root(const struct dso *dso);

#endif
