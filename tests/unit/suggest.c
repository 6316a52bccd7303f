// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "util/suggest.h"

#include <limits.h>

#include "tap.h"

static const struct {
	const char *wanted, *name;
	unsigned int distance;
} distances[] = {
	{ "", "", 0 },
	{ "", "abc", 3 },
	{ "abc", "", 3 },
	{ "abc", "abc", 0 },
	{ "abc", "ABC", 0 },
	{ "abc", "abd", 1 },
	{ "abc", "ab", 1 },
	{ "abc", "abcd", 1 },
	{ "abc", "acb", 1 },
	{ "abcd", "badc", 2 },
	{ "kitten", "sitting", 3 },
	{ "ca", "abc", 3 },
	{ "cycels", "cycles", 1 },
	{ "shed", "sched", 1 },
	{ "sched:sched_swich", "sched:sched_switch", 1 },
	{ "*", "anything", 0 },
	{ "*", "", 0 },
	{ "**", "x", 0 },
	{ "a*", "abc", 0 },
	{ "*c", "abc", 0 },
	{ "a*c", "abbbc", 0 },
	{ "a*d", "abbbc", 1 },
	{ "*swich*", "sched_switch_x", 1 },
	{ "a?c", "abc", 0 },
	{ "a?c", "ac", 1 },
	{ "a[xyz]c", "abc", 0 },
	{ "a[c", "a[c", 0 },
	{ "shed:*", "sched:sched_switch", 1 },
};

/* The nearest of the names, as the sentence says it; "" for none. */
static void is_nearest(const char *wanted, const char *const *names, const char *want)
{
	struct strbuf sb = STRBUF_INIT;
	struct suggest sg;

	suggest__init(&sg, wanted);
	for (; *names; names++)
		suggest__offer(&sg, *names);
	suggest__put(&sg, &sb);
	is_str(strbuf__cstr(&sb), want, "nearest to '%s'", wanted);
	strbuf__free(&sb);
	suggest__free(&sg);
}

int main(void)
{
	static const char *const events[] = { "cycles",
					      "cpu-cycles",
					      "instructions",
					      "sched:sched_switch",
					      "sched:sched_wakeup",
					      "sched:sched_waking",
					      "cpu-clock",
					      "cpu-clock",
					      "dTLB-loads",
					      "iTLB-loads",
					      NULL };
	char longest[400];
	size_t i;

	for (i = 0; i < sizeof(distances) / sizeof(distances[0]); i++)
		is_u64(suggest__distance(distances[i].wanted, distances[i].name),
		       distances[i].distance, "'%s' to '%s'", distances[i].wanted,
		       distances[i].name);

	memset(longest, 'x', sizeof(longest));
	longest[255] = '\0';
	is_u64(suggest__distance(longest, "x"), 254, "255 bytes are compared");
	longest[255] = 'x';
	longest[256] = '\0';
	is_u64(suggest__distance(longest, "x"), UINT_MAX, "256 are too many");
	is_u64(suggest__distance("x", longest), UINT_MAX, "on either side");

	is_nearest("cycels", events, "did you mean cycles?");
	is_nearest("CYCLES", events, "did you mean cycles?");
	is_nearest("instrucions", events, "did you mean instructions?");
	is_nearest("sched:sched_swich", events, "did you mean sched:sched_switch?");
	is_nearest("sched_switch", events, "did you mean sched:sched_switch?");
	is_nearest("swich", events, "did you mean sched:sched_switch?");
	is_nearest("cpu_clock", events, "did you mean cpu-clock?");
	is_nearest("tlb-loads", events, "did you mean dTLB-loads or iTLB-loads?");
	is_nearest("sched:sched_wakin", events, "did you mean sched:sched_waking?");
	is_nearest("nothing-like-that", events, "");
	is_nearest("", events, "");
	is_nearest(longest, events, "");
	return done_testing();
}
