/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The printed name of a function of a file, from its entry in the symbol table. */
#ifndef BPFPERF_SYM_DSO_NAME_H
#define BPFPERF_SYM_DSO_NAME_H

#include "sym/dso.h"

/*
 * Announces that the function at byte file_off will be named: mangled names go to a reader at once.
 */
void dso_name__want(struct dso *dso, uint64_t file_off);
/*
 * Returns the printed name, interned at the first call. NULL: it cannot be read, or there is no
 * memory.
 */
const char *dso_name__of(struct dsos *dsos, struct dso *dso, const struct symtab_entry *e);

#endif
