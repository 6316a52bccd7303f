// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * args N: calls functions of C++ with its own types, N times each, and prints what it passes, an
 * object of JSON for each call. The test compiles it with several options.
 */
#include <cstdlib>
#include <string>
#include <string_view>

#include "say.h"

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
		std::string path =
			i % 2 ? "short" : "a path that has no room within the string itself";
		int count = i * 3;
		long r;

		engine.id = 1000 + i;
		engine.name = "engine " + std::to_string(i);
		r = engine.run(path, count, i & 1);
		say("app::Engine::run");
		say_num("id", engine.id);
		say_text("name", engine.name.c_str());
		say_real("load", 0.25);
		say_text("path", path.c_str());
		say_num("count", count);
		say_flag("fast", i & 1);
		say_num("ret", r);
		say_end();
		std::string joined = app::join(path, engine, 'x');
		say("app::join");
		say_text("left", path.c_str());
		say_text("name", engine.name.c_str());
		say_num("id", engine.id);
		say_num("last", 'x');
		say_text("ret", joined.c_str());
		say_end();
		r = app::view(std::string_view(path).substr(0, 4), i);
		say("app::view");
		say_text("text", path.substr(0, 4).c_str());
		say_num("n", i);
		say_num("ret", r);
		say_end();
	}
	return 0;
}
