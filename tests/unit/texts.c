// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Texts that are kept once each. */
#include "tap.h"
#include "util/texts.h"

#define NAME_CNT 20011

static uint32_t add_name(struct texts *t, uint32_t i)
{
	char buf[32];
	int len = snprintf(buf, sizeof(buf), "name %u", i);

	return texts__add(t, buf, (size_t)len);
}

static void test_once(void)
{
	static char longer[100003];
	struct texts t = { 0 };
	uint32_t a = texts__add(&t, "alpha", 5), b, i, bad = 0;
	const char *text = texts__get(&t, a);
	char want[32];

	memset(longer, 'x', sizeof(longer));
	b = texts__add(&t, longer, sizeof(longer));
	is_u64(strlen(texts__get(&t, b)), sizeof(longer), "a text longer than a chunk");
	for (i = 0; i < NAME_CNT; i++)
		bad += add_name(&t, i) != i + 2;
	is_u64(bad, 0, "each new one has the next index");
	for (i = 0; i < NAME_CNT; i++) {
		snprintf(want, sizeof(want), "name %u", i);
		bad += add_name(&t, i) != i + 2 || strcmp(texts__get(&t, i + 2), want) != 0;
	}
	is_u64(bad, 0, "all texts are found again");
	is_u64(t.cnt, NAME_CNT + 2, "each text is kept once");
	ok(texts__get(&t, texts__add(&t, "alphabet", 5)) == text,
	   "an equal text has the equal pointer");
	is_u64(texts__add(&t, "alph", 4), NAME_CNT + 2, "the beginning of another is its own");
	is_u64(texts__add(&t, "alpha\0bet", 9), a, "a text ends with its first NUL");
	is_str(texts__get(&t, TEXTS_NONE), "", "the text of no index is empty");
	texts__free(&t);
	ok(!t.cnt && !t.text, "freed texts are empty");
	is_u64(texts__add(&t, "alpha", 5), 0, "freed texts can be used again");
	texts__free(&t);
}

static void test_escaped(void)
{
	struct texts t = { 0 };
	uint32_t plain = texts__add_escaped(&t, "plain", 5);

	is_u64(texts__add(&t, "plain", 5), plain, "what needs no escape is as it is");
	is_str(texts__get(&t, texts__add_escaped(&t, "a\nb\033[1m", 7)), "a\\nb\\x1b[1m",
	       "control characters are escaped");
	is_str(texts__get(&t, texts__add_escaped(&t,
						 "a\xc2\x9b"
						 "1m",
						 5)),
	       "a\\xc2\\x9b1m", "control characters of C1 are escaped");
	is_str(texts__get(&t, texts__add_escaped(&t, "\xc3\x9b", 2)), "\xc3\x9b",
	       "only real controls are escaped");
	is_u64(t.cnt, 4, "a set of four texts");
	is_u64(texts__add(&t, "", 0), 4, "the empty text is a text, too");
	texts__free(&t);
}

int main(void)
{
	test_once();
	test_escaped();
	return done_testing();
}
