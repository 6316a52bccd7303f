// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sym/mini_debug.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <lzma.h>

#define PACKED_MAX_SZ (16u << 20)
/* xz -9 needs 65 MiB to unpack; distributions use the default's 9 MiB. */
#define LZMA_MEM_MAX (80u << 20)

/* Unpacks a whole xz stream, or returns NULL. */
static char *unpack(const char *packed, size_t packed_sz, size_t *sz)
{
	lzma_stream s = LZMA_STREAM_INIT;
	size_t cap = packed_sz * 4 + 65536;
	char *buf = NULL, *bigger;
	lzma_ret ret;

	if (lzma_stream_decoder(&s, LZMA_MEM_MAX, 0) != LZMA_OK)
		return NULL;
	s.next_in = (const uint8_t *)packed;
	s.avail_in = packed_sz;
	*sz = 0;
	do {
		if (cap > MINI_DEBUG_MAX_SZ)
			cap = MINI_DEBUG_MAX_SZ;
		bigger = *sz < cap ? realloc(buf, cap) : NULL;
		ret = LZMA_MEM_ERROR;
		if (!bigger)
			break;
		buf = bigger;
		s.next_out = (uint8_t *)buf + *sz;
		s.avail_out = cap - *sz;
		ret = lzma_code(&s, LZMA_FINISH);
		*sz = cap - s.avail_out;
		cap *= 2;
	} while (ret == LZMA_OK);
	lzma_end(&s);
	if (ret == LZMA_STREAM_END && *sz)
		return buf;
	free(buf);
	return NULL;
}

/* Only the names stay in memory. */
static int keep_names(struct elf_syms *syms, const char *image, size_t sz)
{
	uint64_t off = syms->names[NAMES_MEMORY].off, names_sz = syms->names[NAMES_MEMORY].sz;
	char *mem;

	if (off > sz || names_sz > sz - off)
		names_sz = off < sz ? sz - off : 0;
	mem = malloc(names_sz + 1);
	if (!mem)
		return -ENOMEM;
	memcpy(mem, image + (names_sz ? off : 0), names_sz);
	syms->names[NAMES_MEMORY].mem = mem;
	syms->names[NAMES_MEMORY].off = 0;
	syms->names[NAMES_MEMORY].sz = names_sz;
	return 0;
}

int mini_debug__add(struct elf_syms *syms, const struct elf_file *file)
{
	const struct elf_section *sec = elf_file__section(file, ".gnu_debugdata");
	char *packed = elf_file__contents(file, sec, PACKED_MAX_SZ), *image = NULL;
	struct elf_image img = { .fd = -1 };
	struct elf_file mini;
	int err = 0;

	if (packed)
		image = unpack(packed, sec->sz, &img.sz);
	free(packed);
	if (!image)
		return 0;
	img.mem = image;
	if (!elf_file__open(&mini, &img)) {
		/* The reader of names lives until elf_syms__finish(), but the image does not. */
		err = elf_syms__add_debug(syms, &mini, NAMES_MEMORY);
		if (!err)
			err = keep_names(syms, image, img.sz);
		elf_syms__forget_reader(syms, NAMES_MEMORY);
		elf_file__close(&mini);
	}
	free(image);
	return err;
}
