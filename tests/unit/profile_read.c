// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Profiles read from files: right ones, wrong ones, and random ones. */
#include "profile/profile_read.h"

#include <errno.h>

#include "profile/profile.h"
#include "tap.h"
#include "util/json_read.h"

typedef int (*read_fn)(struct profile *p, const char *text, size_t len, enum profile_part part,
		       size_t *bad_line);

static int read_text(read_fn fn, const char *text, size_t len, struct profile *p, size_t *bad_line)
{
	profile__init(p, NULL, PROFILE_BY_COMM);
	return fn(p, text, len, PROFILE_PART_BOTH, bad_line);
}

static void is_read(read_fn fn, const char *text, uint64_t samples, size_t stacks, const char *name)
{
	struct profile p;
	size_t bad;

	is_s64(read_text(fn, text, strlen(text), &p, &bad), 0, "%s: accepted", name);
	is_u64(profile__samples(&p), samples, "%s: samples", name);
	is_u64(p.stack_cnt, stacks, "%s: stacks", name);
	profile__free(&p);
}

static void is_refused(read_fn fn, const char *text, size_t line, const char *name)
{
	struct profile p;
	size_t bad;

	is_s64(read_text(fn, text, strlen(text), &p, &bad), -EINVAL, "%s: refused", name);
	is_u64(bad, line, "%s: the line", name);
	profile__free(&p);
}

static void test_folded(void)
{
	struct profile p;
	uint16_t cnt;
	size_t bad;
	static const char kern[] = "sh;main;read;vfs_read_[k] 7\r\n";

	is_read(profile_read__folded, "a;b;c 3\na;b;c 4\na 6\n", 13, 2, "folded");
	is_read(profile_read__folded, "# comment\n\na;b 3.75\na;b c 4", 7, 2, "folded by others");
	is_read(profile_read__folded, "a;b 0\n", 0, 0, "counts of nothing");
	is_refused(profile_read__folded, "a;b 3\nno count\n", 2, "a line without a count");
	is_refused(profile_read__folded, "a;b 99999999999999999999\n", 1, "a count beyond 64 bits");
	is_refused(profile_read__folded,
		   "a;w;x 3\nw;x 5\n[recording];view=a;event=a;view=b;event=b 0\n", 2,
		   "a stack of none of the events");
	is_refused(profile_read__folded, "12\n", 1, "a count alone");

	is_s64(read_text(profile_read__folded, kern, strlen(kern), &p, &bad), 0,
	       "the kernel's mark of folded stacks is read");
	is_str(profile__text(&p, p.funcs[profile__funcs(&p, p.frames[0], &cnt)[0]].name),
	       "vfs_read", "the kernel's mark is no part of the name");
	ok(p.funcs[profile__funcs(&p, p.frames[0], &cnt)[0]].kern, "the kernel's mark is kept");
	profile__free(&p);
}

#define HEAD "{\"profile\":1,\"events\":[{\"name\":\"cycles\",\"unit\":\"count\"}]}\n"

static void test_json(void)
{
	is_read(profile_read__json,
		HEAD "{\"function\":\"f\",\"module\":\"/bin/x\",\"kernel\":false}\n"
		     "{\"group\":[\"a\"],\"event\":0,\"stack\":[\"m\",\"f\"],\"kernel\":0,"
		     "\"samples\":11,\"weight\":13,\"later\":[{\"x\":null}]}\n",
		11, 1, "json");
	is_refused(profile_read__json, "{}\n", 1, "an object");
	is_refused(profile_read__json, "{\"profile\":2}\n", 1, "a version to come");
	is_refused(profile_read__json, HEAD "{\"group\":[\"a\"],\"event\":1,\"stack\":[]}\n", 2,
		   "an event that is not there");
	is_refused(profile_read__json, HEAD "{\"group\":[\"a\"],\"stack\":[\"x\"],\"kernel\":2}\n",
		   2, "more kernel functions than functions");
	is_refused(profile_read__json, HEAD "{\"group\":[],\"event\":0}\n", 2, "no group");
	is_refused(profile_read__json, HEAD "{\"group\":[\"a\"", 2, "a torn line");
	is_refused(profile_read__json, "{\"time\":1,\"cpu\":0,\"event\":\"sched:sched_switch\"}\n",
		   1, "what trace writes");
}

/* Throttling is read back from a saved profile. */
static void test_json_throttled(void)
{
	static const char text[] =
		"{\"profile\":1,\"events\":[],\"throttled\":7,\"throttled_ns\":1000003}\n";
	struct profile p;
	size_t bad;

	is_s64(read_text(profile_read__json, text, strlen(text), &p, &bad), 0,
	       "a throttled profile is read");
	is_u64(p.meta.throttled, 7, "a throttled profile: how often");
	is_u64(p.meta.throttled_ns, 1000003, "a throttled profile: how long");
	profile__free(&p);
}

static void test_json_values(void)
{
	static const char text[] =
		" { \"k\" : \"\\u0041\\u00e9\\ud83d\\ude00\\n\\\"\" , \"n\":18446744073"
		"709551615,\"x\":[[],{\"y\":[1.5e3,-2,true,null]}],\"b\":false}";
	struct json_read j = json_read__of(text, strlen(text));
	struct strbuf sb = STRBUF_INIT;
	bool b = true;
	uint64_t n = 0;

	ok(json_read__enter(&j, '{') && json_read__next(&j) && json_read__key(&j, &sb),
	   "JSON: a member is read");
	ok(json_read__str(&j, &sb), "JSON: a string is read");
	is_str(strbuf__cstr(&sb), "A\xc3\xa9\xf0\x9f\x98\x80\n\"", "JSON: a string with escapes");
	ok(json_read__next(&j) && json_read__key(&j, &sb) && json_read__u64(&j, &n),
	   "JSON: a number is read");
	is_u64(n, UINT64_MAX, "JSON: the largest number");
	ok(json_read__next(&j) && json_read__key(&j, &sb) && json_read__skip(&j),
	   "JSON: a value is skipped");
	ok(json_read__next(&j) && json_read__key(&j, &sb) && json_read__bool(&j, &b) && !b,
	   "JSON: a bool is read");
	ok(!json_read__next(&j) && !j.bad && !json_read__peek(&j), "JSON: the end is found");
	strbuf__free(&sb);
}

static bool json_is_bad(const char *text)
{
	struct json_read j = json_read__of(text, strlen(text));

	return !json_read__skip(&j) || json_read__peek(&j);
}

static void test_json_mistakes(void)
{
	static const char *const bad[] = {
		"",        "{",           "[1,]",        "[,1]", "{\"a\"}", "{\"a\":}", "[1 2]",
		"\"\\x\"", "\"\\ud800\"", "\"\\udc00\"", "\"a",  "tru",     "]",        "\"\n\""
	};
	char deep[200];
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		ok(json_is_bad(bad[i]), "no JSON: %s", bad[i]);
	memset(deep, '[', 100);
	memset(deep + 100, ']', 99);
	deep[199] = '\0';
	ok(json_is_bad(deep), "no JSON: nested too deep");
}

/* Thread a, below it f, which calls itself and a; numbers in the letters of util/vlq.h. */
#define PAGE(nodes, values, times)                                                                 \
	"<script id=\"profile\" type=\"application/json\">{\"profile\":1,\"events\":[{\"name\":"   \
	"\"c\"},{\"name\":\"d\"}],\"functions\":[\"f\",\"a\"],\"modules\":[\"m\"],"                \
	"\"function_of\":\"EC\",\"nodes\":\"" nodes "\",\"each\":[1,0],\"values\":[" values        \
	"],\"times\":{\"shift\":20,\"first\":7,\"slices\":5,\"values\":[" times "]}}</script>"
#define NODES "ABAAAABB"
#define VALUES "\"BCCDBE\",\"DCH\""
#define TIMES "\"BCBBDBCBCD\",\"DBECH\""

static void test_page(void)
{
	static const char text[] = PAGE(NODES, VALUES, TIMES);
	struct profile p;
	size_t bad;

	is_read(profile_read__page, PAGE(NODES, VALUES, TIMES), 11, 4, "page");
	profile__init(&p, NULL, PROFILE_BY_COMM);
	p.times.wanted = true;
	is_s64(profile_read__page(&p, text, strlen(text), PROFILE_PART_BOTH, &bad), 0,
	       "page: read with its times");
	is_u64(p.times.cnt, 4, "page: a value for each slice of each stack");
	is_u64(p.times.first, 7, "page: the first slice");
	is_u64(p.times.last, 10, "page: the last slice");
	is_u64(p.times.values[3].weight, 7, "page: a weight that is no multiple of its samples");
	is_u64(p.events[1].weight, 7, "page: the weight of an event");
	profile__free(&p);
	is_refused(profile_read__page, PAGE("ABAAAAEA", VALUES, TIMES), 0,
		   "page: a node above the whole");
	is_refused(profile_read__page, PAGE("ABAAAABC", VALUES, TIMES), 0,
		   "page: a function that is not there");
	is_refused(profile_read__page, PAGE(NODES, "\"BCCDEE\",\"DCH\"", TIMES), 0,
		   "page: a value of a node that is not there");
	is_refused(profile_read__page, PAGE(NODES, VALUES, "\"BCBBGBCBCD\",\"DBECH\""), 0,
		   "page: a slice beyond the last");
	is_refused(profile_read__page, PAGE(NODES, VALUES, "\"BCBBDBCBCD\""), 0,
		   "page: an event without times");
}

static uint32_t random_state = 4711;

static uint32_t next_random(void)
{
	random_state = random_state * 1664525 + 1013904223;
	return random_state >> 8;
}

/* Each try changes a few bytes of a good file; whatever comes of it, nothing breaks. */
static void test_mutations(read_fn fn, const char *good, const char *name)
{
	size_t len = strlen(good), i, k, bad, accepted = 0;
	static const char alphabet[] = "0123456789{}[]\",:;\\<> \nabcu_k";
	char *text = malloc(len + 1);
	struct profile p;

	for (i = 0; i < 20000; i++) {
		memcpy(text, good, len + 1);
		for (k = next_random() % 4 + 1; k; k--)
			text[next_random() % len] =
				next_random() % 8 ? alphabet[next_random() % (sizeof(alphabet) - 1)]
						  : (char)next_random();
		accepted += !read_text(fn, text, len - next_random() % 3, &p, &bad);
		profile__free(&p);
	}
	ok(accepted > 0 && accepted < i, "%s: %zu of %zu mutations accepted", name, accepted, i);
	free(text);
}

int main(void)
{
	test_folded();
	test_json();
	test_json_throttled();
	test_json_values();
	test_json_mistakes();
	test_mutations(profile_read__folded,
		       "a;b;c_[k] 3\nb;[truncated];x;[off-cpu] 14\n"
		       "[recording];view=a;event=a;unit=ns;view=b;event=x;unit=ns 0\n",
		       "folded of several events");
	test_mutations(profile_read__folded,
		       "a;b;c_[k] 3\na;[truncated];x 14\n[recording];hz=9 0\n", "folded");
	test_mutations(profile_read__json,
		       HEAD
		       "{\"function\":\"f\",\"module\":\"/bin/x\",\"kernel\":true}\n"
		       "{\"function\":\"m\",\"module\":\"x\",\"kernel\":false,\"kind\":\"jit\"}\n"
		       "{\"group\":[\"a\",\"b\"],\"event\":0,\"stack\":[\"m\",\"f\"],\"kernel\":1,"
		       "\"samples\":11,\"weight\":13,\"truncated\":true}\n",
		       "json");
	test_page();
	test_mutations(profile_read__page, PAGE(NODES, VALUES, TIMES), "page");
	return done_testing();
}
