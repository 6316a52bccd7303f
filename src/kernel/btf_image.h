/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Raw BTF (Documentation/bpf/btf.rst), used where it lies: libbpf copies all of it, twice, and
 * keeps an index of all types, which takes a third of the CPU time of a short run.
 */
#ifndef BPFPERF_KERNEL_BTF_IMAGE_H
#define BPFPERF_KERNEL_BTF_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/btf.h>

struct btf_image {
	void *data; /* owned: mapped if is_mapped, else allocated */
	size_t sz;
	bool is_mapped;
	const char *types, *strs; /* into data */
	uint32_t types_sz, strs_sz;
	uint32_t cnt; /* the ids are 1 to cnt */
	uint32_t *offs; /* offset into types of each BTF_IMAGE_STEP-th id */
	size_t offs_cap;
};

#define BTF_IMAGE_STEP 16

/*
 * Opens a file of raw BTF in this machine's byte order; mapped where that is possible: from 6.16 on
 * for the kernel's own (a539e2a6d51d, btf: allow mmap of vmlinux btf), else read. Checks that each
 * type lies within it. 0 or -errno; -EINVAL: the file has something else, or types of a kind that
 * this version does not know.
 */
int btf_image__open(struct btf_image *img, const char *path);
/* A closed image, and one that was never opened but is zero, are accepted. */
void btf_image__close(struct btf_image *img);

/* Returns the type of an id from 1 to cnt; NULL: there is no such id. */
const struct btf_type *btf_image__type(const struct btf_image *img, uint32_t id);
/* Returns the bytes of a type; 0: its kind is unknown. */
size_t btf_image__type_sz(const struct btf_type *t);
/* Returns a name; NULL: the offset is beyond the strings. */
const char *btf_image__name(const struct btf_image *img, uint32_t name_off);

#endif
