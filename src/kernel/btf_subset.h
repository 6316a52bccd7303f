/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The part of the kernel's BTF that a BPF object is relocated against: the types that have names of
 * the object's own types, as `bpftool gen min_core_btf` keeps them. libbpf finds the fields in the
 * part as it finds them in the whole, in a hundredth of the time.
 */
#ifndef BPFPERF_KERNEL_BTF_SUBSET_H
#define BPFPERF_KERNEL_BTF_SUBSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/btf_image.h"
#include "util/strbuf.h"

struct btf;

/* A name to look for. */
struct btf_name {
	char *text;
	bool is_root; /* its types are kept */
	uint32_t named_id; /* id in the image of its first typedef or function; 0: none */
};

struct btf_names {
	struct btf_name *at; /* sorted by text once they were looked for */
	size_t cnt, cap;
};

/* Adds a name. 0 or -ENOMEM. */
int btf_names__add(struct btf_names *names, const char *text, size_t len, bool is_root);
/*
 * Adds the names of all structs, unions, enums and typedefs of a BPF object, without the flavour
 * behind "___". 0 or -ENOMEM.
 */
int btf_names__add_types(struct btf_names *names, const struct btf *local);
/* Sorts the names by text; of equal ones one remains. */
void btf_names__sort(struct btf_names *names);
/* Finds a name among sorted ones; NULL: there is none. */
struct btf_name *btf_names__find(const struct btf_names *names, const char *text);
/* Returns named_id of a name, after btf_subset__make(); 0: none. */
uint32_t btf_names__id(const struct btf_names *names, const char *text);
void btf_names__free(struct btf_names *names);

/*
 * Looks all names up in the image, and puts raw BTF with the types of the root names into `out`:
 * all types of a name, their members, and the types that are part of these. Behind a pointer there
 * is void, except in the prototype of a typedef, in which structs have no members. 0 or -errno;
 * -EINVAL: a type refers to one that the image lacks.
 */
int btf_subset__make(const struct btf_image *img, struct btf_names *names, struct strbuf *out);

#endif
