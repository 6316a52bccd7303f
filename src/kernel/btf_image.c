// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "kernel/btf_image.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/array.h"

/* The kernel's own BTF has 3 to 20 MB. */
#define IMAGE_MAX (256u << 20)

static int read_all(struct btf_image *img, int fd)
{
	size_t len = 0;
	ssize_t n;

	img->data = malloc(img->sz);
	if (!img->data)
		return -ENOMEM;
	while (len < img->sz) {
		n = read(fd, (char *)img->data + len, img->sz - len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? -errno : -EINVAL;
		len += (size_t)n;
	}
	return 0;
}

static int load(struct btf_image *img, int fd)
{
	struct stat st;

	if (fstat(fd, &st))
		return -errno;
	if (st.st_size < (off_t)sizeof(struct btf_header) || st.st_size > IMAGE_MAX)
		return -EINVAL;
	img->sz = (size_t)st.st_size;
	img->data = mmap(NULL, img->sz, PROT_READ, MAP_PRIVATE, fd, 0);
	img->is_mapped = img->data != MAP_FAILED;
	return img->is_mapped ? 0 : read_all(img, fd);
}

/* Finds types and strings. Sums of two 32-bit numbers are 64-bit: the header is not trusted. */
static int find_parts(struct btf_image *img)
{
	const struct btf_header *hdr = img->data;
	uint64_t types, strs;

	if (hdr->magic != BTF_MAGIC || hdr->version != BTF_VERSION || hdr->hdr_len < sizeof(*hdr))
		return -EINVAL;
	types = (uint64_t)hdr->hdr_len + hdr->type_off;
	strs = (uint64_t)hdr->hdr_len + hdr->str_off;
	if (types % 4 || types + hdr->type_len > img->sz || strs + hdr->str_len > img->sz ||
	    !hdr->str_len)
		return -EINVAL;
	img->types = (const char *)img->data + types;
	img->types_sz = hdr->type_len;
	img->strs = (const char *)img->data + strs;
	img->strs_sz = hdr->str_len;
	return img->strs[0] || img->strs[img->strs_sz - 1] ? -EINVAL : 0;
}

size_t btf_image__type_sz(const struct btf_type *t)
{
	size_t vlen = BTF_INFO_VLEN(t->info), sz = sizeof(*t);

	switch (BTF_INFO_KIND(t->info)) {
	case BTF_KIND_FWD:
	case BTF_KIND_PTR:
	case BTF_KIND_CONST:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_FUNC:
	case BTF_KIND_FLOAT:
	case BTF_KIND_TYPE_TAG:
		return sz;
	case BTF_KIND_INT:
		return sz + sizeof(uint32_t);
	case BTF_KIND_ARRAY:
		return sz + sizeof(struct btf_array);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return sz + vlen * sizeof(struct btf_member);
	case BTF_KIND_ENUM:
		return sz + vlen * sizeof(struct btf_enum);
	case BTF_KIND_ENUM64:
		return sz + vlen * sizeof(struct btf_enum64);
	case BTF_KIND_FUNC_PROTO:
		return sz + vlen * sizeof(struct btf_param);
	case BTF_KIND_VAR:
		return sz + sizeof(struct btf_var);
	case BTF_KIND_DATASEC:
		return sz + vlen * sizeof(struct btf_var_secinfo);
	case BTF_KIND_DECL_TAG:
		return sz + sizeof(struct btf_decl_tag);
	default:
		return 0;
	}
}

static int index_types(struct btf_image *img)
{
	uint32_t off = 0, id;
	size_t sz;

	for (id = 1; off < img->types_sz; id++, off += (uint32_t)sz) {
		if (img->types_sz - off < sizeof(struct btf_type))
			return -EINVAL;
		sz = btf_image__type_sz((const void *)(img->types + off));
		if (!sz || sz > img->types_sz - off)
			return -EINVAL;
		if (id % BTF_IMAGE_STEP == 1) {
			if (array__reserve((void **)&img->offs, &img->offs_cap,
					   id / BTF_IMAGE_STEP + 1, sizeof(*img->offs)))
				return -ENOMEM;
			img->offs[id / BTF_IMAGE_STEP] = off;
		}
		img->cnt = id;
	}
	return 0;
}

int btf_image__open(struct btf_image *img, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), err;

	memset(img, 0, sizeof(*img));
	if (fd < 0)
		return -errno;
	err = load(img, fd);
	close(fd);
	if (!err)
		err = find_parts(img);
	if (!err)
		err = index_types(img);
	if (err)
		btf_image__close(img);
	return err;
}

void btf_image__close(struct btf_image *img)
{
	if (img->is_mapped)
		munmap(img->data, img->sz);
	else
		free(img->data);
	free(img->offs);
	memset(img, 0, sizeof(*img));
}

const struct btf_type *btf_image__type(const struct btf_image *img, uint32_t id)
{
	const char *at;
	uint32_t i;

	if (!id || id > img->cnt)
		return NULL;
	at = img->types + img->offs[(id - 1) / BTF_IMAGE_STEP];
	for (i = (id - 1) % BTF_IMAGE_STEP; i; i--)
		at += btf_image__type_sz((const void *)at);
	return (const void *)at;
}

const char *btf_image__name(const struct btf_image *img, uint32_t name_off)
{
	return name_off < img->strs_sz ? img->strs + name_off : NULL;
}
