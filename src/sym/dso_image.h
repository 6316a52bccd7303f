/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The bytes of a dso, and of its debug file. */
#ifndef BPFPERF_SYM_DSO_IMAGE_H
#define BPFPERF_SYM_DSO_IMAGE_H

#include "sym/dso.h"

/* Sets *id to the build id of our own vDSO. false: there is none. */
bool dso_image__vdso_id(struct sym_build_id *id);
/*
 * Returns the file: held open, or opened for one access, or memory of our own (the vDSO); fd -1 and
 * no memory if there is none. To be given back.
 */
struct elf_image dso_image__get(const struct dsos *dsos, const struct dso *dso);
/* Returns its debug file likewise. */
struct elf_image dso_image__get_debug(const struct dsos *dsos, const struct dso *dso);
void dso_image__put(const struct dso *dso, const struct elf_image *img);

#endif
