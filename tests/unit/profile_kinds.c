// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* A profile of some kinds of functions: what is left, what is summed up, and when it was. */
#include "profile/profile_kinds.h"

#include "profile/profile.h"
#include "profile/profile_read.h"
#include "tap.h"

static void keep(struct profile *p, const char *list)
{
	uint32_t kinds = 0;

	is_s64(profile_kinds__set(&kinds, list), 0, "%s: a list of kinds", list);
	is_s64(profile_kinds__keep(p, kinds), 0, "%s: kept", list);
}

static const char *name_at(struct profile *p, size_t stack, size_t frame)
{
	uint16_t cnt;

	return profile__text(
		p, p->funcs[*profile__funcs(p, p->frames[p->stacks[stack].at + frame], &cnt)].name);
}

#define FUNCTION(name, kind)                                                                       \
	"{\"function\":\"" name "\",\"module\":\"x\",\"kernel\":false,\"kind\":\"" kind "\"}\n"
#define STACK(names, samples)                                                                      \
	"{\"group\":[\"a\"],\"event\":0,\"stack\":[" names "],\"kernel\":0,\"samples\":" samples   \
	",\"weight\":" samples "}\n"

/* Three stacks, two of which differ by functions of C only. */
static void read_three(struct profile *p)
{
	static const char text[] =
		"{\"profile\":1,\"events\":[{\"name\":\"cycles\",\"unit\":\"count\"}]}\n" FUNCTION(
			"f", "python") FUNCTION("i", "inlined") FUNCTION("j", "jit")
			STACK("\"m\",\"f\"", "11") STACK("\"n\",\"i\",\"f\"", "13")
				STACK("\"f\",\"j\",\"[sleeping]\"", "17");
	size_t bad;

	profile__init(p, NULL, PROFILE_BY_COMM);
	is_s64(profile_read__json(p, text, sizeof(text) - 1, PROFILE_PART_BOTH, &bad), 0,
	       "three stacks are read");
}

static void test_joined(void)
{
	struct profile p;

	read_three(&p);
	keep(&p, "python");
	is_u64(p.stack_cnt, 2, "stacks that became equal are one");
	is_u64(p.stacks[0].samples, 24, "joined: the samples of both");
	is_u64(p.stacks[0].weight, 24, "joined: the weight of both");
	is_u64(profile_stack__depth(&p.stacks[0]), 1, "other kinds are out");
	is_str(name_at(&p, 0, 0), "f", "a function of the kind is left");
	is_str(name_at(&p, 1, 0), "[sleeping]", "a mark stays");
	is_u64(p.func_cnt, 2, "functions of other kinds are not listed");
	is_u64(p.loc_cnt, 2, "neither are their locations");
	is_u64(profile__samples(&p), 41, "all samples are left");
	profile__free(&p);
}

static void test_inlined(void)
{
	struct profile p;

	read_three(&p);
	keep(&p, "inlined,jit");
	is_u64(p.stack_cnt, 3, "a stack without a function is a stack");
	is_u64(profile_stack__depth(&p.stacks[0]), 0, "inlined: functions of other kinds are out");
	is_str(name_at(&p, 1, 0), "i", "an inlined function is of a kind of its own");
	is_str(name_at(&p, 2, 1), "j", "two kinds are kept");
	profile__free(&p);

	read_three(&p);
	keep(&p, "native");
	is_str(name_at(&p, 1, 0), "n", "native: without the inlined function");
	profile__free(&p);
}

/* Below thread a: m with f, n with f, in a slice of each; f is inlined. Numbers as util/vlq.h. */
static void test_page(void)
{
	static const char text[] =
		"<script id=\"profile\" type=\"application/json\">{\"profile\":1,\"events\":[{"
		"\"name\":\"c\"}],\"functions\":[\"a\",\"m\",\"f\",\"n\"],\"modules\":[\"x\"],"
		"\"inlined\":[2,99],\"function_of\":\"CDDD\",\"nodes\":\"AAABACCDAC\",\"each\":[1],"
		"\"values\":[\"DFCH\"],\"times\":{\"shift\":20,\"first\":7,\"slices\":5,"
		"\"values\":[\"DBBFCBBH\"]}}</script>";
	struct profile p;
	size_t bad;

	profile__init(&p, NULL, PROFILE_BY_COMM);
	p.times.wanted = true;
	is_s64(profile_read__page(&p, text, sizeof(text) - 1, PROFILE_PART_BOTH, &bad), 0,
	       "page: read with its kinds");
	is_u64(p.stack_cnt, 2, "page: two stacks");
	keep(&p, "inlined");
	is_u64(p.stack_cnt, 1, "page: one stack of what was inlined");
	is_str(name_at(&p, 0, 0), "f", "page: what was inlined");
	is_u64(p.times.cnt, 1, "page: its time is one");
	is_u64(p.times.values[0].samples, p.stacks[0].samples, "page: with the samples of both");
	profile__free(&p);
}

int main(void)
{
	test_joined();
	test_inlined();
	test_page();
	return done_testing();
}
