// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * unwind_cxx MODE [SEC]: burns SEC seconds (decimal, 1) of CPU time in C++ without frame pointers.
 *
 *   throw   exceptions through eleven frames with destructors
 *   mixed   one after the other
 *   inline  templates, lambdas and virtual calls, inlined where the compiler likes
 */
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noclone))

static volatile uint64_t sink;

static double cpu_s()
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

struct guard {
	std::string text;

	~guard()
	{
		sink = sink + text.size();
	}
};

NOINLINE static void thrower(int depth)
{
	guard g{ std::string((size_t)depth * 5, 'x') };

	if (!depth)
		throw std::runtime_error("thrown");
	thrower(depth - 1);
	sink = sink + 3;
}

static void throwing()
{
	try {
		thrower(11);
	} catch (const std::exception &e) {
		sink = sink + std::strlen(e.what());
	}
}

struct shape {
	virtual ~shape() = default;
	virtual uint64_t area(uint64_t v) const = 0;
};

template <int sides> struct polygon : shape {
	uint64_t area(uint64_t v) const override
	{
		for (int i = 0; i < 200 * sides; i++)
			v = v * 6364136223846793005ULL + (uint64_t)sides;
		return v;
	}
};

static void inlining()
{
	static const std::vector<std::shared_ptr<shape>> shapes{ std::make_shared<polygon<3>>(),
								 std::make_shared<polygon<5>>(),
								 std::make_shared<polygon<7>>() };
	std::vector<uint64_t> v(503);
	std::map<uint64_t, uint64_t> seen;
	uint64_t seed = sink;

	std::generate(v.begin(), v.end(),
		      [&] { return seed = seed * 2862933555777941757ULL + 3037000493ULL; });
	std::sort(v.begin(), v.end(), [](uint64_t a, uint64_t b) { return (a >> 7) < (b >> 7); });
	for (uint64_t x : v)
		seen[x % 97] += x;
	std::function<uint64_t(uint64_t)> sum = [&](uint64_t x) {
		for (const auto &s : shapes)
			x += s->area(x);
		return x;
	};
	sink = sum(seen.begin()->second);
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";
	double sec = argc > 2 ? std::strtod(argv[2], nullptr) : 1;
	unsigned long rounds = 0;
	char line[128];
	int len;

	if (std::strcmp(mode, "throw") && std::strcmp(mode, "inline") &&
	    std::strcmp(mode, "mixed")) {
		std::fprintf(stderr, "usage: unwind_cxx throw|inline|mixed [SEC]\n");
		return 2;
	}
	while (cpu_s() < sec) {
		if (*mode != 'i')
			throwing();
		if (*mode != 't')
			inlining();
		rounds++;
	}
	len = std::snprintf(line, sizeof(line), "pid=%d mode=%s rounds=%lu\n", (int)getpid(), mode,
			    rounds);
	return write(STDOUT_FILENO, line, (size_t)len) != len;
}
