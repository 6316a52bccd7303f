// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * passed N: calls functions whose arguments need a look at the calling convention, N times each,
 * and prints what it passes, an object of JSON for each call. The test compiles it with several
 * options.
 */
#include <cstdlib>
#include <string>
#include <type_traits>

#include "say.h"

#define KEPT extern "C" __attribute__((noinline, used))
#define USED() __asm__ volatile("" ::: "memory")

struct empty {
};

struct alignas(16) half {
	long a;
};

struct alignas(32) quarter {
	long a;
};

struct inner_aligned {
	alignas(16) long a;
};

struct late {
	empty none[8];
	long a;
};

struct long_real {
	long double d;
};

union real_or_int {
	long double d;
	int i;
};

struct named {
	std::string name;
	long id;
};

struct both {
	double d;
	long a;
};

struct bits {
	int first : 5;
	long rest : 40;
};

struct object {
	long a;
	void method()
	{
	}
};

typedef float four_floats __attribute__((vector_size(16)));

struct vector {
	four_floats v;
};

KEPT long tagged(std::true_type, long n)
{
	USED();
	return n;
}

KEPT long tags(empty, long a, empty, long b, long c, long d, long e, empty, long f, empty, long g)
{
	USED();
	return a + b + c + d + e + f + g;
}

KEPT long padded(half x, late y, long n)
{
	USED();
	return x.a + y.a + n;
}

KEPT long real(long_real x, long n)
{
	USED();
	return (long)x.d + n;
}

KEPT long_real make_real(long n)
{
	USED();
	return long_real{ (long double)n };
}

KEPT long double make_number(long n)
{
	USED();
	return (long double)n + 0.5l;
}

KEPT real_or_int make_either(long n)
{
	real_or_int r;

	r.i = (int)n;
	USED();
	return r;
}

KEPT long quad(__float128 q, double d, long n)
{
	USED();
	return (long)q + (long)d + n;
}

KEPT long eight(double a, double b, double c, double d, double e, double f, double g, double h,
		__float128 q, double i, long n, long o, long p, long r, long s, long t, long u)
{
	USED();
	return (long)(a + b + c + d + e + f + g + h + i) + (long)q + n + o + p + r + s + t + u;
}

KEPT long by_address(long a, long b, long c, long d, long e, named x, named y, long n)
{
	USED();
	return a + b + c + d + e + x.id + y.id + n;
}

KEPT long last_register(long a, long b, long c, long d, long e, __int128 x, long n, long m)
{
	USED();
	return a + b + c + d + e + (long)x + n + m;
}

KEPT long wide_stack(long a, long b, long c, long d, long e, long f, long g, __int128 x, long n)
{
	USED();
	return a + b + c + d + e + f + g + (long)x + n;
}

KEPT long real_stack(long a, long b, long c, long d, long e, long f, long g, long double x, long n)
{
	USED();
	return a + b + c + d + e + f + g + (long)x + n;
}

KEPT long aligned_stack(long a, long b, long c, long d, long e, long f, long g, half x, long n,
			quarter y, long m, inner_aligned z, long o)
{
	USED();
	return a + b + c + d + e + f + g + x.a + n + y.a + m + z.a + o;
}

KEPT long kinds(both x, bits y, long n)
{
	USED();
	return (long)x.d + x.a + y.first + y.rest + n;
}

KEPT long methods(void (object::*call)(), long object::*member, long n)
{
	USED();
	return n;
}

KEPT long vectors(vector x, double d, long n)
{
	USED();
	return (long)x.v[0] + (long)d + n;
}

KEPT long odd(_Complex double z, long n)
{
	USED();
	return (long)__real__ z + n;
}

static void say_with(const char *name, long n, long result)
{
	say(name);
	say_num("n", n);
	say_num("ret", result);
}

static void call_large(long i)
{
	const named x = { "the first one " + std::to_string(i), i + 6 };
	const named y = { "y" + std::to_string(i), i + 7 };

	say_with("by_address", -i, by_address(1, 2, 3, 4, i, x, y, -i));
	say_num("e", i);
	say_text("name", x.name.c_str());
	say_num("id", i + 7);
	say_end();
	say_with("last_register", i, last_register(1, 2, 3, 4, i + 5, i + 1000, i, i * 3));
	say_num("e", i + 5);
	say_num("m", i * 3);
	say_end();
	say_with("wide_stack", i, wide_stack(1, 2, 3, 4, 5, 6, i + 7, i + 1000, i));
	say_num("g", i + 7);
	say_end();
	say_with("real_stack", i, real_stack(1, 2, 3, 4, 5, 6, i + 7, i + 0.5l, i));
	say_num("g", i + 7);
	say_end();
	say_with("aligned_stack", i,
		 aligned_stack(1, 2, 3, 4, 5, 6, i + 7, half{ i + 8 }, i, quarter{ i + 9 }, i + 10,
			       inner_aligned{ i + 11 }, i + 12));
	say_num("g", i + 7);
	say_num("x_a", i + 8);
	say_num("y_a", i + 9);
	say_num("m", i + 10);
	say_num("z_a", i + 11);
	say_num("o", i + 12);
	say_end();
}

static void call_results(long i)
{
	say("make_real");
	make_real(i);
	say_num("n", i);
	say_end();
	say("make_number");
	make_number(i);
	say_num("n", i);
	say_end();
	say("make_either");
	say_num("i", make_either(i).i);
	say_num("n", i);
	say_end();
}

int main(int argc, char **argv)
{
	const long cnt = argc > 1 ? atol(argv[1]) : 3;

	for (long i = 1; i <= cnt; i++) {
		say_with("tagged", i, tagged({}, i));
		say_end();
		say("tags");
		say_num("ret", tags({}, i, {}, i + 1, i + 2, i + 3, i + 4, {}, i + 5, {}, i + 6));
		say_num("a", i);
		say_num("b", i + 1);
		say_num("e", i + 4);
		say_num("f", i + 5);
		say_num("g", i + 6);
		say_end();
		say_with("padded", i + 2, padded(half{ i }, late{ {}, i + 1 }, i + 2));
		say_num("x_a", i);
		say_num("y_a", i + 1);
		say_end();
		say_with("real", i, real(long_real{ i + 0.25l }, i));
		say_end();
		say_with("quad", i, quad(i, 2, i));
		say_end();
		say_with("eight", i, eight(1, 2, 3, 4, 5, 6, 7, 8, i, 9, i, 1, 2, 3, 4, 5, i * 7));
		say_num("u", i * 7);
		say_end();
		say_with("kinds", i, kinds(both{ 0.5, i + 1 }, bits{ -3, i * 5 }, i));
		say_real("d", 0.5);
		say_num("a", i + 1);
		say_num("first", -3);
		say_num("rest", i * 5);
		say_end();
		say_with("methods", i, methods(&object::method, &object::a, i));
		say_end();
		say_with("vectors", i, vectors(vector{ { 1, 2, 3, 4 } }, 2, i));
		say_end();
		say_with("odd", i, odd(i, i));
		say_end();
		call_large(i);
		call_results(i);
	}
	return 0;
}
