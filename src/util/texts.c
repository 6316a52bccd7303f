// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "util/texts.h"

#include <stdlib.h>
#include <string.h>

#include "util/hash.h"
#include "util/strbuf.h"

#define CHUNK_SZ (32u << 10)

struct texts_chunk {
	struct texts_chunk *older;
	char bytes[];
};

static const char *copy(struct texts *t, const char *text, size_t len)
{
	struct texts_chunk *chunk;
	char *at;

	if (t->left < len + 1) {
		size_t sz = len + 1 > CHUNK_SZ ? len + 1 : CHUNK_SZ;

		chunk = malloc(sizeof(*chunk) + sz);
		if (!chunk)
			return NULL;
		chunk->older = t->chunk;
		t->chunk = chunk;
		t->left = sz;
		t->sz += sz;
		/* Filled from its end, so that `left` alone gives the position. */
	}
	t->left -= len + 1;
	at = t->chunk->bytes + t->left;
	memcpy(at, text, len);
	at[len] = '\0';
	return at;
}

static int reserve(struct texts *t)
{
	uint32_t cap = t->cap ? t->cap * 2 : 256;
	const char **bigger;

	if (t->cnt < t->cap)
		return 0;
	bigger = realloc(t->text, cap * sizeof(*bigger));
	if (!bigger)
		return -1;
	t->text = bigger;
	t->cap = cap;
	return 0;
}

/* *key: under which it is, or is to be. */
static uint32_t find(const struct texts *t, const char *text, size_t len, uint64_t *key)
{
	uint32_t idx;

	/* Texts with equal hashes are compared, and stored under consecutive keys. */
	*key = hash__table_bytes(HASH_INIT, text, len);
	while ((idx = u64map__get(&t->by_hash, *key)) != U64MAP_NONE) {
		if (!strncmp(t->text[idx], text, len) && !t->text[idx][len])
			return idx;
		++*key;
	}
	return TEXTS_NONE;
}

uint32_t texts__find(const struct texts *t, const char *text)
{
	uint64_t key;

	return find(t, text, strlen(text), &key);
}

uint32_t texts__add(struct texts *t, const char *text, size_t len)
{
	uint64_t key;
	uint32_t *slot, idx;

	len = strnlen(text, len);
	idx = find(t, text, len, &key);
	if (idx != TEXTS_NONE)
		return idx;
	if (t->finds_only || reserve(t))
		return TEXTS_NONE;
	slot = u64map__slot(&t->by_hash, key);
	if (!slot)
		return TEXTS_NONE;
	t->text[t->cnt] = copy(t, text, len);
	if (!t->text[t->cnt])
		return TEXTS_NONE;
	return *slot = t->cnt++;
}

uint32_t texts__add_escaped(struct texts *t, const char *text, size_t len)
{
	struct strbuf sb = STRBUF_INIT;
	uint32_t idx;

	len = strnlen(text, len);
	if (!strbuf__has_control(text, len))
		return texts__add(t, text, len);
	strbuf__put_escaped(&sb, text, len);
	idx = texts__add(t, strbuf__cstr(&sb), sb.len);
	strbuf__free(&sb);
	return idx;
}

void texts__free(struct texts *t)
{
	struct texts_chunk *chunk;

	while ((chunk = t->chunk)) {
		t->chunk = chunk->older;
		free(chunk);
	}
	free(t->text);
	u64map__free(&t->by_hash);
	*t = (struct texts){ 0 };
}
