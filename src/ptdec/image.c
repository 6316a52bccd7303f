// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "ptdec/image.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

struct images {
	struct pt_image_section_cache *cache;
	struct pt_image **images; /* of each space, made at its first use; the last: kernel alone */
};

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
		j->isids[i] = s->image < j->head.image_cnt
				      ? pt_iscache_add_file(cache, path, s->off, s->sz, s->vaddr)
				      : -1;
		if (j->isids[i] < 0)
			continue;
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
	return 0;
}

static struct pt_image *make_image(const struct job *j, uint32_t space)
{
	struct pt_image *image = pt_image_alloc(NULL);
	uint32_t i;

	if (!image)
		return NULL;
	for (i = 0; i < j->head.section_cnt; i++) {
		const struct itrace_section *s = &j->sections[i];

		if (j->isids[i] >= 0 && (s->space == UINT32_MAX || s->space == space))
			pt_image_add_cached(image, j->images->cache, j->isids[i], NULL);
	}
	return image;
}

struct pt_image *images__get(struct job *j, uint32_t space)
{
	struct pt_image **image = &j->images->images[space];

	if (!*image)
		*image = make_image(j, space);
	return *image;
}
