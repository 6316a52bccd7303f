// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Functions whose arguments need a look at the procedure call standard of arm64. They are compiled,
 * not run: optimized code has each argument where the caller has put it.
 */
struct empty {
};
struct alignas(16) raised {
	long a;
};
struct inner {
	alignas(16) long a;
};
struct reals {
	double x, y;
};
struct points {
	float x, y, z, w;
};
struct triple {
	double x, y, z;
};
struct mixed {
	double d;
	long a;
};
struct small {
	float f;
	int i;
};
struct large {
	long a[5];
};
struct wide {
	__int128 a;
};
struct method {
	void run();
};
extern "C" {
long none(empty, long n)
{
	return n;
}
long even(long a, __int128 x, long n, long m)
{
	return a + (long)x + n + m;
}
long odd_left(long a, long b, long c, long d, long e, long f, long g, __int128 x, long n, int m)
{
	return g + (long)x + n + m;
}
long even_struct(long a, wide x, long n)
{
	return a + (long)x.a + n;
}
long raised_struct(long a, raised x, long n)
{
	return a + x.a + n;
}
long inner_struct(long a, inner x, long n)
{
	return a + x.a + n;
}
long floats(reals r, points p, triple t, long n, double d)
{
	return n + (long)d;
}
long full(triple t, triple u, triple v, float f, long n, double d)
{
	return n + (long)d + (long)f;
}
long in_ints(mixed x, small y, long n)
{
	return x.a + y.i + n;
}
long by_address(large x, long n)
{
	return x.a[0] + n;
}
long stack_address(long a, long b, long c, long d, long e, long f, long g, long h, large x, int i,
		   large y, long n)
{
	return x.a[0] + y.a[1] + i + n;
}
long few_left(long a, long b, long c, long d, long e, long f, long g, mixed x, long n)
{
	return g + n + x.a;
}
long quad(long double q, double d, long n)
{
	return (long)q + (long)d + n;
}
long call(void (method::*p)(), int method::*m, long n)
{
	return n;
}
long aligned_stack(long a, long b, long c, long d, long e, long f, long g, long h, long i, wide x,
		   long n, raised y, inner z, long o)
{
	return i + (long)x.a + n + y.a + z.a + o;
}
}
