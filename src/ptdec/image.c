// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "ptdec/image.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tracedec/pokes.h"

struct images {
	struct pt_image_section_cache *cache;
	struct pt_image **images; /* of each space, made at its first use; the last: kernel alone */
};

/* libipt keeps what it has read: code that changes is read anew each time, by read_kernel(). */
static bool is_poked(const struct job *j, const struct itrace_section *s)
{
	return j->head.poke_cnt && s->space == JOB_KERNEL;
}

static int read_kernel(uint8_t *buf, size_t sz, const struct pt_asid *asid, uint64_t ip, void *ctx)
{
	const struct job *j = ctx;
	size_t left;
	int isid;
	const uint8_t *p = job__find_code(j, JOB_KERNEL, ip, &isid, &left);

	(void)asid;
	if (!p)
		return -pte_nomap;
	if (sz > left)
		sz = left;
	memcpy(buf, p, sz);
	return (int)sz;
}

/*
 * libipt opens a section's file when it first reads it, and the cache keeps it mapped: one byte is
 * read of each, before this process gives up opening files.
 */
static void open_sections(struct job *j)
{
	struct pt_image_section_cache *cache = j->images->cache;
	char path[32];
	uint8_t byte;
	uint32_t i;

	for (i = 0; i < j->head.section_cnt; i++) {
		const struct itrace_section *s = &j->sections[i];

		snprintf(path, sizeof(path), "/proc/self/fd/%u", ITRACE_IMAGE_FD + s->image);
		/* Ids of libipt are lower: the kernel's sections come last. */
		j->isids[i] = s->image >= j->head.image_cnt ? -1
			      : is_poked(j, s)
				      ? (int)i + 1
				      : pt_iscache_add_file(cache, path, s->off, s->sz, s->vaddr);
		if (j->isids[i] < 0)
			continue;
		if (is_poked(j, s)) {
			job__map_code(j, i, j->isids[i]);
			continue;
		}
		if (pt_iscache_read(cache, &byte, 1, j->isids[i], s->vaddr) != 1)
			j->isids[i] = -1;
		else
			job__map_code(j, i, j->isids[i]);
	}
}

int images__open(struct job *j)
{
	j->images = calloc(1, sizeof(*j->images));
	if (!j->images)
		return -ENOMEM;
	j->images->cache = pt_iscache_alloc(NULL);
	j->images->images = calloc((size_t)j->head.space_cnt + 1, sizeof(*j->images->images));
	if (!j->images->cache || !j->images->images)
		return -ENOMEM;
	open_sections(j);
	pokes__begin(j);
	return 0;
}

static struct pt_image *make_image(struct job *j, uint32_t space)
{
	struct pt_image *image = pt_image_alloc(NULL);
	uint32_t i;

	if (!image)
		return NULL;
	for (i = 0; i < j->head.section_cnt; i++) {
		const struct itrace_section *s = &j->sections[i];

		if (j->isids[i] >= 0 && !is_poked(j, s) &&
		    (s->space == JOB_KERNEL || s->space == space))
			pt_image_add_cached(image, j->images->cache, j->isids[i], NULL);
	}
	if (j->head.poke_cnt)
		pt_image_set_callback(image, read_kernel, j);
	return image;
}

struct pt_image *images__get(struct job *j, uint32_t space)
{
	struct pt_image **image = &j->images->images[space];

	if (!*image)
		*image = make_image(j, space);
	return *image;
}
