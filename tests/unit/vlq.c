// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "util/vlq.h"

#include "tap.h"

static bool reads(const char *text, uint64_t *v)
{
	const char *at = text;

	return vlq__read(&at, text + strlen(text), v) && !*at;
}

int main(void)
{
	static const struct {
		uint64_t v;
		const char *text;
	} rows[] = {
		{ 0, "A" },     { 31, "f" },     { 32, "gB" },
		{ 1023, "/f" }, { 1024, "ggB" }, { UINT64_MAX, "////////////P" },
	};
	struct strbuf sb = STRBUF_INIT;
	uint64_t v;
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		strbuf__reset(&sb);
		vlq__put(&sb, rows[i].v);
		is_str(strbuf__cstr(&sb), rows[i].text, "%llu as letters",
		       (unsigned long long)rows[i].v);
		ok(reads(rows[i].text, &v) && v == rows[i].v, "%s is read again", rows[i].text);
	}
	ok(!reads("", &v), "no letters are no number");
	ok(!reads("g", &v), "a number lacks its end");
	ok(!reads("-", &v), "a letter of another alphabet");
	ok(!reads("////////////Q", &v), "a number beyond 64 bits");
	ok(!reads("gggggggggggggA", &v), "more letters than a number has");
	strbuf__free(&sb);
	return done_testing();
}
