// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "kernel/btf_kept.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/btf_subset.h"
#include "util/answer_cache.h"
#include "util/fs.h"
#include "util/private_dir.h"

/* The directory may outlive the boot where /run is none of the system's: in a container. */
#define BOOT_ID "/proc/sys/kernel/random/boot_id"

static const char sound[] = "sound";

/* Returns the boot's name, which is read once; NULL: it has none. */
static const char *boot_id(void)
{
	static char id[64];
	char *text = id[0] ? NULL : fs__read_file(BOOT_ID, NULL);

	if (text)
		snprintf(id, sizeof(id), "%s", text);
	free(text);
	return id[0] ? id : NULL;
}

/* Puts the question for these names, of NULL: for the whole. false: this boot has no name. */
static bool put_question(const struct btf_names *names, struct strbuf *question)
{
	const char *boot = boot_id();
	size_t i;

	if (!boot)
		return false;
	strbuf__puts(question, boot);
	for (i = 0; names && i < names->cnt; i++) {
		strbuf__putc(question, names->at[i].is_root ? '+' : '-');
		strbuf__puts(question, names->at[i].text);
		strbuf__putc(question, '\n');
	}
	return !strbuf__has_failed();
}

/* Makes the key; *question must live as long, and is the caller's. */
static bool make_key(struct answer_cache_key *key, const struct btf_names *names,
		     struct strbuf *question)
{
	static const int no_files[ANSWER_CACHE_FILES] = { -1, -1, -1 };

	return put_question(names, question) &&
	       answer_cache__key(key, no_files, NULL, question->buf, question->len);
}

static bool get(const struct btf_names *names, struct strbuf *answer)
{
	struct strbuf question = STRBUF_INIT;
	struct answer_cache_key key;
	bool is_there =
		make_key(&key, names, &question) && answer_cache__get(&key, PRIVATE_DIR, answer);

	strbuf__free(&question);
	return is_there;
}

static void put(const struct btf_names *names, const struct strbuf *answer)
{
	struct strbuf question = STRBUF_INIT;
	struct answer_cache_key key;

	if (make_key(&key, names, &question))
		answer_cache__put(&key, PRIVATE_DIR, answer);
	strbuf__free(&question);
}

bool btf_kept__is_sound(void)
{
	struct strbuf answer = STRBUF_INIT;
	bool is_sound = get(NULL, &answer) && answer.len == sizeof(sound) &&
			!memcmp(answer.buf, sound, sizeof(sound));

	strbuf__free(&answer);
	return is_sound;
}

void btf_kept__note_sound(void)
{
	struct strbuf answer = STRBUF_INIT;

	strbuf__add(&answer, sound, sizeof(sound));
	put(NULL, &answer);
	strbuf__free(&answer);
}

bool btf_kept__get(struct btf_names *names, struct strbuf *part)
{
	struct strbuf answer = STRBUF_INIT;
	uint32_t id;
	size_t i;
	bool is_there = get(names, &answer) && answer.len > names->cnt * sizeof(id);

	for (i = 0; is_there && i < names->cnt; i++)
		memcpy(&names->at[i].named_id, answer.buf + i * sizeof(id), sizeof(id));
	if (is_there)
		strbuf__add(part, answer.buf + i * sizeof(id), answer.len - i * sizeof(id));
	strbuf__free(&answer);
	return is_there;
}

void btf_kept__put(const struct btf_names *names, const struct strbuf *part)
{
	struct strbuf answer = STRBUF_INIT;
	size_t i;

	for (i = 0; i < names->cnt; i++)
		strbuf__add(&answer, &names->at[i].named_id, sizeof(names->at[i].named_id));
	strbuf__add(&answer, part->buf, part->len);
	put(names, &answer);
	strbuf__free(&answer);
}
