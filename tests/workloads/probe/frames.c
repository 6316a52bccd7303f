// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * frames N: calls functions that put their arguments into their frames, and prints what it passes,
 * an object of JSON for each call: unions and structures by value of which the address is taken,
 * and variables that a nested function shares.
 */
#include <stdlib.h>

#include "say.h"

#define KEPT __attribute__((noinline, noclone))
#define PLAIN __attribute__((no_instrument_function))

union word {
	long l;
	double d;
	char c[8];
};

union block {
	long l[2];
	int i[4];
};

struct triple {
	int a, b, c;
};

struct mixed {
	union {
		int i;
		char c;
	};
	float f;
	double d;
};

struct padded {
	char c;
	long l;
};

/* The program's own, so that all functions but these are instrumented. */
PLAIN void __cyg_profile_func_enter(void *func, void *from)
{
	(void)func;
	(void)from;
}

PLAIN void __cyg_profile_func_exit(void *func, void *from)
{
	(void)func;
	(void)from;
}

KEPT PLAIN void touch(void *p)
{
	__asm__ volatile("" ::"r"(p) : "memory");
}

KEPT long unions(union word u, union block b, struct triple s, int n)
{
	touch(&b);
	touch(&s);
	return u.l + b.l[1] + s.b + n;
}

KEPT long members(struct mixed m, struct padded p, int n)
{
	touch(&p);
	return m.i + p.c + p.l + n;
}

KEPT long early(int n, struct triple s, long k)
{
	if (n == -1)
		return k;
	s.a += n;
	touch(&s);
	touch(&n);
	return s.a + k;
}

#ifndef __clang__
KEPT long outer(int a, long b, double d, short e)
{
	long sum = a * 100;

	KEPT long inner(int x, long y)
	{
		sum += x;
		return b + x + y + sum + (long)d;
	}
	long r = inner(a + 1, b + 2);

	touch(&r);
	a++;
	return r + a + e + inner(a, b);
}
#else
KEPT long outer(int a, long b, double d, short e)
{
	touch(&b);
	touch(&d);
	return a + b + e + (long)d;
}
#endif

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 3, i;

	for (i = 1; i <= n; i++) {
		union word u = { .l = 1000 + i };
		union block b = { .l = { 2000 + i, 3000 + i } };
		struct triple s = { i, 10 * i, 100 * i };
		struct mixed m = { .i = -i, .f = 0.5f, .d = 0.25 };
		struct padded p = { (char)(i & 63), 4000 + i };

		unions(u, b, s, i);
		say("unions");
		say_num("l", 1000 + i);
		say_num("low", 2000 + i);
		say_num("high", 3000 + i);
		say_num("a", i);
		say_num("b", 10 * i);
		say_num("c", 100 * i);
		say_num("n", i);
		say_end();
		members(m, p, i);
		say("members");
		say_num("i", -i);
		say_real("f", 0.5);
		say_real("d", 0.25);
		say_num("c", i & 63);
		say_num("l", 4000 + i);
		say_num("n", i);
		say_end();
		early(i, s, -i);
		say("early");
		say_num("n", i);
		say_num("a", i);
		say_num("c", 100 * i);
		say_num("k", -i);
		say_end();
		outer(i, 10 * i, i / 2.0, (short)-i);
		say("outer");
		say_num("a", i);
		say_num("b", 10 * i);
		say_real("d", i / 2.0);
		say_num("e", -i);
		say_end();
	}
	return 0;
}
