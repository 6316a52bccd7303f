// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * args N: calls functions with arguments of many types, N times each, and prints what it passes, an
 * object of JSON for each call. The test compiles it with several options.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "say.h"

#define KEPT __attribute__((noinline, noclone))
#define USED() __asm__ volatile("" ::: "memory")

enum state { STATE_IDLE, STATE_BUSY = 7, STATE_LOST = -2 };

struct request {
	const char *url;
	unsigned int flags : 3, level : 9;
	int weight : 6;
	enum state state;
	double ratio;
	int parts[4];
	struct request *next;
};

struct pair {
	int x;
	long y;
};

struct wide {
	long a, b, c;
};

KEPT long integers(char c, short s, unsigned int u, long l, bool b, unsigned long long q)
{
	USED();
	return c + s + u + l + b + (long)q;
}

KEPT int pointers(const struct request *req, const char *name, char *buf,
		  const struct request **list)
{
	USED();
	return req->flags + (name ? name[0] : 0) + buf[0] + list[0]->level;
}

KEPT double floats(double d, float f, int n)
{
	USED();
	return d + f + n;
}

KEPT long by_value(struct pair p, struct wide w, enum state state, int last)
{
	USED();
	return p.x + p.y + w.a + w.c + state + last;
}

KEPT int many(int a, int b, int c, int d, int e, int f, int g, long h)
{
	USED();
	return a + b + c + d + e + f + g + (int)h;
}

static inline __attribute__((always_inline)) int inlined(int first, int second)
{
	USED();
	return first * 3 + second;
}

KEPT int caller_one(int i)
{
	int r = inlined(i, i + 1);

	USED();
	return r + 1;
}

KEPT int caller_two(int i)
{
	int r = inlined(i * 2, 5);

	USED();
	return r - 1;
}

KEPT int factorial(int n)
{
	int r = n < 2 ? 1 : n * factorial(n - 1);

	USED();
	return r;
}

int main(int argc, char **argv)
{
	static const enum state states[] = { STATE_IDLE, STATE_BUSY, STATE_LOST };
	int n = argc > 1 ? atoi(argv[1]) : 3, i;
	char buf[32], url[64];

	for (i = 0; i < n; i++) {
		struct request next = { .url = "/next", .level = 300 };
		struct request req = {
			url,           (unsigned)i & 7, (unsigned)i & 511, i % 32 - 16,
			states[i % 3], i / 4.0,         { i, -i, 3, 4 },   &next
		};
		const struct request *list[] = { &req, &next };
		struct pair p = { -i, 1l << i % 60 };
		struct wide w = { i, i + 1, -i };
		long r;

		snprintf(url, sizeof(url), "/page/%d", i);
		snprintf(buf, sizeof(buf), "buffer %d", i * 7);
		r = integers((char)(i % 100 - 50), (short)-i, 4000000000u + (unsigned)i,
			     -5000000000l - i, i & 1, 18000000000000000000ull);
		say("integers");
		say_num("c", i % 100 - 50);
		say_num("s", -i);
		say_size("u", 4000000000u + (unsigned)i);
		say_num("l", -5000000000l - i);
		say_flag("b", i & 1);
		say_size("q", 18000000000000000000ull);
		say_num("ret", r);
		say_end();
		r = pointers(&req, i % 5 ? url + 1 : NULL, buf, list);
		say("pointers");
		say_text("url", url);
		say_num("flags", i & 7);
		say_num("level", i & 511);
		say_num("weight", i % 32 - 16);
		say_num("state", states[i % 3]);
		say_real("ratio", i / 4.0);
		say_num("parts", -i);
		say_text("next", "/next");
		say_text("name", i % 5 ? url + 1 : "(null)");
		say_text("buf", buf);
		say_num("third", 300);
		say_num("ret", r);
		say_end();
		floats(i / 8.0, (float)i * 0.5f, i);
		say("floats");
		say_real("d", i / 8.0);
		say_real("f", i * 0.5);
		say_num("n", i);
		say_end();
		r = by_value(p, w, states[i % 3], i);
		say("by_value");
		say_num("x", p.x);
		say_num("y", p.y);
		say_num("b", i + 1);
		say_num("c", -i);
		say_num("state", states[i % 3]);
		say_num("last", i);
		say_num("ret", r);
		say_end();
		r = many(i, i + 1, i + 2, i + 3, i + 4, i + 5, i + 6, -i);
		say("many");
		say_num("a", i);
		say_num("f", i + 5);
		say_num("g", i + 6);
		say_num("h", -i);
		say_num("ret", r);
		say_end();
		caller_one(i);
		caller_two(i);
	}
	factorial(5);
	return 0;
}
