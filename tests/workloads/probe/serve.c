// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * serve [LIBRARY | exec PROGRAM | fork]: waits for a line on stdin, and calls serve() seven times:
 * itself, that of a library which it loads then, after exec, or in a child.
 */
#include <dlfcn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline)) void serve(int n)
{
	__asm__ volatile("" : : "r"(n) : "memory");
}

static void serve_all(void (*fn)(int n))
{
	int i;

	for (i = 0; i < 7; i++)
		fn(i);
}

int main(int argc, char **argv)
{
	void (*fn)(int n) = serve;
	void *lib;
	char c;

	if (read(0, &c, 1) != 1)
		return 1;
	if (argc > 2 && !strcmp(argv[1], "exec"))
		return execl(argv[2], argv[2], "now", (char *)0);
	if (argc == 2 && !strcmp(argv[1], "fork")) {
		if (fork() > 0)
			return wait(0) < 0;
	} else if (argc == 2 && strchr(argv[1], '/')) {
		lib = dlopen(argv[1], RTLD_NOW);
		fn = lib ? (void (*)(int))dlsym(lib, "serve_more") : 0;
		if (!fn)
			return 2;
	}
	serve_all(fn);
	return 0;
}
