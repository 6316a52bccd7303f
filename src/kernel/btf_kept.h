/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Parts of the kernel's BTF that earlier runs have made since the boot: the next run need not even
 * open the whole, which is 3 to 20 MB. Root alone has them (util/answer_cache.h).
 */
#ifndef BPFPERF_KERNEL_BTF_KEPT_H
#define BPFPERF_KERNEL_BTF_KEPT_H

#include <stdbool.h>

#include "util/strbuf.h"

struct btf_names;

/* Has an earlier run found the kernel's BTF sound? btf_kept__note_sound() notes that it is. */
bool btf_kept__is_sound(void);
void btf_kept__note_sound(void);
/*
 * Puts the part of these names, as btf_subset__make() has made it, into `part`, and their ids into
 * names, which are sorted. false: it is not kept.
 */
bool btf_kept__get(struct btf_names *names, struct strbuf *part);
void btf_kept__put(const struct btf_names *names, const struct strbuf *part);

#endif
