// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * args N: calls functions of C++ with its own types, N times each, and prints what it passes, an
 * object of JSON for each call. The test compiles it with several options.
 */
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#define KEPT __attribute__((noinline, noclone))
#define USED() __asm__ volatile("" ::: "memory")

namespace app
{
struct Base {
	int id;
};

class Engine : public Base
{
      public:
	std::string name;
	double load = 0.25;

	KEPT long run(const std::string &path, int &count, bool fast);
};

KEPT long Engine::run(const std::string &path, int &count, bool fast)
{
	USED();
	return (long)path.size() + count + fast + id;
}

/* Objects with destructors are passed by their address. */
KEPT std::string join(std::string left, Engine engine, char last)
{
	USED();
	return left + engine.name + last;
}

KEPT long view(std::string_view text, int n)
{
	USED();
	return (long)text.size() + text[0] + n;
}
} // namespace app

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 3;

	for (int i = 0; i < n; i++) {
		app::Engine engine;
		std::string path = i % 2 ? "short" : "a path that has no room within the string itself";
		int count = i * 3;
		long r;

		engine.id = 1000 + i;
		engine.name = "engine " + std::to_string(i);
		r = engine.run(path, count, i & 1);
		printf("{\"event\":\"app::Engine::run\",\"id\":%d,\"name\":\"%s\",\"load\":0.25,\"path\":\"%s\",\"count\":%d,"
		       "\"fast\":%s,\"ret\":%ld}\n",
		       engine.id, engine.name.c_str(), path.c_str(), count, i & 1 ? "true" : "false", r);
		std::string joined = app::join(path, engine, 'x');
		printf("{\"event\":\"app::join\",\"left\":\"%s\",\"name\":\"%s\",\"id\":%d,\"last\":120,\"ret\":\"%s\"}\n",
		       path.c_str(), engine.name.c_str(), engine.id, joined.c_str());
		r = app::view(std::string_view(path).substr(0, 4), i);
		printf("{\"event\":\"app::view\",\"text\":\"%s\",\"n\":%d,\"ret\":%ld}\n", path.substr(0, 4).c_str(), i, r);
	}
	return 0;
}
