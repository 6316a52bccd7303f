// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sym/names.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"

void names__free(struct names *names)
{
	size_t i;

	for (i = 0; i < names->block_cnt; i++)
		free(names->blocks[i]);
	free(names->blocks);
	free(names->texts);
	u64map__free(&names->by_hash);
	*names = (struct names){ 0 };
}

/* FNV-1a; what hashes alike is compared. */
static uint64_t hash_text(const char *s, size_t len)
{
	uint64_t h = 0xcbf29ce484222325ULL;

	while (len--)
		h = (h ^ (uint8_t)*s++) * 0x100000001b3ULL;
	return h;
}

static char *reserve(struct names *names, size_t sz)
{
	size_t block_sz = sz > NAMES_BLOCK_SZ ? sz : NAMES_BLOCK_SZ, used;
	char *block;

	if (names->left < sz) {
		if (array__reserve((void **)&names->blocks, &names->block_cap, names->block_cnt + 1,
				   sizeof(*names->blocks)))
			return NULL;
		block = malloc(block_sz);
		if (!block)
			return NULL;
		names->blocks[names->block_cnt++] = block;
		names->left = block_sz;
	}
	/* A longer block is filled by its one text, so the last block's size is known. */
	used = (sz > NAMES_BLOCK_SZ ? sz : NAMES_BLOCK_SZ) - names->left;
	names->left -= sz;
	return names->blocks[names->block_cnt - 1] + used;
}

static int add(struct names *names, const char *text, size_t len)
{
	char *copy;

	if (array__reserve((void **)&names->texts, &names->cap, names->cnt + 1,
			   sizeof(*names->texts)))
		return -ENOMEM;
	copy = reserve(names, len + 1);
	if (!copy)
		return -ENOMEM;
	memcpy(copy, text, len);
	copy[len] = '\0';
	names->texts[names->cnt++] = copy;
	return 0;
}

uint32_t names__intern(struct names *names, const char *text, size_t len)
{
	uint64_t key = hash_text(text, len);
	const char *kept;
	uint32_t *slot;

	/* Two that share a hash stand under following keys. */
	for (;; key++) {
		slot = u64map__slot(&names->by_hash, key);
		if (!slot)
			return U64MAP_NONE;
		if (*slot == U64MAP_NONE)
			break;
		kept = names->texts[*slot];
		if (strlen(kept) == len && !memcmp(kept, text, len))
			return *slot;
	}
	if (add(names, text, len))
		return U64MAP_NONE;
	return *slot = names->cnt - 1;
}
